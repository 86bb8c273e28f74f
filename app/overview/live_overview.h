// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/overview/overview.h"
#include "app/state/replica.h"

#include <QSet>

namespace lockkeeper::app::overview {

/**
 * The overview of a replica at any moment. Follows its batches and remembers which locks may need a look, so
 * that asking costs as much as there is wrong, not as there are locks. GUI thread.
 */
class LiveOverview : public QObject
{
    Q_OBJECT

public:
    explicit LiveOverview(state::Replica &replica, QObject *parent = nullptr);

    Overview now() const;
    /** How a lock stands now; empty: it needs no look any more, is gone, or isn't seen. */
    std::optional<Attention> find(const domain::LockKey &key) const;
    /** The agent's clock now, as far as a source tells of it. */
    std::optional<qint64> agentWallUs() const;

private:
    void take(const state::LockTable &changed, const QSet<domain::LockKey> &removed);

    state::Replica &m_replica;
    QSet<domain::LockKey> m_looks;
};

} // namespace lockkeeper::app::overview
