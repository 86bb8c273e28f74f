// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/domain/wait_graph.h"
#include "tests/support/processor_time.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>

namespace tst_wait_graph {

using namespace lockkeeper::domain;

namespace {
constexpr qint64 kNow = 1'000'000'000;

LockKey lockOf(const QByteArray &name)
{
    return {QStringLiteral("db"), "sql.row", "app.jobs/PRIMARY", name};
}

/** "a>b" reads "a waits for b"; each wait began a second after the one before it. */
WaitGraph graphOf(const QByteArray &edges)
{
    WaitGraph graph;
    graph.endedUs = kNow;
    qint64 since = kNow - 100'000'000;
    for (const QByteArray &edge : edges.split(' ')) {
        const qsizetype at = edge.indexOf('>');
        if (at < 0) {
            if (!edge.isEmpty()) {
                graph.sessions.append(Session());
                graph.sessions.last().id = edge;
            }
            continue;
        }
        graph.edges.append({edge.left(at), edge.mid(at + 1), lockOf(edge.mid(at + 1)), since, 0});
        since += 1'000'000;
    }
    return graph;
}

/** "b a[b] !": indented by depth with '.', cycle members marked '!', further blockers in brackets. */
QByteArray textOf(const Chains &chains)
{
    QByteArrayList nodes;
    for (const ChainNode &node : chains.nodes) {
        QByteArray text(node.depth, '.');
        text += node.session.id + (node.inCycle ? "!" : "");
        QByteArrayList others;
        for (const int other : node.alsoBlockedBy)
            others.append(chains.nodes.at(other).session.id);
        if (!others.isEmpty())
            text += '[' + others.join(',') + ']';
        nodes.append(text);
    }
    return nodes.join(' ');
}

QByteArray cyclesText(const Chains &chains)
{
    QByteArrayList cycles;
    for (const QList<int> &cycle : chains.cycles) {
        QByteArrayList ids;
        for (const int at : cycle)
            ids.append(chains.nodes.at(at).session.id);
        std::rotate(ids.begin(), std::min_element(ids.begin(), ids.end()), ids.end());
        cycles.append(ids.join('>'));
    }
    std::sort(cycles.begin(), cycles.end());
    return cycles.join(' ');
}
} // namespace

/** The waits between sessions, as a forest. */
class WaitGraphTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void shapes_data();
    void shapes();
    void countsWhoIsBehind();
    void parentsComeFirst_data();
    void parentsComeFirst();
    void thousandsOfSessions_data();
    void thousandsOfSessions();
    void keepsWhatBelongsToASession();
};

void WaitGraphTest::shapes_data()
{
    QTest::addColumn<QByteArray>("edges");
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("cycles");
    const auto row = [](const char *name, const char *edges, const char *text, const char *cycles = "") {
        QTest::newRow(name) << QByteArray(edges) << QByteArray(text) << QByteArray(cycles);
    };
    row("nobody", "", "");
    row("one that neither waits nor blocks", "a", "a");
    row("five in a chain", "e>d d>c c>b b>a", "a .b ..c ...d ....e");
    row("a fan, in the order of its waits", "b>a c>a d>a", "a .b .c .d");
    row("two roots, by the waiting they cause", "b>a d>c e>c", "c .d .e a .b");
    row("one waiter of two holders", "c>a c>b", "a .c[b] b");
    row("a waiter for itself alone", "a>a", "a");
    row("a waiter for itself and another", "a>a a>b", "b .a");
    row("the same edge twice", "b>a b>a", "a .b");
    row("a deadlock of two", "a>b b>a", "b![a] .a!", "a>b");
    row("a deadlock of three", "a>b b>c c>a", "c![a] .b! ..a!", "a>b>c");
    row("somebody behind a deadlock", "a>b b>a c>a", "b![a] .a! ..c", "a>b");
    row("two deadlocks apart", "a>b b>a c>d d>c", "b![a] .a! d![c] .c!", "a>b c>d");
    row("two deadlocks that share one", "a>b b>a b>c c>b", "c![b] .b![a] ..a!", "a>b b>c");
    row("a deadlock on the way to a root", "a>b b>a b>r", "", "a>b");
}

void WaitGraphTest::shapes()
{
    QFETCH(QByteArray, edges);
    QFETCH(QByteArray, text);
    const Chains chains = chainsOf(graphOf(edges));
    if (!text.isEmpty() || edges.isEmpty())
        QCOMPARE(textOf(chains), text);
    QTEST(cyclesText(chains), "cycles");
}

void WaitGraphTest::countsWhoIsBehind()
{
    // a blocks b and c; b and c both block d; d waits since the last of four seconds.
    const Chains chains = chainsOf(graphOf("b>a c>a d>b d>c"));
    QCOMPARE(chains.nodes.first().session.id, QByteArray("a"));
    QCOMPARE(chains.nodes.first().blocksDirectly, 2);
    QCOMPARE(chains.nodes.first().blocksAll, 3); // d once, by two ways
    QCOMPARE(chains.nodes.first().waitingCausedUs, 100'000'000 + 99'000'000 + 98'000'000);
    QCOMPARE(chains.nodes.size(), 4);
    for (const ChainNode &node : chains.nodes.mid(1))
        QCOMPARE(node.blocksAll, node.session.id == "d" ? 0 : 1);
    const Chains cycle = chainsOf(graphOf("a>b b>a c>b"));
    for (const ChainNode &node : cycle.nodes)
        QCOMPARE(node.blocksAll, node.session.id == "c" ? 0 : 2); // itself never
    WaitGraph future = graphOf("b>a");
    future.edges.first().sinceUs = kNow + 5;
    QCOMPARE(chainsOf(future).nodes.first().waitingCausedUs, 0);
}

void WaitGraphTest::parentsComeFirst_data()
{
    QTest::addColumn<int>("seed");
    for (int seed = 0; seed < 50; ++seed)
        QTest::addRow("%d", seed) << seed;
}

/** Any graph gives a forest: each session once, parents before children, every blocker named, cycles real. */
void WaitGraphTest::parentsComeFirst()
{
    QFETCH(int, seed);
    quint32 random = quint32(seed) * 2'654'435'761U + 1;
    const auto draw = [&random](int below) {
        random = random * 1'664'525U + 1'013'904'223U;
        return int((random >> 8) % quint32(below));
    };
    QByteArrayList edges;
    QSet<QByteArray> ids;
    QSet<QByteArray> pairs;
    for (int i = draw(40); i >= 0; --i) {
        const QByteArray waiter = QByteArray::number(draw(12));
        const QByteArray blocker = QByteArray::number(draw(12));
        edges.append(waiter + '>' + blocker);
        ids << waiter << blocker;
        if (waiter != blocker)
            pairs.insert(waiter + '>' + blocker);
    }
    const Chains chains = chainsOf(graphOf(edges.join(' ')));
    QCOMPARE(chains.nodes.size(), ids.size());
    QSet<QByteArray> seen;
    QSet<QByteArray> told;
    for (int i = 0; i < chains.nodes.size(); ++i) {
        const ChainNode &node = chains.nodes.at(i);
        QVERIFY(node.parent < i);
        QCOMPARE(node.depth, node.parent < 0 ? 0 : chains.nodes.at(node.parent).depth + 1);
        seen.insert(node.session.id);
        if (node.parent >= 0)
            told.insert(node.session.id + '>' + chains.nodes.at(node.parent).session.id);
        for (const int other : node.alsoBlockedBy)
            told.insert(node.session.id + '>' + chains.nodes.at(other).session.id);
    }
    QCOMPARE(seen, ids);
    QCOMPARE(told, pairs);
    QSet<int> inCycle;
    for (const QList<int> &cycle : chains.cycles) {
        QVERIFY(cycle.size() >= 2);
        for (qsizetype i = 0; i < cycle.size(); ++i) {
            const QByteArray from = chains.nodes.at(cycle.at(i)).session.id;
            const QByteArray to = chains.nodes.at(cycle.at((i + 1) % cycle.size())).session.id;
            QVERIFY2(pairs.contains(from + '>' + to), (from + '>' + to).constData());
            inCycle.insert(cycle.at(i));
        }
    }
    for (int i = 0; i < chains.nodes.size(); ++i)
        QCOMPARE(chains.nodes.at(i).inCycle, inCycle.contains(i));
}

void WaitGraphTest::thousandsOfSessions_data()
{
    QTest::addColumn<bool>("chain");
    QTest::newRow("5,000 in a chain") << true;
    QTest::newRow("5,000 behind one") << false;
}

void WaitGraphTest::thousandsOfSessions()
{
    QFETCH(bool, chain);
    WaitGraph graph;
    graph.endedUs = kNow;
    for (int i = 1; i <= 5'000; ++i)
        graph.edges.append(
            {QByteArray::number(i), QByteArray::number(chain ? i - 1 : 0), lockOf("x"), kNow - 1'000'000, 0});
    const qint64 begun = lockkeeper::tests::processorMs();
    const Chains chains = chainsOf(graph);
    const qint64 took = lockkeeper::tests::processorMs() - begun;
    QVERIFY2(took < 1'000, QByteArray::number(took).constData());
    QCOMPARE(chains.nodes.size(), 5'001);
    QCOMPARE(chains.nodes.first().blocksAll, 5'000);
    QCOMPARE(chains.nodes.first().waitingCausedUs, 5'000'000'000);
    QCOMPARE(chains.nodes.last().depth, chain ? 5'000 : 1);
}

void WaitGraphTest::keepsWhatBelongsToASession()
{
    WaitGraph graph = graphOf("b>a");
    graph.sessions.append(Session());
    graph.sessions.last().id = "a";
    graph.sessions.last().user = "app";
    graph.wholeTables = {{"a", "app.jobs", 30'000}};
    const Chains chains = chainsOf(graph);
    QCOMPARE(chains.nodes.first().session.user, QByteArray("app"));
    QCOMPARE(chains.nodes.first().wholeTables, graph.wholeTables);
    QVERIFY(!chains.nodes.first().waitsFor && !chains.nodes.first().waitingSinceUs);
    QCOMPARE(chains.nodes.last().waitsFor, lockOf("a"));
    QCOMPARE(chains.nodes.last().waitingSinceUs, TimeUs(kNow - 100'000'000));
}

LOCKKEEPER_TEST(WaitGraphTest)

} // namespace tst_wait_graph

#include "tst_wait_graph.moc"
