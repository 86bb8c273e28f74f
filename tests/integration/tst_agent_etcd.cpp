// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/agent_fixture.h"
#include "tests/support/etcd_server.h"
#include "tests/support/program.h"
#include "tests/support/test_program.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QTest>

namespace tst_agent_etcd {

using namespace lockkeeper;
using namespace lockkeeper::tests;
using domain::Outcome;
using events::EventKind;
using events::LockEvent;

/** A real agent on a real etcd whose locks etcdctl takes. */
class TestAgentEtcd : public AgentFixture
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void cleanup();
    void lifeOfAQueue_data();
    void lifeOfAQueue();
    void aWatchMissesNothing();
    void brokenFromTheShell();
    void aStoreThatIsAwayIsAGap_data();
    void aStoreThatIsAwayIsAGap();

private:
    bool begin(bool push = false)
    {
        m_agent->configure("[[source]]\nname = \"s\"\nurl = \"" + m_etcd->url().toEncoded() +
                           "\"\npoll_ms = 50\nstatement_timeout_ms = 1000\n" + (push ? "push = true\n" : "") +
                           "  [[source.locks]]\n  scheme = \"etcd.lease\"\n"
                           "  match = \"lk/*\"\n");
        return startWatched();
    }
    bool saw(EventKind kind) { return m_client->saw(kind); }
    static domain::LockKey key() { return {QStringLiteral("s"), "etcd.lease", "keyspace", "lk/a"}; }
    domain::LockState state() const { return m_client->table.locks.value(key()); }

    std::unique_ptr<EtcdServer> m_etcd;
};

void TestAgentEtcd::initTestCase()
{
    if (!EtcdServer::isInstalled())
        QSKIP(EtcdServer::absent());
}

void TestAgentEtcd::init()
{
    m_etcd = std::make_unique<EtcdServer>();
    makeAgent();
    QVERIFY(m_etcd->start());
}

void TestAgentEtcd::cleanup()
{
    endAgent();
    m_etcd.reset();
}

void TestAgentEtcd::lifeOfAQueue_data()
{
    QTest::addColumn<bool>("push");
    QTest::newRow("polled") << false;
    QTest::newRow("watched") << true;
}

void TestAgentEtcd::lifeOfAQueue()
{
    QFETCH(bool, push);
    QVERIFY(begin(push));
    EtcdctlLock first(*m_etcd, QStringLiteral("lk/a"), 60);
    QVERIFY(!first.key().isEmpty());
    QVERIFY(saw(EventKind::Acquired));
    QCOMPARE(m_client->last(EventKind::Acquired).owner, first.lease());
    QVERIFY(m_client->last(EventKind::Acquired).ttlMs.value_or(0) > 55'000);
    EtcdctlLock second(*m_etcd, QStringLiteral("lk/a"), 60);
    QVERIFY(saw(EventKind::WaitStart));
    const QByteArray waiter = m_client->last(EventKind::WaitStart).waiter.value_or(QByteArray());
    QTRY_COMPARE(state().waiters.size(), 1);
    Output chains;
    const auto bothAreThere = [&] {
        chains = ctl({QStringLiteral("--json"), QStringLiteral("chains")});
        return chains.out.contains(first.lease()) && chains.out.contains(waiter) &&
               chains.out.count("\"waiting_since_us\":null") == 1; // the holder: each wait is dated
    };
    QTRY_VERIFY2(bothAreThere(), chains.out.constData());
    first.release();
    QCOMPARE(waiter, [&] {
        second.key();
        return second.lease();
    }());
    QVERIFY(saw(EventKind::WaitEnd));
    QTRY_COMPARE(state().owner, second.lease());
    second.release();
    QTRY_VERIFY(!state().isHeld());
    QCOMPARE(m_client->count(EventKind::Expired), 0);
    // A dead holder's lock ends with its lease, which counts as an expiry and not as a release.
    EtcdctlLock third(*m_etcd, QStringLiteral("lk/a"), 2);
    QVERIFY(!third.key().isEmpty());
    QTRY_VERIFY(state().isHeld());
    third.kill();
    QTRY_COMPARE_WITH_TIMEOUT(m_client->count(EventKind::Expired), 1, 15'000);
}

/** Holds that come and go between two readings, also while the agent is away. */
void TestAgentEtcd::aWatchMissesNothing()
{
    constexpr int kHolds = 10;
    QVERIFY(begin(true));
    QTRY_COMPARE(m_client->sources.value(QStringLiteral("s")).mode, domain::ObservationMode::Push);
    const QByteArray lease = m_etcd->grant(600);
    const auto hold = [&] {
        for (int i = 0; i < kHolds; ++i) {
            m_etcd->ctl({QStringLiteral("put"), QStringLiteral("lk/a"), QStringLiteral("w"),
                         QLatin1String("--lease=") + QLatin1String(lease)});
            m_etcd->ctl({QStringLiteral("del"), QStringLiteral("lk/a")});
        }
    };
    hold();
    QTRY_COMPARE(m_client->count(EventKind::Released), kHolds);
    QCOMPARE(m_client->count(EventKind::Acquired), kHolds);
    m_agent->kill();
    hold();
    QVERIFY(m_agent->start());
    const auto released = [this] {
        const Output history =
            ctl({QStringLiteral("--json"), QStringLiteral("history"), QStringLiteral("--event"),
                 QStringLiteral("released"), QStringLiteral("--from"), QStringLiteral("-1h")});
        return history.out.count("\"lk/a\"");
    };
    QTRY_COMPARE_WITH_TIMEOUT(released(), 2 * kHolds, 20'000);
    const Output gaps = ctl({QStringLiteral("--json"), QStringLiteral("history"), QStringLiteral("--event"),
                             QStringLiteral("gap_opened"), QStringLiteral("--from"), QStringLiteral("-1h")});
    QVERIFY2(!gaps.out.contains("agent_restarted"), gaps.out.constData());
}

void TestAgentEtcd::brokenFromTheShell()
{
    QVERIFY(begin(true));
    EtcdctlLock first(*m_etcd, QStringLiteral("lk/a"), 60);
    QVERIFY(!first.key().isEmpty());
    EtcdctlLock second(*m_etcd, QStringLiteral("lk/a"), 60);
    QTRY_COMPARE(state().waiters.size(), 1);
    const Output locks = ctl({QStringLiteral("--json"), QStringLiteral("locks")});
    const QJsonObject lock = QJsonDocument::fromJson(locks.out.trimmed()).object();
    QCOMPARE(lock.value(QLatin1String("state")).toString(), QStringLiteral("contended"));
    QCOMPARE(lock.value(QLatin1String("store")).toString(), QStringLiteral("etcd"));
    QVERIFY(lock.value(QLatin1String("fencing")).toString().toLongLong() > 0);
    QCOMPARE(lock.value(QLatin1String("waiters")).toArray().size(), 1);
    const auto told = [this](const QByteArray &line) { return m_agent->httpGet("/metrics").contains(line); };
    for (const char *line :
         {"lockkeeper_locks{source=\"s\",scheme=\"etcd.lease\",state=\"contended\"} 1",
          "lockkeeper_source_up{source=\"s\"} 1", "lockkeeper_source_pushing{source=\"s\"} 1",
          "lockkeeper_source_finding{source=\"s\",code=\"single_member\",severity=\"notice\"} 1"})
        QTRY_VERIFY2(told(line), line);
    m_etcd->ctl({QStringLiteral("put"), QStringLiteral("app/cursor"), QStringLiteral("7"),
                 QLatin1String("--lease=") + QLatin1String(first.lease())});
    const QStringList release{QStringLiteral("release"), QStringLiteral("s"),
                              QStringLiteral("lk/a"),    QStringLiteral("--reason"),
                              QStringLiteral("test"),    QStringLiteral("--yes"),
                              QStringLiteral("--guard"), lock.value(QLatin1String("guard")).toString()};
    const Output dry = ctl(release + QStringList{QStringLiteral("--dry-run")});
    QVERIFY2(dry.out.contains("Its lease   stays; other keys on it: 1 (app/cursor)\n"), dry.out.constData());
    const Output json =
        ctl(QStringList{QStringLiteral("--json")} + release + QStringList{QStringLiteral("--dry-run")});
    QVERIFY2(json.out.contains("\"companions\":1") &&
                 json.out.contains("\"companion_names\":[\"app/cursor\"]"),
             json.out.constData());
    const Output done = ctl(release);
    QVERIFY2(done.status == 0, (done.out + done.err).constData());
    QVERIFY(!second.key().isEmpty());
    QVERIFY(saw(EventKind::ForceReleased));
    QCOMPARE(m_client->last(EventKind::ForceReleased).owner, first.lease());
    QTRY_COMPARE(state().owner, second.lease());
    const Output again = ctl(release);
    QVERIFY2(again.status == 5, (again.out + again.err).constData());
    QCOMPARE(state().owner, second.lease());
}

void TestAgentEtcd::aStoreThatIsAwayIsAGap_data()
{
    QTest::addColumn<bool>("frozen");
    QTest::newRow("killed") << false;
    QTest::newRow("frozen") << true;
}

void TestAgentEtcd::aStoreThatIsAwayIsAGap()
{
    QFETCH(bool, frozen);
    QVERIFY(begin());
    const QByteArray lease = m_etcd->grant(600);
    m_etcd->ctl({QStringLiteral("put"), QStringLiteral("lk/a"), QStringLiteral("host-1"),
                 QLatin1String("--lease=") + QLatin1String(lease)});
    QTRY_VERIFY(state().isHeld());
    const QByteArray guard = state().guard;
    if (frozen)
        m_etcd->pause();
    else
        m_etcd->kill();
    QVERIFY(saw(EventKind::SourceDown));
    if (frozen)
        m_etcd->resume();
    else
        QVERIFY(m_etcd->restart());
    QVERIFY(saw(EventKind::GapClosed));
    QTRY_VERIFY(state().isHeld() && state().release.possible());
    QCOMPARE(state().guard, guard);
    QCOMPARE(m_client->count(EventKind::Acquired), 1);
    QCOMPARE(m_client->count(EventKind::Released) + m_client->count(EventKind::Expired), 0);
}

LOCKKEEPER_TEST(TestAgentEtcd)

} // namespace tst_agent_etcd

#include "tst_agent_etcd.moc"
