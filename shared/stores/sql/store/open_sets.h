// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/sql/sets/set_reader.h"

namespace lockkeeper::stores::sql {

/** Says of a source, beside what is said already, what limits the view; no cause: nothing. */
void addWarning(ServerInfo &info, const base::Error &warning);

/**
 * The lock sets of one open connection. A set that can't be read is set aside, with a gap of its own, and
 * tried again from time to time, while the others are read. Where none is left there is nothing to observe:
 * that is the caller's error. Used in the worker's thread.
 */
class OpenSets
{
public:
    /** `tell` hears of each set that is set aside, or read again. */
    OpenSets(Connection &connection, const SourceSpec &spec, const ServerFacts &facts,
             const ReleaseSeams &seams, std::function<void(const ShardState &)> tell)
        : m_connection(connection), m_spec(spec), m_facts(facts), m_seams(seams), m_tell(std::move(tell))
    {
    }

    /** Opens all of them. Fails where the link is lost, or none can be read. tell() isn't called yet. */
    base::Result<void> open();
    void close();
    /** Calls tell() for each that open() has set aside. */
    void tellAside() const;
    size_t count() const { return m_sets.size(); }

    /** What a connection's start says of them. */
    void describe(ServerInfo &info) const;
    /** Of a set that is set aside the error is why. */
    base::Result<SetReader *> of(size_t set) const;
    /** Null: it has to be opened first. */
    SetReader *readable(size_t set) const { return m_sets[set].reader.get(); }
    /** Null: the scan under way passes it over. */
    SetReader *due(size_t set) const { return m_sets[set].failed ? nullptr : m_sets[set].reader.get(); }
    /** All that are read now. */
    QList<SetReader *> readers() const;
    QByteArray placeOf(size_t set) const { return m_sets[set].place; }

    /** Before a scan: opens those again that are due. False where one has another place now than it was told
     * to have, so that everything is to be opened anew. */
    base::Result<bool> tryAgain(qint64 monotonicUs);
    /** The set couldn't be read. False where no other could be: nothing was done then. */
    bool setAside(size_t set, const base::Error &why, qint64 monotonicUs);
    /** The set was read to its end. */
    void noteRead(size_t set);
    /** False for what is in a set that is aside; null where none is. */
    std::function<bool(const Subject &)> covers() const;

private:
    struct Set
    {
        std::unique_ptr<SetReader> reader; ///< null: it has to be opened first
        QByteArray place;
        std::optional<base::Error> aside;
        qint64 againUs = 0;  ///< when to try again, monotonic
        bool failed = false; ///< since the scan began
    };

    base::Result<void> openOne(size_t set);
    bool isOfSessions(size_t set) const;
    QByteArray expectedPlace(size_t set) const;
    void tell(size_t set) const;

    Connection &m_connection;
    const SourceSpec &m_spec;
    const ServerFacts &m_facts;
    const ReleaseSeams &m_seams;
    std::function<void(const ShardState &)> m_tell;
    std::vector<Set> m_sets; ///< by lock set
    /** Shared by the sets whose locks belong to sessions. */
    std::shared_ptr<SessionBoard> m_sessions;
    bool m_apart = false; ///< one of them failed: each reads by itself, so that the others don't
};

} // namespace lockkeeper::stores::sql
