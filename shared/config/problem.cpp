// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/config/problem.h"

#include "shared/base/text.h"

#include <algorithm>

namespace lockkeeper::config {

QString Problem::text() const
{
    const QString shown = base::displayText(file);
    const QString where = line > 0 ? QStringLiteral("%1:%2").arg(shown).arg(line) : shown;
    return where + QLatin1String(": ") + error.line();
}

void Problems::add(int line, const QString &cause, const QString &remedy)
{
    list.append(Problem{file, line, {base::ErrorCode::Usage, cause, remedy}});
}

QList<Problem> Problems::sorted() const
{
    QList<Problem> sorted = list;
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const Problem &a, const Problem &b) { return a.line < b.line; });
    return sorted;
}

} // namespace lockkeeper::config
