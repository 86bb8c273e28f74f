// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/shared/stores/sql/stock_client.h"
#include "tests/support/agent_process.h"
#include "tests/support/mariadb_server.h"
#include "tests/support/test_client.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_agent_chains {

using namespace lockkeeper;
using namespace lockkeeper::tests;
using events::EventKind;
using events::LockEvent;

/** Sessions of stock clients that wait for a row, as a client of a real agent sees them. */
class TestAgentChains : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void waitsBeginAndEnd();

private:
    std::unique_ptr<StockClient> session() const
    {
        StockAddress to;
        to.socket = m_database.socketPath();
        return std::make_unique<StockClient>(StockClient::Kind::MariaDbCli, to);
    }
    bool saw(EventKind kind, int count)
    {
        const auto enough = [&](const LockEvent &) {
            return std::count_if(m_client.events.cbegin(), m_client.events.cend(),
                                 [kind](const LockEvent &e) { return e.kind == kind; }) >= count;
        };
        return m_client.waitForEvent(enough);
    }
    std::optional<domain::WaitGraph> graph()
    {
        const auto page = m_client.ask<protocol::ChainsPage>(protocol::ChainsQuery{});
        return page && page->graphs.size() == 1 ? std::optional(page->graphs.constFirst()) : std::nullopt;
    }

    MariaDbServer m_database{
        {QStringLiteral("--performance-schema=ON"), QStringLiteral("--innodb-lock-wait-timeout=60")}};
    AgentProcess m_agent;
    TestClient m_client;
};

void TestAgentChains::initTestCase()
{
    QVERIFY(m_database.start());
    m_database.exec(QStringLiteral("CREATE DATABASE app"));
    m_database.exec(QStringLiteral("CREATE TABLE jobs (id INT PRIMARY KEY, n INT);\n"
                                   "INSERT INTO jobs VALUES (17, 0), (18, 0)"),
                    QStringLiteral("app"));
    m_agent.configure("[[source]]\nname = \"db\"\nurl = \"" +
                      m_database.url(QStringLiteral("app")).toEncoded() +
                      "\"\npoll_ms = 200\n  [[source.locks]]\n  scheme = \"sql.row\"\n  table = \"jobs\"\n");
    QVERIFY(m_agent.start() && m_client.open(m_agent.socket()));
    m_client.subscribe(0);
    QVERIFY(saw(EventKind::SourceUp, 1));
}

void TestAgentChains::waitsBeginAndEnd()
{
    const auto holder = session();
    const auto first = session();
    const auto second = session();
    const QString take = QStringLiteral("SELECT n FROM jobs WHERE id = 17 FOR UPDATE");
    QVERIFY(holder->run(QStringLiteral("BEGIN")) && holder->run(take) &&
            holder->run(QStringLiteral("UPDATE jobs SET n = 1 WHERE id = 18")));
    QVERIFY(first->run(QStringLiteral("BEGIN")));
    first->send(take);
    QVERIFY(saw(EventKind::WaitStart, 1));
    second->send(take);
    QVERIFY(saw(EventKind::WaitStart, 2));
    const LockEvent start = m_client.events.constLast();
    QCOMPARE(start.key.name, QByteArray("17"));
    QCOMPARE(start.key.place, QByteArray("app.jobs/PRIMARY"));
    QVERIFY(start.waiter && start.owner.startsWith("root@") && *start.waiter != start.owner);
    QVERIFY(start.windowUs <= 1'000'000 && start.observedUs - start.timeUs < 10'000'000);
    const domain::LockState lock = m_client.table.locks.value(start.key);
    QCOMPARE(lock.waiters.size(), 2);
    QVERIFY(lock.waitersVisible && lock.session);
    QCOMPARE(domain::condition(lock, start.observedUs), domain::Condition::Contended);
    QCOMPARE(domain::liveness(lock, start.observedUs).verdict, domain::Alive::Connected);
    const auto seen = graph();
    QVERIFY(seen);
    QCOMPARE(seen->edges.size(), 2);
    const domain::Chains chains = domain::chainsOf(*seen);
    QCOMPARE(chains.nodes.constFirst().session.id, lock.session->id);
    QCOMPARE(chains.nodes.constFirst().blocksAll, 2);
    // The idle head, and the changes that a kill would undo. (Its last statement takes instruments that are
    // off by default.)
    QVERIFY(chains.nodes.constFirst().session.idleSinceUs);
    QCOMPARE(chains.nodes.constFirst().session.rowsChanged.value_or(-1), 1);
    // The next in turn gets it, and the last one still waits.
    QVERIFY(holder->run(QStringLiteral("COMMIT")));
    QVERIFY(saw(EventKind::TakenOver, 1) && saw(EventKind::WaitEnd, 1));
    const auto end = std::find_if(m_client.events.cbegin(), m_client.events.cend(),
                                  [](const LockEvent &e) { return e.kind == EventKind::WaitEnd; });
    QCOMPARE(end->detail.outcome, std::optional(events::WaitOutcome::Acquired));
    QCOMPARE(end->owner, *end->waiter);
    QVERIFY(first->finish() && first->run(QStringLiteral("COMMIT")));
    QVERIFY(second->finish());
    QVERIFY(saw(EventKind::WaitEnd, 2));
    QTRY_VERIFY(graph() && graph()->edges.isEmpty());
    QCOMPARE(m_client.faults, QStringList());
}

LOCKKEEPER_TEST(TestAgentChains)

} // namespace tst_agent_chains

#include "tst_agent_chains.moc"
