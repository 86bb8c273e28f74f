// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/redlock/stir_rests.h"
#include "shared/stores/redis/redlock/telling.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_redlock_telling {

using namespace lockkeeper::stores;
using namespace lockkeeper::stores::redis;

namespace {

constexpr qsizetype kQuorum = 3;
constexpr qint64 kBeganUs = 100;
constexpr qint64 kEndedUs = 110;

/** "node token since read", a change a line; "-": nothing is there; "?": nor before, and something between;
 * a number behind it: so often it changed. */
Stir stirOf(const QByteArray &text)
{
    Stir stir;
    for (const QByteArray &line : text.split(';')) {
        const QList<QByteArray> words = line.simplified().split(' ');
        if (words.size() >= 4)
            stir.note({words.at(0).toInt(),
                       words.at(1) == "-" || words.at(1) == "?" ? QByteArray() : words.at(1),
                       words.at(2).toLongLong(), words.at(3).toLongLong(), words.value(4, "1").toUInt(),
                       words.at(1) == "?"});
    }
    return stir;
}

/** Five nodes that tell the same. */
QByteArray each(const QByteArray &change)
{
    QList<QByteArray> lines;
    for (int node = 0; node < 5; ++node)
        lines.append(QByteArray::number(node) + ' ' + change);
    return lines.join(';');
}

Observation lockHeldBy(const QByteArray &token)
{
    Observation lock;
    lock.name = "lock:a";
    lock.present = lock.held = !token.isEmpty();
    lock.token = lock.identity = lock.owner = token;
    return lock;
}

/** "TOKEN@time-window+coalesced", a change a word; "free", "unseen". */
QByteArray textOf(const QList<Change> &changes)
{
    QList<QByteArray> words;
    for (const Change &change : changes) {
        QByteArray word = change.unseen ? "unseen" : change.lock.held ? change.lock.token : "free";
        word += '@' + QByteArray::number(change.timeUs) + '-' + QByteArray::number(change.windowUs);
        if (change.coalesced > 0)
            word += '+' + QByteArray::number(change.coalesced);
        words.append(word);
    }
    return words.join(' ');
}

} // namespace

/** What a reading of a lock on all nodes, and what they told of it, come to. */
class TestRedlockTelling : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void tells_data()
    {
        QTest::addColumn<QByteArray>("before"); // the token; empty: nothing was there
        QTest::addColumn<QByteArray>("told");
        QTest::addColumn<QByteArray>("now"); // the same
        QTest::addColumn<QByteArray>("changes");
        QTest::addColumn<quint32>("rest"); // how often the lock changed besides

        const auto row = [](const char *name, const QByteArray &before, const QByteArray &told,
                            const QByteArray &now, const QByteArray &changes, quint32 rest = 0) {
            QTest::newRow(name) << before << told << now << changes << rest;
        };
        row("taken", "", each("a 10 20"), "a", "a@110-100");
        row("given back", "a", each("- 10 20"), "", "free@110-100");
        row("handed over", "a", each("b 10 20 2"), "b", "b@110-100+1");
        row("nobody read the one before", "", each("? 10 20 2") + ';' + each("a 30 40"), "a", "a@110-100+2");
        row("nobody read it at all", "", each("? 10 20 2"), "", "unseen@110-100+1");
        row("two of them", "", each("? 10 20 4"), "", "unseen@110-100+3");
        row("two, of which the one before was known", "a", each("- 10 20 3"), "", "free@110-100+2");
        row("over before it was read on all", "", each("a 10 20") + ';' + each("- 40 50"), "",
            "a@20-10 free@110-100");
        row("after one that nobody read", "",
            each("? 10 20 2") + ';' + each("a 30 35") + ';' + each("- 40 50"), "", "a@35-25+2 free@110-100");
        row("before one that nobody read", "", each("a 30 35") + ';' + each("- 40 50 3"), "",
            "a@35-5 free@110-80+2");
        row("over before the next was read", "z", each("a 10 20") + ';' + each("b 40 50"), "b",
            "a@20-10 b@110-100");
        row("an attempt on a minority is nothing yet", "", "0 ? 10 20 2; 1 ? 10 20 2", "", "free@110-100+1",
            2);
        row("one told of it more often", "", "0 ? 10 20 4; 1 ? 10 20 2; 2 ? 10 20 2", "", "unseen@110-100+3");
        row("an attempt on a minority while it was held", "a", "4 ? 10 20 2", "a", "a@110-100+1");
        row("on its way out, and the next one comes", "a", "0 b 10 20 2; 1 - 10 20", "a", "a@110-100", 2);
        row("still there", "a", "0 a 10 20 2; 1 a 10 20", "a", "a@110-100+1");
    }
    void tells()
    {
        QFETCH(QByteArray, before);
        QFETCH(QByteArray, told);
        QFETCH(QByteArray, now);
        const Before was{before.isEmpty() ? Standing::Absent : Standing::Held, before,
                         quint16(before.isEmpty() ? 0 : 0b1111)};
        const Telling telling = tellingOf(stirOf(told), was, lockHeldBy(now), kBeganUs, kEndedUs, kQuorum);
        QTEST(textOf(telling.changes), "changes");
        QTEST(telling.rest.told(), "rest");
    }

    void whatCameAfterTheReadingIsNotOfIt_data()
    {
        QTest::addColumn<QByteArray>("now");
        QTest::addColumn<QByteArray>("told");
        QTest::addColumn<quint32>("before");
        QTest::addColumn<quint32>("after");
        QTest::newRow("read before") << QByteArray() << QByteArray("0 ? 10 100 2") << 2u << 0u;
        QTest::newRow("read after") << QByteArray() << QByteArray("0 ? 10 101 2") << 0u << 2u;
        QTest::newRow("shows the same as the reading")
            << QByteArray("a") << QByteArray("0 a 10 120 3") << 3u << 0u;
        QTest::newRow("shows another") << QByteArray("a") << QByteArray("0 b 10 120") << 0u << 1u;
        QTest::newRow("each by itself")
            << QByteArray("a") << QByteArray("0 a 10 120 2; 1 a 10 90; 1 - 110 120 3") << 2u << 3u;
    }
    void whatCameAfterTheReadingIsNotOfIt()
    {
        QFETCH(QByteArray, now);
        QFETCH(QByteArray, told);
        Stir later = stirOf(told);
        const Stir after = takeAfter(later, lockHeldBy(now), kBeganUs);
        QTEST(later.told(), "before");
        QTEST(after.told(), "after");
    }

    /** No change is counted twice or lost, however it comes in parts. */
    void allIsCountedOnce()
    {
        StirRests rests;
        const Subject lock{0, "lock:a"};
        quint32 counted = 0;
        const QList<QByteArray> parts{"0 ? 10 20 2; 1 ? 10 20 2", "2 ? 30 40 2", each("? 50 60 2"),
                                      "3 ? 70 80 2"};
        for (const QByteArray &part : parts) {
            Stir stir = rests.take(lock, kQuorum, 0);
            stir.append(stirOf(part));
            const Telling telling = tellingOf(stir, {}, lockHeldBy({}), kBeganUs, kEndedUs, kQuorum);
            if (telling.changes.constLast().unseen)
                counted += telling.changes.constLast().coalesced + 1;
            rests.keep(lock, telling.rest, 0);
        }
        QCOMPARE(counted, 4u); // two holds, each of two changes
        QCOMPARE(rests.take(lock, kQuorum, 0).told(), 2u);
    }

    void restsGrowOld()
    {
        StirRests rests;
        const Subject some{0, "lock:a"};
        const Subject many{0, "lock:b"};
        rests.keep(some, stirOf("0 ? 10 20; 1 ? 10 20"), 0);
        rests.keep(many, stirOf("0 a 10 20; 1 ? 10 20; 2 ? 10 20"), 0);
        QVERIFY(rests.take(many, kQuorum, 99).mayHaveHeld(kQuorum, {}));
        QVERIFY(rests.take(many, kQuorum, 99).isEmpty());
        rests.keep(many, stirOf("0 a 10 20; 1 ? 10 20; 2 ? 10 20"), 99);
        QVERIFY(rests.take(some, kQuorum, 100).isEmpty());
        const Stir count = rests.take(many, kQuorum, 1'000'000);
        QCOMPARE(count.told(), 1u);
        QVERIFY(!count.mayHaveHeld(kQuorum, {}));
        rests.keep(many, stirOf("0 ? 10 20; 1 ? 10 20; 2 ? 10 20"), 1'000'000);
        rests.clear();
        QVERIFY(rests.take(many, kQuorum, 1'000'001).isEmpty());
    }
};

LOCKKEEPER_TEST(TestRedlockTelling)

} // namespace tst_redlock_telling

#include "tst_redlock_telling.moc"
