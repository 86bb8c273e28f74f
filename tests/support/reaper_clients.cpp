// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/reaper_race.h"

#include <QRandomGenerator>
#include <QSqlDatabase>
#include <QSqlQuery>

#include <limits>

namespace lockkeeper::tests {

namespace {

/** A client of one lock: each call is one atomic operation of the store. */
class Actor
{
public:
    Actor(const QString &socketPath, const QString &database, int index)
        : m_name(QStringLiteral("reaper-race-%1").arg(index))
    {
        QSqlDatabase connection = QSqlDatabase::addDatabase(QStringLiteral("QMYSQL"), m_name);
        connection.setUserName(QStringLiteral("root"));
        connection.setDatabaseName(database);
        connection.setConnectOptions(QStringLiteral("UNIX_SOCKET=") + socketPath);
        if (!connection.open())
            qFatal("the race's client can't connect");
    }
    ~Actor() { QSqlDatabase::removeDatabase(m_name); }

    Q_DISABLE_COPY_MOVE(Actor)

    /** A lock that looks dead within a millisecond. False: another client holds it. */
    bool acquire(const QByteArray &lock, const QByteArray &owner)
    {
        return run(
            QStringLiteral("INSERT IGNORE INTO race (name, holder, created_at, expires_at) VALUES ('%1', "
                           "'%2', UTC_TIMESTAMP(6), UTC_TIMESTAMP(6) + INTERVAL 1000 MICROSECOND)"),
            lock, owner);
    }
    bool renew(const QByteArray &lock, const QByteArray &owner)
    {
        return run(QStringLiteral("UPDATE race SET expires_at = UTC_TIMESTAMP(6) + INTERVAL 1 HOUR "
                                  "WHERE name = '%1' AND holder = '%2'"),
                   lock, owner);
    }
    bool takeOver(const QByteArray &lock, const QByteArray &from, const QByteArray &to)
    {
        return run(
            QStringLiteral("UPDATE race SET holder = '%3', created_at = UTC_TIMESTAMP(6), expires_at = "
                           "UTC_TIMESTAMP(6) + INTERVAL 1 HOUR WHERE name = '%1' AND holder = '%2'"),
            lock, from, to);
    }
    bool isHeldBy(const QByteArray &lock, const QByteArray &owner)
    {
        QSqlQuery query(QSqlDatabase::database(m_name));
        query.exec(QStringLiteral("SELECT 1 FROM race WHERE name = '%1' AND holder = '%2'")
                       .arg(QLatin1String(lock), QLatin1String(owner)));
        return query.next();
    }
    bool release(const QByteArray &lock, const QByteArray &owner)
    {
        return run(QStringLiteral("DELETE FROM race WHERE name = '%1' AND holder = '%2'"), lock, owner);
    }
    /** One round trip: these clients measure time in round trips. */
    void breathe() { QSqlQuery(QStringLiteral("DO 0"), QSqlDatabase::database(m_name)); }

private:
    /** One row affected; a deadlock's victim tries again, as every client of InnoDB has to. */
    bool run(const QString &statement, const QByteArray &lock, const QByteArray &owner,
             const QByteArray &next = {})
    {
        QString text = statement;
        text.replace(QLatin1String("%1"), QLatin1String(lock));
        text.replace(QLatin1String("%2"), QLatin1String(owner));
        text.replace(QLatin1String("%3"), QLatin1String(next));
        for (;;) {
            QSqlQuery query(QSqlDatabase::database(m_name));
            if (query.exec(text))
                return query.numRowsAffected() == 1;
        }
    }
    QString m_name;
};

void breathe(Actor &actor, int times)
{
    for (int i = 0; i < times; ++i)
        actor.breathe();
}

/** The number of round trips that the reaper has to take an abandoned lock. */
constexpr int kPatience = 3'000;

void live(Actor &actor, const QByteArray &lock, const QByteArray &owner, qint64 &kept, ReaperTally &tally,
          QRandomGenerator &random)
{
    breathe(actor, random.bounded(40));
    ++(actor.release(lock, owner) ? kept : tally.wrong);
}

void oneLock(Actor &actor, const QByteArray &lock, const QByteArray &owner, ReaperTally &tally,
             QRandomGenerator &random)
{
    if (!actor.acquire(lock, owner)) {
        actor.breathe();
        return;
    }
    ++tally.acquisitions;
    const int what = random.bounded(4);
    if (what < 2) {
        for (int i = 0; i < kPatience && actor.isHeldBy(lock, owner); ++i)
            actor.breathe();
        tally.reaped += actor.release(lock, owner) ? 0 : 1;
        return;
    }
    breathe(actor, random.bounded(150));
    const QByteArray next = what == 2 ? owner : owner + "-heir";
    const bool lives = what == 2 ? actor.renew(lock, owner) : actor.takeOver(lock, owner, next);
    if (lives)
        live(actor, lock, next, what == 2 ? tally.renewed : tally.takenOver, tally, random);
    else
        ++tally.reaped;
}

void runActor(Actor &actor, int index, const ReaperRacePlan &plan, ReaperTally &tally,
              const std::atomic_bool &over)
{
    QRandomGenerator random(quint32(7919 * (index + 1)));
    for (quint64 n = 0; !over; ++n)
        oneLock(actor, "lock:" + QByteArray::number(random.bounded(plan.locks)),
                QByteArray::number(index) + 'a' + QByteArray::number(n).rightJustified(20, '0'), tally,
                random);
}

} // namespace

ReaperRaceResult runSqlReaperRace(const QString &socketPath, const QString &database,
                                  const ReaperRacePlan &plan)
{
    stores::SourceSpec spec;
    spec.name = QStringLiteral("race");
    spec.url = QUrl(QStringLiteral("mysql+unix://%1?db=%2&user=root").arg(socketPath, database));
    spec.pollMs = 1;
    stores::LockSet set;
    set.scheme = "sql.insert";
    set.table.table = QStringLiteral("race");
    set.table.name = {QStringLiteral("name")};
    set.table.holder = QStringLiteral("holder");
    set.table.acquiredAt = QStringLiteral("created_at");
    set.table.expiresAt = QStringLiteral("expires_at");
    set.reaper = {stores::ReaperMode::Expired, 0, std::numeric_limits<int>::max(), false};
    spec.locks = {set};
    return runReaperRace(
        spec,
        [=](int index, const ReaperRacePlan &p, ReaperTally &tally, const std::atomic_bool &over) {
            Actor actor(socketPath, database, index);
            runActor(actor, index, p, tally, over);
        },
        plan);
}

} // namespace lockkeeper::tests
