// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/agent_fixture.h"
#include "tests/support/freeze.h"
#include "tests/support/redis_server.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTest>

#include <csignal>

namespace tst_agent_alerts {

using namespace lockkeeper;
using namespace lockkeeper::tests;
using domain::Alert;
using AlertVerb = protocol::AlertAction::AlertVerb;

namespace {

/** A webhook that keeps every body, and answers with `status`. */
class Webhook : public QObject
{
public:
    Webhook()
    {
        connect(&m_server, &QTcpServer::newConnection, this, [this] {
            QTcpSocket *socket = m_server.nextPendingConnection();
            connect(socket, &QTcpSocket::readyRead, this, [this, socket] { read(socket); });
            connect(socket, &QTcpSocket::disconnected, socket, &QObject::deleteLater);
        });
    }
    bool listen()
    {
        return m_server.listen(QHostAddress::LocalHost, m_port) && (m_port = m_server.serverPort());
    }
    void stop() { m_server.close(); }
    QByteArray url() const { return "http://127.0.0.1:" + QByteArray::number(m_port) + "/alerts"; }

    QList<QJsonObject> bodies;
    int status = 200;

private:
    void read(QTcpSocket *socket)
    {
        QByteArray &text = m_texts[socket];
        text += socket->readAll();
        const qsizetype head = text.indexOf("\r\n\r\n");
        const qsizetype at = text.toLower().indexOf("content-length:");
        if (head < 0 || at < 0)
            return;
        const qint64 size = text.mid(at + 15, text.indexOf('\r', at) - at - 15).trimmed().toLongLong();
        if (text.size() < head + 4 + size)
            return;
        if (status == 200)
            bodies.append(QJsonDocument::fromJson(text.mid(head + 4, size)).object());
        m_texts.remove(socket);
        socket->write("HTTP/1.1 " + QByteArray::number(status) +
                      " Answer\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
        socket->disconnectFromHost();
    }

    QTcpServer m_server;
    quint16 m_port = 0;
    QHash<QTcpSocket *, QByteArray> m_texts;
};

} // namespace

/** A real agent whose rules fire on a real server, and a receiver. */
class TestAgentAlerts : public AgentFixture
{
    Q_OBJECT

private Q_SLOTS:
    void firesDeliversAndEnds();
    void acknowledgesAndSnoozes();
    void acknowledgesAtPagerDuty();
    void survivesAKill();
    void deliversOnceItCan();
    void shownInMetrics();
    void tenThousandAtOnceAreOneMessage();
    void aSleepFiresNothingFalse();

private:
    void configure(const RedisServer &redis, const QByteArray &more = {})
    {
        m_agent->configure("[alerts]\nsettle = \"0s\"\n[[alert]]\nname = \"stuck\"\nclear_for = \"0s\"\n" +
                           more + "[[source]]\nname = \"orders\"\nurl = \"" + redis.url().toEncoded() +
                           "\"\npoll_ms = 100\n  [[source.locks]]\n  scheme = \"redis.token\"\n"
                           "  match = \"lock:*\"\n  no_expiry_after = \"1s\"\n");
    }
    static QByteArray receiver(const Webhook &hook)
    {
        return "[[receiver]]\nname = \"hook\"\ntype = \"webhook\"\nurl = \"" + hook.url() + "\"\n";
    }
    QList<Alert> alerts()
    {
        const auto page = m_client->ask<protocol::AlertsPage>(protocol::AlertsQuery{});
        return page ? page->alerts : QList<Alert>();
    }
    /** The one alert of the rule `stuck`; an empty id: none. */
    Alert stuck()
    {
        for (const Alert &alert : alerts()) {
            if (alert.rule == QLatin1String("stuck"))
                return alert;
        }
        return {};
    }
};

void TestAgentAlerts::firesDeliversAndEnds()
{
    RedisServer redis;
    Webhook hook;
    QVERIFY(redis.start() && hook.listen());
    configure(redis, receiver(hook));
    QVERIFY(startWatched());
    redis.command({"SET", "lock:dead", "3b5f0c1e8d0a4c7e9f2b6a1d5e4c3b2a"});
    QTRY_COMPARE(hook.bodies.size(), 1);
    const Alert fired = stuck();
    QCOMPARE(fired.lock.name, QByteArray("lock:dead"));
    QCOMPARE(fired.severity, domain::AlertSeverity::Warning);
    QVERIFY(!fired.isResolved());
    QCOMPARE(hook.bodies[0].value(QLatin1String("id")).toString(), QString::fromLatin1(fired.id));
    redis.command({"DEL", "lock:dead"});
    QTRY_COMPARE(hook.bodies.size(), 2);
    QCOMPARE(hook.bodies[1].value(QLatin1String("id")).toString(), QString::fromLatin1(fired.id));
    QVERIFY(stuck().isResolved());
}

void TestAgentAlerts::acknowledgesAndSnoozes()
{
    RedisServer redis;
    QVERIFY(redis.start());
    configure(redis);
    QVERIFY(startWatched());
    redis.command({"SET", "lock:dead", "3b5f0c1e8d0a4c7e9f2b6a1d5e4c3b2a"});
    QTRY_VERIFY(!stuck().id.isEmpty());
    const QByteArray id = stuck().id;
    QVERIFY(m_client->ask<protocol::Done>(protocol::AlertAction{0, id, AlertVerb::Acknowledge, 0}));
    QVERIFY(m_client->ask<protocol::Done>(protocol::AlertAction{0, id, AlertVerb::Snooze, 2'000'000}));
    const Alert snoozed = stuck();
    QCOMPARE(snoozed.acknowledgedBy, snoozed.snoozedBy);
    QVERIFY(!snoozed.snoozedBy.isEmpty());
    QTRY_VERIFY(!stuck().snoozedUntilUs);
    QVERIFY(stuck().acknowledgedUs);
    const auto refused =
        m_client->ask<protocol::Failed>(protocol::AlertAction{0, "00", AlertVerb::Snooze, 1});
    QVERIFY(refused);
    QCOMPARE(refused->error.code, base::ErrorCode::NotFound);
    const auto none = m_client->ask<protocol::Failed>(protocol::ReceiverTest{0, QStringLiteral("nobody")});
    QVERIFY(none);
}

void TestAgentAlerts::acknowledgesAtPagerDuty()
{
    RedisServer redis;
    Webhook hook;
    QVERIFY(redis.start() && hook.listen());
    QFile key(m_agent->folder() + QStringLiteral("/pagerduty.key"));
    QVERIFY(key.open(QIODevice::WriteOnly) && key.write("0123456789abcdef0123456789abcdef") == 32);
    key.close();
    configure(redis, "[[receiver]]\nname = \"pager\"\ntype = \"pagerduty\"\nrouting_key = "
                     "\"file:pagerduty.key\"\nurl = \"" +
                         hook.url() + "\"\n");
    QVERIFY(startWatched());
    redis.command({"SET", "lock:dead", "3b5f0c1e8d0a4c7e9f2b6a1d5e4c3b2a"});
    QTRY_COMPARE(hook.bodies.size(), 1);
    QVERIFY(m_client->ask<protocol::Done>(protocol::AlertAction{0, stuck().id, AlertVerb::Acknowledge, 0}));
    QTRY_COMPARE(hook.bodies.size(), 2);
    redis.command({"DEL", "lock:dead"});
    QTRY_COMPARE(hook.bodies.size(), 3);
    QStringList actions;
    for (const QJsonObject &body : std::as_const(hook.bodies))
        actions.append(body.value(QLatin1String("event_action")).toString());
    QCOMPARE(actions, QStringList({QStringLiteral("trigger"), QStringLiteral("acknowledge"),
                                   QStringLiteral("resolve")}));
}

void TestAgentAlerts::survivesAKill()
{
    RedisServer redis;
    Webhook hook;
    QVERIFY(redis.start() && hook.listen());
    configure(redis, receiver(hook));
    QVERIFY(startWatched());
    redis.command({"SET", "lock:dead", "3b5f0c1e8d0a4c7e9f2b6a1d5e4c3b2a"});
    QTRY_COMPARE(hook.bodies.size(), 1);
    const Alert fired = stuck();
    m_agent->kill();
    m_client = std::make_unique<TestClient>();
    QVERIFY(startWatched());
    QCOMPARE(stuck().id, fired.id);
    QVERIFY(!stuck().isResolved());
    // It ended while nobody watched: the next start ends it, once, and fires no second one.
    m_agent->kill();
    redis.command({"DEL", "lock:dead"});
    m_client = std::make_unique<TestClient>();
    QVERIFY(startWatched());
    QTRY_VERIFY(stuck().isResolved());
    QCOMPARE(stuck().id, fired.id);
    QTRY_COMPARE(hook.bodies.size(), 2);
    QCOMPARE(hook.bodies[1].value(QLatin1String("id")).toString(), QString::fromLatin1(fired.id));
}

void TestAgentAlerts::deliversOnceItCan()
{
    RedisServer redis;
    Webhook hook;
    QVERIFY(redis.start() && hook.listen());
    configure(redis, receiver(hook));
    hook.status = 500;
    QVERIFY(startWatched());
    redis.command({"SET", "lock:dead", "3b5f0c1e8d0a4c7e9f2b6a1d5e4c3b2a"});
    QTRY_VERIFY(!stuck().id.isEmpty());
    redis.command({"DEL", "lock:dead"});
    QTRY_VERIFY(stuck().isResolved());
    hook.status = 200;
    QTRY_COMPARE(hook.bodies.size(), 1); // both its beginning and its end
    QCOMPARE(hook.bodies[0].value(QLatin1String("id")).toString(), QString::fromLatin1(stuck().id));
}

void TestAgentAlerts::shownInMetrics()
{
    RedisServer redis;
    QVERIFY(redis.start());
    configure(redis);
    QVERIFY(startWatched());
    QVERIFY(m_agent->httpGet("/metrics").contains("\nlockkeeper_alerts_active{severity=\"warning\"} 0"));
    redis.command({"SET", "lock:dead", "3b5f0c1e8d0a4c7e9f2b6a1d5e4c3b2a"});
    QTRY_VERIFY(m_agent->httpGet("/metrics").contains("\nlockkeeper_alerts_active{severity=\"warning\"} 1"));
}

void TestAgentAlerts::tenThousandAtOnceAreOneMessage()
{
    RedisServer redis;
    Webhook hook;
    QVERIFY(redis.start() && hook.listen());
    configure(redis, receiver(hook));
    QVERIFY(startWatched());
    redis.command({"EVAL", "for i = 1, 10000 do redis.call('SET', 'lock:' .. i, ARGV[1]) end", "0",
                   "3b5f0c1e8d0a4c7e9f2b6a1d5e4c3b2a"});
    const auto count = [&] { return stuck().detail.value(QLatin1String("count")).toInteger(); };
    QTRY_COMPARE_WITH_TIMEOUT(count(), 10'000, 30'000);
    const QByteArray storm = stuck().id;
    QTRY_VERIFY(!hook.bodies.isEmpty());
    redis.command({"FLUSHDB"});
    QTRY_VERIFY_WITH_TIMEOUT(stuck().isResolved(), 30'000);
    QCOMPARE(alerts().size(), 1);
    QTRY_VERIFY(!hook.bodies.constLast().value(QLatin1String("resolved_us")).isNull());
    for (const QJsonObject &body : std::as_const(hook.bodies))
        QCOMPARE(body.value(QLatin1String("id")).toString(), QString::fromLatin1(storm));
    QVERIFY2(hook.bodies.size() <= 10, QByteArray::number(hook.bodies.size()).constData());
}

/** The lock changes hands while the agent's machine stands still: neither hold was long. */
void TestAgentAlerts::aSleepFiresNothingFalse()
{
    RedisServer redis;
    QVERIFY(redis.start());
    configure(redis, "[[alert]]\nname = \"long\"\nwhen = \"held_for\"\nthreshold = \"4s\"\n");
    QVERIFY(startWatched());
    const domain::LockKey key{QStringLiteral("orders"), "redis.token", "db0", "lock:a"};
    const auto tokenNow = [&] {
        const auto all = m_client->list();
        return all ? all->value(key).token : QByteArray();
    };
    const QByteArray before = "3b5f0c1e8d0a4c7e9f2b6a1d5e4c3b2a";
    const QByteArray after = "77777c1e8d0a4c7e9f2b6a1d5e4c3b2a";
    redis.command({"SET", "lock:a", before, "PX", "600000"});
    QTRY_COMPARE(tokenNow(), before);
    redis.command({"SET", "alarm-clock", "1", "PX", "4500"});
    freeze(m_agent->pid());
    QTRY_COMPARE_WITH_TIMEOUT(redis.command({"EXISTS", "alarm-clock"}).integer, 0, 20'000);
    redis.command({"SET", "lock:a", after, "PX", "600000"});
    ::kill(pid_t(m_agent->pid()), SIGCONT);
    QTRY_COMPARE(tokenNow(), after);
    const auto longHolds = [this] {
        QList<Alert> found = alerts();
        found.removeIf([](const Alert &alert) { return alert.rule != QLatin1String("long"); });
        return found;
    };
    QCOMPARE(longHolds(), QList<Alert>());
    QTRY_COMPARE_WITH_TIMEOUT(longHolds().size(), 1, 20'000); // the hold that really lasts
    QCOMPARE(longHolds().first().holder, after);
    QCOMPARE(longHolds().first().lock, key);
}

LOCKKEEPER_TEST(TestAgentAlerts)

} // namespace tst_agent_alerts

#include "tst_agent_alerts.moc"
