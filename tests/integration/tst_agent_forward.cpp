// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/agent/hub/hub_rig.h"
#include "tests/support/agent_process.h"
#include "tests/support/program.h"
#include "tests/support/redis_server.h"
#include "tests/support/test_program.h"

#include <QElapsedTimer>
#include <QRegularExpression>
#include <QUrl>

#include <csignal>

namespace tst_agent_forward {

using namespace lockkeeper;
using namespace lockkeeper::tests;

/** A real agent forwards what happens in a real Redis to a real PostgreSQL. */
class TestAgentForward : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void eachEventArrivesOnce();
    void killsLoseAndDoubleNothing();
    void anAbsentHubDelaysNoAgent();
    void reloadBeginsAndEndsForwarding();
    void theAuditArrivesVerified();

private:
    void configure(const QUrl &hub);
    qint64 metric(const char *name) const;
    /** True if the hub has every event of the agent, once and without a hole. */
    bool hubHasAll() const;
    void lockAndUnlock(int times);

    std::unique_ptr<RedisServer> m_redis;
    std::unique_ptr<HubRig> m_hub;
    std::unique_ptr<AgentProcess> m_agent;
    int m_locks = 0;
};

void TestAgentForward::init()
{
    m_redis = std::make_unique<RedisServer>();
    m_hub = std::make_unique<HubRig>();
    m_agent = std::make_unique<AgentProcess>();
    QVERIFY(m_redis->start());
    QVERIFY(m_hub->start());
    configure(m_hub->url(QStringLiteral("dc1")));
}

/** An empty URL: no [[forward]]. */
void TestAgentForward::configure(const QUrl &hub)
{
    QByteArray sections = "[[source]]\nname = \"s\"\nurl = \"" + m_redis->url().toEncoded() +
                          "\"\npoll_ms = 20\n  [[source.locks]]\n  scheme = \"redis.token\"\n";
    if (!hub.isEmpty())
        sections += "[[forward]]\nname = \"fleet\"\nurl = \"" +
                    hub.toEncoded().replace("postgresql:/", "postgresql:///") + "\"\n";
    m_agent->configure(sections, {}, "dc1");
}

void TestAgentForward::cleanup()
{
    m_agent.reset();
    m_hub.reset();
    m_redis.reset();
}

qint64 TestAgentForward::metric(const char *name) const
{
    const QRegularExpression line(QStringLiteral("\n%1(?:\\{[^}]*\\})? (\\d+)").arg(QLatin1String(name)));
    const auto found = line.match(QString::fromUtf8(m_agent->httpGet("/metrics")));
    return found.hasMatch() ? found.captured(1).toLongLong() : -1;
}

bool TestAgentForward::hubHasAll() const
{
    const qint64 last = metric("lockkeeper_journal_last_seq");
    const QByteArray has =
        m_hub->ask("SELECT concat_ws(' ', count(*), count(DISTINCT seq), min(seq), max(seq)) "
                   "FROM lockkeeper.events");
    const QByteArray all = QByteArray::number(last);
    return last > 1 && has == all + ' ' + all + " 1 " + all &&
           m_hub->ask("SELECT count(*) FROM lockkeeper.holes") == "0";
}

void TestAgentForward::lockAndUnlock(int times)
{
    for (int i = 0; i < times; ++i) {
        const QByteArray name = "lock:" + QByteArray::number(m_locks++ % 40);
        const qint64 before = metric("lockkeeper_journal_last_seq");
        m_redis->command({"SET", name, "3b5f0c1e8d0a4c7e9f2b6a1d5e4c3b2a", "PX", "30000"});
        QTRY_VERIFY(metric("lockkeeper_journal_last_seq") > before);
        m_redis->command({"DEL", name});
    }
}

void TestAgentForward::eachEventArrivesOnce()
{
    QVERIFY(m_agent->start());
    lockAndUnlock(30);
    QTRY_VERIFY(metric("lockkeeper_journal_last_seq") >= 60);
    QTRY_VERIFY2(hubHasAll(), m_agent->log().constData());
    QCOMPARE(m_hub->ask("SELECT count(*) FROM lockkeeper.holds"), QByteArray("30"));
    QCOMPARE(m_hub->ask("SELECT count(DISTINCT name) FROM lockkeeper.locks"), QByteArray("30"));
    QCOMPARE(metric("lockkeeper_forward_failing"), 0);
    QCOMPARE(metric("lockkeeper_forward_waiting_events"), 0);
    QCOMPARE(m_agent->terminate(), 0);
}

void TestAgentForward::killsLoseAndDoubleNothing()
{
    for (int kill = 0; kill < killsOr(6); ++kill) {
        if (!m_agent->isRunning())
            QVERIFY(m_agent->start());
        lockAndUnlock(4);
        if (kill % 3 == 2) {
            m_hub->server().stop();
            lockAndUnlock(3);
            QVERIFY(m_hub->server().start());
        } else {
            m_agent->kill();
        }
    }
    if (!m_agent->isRunning())
        QVERIFY(m_agent->start());
    QTRY_VERIFY_WITH_TIMEOUT(hubHasAll(), 60'000);
}

void TestAgentForward::anAbsentHubDelaysNoAgent()
{
    m_hub->server().stop();
    QVERIFY(m_agent->start());
    lockAndUnlock(10);
    QTRY_VERIFY(metric("lockkeeper_journal_last_seq") >= 20);
    QTRY_COMPARE(metric("lockkeeper_forward_failing"), 1);
    QVERIFY(metric("lockkeeper_forward_waiting_events") >= 20);
    QElapsedTimer taken;
    taken.start();
    QCOMPARE(m_agent->terminate(), 0);
    QVERIFY(taken.elapsed() < 6'000);
    QVERIFY(m_hub->server().start());
    QVERIFY(m_agent->start());
    QTRY_VERIFY_WITH_TIMEOUT(hubHasAll(), 60'000);
}

void TestAgentForward::reloadBeginsAndEndsForwarding()
{
    configure({});
    QVERIFY(m_agent->start());
    lockAndUnlock(5);
    QCOMPARE(metric("lockkeeper_forward_failing"), -1);
    configure(m_hub->url(QStringLiteral("dc1")));
    m_agent->signal(SIGHUP);
    QTRY_VERIFY(hubHasAll()); // from the oldest event on
    configure({});
    m_agent->signal(SIGHUP);
    QTRY_COMPARE(metric("lockkeeper_forward_failing"), -1);
    configure(m_hub->url(QStringLiteral("dc2"))); // the role of another agent
    m_agent->signal(SIGHUP);
    QTRY_COMPARE(metric("lockkeeper_forward_failing"), 1);
    QCOMPARE(metric("lockkeeper_forward_last_seq"), -1);
}

void TestAgentForward::theAuditArrivesVerified()
{
    QVERIFY(m_agent->start());
    m_redis->command({"SET", "lock:a", "alice", "PX", "600000"});
    QTRY_VERIFY(metric("lockkeeper_journal_last_seq") >= 2);
    const Output released =
        run("lockkeeperctl", {QStringLiteral("--agent"), QLatin1String("local:") + m_agent->socket(),
                              QStringLiteral("release"), QStringLiteral("s"), QStringLiteral("lock:a"),
                              QStringLiteral("--holder"), QStringLiteral("alice"), QStringLiteral("--reason"),
                              QStringLiteral("its worker is gone"), QStringLiteral("--yes")});
    QVERIFY2(released.status == 0, released.err.constData());
    QTRY_COMPARE(m_hub->ask("SELECT concat_ws(' ', count(*), bool_and(verified)) FROM lockkeeper.audit"),
                 QByteArray("2 t"));
    QTRY_VERIFY(m_hub->ask("SELECT count(*) FROM lockkeeper.events WHERE command IS NOT NULL") == "1");
    QCOMPARE(m_agent->terminate(), 0); // it signs the head at its end
    QVERIFY(m_agent->start());
    QTRY_VERIFY(m_hub->ask("SELECT count(*) FROM lockkeeper.signatures WHERE records = 2") == "1");
}

LOCKKEEPER_TEST(TestAgentForward)

} // namespace tst_agent_forward

#include "tst_agent_forward.moc"
