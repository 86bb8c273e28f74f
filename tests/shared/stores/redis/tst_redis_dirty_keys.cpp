// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/push/dirty_keys.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_redis_dirty_keys {

using namespace lockkeeper::stores::redis::push;

namespace {

constexpr char kKey[] = "lock:a";

} // namespace

/** The keys that wait to be read, and what messages about them prove. */
class TestRedisDirtyKeys : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readInTheOrderTold()
    {
        DirtyKeys dirty;
        for (const char *key : {"a", "b", "a", "c", "a"})
            dirty.mark(key, 10);
        QCOMPARE(dirty.waiting(), 3);
        const quint64 mark = dirty.lastMark();
        const QList<DirtyKeys::Asked> first = dirty.take(2);
        QCOMPARE(first.at(0).key, QByteArray("a"));
        QCOMPARE(first.at(0).dirt.told, 3U);
        QCOMPARE(first.at(1).key, QByteArray("b"));
        QVERIFY(dirty.isOpen("a") && dirty.isOpen("c") && !dirty.isOpen("d"));
        dirty.answered("a");
        dirty.answered("b");
        QVERIFY(!dirty.isReadUpTo(mark));
        QCOMPARE(dirty.take(5).size(), 1);
        dirty.answered("c");
        QVERIFY(dirty.isReadUpTo(mark));
        QCOMPARE(dirty.size(), 0);
    }

    /** What is told during a reading is read after it, with a bound of its own. */
    void toldWhileRead()
    {
        DirtyKeys dirty;
        dirty.mark("a", 10);
        dirty.take(1);
        dirty.mark("a", 20);
        dirty.mark("b", 25);
        dirty.mark("a", 30);
        const quint64 mark = dirty.lastMark();
        QCOMPARE(dirty.waiting(), 1); // never twice at a time
        dirty.answered("a");
        const QList<DirtyKeys::Asked> next = dirty.take(5);
        QCOMPARE(next.size(), 2);
        QCOMPARE(next.at(1).key, QByteArray("a"));
        QCOMPARE(next.at(1).dirt.sinceUs, 20);
        QCOMPARE(next.at(1).dirt.told, 2U);
        dirty.answered("b");
        QVERIFY(!dirty.isReadUpTo(mark));
        dirty.answered("a");
        QVERIFY(dirty.isReadUpTo(mark));
    }

    /** That a key was absent is known until all up to then was told. */
    void absentKeys()
    {
        DirtyKeys dirty;
        dirty.mark("a", 10);
        dirty.take(1);
        dirty.markBeside("a", 11);
        dirty.answered("a");
        QCOMPARE(dirty.take(1).constFirst().dirt.told, 0U);
        dirty.answered("a", {}, 15, false);
        dirty.mark("a", 12); // may be of before the reading
        QCOMPARE(dirty.take(1).constFirst().absentAtUs, 15);
        dirty.answered("a", {}, 16, false);
        dirty.wasAbsent("b", 17);
        QCOMPARE(dirty.size(), 2);
        dirty.proven(15);
        QCOMPARE(dirty.size(), 2);
        dirty.mark("b", 15);
        dirty.proven(20);
        QCOMPARE(dirty.take(1).constFirst().absentAtUs, 17); // marked before the proof
        dirty.answered("b");
        QCOMPARE(dirty.size(), 0);
    }

    /** A message more than the readings' differences take is a hold that nobody saw, however soon it comes.
     */
    void debts_data()
    {
        QTest::addColumn<QList<int>>("told");  // messages before each reading
        QTest::addColumn<QByteArray>("shown"); // who has it: a letter, or '-'; '*': told as unseen
        QTest::addColumn<quint32>("debt");
        const auto row = [](const char *name, const QList<int> &told, const QByteArray &shown, quint32 debt) {
            QTest::newRow(name) << told << shown << debt;
        };
        row("what was before isn't known", {1}, "a", 1);
        // From here on the first reading settles all that was before.
        row("taken and given back", {2, 1, 1}, "*a-", 0);
        row("handed over in one turn, or half told", {2, 1, 1}, "*ab", 1);
        row("handed over", {2, 1, 2}, "*ab", 0);
        row("renewed", {2, 1, 1}, "*aa", 0);
        row("read before it was told", {2, 1, 0}, "*a-", 1);
        row("told later", {2, 1, 0, 1}, "*a--", 0);
        row("unseen, and its end may still be told", {2, 1}, "**", 1);
        row("unseen, its end was told", {2, 1, 1}, "**-", 0);
        row("one more before what was read: it is counted", {2, 2}, "*a", 1);
        row("two more", {2, 3}, "*a", 0);
    }
    void debts()
    {
        QFETCH(QList<int>, told);
        QFETCH(QByteArray, shown);
        DirtyKeys dirty;
        for (qsizetype i = 0; i < told.size(); ++i) {
            for (int message = 0; message < told.at(i); ++message)
                dirty.mark(kKey, 10);
            if (told.at(i) == 0)
                dirty.markBeside(kKey, 10);
            QCOMPARE(dirty.take(1).size(), 1);
            const char who = shown.at(i);
            dirty.answered(kKey, {who != '-' && who != '*', size_t(who)}, 20 + i, who == '*');
        }
        QTEST(dirty.debt(kKey), "debt");
        dirty.proven(100);
        QCOMPARE(dirty.size(), 0);
    }

    void whatOthersReadIsNoBalance()
    {
        DirtyKeys dirty;
        dirty.wasAbsent(kKey, 15);
        dirty.mark(kKey, 10);
        QCOMPARE(dirty.take(1).constFirst().debt, DirtyKeys::kUnknown);
        dirty.answered(kKey, {}, 20, false);
        QCOMPARE(dirty.debt(kKey), DirtyKeys::kUnknown);
        dirty.proven(20);
        QCOMPARE(dirty.size(), 0);
    }

    void whatOthersReadIsKnown()
    {
        DirtyKeys dirty;
        dirty.mark(kKey, 10);
        QCOMPARE(dirty.take(1).constFirst().readUs, 0);
        dirty.wasRead(kKey, 15);
        QCOMPARE(dirty.readUs(kKey), 15);
        QCOMPARE(dirty.absentAtUs(kKey), 0);
        dirty.answered(kKey, {true, 1}, 20, false);
        dirty.mark(kKey, 16);
        QCOMPARE(dirty.take(1).constFirst().readUs, 20);
        dirty.answered(kKey, {true, 1}, 22, false);
        dirty.proven(22);
        QCOMPARE(dirty.size(), 0);
    }

    /** Nothing would ever be proven of what was read before. */
    void aClockThatIsSetBack()
    {
        DirtyKeys dirty;
        for (const char *key : {"a", "b", "c"})
            dirty.mark(key, 9'000'000);
        dirty.take(2);
        dirty.answered("a", {true, 1}, 9'000'010, false);
        dirty.answered("b", {}, 9'000'020, false);
        QCOMPARE(dirty.size(), 3);
        dirty.take(1);
        dirty.answered("c", {}, 1'000'000, false);
        QCOMPARE(dirty.size(), 1);
        QCOMPARE(dirty.readUs("c"), 1'000'000);
        dirty.proven(1'000'000);
        QCOMPARE(dirty.size(), 0);
    }

    /** What events tell of a key's ends against what readings show of it. */
    void ends_data()
    {
        QTest::addColumn<QByteArray>("before"); // the reading before: who has it, '-': nobody, empty: none
        QTest::addColumn<int>("told");          // ends since
        QTest::addColumn<QByteArray>("now");
        QTest::addColumn<quint32>("unread"); // holds that no reading shows
        QTest::addColumn<quint32>("left");   // for the next reading
        const auto row = [](const char *name, const char *before, int told, const char *now, quint32 unread,
                            quint32 left) {
            QTest::newRow(name) << QByteArray(before) << told << QByteArray(now) << unread << left;
        };
        row("taken", "-", 0, "a", 0, 0);
        row("given back", "a", 1, "-", 0, 0);
        row("handed over", "a", 1, "b", 0, 0);
        row("given back, not told yet", "a", 0, "-", 0, 0);
        row("one more", "a", 2, "-", 1, 0);
        row("came and went", "-", 1, "-", 1, 0);
        row("and one is there", "-", 2, "b", 2, 0);
        row("one more between two", "a", 2, "b", 1, 0);
        row("read before it was told", "a", 1, "a", 1, 1); // with the next change of it
        row("it isn't known what was there", "", 1, "a", 0, 0);
        row("nor whether that had ended", "", 2, "a", 1, 0);
        row("nobody is there", "", 1, "-", 1, 0);
    }
    void ends()
    {
        QFETCH(QByteArray, before);
        QFETCH(int, told);
        QFETCH(QByteArray, now);
        const auto sight = [](const QByteArray &who) { return Sight{who != "-", qHash(who)}; };
        DirtyKeys dirty;
        if (!before.isEmpty()) {
            dirty.mark(kKey, 5);
            dirty.take(1);
            dirty.answered(kKey, sight(before), 8, false);
            dirty.note(kKey, "set", 7);
            dirty.proven(9);
        }
        for (int i = 0; i < told; ++i)
            dirty.note(kKey, i % 2 == 0 ? "del" : "expired", 10);
        dirty.mark(kKey, 10);
        const auto ends = dirty.take(1).constFirst().ends;
        QVERIFY(ends.has_value());
        QTEST(ends->unread(sight(now)), "unread");
        dirty.answered(kKey, sight(now), 20, now == "-" && ends->unread(sight(now)) > 0);
        dirty.mark(kKey, 12);
        QTEST(dirty.take(1).constFirst().ends->unsaid, "left");
    }

    void endsOfKeysThatOthersRead()
    {
        DirtyKeys dirty;
        dirty.note(kKey, "del", 10);
        dirty.mark(kKey, 10);
        DirtyKeys::Asked asked = dirty.take(1).constFirst();
        QCOMPARE(asked.ends->unsaid, 1U);
        dirty.wasAbsent(kKey, 15);
        dirty.refresh(asked);
        QVERIFY(!asked.ends);
        dirty.answered(kKey, {}, 20, false);
        dirty.note(kKey, "del", 16);
        dirty.mark(kKey, 16);
        QVERIFY(!dirty.take(1).constFirst().ends);
        dirty.answered(kKey, {}, 22, false);
        dirty.proven(30);
        QCOMPARE(dirty.size(), 0);
        dirty.mark(kKey, 30);
        QVERIFY(dirty.take(1).constFirst().ends);
    }

    /** What was read last of a key stays known for a while, so that the next change has something to differ
     * from. */
    void quietKeysAreRemembered()
    {
        DirtyKeys dirty;
        const auto read = [&dirty](const QByteArray &key, qint64 us) {
            dirty.mark(key, us);
            const DirtyKeys::Asked asked = dirty.take(1).constFirst();
            dirty.answered(key, {true, 1}, us + 1, false);
            dirty.proven(us + 1);
            return asked.ends;
        };
        QVERIFY(!read("a", 10)->before);
        QCOMPARE(dirty.size(), 0);
        const auto again = read("a", 20);
        QVERIFY(again->before && again->before->there);
        QCOMPARE(again->sinceUs, 20);
        for (int i = 0; i < 5'000; ++i)
            read(QByteArray::number(i), 30 + i);
        QVERIFY(!read("a", 10'000)->before);
        QVERIFY(read("4999", 10'010)->before);
        dirty.clear();
        QVERIFY(!read("4999", 10'020)->before);
        // In the times of a clock that was set back what is known reaches back further, never less.
        QCOMPARE(read("4999", 500)->sinceUs, 500);
    }
};

LOCKKEEPER_TEST(TestRedisDirtyKeys)

} // namespace tst_redis_dirty_keys

#include "tst_redis_dirty_keys.moc"
