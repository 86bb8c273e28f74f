// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArrayView>
#include <QString>

namespace lockkeeper::domain {

/**
 * The program that uses an advisory lock of this name ("72707369": Prisma Migrate), spelled as in its
 * documentation; empty if no known program uses it. `database`: some programs derive the name from it.
 */
QString advisoryProgram(QByteArrayView name, QByteArrayView database);

} // namespace lockkeeper::domain
