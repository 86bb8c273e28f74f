// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/domain/lock_key.h"

#include <QList>
#include <QObject>

#include <optional>

namespace lockkeeper::app::replica {

/**
 * The operator's selection: the selected locks by key, one of them the current lock. Widgets talk to this
 * object and not to each other. A lock that disappears stays selected by its key until the operator selects
 * another. GUI thread.
 */
class Selection : public QObject
{
    Q_OBJECT

public:
    explicit Selection(QObject *parent = nullptr);

    /**
     * Selects `keys`. The current key is `current` if that is among them, otherwise the first. Duplicates are
     * dropped.
     */
    void select(const QList<domain::LockKey> &keys,
                const std::optional<domain::LockKey> &current = std::nullopt);
    void selectOne(const domain::LockKey &key) { select({key}); }
    void clear() { select({}); }

    const QList<domain::LockKey> &keys() const { return m_keys; }
    const std::optional<domain::LockKey> &current() const { return m_current; }
    bool contains(const domain::LockKey &key) const { return m_keys.contains(key); }

Q_SIGNALS:
    /** The keys or the current key have changed. */
    void changed();
    /** Only if the current key has changed. */
    void currentChanged();

private:
    QList<domain::LockKey> m_keys;
    std::optional<domain::LockKey> m_current;
};

} // namespace lockkeeper::app::replica
