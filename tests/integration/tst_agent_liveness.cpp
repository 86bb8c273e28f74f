// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/agent_fixture.h"
#include "tests/support/redis_server.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QJsonObject>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTest>

namespace tst_agent_liveness {

using namespace lockkeeper;
using namespace lockkeeper::tests;
using domain::HolderCheck;
using domain::HolderEvidence;
using domain::HolderVerdict;
using events::EventKind;

namespace {

/** A cluster's API with one pod and its node. */
class SmallCluster : public QObject
{
public:
    SmallCluster()
    {
        connect(&m_server, &QTcpServer::newConnection, this, [this] {
            QTcpSocket *socket = m_server.nextPendingConnection();
            connect(socket, &QTcpSocket::disconnected, socket, &QObject::deleteLater);
            connect(socket, &QTcpSocket::readyRead, this, [this, socket] {
                const QByteArray path = socket->readAll().split(' ').value(1);
                const QByteArray body = path.startsWith("/api/v1/nodes/") ? node
                                        : isPodThere                      ? pod
                                                                          : notFound;
                socket->write("HTTP/1.0 " + QByteArray(body == notFound ? "404 Not Found" : "200 OK") +
                              "\r\nContent-Length: " + QByteArray::number(body.size()) + "\r\n\r\n" + body);
                socket->disconnectFromHost();
            });
        });
        m_server.listen(QHostAddress::LocalHost);
    }
    QByteArray kubeconfig() const
    {
        return "current-context: c\ncontexts:\n- name: c\n  context:\n    cluster: k\nclusters:\n- name: k\n"
               "  cluster:\n    server: http://127.0.0.1:" +
               QByteArray::number(m_server.serverPort()) + "\n";
    }

    bool isPodThere = true;
    QByteArray node = "{\"kind\":\"Node\",\"status\":{\"conditions\":[{\"type\":\"Ready\",\"status\":"
                      "\"True\"}]}}";

private:
    const QByteArray pod =
        "{\"kind\":\"Pod\",\"metadata\":{\"name\":\"pod-1\",\"creationTimestamp\":\"2026-01-01T00:00:00Z\"},"
        "\"spec\":{\"nodeName\":\"n\"},\"status\":{\"phase\":\"Running\",\"containerStatuses\":[{\"state\":"
        "{\"running\":{\"startedAt\":\"2026-01-01T00:00:01Z\"}}}]}}";
    const QByteArray notFound = "{\"kind\":\"Status\",\"reason\":\"NotFound\",\"details\":{\"kind\":"
                                "\"pods\",\"name\":\"pod-1\"}}";
    QTcpServer m_server;
};

} // namespace

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
    void podsOfAKubernetesCluster();
    void alertsNameTheVerdict();
    void clientsOfTheServer();

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
    QCOMPARE(m_client->last(EventKind::Stuck).detail.reason, domain::StuckReason::HolderGone);
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

void TestAgentLiveness::podsOfAKubernetesCluster()
{
    RedisServer redis;
    SmallCluster cluster;
    QVERIFY(redis.start());
    QFile file(m_agent->folder() + QStringLiteral("/kubeconfig"));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(cluster.kubeconfig()) > 0);
    file.close();
    configure(redis, rule("kubernetes = { namespace = \"shop\", pod = \"{pod}\", kubeconfig = \"" +
                          file.fileName().toUtf8() + "\" }"));
    QVERIFY(startWatched());
    redis.command({"SET", "lock:a", "pod-1@10.0.0.7", "EX", "600"});
    QVERIFY(m_client->saw(EventKind::Acquired, "lock:a"));
    const HolderCheck alive = look("lock:a");
    QVERIFY2(alive.error == base::Error(), qPrintable(alive.error.line()));
    QCOMPARE(alive.evidence, HolderEvidence::PodRunning);
    QCOMPARE(alive.target, QByteArray("shop/pod-1"));
    cluster.node.replace("True", "Unknown");
    QTRY_COMPARE(look("lock:a").evidence, HolderEvidence::NodeNotReady);
    cluster.isPodThere = false;
    QTRY_COMPARE(look("lock:a").evidence, HolderEvidence::PodGone);
    QVERIFY(m_client->saw(EventKind::Stuck, "lock:a"));
}

void TestAgentLiveness::alertsNameTheVerdict()
{
    RedisServer redis;
    QVERIFY(redis.start());
    configure(redis, rule("command = [\"/usr/bin/test\", \"{pod}\", \"=\", \"pod-1\"]") +
                         "[alerts]\nsettle = \"0s\"\n");
    QVERIFY(startWatched());
    redis.command({"SET", "lock:a", "pod-2@10.0.0.7", "EX", "600"});
    QVERIFY(m_client->saw(EventKind::Acquired, "lock:a"));
    QCOMPARE(look("lock:a").verdict, HolderVerdict::Dead);
    const auto liveness = [this]() -> QJsonObject {
        const auto page = m_client->ask<protocol::AlertsPage>(protocol::AlertsQuery{});
        for (const domain::Alert &alert : page ? page->alerts : QList<domain::Alert>()) {
            if (alert.condition == domain::AlertCondition::Stuck)
                return alert.detail.value(QLatin1String("liveness")).toObject();
        }
        return {};
    };
    QTRY_COMPARE(liveness().value(QLatin1String("verdict")).toString(), QStringLiteral("dead"));
    QCOMPARE(liveness().value(QLatin1String("evidence")).toString(), QStringLiteral("exit_code"));
    QVERIFY(liveness().value(QLatin1String("checked_us")).toInteger() > 0);
}

void TestAgentLiveness::clientsOfTheServer()
{
    RedisServer redis;
    QVERIFY(redis.start({}, true));
    configure(redis, rule("allow = [\"127.0.0.0/8\"]\nredis = \"{ip}\""));
    QVERIFY(startWatched());
    redis.command({"SET", "lock:a", "pod-1@127.0.0.1", "EX", "600"});
    redis.command({"SET", "lock:b", "pod-2@10.0.0.7", "EX", "600"});
    QVERIFY(m_client->saw(EventKind::Acquired, "lock:a"));
    QVERIFY(m_client->saw(EventKind::Acquired, "lock:b"));
    QTcpSocket holder;
    holder.connectToHost(QHostAddress::LocalHost, redis.port());
    QVERIFY(holder.waitForConnected());
    QTRY_COMPARE(look("lock:a").evidence, HolderEvidence::ConnectionListed);
    QCOMPARE(look("lock:a").verdict, HolderVerdict::Alive);
    const HolderCheck absent = look("lock:b");
    QCOMPARE(absent.evidence, HolderEvidence::ConnectionAbsent);
    QCOMPARE(absent.verdict, HolderVerdict::Unknown); // it may connect again
    holder.disconnectFromHost();
    QTRY_COMPARE(look("lock:a").evidence, HolderEvidence::ConnectionAbsent);
    QCOMPARE(look("lock:a").verdict, HolderVerdict::Unknown);
}

LOCKKEEPER_TEST(TestAgentLiveness)

} // namespace tst_agent_liveness

#include "tst_agent_liveness.moc"
