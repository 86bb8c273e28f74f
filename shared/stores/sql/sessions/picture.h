// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/domain/wait_graph.h"
#include "shared/stores/store.h"

#include <QSet>

namespace lockkeeper::stores::sql {

/** Parts of InnoDB's lock modes that decide which claim must wait for which; 0: exclusive, on the record
 * itself. */
enum ClaimMode : quint8 {
    Exclusive = 0,
    Shared = 1,
    GapOnly = 2,         ///< the gap before the record, not the record
    RecordOnly = 4,      ///< the record, not the gap before it
    InsertIntention = 8, ///< wants to insert into the gap
};

/** One session's hold on a lock, or its wait for one. */
struct Claim
{
    QByteArray place; ///< "app.jobs/PRIMARY"; of an advisory lock the database, or "server"
    QByteArray name;  ///< the lock's name there
    QByteArray session;
    bool waiting = false;
    bool advisory = false;
    quint8 mode = Exclusive;
    domain::TimeUs sinceUs; ///< the wait, or the hold, began in [sinceUs − windowUs, sinceUs]
    qint64 windowUs = 0;
    QByteArray event;     ///< advisory: the event of `session` that took it: its identity
    QByteArray freshness; ///< advisory: changes with every statement of the session, where no event
                          ///< distinguishes holds

    bool operator==(const Claim &) const = default;
};

/** A session and the facts that pin its transaction. */
struct SessionFacts
{
    domain::Session session;
    QByteArray identity; ///< of its transaction: "connection/thread/event/start"; the server's own numbers
    bool instrumented = false;         ///< a kill can be guarded by `identity`
    qint64 rowsLocked = 0;             ///< as far as the server counts them
    std::optional<qint64> rowsChanged; ///< by its transaction, likewise; empty: unknown
    int tablesLocked = 0;              ///< MariaDB: tables with row locks of this transaction

    bool operator==(const SessionFacts &) const = default;
};

/** The holders and waiters of one server at one moment, as they were read. A plain value. */
struct Picture
{
    qint64 beganUs = 0; ///< valid at some time in [beganUs, endedUs] of the store's clock
    qint64 endedUs = 0;
    QByteArray evidence; ///< see domain::WaitGraph
    bool truncated = false;
    bool seesAllRowHolders = false;           ///< also row locks without waiters
    bool seesAdvisoryWaiters = false;         ///< the server shows waiters for advisory locks
    QList<Claim> claims;                      ///< those of one lock in the order of their turn
    QHash<QByteArray, SessionFacts> sessions; ///< by Session::id: all with a transaction or a claim
    QList<domain::WholeTableLock> wholeTables;
};

/** The part of a picture that a lock set shows. */
struct PictureFilter
{
    quint16 set = 0;
    bool advisory = false;
    QByteArray place; ///< rows: "app.jobs/"
    QByteArray match = "*";
    bool ignoresCase = false; ///< of letters, in names and `match`
};

/** "app@10.0.0.5:41234#17": a session as the owner of a lock. */
QByteArray ownerText(const domain::Session &session);

/** True where `waiter` has to wait for `holder` on the same record (InnoDB's rules). */
bool hasToWait(quint8 waiter, quint8 holder);

/**
 * Remembers facts from picture to picture that a single picture doesn't show. One is since when an
 * acquisition is known. The other matters where a server shows only row locks with waiters: a
 * holder without waiters keeps holding until its transaction ends, which is when InnoDB and PostgreSQL free
 * row locks.
 */
class PictureMemory
{
public:
    /** Remembers `picture`, and adds the holds that it doesn't show any more. */
    void take(Picture &picture);
    /** The sessions whose holds are remembered: a source must read them too. */
    QSet<QByteArray> sessions() const;
    /** True once this acquisition has been in two pictures, over at least 5 s of the store's clock. */
    bool isMature(const Claim &claim, const QByteArray &identity, qint64 nowUs) const;

private:
    struct Acquisition
    {
        qint64 firstUs = 0; ///< the end of the first picture that showed it
        int pictures = 0;
    };
    /** The earliest and the latest time at which a wait may have begun. */
    struct WaitWindow
    {
        qint64 fromUs = 0;
        qint64 toUs = 0;
    };
    static QByteArray keyOf(const Claim &claim, const QByteArray &identity);
    void dateWaits(Picture &picture);

    QHash<QByteArray, Acquisition> m_acquisitions;
    QHash<QByteArray, WaitWindow> m_waits;       ///< of the last picture, by lock and session
    QList<std::pair<Claim, QByteArray>> m_holds; ///< with the holder's identity
};

/** The locks of one set, held ones only, their waiters in order. */
QList<Observation> observationsOf(const Picture &picture, const PictureFilter &filter,
                                  const PictureMemory &memory);

/** The wait graph, without sessions that neither wait nor block, nor lock a whole table. */
domain::WaitGraph graphOf(const Picture &picture, const QString &source);

constexpr qint64 kMatureUs = 5'000'000;

} // namespace lockkeeper::stores::sql
