// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/application/agent.h"
#include "tests/support/fake_store.h"
#include "tests/support/test_client.h"

#include <QLocalSocket>
#include <QRandomGenerator>
#include <QTemporaryDir>
#include <QTest>

using namespace lockkeeper;
using namespace lockkeeper::tests;
using agent::application::Agent;
using events::Kind;

namespace {

/** A whole agent in this process, over a store in memory. */
struct World
{
    QTemporaryDir folder;
    base::SystemClock clock;
    agent::config::Config config;
    FakeStore *store = nullptr; ///< of the last source that was made
    std::unique_ptr<Agent> agent;

    World()
    {
        config.name = QStringLiteral("test");
        config.dataDir = folder.filePath(QStringLiteral("data"));
        config.journalPath = config.dataDir + QStringLiteral("/journal.db");
        config.listen = {QStringLiteral("local:agent.sock")};
        stores::SourceSpec spec;
        spec.name = QStringLiteral("memory");
        spec.url = QUrl(QStringLiteral("redis://127.0.0.1:1/0"));
        spec.pollMs = 20;
        stores::LockSet set;
        set.scheme = "redis.token";
        spec.locks.append(set);
        config.sources.append(spec);
    }
    QString socket() const { return config.dataDir + QStringLiteral("/agent.sock"); }
    bool start()
    {
        agent.reset();
        agent = std::make_unique<Agent>(config, clock, [this](const stores::SourceSpec &spec) {
            auto made = std::make_unique<FakeStore>(spec, clock);
            store = made.get();
            return base::Result<std::unique_ptr<stores::Store>>(std::move(made));
        });
        const auto started = agent->start();
        if (!started)
            qWarning("%s", qPrintable(started.error().line()));
        return started.has_value();
    }
    domain::LockKey key(const QByteArray &name) const
    {
        return {QStringLiteral("memory"), "redis.token", "db0", name};
    }
    /** Some locks are taken, some renewed, some dropped. */
    void churn(int changes, int names)
    {
        auto *random = QRandomGenerator::global();
        for (int i = 0; i < changes; ++i) {
            const QByteArray name = "lock:" + QByteArray::number(random->bounded(names));
            switch (random->bounded(4)) {
            case 0:
                store->drop(name);
                break;
            case 1:
                store->renew(name, 60'000'000);
                break;
            default:
                store->hold(name, "owner-" + QByteArray::number(random->generate()), 60'000'000);
            }
        }
    }
};

/** Owners by lock: what must be equal, whenever each was last looked at. */
QMap<QByteArray, QByteArray> owners(const QHash<domain::LockKey, domain::LockState> &locks)
{
    QMap<QByteArray, QByteArray> out;
    for (const domain::LockState &state : locks) {
        if (state.isHeld())
            out.insert(state.key.name, state.owner + ' ' + QByteArray::number(state.expiresUs.value_or(0)));
    }
    return out;
}

/** A client of bytes that reads only when told. */
class RawClient
{
public:
    bool open(const QString &path)
    {
        socket.setReadBufferSize(4'096);
        socket.connectToServer(path);
        return socket.waitForConnected(2'000);
    }
    void send(const protocol::Message &message) { socket.write(protocol::frame(protocol::encode(message))); }
    /** Takes the messages that have come; false on bytes that aren't one. */
    bool read(QList<protocol::Message> &out)
    {
        socket.setReadBufferSize(0);
        deframer.setLimit(protocol::kMaxFrame);
        deframer.feed(socket.readAll());
        for (;;) {
            auto next = deframer.next();
            if (!next)
                return false;
            if (!*next)
                return true;
            const auto message = protocol::decode(**next);
            if (!message)
                return false;
            if (const auto *ping = std::get_if<protocol::Ping>(&*message))
                send(protocol::Pong{ping->number, 0, 0});
            else if (!std::holds_alternative<protocol::Pong>(*message))
                out.append(*message);
        }
    }

    QLocalSocket socket;
    protocol::Deframer deframer{protocol::kMaxFrame};
};

} // namespace

class TestServer : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void snapshotsUnderChurnEqualTheTable();
    void resumesWithoutHoleOrDouble();
    void resumedTableKnowsOfRenewals();
    void startsAfreshWhereNumbersMeanNothing_data();
    void startsAfreshWhereNumbersMeanNothing();
    void slowSessionIsBoundedAndLosesNothing_data();
    void slowSessionIsBoundedAndLosesNothing();
    void firstMessages_data();
    void firstMessages();
    void renewalsOnlyForThoseWhoAsked();
    void readNowEndsAfterItsEvents();
    void queriesAreLimitedAndCancelled();
    void releaseEndToEnd();
    void linkLossIsNoRelease();
    void twoAgentsNeverShareAFolder();
    void shutDownSaysGoodbye();
};

void TestServer::snapshotsUnderChurnEqualTheTable()
{
    World world;
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
    // What the agent sees now, once everybody has everything.
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

void TestServer::resumesWithoutHoleOrDouble()
{
    World world;
    QVERIFY(world.start());
    TestClient client;
    QVERIFY(client.open(world.socket()));
    client.subscribe(0, false);
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

void TestServer::resumedTableKnowsOfRenewals()
{
    World world;
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
    QCOMPARE(client.fresh, 1); // resumed, not started afresh
    QCOMPARE(client.faults, QStringList());
}

void TestServer::startsAfreshWhereNumbersMeanNothing_data()
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

void TestServer::startsAfreshWhereNumbersMeanNothing()
{
    QFETCH(quint64, since);
    QFETCH(QByteArray, journal);
    QFETCH(bool, snapshot);
    QFETCH(bool, fresh);
    World world;
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

void TestServer::slowSessionIsBoundedAndLosesNothing_data()
{
    QTest::addColumn<bool>("snapshot");
    QTest::newRow("with a table: afresh") << true;
    QTest::newRow("events only: from the journal") << false;
}

void TestServer::slowSessionIsBoundedAndLosesNothing()
{
    QFETCH(bool, snapshot);
    World world;
    QVERIFY(world.start());
    RawClient slow;
    QVERIFY(slow.open(world.socket()));
    slow.send(protocol::Hello{});
    QList<protocol::Message> got;
    QTRY_VERIFY(slow.read(got) && !got.isEmpty());
    slow.send(
        protocol::Subscribe{5, snapshot ? std::nullopt : std::optional<quint64>(0), {}, snapshot, false});
    slow.socket.setReadBufferSize(4'096); // takes nothing more

    TestClient quick;
    QVERIFY(quick.open(world.socket()));
    quick.subscribe(0, false);
    // About 24 MiB of events: six times what a session may keep.
    for (int round = 0; round < 10; ++round) {
        for (int i = 0; i < 300; ++i) {
            const QByteArray name = "lock:" + QByteArray::number(i);
            world.store->hold(name, QByteArray(2'000, char('a' + round)) + QByteArray::number(round));
        }
        const quint64 seen = quick.table.seq;
        QTRY_VERIFY_WITH_TIMEOUT(quick.table.seq >= seen + 300, 10'000);
        QVERIFY2(world.agent->waitingBytes() < 8 * 1024 * 1024,
                 qPrintable(QString::number(world.agent->waitingBytes())));
    }
    QCOMPARE(quick.faults, QStringList());

    // It reads on. Every number once and in order, or a fresh start whose end is the same table.
    events::LockTable table;
    int fresh = 0;
    quint64 expected = 0;
    const auto takeAll = [&] {
        if (!slow.read(got))
            return false;
        for (const protocol::Message &message : std::exchange(got, {})) {
            if (const auto *start = std::get_if<protocol::Subscribed>(&message)) {
                fresh += start->fresh;
                table = {start->fromSeq, {}};
            } else if (const auto *page = std::get_if<protocol::SnapshotPage>(&message)) {
                for (const domain::LockState &state : page->locks)
                    table.locks.insert(state.key, state);
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
    QTRY_VERIFY_WITH_TIMEOUT(takeAll() && table.seq == quick.table.seq, 20'000);
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

void TestServer::firstMessages_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<bool>("goodbye");
    const auto frameOf = [](const protocol::Message &m) { return protocol::frame(protocol::encode(m)); };
    protocol::Hello old;
    old.version = 0;
    old.oldest = 0;
    protocol::Hello young;
    young.version = 9;
    young.oldest = 9;
    QTest::newRow("garbage") << QByteArray(64, '\xff') << false;
    QTest::newRow("an HTTP request") << QByteArray("GET / HTTP/1.1\r\n\r\n") << false;
    QTest::newRow("length 0") << QByteArray(4, '\0') << false;
    QTest::newRow("a request first") << frameOf(protocol::StatusQuery{1}) << true;
    QTest::newRow("too old") << frameOf(old) << true;
    QTest::newRow("too young") << frameOf(young) << true;
    QTest::newRow("Hello twice") << frameOf(protocol::Hello{}) + frameOf(protocol::Hello{}) << true;
}

void TestServer::firstMessages()
{
    QFETCH(QByteArray, bytes);
    QFETCH(bool, goodbye);
    World world;
    QVERIFY(world.start());
    RawClient raw;
    QVERIFY(raw.open(world.socket()));
    raw.socket.write(bytes);
    QList<protocol::Message> got;
    const auto closed = [&] {
        raw.read(got);
        return raw.socket.state() == QLocalSocket::UnconnectedState;
    };
    QTRY_VERIFY(closed());
    const bool told = std::any_of(got.cbegin(), got.cend(),
                                  [](const auto &m) { return std::holds_alternative<protocol::Goodbye>(m); });
    if (goodbye)
        QVERIFY(told);
    TestClient next; // and the agent serves on
    QVERIFY(next.open(world.socket()));
    QCOMPARE(next.welcome.agent, QStringLiteral("test"));
    QCOMPARE(next.welcome.role, QStringLiteral("operator"));
}

void TestServer::renewalsOnlyForThoseWhoAsked()
{
    World world;
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
    QCOMPARE(with.renewals.constFirst().kind, Kind::Renewed);
    QTRY_VERIFY(without.table.locks.value(world.key("lock:a")).expiresUs.value_or(0) > deadline);
    QVERIFY(without.renewals.isEmpty());
    QVERIFY(with.table.seq == without.table.seq); // a renewal has no number
}

void TestServer::readNowEndsAfterItsEvents()
{
    World world;
    world.config.sources[0].pollMs = 3'600'000;
    QVERIFY(world.start());
    TestClient client;
    QVERIFY(client.open(world.socket()));
    client.subscribe(0, false);
    QTRY_VERIFY(client.waitForEvent([](const auto &e) { return e.kind == Kind::SourceUp; }));
    for (int i = 0; i < 20; ++i) {
        const QByteArray name = "lock:" + QByteArray::number(i);
        world.store->hold(name, "alice");
        QVERIFY(client.ask<protocol::Done>(protocol::ReadNow{}));
        QCOMPARE(client.events.constLast().key.name, name); // Done came after it
    }
    protocol::ReadNow elsewhere;
    elsewhere.source = QStringLiteral("elsewhere");
    QVERIFY(client.ask<protocol::Failed>(elsewhere));
}

void TestServer::queriesAreLimitedAndCancelled()
{
    World world;
    QVERIFY(world.start());
    TestClient client;
    QVERIFY(client.open(world.socket()));
    client.subscribe(0, false);
    for (int i = 0; i < 1'200; ++i)
        world.store->hold("lock:" + QByteArray::number(i), "alice");
    QTRY_VERIFY(client.events.size() > 1'200);
    protocol::HistoryQuery query;
    query.limit = 1'000'000;
    const auto page = client.ask<protocol::EventPage>(query);
    QVERIFY(page);
    QCOMPARE(page->events.size(), 1'000);
    QVERIFY(page->more);
    query.limit = -5;
    QCOMPARE(client.ask<protocol::EventPage>(query)->events.size(), 1);
    const quint64 id = client.post(protocol::LocksQuery{});
    client.client.send(protocol::Cancel{id});
    QVERIFY(client.ask<protocol::Status>(protocol::StatusQuery{}));
    QCOMPARE(client.faults, QStringList());
    QVERIFY(client.ask<protocol::Failed>(protocol::EventPage{})); // an answer is no request
}

void TestServer::releaseEndToEnd()
{
    World world;
    QVERIFY(world.start());
    world.store->hold("lock:a", "alice");
    TestClient client;
    QVERIFY(client.open(world.socket()));
    client.subscribe(0, false);
    QTRY_VERIFY(client.waitForEvent([](const auto &e) { return e.kind == Kind::Acquired; }));
    protocol::Inspect inspect;
    inspect.key = world.key("lock:a");
    const auto read = client.ask<protocol::Inspected>(inspect);
    QVERIFY(read && read->present && !read->ticket.isEmpty());
    QCOMPARE(read->state.owner, QByteArray("alice"));
    QVERIFY(read->state.release.possible());
    protocol::ForceRelease order;
    order.command = QByteArray(32, 'c');
    order.key = world.key("lock:a");
    order.ticket = read->ticket;
    order.reason = QStringLiteral("its holder is gone");
    const auto result = client.ask<protocol::ReleaseResult>(order);
    QVERIFY(result);
    QCOMPARE(result->outcome, domain::Outcome::Released);
    QVERIFY(client.waitForEvent([&order](const events::LockEvent &e) {
        return e.kind == Kind::ForceReleased && e.command == order.command && e.owner == "alice";
    }));
    const auto audit = client.ask<protocol::AuditPage>(protocol::AuditQuery{});
    QVERIFY(audit);
    QCOMPARE(audit->entries.size(), 1);
    QCOMPARE(audit->entries.constFirst().outcome, domain::Outcome::Released);
    QCOMPARE(audit->entries.constFirst().holder, QByteArray("alice"));
    QCOMPARE(audit->entries.constFirst().who, client.welcome.user);
    // The same command again, from another session.
    world.store->hold("lock:a", "bob");
    TestClient other;
    QVERIFY(other.open(world.socket()));
    order.ticket.clear();
    order.holder = "bob";
    QCOMPARE(other.ask<protocol::ReleaseResult>(order)->outcome, domain::Outcome::Released);
    QCOMPARE(world.store->ownerOf("lock:a"), QByteArray("bob"));
    QCOMPARE(world.store->writes(), 1);
}

void TestServer::linkLossIsNoRelease()
{
    World world;
    QVERIFY(world.start());
    world.store->hold("lock:a", "alice");
    TestClient client;
    QVERIFY(client.open(world.socket()));
    client.subscribe(std::nullopt);
    QTRY_VERIFY(client.table.locks.contains(world.key("lock:a")));
    world.store->refuseOpen({base::ErrorCode::Unreachable, QStringLiteral("refused"), {}});
    world.store->breakLink({base::ErrorCode::ConnectionLost, QStringLiteral("reset"), {}});
    QVERIFY(client.waitForEvent([](const auto &e) { return e.kind == Kind::SourceDown; }));
    QVERIFY(client.waitForEvent([](const auto &e) { return e.kind == Kind::GapOpened; }));
    protocol::ForceRelease order;
    order.command = QByteArray(32, 'd');
    order.key = world.key("lock:a");
    order.holder = "alice";
    order.reason = QStringLiteral("try");
    QCOMPARE(client.ask<protocol::ReleaseResult>(order)->outcome, domain::Outcome::Unreachable);
    world.store->acceptOpen();
    QVERIFY(client.waitForEvent([](const auto &e) { return e.kind == Kind::GapClosed; }, 15'000));
    for (const events::LockEvent &event : std::as_const(client.events))
        QVERIFY(event.kind != Kind::Released && event.kind != Kind::Expired);
    QVERIFY(client.table.locks.contains(world.key("lock:a")));
}

void TestServer::twoAgentsNeverShareAFolder()
{
    World world;
    QVERIFY(world.start());
    Agent second(world.config, world.clock, [&world](const stores::SourceSpec &spec) {
        return base::Result<std::unique_ptr<stores::Store>>(std::make_unique<FakeStore>(spec, world.clock));
    });
    const auto started = second.start();
    QVERIFY(!started);
    QCOMPARE(started.error().code, base::ErrorCode::Busy);
}

void TestServer::shutDownSaysGoodbye()
{
    World world;
    QVERIFY(world.start());
    TestClient client;
    QVERIFY(client.open(world.socket()));
    bool finished = false;
    connect(world.agent.get(), &Agent::finished, this, [&finished] { finished = true; });
    world.agent->shutDown();
    QTRY_VERIFY(finished);
    QTRY_VERIFY(client.end);
    QCOMPARE(client.end->code, base::ErrorCode::Shutdown);
    QVERIFY(world.start()); // the folder is free again
}

QTEST_GUILESS_MAIN(TestServer)
#include "tst_server.moc"
