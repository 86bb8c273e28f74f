// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/host_list.h"
#include "shared/stores/redis/redlock/redlock_stores.h"
#include "tests/support/redlock_nodes.h"
#include "tests/support/store_harness.h"
#include "tests/support/test_program.h"

#include <QElapsedTimer>
#include <QScopeGuard>
#include <QTest>

namespace tst_redlock_store {

using namespace lockkeeper;
using namespace lockkeeper::stores;
using namespace lockkeeper::tests;
using domain::NodeHolds;
using domain::Outcome;

namespace {

const QByteArray kLock("lock:a");
const QByteArray kToken("8f14e45fceea167a5a36dedd4bea2543");
const QByteArray kOther("c9f0f895fb98ab9159f51fd0297e236d");

QByteArray holds(const Observation &lock)
{
    QByteArray text;
    for (const domain::NodeView &node : lock.nodes)
        text += domain::nodeHoldsName(node.holds).first(2).toByteArray() + ' ';
    return text.trimmed();
}

QByteArray outcomes(const ReleaseReport &report)
{
    QList<QByteArray> names;
    for (const domain::NodeOutcome &node : report.nodes)
        names.append(domain::outcomeName(node.outcome).toByteArray());
    return names.join(' ');
}

} // namespace

/** A Redlock source over five real servers that start, stop, forget and hang. */
class TestRedlockStore : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QVERIFY(m_nodes.start(5)); }
    void init()
    {
        m_nodes.clear();
        m_harness = std::make_unique<StoreHarness>(*redis::makeRedlockStore(m_nodes.spec()));
    }
    void cleanup()
    {
        m_harness.reset();
        for (const int node : RedlockNodes::all()) {
            if (m_nodes.at(node).pid() == 0 || m_nodes.at(node).command({"PING"}).type == 0)
                QVERIFY(m_nodes.at(node).restart());
        }
    }

    void refusesUrls_data()
    {
        QTest::addColumn<QString>("url");
        for (const char *url : {"redlock://a:1,a:1", "redlock://a,a:6379",
                                "redlock://a:1,a:2,a:3,a:4,a:5,a:6,a:7,a:8,a:9,a:10", "redlock://a:1,b:2/x"})
            QTest::newRow(url) << QString::fromLatin1(url);
    }
    void refusesUrls()
    {
        QFETCH(QString, url);
        SourceSpec spec = m_nodes.spec();
        spec.url = urlOf(url);
        QVERIFY(spec.url.isValid());
        const auto store = redis::makeRedlockStore(spec);
        QVERIFY(!store.has_value());
        QCOMPARE(store.error().code, base::ErrorCode::Usage);
    }

    void seesAMajority()
    {
        QVERIFY(m_nodes.set(RedlockNodes::all(), kLock, kToken, 30'000));
        QVERIFY(m_harness->open());
        QCOMPARE(m_harness->m_info.store, QByteArray("redis"));
        QCOMPARE(m_harness->m_info.places, QList<QByteArray>{"db0"});
        QCOMPARE(m_harness->m_info.nodes.size(), 5);
        QVERIFY(m_harness->scan());
        const Observation *lock = m_harness->find(kLock);
        QVERIFY(lock);
        QVERIFY(lock->held);
        QCOMPARE(lock->owner, kToken);
        QCOMPARE(holds(*lock), QByteArray("ho ho ho ho ho"));
        QCOMPARE(lock->nodes.at(3).node, m_nodes.address(3));
        QCOMPARE(lock->expiry, domain::ExpiryKind::At);
        const Page &page = m_harness->m_pages.first();
        const qint64 left = lock->expiresUs - page.endedUs;
        QVERIFY2(left > 25'000'000 && left <= 30'000'000 - 300'000, qPrintable(QString::number(left)));
        QVERIFY2(lock->expirySlackUs < 1'000'000, qPrintable(QString::number(lock->expirySlackUs)));
        QVERIFY(page.beganUs <= page.endedUs && page.endedUs - page.beganUs < 1'000'000);
    }

    /** A server under two names has one vote: the second name counts as away. */
    void aServerOfTwoNamesHasOneVote()
    {
        QVERIFY(m_nodes.set({0}, kLock, kToken));
        SourceSpec spec = m_nodes.spec();
        spec.url = m_nodes.urlOfTwice();
        m_harness = std::make_unique<StoreHarness>(*redis::makeRedlockStore(spec));
        QVERIFY(m_harness->open());
        QVERIFY(m_harness->scan());
        const Observation *lock = m_harness->find(kLock);
        QVERIFY(lock && !lock->held);
        QCOMPARE(lock->flaw, Flaw::Indeterminate);
        m_nodes.at(1).kill();
        QVERIFY(m_harness->waitForFailure());
        const base::Error why = m_harness->m_failures.constLast();
        QVERIFY2(why.cause.contains(QLatin1String("the same server")), qPrintable(why.cause));
        QVERIFY(!why.remedy.isEmpty());
    }

    void unitesTheNamesOfAllNodes()
    {
        QVERIFY(m_nodes.set({0, 1, 2}, "lock:x", kToken));
        QVERIFY(m_nodes.set({2, 3, 4}, "lock:y", kOther));
        QVERIFY(m_nodes.set({4}, "lock:z", kOther));
        QVERIFY(m_nodes.set({0, 1, 2, 3, 4}, "other:w", kOther));
        QVERIFY(m_harness->open());
        QVERIFY(m_harness->scan());
        QCOMPARE(holds(*m_harness->find("lock:x")), QByteArray("ho ho ho no no"));
        QCOMPARE(holds(*m_harness->find("lock:y")), QByteArray("no no ho ho ho"));
        const Observation *left = m_harness->find("lock:z");
        QVERIFY(left && left->present && !left->held);
        QCOMPARE(holds(*left), QByteArray("no no no no ot"));
        QVERIFY(!m_harness->find("other:w"));
        qsizetype seen = 0;
        for (const Page &page : std::as_const(m_harness->m_pages))
            seen += page.locks.size();
        QCOMPARE(seen, 3); // each once
    }

    void aNodeThatForgotLeavesTheRest()
    {
        QVERIFY(m_nodes.set({0, 1, 2}, kLock, kToken));
        QVERIFY(m_harness->open());
        QVERIFY(m_harness->scan());
        QVERIFY(m_harness->find(kLock)->held);
        QVERIFY(m_nodes.at(2).restart()); // without persistence: empty
        QTRY_VERIFY(holds(m_harness->readPoints({{0, kLock}}).value(0)) == "ot ot no no no");
        const Observation lock = m_harness->readPoints({{0, kLock}}).value(0);
        QVERIFY(lock.present && !lock.held);
        QCOMPARE(lock.flaw, Flaw::None);
    }

    void whatARestartForgotIsLost()
    {
        QVERIFY(m_nodes.set({0, 1, 2}, kLock, kToken));
        QVERIFY(m_nodes.set({0, 1, 2}, "lock:given", kOther));
        QVERIFY(m_harness->open());
        QVERIFY(m_harness->scan());
        m_nodes.remove({0, 1, 2}, "lock:given");
        QVERIFY(m_nodes.at(2).restart());
        Observation lock;
        QTRY_VERIFY((lock = m_harness->readPoints({{0, kLock}}).value(0)).flaw == Flaw::None && !lock.held &&
                    !lock.name.isEmpty());
        QVERIFY(lock.lost);
        // The other two nodes have released this token as well, so the restart isn't the cause.
        const Observation given = m_harness->readPoints({{0, "lock:given"}}).value(0);
        QVERIFY(!given.present && !given.lost);
    }

    void aNodeAwayDoesNotFreeALock()
    {
        QVERIFY(m_nodes.set(RedlockNodes::all(), "lock:five", kToken));
        QVERIFY(m_nodes.set({0, 1, 2}, kLock, kToken));
        QVERIFY(m_harness->open());
        m_nodes.at(1).kill();
        QTRY_COMPARE(holds(m_harness->readPoints({{0, kLock}}).value(0)), QByteArray("ot un ot no no"));
        QCOMPARE(m_harness->readPoints({{0, kLock}}).value(0).flaw, Flaw::Indeterminate);
        QCOMPARE(m_harness->readPoints({{0, kLock}}).value(0).identity, kToken);
        QVERIFY(m_harness->scan());
        QVERIFY(m_harness->find("lock:five")->held);
        QCOMPARE(m_harness->find(kLock)->flaw, Flaw::Indeterminate);
        QVERIFY(m_harness->m_failures.isEmpty());
        // A lock that no reachable node has can't have a majority.
        QVERIFY(!m_harness->readPoints({{0, "lock:none"}}).value(0).present);
        QVERIFY(m_nodes.at(1).restart());
        QTRY_COMPARE(holds(m_harness->readPoints({{0, kLock}}).value(0)), QByteArray("ot no ot no no"));
    }

    void opensWithAMajority()
    {
        m_nodes.at(0).stop();
        m_nodes.at(4).stop();
        QVERIFY(m_nodes.set({1, 2, 3}, kLock, kToken));
        QList<ShardState> parts;
        connect(&m_harness->store(), &Store::shardChanged, this,
                [&parts](const ShardState &part) { parts.append(part); });
        QVERIFY(m_harness->open());
        QVERIFY(!m_harness->m_info.nodes.at(0).up);
        QCOMPARE(parts.size(), 2);
        QVERIFY(!parts.at(0).up && !parts.at(1).up);
        QCOMPARE(parts.at(1).node, m_nodes.address(4));
        QCOMPARE(parts.at(1).error.code, base::ErrorCode::Unreachable);
        QVERIFY(m_harness->scan());
        QVERIFY(m_harness->find(kLock)->held);
        QCOMPARE(holds(*m_harness->find(kLock)), QByteArray("un ho ho ho un"));
        QVERIFY(m_nodes.at(0).restart());
        QTRY_COMPARE_WITH_TIMEOUT(parts.size(), 3, 15'000);
        QVERIFY(parts.at(2).up);
        QCOMPARE(parts.at(2).node, m_nodes.address(0));
    }

    void tellsNothingWithoutAMajority()
    {
        for (const int node : {0, 2, 4})
            m_nodes.at(node).stop();
        QVERIFY(!m_harness->open());
        QCOMPARE(m_harness->m_failures.size(), 1);
        QCOMPARE(m_harness->m_failures.first().code, base::ErrorCode::Unreachable);
        QVERIFY(m_nodes.at(2).restart());
        QVERIFY(m_harness->open());
        m_nodes.at(1).kill();
        QVERIFY(m_harness->waitForFailure());
        QVERIFY(m_harness->inspect(kLock).error);
    }

    /** Without this right, nothing can be dated: the store reports that, and doesn't wait for it. */
    void nodesThatTellNoTimeAreAway()
    {
        if (RedisServer::version() < 600)
            QSKIP("there are users from Redis 6 on");
        const auto set = [this](const char *rule) {
            for (int i = 0; i < m_nodes.size(); ++i)
                m_nodes.at(i).command({"ACL", "SETUSER", "default", rule});
        };
        const auto allow = qScopeGuard([&set] { set("+time"); });
        set("-time");
        QVERIFY(!m_harness->open());
        QCOMPARE(m_harness->m_failures.size(), 1);
        QCOMPARE(m_harness->m_failures.constFirst().remedy, QStringLiteral("ACL SETUSER default +time"));
        set("+time");
        QVERIFY(m_harness->open());
    }

    void aHangingNodeDelaysTheOthersOnce()
    {
        QVERIFY(m_nodes.set(RedlockNodes::all(), kLock, kToken));
        QVERIFY(m_harness->open());
        m_nodes.at(3).pause();
        QElapsedTimer timer;
        timer.start();
        const Observation first = m_harness->readPoints({{0, kLock}}).value(0);
        const qint64 firstMs = timer.restart();
        const Observation second = m_harness->readPoints({{0, kLock}}).value(0);
        const qint64 secondMs = timer.restart();
        QVERIFY(m_harness->scan());
        const qint64 passMs = timer.elapsed();
        m_nodes.at(3).resume();
        QVERIFY(first.held && second.held);
        QCOMPARE(holds(second), QByteArray("ho ho ho un ho"));
        QVERIFY2(firstMs < 3'000, qPrintable(QString::number(firstMs)));
        QVERIFY2(secondMs < 500 && passMs < 500, qPrintable(QString::number(passMs)));
        QTRY_COMPARE(holds(m_harness->readPoints({{0, kLock}}).value(0)), QByteArray("ho ho ho ho ho"));
    }

    void breaksOnEveryNode()
    {
        QVERIFY(m_nodes.set(RedlockNodes::all(), kLock, kToken));
        QVERIFY(m_harness->open());
        const Inspection seen = m_harness->inspect(kLock);
        QVERIFY(!seen.error);
        QCOMPARE(seen.guard.identity, kToken);
        QCOMPARE(seen.guard.key.scheme, QByteArray("redis.redlock"));
        ReleaseOrder order = orderFor(seen, true);
        order.dryRun = true;
        const ReleaseReport dry = m_harness->release(order);
        QCOMPARE(dry.outcome, Outcome::Released);
        QCOMPARE(outcomes(dry), QByteArray("would_release would_release would_release would_release "
                                           "would_release"));
        QCOMPARE(m_nodes.values(kLock), (kToken + ' ').repeated(5).trimmed());
        const ReleaseReport report = m_harness->release(orderFor(seen, true));
        QCOMPARE(report.outcome, Outcome::Released);
        QCOMPARE(outcomes(report), QByteArray("released released released released released"));
        QCOMPARE(report.nodes.at(2).node, m_nodes.address(2));
        QCOMPARE(m_nodes.values(kLock), QByteArray("- - - - -"));
        QCOMPARE(m_harness->release(orderFor(seen)).outcome, Outcome::AlreadyFree);
    }

    void breaksWithANodeAway()
    {
        QVERIFY(m_nodes.set(RedlockNodes::all(), kLock, kToken));
        QVERIFY(m_harness->open());
        m_nodes.at(4).kill();
        QTRY_COMPARE(holds(m_harness->readPoints({{0, kLock}}).value(0)), QByteArray("ho ho ho ho un"));
        const ReleaseReport report = m_harness->release(orderFor(m_harness->inspect(kLock)));
        QCOMPARE(report.outcome, Outcome::Released);
        QCOMPARE(outcomes(report), QByteArray("released released released released unreachable"));
    }

    /** Each node has a separate deadline, and a node that doesn't answer counts as held. */
    void aHangingNodeHoldsNoBreakUp()
    {
        QVERIFY(m_nodes.set(RedlockNodes::all(), kLock, kToken));
        QVERIFY(m_harness->open());
        const Inspection seen = m_harness->inspect(kLock);
        m_nodes.at(3).pause();
        QElapsedTimer timer;
        timer.start();
        const ReleaseReport report = m_harness->release(orderFor(seen));
        const qint64 ms = timer.elapsed();
        m_nodes.at(3).resume();
        QCOMPARE(report.outcome, Outcome::Released);
        QCOMPARE(outcomes(report), QByteArray("released released released unreachable released"));
        QVERIFY2(ms < 3'000, qPrintable(QString::number(ms)));
        QCOMPARE(m_nodes.values(kLock), "- - - " + kToken + " -");
    }

    /** A renewal on the unread node is unknown. If a renewal matters, the node is left alone. */
    void aNodeThatCouldNotBeReadIsLeftAlone()
    {
        QVERIFY(m_nodes.set(RedlockNodes::all(), kLock, kToken));
        QVERIFY(m_harness->open());
        m_nodes.at(4).kill();
        QTRY_COMPARE(holds(m_harness->readPoints({{0, kLock}}).value(0)), QByteArray("ho ho ho ho un"));
        const Inspection seen = m_harness->inspect(kLock);
        QVERIFY(m_nodes.at(4).restart());
        QVERIFY(m_nodes.set({4}, kLock, kToken));
        QTRY_COMPARE(holds(m_harness->readPoints({{0, kLock}}).value(0)), QByteArray("ho ho ho ho ho"));
        const ReleaseReport report = m_harness->release(orderFor(seen, true));
        QCOMPARE(report.outcome, Outcome::Released);
        QCOMPARE(outcomes(report), QByteArray("released released released released unreachable"));
        QCOMPARE(m_nodes.values(kLock), "- - - - " + kToken);
    }

    void leavesWhatIsAnothers()
    {
        QVERIFY(m_nodes.set(RedlockNodes::all(), kLock, kToken));
        QVERIFY(m_harness->open());
        const Inspection seen = m_harness->inspect(kLock);
        QVERIFY(m_nodes.set({0, 1, 2}, kLock, kOther));
        // Another holder already has a majority: only the rest of the old lock is released.
        const ReleaseReport rest = m_harness->release(orderFor(seen));
        QCOMPARE(rest.outcome, Outcome::Released);
        QCOMPARE(outcomes(rest),
                 QByteArray("holder_changed holder_changed holder_changed released released"));
        QCOMPARE(m_nodes.values(kLock), kOther + ' ' + kOther + ' ' + kOther + " - -");
        const ReleaseReport late = m_harness->release(orderFor(seen));
        QCOMPARE(late.outcome, Outcome::HolderChanged);
        QCOMPARE(m_nodes.values(kLock), kOther + ' ' + kOther + ' ' + kOther + " - -");
        // Three clients have one node each, so none of them has the lock.
        QVERIFY(m_nodes.set({1}, kLock, "second") && m_nodes.set({2}, kLock, "third"));
        QCOMPARE(m_harness->release(orderFor(seen)).outcome, Outcome::AlreadyFree);
        QCOMPARE(m_harness->release(orderFor(seen, true)).outcome, Outcome::AlreadyFree);
        QCOMPARE(m_nodes.values(kLock), kOther + " second third - -");
    }

    void aRenewalOnOneNodeIsEnoughToRefuse_data()
    {
        QTest::addColumn<int>("node");
        QTest::newRow("first") << 0;
        QTest::newRow("last") << 4;
    }
    void aRenewalOnOneNodeIsEnoughToRefuse()
    {
        QFETCH(int, node);
        QVERIFY(m_nodes.set(RedlockNodes::all(), kLock, kToken));
        QVERIFY(m_harness->open());
        const Inspection seen = m_harness->inspect(kLock);
        QVERIFY(m_nodes.set({node}, kLock, kToken, 90'000));
        const ReleaseReport report = m_harness->release(orderFor(seen, true));
        QCOMPARE(report.outcome, Outcome::HolderChanged);
        QCOMPARE(m_nodes.values(kLock), (kToken + ' ').repeated(5).trimmed());
        QCOMPARE(m_harness->release(orderFor(seen, false)).outcome, Outcome::Released);
    }

    void aTokenThatSpreadSinceIsARenewal()
    {
        QVERIFY(m_nodes.set({0, 1, 2}, kLock, kToken));
        QVERIFY(m_harness->open());
        const Inspection seen = m_harness->inspect(kLock);
        QVERIFY(m_nodes.set({3}, kLock, kToken));
        QCOMPARE(m_harness->release(orderFor(seen, true)).outcome, Outcome::HolderChanged);
        QCOMPARE(m_nodes.values(kLock), kToken + ' ' + kToken + ' ' + kToken + ' ' + kToken + " -");
    }

    void aNodeRestartedSinceIsReadAgain()
    {
        QVERIFY(m_nodes.set(RedlockNodes::all(), kLock, kToken));
        QVERIFY(m_harness->open());
        const Inspection seen = m_harness->inspect(kLock);
        QVERIFY(m_nodes.at(2).restart());
        QTRY_COMPARE(holds(m_harness->readPoints({{0, kLock}}).value(0)), QByteArray("ho ho no ho ho"));
        QVERIFY(m_nodes.set({2}, kLock, kToken)); // as if it had come back from a file
        const ReleaseReport report = m_harness->release(orderFor(seen));
        QCOMPARE(report.outcome, Outcome::Released);
        QCOMPARE(outcomes(report), QByteArray("released released refused released released"));
        QCOMPARE(m_nodes.values(kLock), "- - " + kToken + " - -");
    }

    void breaksALeftover()
    {
        QVERIFY(m_nodes.set({1, 3}, kLock, kToken, 0));
        QVERIFY(m_harness->open());
        const Inspection seen = m_harness->inspect(kLock);
        QVERIFY(seen.lock.present && !seen.lock.held);
        QCOMPARE(seen.guard.identity, kToken);
        const ReleaseReport report = m_harness->release(orderFor(seen, true));
        QCOMPARE(report.outcome, Outcome::Released);
        QCOMPARE(outcomes(report), QByteArray("already_free released already_free released already_free"));
        QCOMPARE(m_nodes.values(kLock), QByteArray("- - - - -"));
    }

    /** Independent nodes may still have replicas. */
    void aNodesReplicaThatLags()
    {
        RedlockNodes nodes;
        QVERIFY(nodes.start(3));
        RedisServer replica;
        QVERIFY(replica.start({QStringLiteral("--replicaof"), QStringLiteral("127.0.0.1"),
                               QString::number(nodes.at(0).port())}));
        QVERIFY(nodes.at(0).waitForReplica());
        StoreHarness harness(*redis::makeRedlockStore(nodes.spec()));
        QVERIFY(harness.open());
        const QList<int> all = RedlockNodes::all(3);
        QVERIFY(nodes.set(all, kLock, kToken));
        QVERIFY(harness.release(orderFor(harness.inspect(kLock))).replicated);
        QVERIFY(nodes.set(all, kLock, kToken));
        replica.pause();
        const ReleaseReport lonely = harness.release(orderFor(harness.inspect(kLock)));
        replica.resume();
        QCOMPARE(lonely.outcome, Outcome::Released);
        QVERIFY(!lonely.replicated);
        QCOMPARE(lonely.error.cause, QStringLiteral("not replicated"));
    }

    void fewestAndMostNodes_data()
    {
        QTest::addColumn<int>("count");
        for (const int count : {1, 2, 9})
            QTest::addRow("%d", count) << count;
    }
    void fewestAndMostNodes()
    {
        QFETCH(int, count);
        RedlockNodes nodes;
        QVERIFY(nodes.start(count));
        const int quorum = count / 2 + 1;
        const QList<int> held = RedlockNodes::all(quorum);
        QVERIFY(nodes.set(held, kLock, kToken));
        StoreHarness harness(*redis::makeRedlockStore(nodes.spec()));
        QVERIFY(harness.open());
        QVERIFY(harness.scan());
        QVERIFY(harness.find(kLock) != nullptr && harness.find(kLock)->held);
        QCOMPARE(harness.find(kLock)->nodes.size(), count);
        nodes.remove({0}, kLock); // one less is no majority
        const Observation left = harness.readPoints({{0, kLock}}).value(0);
        QVERIFY(!left.held);
        QCOMPARE(left.present, quorum > 1);
        QVERIFY(nodes.set({0}, kLock, kToken));
        QCOMPARE(harness.release(orderFor(harness.inspect(kLock), true)).outcome, Outcome::Released);
        QCOMPARE(nodes.values(kLock), QByteArray("- ").repeated(count).trimmed());
    }

    void beginsNothingThatCannotReachAMajority()
    {
        if (RedisServer::version() < 600)
            QSKIP("there are users from Redis 6 on");
        // Two nodes hold it and forbid scripts; a third is away.
        QVERIFY(m_nodes.set(RedlockNodes::all(), kLock, kToken));
        QVERIFY(m_harness->open());
        const Inspection seen = m_harness->inspect(kLock);
        for (const int node : {0, 1})
            m_nodes.at(node).command({"ACL", "SETUSER", "default", "-eval", "-evalsha"});
        m_nodes.at(4).kill();
        QTRY_COMPARE(holds(m_harness->readPoints({{0, kLock}}).value(0)), QByteArray("ho ho ho ho un"));
        const ReleaseReport report = m_harness->release(orderFor(seen));
        for (const int node : {0, 1})
            m_nodes.at(node).command({"ACL", "SETUSER", "default", "+@all"});
        QCOMPARE(report.outcome, Outcome::Refused);
        QVERIFY(!report.error.remedy.isEmpty());
        QCOMPARE(outcomes(report), QByteArray("refused refused would_release would_release unreachable"));
        QCOMPARE(m_nodes.values(kLock), (kToken + ' ').repeated(4) + '-');
    }

    void refusesForeignGuards()
    {
        QVERIFY(m_nodes.set(RedlockNodes::all(), kLock, kToken));
        QVERIFY(m_harness->open());
        const Inspection seen = m_harness->inspect(kLock);
        ReleaseOrder order = orderFor(seen);
        order.guard.instance = "elsewhere";
        QCOMPARE(m_harness->release(order).outcome, Outcome::Refused);
        order = orderFor(seen);
        order.guard.freshness = "?";
        QCOMPARE(m_harness->release(order).outcome, Outcome::Refused);
        order = orderFor(seen);
        order.guard.identity.clear();
        QCOMPARE(m_harness->release(order).outcome, Outcome::Refused);
        order = orderFor(seen);
        order.mustBeExpired = true;
        QCOMPARE(m_harness->release(order).outcome, Outcome::Refused);
        QCOMPARE(m_nodes.values(kLock), (kToken + ' ').repeated(5).trimmed());
    }

private:
    RedlockNodes m_nodes;
    std::unique_ptr<StoreHarness> m_harness;
};

LOCKKEEPER_TEST(TestRedlockStore)

} // namespace tst_redlock_store

#include "tst_redlock_store.moc"
