// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/agent_fixture.h"
#include "tests/support/redis_server.h"
#include "tests/support/test_program.h"

#include <QTcpServer>
#include <QTest>

namespace tst_agent_liveness {

using namespace lockkeeper;
using namespace lockkeeper::tests;
using domain::HolderCheck;
using domain::HolderEvidence;
using domain::HolderVerdict;
using events::EventKind;

/** A real agent asks the holders of a real server's locks. */
class TestAgentLiveness : public AgentFixture
{
    Q_OBJECT

private Q_SLOTS:
    void aPortCloses();
    void commands();
    void hostileHolders_data();
    void hostileHolders();
    void theReaperWaitsForADeadHolder();

private:
    void configure(const RedisServer &redis, const QByteArray &rules, const QByteArray &set = {})
    {
        m_agent->configure("[[source]]\nname = \"orders\"\nurl = \"" + redis.url().toEncoded() +
                           "\"\npoll_ms = 100\n  [[source.locks]]\n  scheme = \"redis.token\"\n"
                           "  match = \"lock:*\"\n" +
                           set + rules);
    }
    static QByteArray rule(const QByteArray &probe)
    {
        return "[[liveness]]\nname = \"pods\"\nholder = '(?<pod>[^@]*)@(?<ip>.*)'\nevery = \"1s\"\n"
               "timeout = \"5s\"\n" +
               probe + '\n';
    }
    HolderCheck look(const QByteArray &name)
    {
        const auto page = m_client->ask<protocol::HolderChecksPage>(
            protocol::HolderChecksQuery{0, {QStringLiteral("orders"), "redis.token", "db0", name}});
        return page && page->checks.size() == 1 ? page->checks.constFirst() : HolderCheck();
    }
};

void TestAgentLiveness::aPortCloses()
{
    RedisServer redis;
    QTcpServer holder;
    QVERIFY(redis.start() && holder.listen(QHostAddress::LocalHost));
    const QByteArray port = QByteArray::number(holder.serverPort());
    configure(redis, rule("allow = [\"127.0.0.0/8\"]\ntcp = \"{ip}:" + port + "\""));
    QVERIFY(startWatched());
    redis.command({"SET", "lock:a", "pod-1@127.0.0.1", "EX", "600"});
    QVERIFY(m_client->saw(EventKind::Acquired, "lock:a"));
    const HolderCheck alive = look("lock:a");
    QCOMPARE(alive.verdict, HolderVerdict::Alive);
    QCOMPARE(alive.evidence, HolderEvidence::Connected);
    QCOMPARE(alive.target, QByteArray("127.0.0.1:" + port));
    QVERIFY(!alive.guard.isEmpty());
    holder.close();
    QTRY_COMPARE(look("lock:a").verdict, HolderVerdict::Dead);
    QVERIFY(m_client->saw(EventKind::Stuck, "lock:a"));
    QCOMPARE(m_client->last(EventKind::Stuck).detail.value(QLatin1String("reason")).toString(),
             QStringLiteral("holder_gone"));
    // It listens again: the agent notices by itself, since the lock is stuck.
    QVERIFY(holder.listen(QHostAddress::LocalHost, quint16(port.toInt())));
    QVERIFY(m_client->saw(EventKind::Unstuck, "lock:a"));
    const auto all = m_client->ask<protocol::HolderChecksPage>(protocol::HolderChecksQuery{});
    QVERIFY(all);
    QCOMPARE(all->checks.size(), 1);
    QCOMPARE(all->checks[0].verdict, HolderVerdict::Alive);
    redis.command({"DEL", "lock:a"});
    QVERIFY(m_client->saw(EventKind::Released, "lock:a"));
    QCOMPARE(look("lock:a").evidence, HolderEvidence::NoHolder);
    const auto none = m_client->ask<protocol::HolderChecksPage>(protocol::HolderChecksQuery{});
    QVERIFY(none && none->checks.isEmpty());
}

void TestAgentLiveness::commands()
{
    RedisServer redis;
    QVERIFY(redis.start());
    configure(redis, rule("command = [\"/usr/bin/test\", \"{pod}\", \"=\", \"pod-1\"]"));
    QVERIFY(startWatched());
    redis.command({"SET", "lock:a", "pod-1@10.0.0.7", "EX", "600"});
    redis.command({"SET", "lock:b", "pod-2@10.0.0.7", "EX", "600"});
    QVERIFY(m_client->saw(EventKind::Acquired, "lock:a") && m_client->saw(EventKind::Acquired, "lock:b"));
    QCOMPARE(look("lock:a").verdict, HolderVerdict::Alive);
    const HolderCheck dead = look("lock:b");
    QCOMPARE(dead.verdict, HolderVerdict::Dead);
    QCOMPARE(dead.evidence, HolderEvidence::ExitCode);
    QCOMPARE(dead.number, std::optional<qint64>(1));
    QVERIFY(m_client->saw(EventKind::Stuck, "lock:b"));
    // The next holder isn't stuck.
    redis.command({"SET", "lock:b", "pod-1@10.0.0.7", "EX", "600"});
    QVERIFY(m_client->saw(EventKind::TakenOver, "lock:b"));
    QTRY_COMPARE(look("lock:b").verdict, HolderVerdict::Alive);
    QCOMPARE(m_client->count(EventKind::Unstuck, "lock:b"), 0);
}

void TestAgentLiveness::hostileHolders_data()
{
    QTest::addColumn<QByteArray>("holder");
    QTest::addColumn<HolderEvidence>("evidence");
    QTest::newRow("a substitution") << QByteArray("$(reboot)@10.0.0.7") << HolderEvidence::NoMatch;
    QTest::newRow("an option") << QByteArray("-o@10.0.0.7") << HolderEvidence::NoMatch;
    QTest::newRow("metadata") << QByteArray("a@169.254.169.254") << HolderEvidence::TargetRefused;
    QTest::newRow("loopback") << QByteArray("a@127.0.0.1") << HolderEvidence::TargetRefused;
    QTest::newRow("the agent's own host by name")
        << QByteArray("a@localhost") << HolderEvidence::TargetRefused;
    QTest::newRow("another format") << QByteArray("3b5f0c1e8d0a") << HolderEvidence::NoMatch;
}

void TestAgentLiveness::hostileHolders()
{
    QFETCH(QByteArray, holder);
    QFETCH(HolderEvidence, evidence);
    RedisServer redis;
    QVERIFY(redis.start());
    configure(redis, rule("http = \"http://{ip}:80/{pod}\""));
    QVERIFY(startWatched());
    redis.command({"SET", "lock:a", holder, "EX", "600"});
    QVERIFY(m_client->saw(EventKind::Acquired, "lock:a"));
    const HolderCheck check = look("lock:a");
    QCOMPARE(check.evidence, evidence);
    QCOMPARE(check.verdict, HolderVerdict::Unknown);
}

void TestAgentLiveness::theReaperWaitsForADeadHolder()
{
    RedisServer redis;
    QVERIFY(redis.start());
    configure(redis, rule("command = [\"/usr/bin/test\", \"{pod}\", \"=\", \"pod-1\"]"),
              "  no_expiry_after = \"1s\"\n  reaper = \"dead\"\n  reaper_delay = \"1s\"\n");
    QVERIFY(startWatched());
    redis.command({"SET", "lock:alive", "pod-1@10.0.0.7", "EX", "600"});
    redis.command({"SET", "lock:dead", "pod-2@10.0.0.7", "EX", "600"});
    QVERIFY(m_client->saw(EventKind::Acquired, "lock:alive") &&
            m_client->saw(EventKind::Acquired, "lock:dead"));
    look("lock:dead"); // no trouble yet: somebody has to look
    QVERIFY(m_client->saw(EventKind::ForceReleased, "lock:dead"));
    QCOMPARE(look("lock:alive").verdict, HolderVerdict::Alive);
    const auto entry = [this] {
        const auto page = m_client->ask<protocol::AuditPage>(protocol::AuditQuery{});
        return page && page->entries.size() == 1 ? page->entries.constFirst() : domain::AuditEntry();
    };
    QTRY_COMPARE(entry().outcome, domain::Outcome::Released);
    QCOMPARE(entry().because, domain::Because::Stuck);
    QVERIFY2(entry().detail.contains(
                 QLatin1String("liveness: dead, exit_code of /usr/bin/test pod-2 = pod-1 at 20")),
             qPrintable(entry().detail));
    QCOMPARE(m_client->count(EventKind::ForceReleased, "lock:alive"), 0);
}

LOCKKEEPER_TEST(TestAgentLiveness)

} // namespace tst_agent_liveness

#include "tst_agent_liveness.moc"
