// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/domain/source_state.h"

#include <QHash>
#include <QStringList>

namespace lockkeeper::app::session {

/**
 * Groups the sources of several agents by store, and finds the best view of each store. A lock with the same
 * scheme, place and name in two of them is the same lock.
 */
class SameStores
{
public:
    /** Returns true if the group or the best view of some store changed. */
    bool take(const domain::SourceState &source);
    /** Records if an agent is connected; an unconnected agent sees nothing. Returns the same as take(). */
    bool setLive(const QString &agent, bool live);
    /** Removes an agent. Returns the same as take(). */
    bool forget(const QString &agent);
    void clear();

    /** All sources of this source's store, the best first; only the source itself if no other is known. */
    QStringList of(const QString &source) const;
    /** The source with the best view of this source's store. */
    QString bestOf(const QString &source) const;
    bool isEmpty() const { return m_groups.isEmpty(); } ///< no store is seen twice
    /** The sources of all stores that are seen twice. */
    QStringList shared() const { return m_groups.keys(); }

private:
    bool arrange();

    QHash<QString, domain::SourceState> m_sources;
    QHash<QString, bool> m_live;          ///< by agent; absent agents are live
    QHash<QString, QStringList> m_groups; ///< by source; only for stores with several sources
};

} // namespace lockkeeper::app::session
