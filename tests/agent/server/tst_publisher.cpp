// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/server/publisher.h"
#include "agent/server/session_stream.h"
#include "shared/events/apply.h"
#include "tests/agent/journal/fault_injection.h"
#include "tests/agent/release/fake_port.h"
#include "tests/agent/server/agent_world.h"
#include "tests/support/test_program.h"

#include <QLocalServer>
#include <QRandomGenerator>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include <array>

namespace tst_publisher {

using namespace lockkeeper;
using namespace lockkeeper::agent;
using namespace lockkeeper::tests;
using events::EventKind;
using events::LockEvent;
using server::Publisher;
using server::SnapshotPtr;

namespace {

/** A publisher on a real journal, with a table that the test keeps as an engine would. */
struct World
{
    QTemporaryDir folder;
    base::SystemClock clock;
    journal::Journal journal{clock};
    FakePort port;
    FakeDirectory directory;
    std::unique_ptr<Publisher> publisher;
    QList<LockEvent> published;
    QStringList order; ///< the published events and states, in words
    QHash<domain::LockKey, domain::LockState> live;

    explicit World(qint64 queueBytes = journal::JournalOptions{}.queueBytes)
    {
        directory.port = &port;
        const auto opened =
            journal.open({folder.filePath(QStringLiteral("journal.db")), 30, 4096, queueBytes});
        if (!opened)
            qFatal("%s", qPrintable(opened.error().line()));
        publisher = std::make_unique<Publisher>(journal, directory);
        QObject::connect(
            publisher.get(), &Publisher::published, publisher.get(), [this](const server::BatchPtr &batch) {
                published += batch->events();
                for (const LockEvent &event : batch->events())
                    order.append(QStringLiteral("event %1").arg(QString::fromLatin1(event.owner)));
            });
        QObject::connect(publisher.get(), &Publisher::statesChanged, publisher.get(),
                         [this](const server::StatesPtr &states) {
                             if (!states->sources.isEmpty())
                                 order.append(QStringLiteral("sources"));
                             for (const domain::LockState &state : states->locks)
                                 order.append(
                                     QStringLiteral("state %1").arg(QString::fromLatin1(state.owner)));
                         });
    }

    domain::LockState state(const QByteArray &name, const QByteArray &owner) const
    {
        domain::LockState s;
        s.key = {QStringLiteral("orders"), "redis.token", "db0", name};
        s.phase = domain::Phase::Held;
        s.owner = owner;
        s.seenUs = 1;
        return s;
    }
    LockEvent event(const QByteArray &name, const QByteArray &owner)
    {
        LockEvent e;
        e.key = state(name, owner).key;
        e.store = "redis";
        e.owner = owner;
        e.timeUs = clock.wallUs();
        e.observedUs = e.timeUs;
        if (owner.isEmpty()) {
            e.kind = EventKind::Released;
            live.remove(e.key);
            port.take(e.key);
        } else {
            e.kind = live.contains(e.key) ? EventKind::TakenOver : EventKind::Acquired;
            e.after = state(name, owner);
            live.insert(e.key, *e.after);
            port.put(*e.after);
        }
        return e;
    }
};

/** Of few locks each. */
struct ManySources final : release::SourceDirectory
{
    QList<release::SourcePort *> sources() const override
    {
        QList<release::SourcePort *> all;
        for (FakePort &port : ports)
            all.append(&port);
        return all;
    }
    release::SourcePort *source(const QString &name) const override { return &ports.at(name.toUInt()); }

    mutable std::array<FakePort, 20> ports;
};

/** A stream to a client that reads only on request. */
struct Subscriber
{
    explicit Subscriber(World &world)
    {
        QLocalServer listener;
        if (!listener.listen(world.folder.filePath(QStringLiteral("socket"))) ||
            !client.open(listener.fullServerName()) || !listener.waitForNewConnection(5'000))
            qFatal("%s", qPrintable(listener.errorString()));
        std::unique_ptr<QLocalSocket> accepted(listener.nextPendingConnection());
        accepted->setParent(nullptr);
        channel = std::make_unique<transport::Channel>(transport::streamOf(std::move(accepted)));
        channel->setLoggedIn();
        stream = std::make_unique<server::SessionStream>(*channel, *world.publisher, world.journal,
                                                         [] { return domain::Sight(); });
    }

    RawClient client;
    std::unique_ptr<transport::Channel> channel;
    std::unique_ptr<server::SessionStream> stream;
};

} // namespace

class TestPublisher : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void snapshotIsTheTableAtItsNumber();
    void smallSourcesAreCopiedInSlices();
    void snapshotsWaitForTheirTurn();
    void turnsGoRound();
    void goneAskerFreesItsTurn();
    void whatIsTakenBackFreesItsTurn();
    void whoWaitsForATableNeedsNoUpdates();
    void answersOutliveTheEventsBeforeThem();
    void updateComesAfterTheEventsBeforeIt();
    void updateIsDroppedForALaterEvent();
    void barrierWaitsForWhatWasAppended();
    void nothingWaitsForWhatWasDropped();
    void largeCommitsAreCut();
};

void TestPublisher::snapshotIsTheTableAtItsNumber()
{
    World world;
    struct Taken
    {
        quint64 seq;
        QHash<domain::LockKey, domain::LockState> locks;
    };
    QList<Taken> taken;
    auto *random = QRandomGenerator::global();
    int wanted = 0;
    bool between = true;
    int round = 0;
    QTimer churn; // between the slices of a copy, which is why there are many locks
    connect(&churn, &QTimer::timeout, this, [&] {
        QList<LockEvent> batch;
        for (int i = round == 0 ? 12'000 : random->bounded(1, 10); i > 0; --i) {
            const QByteArray name = QByteArray::number(random->bounded(16'000));
            const bool held = world.live.contains(world.state(name, {}).key);
            batch.append(world.event(
                name, held && random->bounded(2) ? QByteArray() : QByteArray::number(round * 20'000 + i)));
        }
        world.publisher->append(batch, {});
        ++round;
        if (wanted == taken.size()) {
            ++wanted;
            world.publisher->takeSnapshot(this, [&taken, &world, &between](const SnapshotPtr &snapshot) {
                Taken one{snapshot->seq, {}};
                // A stream that sent all events until now misses none if it resumes after this number.
                between =
                    between && (world.published.isEmpty() || world.published.constLast().seq == one.seq);
                QList<domain::LockState> locks;
                while (!snapshot->locks.isEmpty())
                    locks += snapshot->locks.takeLocks();
                for (const domain::LockState &state : std::as_const(locks))
                    one.locks.insert(state.key, state);
                if (one.locks.size() != locks.size())
                    one.locks.clear(); // a lock twice
                taken.append(one);
            });
        }
    });
    churn.start(1);
    QTRY_VERIFY_WITH_TIMEOUT(taken.size() >= 20 && round >= 100, 60'000);
    churn.stop();
    QTRY_COMPARE(taken.size(), wanted);
    QTRY_COMPARE(world.publisher->lastSeq(), world.journal.lastSeq());
    QTRY_COMPARE(world.journal.queuedEvents(), 0);
    QVERIFY(between);
    int behind = 0;
    for (const Taken &one : std::as_const(taken)) {
        events::AppliedLocks table;
        for (const LockEvent &event : std::as_const(world.published)) {
            if (event.seq <= one.seq)
                QCOMPARE(events::apply(event, table), events::Applied::Changed);
        }
        QCOMPARE(table.seq, one.seq);
        QCOMPARE(table.locks, one.locks);
        behind += one.seq < world.publisher->lastSeq();
    }
    QVERIFY(behind > 0); // some were taken while more was on its way
}

/** Like a large one: with turns of the event loop in between. */
void TestPublisher::smallSourcesAreCopiedInSlices()
{
    constexpr int kEach = 400;
    World world;
    ManySources many;
    for (FakePort &port : many.ports) {
        port.m_spec.name = QString::number(&port - many.ports.data());
        for (int i = 0; i < kEach; ++i) {
            domain::LockState state = world.state(QByteArray::number(i), "alice");
            state.key.source = port.m_spec.name;
            port.put(state);
        }
    }
    Publisher publisher(world.journal, many);
    int turns = 0;
    QTimer loop;
    connect(&loop, &QTimer::timeout, this, [&turns] { ++turns; });
    loop.start(0);
    SnapshotPtr copied;
    publisher.takeSnapshot(this, [&copied, &loop](const SnapshotPtr &snapshot) {
        copied = snapshot;
        loop.stop();
    });
    QTRY_VERIFY_WITH_TIMEOUT(copied, 60'000);
    qsizetype count = 0;
    while (!copied->locks.isEmpty())
        count += copied->locks.takeLocks().size();
    QCOMPARE(count, qsizetype(many.ports.size()) * kEach);
    QVERIFY2(turns >= 10, qPrintable(QString::number(turns)));
}

void TestPublisher::snapshotsWaitForTheirTurn()
{
    World world;
    QList<SnapshotPtr> kept;
    std::array<QObject, 5> askers;
    for (QObject &asker : askers)
        world.publisher->takeSnapshot(&asker,
                                      [&kept](const SnapshotPtr &snapshot) { kept.append(snapshot); });
    QTRY_COMPARE(kept.size(), 2);
    QCoreApplication::sendPostedEvents(world.publisher.get());
    QCOMPARE(kept.size(), 2);
    kept.removeFirst();
    QTRY_COMPARE(kept.size(), 2);
    kept.clear();
    QTRY_COMPARE(kept.size(), 2); // the last two
}

/** A client that asks for much, or reads slowly, keeps one of the two turns. */
void TestPublisher::turnsGoRound()
{
    World world;
    QObject greedy;
    QObject slow;
    QObject modest;
    QList<std::pair<QChar, SnapshotPtr>> kept;
    QString order;
    const auto ask = [&](QObject *asker, QChar name) {
        world.publisher->takeSnapshot(asker, [&kept, &order, name](const SnapshotPtr &snapshot) {
            kept.append({name, snapshot});
            order += name;
        });
    };
    for (int i = 0; i < 4; ++i)
        ask(&greedy, QLatin1Char('g'));
    QTRY_COMPARE(order, QStringLiteral("g"));
    ask(&slow, QLatin1Char('s'));
    ask(&slow, QLatin1Char('s'));
    ask(&modest, QLatin1Char('m'));
    QTRY_COMPARE(order, QStringLiteral("gs")); // although two of greedy's came before
    // Slow keeps its snapshot; the other turn goes round.
    const auto letGo = [&kept](QChar name) {
        kept.removeIf([name](const auto &one) { return one.first == name; });
    };
    letGo(QLatin1Char('g'));
    QTRY_COMPARE(order, QStringLiteral("gsg")); // it came before modest
    letGo(QLatin1Char('g'));
    QTRY_COMPARE(order, QStringLiteral("gsgm")); // and so did its next
    letGo(QLatin1Char('m'));
    QTRY_COMPARE(order, QStringLiteral("gsgmg"));
    letGo(QLatin1Char('s'));
    QTRY_COMPARE(order, QStringLiteral("gsgmgs"));
    letGo(QLatin1Char('g'));
    QTRY_COMPARE(order, QStringLiteral("gsgmgsg"));
}

void TestPublisher::goneAskerFreesItsTurn()
{
    World world;
    int calls = 0;
    {
        QObject gone;
        for (int i = 0; i < 5; ++i)
            world.publisher->takeSnapshot(&gone, [&calls](const SnapshotPtr &) { ++calls; });
    }
    bool served = false;
    world.publisher->takeSnapshot(this, [&served](const SnapshotPtr &) { served = true; });
    QTRY_VERIFY(served);
    QCOMPARE(calls, 0);
}

void TestPublisher::whatIsTakenBackFreesItsTurn()
{
    World world;
    std::stop_source questions;
    int calls = 0;
    for (int i = 0; i < 5; ++i)
        world.publisher->takeSnapshot(
            this, [&calls](const SnapshotPtr &) { ++calls; }, {}, questions.get_token());
    questions.request_stop();
    bool served = false;
    world.publisher->takeSnapshot(this, [&served](const SnapshotPtr &) { served = true; });
    QTRY_VERIFY(served);
    QCOMPARE(calls, 0);
}

/** It has them: kept, they would be as many as there are locks. */
void TestPublisher::whoWaitsForATableNeedsNoUpdates()
{
    World world;
    QList<SnapshotPtr> kept; // there are no more than these two
    std::array<QObject, 2> askers;
    for (QObject &asker : askers)
        world.publisher->takeSnapshot(&asker,
                                      [&kept](const SnapshotPtr &snapshot) { kept.append(snapshot); });
    QTRY_COMPARE(kept.size(), 2);
    Subscriber slow(world);
    slow.stream->subscribe({5, std::nullopt, {}, true, false});
    world.publisher->update({world.state("a", "alice")}, {});
    QTRY_VERIFY(world.order.contains(QStringLiteral("state alice")));
    QCOMPARE(slow.stream->waitingBytes(), 0);
}

/** The client doesn't read: its events are dropped and read from the journal later. */
void TestPublisher::answersOutliveTheEventsBeforeThem()
{
    World world;
    Subscriber slow(world);
    slow.stream->subscribe({5, 0, {}, false, false});
    const auto tellOf = [&world](int events) {
        for (int i = 0; i < events; ++i)
            world.publisher->append({world.event("a", QByteArray(100'000, 'o'))}, {});
    };
    tellOf(30);
    QTRY_VERIFY(slow.stream->waitingBytes() > 0);
    slow.stream->sendInOrder(protocol::Done{7});
    tellOf(60);
    QTRY_COMPARE(slow.stream->waitingBytes(), 0);
    QList<protocol::Message> got;
    const auto isAnswered = [&] {
        return slow.client.read(got) && std::any_of(got.cbegin(), got.cend(), [](const auto &message) {
                   const auto *done = std::get_if<protocol::Done>(&message);
                   return done && done->id == 7;
               });
    };
    QTRY_VERIFY(isAnswered());
}

void TestPublisher::updateComesAfterTheEventsBeforeIt()
{
    World world;
    // A slow disk keeps the journal from committing for a while.
    HeldWrites held("-log0");
    world.publisher->append({world.event("a", "alice")}, {});
    world.publisher->update({world.state("a", "alice renewed")}, {});
    world.publisher->sourceChanged(QStringLiteral("orders"));
    QTRY_VERIFY(world.order.contains(QStringLiteral("sources"))); // a flush went by without them
    QVERIFY(world.published.isEmpty());
    QVERIFY(!world.order.contains(QStringLiteral("state alice renewed")));
    held.letGo();
    QTRY_VERIFY(world.order.contains(QStringLiteral("state alice renewed")));
    QVERIFY(world.order.indexOf(QStringLiteral("event alice")) <
            world.order.indexOf(QStringLiteral("state alice renewed")));
    QVERIFY(world.order.contains(QStringLiteral("event alice")));
}

void TestPublisher::updateIsDroppedForALaterEvent()
{
    World world;
    world.publisher->update({world.state("a", "old"), world.state("b", "kept")}, {});
    world.publisher->append({world.event("a", "new")}, {});
    QTRY_VERIFY(world.order.contains(QStringLiteral("state kept")) &&
                world.order.contains(QStringLiteral("event new")));
    QVERIFY(!world.order.contains(QStringLiteral("state old")));
}

void TestPublisher::barrierWaitsForWhatWasAppended()
{
    World world;
    bool passed = false;
    world.publisher->whenPublished([&passed] { passed = true; });
    QVERIFY(passed); // nothing to wait for
    passed = false;
    world.publisher->append({world.event("a", "alice"), world.event("b", "bob")}, {});
    qsizetype seen = -1;
    world.publisher->whenPublished([&] {
        passed = true;
        seen = world.published.size();
    });
    QVERIFY(!passed);
    QTRY_VERIFY(passed);
    QCOMPARE(seen, 2);
}

void TestPublisher::nothingWaitsForWhatWasDropped()
{
    World world(64 << 10);
    int restarts = 0;
    connect(world.publisher.get(), &Publisher::restarted, this, [&restarts] { ++restarts; });
    QList<LockEvent> many;
    for (int i = 0; i < 1'000; ++i)
        many.append(world.event(QByteArray::number(i), "somebody"));
    world.publisher->append({world.event("a", "alice")}, {});
    world.publisher->append(many, {}); // more than there is room for
    bool passed = false;
    world.publisher->whenPublished([&passed] { passed = true; });
    QTRY_VERIFY_WITH_TIMEOUT(passed, 20'000);
    QTRY_COMPARE_WITH_TIMEOUT(restarts, 1, 20'000); // a table shows changes without an event
    // For some of the dropped events, the publisher reports the lock's present state.
    const qsizetype told = world.published.size() - 3;
    QVERIFY(told > 0 && told < 500);
    QCOMPARE(world.published.constLast().detail.dropped, 1'000 - told);
    world.publisher->append({world.event("b", "bob")}, {});
    world.publisher->update({world.state("b", "bob renewed")}, {});
    QTRY_VERIFY_WITH_TIMEOUT(world.order.contains(QStringLiteral("state bob renewed")), 20'000);
    QVERIFY(world.order.indexOf(QStringLiteral("event bob")) <
            world.order.indexOf(QStringLiteral("state bob renewed")));
}

void TestPublisher::largeCommitsAreCut()
{
    QList<LockEvent> events;
    World world;
    for (int i = 0; i < 1'700; ++i) {
        LockEvent event = world.event(QByteArray::number(i), QByteArray(i < 1'000 ? 10 : 5'000, 'x'));
        event.seq = quint64(i) + 1;
        events.append(event);
    }
    quint64 last = 0;
    for (const server::BatchPtr &batch : server::batchesOf(events)) {
        QCOMPARE(batch->firstSeq(), last + 1);
        last = batch->lastSeq();
        QVERIFY(batch->events().size() <= server::kItemsPerFrame);
        QVERIFY(batch->frame().size() < 2 * server::kFrameTarget);
    }
    QCOMPARE(last, 1'700);
    const server::Batch batch(events.first(3));
    const auto rest = protocol::decode(QByteArrayView(batch.frameAfter(2)).sliced(4));
    QVERIFY(rest);
    QCOMPARE(std::get<protocol::EventBatch>(*rest).events.size(), 1);
    QVERIFY(server::batchesOf({}).isEmpty());
}

LOCKKEEPER_TEST(TestPublisher)

} // namespace tst_publisher

#include "tst_publisher.moc"
