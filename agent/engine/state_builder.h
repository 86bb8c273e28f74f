// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/engine/waits.h"
#include "shared/domain/guard.h"
#include "shared/events/lock_event.h"

namespace lockkeeper::agent::engine {

/** The values of a hold that its ending event needs, kept while its record is overwritten. */
struct Past
{
    domain::Phase phase = domain::Phase::Free;
    bool ownerKnown = true;
    QByteArray owner;
    std::optional<qint64> ttlMs;
    std::optional<qint64> expiresUs;
    qint64 seenUs = 0;
    bool otherEpoch = false;    ///< seen through an earlier connection
    bool beforeRestart = false; ///< seen before a restart that such a lock may not survive
    quint32 previous = 0;       ///< see Record
    bool inFailover = false;    ///< with beforeRestart: another server took its place
    bool rewound = false;       ///< with beforeRestart: the store, or this row, went back to an earlier state
    bool lost = false;          ///< the store reports that it forgot the lock
    bool keepsRow = false;      ///< the scheme's row stays when the lock isn't held
};

/** Makes lock states and events of records. Only this class knows names, places and rights. */
class StateBuilder
{
public:
    explicit StateBuilder(const stores::SourceSpec &spec);

    void reconfigure(const stores::SourceSpec &spec);
    /** `epoch` counts connections; locks that weren't seen since a restart keep the server's old instance. */
    void setServer(const stores::ServerInfo &info, quint16 epoch);
    void setLinkUp(bool up) { m_up = up; }
    /** Whether the last change of the server was to another one. */
    void setFailover(bool failover) { m_failover = failover; }
    /** A replica can't prove that a lock is free. */
    void setReplica(bool replica) { m_replica = replica; }
    /** Sets the place of a set's locks until a connection reports it. */
    void assumePlace(quint16 set, const QByteArray &place) { m_places[set] = place; }
    QByteArray store() const { return m_store; }
    /** The lock sets whose scheme and place are those of `key`. */
    QList<quint16> setsOf(const domain::LockKey &key) const;
    QByteArray subjectNameOf(quint16 set, const domain::LockKey &key) const
    {
        return stores::subjectNameOf(m_places.at(set), key).value_or(key.name);
    }

    domain::LockKey keyOf(const LockRecord &record) const;
    domain::LockState stateOf(const LockRecord &record) const;
    /** The update that removes a lock that nobody held from every copy of the table. */
    domain::LockState forgotten(const LockRecord &record) const;
    /** The unseen free moment between two holders: a row stays; a key is gone, which yields nullopt. */
    std::optional<domain::LockState> freeMoment(const LockRecord &record, const Past &past) const;
    Past pastOf(const LockRecord &record, const Frame &frame) const;
    QByteArray instanceOf(const LockRecord &record) const;
    bool mayLose(const LockRecord &record) const;
    /** The guard's digest, pinned to the record's times if the store doesn't make the identity. Empty if
     * another hold of the same client could have the same digest. */
    static QByteArray digestOf(const LockRecord &record, domain::Guard guard);

    events::LockEvent event(events::EventKind kind, const LockRecord &record, qint64 observedUs) const;
    events::LockEvent began(events::EventKind kind, const LockRecord &record, const Begin &begin,
                            qint64 observedUs) const;
    events::LockEvent ended(events::EventKind kind, const LockRecord &record, const Past &past,
                            const HoldEnding &end, qint64 observedUs) const;
    /** A wait began or ended; `otherEpoch`: the lock was seen last through an earlier connection. */
    events::LockEvent waited(const WaitChange &change, const LockRecord &record, bool otherEpoch,
                             qint64 observedUs) const;
    events::LockEvent ofSource(events::EventKind kind, qint64 timeUs, qint64 observedUs) const;

private:
    domain::ReleaseCapability capability(const LockRecord &record) const;
    bool concerns(const domain::Access &missing, qsizetype set) const;

    QString m_source;
    QList<stores::LockSet> m_sets;
    QList<QByteArray> m_places;
    QList<bool> m_permitted;
    QByteArray m_store;
    QByteArray m_instance;
    std::function<QByteArray(const stores::Subject &)> m_instanceOf;
    bool m_failover = false; ///< the present instance took another server's place
    QByteArray m_lastInstance;
    quint16 m_instanceEpoch = 0; ///< the epoch that began with m_instance
    bool m_readOnly = false;
    bool m_replica = false;
    bool m_up = false;
};

} // namespace lockkeeper::agent::engine
