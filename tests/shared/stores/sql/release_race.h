// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/locks/lock_client.h"
#include "shared/stores/sql/sql_stores.h"
#include "shared/stores/sql/store/sql_store.h"

#include <QElapsedTimer>
#include <QRandomGenerator>
#include <QSet>

#include <vector>

namespace lockkeeper::tests {

/** How a race is run, if not as usual. */
struct RaceWays
{
    stores::sql::ReleaseSeams seams;
    /** Each client acquires every lock under one name, as Spring's registry does. Its acquisitions differ
     * only in their times, and a guard may not end a lease that began after the guard was issued. */
    bool reuses = false;
};

struct RaceResult
{
    qint64 rounds = 0; ///< releases that were tried
    qint64 released = 0;
    qint64 acquisitions = 0;
    qint64 renewals = 0;
    qint64 wrong = 0; ///< acquisitions that ended without a release, and the reverse
    QList<base::Error> errors;
};

/**
 * Clients acquire, renew and release a few locks as fast as they can, each over its own connection, while a
 * releaser acts on guards of random age. Each acquisition has a unique holder, which is the oracle: a client
 * may lose exactly those acquisitions that a Released outcome names in its guard. Leases are long, so that
 * nothing else ends them.
 */
class ReleaseRace : public QObject
{
    Q_OBJECT

public:
    ReleaseRace(const stores::SourceSpec &spec, int clients, quint32 seed, const RaceWays &ways = {});

    /** Runs its own event loop until so many releases were tried and every client has ended its lease. */
    RaceResult run(qint64 rounds);

Q_SIGNALS:
    void finished();

private:
    struct Shown
    {
        domain::Guard guard;
        bool own = false; ///< the store makes its identity
        qint64 atNs = 0;  ///< when it was issued
    };
    struct Client
    {
        std::unique_ptr<locks::LockClient> client;
        QByteArray name; ///< the name under which it acquires every lock; empty: a new name each time
        locks::Lease lease;
        qint64 askedNs = 0; ///< when it requested its lease
        bool holds = false;
        bool gives = false; ///< a release is under way
        bool idle = false;
    };

    void next(Client &client);
    locks::LockClient::Done onward(Client &client);
    void onAnswer(Client &client, const locks::AttemptResult &result);
    void observe();
    void onInspected(const stores::Inspection &inspection);
    void onReleased(const stores::ReleaseReport &report);
    void finishIfIdle();
    qint64 wrongOfReused() const;
    QByteArray someName();

    stores::SourceSpec m_spec;
    stores::sql::SqlStore m_store;
    std::vector<Client> m_clients;
    QRandomGenerator m_random;
    RaceWays m_ways;
    QElapsedTimer m_clock;
    QList<Shown> m_guards;
    Shown m_tried;
    /** With `reuses`, by client and lock, in order: when the guards of its breaks were issued, … */
    QHash<QByteArray, QList<qint64>> m_broken;
    QHash<QByteArray, QList<qint64>> m_missed; ///< … and when its lost leases were requested
    QSet<QByteArray> m_lost;
    QSet<QByteArray> m_releasedHolders;
    RaceResult m_result;
    qint64 m_wanted = 0;
    bool m_releaserDone = false;
};

} // namespace lockkeeper::tests
