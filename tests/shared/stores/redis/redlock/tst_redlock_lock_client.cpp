// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/locks/client_makers.h"
#include "shared/stores/redis/redlock/redlock_stores.h"
#include "tests/support/lock_answers.h"
#include "tests/support/redlock_nodes.h"
#include "tests/support/test_program.h"

#include <QElapsedTimer>
#include <QTest>

namespace tst_redlock_lock_client {

using namespace lockkeeper;
using namespace lockkeeper::stores;
using namespace lockkeeper::tests;
using locks::Attempt;
using locks::AttemptResult;
using locks::LockClient;

namespace {
const QByteArray kLock("lock:job");
constexpr qint64 kTtlUs = 10'000'000;
} // namespace

/** Redlock's own algorithm against five real servers that come, go and hang. */
class TestRedlockLockClient : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QVERIFY(m_nodes.start(5)); }
    void init()
    {
        m_nodes.clear();
        m_client = make();
    }
    void cleanup()
    {
        m_client.reset();
        for (const int node : RedlockNodes::all()) {
            if (m_nodes.at(node).command({"PING"}).type == 0)
                QVERIFY(m_nodes.at(node).restart());
        }
    }

    void takesRenewsAndGivesBack()
    {
        const AttemptResult taken = acquire();
        QCOMPARE(taken.attempt, Attempt::Done);
        QVERIFY(!taken.error);
        QCOMPARE(taken.lease.token.size(), 40);
        // Less the elapsed time and the drift of 102 ms.
        QVERIFY(taken.lease.ttlUs <= kTtlUs - 102'000 && taken.lease.ttlUs > kTtlUs - 2'000'000);
        QTRY_COMPARE(m_nodes.values(kLock), (taken.lease.token + ' ').repeated(5).trimmed());
        auto other = make();
        QCOMPARE(acquire(*other).attempt, Attempt::Held);
        QTRY_COMPARE(m_nodes.values(kLock), (taken.lease.token + ' ').repeated(5).trimmed());

        const AttemptResult longer = renewed(*m_client, taken.lease, 60'000'000);
        QCOMPARE(longer.attempt, Attempt::Done);
        QTRY_VERIFY(m_nodes.at(2).command({"PTTL", kLock}).integer > 50'000);
        QCOMPARE(released(*m_client, longer.lease).attempt, Attempt::Done);
        QCOMPARE(m_nodes.values(kLock), QByteArray("- - - - -"));
        QCOMPARE(renewed(*m_client, taken.lease, kTtlUs).attempt, Attempt::Lost);
        QCOMPARE(released(*m_client, taken.lease).attempt, Attempt::Lost);
    }

    void aChosenTokenIsEveryNodes()
    {
        QCOMPARE(acquired(*m_client, kLock, kTtlUs, "chosen").lease.token, QByteArray("chosen"));
        QTRY_COMPARE(m_nodes.values(kLock), QByteArray("chosen chosen chosen chosen chosen"));
        auto other = make();
        QCOMPARE(acquired(*other, kLock, kTtlUs, "another").attempt, Attempt::Held);
        QTRY_COMPARE(m_nodes.values(kLock), QByteArray("chosen chosen chosen chosen chosen"));
    }

    void aMajorityIsEnough()
    {
        QVERIFY(m_nodes.set({0, 4}, kLock, "left"));
        const AttemptResult taken = acquire();
        QCOMPARE(taken.attempt, Attempt::Done);
        const QByteArray &token = taken.lease.token;
        QCOMPARE(m_nodes.values(kLock), "left " + token + ' ' + token + ' ' + token + " left");
    }

    void aMinorityIsGivenBack()
    {
        QVERIFY(m_nodes.set({0, 1, 2}, kLock, "other"));
        const AttemptResult taken = acquire();
        QCOMPARE(taken.attempt, Attempt::Held);
        QVERIFY(!taken.error);
        QTRY_COMPARE(m_nodes.values(kLock), QByteArray("other other other - -"));
    }

    /** The remaining keys would keep other clients from a majority while another node is away. */
    void whatIsLeftOfALostLeaseIsGivenBack()
    {
        const AttemptResult taken = acquire();
        QCOMPARE(taken.attempt, Attempt::Done);
        QTRY_COMPARE(m_nodes.values(kLock), (taken.lease.token + ' ').repeated(5).trimmed());
        m_nodes.remove({0, 1, 2}, kLock);
        const auto isLost = [&] {
            const AttemptResult longer = renewed(*m_client, taken.lease, 6 * kTtlUs);
            return !longer.error && longer.attempt == Attempt::Lost;
        };
        QVERIFY(QTest::qWaitFor(isLost, 20'000));
        QTRY_COMPARE_WITH_TIMEOUT(m_nodes.values(kLock), QByteArray("- - - - -"), 20'000);
    }

    void nodesAwayAreNone()
    {
        m_nodes.at(1).stop();
        m_nodes.at(3).stop();
        const AttemptResult taken = acquire();
        QCOMPARE(taken.attempt, Attempt::Done);
        m_nodes.at(0).kill();
        const AttemptResult longer = renewed(*m_client, taken.lease, kTtlUs);
        QCOMPARE(longer.attempt, Attempt::Lost);
        QVERIFY(longer.error); // the other three may have it still
        auto other = make();
        const AttemptResult none = acquire(*other);
        QCOMPARE(none.attempt, Attempt::Held);
        QVERIFY(none.error);
        QCOMPARE(none.error->code, base::ErrorCode::Unreachable);
    }

    void aHangingNodeCostsLittle()
    {
        connectAll();
        m_nodes.at(4).pause();
        QElapsedTimer timer;
        timer.start();
        const AttemptResult taken = acquire();
        const qint64 ms = timer.elapsed();
        m_nodes.at(4).resume();
        QCOMPARE(taken.attempt, Attempt::Done);
        QVERIFY2(ms < 500, qPrintable(QString::number(ms)));
        // The lock that reaches this node late is released with the rest.
        QCOMPARE(released(*m_client, taken.lease).attempt, Attempt::Done);
        QTRY_COMPARE(m_nodes.values(kLock), QByteArray("- - - - -"));
    }

    void hangingMajority()
    {
        connectAll();
        for (const int node : {0, 1, 2})
            m_nodes.at(node).pause();
        QElapsedTimer timer;
        timer.start();
        const AttemptResult taken = acquire();
        const qint64 ms = timer.elapsed();
        for (const int node : {0, 1, 2})
            m_nodes.at(node).resume();
        QCOMPARE(taken.attempt, Attempt::Held);
        QVERIFY(taken.error);
        QVERIFY2(ms < 1'000, qPrintable(QString::number(ms)));
        QTRY_COMPARE(m_nodes.values(kLock), QByteArray("- - - - -"));
    }

    /** A server under two names has one vote, and no client may rely on such nodes. */
    void aServerOfTwoNamesHasOneVote()
    {
        SourceSpec spec = m_nodes.spec();
        spec.url = m_nodes.urlOfTwice();
        const auto client = std::move(*locks::redis::makeLockClient(spec, spec.locks.first()));
        QVERIFY(m_nodes.set({0}, kLock, "mine"));
        QCOMPARE(renewed(*client, {kLock, "mine", kTtlUs, {}, {}}, kTtlUs).attempt, Attempt::Lost);
        m_nodes.clear();
        AttemptResult taken;
        const auto isRefused = [&] { // once all are connected
            taken = acquire(*client);
            return taken.error && taken.error->code == base::ErrorCode::Usage;
        };
        QVERIFY(QTest::qWaitFor(isRefused, 20'000));
        QVERIFY2(taken.error->cause.contains(QLatin1String("the same server")),
                 qPrintable(taken.error->cause));
        QVERIFY(!taken.error->remedy.isEmpty());
    }

    void aLeaseTooShortIsNone()
    {
        // The drift uses up all of the 2 ms.
        const AttemptResult taken = acquired(*m_client, kLock, 2'000);
        QCOMPARE(taken.attempt, Attempt::Held);
        QTRY_COMPARE(m_nodes.values(kLock), QByteArray("- - - - -"));
    }

private:
    /** Links to all nodes, and nothing on its way to any. */
    void connectAll()
    {
        const AttemptResult taken = acquire();
        QCOMPARE(taken.attempt, Attempt::Done);
        QTRY_COMPARE(m_nodes.values(kLock), (taken.lease.token + ' ').repeated(5).trimmed());
        m_nodes.clear();
    }
    std::unique_ptr<LockClient> make()
    {
        const SourceSpec spec = m_nodes.spec();
        return std::move(*locks::redis::makeLockClient(spec, spec.locks.first()));
    }
    AttemptResult acquire() { return acquire(*m_client); }
    AttemptResult acquire(LockClient &client) { return acquired(client, kLock, kTtlUs); }

    RedlockNodes m_nodes;
    std::unique_ptr<LockClient> m_client;
};

LOCKKEEPER_TEST(TestRedlockLockClient)

} // namespace tst_redlock_lock_client

#include "tst_redlock_lock_client.moc"
