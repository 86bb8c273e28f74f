// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/release/will_run.h"
#include "shared/stores/sql/tables/row_identity.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_will_run {

using namespace lockkeeper;
using namespace lockkeeper::agent::release;
using stores::LockSet;

namespace {

constexpr qint64 kDeadlineUs = 1'795'862'702'000'000; // 2026-11-28 10:45:02 UTC

LockReading held(const QByteArray &scheme, const char *place, const char *name, const char *owner)
{
    LockReading reading;
    reading.state.key = {QStringLiteral("s"), scheme, place, name};
    reading.state.owner = owner;
    reading.state.expiry = domain::ExpiryKind::At;
    reading.state.expiresUs = kDeadlineUs;
    return reading;
}

LockSet setOf(const QByteArray &scheme, const QByteArray &preset = {})
{
    LockSet set;
    set.scheme = scheme;
    set.preset = QString::fromLatin1(preset);
    return set;
}

} // namespace

/** The line that shows the command of a release: real, short, harmless, and in no language of people. */
class WillRunTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void isOneHarmlessLine();
    void saysWhenTheDeadlineCounts();
    void namesTheRowsOwnColumns();
    void namesNoColumnThatIsntThere();
    void namesOneBranch_data();
    void namesOneBranch();
};

void WillRunTest::isOneHarmlessLine()
{
    for (const char *scheme :
         {"redis.token", "redis.json", "redis.redisson", "redis.semaphore", "redis.redlock", "etcd.lease",
          "zookeeper.sequence", "mongodb.ttl", "sql.row", "sql.advisory"}) {
        LockReading reading = held(scheme, "db0", "lock:\n\x1b[31m'x", "");
        reading.state.owner = QByteArray(5'000, 'o');
        reading.state.token = reading.state.owner;
        reading.state.session.emplace().id = "17\n; DROP TABLE t";
        for (const char *store : {"mysql", "postgresql"}) {
            const QString text = willRun(reading, setOf(scheme), store);
            QVERIFY2(!text.contains(QLatin1Char('\n')) && !text.contains(QChar(0x1b)), scheme);
            QVERIFY2(!text.isEmpty() && text.size() < 1'000, scheme);
            for (const char *word : {" the ", " and ", " if ", " its "}) // it reads the same in each language
                QVERIFY2(!text.contains(QLatin1String(word)), qPrintable(text));
            if (reading.state.key.scheme == "sql.row")
                QVERIFY(text.startsWith(QLatin1String(store) == QLatin1String("mysql")
                                            ? QStringLiteral("KILL CONNECTION '17")
                                            : QStringLiteral("pg_terminate_backend('17")));
        }
    }
}

/** Where the next acquisition may carry the same value, the deadline is compared for every reason. */
void WillRunTest::saysWhenTheDeadlineCounts()
{
    for (const char *scheme : {"redis.token", "redis.json", "redis.redisson"}) {
        LockReading reading = held(scheme, "db0", "lock:a", "true");
        for (const bool pinned : {false, true}) {
            reading.state.pinsDeadline = pinned;
            const QString text = willRun(reading, setOf(scheme));
            QVERIFY2(text.contains(QStringLiteral("PEXPIRETIME 'lock:a' = 2026-11-28 10:45:02.000 UTC")),
                     qPrintable(text));
            QCOMPARE(text.contains(QStringLiteral("because = operator OR ")), !pinned);
        }
    }
}

void WillRunTest::namesTheRowsOwnColumns()
{
    LockReading reading = held("sql.shedlock", "app.shedlock", "report", "w1");
    reading.guard.identity =
        stores::sql::encodedValues({{"holder", "w1"}, {"acquired_at", "2026-11-28 10:40:00"}});
    reading.guard.freshness = stores::sql::encodedValues(
        {{"acquired_at", "2026-11-28 10:40:00"}, {"expires_at", "2026-11-28 10:45:02"}});
    QCOMPARE(
        willRun(reading, setOf("sql.shedlock")),
        QStringLiteral("UPDATE app.shedlock SET lock_until = CURRENT_TIMESTAMP WHERE name = 'report' AND "
                       "locked_by = 'w1' AND locked_at = '2026-11-28 10:40:00' AND lock_until = '2026-11-28 "
                       "10:45:02'"));
    LockSet mapped = setOf("sql.lease");
    mapped.table.table = QStringLiteral("jobs");
    mapped.table.name = {QStringLiteral("tenant"), QStringLiteral("job")};
    mapped.table.holder = QStringLiteral("worker");
    mapped.table.expiresAt = QStringLiteral("until");
    reading.state.key = {QStringLiteral("s"), "sql.lease", "app.jobs", "t1/nightly"};
    reading.guard.identity = stores::sql::encodedValues({{"holder", "w1"}});
    reading.guard.freshness = stores::sql::encodedValues({{"expires_at", "1795862702"}});
    const auto willWrite = [&](const QByteArray &holder, const QByteArray &until) {
        reading.freeTexts = {{"holder", holder}, {"expires_at", until}};
        return willRun(reading, mapped);
    };
    const QString where =
        QStringLiteral(" WHERE tenant = 't1' AND job = 'nightly' AND worker = 'w1' AND until = '1795862702'");
    QCOMPARE(willWrite({}, {}), QStringLiteral("UPDATE app.jobs SET worker = NULL, until = NULL") + where);
    QCOMPARE(willWrite("", "0"), QStringLiteral("UPDATE app.jobs SET worker = '', until = '0'") + where);
}

/** If the table lacks the column of the name, or an optional column, the line lacks it too. */
void WillRunTest::namesNoColumnThatIsntThere()
{
    LockSet flag = setOf("sql.lease", "knex");
    LockReading reading = held("sql.lease", "app.knex_migrations_lock", "knex_migrations_lock", "");
    QVERIFY(!willRun(reading, flag).contains(QStringLiteral("name")));
    QVERIFY2(willRun(reading, flag).contains(QStringLiteral("is_locked = '1'")),
             qPrintable(willRun(reading, flag)));
    LockSet rows = setOf("sql.insert");
    rows.table.table = QStringLiteral("t_lock");
    rows.table.name = {QStringLiteral("lock_key")};
    reading.state.key = {QStringLiteral("s"), "sql.insert", "app.t_lock", "a"};
    QCOMPARE(willRun(reading, rows), QStringLiteral("DELETE FROM app.t_lock WHERE lock_key = 'a'"));
}

void WillRunTest::namesOneBranch_data()
{
    QTest::addColumn<QByteArray>("scheme");
    QTest::addColumn<QByteArray>("preset");
    QTest::addColumn<int>("permits");
    QTest::addColumn<QString>("has");
    QTest::addColumn<QStringList>("lacks");
    const auto row = [](const char *name, const char *scheme, const char *preset, stores::Permits permits,
                        const char *has, const QStringList &lacks) {
        QTest::newRow(name) << QByteArray(scheme) << QByteArray(preset) << int(permits)
                            << QString::fromLatin1(has) << lacks;
    };
    const QString del = QStringLiteral("HDEL");
    const QString rem = QStringLiteral("ZREM");
    const QString push = QStringLiteral("LPUSH");
    const QString count = QStringLiteral("INCR");
    using stores::Permits;
    row("permits", "redis.semaphore", "", Permits::RedisSemaphore, "ZREM 'lock:a' 'w1'", {del, push, count});
    row("permits of Redisson", "redis.semaphore", "", Permits::Redisson, "INCR", {del, push});
    row("jobs of sidekiq", "redis.semaphore", "", Permits::Sidekiq, "HDEL 'lock:a' 'w1'; LPUSH",
        {rem, count});
    row("tasks of huey", "redis.semaphore", "", Permits::Huey, "HDEL", {rem, push, count});
    row("a document", "mongodb.ttl", "", Permits::RedisSemaphore, "deleteOne", {QStringLiteral("$set")});
    row("ShedLock's document", "mongodb.ttl", "mongodb-shedlock", Permits::RedisSemaphore,
        "{$set: {lockUntil: \"$$NOW\"}}", {QStringLiteral("deleteOne")});
}

void WillRunTest::namesOneBranch()
{
    QFETCH(const QByteArray, scheme);
    QFETCH(const QByteArray, preset);
    QFETCH(const int, permits);
    QFETCH(const QString, has);
    QFETCH(const QStringList, lacks);
    LockSet set = setOf(scheme, preset);
    set.keys.permits = stores::Permits(permits);
    if (preset.isEmpty())
        set.table.table = QStringLiteral("locks");
    const QString text = willRun(held(scheme, "db0/w1", "lock:a", "w1"), set);
    QVERIFY2(text.contains(has), qPrintable(text));
    for (const QString &other : lacks)
        QVERIFY2(!text.contains(other), qPrintable(text));
}

LOCKKEEPER_TEST(WillRunTest)

} // namespace tst_will_run

#include "tst_will_run.moc"
