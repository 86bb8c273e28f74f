// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

namespace lockkeeper::base {

/** The values of --log-level in every program, the most verbose first. */
QStringList logLevels();

/** QLoggingCategory's rules that admit messages from `level` on; empty if logLevels() lacks it. */
QString logRules(const QString &level);

} // namespace lockkeeper::base
