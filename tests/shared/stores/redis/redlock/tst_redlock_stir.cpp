// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/redlock/stir.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_redlock_stir {

using namespace lockkeeper::stores::redis;

namespace {

/** "node token since read", a change a line; "-": nothing is there, "?": nor before, and something between.
 */
Stir stirOf(const QByteArray &text)
{
    Stir stir;
    for (const QByteArray &line : text.split(';')) {
        const QList<QByteArray> words = line.simplified().split(' ');
        if (words.size() == 4)
            stir.note({words.at(0).toInt(),
                       words.at(1) == "-" || words.at(1) == "?" ? QByteArray() : words.at(1),
                       words.at(2).toLongLong(), words.at(3).toLongLong(), 1, words.at(1) == "?"});
    }
    return stir;
}

QByteArray text(const QList<BriefHold> &holds)
{
    QList<QByteArray> words;
    for (const BriefHold &hold : holds)
        words.append(hold.token + '@' + QByteArray::number(hold.atUs));
    return words.join(' ');
}

} // namespace

/** What N nodes told of a lock, and what it proves. */
class TestRedlockStir : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void briefHolds_data()
    {
        QTest::addColumn<QByteArray>("told");
        QTest::addColumn<QByteArray>("holds");

        const auto row = [](const char *name, const QByteArray &told, const QByteArray &holds) {
            QTest::newRow(name) << told << holds;
        };
        row("nothing", "", "");
        row("three of five at once", "0 a 10 20; 1 a 11 21; 2 a 12 22; 0 - 30 40; 1 - 31 41; 2 - 32 42",
            "a@22");
        row("a majority is what counts", "0 a 10 20; 1 a 11 21; 0 - 30 40; 1 - 31 41", "");
        row("never all at one moment", "0 a 10 20; 0 - 22 30; 1 a 24 34; 1 - 40 50; 2 a 30 36; 2 - 40 50",
            "");
        row("that touch at one moment", "0 a 10 20; 0 - 36 40; 1 a 24 34; 1 - 40 50; 2 a 30 36; 2 - 40 50",
            "a@36");
        row("two tokens share the nodes",
            "0 a 10 20; 1 a 10 20; 2 b 10 20; 3 b 10 20; 0 - 30 31; 1 - 30 31; 2 - 30 31; 3 - 30 31", "");
        row("one after the other",
            "0 a 10 20; 1 a 10 20; 2 a 10 20; 0 b 30 40; 1 b 31 41; 2 b 32 42; 0 - 50 60; 1 - 50 60; 2 - 50 "
            "60",
            "a@20 b@42");
        row("another change may have come before it was read",
            "0 a 10 20; 1 a 10 20; 2 a 10 20; 0 - 15 40; 1 - 30 41; 2 - 30 42", "");
        row("a time that isn't known", "0 a 0 20; 1 a 0 20; 2 a 0 20; 0 - 0 40; 1 - 30 41; 2 - 30 42", "");
        row("not gone yet", "0 a 10 20; 1 a 10 20; 2 a 10 20; 0 - 30 40; 1 - 30 41", "");
    }
    void briefHolds()
    {
        QFETCH(QByteArray, told);
        QFETCH(QByteArray, holds);
        QCOMPARE(text(stirOf(told).briefHolds(3, {})), holds);
    }

    void whatIsKnownAlreadyIsLeftOut()
    {
        const Stir stir = stirOf("0 a 10 20; 1 a 10 20; 2 a 10 20; 0 - 30 40; 1 - 30 41; 2 - 30 42");
        QCOMPARE(text(stir.briefHolds(3, {"a"})), QByteArray());
    }

    void mayHaveHeld_data()
    {
        QTest::addColumn<QByteArray>("told");
        QTest::addColumn<QByteArray>("later");
        QTest::addColumn<bool>("may");

        const auto row = [](const char *name, const QByteArray &told, const QByteArray &later, bool may) {
            QTest::newRow(name) << told << later << may;
        };
        row("nothing", "", "", false);
        row("gone before any node was read", "0 ? 10 20; 2 ? 10 20; 4 ? 10 20", "", true);
        row("a minority", "0 ? 10 20; 4 ? 10 20", "", false);
        row("one node twice is one node", "0 ? 10 20; 0 ? 30 40; 4 ? 10 20", "", false);
        row("read on one, gone on others", "0 a 10 20; 1 ? 10 20; 2 ? 10 20; 0 - 30 40", "", true);
        row("two tokens share the nodes", "0 a 10 20; 1 a 10 20; 2 b 10 20; 3 b 10 20", "", false);
        row("its end is nothing that came", "0 - 10 20; 1 - 10 20; 2 - 10 20", "", false);
        row("told of before", "0 x 10 20; 1 x 10 20; 2 x 10 20", "", false);
        row("told by some later", "0 ? 10 20; 1 ? 10 20", "3 ? 12 30", true);
        row("read on some before", "0 a 10 20; 1 ? 10 20; 0 - 20 22", "3 ? 12 30", true);
        row("by the same ones later", "0 ? 10 20; 1 ? 10 20", "1 ? 22 30", false);
        row("what was told of before isn't told with what comes later", "0 x 10 20; 1 x 10 20",
            "3 x 12 30; 4 ? 12 30", false);
    }
    void mayHaveHeld()
    {
        QFETCH(QByteArray, told);
        QFETCH(QByteArray, later);
        Stir stir = stirOf(told);
        if (!later.isEmpty()) {
            QVERIFY(!stir.mayHaveHeld(3, {"x"}));
            const quint32 count = stir.told();
            stir = stir.rest({"x"});
            QCOMPARE(stir.told(), count);
            stir.append(stirOf(later));
        }
        QTEST(stir.mayHaveHeld(3, {"x"}), "may");
    }

    void aRestHasATimeOfItsOwn()
    {
        Stir counted = stirOf("0 x 10 20; 1 - 10 20").rest({"x"});
        QCOMPARE(counted.nodesTold(), 2);
        counted.forgetCount();
        QVERIFY(counted.isEmpty());
        Stir later = stirOf("0 ? 10 20; 1 x 12 20").rest({"x"});
        QVERIFY(!later.isEmpty());
        later.append(stirOf("0 a 30 40"));
        QCOMPARE(later.sinceUs(), 30);
        QCOMPARE(later.restSinceUs(), 10);
        QCOMPARE(later.told(), 2u);
    }

    void partsAreTakenOut()
    {
        Stir stir = stirOf("0 a 10 20; 1 ? 10 25; 0 - 30 40; 1 b 30 42");
        QCOMPARE(stir.toldUntil(25), 1u);
        QCOMPARE(stir.toldUntil(42), 2u);
        const Stir after = stir.takeIf([](const NodeChange &change) { return change.readUs > 40; });
        QCOMPARE(after.told(), 1u);
        QCOMPARE(after.nodesTold(), 1);
        QCOMPARE(after.sinceUs(), 10); // as all of it
        QCOMPARE(stir.told(), 2u);
        QVERIFY(!stir.isOpen() && after.isOpen());
        QVERIFY(stir.takeIf([](const NodeChange &) { return false; }).isEmpty());
        Stir counts;
        counts.count(after);
        counts.count(stir);
        QCOMPARE(counts.told(), 2u);
        QCOMPARE(counts.sinceUs(), 0);
        QVERIFY(!counts.mayHaveHeld(1, {}));
        counts.readSince(50);
        QCOMPARE(counts.sinceUs(), 50);
        counts.readSince(60);
        QCOMPARE(counts.sinceUs(), 50);
    }

    void twoStirsAreOne()
    {
        Stir first = stirOf("0 a 10 20; 1 a 9 20; 2 a 11 21");
        QVERIFY(first.isOpen());
        QCOMPARE(first.sinceUs(), 9);
        QCOMPARE(first.told(), 1u);
        first.append(stirOf("0 - 30 40; 1 - 30 41; 2 - 30 42"));
        QVERIFY(!first.isOpen());
        QCOMPARE(first.sinceUs(), 9);
        QCOMPARE(first.told(), 2u);
        QCOMPARE(text(first.briefHolds(3, {})), QByteArray("a@21"));
    }

    void aLockThatNeverRestsStaysSmall()
    {
        Stir stir;
        for (int i = 0; i < 1'000; ++i)
            stir.note({i % 5, "a", i + 1, i + 2, 3});
        QCOMPARE(stir.told(), 600u);
        QCOMPARE(stir.sinceUs(), 1);
    }
};

LOCKKEEPER_TEST(TestRedlockStir)

} // namespace tst_redlock_stir

#include "tst_redlock_stir.moc"
