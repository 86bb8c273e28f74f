// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/agent_process.h"
#include "tests/support/redis_server.h"
#include "tests/support/test_client.h"
#include "tests/support/test_program.h"

#include <QDirIterator>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTest>

namespace tst_agent_discover {

using namespace lockkeeper;
using namespace lockkeeper::tests;
using domain::Outcome;

/** A real agent looks through a store that it doesn't observe, for a client. */
class TestAgentDiscover : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void findsWhatIsThere();
    void wrongPasswordIsNamedAndWrittenNowhere();
    void goesWithItsSession();

private:
    static protocol::DiscoverRequest request(char digit, const QString &url)
    {
        protocol::DiscoverRequest request;
        request.command = QByteArray(32, digit);
        request.url = url;
        return request;
    }
    QList<domain::AuditEntry> audit()
    {
        const auto page = m_client->ask<protocol::AuditPage>(protocol::AuditQuery{});
        return page ? page->entries : QList<domain::AuditEntry>();
    }

    std::unique_ptr<RedisServer> m_redis;
    std::unique_ptr<AgentProcess> m_agent;
    std::unique_ptr<TestClient> m_client;
};

void TestAgentDiscover::init()
{
    m_redis = std::make_unique<RedisServer>();
    m_agent = std::make_unique<AgentProcess>();
    m_client = std::make_unique<TestClient>();
    QVERIFY(m_redis->start({}, true));
    m_agent->configure("[[source]]\nname = \"elsewhere\"\nurl = \"redis://127.0.0.1:1/0\"\n"
                       "  [[source.locks]]\n  scheme = \"redis.token\"\n");
    QVERIFY(m_agent->start() && m_client->open(m_agent->socket()));
}

void TestAgentDiscover::cleanup()
{
    m_client.reset();
    m_agent.reset();
    m_redis.reset();
}

void TestAgentDiscover::findsWhatIsThere()
{
    for (int i = 0; i < 5; ++i)
        m_redis->command({"SET", "lock:job:" + QByteArray::number(i),
                          "8f14e45f-ceea-467f-a9c5-9d3f1c2b7e0" + QByteArray::number(i), "PX", "60000"});
    const auto found = m_client->ask<protocol::DiscoverResult>(request('a', m_redis->tcpUrl().toString()));
    QVERIFY(found);
    QCOMPARE(found->error, base::Error());
    QCOMPARE(found->discovery.store, QByteArray("redis"));
    QCOMPARE(found->discovery.tables, 5);
    QCOMPARE(found->discovery.found.size(), 1);
    QCOMPARE(found->discovery.found.at(0).scheme, QByteArray("redis.token"));
    QVERIFY(found->discovery.found.at(0).isProposed());
    const auto entries = audit();
    QCOMPARE(entries.size(), 1);
    QVERIFY(entries.at(0).isDiscovery());
    QCOMPARE(entries.at(0).outcome, Outcome::Discovered);
    QCOMPARE(QString::fromUtf8(entries.at(0).key.place), m_redis->tcpUrl().toString());
    QCOMPARE(m_client->ask<protocol::Status>(protocol::StatusQuery{})->sources.size(), 1); // as before
}

void TestAgentDiscover::wrongPasswordIsNamedAndWrittenNowhere()
{
    protocol::DiscoverRequest order = request('b', m_redis->tcpUrl().toString());
    order.password = "s3cret-never-written";
    m_redis->command({"CONFIG", "SET", "requirepass", "another"});
    const auto refused = m_client->ask<protocol::DiscoverResult>(order);
    QVERIFY(refused);
    QCOMPARE(refused->error.code, base::ErrorCode::Authentication);
    QVERIFY(!refused->error.line().contains(QLatin1String("s3cret")));
    m_client.reset();
    m_agent->terminate();
    QVERIFY2(!m_agent->log().contains("s3cret"), m_agent->log().constData());
    QDirIterator files(m_agent->folder(), QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext()) {
        QFile file(files.next());
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY2(!file.readAll().contains("s3cret"), qPrintable(file.fileName()));
    }
}

/** A store accepts the connection and never answers: the look ends with the session that requested it. */
void TestAgentDiscover::goesWithItsSession()
{
    QTcpServer silent;
    QVERIFY(silent.listen(QHostAddress::LocalHost));
    const QString url = QStringLiteral("redis://127.0.0.1:%1/0").arg(silent.serverPort());
    m_client->post(request('c', url));
    QTRY_VERIFY(silent.hasPendingConnections());
    QTcpSocket *link = silent.nextPendingConnection();
    m_client = std::make_unique<TestClient>();
    QVERIFY(m_client->open(m_agent->socket()));
    QTRY_COMPARE(link->state(), QAbstractSocket::UnconnectedState);
    QTRY_COMPARE(audit().value(0).outcome, Outcome::Unknown);
    QCOMPARE(audit().at(0).key.place, url.toUtf8());
}

LOCKKEEPER_TEST(TestAgentDiscover)

} // namespace tst_agent_discover

#include "tst_agent_discover.moc"
