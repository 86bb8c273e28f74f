// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/base/log_level.h"

namespace lockkeeper::base {

QStringList logLevels()
{
    return {QStringLiteral("debug"), QStringLiteral("info"), QStringLiteral("warning"),
            QStringLiteral("error")};
}

QString logRules(const QString &level)
{
    const QStringList levels = logLevels();
    const qsizetype least = levels.indexOf(level);
    QString rules;
    // Errors, which Qt calls critical, are always logged.
    for (qsizetype i = 0; least >= 0 && i + 1 < levels.size(); ++i)
        rules += (i < least ? QStringLiteral("*.%1=false\n") : QStringLiteral("lockkeeper.*.%1=true\n"))
                     .arg(levels.at(i));
    return rules;
}

} // namespace lockkeeper::base
