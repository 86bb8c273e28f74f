// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/replica/selection.h"

#include <QSet>

namespace lockkeeper::app::replica {

Selection::Selection(QObject *parent) : QObject(parent) {}

void Selection::select(const QList<domain::LockKey> &keys, const std::optional<domain::LockKey> &current)
{
    QList<domain::LockKey> unique;
    QSet<domain::LockKey> seen;
    for (const domain::LockKey &key : keys) {
        if (seen.contains(key))
            continue;
        seen.insert(key);
        unique.append(key);
    }
    std::optional<domain::LockKey> chosen;
    if (current && seen.contains(*current))
        chosen = current;
    else if (!unique.isEmpty())
        chosen = unique.first();

    const bool currentDiffers = chosen != m_current;
    if (!currentDiffers && unique == m_keys)
        return;
    m_keys = unique;
    m_current = chosen;
    Q_EMIT changed();
    if (currentDiffers)
        Q_EMIT currentChanged();
}

} // namespace lockkeeper::app::replica
