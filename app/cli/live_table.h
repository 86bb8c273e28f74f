// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/json_lines.h"
#include "app/cli/options.h"
#include "shared/base/clock.h"

#include <QHash>
#include <QStringList>

namespace lockkeeper::app::cli {

/** The pages of one LocksQuery, gathered. */
class LiveTable
{
public:
    /** True once the last page is in; locks are in order of source, scheme, place and name then. */
    bool add(const protocol::SnapshotPage &page);
    /** Where they are known before the pages come. */
    void setSources(const QList<domain::SourceState> &sources) { m_sources = sources; }
    /** What the agent's clock says now: all that it tells of its sources is by that one. */
    void setClock(qint64 agentWallUs, const base::Clock &own) { m_aheadUs = agentWallUs - own.wallUs(); }
    /** That clock, once it was told; else this computer's. */
    qint64 wallUs(const base::Clock &own) const { return own.wallUs() + m_aheadUs; }
    const QList<domain::LockState> &locks() const { return m_locks; }
    const QList<domain::SourceState> &sources() const { return m_sources; }
    /** How a lock's source stands at `wallUs`; a source that the agent doesn't tell of counts as stale. */
    SourceView view(const QString &source, qint64 wallUs) const;
    /** Whether the options ask for a lock of the source that is seen so. */
    static bool fits(const domain::LockState &lock, const LocksOptions &options, const SourceView &view);
    /**
     * The locks that the options ask for, sorted as they say. State `Contended`: any that somebody waits for;
     * `Held`: also those that are contended or about to expire. By severity the worst come first.
     */
    QList<domain::LockState> listed(const LocksOptions &options, qint64 wallUs) const;

private:
    QList<domain::LockState> m_locks;
    QList<domain::SourceState> m_sources;
    qint64 m_aheadUs = 0; ///< the agent's clock, of this computer's
};

} // namespace lockkeeper::app::cli
