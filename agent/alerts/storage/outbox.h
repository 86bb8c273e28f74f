// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/journal/storage/sqlite_connection.h"
#include "shared/base/clock.h"
#include "shared/domain/alert.h"

#include <QHash>
#include <QList>
#include <QSet>

namespace lockkeeper::agent::alerts {

/** A request to notify a receiver of an alert, as it is now. */
struct Notice
{
    QString receiver;
    QByteArray alert; ///< its id
    bool operator==(const Notice &) const = default;
};

/** A notice that can be sent now. */
struct DueNotice
{
    qint64 id = 0;
    qint64 revision = 0; ///< a request that follows while it is sent has a higher one
    domain::Alert alert;
    /** The receiver has this alert's firing. False for a resolved alert: one message must say both. */
    bool firingDelivered = false;
    qint64 attempts = 0; ///< that failed
};

/** The notices that a receiver must still get. */
struct ReceiverBacklog
{
    qint64 waiting = 0;
    std::optional<qint64> deliveredUs; ///< the last delivery; empty: none yet
    bool operator==(const ReceiverBacklog &) const = default;
};

/** Rows of a receiver that aren't delivered. Above this, the oldest are merged into one summary. */
inline constexpr qint64 kMostUndelivered = 10'000;

/** The rule of a summary, whose `detail` has the number of merged alerts as "count". */
inline constexpr QLatin1String kSummaryRule("undelivered");

/**
 * The alerts that receivers must still get: a row for each receiver and alert, from its firing until its end
 * was delivered. So an alert never has two rows at a receiver, and an end that comes before its firing was
 * delivered leaves one message for both. Belongs to the thread of its connection; each call blocks until the
 * disk has the change. Times are wall clock, in microseconds. Errors: Storage, Corrupt.
 */
class Outbox
{
public:
    Outbox(journal::SqliteConnection &connection, const base::Clock &clock)
        : m_connection(connection), m_clock(clock)
    {
    }
    Q_DISABLE_COPY_MOVE(Outbox)

    /** At most `limit` notices that are due, the longest due first. Repetitions of active alerts are due too.
     */
    base::Result<QList<DueNotice>> due(const QString &receiver, qint64 nowUs, int limit);
    /** When the receiver's next notice is due, perhaps in the past. Empty: it has none. */
    base::Result<std::optional<qint64>> nextDueUs(const QString &receiver);

    /** The receiver has them. `repeatUs`: when it wants those that aren't over again; empty: never. */
    base::Result<void> delivered(const QString &receiver, const QList<DueNotice> &notices, qint64 nowUs,
                                 std::optional<qint64> repeatUs = {});
    /** They may be tried again, not before `notBeforeUs`. */
    base::Result<void> failed(const QList<DueNotice> &notices, qint64 notBeforeUs, const base::Error &error);
    /** The receiver never accepts them as they are. They stay for a day, for requeue(). */
    base::Result<void> rejected(const QList<DueNotice> &notices, const base::Error &error);
    /** Tries again what this receiver has rejected, because its settings have changed. */
    base::Result<void> requeue(const QString &receiver);
    /** Forgets all receivers but these. Returns the number of undelivered notices that are lost by this. */
    base::Result<qint64> retain(const QSet<QString> &receivers);

    base::Result<QHash<QString, ReceiverBacklog>> backlogs();

private:
    friend class AlertStore;
    /** Within a transaction of the caller. False: error() of the connection has the cause. */
    bool add(const QList<Notice> &notices);
    bool expire();
    bool mergeOldest(const QByteArray &receiver);
    bool saveSummary(const QByteArray &receiver, const domain::Alert &merged);
    template <typename Work> base::Result<void> write(const Work &work);
    /** After a commit: the connection never does this by itself. */
    void copyLongLog();

    journal::SqliteConnection &m_connection; ///< not owned
    const base::Clock &m_clock;
};

/** An alert as bytes of the database, and back. */
QByteArray packAlert(const domain::Alert &alert);
base::Result<domain::Alert> unpackAlert(const QByteArray &bytes);

} // namespace lockkeeper::agent::alerts
