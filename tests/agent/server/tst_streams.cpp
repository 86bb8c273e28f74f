// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/agent/server/agent_world.h"
#include "tests/support/test_program.h"

#include <QSqlDatabase>
#include <QSqlQuery>
#include <QTest>
#include <QTimer>

namespace tst_streams {

using namespace lockkeeper;
using namespace lockkeeper::tests;
using events::EventKind;

namespace {

/** Owners by lock: the part that must be equal, whenever each lock was last read. */
QMap<QByteArray, QByteArray> owners(const QHash<domain::LockKey, domain::LockState> &locks)
{
    QMap<QByteArray, QByteArray> out;
    for (const domain::LockState &state : locks) {
        if (state.isHeld())
            out.insert(state.key.name, state.owner + ' ' + QByteArray::number(state.expiresUs.value_or(0)));
    }
    return out;
}

} // namespace

/** Subscriptions to a whole agent in this process, over a store in memory. */
class TestStreams : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void snapshotsUnderChurnEqualTheTable();
    void resumesWithoutHoleOrDouble();
    void resumedTableKnowsOfRenewals();
    void resumedTableEqualsTheAgents();
    void resumedStreamTellsEachEventOnce_data();
    void resumedStreamTellsEachEventOnce();
    void startsAfreshWhereNumbersMeanNothing_data();
    void startsAfreshWhereNumbersMeanNothing();
    void damageIsNoStandstill();
    void slowSessionIsBoundedAndLosesNothing_data();
    void slowSessionIsBoundedAndLosesNothing();
    void askingOnWithoutReadingEndsTheSession();
    void renewalsOnlyForThoseWhoAsked();
};

void TestStreams::snapshotsUnderChurnEqualTheTable()
{
    AgentWorld world;
    QVERIFY(world.start());
    world.churn(4'000, 2'000);
    std::vector<std::unique_ptr<TestClient>> clients;
    for (int round = 0; round < 30; ++round) {
        if (round % 5 == 0) {
            clients.push_back(std::make_unique<TestClient>());
            QVERIFY(clients.back()->open(world.socket()));
            clients.back()->subscribe(std::nullopt);
        }
        QTRY_VERIFY(clients.front()->tableWhole);
        const qsizetype before = clients.front()->events.size();
        world.churn(200, 2'000);
        QTRY_VERIFY(clients.front()->events.size() > before);
    }
    // The agent's present table, once every client has everything.
    QVERIFY(clients.front()->ask<protocol::Done>(protocol::ReadNow{}));
    const auto truth = clients.front()->list();
    QVERIFY(truth && truth->size() == world.store->count());
    for (const auto &client : clients) {
        QTRY_COMPARE(owners(client->table.locks), owners(*truth));
        QCOMPARE(client->faults, QStringList());
        QCOMPARE(client->fresh, 1);
        QVERIFY(client->tableWhole);
    }
}

void TestStreams::resumesWithoutHoleOrDouble()
{
    AgentWorld world;
    TestClient client;
    QVERIFY(world.startWatchedBy(client));
    for (int round = 0; round < 8; ++round) {
        world.churn(400, 300);
        const quint64 seen = client.table.seq;
        QTRY_VERIFY(client.table.seq > seen + 50);
        client.close();
        QTRY_VERIFY(client.end);
        world.churn(400, 300);
        QVERIFY(client.open(world.socket()));
        client.subscribe(client.table.seq, false);
    }
    QVERIFY(client.ask<protocol::Done>(protocol::ReadNow{}));
    const auto status = client.ask<protocol::Status>(protocol::StatusQuery{});
    QVERIFY(status);
    QTRY_COMPARE(client.table.seq, status->lastSeq);
    QCOMPARE(client.fresh, 0);
    QCOMPARE(client.faults, QStringList());
    QCOMPARE(quint64(client.events.size()), status->lastSeq); // from 1 on, each once
}

void TestStreams::resumedTableKnowsOfRenewals()
{
    AgentWorld world;
    QVERIFY(world.start());
    world.store->hold("lock:a", "alice", 60'000'000);
    TestClient client;
    QVERIFY(client.open(world.socket()));
    client.subscribe(std::nullopt);
    QTRY_VERIFY(client.table.locks.contains(world.key("lock:a")));
    client.close();
    QTRY_VERIFY(client.end);
    world.store->renew("lock:a", 90'000'000);
    const qint64 deadline = world.clock.wallUs() + 80'000'000;
    TestClient other; // until the agent has seen it
    QVERIFY(other.open(world.socket()));
    other.subscribe(std::nullopt);
    const auto deadlineOf = [&world](const TestClient &c) {
        return c.table.locks.value(world.key("lock:a")).expiresUs.value_or(0);
    };
    QTRY_VERIFY(deadlineOf(other) > deadline);
    QVERIFY(client.open(world.socket()));
    client.subscribe(client.table.seq, true);
    QTRY_VERIFY(deadlineOf(client) > deadline);
    QCOMPARE(client.fresh, 2); // resumed with its events, and then the current table
    QCOMPARE(client.faults, QStringList());
}

/** At every position of a cut: locks that left the table, with or without an event, have left it here. */
void TestStreams::resumedTableEqualsTheAgents()
{
    AgentWorld world;
    QVERIFY(world.start());
    world.store->keepExpired();
    TestClient client;
    QVERIFY(client.open(world.socket()));
    client.subscribe(std::nullopt);
    TestClient other; // until the agent has seen it
    QVERIFY(other.open(world.socket()));
    const auto phases = [](const QHash<domain::LockKey, domain::LockState> &locks) {
        QMap<QByteArray, QByteArray> out;
        for (const domain::LockState &state : locks)
            out.insert(state.key.name, QByteArray::number(int(state.phase)) + ' ' + state.owner);
        return out;
    };
    auto *random = QRandomGenerator::global();
    for (int round = 0; round < 12; ++round) {
        const QByteArray permit = "permit:" + QByteArray::number(round);
        world.store->hold(permit, "gone", 100'000);
        world.churn(100, 80);
        const auto expired = [&] {
            const auto it = client.table.locks.constFind(world.key(permit));
            return it != client.table.locks.cend() && it->phase == domain::Phase::Expired;
        };
        QTRY_VERIFY(client.tableWhole && expired());
        if (random->bounded(2) == 0)
            world.churn(random->bounded(200), 80); // some of it is on its way when the link breaks
        client.close();
        QTRY_VERIFY(client.end);
        world.store->drop(permit);
        world.churn(random->bounded(200), 80);
        QVERIFY(other.ask<protocol::Done>(protocol::ReadNow{}));
        QVERIFY(client.open(world.socket()));
        client.subscribe(client.table.seq, true);
        QVERIFY(other.ask<protocol::Done>(protocol::ReadNow{}));
        const auto truth = other.list();
        QVERIFY(truth);
        QTRY_COMPARE(phases(client.table.locks), phases(*truth));
        QTRY_VERIFY(client.tableWhole);
        QCOMPARE(phases(client.table.locks), phases(*truth));
        QCOMPARE(client.faults, QStringList());
    }
}

void TestStreams::resumedStreamTellsEachEventOnce_data()
{
    QTest::addColumn<int>("locks");
    QTest::newRow("a small table") << 100;
    QTest::newRow("a table that is copied in many slices") << 3'000;
}

/**
 * Events published between the end of the replay and the table, and the event with the table's own number.
 */
void TestStreams::resumedStreamTellsEachEventOnce()
{
    QFETCH(int, locks);
    AgentWorld world;
    QVERIFY(world.start());
    for (int i = 0; i < locks; ++i)
        world.store->hold("permit:" + QByteArray::number(i), "alice");
    TestClient client;
    QVERIFY(client.open(world.socket()));
    client.subscribe(std::nullopt);
    QTRY_VERIFY(client.tableWhole && client.table.locks.size() >= locks);
    QTimer churn;
    connect(&churn, &QTimer::timeout, this, [&world] { world.churn(20, 80); });
    churn.start(1);
    for (int round = 1; round <= 12; ++round) {
        client.close();
        QTRY_VERIFY(client.end);
        QVERIFY(client.open(world.socket()));
        client.subscribe(client.table.seq, true);
        QTRY_VERIFY(client.fresh > round && client.tableWhole);
        const quint64 seen = client.table.seq;
        QTRY_VERIFY(client.table.seq > seen);
    }
    QCOMPARE(client.faults, QStringList());
    for (qsizetype i = 1; i < client.events.size(); ++i)
        QCOMPARE(client.events.at(i).seq, client.events.at(i - 1).seq + 1);
}

void TestStreams::startsAfreshWhereNumbersMeanNothing_data()
{
    QTest::addColumn<quint64>("since");
    QTest::addColumn<QByteArray>("journal");
    QTest::addColumn<bool>("snapshot");
    QTest::addColumn<bool>("fresh");
    QTest::newRow("from the beginning") << quint64(0) << QByteArray() << false << false;
    QTest::newRow("from the beginning, with a table") << quint64(0) << QByteArray() << true << false;
    QTest::newRow("a number to come") << quint64(1'000'000) << QByteArray() << true << true;
    QTest::newRow("a number to come, events only") << quint64(1'000'000) << QByteArray() << false << true;
    QTest::newRow("another journal") << quint64(1) << QByteArray("other") << true << true;
    QTest::newRow("another journal, events only") << quint64(1) << QByteArray("other") << false << true;
}

void TestStreams::startsAfreshWhereNumbersMeanNothing()
{
    QFETCH(quint64, since);
    QFETCH(QByteArray, journal);
    QFETCH(bool, snapshot);
    QFETCH(bool, fresh);
    AgentWorld world;
    QVERIFY(world.start());
    world.store->hold("lock:a", "alice");
    RawClient raw;
    QVERIFY(raw.open(world.socket()));
    raw.send(protocol::Hello{});
    QList<protocol::Message> got;
    QTRY_VERIFY(raw.read(got) && !got.isEmpty());
    const auto journalId = std::get<protocol::Welcome>(got.takeFirst()).journal;
    raw.send(protocol::Subscribe{5, since, journal, snapshot, false});
    const auto find = [&got]<typename T>(T *) -> const T * {
        for (const protocol::Message &message : got) {
            if (const T *one = std::get_if<T>(&message))
                return one;
        }
        return nullptr;
    };
    QTRY_VERIFY(raw.read(got) && find(static_cast<protocol::Subscribed *>(nullptr)));
    const auto *answer = find(static_cast<protocol::Subscribed *>(nullptr));
    QCOMPARE(answer->fresh, fresh);
    QCOMPARE(answer->journal, journalId);
    QCOMPARE(answer->id, 5);
    if (fresh && snapshot)
        QTRY_VERIFY(raw.read(got) && find(static_cast<protocol::SnapshotPage *>(nullptr)));
    if (!snapshot) {
        QCOMPARE(answer->fromSeq, 0); // all that the journal has
        QTRY_VERIFY(raw.read(got) && find(static_cast<protocol::EventBatch *>(nullptr)));
        QVERIFY(!find(static_cast<protocol::SnapshotPage *>(nullptr)));
        QCOMPARE(find(static_cast<protocol::EventBatch *>(nullptr))->events.constFirst().seq, 1);
    }
}

/** The replay doesn't wait for ever for an event that can't be read. */
void TestStreams::damageIsNoStandstill()
{
    AgentWorld world;
    TestClient client;
    QVERIFY(world.startHolding("lock:a", client));
    QVERIFY(client.ask<protocol::EventPage>(protocol::HistoryQuery{})); // it is in the file then
    {
        QSqlDatabase file = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), QStringLiteral("damage"));
        file.setDatabaseName(world.config.journalPath);
        QVERIFY(file.open());
        QSqlQuery query(file);
        QVERIFY(query.exec(QStringLiteral("UPDATE events SET t_us = t_us + 1 WHERE kind = 0")));
        QCOMPARE(query.numRowsAffected(), 1);
    }
    QSqlDatabase::removeDatabase(QStringLiteral("damage"));
    const auto failed =
        client.ask<protocol::Failed>(protocol::Subscribe{0, 0, client.welcome.journal, false, false}, 20'000);
    QVERIFY(failed);
    QCOMPARE(failed->error.code, base::ErrorCode::Corrupt);
    TestClient console;
    QVERIFY(console.open(world.socket()));
    console.subscribe(0);
    QTRY_VERIFY_WITH_TIMEOUT(console.fresh == 1 && console.tableWhole, 20'000);
    QCOMPARE(console.table.locks.size(), 1);
}

void TestStreams::slowSessionIsBoundedAndLosesNothing_data()
{
    QTest::addColumn<bool>("snapshot");
    QTest::newRow("with a table: afresh") << true;
    QTest::newRow("events only: from the journal") << false;
}

void TestStreams::slowSessionIsBoundedAndLosesNothing()
{
    QFETCH(bool, snapshot);
    AgentWorld world;
    QVERIFY(world.start());
    RawClient slow;
    QVERIFY(slow.open(world.socket()));
    slow.send(protocol::Hello{});
    QList<protocol::Message> got;
    QTRY_VERIFY(slow.read(got) && !got.isEmpty());
    slow.send(
        protocol::Subscribe{5, snapshot ? std::nullopt : std::optional<quint64>(0), {}, snapshot, false});
    slow.socket.setReadBufferSize(4'096); // takes nothing more
    QTimer heartbeat;                     // it is slow, but connected
    connect(&heartbeat, &QTimer::timeout, this, [&slow] { slow.send(protocol::Pong{}); });
    heartbeat.start(1'000);

    TestClient quick;
    QVERIFY(world.watchedBy(quick));
    // About 24 MiB of events: six times what a session may keep.
    for (int round = 0; round < 10; ++round) {
        for (int i = 0; i < 300; ++i) {
            const QByteArray name = "lock:" + QByteArray::number(i);
            world.store->hold(name, QByteArray(2'000, char('a' + round)) + QByteArray::number(round));
        }
        const quint64 seen = quick.table.seq;
        QTRY_VERIFY_WITH_TIMEOUT(quick.table.seq >= seen + 300, 60'000);
        QVERIFY2(world.agent->waitingBytes() < 8 * 1024 * 1024,
                 qPrintable(QString::number(world.agent->waitingBytes())));
    }
    QCOMPARE(quick.faults, QStringList());

    // It reads on. Every number once and in order, or a fresh start whose end is the same table.
    events::AppliedLocks table;
    int fresh = 0;
    bool whole = true; // false: a snapshot is on its way
    quint64 expected = 0;
    const auto takeAll = [&] {
        if (!slow.read(got))
            return false;
        for (const protocol::Message &message : std::exchange(got, {})) {
            if (const auto *start = std::get_if<protocol::Subscribed>(&message)) {
                fresh += start->fresh;
                whole = !(start->fresh && snapshot);
                table = {start->fromSeq, {}};
            } else if (const auto *page = std::get_if<protocol::SnapshotPage>(&message)) {
                for (const domain::LockState &state : page->locks)
                    table.locks.insert(state.key, state);
                whole = page->last;
            } else if (const auto *batch = std::get_if<protocol::EventBatch>(&message)) {
                for (const events::LockEvent &event : batch->events) {
                    if (events::apply(event, table) == events::Applied::Gap)
                        return false;
                    ++expected;
                }
            }
        }
        return true;
    };
    QTRY_VERIFY_WITH_TIMEOUT(takeAll() && whole && table.seq == quick.table.seq, 60'000);
    if (snapshot) {
        QVERIFY(fresh >= 1);
        const auto truth = quick.list();
        QVERIFY(truth);
        QCOMPARE(owners(table.locks), owners(*truth));
    } else {
        QCOMPARE(fresh, 0);
        QCOMPARE(expected, quick.table.seq);
    }
}

void TestStreams::askingOnWithoutReadingEndsTheSession()
{
    AgentWorld world;
    QVERIFY(world.start());
    RawClient raw;
    QVERIFY(raw.open(world.socket()));
    raw.send(protocol::Hello{});
    QList<protocol::Message> got;
    QTRY_VERIFY(raw.read(got) && !got.isEmpty());
    raw.socket.setReadBufferSize(4'096); // takes nothing more
    const QByteArray one =
        protocol::frame(protocol::encode(protocol::Subscribe{5, std::nullopt, {}, false, false}));
    raw.socket.write(one.repeated(600'000));
    QTRY_VERIFY_WITH_TIMEOUT(world.agent->waitingBytes() > 6 * 1024 * 1024, 60'000);
    const auto hasEnded = [&] {
        raw.socket.setReadBufferSize(0);
        raw.socket.readAll();
        return raw.socket.state() == QLocalSocket::UnconnectedState;
    };
    // Sooner than for its silence after all that it had to ask.
    QTRY_VERIFY_WITH_TIMEOUT(hasEnded(), 14'000);
}

void TestStreams::renewalsOnlyForThoseWhoAsked()
{
    AgentWorld world;
    QVERIFY(world.start());
    world.store->hold("lock:a", "alice", 60'000'000);
    TestClient with;
    TestClient without;
    QVERIFY(with.open(world.socket()) && without.open(world.socket()));
    with.subscribe(0, false, true);
    without.subscribe(std::nullopt);
    QTRY_VERIFY(!with.events.isEmpty() && without.table.locks.contains(world.key("lock:a")));
    world.store->renew("lock:a", 90'000'000);
    const qint64 deadline = world.clock.wallUs() + 80'000'000;
    QTRY_VERIFY(!with.renewals.isEmpty());
    QCOMPARE(with.renewals.constFirst().kind, EventKind::Renewed);
    QTRY_VERIFY(without.table.locks.value(world.key("lock:a")).expiresUs.value_or(0) > deadline);
    QVERIFY(without.renewals.isEmpty());
    QVERIFY(with.table.seq == without.table.seq); // a renewal has no number
}

LOCKKEEPER_TEST(TestStreams)

} // namespace tst_streams

#include "tst_streams.moc"
