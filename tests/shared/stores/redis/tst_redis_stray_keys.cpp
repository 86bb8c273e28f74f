// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/stray_keys.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <optional>

namespace tst_redis_stray_keys {

using namespace lockkeeper::stores;
using namespace lockkeeper::stores::redis;

namespace {

constexpr quint16 kFrom = 1;
constexpr quint16 kTo = 2;
const Subject kKey{0, "k"};

push::KeyStory story(const QByteArray &events)
{
    push::KeyStory told;
    for (const QByteArray &event : events.split(' '))
        told.add(event);
    return told;
}

/** A node that was asked at `askedUs`, when its clock showed `storeUs`, told of the key. */
push::Strays tells(qint64 askedUs, qint64 storeUs, qint64 sinceUs, qint64 absentAtUs = 0,
                   const QByteArray &events = {})
{
    push::Strays strays;
    push::ReadBack::Key key{{kKey.name, {sinceUs, 1, story(events)}, absentAtUs}, {kKey.set}};
    strays.keys = {key};
    strays.beganUs = storeUs;
    strays.askedUs = askedUs;
    return strays;
}

} // namespace

/** What is known of a key between two nodes; all times are small numbers of microseconds. */
class TestRedisStrayKeys : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    /** A key is told of by some nodes, sent on by the first and read at the second. */
    void windows_data()
    {
        QTest::addColumn<qint64>(
            "toldFrom"); // by that node's clock, which is 5,000 ahead; 0: it told nothing
        QTest::addColumn<qint64>("toldTo");
        QTest::addColumn<qint64>("untilFrom"); // that node had told all until then
        QTest::addColumn<qint64>("untilTo");
        QTest::addColumn<qint64>("sinceUs"); // by the clock of the node that was read
        // Both were asked at 1,000, and the first one's clock showed 6,000 then: the answer from 1,100 there
        // comes at 1,150, and what the first one dates 5,900 may have been at 900, or by that clock at 850.
        QTest::newRow("the new node tells, its own clock")
            << qint64(0) << qint64(700) << qint64(5'950) << qint64(1'050) << qint64(700);
        QTest::newRow("the old one hadn't told yet")
            << qint64(0) << qint64(700) << qint64(5'600) << qint64(1'050) << qint64(550);
        QTest::newRow("the old one tells, another clock")
            << qint64(5'900) << qint64(0) << qint64(5'950) << qint64(1'050) << qint64(850);
        QTest::newRow("and the new one hadn't told yet")
            << qint64(5'900) << qint64(0) << qint64(5'950) << qint64(300) << qint64(300);
        QTest::newRow("both tell") << qint64(5'500) << qint64(700) << qint64(5'950) << qint64(1'050)
                                   << qint64(450);
        QTest::newRow("one has no proof")
            << qint64(0) << qint64(700) << qint64(0) << qint64(1'050) << qint64(0);
        QTest::newRow("nor has the other")
            << qint64(0) << qint64(700) << qint64(5'950) << qint64(0) << qint64(0);
    }
    void windows()
    {
        QFETCH(qint64, toldFrom);
        QFETCH(qint64, toldTo);
        QFETCH(qint64, untilFrom);
        QFETCH(qint64, untilTo);
        StrayKeys keys;
        if (toldFrom > 0)
            keys.note(kFrom, tells(1'000, 6'000, toldFrom));
        if (toldTo > 0)
            keys.note(kTo, tells(1'000, 1'000, toldTo));
        QCOMPARE(keys.take(), QList<Subject>{kKey});
        keys.sentOn(kKey, {kFrom, {1'000, 6'000}, untilFrom});
        QVERIFY(keys.hasAsked(kKey, kFrom) && !keys.hasAsked(kKey, kTo));
        const auto answer = keys.answer(kKey, {kTo, {1'000, 1'000}, untilTo}, 1'100, 1'150);
        QVERIFY(answer.has_value());
        QTEST(answer->dirt.sinceUs, "sinceUs");
        QCOMPARE(answer->key, kKey.name);
        // What a key's departure looks like is no message about the lock.
        QCOMPARE(answer->dirt.told, quint32(toldTo > 0 ? 1 : 0));
    }

    /** Where a node's clock was set back nothing is known of when, however its clock is apart from the
     * other's.
     */
    void withoutProof()
    {
        StrayKeys keys;
        keys.note(kTo, tells(1'000, 1'000, 700));
        keys.note(kFrom, tells(1'000, 500, 0));
        QCOMPARE(keys.take().size(), 1);
        QCOMPARE(keys.answer(kKey, {kTo, {1'000, 1'000}, 1'050}, 1'100, 1'150)->dirt.sinceUs, 0);
    }

    /** It is read once at a time, and what is told meanwhile reaches back as well. */
    void oneReadingAtATime()
    {
        StrayKeys keys;
        keys.note(kTo, tells(1'000, 1'000, 900));
        QCOMPARE(keys.take().size(), 1);
        keys.note(kTo, tells(1'000, 1'000, 950));
        keys.note(kFrom, tells(1'000, 6'000, 5'800));
        QVERIFY(keys.take().isEmpty());
        auto answer = keys.answer(kKey, {kTo, {1'000, 1'000}, 1'050}, 1'100, 1'100);
        QCOMPARE(answer->dirt.sinceUs, 800);
        QCOMPARE(answer->dirt.told, 1u);
        keys.end(kKey);
        QCOMPARE(keys.take().size(), 1);
        answer = keys.answer(kKey, {kTo, {1'000, 1'000}, 1'200}, 1'300, 1'300);
        QCOMPARE(answer->dirt.sinceUs, 800);
        keys.end(kKey);
        QVERIFY(keys.isEmpty() && keys.take().isEmpty());
        QVERIFY(!keys.answer(kKey, {kTo, {}, 1}, 1, 1));
    }

    /** A reading that says nothing: the next one answers all. */
    void again()
    {
        StrayKeys keys;
        keys.note(kTo, tells(1'000, 1'000, 900, 0, "set"));
        QCOMPARE(keys.take().size(), 1);
        keys.sentOn(kKey, {kFrom, {1'000, 6'000}, 5'100});
        keys.note(kTo, tells(1'000, 1'000, 950, 0, "expired"));
        keys.again(kKey);
        QCOMPARE(keys.take().size(), 1);
        QVERIFY(!keys.hasAsked(kKey, kFrom));
        const auto answer = keys.answer(kKey, {kTo, {1'000, 1'000}, 1'050}, 1'100, 1'100);
        QCOMPARE(answer->dirt.sinceUs, 900);
        QCOMPARE(answer->dirt.told, 2u);
        QVERIFY(answer->dirt.story.came);
        QCOMPARE(answer->dirt.story.end(), push::KeyStory::End::Expired);
    }

    /** What is said of a lock that nobody saw, by what the node that was read has told. */
    void claims_data()
    {
        QTest::addColumn<qint64>("sinceUs");
        QTest::addColumn<qint64>("absentAt"); // as its tracker knew
        QTest::addColumn<qint64>("readAt");   // it was read there while this waited; 0: it wasn't
        QTest::addColumn<QByteArray>("events");
        QTest::addColumn<bool>("claimed");
        QTest::newRow("not there before") << qint64(900) << qint64(800) << qint64(0) << QByteArray() << true;
        QTest::newRow("not there after") << qint64(900) << qint64(950) << qint64(0) << QByteArray() << false;
        QTest::newRow("read meanwhile") << qint64(900) << qint64(800) << qint64(950) << QByteArray() << false;
        QTest::newRow("it was set") << qint64(900) << qint64(950) << qint64(0) << QByteArray("set del")
                                    << true;
        QTest::newRow("it was restored")
            << qint64(900) << qint64(0) << qint64(0) << QByteArray("restore del") << false;
        QTest::newRow("the other node told it alone")
            << qint64(0) << qint64(0) << qint64(0) << QByteArray() << false;
    }
    void claims()
    {
        QFETCH(qint64, sinceUs);
        QFETCH(qint64, absentAt);
        QFETCH(qint64, readAt);
        QFETCH(QByteArray, events);
        SourceSpec spec;
        spec.locks.emplaceBack().scheme = "redis.token";
        ReadMode mode;
        mode.schemes = schemesOf(spec);
        StrayKeys keys;
        keys.note(kFrom, tells(1'000, 6'000, 5'850, 0, events.isEmpty() ? "" : "set del"));
        if (sinceUs > 0)
            keys.note(kTo, tells(1'000, 1'000, sinceUs, absentAt, events));
        keys.wasAbsent(kKey, kFrom, 6'000, 1'000);
        if (readAt > 0)
            keys.wasAbsent(kKey, kTo, readAt, readAt);
        QCOMPARE(keys.take().size(), 1);
        push::ReadBack read;
        read.keys = {{*keys.answer(kKey, {kTo, {1'000, 1'000}, 1'050}, 1'100, 1'100), {kKey.set}}};
        KeyPage page{1'000, 1'100, read.questions()};
        page.locks.first().present = false;
        push::KeyMembers members;
        const auto changes = push::changesOf(read, page, mode, {!events.isEmpty(), true}, members);
        QCOMPARE(changes.size(), 1);
        QTEST(changes.constFirst().unseen, "claimed");
        QCOMPARE(changes.constFirst().windowUs, 250); // of what the other one told
    }

    /** A key that wasn't at the node that was read, which has told nothing of it: what the other one told. */
    void neverLeft_data()
    {
        QTest::addColumn<qint64>("absentAt");   // at the node that told, by its clock
        QTest::addColumn<qint64>("absentHere"); // the node that was read said so, by the monotonic clock
        QTest::addColumn<qint64>("tellsSince"); // the node that was read
        QTest::addColumn<qint64>("arrived");    // the answer
        QTest::addColumn<int>("others");        // that have told, too
        QTest::addColumn<bool>("stayed");
        // It was told of what happened at 5,900 or later, which was at 850 or later by the other clock.
        QTest::newRow("it has told it all")
            << qint64(5'850) << qint64(800) << qint64(500) << qint64(1'150) << 0 << true;
        QTest::newRow("of what a reading there has shown")
            << qint64(5'950) << qint64(800) << qint64(500) << qint64(1'150) << 0 << false;
        QTest::newRow("of what a reading here may have shown")
            << qint64(5'850) << qint64(920) << qint64(500) << qint64(1'150) << 0 << false;
        QTest::newRow("the subscription here is younger")
            << qint64(5'850) << qint64(800) << qint64(870) << qint64(1'150) << 0 << false;
        QTest::newRow("told by another one, too")
            << qint64(5'850) << qint64(800) << qint64(500) << qint64(1'150) << 1 << false;
        QTest::newRow("longer ago than is remembered")
            << qint64(5'850) << qint64(800) << qint64(500) << 1'000 + StrayKeys::kMemoryUs << 0 << false;
    }
    void neverLeft()
    {
        QFETCH(qint64, absentAt);
        QFETCH(qint64, absentHere);
        QFETCH(qint64, tellsSince);
        QFETCH(qint64, arrived);
        QFETCH(int, others);
        const StrayKeys::Asked here{kTo, {1'000, 1'000}, 1'050};
        StrayKeys keys;
        keys.wasAbsent(kKey, kTo, absentHere, absentHere);
        keys.wasAbsent(kKey, kFrom, 5'990, 990); // its own clock says what that means
        keys.note(kFrom, tells(1'000, 6'000, 5'900, absentAt, "set del"));
        for (int i = 0; i < others; ++i)
            keys.note(quint16(kTo + 1 + i), tells(1'000, 1'000, 900));
        QVERIFY(!keys.stayed(kKey, here, 1'100, arrived, tellsSince)); // it isn't read
        QCOMPARE(keys.take().size(), 1);
        keys.sentOn(kKey, {kFrom, {1'000, 6'000}, 5'950});
        const auto answer = keys.stayed(kKey, here, 1'100, arrived, tellsSince);
        QTEST(answer.has_value(), "stayed");
        if (!answer)
            return;
        QCOMPARE(answer->key, kKey.name);
        QCOMPARE(answer->dirt.told, 1u);
        QCOMPARE(answer->dirt.sinceUs, 850);
        QVERIFY(answer->dirt.story.came);
        QCOMPARE(answer->absentAtUs, 0);
    }

    /** Until it is known what the node that was read had to tell from before. */
    void heldBack()
    {
        const StrayKeys::Asked here{kTo, {1'000, 1'000}, 1'050};
        StrayKeys keys;
        keys.holdBack(kKey);
        QVERIFY(!keys.isHeldBack(kKey));
        keys.note(kFrom, tells(1'000, 6'000, 5'900));
        QCOMPARE(keys.take().size(), 1);
        keys.holdBack(kKey);
        QVERIFY(keys.isHeldBack(kKey) && !keys.hasTold(kKey, kTo));
        QVERIFY(keys.stayed(kKey, here, 1'100, 1'150, 500));
        keys.note(kTo, tells(1'000, 1'000, 900)); // it had come there after all
        QVERIFY(keys.hasTold(kKey, kTo) && !keys.stayed(kKey, here, 1'100, 1'150, 500));
        QVERIFY(keys.take().isEmpty());
        keys.again(kKey);
        QVERIFY(!keys.isHeldBack(kKey));
        QCOMPARE(keys.take().size(), 1);
        QVERIFY(!keys.isHeldBack(kKey));
        QCOMPARE(keys.answer(kKey, here, 1'100, 1'150)->dirt.told, 1u);
        keys.end(kKey);
        QVERIFY(keys.isEmpty());
    }

    /** What both have told is counted, but for a message each of the key's way from one to the other. */
    void counts_data()
    {
        QTest::addColumn<int>("from");
        QTest::addColumn<int>("to");
        QTest::addColumn<quint32>("told");
        QTest::newRow("the new one alone") << 0 << 3 << 3u;
        QTest::newRow("its way") << 1 << 1 << 1u;
        QTest::newRow("more at the old one") << 3 << 1 << 2u;
        QTest::newRow("more at both") << 2 << 4 << 4u;
        QTest::newRow("the old one alone") << 3 << 0 << 0u;
    }
    void counts()
    {
        QFETCH(int, from);
        QFETCH(int, to);
        StrayKeys keys;
        for (int i = 0; i < from; ++i)
            keys.note(kFrom, tells(1'000, 6'000, 5'900));
        for (int i = 0; i < to; ++i)
            keys.note(kTo, tells(1'000, 1'000, 900));
        QCOMPARE(keys.take().size(), 1);
        QTEST(keys.answer(kKey, {kTo, {1'000, 1'000}, 1'050}, 1'100, 1'150)->dirt.told, "told");
    }

    /** Of a key that somebody else is to read, what is known stays. */
    void keysPassedOn()
    {
        push::DirtyKeys dirty;
        QVERIFY(!dirty.openSinceUs("a"));
        dirty.mark("a", 10);
        QCOMPARE(dirty.openSinceUs("a"), std::optional<qint64>(10));
        dirty.take(1);
        dirty.mark("a", 12);
        QCOMPARE(dirty.openSinceUs("a"), std::optional<qint64>(10)); // the reading may show either
        dirty.wasAbsent("a", 20);
        dirty.passedOn("a");
        QCOMPARE(dirty.openSinceUs("a"), std::optional<qint64>(12));
        QCOMPARE(dirty.take(1).constFirst().absentAtUs, 20);
        dirty.wasAbsent("a", 21);
        dirty.proven(25); // while it is read: to be judged by it still
        QCOMPARE(dirty.absentAtUs("a"), 21);
        dirty.passedOn("a");
        QVERIFY(!dirty.openSinceUs("a"));
        dirty.proven(26);
        QCOMPARE(dirty.size(), 0);

        push::ReadBack asked;
        KeyPage page{100, 110, {}};
        for (const char *key : {"here", "sent on", "another's"})
            asked.keys.append({push::DirtyKeys::Asked{key, {90, 1, {}}, 0}, {0}});
        page.locks = asked.questions();
        page.locks.removeAt(1);
        page.elsewhere = {{{0, "sent on"}, {}}};
        const auto gone = push::takeElsewhere(
            asked, page, [](QByteArrayView key) { return key != QByteArrayView("another's"); });
        QCOMPARE(gone.size(), 2);
        QVERIFY(gone.at(0).asked.key == "sent on" && gone.at(1).asked.key == "another's");
        QVERIFY(asked.keys.size() == 1 && page.locks.size() == 1 && page.locks.constFirst().name == "here");
    }
};

LOCKKEEPER_TEST(TestRedisStrayKeys)

} // namespace tst_redis_stray_keys

#include "tst_redis_stray_keys.moc"
