// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/agent/server/agent_world.h"
#include "tests/support/test_program.h"

#include <QLoggingCategory>
#include <QTest>

#include <algorithm>
#include <fcntl.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tst_sessions {

using namespace lockkeeper;
using namespace lockkeeper::tests;
using agent::application::Agent;
using events::EventKind;

/** Handshake, requests and releases with a whole agent in this process. */
class TestSessions : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void firstMessages_data();
    void firstMessages();
    void readNowEndsAfterItsEvents();
    void aStrangersPingIsNotAnswered();
    void unknownFeaturesAreIgnored();
    void oneReadingAnswersAllWhoAsk();
    void furtherQuestionsWaitUnread();
    void aViewerGetsTheLastScan();
    void oneUserLeavesOthersRoom();
    void queriesAreLimitedAndCancelled();
    void checkOfTheAuditKeepsNobodyWaiting();
    void locksOfAPastMoment();
    void releaseEndToEnd();
    void linkLossIsNoRelease();
    void sourceThatComesBackWasNotSeen();
    void sourceThatAStartLeavesOutIsNotSeen();
    void holdsOfARemovedSourceEnd();
    void reloadIsNoRestart();
    void whatAChangedSetShowsIsSeenFirst_data();
    void whatAChangedSetShowsIsSeenFirst();
    void chainsAreOfThisLink();
    void twoAgentsNeverShareAFolder();
    void aFolderThatOthersMayWriteToIsRefused();
    void shutDownSaysGoodbye();
    void sessionsAreLoggedForDebugging();
};

void TestSessions::firstMessages_data()
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

void TestSessions::firstMessages()
{
    QFETCH(QByteArray, bytes);
    QFETCH(bool, goodbye);
    AgentWorld world;
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
    QCOMPARE(next.welcome.role, QStringLiteral("admin"));
}

void TestSessions::readNowEndsAfterItsEvents()
{
    AgentWorld world;
    world.config.sources[0].pollMs = 3'600'000;
    TestClient client;
    QVERIFY(world.startWatchedBy(client));
    QVERIFY(client.saw(EventKind::SourceUp));
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

/** The answer would have the agent's clock. */
void TestSessions::aStrangersPingIsNotAnswered()
{
    AgentWorld world;
    QVERIFY(world.start());
    RawClient raw;
    QVERIFY(raw.open(world.socket()));
    raw.records = true;
    raw.send(protocol::Ping{1});
    raw.send(protocol::Hello{});
    QList<protocol::Message> got;
    QTRY_VERIFY(raw.read(got) && !got.isEmpty());
    protocol::Deframer frames{protocol::kMaxFrame};
    frames.feed(raw.received);
    const auto first = frames.next();
    QVERIFY(first && *first);
    QVERIFY(std::holds_alternative<protocol::Welcome>(*protocol::decode(**first)));
}

/** A client of a later version offers features that this agent doesn't know. */
void TestSessions::unknownFeaturesAreIgnored()
{
    AgentWorld world;
    QVERIFY(world.start());
    RawClient raw;
    QVERIFY(raw.open(world.socket()));
    protocol::Hello hello;
    hello.features.append(QStringLiteral("of_a_later_version"));
    raw.send(hello);
    QList<protocol::Message> got;
    QTRY_VERIFY(raw.read(got) && !got.isEmpty());
    const auto *welcome = std::get_if<protocol::Welcome>(&got.constFirst());
    QVERIFY(welcome);
    QCOMPARE(welcome->features, protocol::knownFeatures());
    const QStringList known{QStringLiteral("a"), QStringLiteral("b")};
    QCOMPARE(protocol::commonFeatures({QStringLiteral("c"), QStringLiteral("b")}, known),
             QStringList(QStringLiteral("b")));
}

/** A reading that is under way may have begun before the question: the next one answers, and all others. */
void TestSessions::oneReadingAnswersAllWhoAsk()
{
    constexpr int kAsked = 50;
    AgentWorld world;
    world.config.sources[0].pollMs = 3'600'000;
    TestClient client;
    QVERIFY(world.startWith(client));
    world.store->hold("lock:a", "alice");
    QVERIFY(client.ask<protocol::Done>(protocol::ReadNow{}));
    const int scans = world.store->scans();
    world.store->holdBack();
    QList<quint64> inspections;
    QList<quint64> readings;
    for (int i = 0; i < kAsked; ++i) {
        inspections.append(client.post(protocol::Inspect{0, world.key("lock:a")}));
        if (i % 4 == 0) // with the others no more than may be open at once
            readings.append(client.post(protocol::ReadNow{}));
    }
    TestClient other; // its answer comes when theirs have been read
    QVERIFY(other.open(world.socket()));
    QTRY_COMPARE(world.store->inspections(), 1);
    QVERIFY(other.ask<protocol::Status>(protocol::StatusQuery{}));
    world.store->letGo();
    for (const quint64 id : std::as_const(inspections)) {
        const auto answer = client.wait(id);
        QVERIFY(answer && std::holds_alternative<protocol::Inspected>(*answer));
        QCOMPARE(std::get<protocol::Inspected>(*answer).state.owner, QByteArray("alice"));
    }
    for (const quint64 id : std::as_const(readings)) {
        const auto answer = client.wait(id);
        QVERIFY(answer && std::holds_alternative<protocol::Done>(*answer));
    }
    QVERIFY(world.store->inspections() <= 3);
    QVERIFY(world.store->scans() - scans <= 2);
}

/** It costs the store nothing, however often a viewer asks. */
void TestSessions::aViewerGetsTheLastScan()
{
    AgentWorld world;
    world.config.sources[0].pollMs = 3'600'000;
    agent::config::AccessRule rule;
    rule.users = {QString::fromLocal8Bit(::getpwuid(::geteuid())->pw_name)};
    rule.grant.role = domain::Role::Viewer;
    world.config.access = {rule};
    TestClient client;
    QVERIFY(world.startWith(client));
    QCOMPARE(client.welcome.role, QStringLiteral("viewer"));
    QVERIFY(client.ask<protocol::Done>(protocol::ReadNow{}));
    const int scans = world.store->scans();
    for (int i = 0; i < 200; ++i)
        QVERIFY(client.ask<protocol::Done>(protocol::ReadNow{}));
    QCOMPARE(world.store->scans(), scans);
}

/** A client past the limit gets a Goodbye with the reason. */
void TestSessions::oneUserLeavesOthersRoom()
{
    constexpr int kOfAUser = 128;
    AgentWorld world;
    QVERIFY(world.start());
    std::vector<std::unique_ptr<TestClient>> clients;
    for (int i = 0; i < kOfAUser; ++i) {
        clients.push_back(std::make_unique<TestClient>());
        QVERIFY(clients.back()->open(world.socket()));
    }
    TestClient next;
    QVERIFY(!next.open(world.socket()));
    QVERIFY(next.end);
    QCOMPARE(next.end->code, base::ErrorCode::Busy);
    QVERIFY2(next.end->cause.contains(QLatin1String("has 128 sessions already")),
             qPrintable(next.end->line()));
    clients.pop_back();
    QTRY_VERIFY(TestClient().open(world.socket()));
}

/** One client's questions are answered in turn; another's aren't held up by them. */
void TestSessions::furtherQuestionsWaitUnread()
{
    constexpr int kOpen = 64;
    AgentWorld world;
    world.config.sources[0].pollMs = 3'600'000;
    TestClient client;
    QVERIFY(world.startWith(client));
    QVERIFY(client.ask<protocol::Done>(protocol::ReadNow{}));
    world.store->holdBack();
    QList<quint64> ids;
    for (int i = 0; i < 3 * kOpen; ++i)
        ids.append(client.post(protocol::Inspect{0, world.key("lock:" + QByteArray::number(i))}));
    const quint64 last = client.post(protocol::StatusQuery{});
    QTRY_COMPARE(world.store->inspections(), kOpen);
    TestClient other;
    QVERIFY(other.open(world.socket()));
    for (int i = 0; i < 5; ++i)
        QVERIFY(other.ask<protocol::Status>(protocol::StatusQuery{}));
    QCOMPARE(world.store->inspections(), kOpen);
    QVERIFY(!client.wait(last, 1));
    world.store->letGo();
    for (const quint64 id : std::as_const(ids)) {
        const auto answer = client.wait(id);
        QVERIFY(answer && std::holds_alternative<protocol::Inspected>(*answer));
    }
    const auto answer = client.wait(last);
    QVERIFY(answer && std::holds_alternative<protocol::Status>(*answer));
}

void TestSessions::queriesAreLimitedAndCancelled()
{
    AgentWorld world;
    TestClient client;
    QVERIFY(world.startWatchedBy(client));
    for (int i = 0; i < 1'200; ++i)
        world.store->hold("lock:" + QByteArray::number(i), "alice");
    QTRY_VERIFY(client.events.size() > 1'200);
    protocol::HistoryQuery query;
    query.limit = 1'000'000;
    std::optional<protocol::EventPage> page; // shorter where reading takes its time
    QVERIFY(QTest::qWaitFor(
        [&] { return (page = client.ask<protocol::EventPage>(query)) && page->events.size() >= 1'000; },
        60'000));
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

void TestSessions::checkOfTheAuditKeepsNobodyWaiting()
{
    AgentWorld world;
    QVERIFY(world.start());
    // The check begins by reading this file, a pipe that blocks until the test writes into it.
    const QByteArray head = QFile::encodeName(world.config.dataDir + QStringLiteral("/audit.head"));
    QCOMPARE(::mkfifo(head.constData(), 0600), 0);
    const auto letGo = [&head] {
        const int file = ::open(head.constData(), O_RDWR | O_CLOEXEC);
        return file >= 0 && ::write(file, "none\n", 5) == 5 && ::close(file) == 0;
    };
    TestClient client;
    QVERIFY(client.open(world.socket()));
    protocol::AuditQuery query;
    query.verify = true;
    const quint64 check = client.post(query);
    const bool others = client.ask<protocol::EventPage>(protocol::HistoryQuery{}, 20'000).has_value() &&
                        client.ask<protocol::AuditPage>(protocol::AuditQuery{}, 20'000).has_value();
    QVERIFY(letGo());
    QVERIFY(others);
    const auto checked = client.wait(check, 20'000);
    QVERIFY(checked && std::holds_alternative<protocol::AuditPage>(*checked));
    QVERIFY(!std::get<protocol::AuditPage>(*checked).verified); // that was no head
}

void TestSessions::locksOfAPastMoment()
{
    AgentWorld world;
    QVERIFY(world.start());
    world.store->hold("lock:a", "alice");
    TestClient client;
    QVERIFY(world.watchedBy(client));
    QTRY_VERIFY(client.count(EventKind::Acquired) == 1);
    const qint64 heldUs = client.last(EventKind::Acquired).timeUs;
    // Without a scan after that moment lock:b may have been there already.
    const auto seenUs = [&client] {
        const auto status = client.ask<protocol::Status>(protocol::StatusQuery{});
        return status ? status->sources.constFirst().lastSeenUs.value_or(0) : 0;
    };
    QTRY_VERIFY_WITH_TIMEOUT(seenUs() > heldUs + 50'000, 20'000);
    world.store->drop("lock:a");
    world.store->hold("lock:b", "bob");
    QTRY_VERIFY(client.count(EventKind::Acquired) == 2);
    QTRY_VERIFY(client.count(EventKind::Released) == 1);
    const auto then = client.list(20'000, heldUs + 50'000);
    QVERIFY(then);
    QCOMPARE(then->size(), 1);
    const domain::LockState state = then->value(world.key("lock:a"));
    QCOMPARE(state.owner, QByteArray("alice"));
    QCOMPARE(state.phase, domain::Phase::Held);
    QVERIFY(!state.release.possible() && state.guard.isEmpty());
    QCOMPARE(client.list()->size(), 1);
    QVERIFY(client.list()->contains(world.key("lock:b")));
    protocol::LocksQuery toCome;
    toCome.atUs = world.clock.wallUs() + 60'000'000;
    QCOMPARE(client.ask<protocol::Failed>(toCome)->error.code, base::ErrorCode::Usage);
    protocol::LocksQuery before;
    before.atUs = heldUs - 60'000'000;
    QCOMPARE(client.ask<protocol::Failed>(before)->error.code, base::ErrorCode::NotFound);
}

void TestSessions::releaseEndToEnd()
{
    AgentWorld world;
    TestClient client;
    QVERIFY(world.startHolding("lock:a", client));
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
        return e.kind == EventKind::ForceReleased && e.command == order.command && e.owner == "alice";
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

void TestSessions::linkLossIsNoRelease()
{
    AgentWorld world;
    QVERIFY(world.start());
    world.store->hold("lock:a", "alice");
    TestClient client;
    QVERIFY(client.open(world.socket()));
    client.subscribe(std::nullopt);
    QTRY_VERIFY(client.table.locks.contains(world.key("lock:a")));
    world.store->refuseOpen({base::ErrorCode::Unreachable, QStringLiteral("refused"), {}});
    world.store->breakLink({base::ErrorCode::ConnectionLost, QStringLiteral("reset"), {}});
    QVERIFY(client.saw(EventKind::SourceDown));
    QVERIFY(client.saw(EventKind::GapOpened));
    protocol::ForceRelease order;
    order.command = QByteArray(32, 'd');
    order.key = world.key("lock:a");
    order.holder = "alice";
    order.reason = QStringLiteral("try");
    QCOMPARE(client.ask<protocol::ReleaseResult>(order)->outcome, domain::Outcome::Unreachable);
    world.store->acceptOpen();
    QVERIFY(client.waitForEvent([](const auto &e) { return e.kind == EventKind::GapClosed; }, 15'000));
    for (const events::LockEvent &event : std::as_const(client.events))
        QVERIFY(event.kind != EventKind::Released && event.kind != EventKind::Expired);
    QVERIFY(client.table.locks.contains(world.key("lock:a")));
}

/**
 * Taken out of the configuration and put back: the agent reports the changes in between as after a restart.
 */
void TestSessions::sourceThatComesBackWasNotSeen()
{
    AgentWorld world;
    TestClient client;
    QVERIFY(world.startHolding("lock:a", client));
    QVERIFY(world.writeConfig({}, "other"));
    world.agent->reload();
    QVERIFY(client.waitForEvent([](const auto &e) {
        return e.kind == EventKind::SourceUp && e.key.source == QLatin1String("other");
    }));
    QCOMPARE(client.count(EventKind::GapOpened), 1); // already: its locks aren't held until now
    const events::LockEvent gap = client.last(EventKind::GapOpened);
    QCOMPARE(gap.key.source, QStringLiteral("memory"));
    QCOMPARE(gap.detail.causeText(), QStringLiteral("not_configured"));
    QVERIFY(world.writeConfig());
    world.agent->reload(); // it has no locks left
    QVERIFY(client.saw(EventKind::GapClosed));
    QCOMPARE(client.last(EventKind::GapClosed).detail.sinceUs.value_or(0), gap.timeUs);
    QCOMPARE(std::count_if(client.events.cbegin(), client.events.cend(),
                           [&gap](const auto &e) { return e.kind == gap.kind && e.key == gap.key; }),
             1);
    QVERIFY(client.saw(EventKind::Released));
    QCOMPARE(client.last(EventKind::Released).owner, QByteArray("alice"));
    QVERIFY(client.last(EventKind::Released).windowUs > 0);
}

/**
 * A source that a start leaves out counts as unseen from its last observation on. The agent reports this
 * once.
 */
void TestSessions::sourceThatAStartLeavesOutIsNotSeen()
{
    AgentWorld world;
    TestClient client;
    QVERIFY(world.startHolding("lock:a", client));
    world.store->hold("lock:b", "bob"); // a lock of a later scan is written with the time of the scan before
    QVERIFY(client.waitForEvent([](const auto &e) { return e.key.name == "lock:b"; }));
    world.config.sources[0].name = QStringLiteral("other");
    for (int starts = 0; starts < 2; ++starts) {
        TestClient next;
        QVERIFY(world.startWatchedBy(next));
        QTRY_COMPARE_WITH_TIMEOUT(next.count(EventKind::SourceUp), 2 + starts, 60'000);
        QCOMPARE(std::count_if(next.events.cbegin(), next.events.cend(),
                               [](const auto &e) {
                                   return e.kind == EventKind::GapOpened &&
                                          e.key.source == QLatin1String("memory");
                               }),
                 1);
    }
}

/** Nobody knows how a hold continued in a source that the configuration doesn't name any more. */
void TestSessions::holdsOfARemovedSourceEnd()
{
    AgentWorld world;
    TestClient client;
    QVERIFY(world.startHolding("lock:a", client));
    const auto hold = [&client] {
        protocol::HoldsQuery query;
        query.lockGlob = "lock:a";
        const auto page = client.ask<protocol::HoldPage>(query);
        return page && page->holds.size() == 1 ? page->holds.constFirst() : protocol::Hold();
    };
    QTRY_COMPARE(hold().owner, QByteArray("alice"));
    QVERIFY(!hold().toUs && hold().end.isEmpty());
    QVERIFY(world.writeConfig({}, "another"));
    world.agent->reload();
    QTRY_COMPARE(hold().end, QByteArray("gap"));
    QVERIFY(hold().toUs && *hold().toUs >= hold().fromUs);
}

/** Another match: the agent reconnects the source, and its gap names the cause. */
void TestSessions::reloadIsNoRestart()
{
    AgentWorld world;
    TestClient client;
    QVERIFY(world.startWatchedBy(client));
    for (const char *name : {"lock:a", "lock:b"}) { // the second by a later scan: the first one has ended
        world.store->hold(name, "alice");
        QVERIFY(client.waitForEvent([name](const auto &e) { return e.key.name == name; }));
    }
    QVERIFY(world.writeConfig("match = \"lock:*\"\n"));
    world.agent->reload();
    QVERIFY(client.saw(EventKind::GapClosed));
    QCOMPARE(client.last(EventKind::GapOpened).detail.causeText(), QStringLiteral("reloaded"));
}

void TestSessions::whatAChangedSetShowsIsSeenFirst_data()
{
    QTest::addColumn<QByteArray>("match");
    QTest::addColumn<bool>("changed");
    QTest::newRow("the same set") << QByteArray("*") << false;
    QTest::newRow("another one") << QByteArray("lock:*") << true;
}

/** The previous agent didn't have this set, so the start of its holds is unknown. */
void TestSessions::whatAChangedSetShowsIsSeenFirst()
{
    QFETCH(QByteArray, match);
    QFETCH(bool, changed);
    AgentWorld world;
    TestClient before;
    QVERIFY(world.startWatchedBy(before));
    for (const char *name : {"lock:a", "lock:b"}) { // the second by a later scan: the first one has ended
        world.store->hold(name, "alice");
        QVERIFY(before.waitForEvent([name](const auto &e) { return e.key.name == name; }));
    }
    before.close();
    bool finished = false;
    connect(world.agent.get(), &Agent::finished, this, [&finished] { finished = true; });
    world.agent->shutDown();
    QTRY_VERIFY_WITH_TIMEOUT(finished, 60'000);
    world.config.sources[0].locks[0].match = match;
    QVERIFY(world.start());
    world.store->hold("lock:c", "carol");
    TestClient client;
    QVERIFY(world.watchedBy(client));
    QVERIFY(client.waitForEvent([](const auto &e) { return e.key.name == "lock:c"; }));
    const events::LockEvent acquired = client.last(EventKind::Acquired);
    QCOMPARE(acquired.key.name, QByteArray("lock:c"));
    QCOMPARE(acquired.detail.firstSeen, changed);
    QCOMPARE(acquired.windowUs == 0, changed);
}

void TestSessions::chainsAreOfThisLink()
{
    AgentWorld world;
    TestClient client;
    QVERIFY(world.startWith(client));
    const auto graphs = [&client](const QString &source = {}) {
        const auto page = client.ask<protocol::ChainsPage>(protocol::ChainsQuery{0, source});
        return page ? std::optional(page->graphs) : std::nullopt;
    };
    const QList<domain::WaitGraph> none;
    QCOMPARE(graphs(), none);
    domain::WaitGraph graph;
    graph.evidence = "data_locks";
    graph.sessions.resize(2);
    graph.sessions[0].id = "1";
    graph.sessions[1].id = "2";
    graph.edges = {{"2", "1", world.key("lock:a"), 5, 0}};
    world.store->showGraph(graph);
    graph.source = QStringLiteral("memory");
    QTRY_COMPARE(graphs(), QList<domain::WaitGraph>{graph});
    QCOMPARE(graphs(QStringLiteral("memory")), QList<domain::WaitGraph>{graph});
    QVERIFY(client.ask<protocol::Failed>(protocol::ChainsQuery{0, QStringLiteral("elsewhere")}));
    // Data from the lost link say nothing about the present.
    world.store->breakLink({base::ErrorCode::ConnectionLost, QStringLiteral("reset"), {}});
    QTRY_COMPARE(graphs(), none);
}

void TestSessions::aFolderThatOthersMayWriteToIsRefused()
{
    AgentWorld world;
    const QByteArray folder = QFile::encodeName(world.config.dataDir);
    QVERIFY(::mkdir(folder.constData(), 0700) == 0 && ::chmod(folder.constData(), 0770) == 0);
    QVERIFY(!world.start());
    QVERIFY(::chmod(folder.constData(), 0750) == 0);
    QVERIFY(world.start());
}

void TestSessions::twoAgentsNeverShareAFolder()
{
    AgentWorld world;
    QVERIFY(world.start());
    Agent second(world.config, world.clock, [&world](const stores::SourceSpec &spec) {
        return base::Result<std::unique_ptr<stores::Store>>(std::make_unique<FakeStore>(spec, world.clock));
    });
    const auto started = second.start();
    QVERIFY(!started);
    QCOMPARE(started.error().code, base::ErrorCode::Busy);
}

void TestSessions::shutDownSaysGoodbye()
{
    AgentWorld world;
    TestClient client;
    QVERIFY(world.startWith(client));
    bool finished = false;
    connect(world.agent.get(), &Agent::finished, this, [&finished] { finished = true; });
    world.agent->shutDown();
    QTRY_VERIFY(finished);
    QTRY_VERIFY(client.end);
    QCOMPARE(client.end->code, base::ErrorCode::Shutdown);
    QVERIFY(world.start()); // the folder is free again
}

/**
 * An operator's log shows events of locks, sources and commands, but not each client that connects and
 * leaves.
 */
void TestSessions::sessionsAreLoggedForDebugging()
{
    static QStringList lines;
    lines.clear();
    QLoggingCategory::setFilterRules(QStringLiteral("lockkeeper.*.debug=true"));
    const QtMessageHandler before =
        qInstallMessageHandler([](QtMsgType type, const QMessageLogContext &, const QString &line) {
            if (line.startsWith(QLatin1String("session of")))
                lines.append(type == QtDebugMsg ? QStringLiteral("debug") : line);
        });
    {
        AgentWorld world;
        if (world.start()) {
            TestClient client;
            (void)client.open(world.socket());
        }
        (void)QTest::qWaitFor([] { return lines.size() >= 2; }, 30'000); // it appeared and disappeared
    }
    qInstallMessageHandler(before);
    QLoggingCategory::setFilterRules({});
    QCOMPARE(lines, QStringList({QStringLiteral("debug"), QStringLiteral("debug")}));
}

LOCKKEEPER_TEST(TestSessions)

} // namespace tst_sessions

#include "tst_sessions.moc"
