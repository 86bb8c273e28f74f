// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArrayView>
#include <QString>

namespace lockkeeper::domain {

/**
 * The program whose advisory lock has this name ("72707369" is Prisma Migrate's), as its documents write it;
 * empty where the name may be anybody's. `database`: some programs make the name from it.
 */
QString advisoryProgram(QByteArrayView name, QByteArrayView database);

} // namespace lockkeeper::domain
