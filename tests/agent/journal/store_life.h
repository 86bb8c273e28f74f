// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/store.h"

#include <QMap>

#include <random>

namespace lockkeeper::tests {

/** How the rows or keys of a kind of locks live. */
struct RowKind
{
    /** The party that acts on a deadline. */
    enum Deadline : quint8 {
        Never,   ///< there is none
        Store,   ///< the store removes the key when its time is up
        Late,    ///< the store removes it up to a second after it, and it is held until then
        Clients, ///< the row stays, expired, until a client takes it out
        Row,     ///< the row stays and is free from then on
    };

    QByteArray scheme;
    Deadline deadline = Never;
    bool staysFree = false;  ///< a release leaves a row
    bool dated = false;      ///< a column holds the time of the acquisition
    bool ownId = true;       ///< each acquisition has a new identity
    bool waiters = false;    ///< waiters are visible
    bool nests = false;      ///< depth and mode
    bool optimistic = false; ///< a version, and never a holder
};

/**
 * A store whose clients acquire, renew, queue, release, forget, clean up and write nonsense at random, by a
 * seed. Each change is exact to the microsecond, so that a push may report it.
 */
class StoreLife
{
public:
    StoreLife(RowKind kind, quint32 seed, int rows);

    /** Lets `us` pass: expired keys are removed. */
    void advance(qint64 us);
    /** One client does something. */
    void act();
    stores::Observation at(const QByteArray &name) const;
    QList<stores::Observation> all() const;
    qint64 nowUs() const { return m_nowUs; }
    /** The changes since the last call, in order. */
    QList<stores::Change> takeChanges() { return std::exchange(m_changes, {}); }
    qint64 draw(qint64 low, qint64 high) { return low + qint64(m_random() % quint64(high - low + 1)); }

private:
    struct Row
    {
        bool present = false;
        bool held = false;
        bool unreadable = false;
        QByteArray owner;
        qint64 acquiredUs = 0;
        qint64 expiresUs = 0; ///< 0: never
        qint64 removedUs = 0; ///< by the store
        quint32 depth = 1;
        QByteArray mode;
        int version = 1;
        QList<domain::Waiter> waiters;
    };

    void changed(const QByteArray &name, bool expired = false);
    bool isHeld(const Row &row) const { return row.held && (!row.expiresUs || row.expiresUs > m_nowUs); }
    void acquire(Row &row);
    void setDeadline(Row &row, qint64 low, qint64 high);
    void giveBack(Row &row);
    void actAsHolder(Row &row);
    void actOnRest(Row &row);

    RowKind m_kind;
    std::mt19937 m_random;
    QMap<QByteArray, Row> m_rows;
    QList<stores::Change> m_changes;
    qint64 m_nowUs;
    int m_clients = 0;
};

} // namespace lockkeeper::tests
