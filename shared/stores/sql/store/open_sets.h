// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/sql/sets/set_reader.h"

namespace lockkeeper::stores::sql {

/** Adds a warning about a limited view to those that `info` has. A warning without a cause is ignored. */
void addWarning(ServerInfo &info, const base::Error &warning);

/**
 * The lock sets of one open connection. A set that can't be read is set aside, with its own gap, and retried
 * from time to time, while the others are read. If no set is left, nothing can be observed: the caller must
 * fail. Used in the worker's thread.
 */
class OpenSets
{
public:
    /** Calls `tell` for each set that is set aside, or read again. */
    OpenSets(SqlConnection &connection, const SourceSpec &spec, const ServerFacts &facts,
             const ReleaseSeams &seams, std::function<void(const ShardState &)> tell)
        : m_connection(connection), m_spec(spec), m_facts(facts), m_seams(seams), m_tell(std::move(tell))
    {
    }

    /** Opens all sets. Fails where the link is lost, or no set can be read. `tellAside()` reports later. */
    base::Result<void> open();
    void close();
    /** Reports each set that open() has set aside. */
    void tellAside() const;
    size_t count() const { return m_sets.size(); }

    /** Adds the sets' places, access rights and warnings to a connection's description. */
    void describe(ServerInfo &info) const;
    /** The set's reader. Without a reader, the error for which the set was set aside. */
    base::Result<SetReader *> of(size_t set) const;
    /** Null: the set must be opened first. */
    SetReader *readable(size_t set) const { return m_sets[set].reader.get(); }
    /** Null: the current scan skips the set. */
    SetReader *due(size_t set) const { return m_sets[set].failed ? nullptr : m_sets[set].reader.get(); }
    /** All sets that are open now. */
    QList<SetReader *> readers() const;
    QByteArray placeOf(size_t set) const { return m_sets[set].place; }

    /** Before a scan: reopens the sets that are due. False where a set's place differs from the one reported
     * before, so that all sets must be opened again. */
    base::Result<bool> tryAgain(qint64 monotonicUs);
    /** Sets aside a set that couldn't be read. False, without any effect, where no other set can be read. */
    bool setAside(size_t set, const base::Error &why, qint64 monotonicUs);
    /** The set was read to its end. */
    void noteRead(size_t set);
    /** False for subjects in a set that is aside; null where no set is. */
    std::function<bool(const Subject &)> covers() const;

private:
    struct OpenSet
    {
        std::unique_ptr<SetReader> reader; ///< null: must be opened first
        QByteArray place;
        std::optional<base::Error> aside;
        qint64 againUs = 0;  ///< when to try again, monotonic
        bool failed = false; ///< since the scan began
    };

    base::Result<void> openOne(size_t set);
    bool isOfSessions(size_t set) const;
    QByteArray expectedPlace(size_t set) const;
    void tell(size_t set) const;

    SqlConnection &m_connection;
    const SourceSpec &m_spec;
    const ServerFacts &m_facts;
    const ReleaseSeams &m_seams;
    std::function<void(const ShardState &)> m_tell;
    std::vector<OpenSet> m_sets; ///< by lock set
    /** Shared by the sets whose locks belong to sessions. */
    std::shared_ptr<SessionBoard> m_sessions;
    bool m_apart = false; ///< a session set failed: each reads by itself, so that the others don't fail
};

} // namespace lockkeeper::stores::sql
