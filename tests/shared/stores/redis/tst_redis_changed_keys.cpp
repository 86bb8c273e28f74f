// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/invalidation/changed_keys.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_redis_changed_keys {

using namespace lockkeeper::stores::redis::push;

/** The keys that wait to be read. */
class TestRedisChangedKeys : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readInTheOrderTold()
    {
        ChangedKeys changed;
        QCOMPARE(changed.openSinceUs(99), 99);
        for (const char *key : {"a", "b", "a", "c", "a"})
            changed.mark(key, 10);
        QCOMPARE(changed.waiting(), 3);
        bool read = false;
        changed.whenRead([&read] { read = true; });
        const QList<ChangedKey> first = changed.take(2);
        QCOMPARE(first.at(0).key, QByteArray("a"));
        QCOMPARE(first.at(0).told, 3U);
        QCOMPARE(first.at(1).key, QByteArray("b"));
        QVERIFY(changed.isOpen("a") && changed.isOpen("c") && !changed.isOpen("d"));
        changed.answered("a", 20);
        changed.answered("b", 20);
        changed.callRead();
        QVERIFY(!read);
        QCOMPARE(changed.openSinceUs(99), 10);
        QCOMPARE(changed.take(5).size(), 1);
        changed.answered("c", 21);
        changed.callRead();
        QVERIFY(read);
        changed.proven(21);
        QVERIFY(changed.isEmpty());
    }

    /** A key that is reported during a read is read again afterwards, with a separate bound. */
    void toldWhileRead()
    {
        ChangedKeys changed;
        changed.mark("a", 10);
        changed.take(1);
        changed.mark("a", 20);
        changed.mark("b", 25);
        changed.note("a", "del");
        changed.mark("a", 30);
        bool read = false;
        changed.whenRead([&read] { read = true; });
        QCOMPARE(changed.waiting(), 1); // never twice at a time
        QCOMPARE(changed.openSinceUs(99), 10);
        changed.answered("a", 40);
        QCOMPARE(changed.openSinceUs(99), 20);
        const QList<ChangedKey> next = changed.take(5);
        QCOMPARE(next.size(), 2);
        QCOMPARE(next.at(1).key, QByteArray("a"));
        QCOMPARE(next.at(1).sinceUs, 20);
        QCOMPARE(next.at(1).told, 2U);
        QCOMPARE(next.at(1).events.end(), KeyEvents::KeyEnd::Deleted);
        QVERIFY(!next.at(1).afterRead); // the first read may have shown it
        changed.answered("b", 41);
        changed.callRead();
        QVERIFY(!read);
        changed.answered("a", 41);
        changed.callRead();
        QVERIFY(read);
    }

    void whatWaitsBesideAKeyIsNoChangeOfIt()
    {
        ChangedKeys changed;
        changed.mark("a", 10, false);
        QCOMPARE(changed.take(1).constFirst().told, 0U);
    }

    /** A notification that comes before the watermark passes the last read may concern a change that the read
     * showed. */
    void whatMayHaveBeenRead_data()
    {
        QTest::addColumn<qint64>("watermark"); // when the notification comes; the last read was at 20
        QTest::addColumn<bool>("afterRead");
        QTest::newRow("before") << qint64(19) << false;
        QTest::newRow("at") << qint64(20) << true;
        QTest::newRow("after") << qint64(21) << true;
        QTest::newRow("the store's clock was set back") << qint64(0) << false;
    }
    void whatMayHaveBeenRead()
    {
        QFETCH(qint64, watermark);
        QFETCH(bool, afterRead);
        ChangedKeys changed;
        changed.mark("a", 5);
        QVERIFY(changed.take(1).constFirst().afterRead); // no client has read it
        changed.answered("a", 20);
        changed.proven(watermark);
        changed.mark("a", watermark);
        changed.mark("a", 30); // the first of them counts
        const ChangedKey key = changed.take(1).constFirst();
        QCOMPARE(key.afterRead, afterRead);
        QCOMPARE(key.sinceUs, watermark);
    }

    /** A watermark in the new time is past all earlier reads, and not past later reads. */
    void aClockThatIsSetBack()
    {
        ChangedKeys changed;
        for (const char *key : {"a", "b"}) {
            changed.mark(key, 9'000'000);
            changed.take(1);
            changed.answered(key, 9'000'010);
        }
        changed.mark("c", 9'000'000);
        changed.take(1);
        changed.answered("c", 1'000'000);
        changed.proven(999'999);
        changed.mark("a", 999'999);
        QVERIFY(!changed.take(1).constFirst().afterRead);
        changed.answered("a", 1'000'001);
        changed.proven(1'000'000);
        QVERIFY(!changed.isEmpty());
        changed.proven(1'000'001);
        QVERIFY(changed.isEmpty());
    }
};

LOCKKEEPER_TEST(TestRedisChangedKeys)

} // namespace tst_redis_changed_keys

#include "tst_redis_changed_keys.moc"
