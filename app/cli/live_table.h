// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/records/records.h"
#include "shared/base/clock.h"
#include "shared/protocol/messages.h"

#include <QHash>
#include <QStringList>

#include <optional>

namespace lockkeeper::app::cli {

/** The order of the live table; ties are sorted by source, scheme, place and name. */
enum class LocksOrder : quint8 { Severity = 0, Name, Source, Held, Remaining, Waiters };

/** The locks that are asked for. */
struct LocksOptions
{
    QString source;
    std::optional<domain::Condition> state;
    QByteArray nameGlob;
    std::optional<LocksOrder> order = {}; ///< empty: by severity; JSON in the agent's order
    std::optional<qint64> atUs = {};      ///< empty: now
    QByteArray placeGlob = {};            ///< empty: all
};

/** The collected pages of one LocksQuery. */
class LiveTable
{
public:
    /** True once the last page has arrived; then the locks are ordered by source, scheme, place and name. */
    bool add(const protocol::SnapshotPage &page);
    /** For callers that know the sources before the pages arrive. */
    void setSources(const QList<domain::SourceState> &sources) { m_sources = sources; }
    /**
     * Sets the agent's current wall clock time. All times that the agent reports for its sources are on that
     * clock.
     */
    void setClock(qint64 agentWallUs, const base::Clock &own) { m_aheadUs = agentWallUs - own.wallUs(); }
    /** The agent's wall clock after setClock(), before that this computer's. */
    qint64 wallUs(const base::Clock &own) const { return own.wallUs() + m_aheadUs; }
    void setChecks(const QList<domain::HolderCheck> &checks);
    /** The verdict on the holder of this very acquisition; null: none is known. */
    const domain::HolderCheck *checkOf(const domain::LockState &lock) const;
    const QList<domain::LockState> &locks() const { return m_locks; }
    const QList<domain::SourceState> &sources() const { return m_sources; }
    /** The state of a lock's source at `wallUs`; a source that the agent doesn't report counts as stale. */
    records::SourceView view(const QString &source, qint64 wallUs) const;
    /** True if the options select this lock, given the state of its source. */
    static bool fits(const domain::LockState &lock, const LocksOptions &options,
                     const records::SourceView &view);
    /**
     * The locks that the options select, in the requested order. State `Contended` selects any lock with
     * waiters; `Held` also those that are contended or about to expire. By severity, the worst come first.
     */
    QList<domain::LockState> listed(const LocksOptions &options, qint64 wallUs) const;

private:
    QList<domain::LockState> m_locks;
    QList<domain::SourceState> m_sources;
    QHash<domain::LockKey, domain::HolderCheck> m_checks;
    qint64 m_aheadUs = 0; ///< the agent's clock minus this computer's
};

} // namespace lockkeeper::app::cli
