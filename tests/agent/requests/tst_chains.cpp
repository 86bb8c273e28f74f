// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/requests/chains.h"
#include "shared/protocol/codec.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_chains {

using namespace lockkeeper;
using namespace lockkeeper::agent::requests;

/** A page of chains fits into a frame, whatever a server shows, and says where it was cut. */
class TestChains : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void smallGraphsStayWhole();
    void pageFits_data();
    void pageFits();
    void edgesGoWithTheirConnections();
};

/** A queue of `count` connections, each with a statement of `bytes`. */
static domain::WaitGraph queueOf(int count, int bytes)
{
    domain::WaitGraph graph;
    graph.source = QStringLiteral("orders-db");
    for (int i = 0; i < count; ++i) {
        domain::Session session;
        session.id = QByteArray::number(i);
        session.statement = QByteArray(bytes, 'x');
        graph.sessions.append(session);
        if (i > 0)
            graph.edges.append({session.id,
                                QByteArray::number(i - 1),
                                {graph.source, "sql.row", "app.t/PRIMARY", QByteArray(bytes, 'k')},
                                {},
                                0});
    }
    return graph;
}

void TestChains::smallGraphsStayWhole()
{
    const QList<domain::WaitGraph> graphs{queueOf(5, 100), queueOf(3, 10)};
    QCOMPARE(chainsPage(9, graphs), (protocol::ChainsPage{9, graphs}));
    QCOMPARE(chainsPage(9, {}), (protocol::ChainsPage{9, {}}));
}

void TestChains::pageFits_data()
{
    QTest::addColumn<int>("count");
    QTest::addColumn<int>("bytes");
    QTest::addColumn<int>("sources");
    QTest::newRow("long statements") << 20'000 << 1'024 << 1;
    QTest::newRow("many connections") << 300'000 << 0 << 1;
    QTest::newRow("many sources") << 3'000 << 1'024 << 8;
    QTest::newRow("one monster") << 2 << 16'000'000 << 1;
}

void TestChains::pageFits()
{
    QFETCH(int, count);
    QFETCH(int, bytes);
    QFETCH(int, sources);
    const auto page = chainsPage(1, QList<domain::WaitGraph>(sources, queueOf(count, bytes)));
    QCOMPARE(page.graphs.size(), sources);
    QVERIFY(page.graphs.constLast().truncated);
    const QByteArray encoded = protocol::encode(page);
    QVERIFY2(encoded.size() < qsizetype(protocol::kMaxFrame), qPrintable(QString::number(encoded.size())));
    QVERIFY(protocol::decode(encoded).has_value());
}

void TestChains::edgesGoWithTheirConnections()
{
    const auto page = chainsPage(1, {queueOf(100, 1'000)}, 60'000);
    const domain::WaitGraph &graph = page.graphs.constFirst();
    QVERIFY(graph.truncated);
    QVERIFY(graph.sessions.size() > 10 && graph.sessions.size() < 60);
    QVERIFY(!graph.edges.isEmpty() && graph.edges.size() < graph.sessions.size());
    for (const domain::WaitEdge &edge : graph.edges)
        QVERIFY(edge.waiter.toInt() < graph.sessions.size() && edge.blocker.toInt() < graph.sessions.size());
}

LOCKKEEPER_TEST(TestChains)

} // namespace tst_chains

#include "tst_chains.moc"
