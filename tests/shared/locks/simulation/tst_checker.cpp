// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/checker.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_checker {

using namespace lockkeeper::tests;

namespace {

/** "lock;holder;from;to;fencing", one a line. */
QList<Hold> holdsOf(const QByteArray &table)
{
    QList<Hold> holds;
    for (const QByteArray &line : table.split('\n')) {
        const QList<QByteArray> cells = line.trimmed().split(';');
        if (cells.size() >= 4)
            holds.append({cells.at(0), cells.at(1), cells.at(2).toLongLong(), cells.at(3).toLongLong(),
                          cells.value(4)});
    }
    return holds;
}

} // namespace

class TestChecker : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void finds_data();
    void finds();
    void readsHistories();
    void aKilledHolderHeldUntilItLastSaidSo();
};

void TestChecker::finds_data()
{
    QTest::addColumn<QByteArray>("holds");
    QTest::addColumn<QByteArray>("found"); ///< kind, earlier and later holder, in order
    const auto row = [](const char *name, const char *holds, const char *found) {
        QTest::newRow(name) << QByteArray(holds) << QByteArray(found);
    };
    row("nothing", "", "");
    row("one after the other", "a;w1;0;10\na;w2;10;20\na;w3;25;30", "");
    row("in any order", "a;w2;10;20\na;w3;25;30\na;w1;0;10", "");
    row("at the same time", "a;w1;0;11\na;w2;10;20", "overlap w1 w2");
    row("within another", "a;w1;0;100\na;w2;10;20\na;w3;30;40", "overlap w1 w2,overlap w1 w3");
    row("the same one twice", "a;w1;0;10\na;w1;5;20", "overlap w1 w1");
    row("both at the same moment", "a;w1;5;10\na;w2;5;10", "overlap w1 w2");
    row("of a moment, within", "a;w1;0;10\na;w2;5;5", "overlap w1 w2");
    row("of two locks", "a;w1;0;10\nb;w2;5;20", "");
    row("of two locks, with names that begin alike", "a;w1;0;10\nab;w2;5;20", "");
    row("growing tokens", "a;w1;0;1;9\na;w2;2;3;10\na;w3;4;5;100", "");
    row("the same token", "a;w1;0;1;9\na;w2;2;3;9", "fencing w1 w2");
    row("a token that shrinks", "a;w1;0;1;10\na;w2;2;3;9", "fencing w1 w2");
    row("of any length", "a;w1;0;1;9223372036854775807\na;w2;2;3;9223372036854775808", "");
    row("leading zeros", "a;w1;0;1;010\na;w2;2;3;9", "fencing w1 w2");
    row("some without one", "a;w1;0;1;10\na;w2;2;3;\na;w3;4;5;10", "fencing w1 w3");
    row("tokens of two locks", "a;w1;0;1;10\nb;w2;2;3;9", "");
}

void TestChecker::finds()
{
    QFETCH(QByteArray, holds);
    QFETCH(QByteArray, found);
    QList<QByteArray> said;
    for (const Violation &violation : check(holdsOf(holds))) {
        said.append((violation.kind == Violation::Kind::Overlap ? "overlap " : "fencing ") +
                    violation.earlier.holder + ' ' + violation.later.holder);
        QVERIFY(violation.text().contains(violation.later.lock));
    }
    QCOMPARE(said.join(','), found);
}

void TestChecker::readsHistories()
{
    HistoryReader reader;
    reader.add("p1", R"({"event":"acquired","lock":"a","detail":{"worker":"w1","held_us":5,"fencing":"7"}})"
                     "\n"
                     R"({"event":"renewed","lock":"a","detail":{"worker":"w1","held_us":8}})"
                     "\n{\"event\":\"rel");
    reader.add("p2", R"({"event":"acquired","lock":"a","detail":{"worker":"w1","held_us":20}})"
                     "\n");
    reader.add("p1", R"(eased","lock":"a","detail":{"worker":"w1","held_us":9}})"
                     "\n");
    QCOMPARE(reader.holds(),
             (QList<Hold>{{"a", "p1/w1", 5, 9, "7", true}, {"a", "p2/w1", 20, 20, {}, false}}));
    QVERIFY(check(reader.holds()).isEmpty());
}

void TestChecker::aKilledHolderHeldUntilItLastSaidSo()
{
    HistoryReader reader;
    reader.add("p1", R"({"event":"acquired","lock":"a","detail":{"worker":"w1","held_us":5}})"
                     "\n"
                     R"({"event":"renewed","lock":"a","detail":{"worker":"w1","held_us":8}})"
                     "\n");
    reader.add("p2", R"({"event":"acquired","lock":"a","detail":{"worker":"w2","held_us":7}})"
                     "\n");
    const QList<Violation> found = check(reader.holds());
    QCOMPARE(found.size(), 1);
    QCOMPARE(found.first().kind, Violation::Kind::Overlap);
}

LOCKKEEPER_TEST(TestChecker)

} // namespace tst_checker

#include "tst_checker.moc"
