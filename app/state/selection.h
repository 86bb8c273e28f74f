// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/domain/lock_key.h"

#include <QList>
#include <QObject>

#include <optional>

namespace lockkeeper::app::state {

/**
 * What the operator looks at: the selected locks by key, one of them the current one. Widgets talk to this
 * object and not to each other. A lock that vanishes stays selected by its key until somebody selects
 * another. GUI thread.
 */
class Selection : public QObject
{
    Q_OBJECT

public:
    explicit Selection(QObject *parent = nullptr);

    /** Selects `keys`; the current one is `current` where that is among them, else the first. Doubles are
     * dropped. */
    void select(const QList<domain::LockKey> &keys,
                const std::optional<domain::LockKey> &current = std::nullopt);
    void selectOne(const domain::LockKey &key) { select({key}); }
    void clear() { select({}); }

    const QList<domain::LockKey> &keys() const { return m_keys; }
    const std::optional<domain::LockKey> &current() const { return m_current; }
    bool contains(const domain::LockKey &key) const { return m_keys.contains(key); }

Q_SIGNALS:
    /** The keys or the current one differ from before. */
    void changed();
    /** Only where the current one differs. */
    void currentChanged();

private:
    QList<domain::LockKey> m_keys;
    std::optional<domain::LockKey> m_current;
};

} // namespace lockkeeper::app::state
