// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/base/nearest.h"

#include <QList>

#include <algorithm>
#include <numeric>
#include <utility>

namespace lockkeeper::base {

namespace {

qsizetype distance(const QString &a, const QString &b)
{
    const qsizetype width = b.size() + 1;
    QList<qsizetype> older(width), last(width), row(width);
    std::iota(last.begin(), last.end(), 0);
    for (qsizetype i = 1; i <= a.size(); ++i) {
        row[0] = i;
        for (qsizetype j = 1; j < width; ++j) {
            const int change = a[i - 1] == b[j - 1] ? 0 : 1;
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + change});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = std::min(row[j], older[j - 2] + 1);
        }
        older.swap(last);
        last.swap(row);
    }
    return last.last();
}

} // namespace

QStringList nearestNames(const QString &wanted, const QStringList &known, qsizetype most)
{
    const QString folded = wanted.toLower();
    const qsizetype tooMany = 1 + (folded.size() <= 5 ? 1 : folded.size() <= 8 ? 2 : folded.size() / 2);
    QList<std::pair<qsizetype, QString>> near;
    for (const QString &name : known) {
        const QString other = name.toLower();
        const qsizetype edits = folded.size() >= 2 && other.startsWith(folded) ? 1 : distance(folded, other);
        if (edits < tooMany)
            near.append({edits, name});
    }
    std::stable_sort(near.begin(), near.end(),
                     [](const auto &a, const auto &b) { return a.first < b.first; });
    QStringList names;
    for (const auto &[edits, name] : near.first(std::min(most, near.size())))
        names.append(name);
    return names;
}

QString nearestName(const QString &wanted, const QStringList &known)
{
    return nearestNames(wanted, known, 1).value(0);
}

} // namespace lockkeeper::base
