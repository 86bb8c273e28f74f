// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/journal/storage/event_store.h"
#include "agent/journal/write/opening.h"
#include "tests/agent/journal/journal_fixture.h"
#include "tests/support/test_program.h"

#include <QFileInfo>

namespace tst_journal_memory {

using namespace lockkeeper;
using namespace lockkeeper::agent::journal;
using namespace lockkeeper::tests;
using events::Kind;

/**
 * The writer's memory, which spares it queries to its file, and the work that it leaves to another thread.
 */
class JournalMemoryTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void locksByTheirNames();
    void locksBeyondTheLimit();
    void locksThatAreNotInTheIndexYet();
    void namesAreIndexedInTurns();
    void holdsBeyondTheLimit();
    void manyHoldsAreClosedAll();
    void theLogIsCopiedMeanwhile();
};

void JournalMemoryTest::locksByTheirNames()
{
    LockNumbers numbers;
    const domain::LockKey key{QStringLiteral("s"), "redis.token", "db0", "a"};
    numbers.insert(numbers.fingerprint(1, key), 7);
    QCOMPARE(numbers.find(numbers.fingerprint(1, key)), std::optional<qint64>(7));
    QVERIFY(!numbers.find(numbers.fingerprint(2, key)));
    for (const auto &[scheme, place, name] :
         {std::tuple{"redis.token", "db0", "b"}, std::tuple{"redis.token", "db1", "a"},
          std::tuple{"redis.json", "db0", "a"}, std::tuple{"redis.token", "db0a", ""},
          std::tuple{"redis.token", "db", "0a"}})
        QVERIFY(!numbers.find(numbers.fingerprint(1, {QStringLiteral("s"), scheme, place, name})));
    numbers.clear();
    QVERIFY(!numbers.find(numbers.fingerprint(1, key)));
}

void JournalMemoryTest::locksBeyondTheLimit()
{
    LockNumbers numbers;
    const auto key = [](size_t i) {
        return domain::LockKey{QStringLiteral("s"), "redis.token", "db0", QByteArray::number(qulonglong(i))};
    };
    const auto print = [&](size_t i) { return numbers.fingerprint(1, key(i)); };
    for (size_t i = 1; i <= LockNumbers::kMost; ++i)
        numbers.insert(print(i), qint64(i));
    for (size_t i = 1; i <= LockNumbers::kMost; ++i)
        QCOMPARE(numbers.find(print(i)), std::optional<qint64>(qint64(i)));
    numbers.insert(print(0), 99);
    QVERIFY(!numbers.find(print(1)));
    QCOMPARE(numbers.find(print(0)), std::optional<qint64>(99));
}

/** New locks come into the index of names later: a question by name finds them all the same, once. */
void JournalMemoryTest::locksThatAreNotInTheIndexYet()
{
    JournalFixture f;
    QVERIFY(f.open());
    f.commit({lockEvent(EventKind::Acquired, "a", "w", 100), lockEvent(EventKind::Acquired, "b", "w", 101)});
    protocol::HistoryQuery query;
    query.lockGlob = "b";
    QCOMPARE(f.history(query).events.size(), 1);
    QVERIFY(f.open());
    QCOMPARE(f.history(query).events.size(), 1);
    f.commit({lockEvent(EventKind::Released, "b", "w", 200), lockEvent(EventKind::Acquired, "c", "w", 201)});
    QCOMPARE(f.history(query).events.size(), 2);
    query.lockGlob = "c";
    QCOMPARE(f.history(query).events.size(), 1);
    f.close();
    QCOMPARE(f.sql(QStringLiteral("SELECT count(*) FROM locks")).toInt(), 3);
    QVERIFY(f.open());
    f.close();
    QCOMPARE(
        f.sql(QStringLiteral("SELECT count(*) FROM lock_names JOIN locks USING(lock_id, name_hash)")).toInt(),
        3);
    f.sql(QStringLiteral("DELETE FROM locks WHERE lock_id = 2"));
    QCOMPARE(
        f.sql(QStringLiteral("SELECT group_concat(lock_id) FROM (SELECT lock_id FROM lock_names ORDER BY 1)"))
            .toString(),
        QStringLiteral("1,3"));
    // A query by name asks only this index: it never reads a million locks for one name.
    f.sql(QStringLiteral("DELETE FROM lock_names WHERE lock_id = 3"));
    QVERIFY(f.open());
    QCOMPARE(f.history(query).events.size(), 0);
}

/** Whatever the writer has forgotten, no lock gets a second number. */
void JournalMemoryTest::namesAreIndexedInTurns()
{
    QTemporaryDir folder;
    SqliteConnection connection;
    QString setAside;
    QVERIFY(openDatabase(connection, folder.filePath(QStringLiteral("journal.db")), 0, &setAside));
    quint64 seq = 0;
    const auto file = [&](EventStore &store, EventKind kind, int locks) {
        RenewalNotes notes;
        QList<events::LockEvent> events;
        for (int i = 0; i < locks; ++i) {
            events += lockEvent(kind, "k" + QByteArray::number(i * 11 % locks), "w", qint64(seq));
            events.last().seq = ++seq;
        }
        return connection.begin() && store.write(events, notes) && store.writeProgress({}) &&
               connection.commit();
    };
    const auto count = [&](const char *table) {
        return connection.scalar(QStringLiteral("SELECT count(*) FROM ") + QLatin1String(table))
            .value()
            .toInt();
    };
    EventStore store(connection, 10);
    QVERIFY(store.reload() && file(store, Kind::Acquired, 25));
    QCOMPARE(count("locks"), 25);
    QCOMPARE(count("lock_names"), 21); // when the eleventh came, and the twenty-first
    QVERIFY(file(store, Kind::Released, 25) && file(store, Kind::Acquired, 25));
    QCOMPARE(count("locks"), 25);
    QVERIFY(store.forgetLocks() && file(store, Kind::Released, 30));
    QCOMPARE(count("locks"), 30);
    EventStore next(connection, 10); // as after a restart
    QVERIFY(next.reload());
    QCOMPARE(count("lock_names"), 30);
    QVERIFY(file(next, Kind::Acquired, 30));
    QCOMPARE(count("locks"), 30);
    // A transaction that is rolled back takes the names with it.
    QVERIFY(connection.begin());
    RenewalNotes notes;
    events::LockEvent event = lockEvent(EventKind::Acquired, "late", "w", 1);
    event.seq = ++seq;
    QVERIFY(next.write({event}, notes) && next.nameLocks());
    connection.rollback();
    QVERIFY(next.reload());
    --seq;
    QVERIFY(file(next, Kind::Released, 35) && next.nameLocks());
    QCOMPARE(count("locks"), 35);
    QCOMPARE(count("lock_names"), 35);
}

/** The file answers for the holds that the writer doesn't remember. */
void JournalMemoryTest::holdsBeyondTheLimit()
{
    JournalFixture f;
    QVERIFY(f.open());
    QList<events::LockEvent> many;
    for (int i = 0; i < 50; ++i)
        many += lockEvent(EventKind::Acquired, "k" + QByteArray::number(i), "w", 100 + i);
    many += lockEvent(EventKind::Released, "k7", "w", 900);
    f.commit(many);
    f.close();
    SqliteConnection connection;
    QVERIFY(connection.open(f.path(), Connection::Mode::Write));
    OpenHolds few(connection, 10);
    OpenHolds all(connection);
    QVERIFY(few.reload() && all.reload());
    for (int round = 0; round < 2; ++round) {
        for (qint64 lock = 1; lock <= 50; ++lock) {
            std::optional<OpenHold> one;
            std::optional<OpenHold> other;
            QVERIFY(few.find(lock, one) && all.find(lock, other));
            QCOMPARE(one.has_value(), lock != 8);
            QCOMPARE(one.has_value(), other.has_value());
            if (one) {
                QCOMPARE(one->id, other->id);
                QCOMPARE(one->fromUs, 99 + lock);
            }
        }
    }
}

/** More holds than are remembered: each gets its end. */
void JournalMemoryTest::manyHoldsAreClosedAll()
{
    QTemporaryDir folder;
    SqliteConnection connection;
    QString setAside;
    QVERIFY(openDatabase(connection, folder.filePath(QStringLiteral("journal.db")), 0, &setAside));
    constexpr int kRemembered = 100;
    constexpr int kHolds = 3'000;
    EventStore store(connection, kRemembered, kRemembered);
    QVERIFY(store.reload());
    quint64 seq = 0;
    for (const auto &[kind, timeUs] :
         {std::pair{EventKind::Acquired, 100}, std::pair{EventKind::Released, 200}}) {
        QList<events::LockEvent> many;
        for (int i = 0; i < kHolds; ++i) {
            many += lockEvent(kind, "k" + QByteArray::number(i), "w", timeUs);
            many.last().seq = ++seq;
        }
        RenewalNotes notes;
        QVERIFY(connection.begin() && store.write(many, notes) && store.writeProgress({}) &&
                connection.commit());
    }
    const auto count = [&](const char *what) {
        return connection.scalar(QStringLiteral("SELECT count(*) FROM ") + QLatin1String(what))
            .value()
            .toInt();
    };
    QCOMPARE(count("locks"), kHolds);
    QCOMPARE(count("holds"), kHolds);
    QCOMPARE(count("holds WHERE to_us = 200 AND end = 1"), kHolds);
}

void JournalMemoryTest::theLogIsCopiedMeanwhile()
{
    JournalFixture f;
    QVERIFY(f.open());
    QList<events::LockEvent> many;
    for (int i = 0; i < 5'000; ++i)
        many += lockEvent(i % 2 ? EventKind::Released : EventKind::Acquired,
                          "k" + QByteArray::number(i / 2 % 500), "w", i);
    for (int round = 0; round < 10; ++round)
        f.journal->append(many);
    QTRY_COMPARE_WITH_TIMEOUT(f.journal->queuedEvents(), 0, 60'000);
    // Nobody has closed it or waited: it is another thread that has filled the database.
    QTRY_VERIFY_WITH_TIMEOUT(QFileInfo(f.path()).size() > 1'000'000, 120'000);
    QVERIFY(QFileInfo(f.path() + QLatin1String("-wal")).size() < 300'000'000);
}

LOCKKEEPER_TEST(JournalMemoryTest)

} // namespace tst_journal_memory

#include "tst_journal_memory.moc"
