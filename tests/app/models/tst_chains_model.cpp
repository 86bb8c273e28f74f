// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/models/chains_model.h"
#include "graph_fixture.h"
#include "tests/support/test_program.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

namespace tst_chains_model {

using namespace lockkeeper;
using namespace lockkeeper::app::models;
using tests::graphOf;

namespace {

/** The tree as text: one row a line, two blanks a level; ~ gone, > a link, # a whole table. */
QString printed(const ChainsModel &model, const QModelIndex &parent = {}, int depth = 0)
{
    QString text;
    for (int i = 0; i < model.rowCount(parent); ++i) {
        const QModelIndex index = model.index(i, 0, parent);
        const ChainRow &row = *model.at(index);
        text += QString(depth * 2, QLatin1Char(' '));
        if (model.isGone(index))
            text += QLatin1Char('~');
        if (row.kind == ChainRow::ChainRowKind::Link)
            text += QLatin1Char('>') + QString::fromUtf8(row.other.id);
        else if (row.kind == ChainRow::ChainRowKind::WholeTable)
            text += QLatin1Char('#') + QString::fromUtf8(row.table.place);
        else
            text += QString::fromUtf8(row.node.session.id);
        text += QLatin1Char('\n') + printed(model, index, depth + 1);
    }
    return text;
}

} // namespace

class ChainsModelTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void treeOf_data();
    void treeOf();
    void sumsTheWaiting();
    void namesWhatIsHeld();
    void twoSourcesShareOneForest();
    void valuesChangeAtOnceRowsAtTheTick();
    void standsStillWhileFrozen();
    void aRowFollowsItsTransaction();
    void persistentIndexesFollow();
    void sortsSiblings();
    void staleKeepsValues();
    void manyUpdatesKeepTheModelWhole();

private:
    void show(const QList<QByteArray> &rows, qint64 nowUs = 1'000'000'000)
    {
        m_model->setForest(forestOf({graphOf(rows, nowUs)}));
    }
    QModelIndex connection(const QByteArray &id) const
    {
        return m_model->indexOf(QByteArray("orders-db") + '\0' + id + '\0' + "t" + id);
    }
    const ChainRow &row(const QByteArray &id) const { return *m_model->at(connection(id)); }

    std::unique_ptr<QAbstractItemModelTester> m_tester;
    std::unique_ptr<ChainsModel> m_model;
};

void ChainsModelTest::init()
{
    m_tester.reset();
    m_model = std::make_unique<ChainsModel>();
    m_model->setTickMs(0);
    m_tester = std::make_unique<QAbstractItemModelTester>(m_model.get());
}

void ChainsModelTest::treeOf_data()
{
    QTest::addColumn<QList<QByteArray>>("edges");
    QTest::addColumn<QString>("tree");
    const auto row = [](const char *name, const QList<QByteArray> &edges, const char *tree) {
        QTest::newRow(name) << edges << QString::fromLatin1(tree);
    };
    row("nobody", {}, "");
    row("a chain of five", {"2>1 a 40", "3>2 b 30", "4>3 c 20", "5>4 d 10"},
        "1\n  2\n    3\n      4\n        5\n");
    row("a fan, the longest first", {"2>1 a 10", "3>1 a 30"}, "1\n  3\n  2\n");
    row("the worst head first", {"2>1 a 10", "4>3 b 90"}, "3\n  4\n1\n  2\n");
    row("a second blocker is a link", {"3>1 a 30", "3>2 a 30"}, "1\n  3\n    >2\n2\n");
    row("a deadlock stands once", {"1>2 a 5", "2>1 b 4"}, "1\n  >2\n  2\n");
}

void ChainsModelTest::treeOf()
{
    QFETCH(QList<QByteArray>, edges);
    QFETCH(QString, tree);
    show(edges);
    QCOMPARE(printed(*m_model), tree);
}

void ChainsModelTest::sumsTheWaiting()
{
    show({"2>1 a 40", "3>2 b 30", "4>3 c 20"});
    QCOMPARE(row("1").node.waitingCausedUs, 90'000'000);
    QCOMPARE(row("1").node.blocksAll, 3);
    QCOMPARE(waitedUs(row("2")), 40'000'000);
    QVERIFY(!waitedUs(row("1")));
    QCOMPARE(transactionAgeUs(row("4")), 100'000'000);
    QCOMPARE(m_model->forest().waiting, 3);
    QCOMPARE(m_model->forest().roots, 1);
    QCOMPARE(m_model->forest().longestWaitUs, 40'000'000);
}

void ChainsModelTest::namesWhatIsHeld()
{
    // 2 stands before 3 in the queue for "a", but doesn't hold "a".
    show({"2>1 a 40", "3>1 a 30", "3>2 a 30", "4>1 b 5"});
    QCOMPARE(row("1").holds.first().name, QByteArray("a"));
    QCOMPARE(m_model->at(connection("1"))->holds.size(), 2);
    QVERIFY(m_model->at(connection("2"))->holds.isEmpty());
    const domain::LockKey b{QStringLiteral("orders-db"), "sql.row", "app.lock/PRIMARY", "b"};
    QCOMPARE(m_model->indexOfLock(b), connection("1"));
}

void ChainsModelTest::twoSourcesShareOneForest()
{
    domain::WaitGraph other = graphOf({"2>1 x 99"}, 1'000'000'000, QStringLiteral("stock-db"));
    other.wholeTables.append({"1", "app.stock", 120'000});
    m_model->setForest(forestOf({graphOf({"2>1 a 10"}), other}));
    QCOMPARE(printed(*m_model), QStringLiteral("1\n  #app.stock\n  2\n1\n  2\n"));
    QCOMPARE(m_model->at(m_model->index(0, 0))->source, QStringLiteral("stock-db"));
}

void ChainsModelTest::valuesChangeAtOnceRowsAtTheTick()
{
    show({"2>1 a 10", "3>1 a 5"});
    const QSignalSpy moved(m_model.get(), &QAbstractItemModel::layoutChanged);
    show({"2>1 a 11", "4>1 a 50"}, 1'001'000'000);
    QCOMPARE(printed(*m_model), QStringLiteral("1\n  2\n  ~3\n"));
    QCOMPARE(waitedUs(row("2")), 11'000'000);
    QCOMPARE(moved.size(), 0);
    m_model->tick();
    QCOMPARE(printed(*m_model), QStringLiteral("1\n  4\n  2\n"));
    m_model->tick(); // nothing to move: no signal
    QCOMPARE(moved.size(), 1);
    show({});
    m_model->tick();
    QCOMPARE(m_model->rowCount(), 0);
}

void ChainsModelTest::standsStillWhileFrozen()
{
    show({"2>1 a 10"});
    m_model->setFrozen(true);
    show({"3>1 a 10"});
    m_model->tick();
    QCOMPARE(printed(*m_model), QStringLiteral("1\n  ~2\n"));
    m_model->setFrozen(false);
    m_model->tick();
    QCOMPARE(printed(*m_model), QStringLiteral("1\n  3\n"));
}

void ChainsModelTest::aRowFollowsItsTransaction()
{
    show({"2>1 a 10"});
    const QPersistentModelIndex first(m_model->index(0, 0));
    domain::WaitGraph next = graphOf({"2>1 a 11"});
    next.sessions[0].transaction = "t9"; // a new transaction after a commit
    m_model->setForest(forestOf({next}));
    m_model->tick();
    QVERIFY(!first.isValid());
    QCOMPARE(printed(*m_model), QStringLiteral("1\n  2\n"));
}

void ChainsModelTest::persistentIndexesFollow()
{
    show({"2>1 a 40", "3>2 b 30"});
    const QPersistentModelIndex three(connection("3"));
    show({"3>4 b 31"});
    m_model->tick();
    QCOMPARE(printed(*m_model), QStringLiteral("4\n  3\n"));
    QVERIFY(three.isValid());
    QCOMPARE(m_model->at(three)->node.session.id, QByteArray("3"));
    QCOMPARE(three.parent(), QModelIndex(connection("4")));
}

void ChainsModelTest::sortsSiblings()
{
    show({"2>1 a 10", "10>1 a 30", "3>1 a 20"});
    QCOMPARE(printed(*m_model), QStringLiteral("1\n  10\n  3\n  2\n"));
    m_model->sort(ChainConnectionColumn, Qt::AscendingOrder);
    QCOMPARE(printed(*m_model), QStringLiteral("1\n  2\n  3\n  10\n"));
    m_model->sort(ChainWaitedColumn, Qt::DescendingOrder);
    QCOMPARE(printed(*m_model), QStringLiteral("1\n  10\n  3\n  2\n"));
    m_model->sort(ChainWaitedColumn, Qt::AscendingOrder);
    QCOMPARE(printed(*m_model), QStringLiteral("1\n  2\n  3\n  10\n"));
    m_model->sort(-1);
    QCOMPARE(printed(*m_model), QStringLiteral("1\n  10\n  3\n  2\n"));
}

void ChainsModelTest::staleKeepsValues()
{
    show({"2>1 a 10"});
    m_model->setStale({QStringLiteral("stock-db")});
    QVERIFY(!m_model->isStale(connection("2")));
    m_model->setStale({QStringLiteral("orders-db")});
    QVERIFY(m_model->isStale(connection("2")));
    QCOMPARE(waitedUs(row("2")), 10'000'000);
}

/** Generates small graphs; the model tester checks every step. */
void ChainsModelTest::manyUpdatesKeepTheModelWhole()
{
    quint32 random = 7;
    const auto next = [&random](quint32 bound) {
        random = random * 1664525u + 1013904223u;
        return (random >> 16) % bound;
    };
    for (int step = 0; step < 300; ++step) {
        QList<QByteArray> edges;
        const quint32 count = next(14);
        for (quint32 i = 0; i < count; ++i) {
            const QByteArray waiter = QByteArray::number(1 + next(9));
            const QByteArray blocker = QByteArray::number(1 + next(9));
            if (waiter != blocker)
                edges.append(waiter + '>' + blocker + " k" + QByteArray::number(next(3)) + ' ' +
                             QByteArray::number(next(60)));
        }
        show(edges, 1'000'000'000 + step * 1'000'000);
        if (next(2) == 0)
            m_model->tick();
        if (next(10) == 0)
            m_model->sort(int(next(ChainColumnCount + 1)) - 1, Qt::DescendingOrder);
    }
    m_model->sort(-1);
    m_model->tick();
    ChainsModel fresh;
    fresh.setForest(m_model->forest());
    QCOMPARE(printed(*m_model), printed(fresh));
}

LOCKKEEPER_TEST(ChainsModelTest)

} // namespace tst_chains_model

#include "tst_chains_model.moc"
