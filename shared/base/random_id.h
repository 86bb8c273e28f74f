// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

namespace lockkeeper::base {

/** Unguessable random bytes from the system's generator, as lower-case hex. */
QByteArray randomId(qsizetype bytes = 16);

} // namespace lockkeeper::base
