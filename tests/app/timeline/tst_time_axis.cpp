// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/timeline/ticks.h"
#include "app/timeline/time_axis.h"
#include "app/timeline/view_range.h"
#include "tests/support/test_program.h"

#include <QDateTime>
#include <QtTest>

namespace tst_time_axis {

using namespace lockkeeper::app::timeline;

namespace {

constexpr qint64 kSecond = 1'000'000;
constexpr qint64 kMinute = 60 * kSecond;
constexpr qint64 kHour = 60 * kMinute;
constexpr qint64 kDay = 24 * kHour;

qint64 at(const QByteArray &iso, const QTimeZone &zone = QTimeZone::utc())
{
    QDateTime time = QDateTime::fromString(QString::fromLatin1(iso), Qt::ISODate);
    time.setTimeZone(zone);
    return time.toMSecsSinceEpoch() * 1000;
}

QString local(qint64 us, const QTimeZone &zone, const char *format = "HH:mm")
{
    return QDateTime::fromMSecsSinceEpoch(us / 1000, zone).toString(QString::fromLatin1(format));
}

} // namespace

/** Time ↔ x, round times of a zone, and how the shown stretch moves. */
class TestTimeAxis : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void xAndBack();
    void microsecondsStayApart();
    void zoomKeepsThePointer();
    void zoomHasEnds();
    void staysWithinLimits();
    void ticks_data();
    void ticks();
    void hourThatComesTwice();
    void hourThatIsSkipped();
    void daysAreAsLongAsTheyWere_data();
    void daysAreAsLongAsTheyWere();
    void halfAnHoursZone();
    void weeksBeginOnMondays();
    void goesBackToWhereItWas();
    void followsByWholePixels();
    void catchesUpAfterANight();
    void standsOncePanned();
    void clockSetBackIsFollowed();
    void fitsTheJournal();
    void opensOnWhatTheJournalHas();
};

void TestTimeAxis::xAndBack()
{
    const TimeAxis axis({at("2026-11-20T02:00:00Z"), at("2026-11-20T03:00:00Z")}, 1200);
    QCOMPARE(axis.xOf(at("2026-11-20T02:30:00Z")), 600.0);
    QCOMPARE(axis.timeAt(600), at("2026-11-20T02:30:00Z"));
    QVERIFY(axis.xOf(at("2026-11-20T01:59:00Z")) < 0);
    QVERIFY(axis.xOf(at("2026-11-20T03:01:00Z")) > 1200);
    QVERIFY(!TimeAxis({5, 5}, 100).isValid());
    QVERIFY(!TimeAxis({5, 9}, 0).isValid());
}

void TestTimeAxis::microsecondsStayApart()
{
    const qint64 now = at("2026-11-20T02:00:00Z");
    const TimeAxis axis({now, now + kShortestRangeUs}, 1000);
    QCOMPARE(axis.xOf(now + 1) * 10, 1.0);
    QCOMPARE(axis.timeAt(axis.xOf(now + 4321) + 0.01), now + 4321);
}

void TestTimeAxis::zoomKeepsThePointer()
{
    TimeRange range{at("2026-11-20T00:00:00Z"), at("2026-11-21T00:00:00Z")};
    const qint64 pointer = at("2026-11-20T17:13:05Z");
    const double x = TimeAxis(range, 1000).xOf(pointer);
    for (int i = 0; i < 12; ++i) {
        range = zoomed(range, 0.8, pointer);
        QVERIFY(qAbs(TimeAxis(range, 1000).xOf(pointer) - x) < 0.01);
    }
    QVERIFY(range.lengthUs() < 2 * kHour);
}

void TestTimeAxis::zoomHasEnds()
{
    TimeRange range{0, kHour};
    for (int i = 0; i < 200; ++i)
        range = zoomed(range, 0.5, kMinute);
    QCOMPARE(range.lengthUs(), kShortestRangeUs);
    for (int i = 0; i < 200; ++i)
        range = zoomed(range, 2, kMinute);
    QCOMPARE(range.lengthUs(), kLongestRangeUs);
}

void TestTimeAxis::staysWithinLimits()
{
    QCOMPARE(within({-50, 50}, {0, 1000}), (TimeRange{0, 100}));
    QCOMPARE(within({980, 1080}, {0, 1000}), (TimeRange{900, 1000}));
    QCOMPARE(within({-50, 5000}, {0, 1000}), (TimeRange{0, 1000}));
    QCOMPARE(within({-50, 50}, {}), (TimeRange{-50, 50})); // nothing is known yet
}

void TestTimeAxis::ticks_data()
{
    QTest::addColumn<qint64>("length");
    QTest::addColumn<int>("unit");
    QTest::addColumn<qint64>("apart");
    QTest::newRow("10 ms") << qint64(10'000) << int(TickUnit::Millisecond) << qint64(1'000);
    QTest::newRow("1 s") << kSecond << int(TickUnit::Millisecond) << qint64(100'000);
    QTest::newRow("1 min") << kMinute << int(TickUnit::Second) << 5 * kSecond;
    QTest::newRow("17 min") << 17 * kMinute << int(TickUnit::Minute) << 2 * kMinute;
    QTest::newRow("1 h") << kHour << int(TickUnit::Minute) << 5 * kMinute;
    QTest::newRow("a day") << kDay << int(TickUnit::Hour) << 2 * kHour;
    QTest::newRow("a week") << 7 * kDay << int(TickUnit::Day) << kDay;
}

void TestTimeAxis::ticks()
{
    QFETCH(qint64, length);
    QFETCH(int, unit);
    QFETCH(qint64, apart);
    const qint64 from = at("2026-11-20T02:00:00Z");
    const Ticks found = ticksOf({{from, from + length}, 1000}, QTimeZone::utc(), 80);
    QCOMPARE(int(found.unit), unit);
    QVERIFY(found.list.size() >= 6 && found.list.size() <= 13);
    for (qsizetype i = 1; i < found.list.size(); ++i)
        QCOMPARE(found.list.at(i).us - found.list.at(i - 1).us, apart);
}

void TestTimeAxis::hourThatComesTwice()
{
    // Berlin, 25 October 2026: at 3:00 summer time the clock is put back to 2:00.
    const QTimeZone berlin("Europe/Berlin");
    const TimeRange day{at("2026-10-25T00:00:00", berlin), at("2026-10-26T00:00:00", berlin)};
    QCOMPARE(day.lengthUs(), 25 * kHour);
    const Ticks found = ticksOf({day, 2500}, berlin, 80);
    QCOMPARE(found.unit, TickUnit::Hour);
    QCOMPARE(found.list.size(), 25);
    QStringList words;
    for (qsizetype i = 0; i < 6; ++i)
        words.append(local(found.list.at(i).us, berlin) +
                     QLatin1String(found.list.at(i).clockSet ? "!" : ""));
    QCOMPARE(words.join(QLatin1Char(' ')), QStringLiteral("00:00 01:00 02:00 02:00! 03:00 04:00"));
}

void TestTimeAxis::hourThatIsSkipped()
{
    const QTimeZone berlin("Europe/Berlin");
    const TimeRange day{at("2026-03-29T00:00:00", berlin), at("2026-03-30T00:00:00", berlin)};
    QCOMPARE(day.lengthUs(), 23 * kHour);
    const Ticks found = ticksOf({day, 2300}, berlin, 80);
    QCOMPARE(found.list.size(), 23);
    QCOMPARE(local(found.list.at(1).us, berlin), QStringLiteral("01:00"));
    QCOMPARE(local(found.list.at(2).us, berlin), QStringLiteral("03:00"));
    QVERIFY(found.list.at(2).clockSet);
    // Ticks six hours apart stay round by the wall clock on both sides of the change.
    QStringList words;
    for (const Tick &tick : ticksOf({day, 400}, berlin, 80).list)
        words.append(local(tick.us, berlin));
    QCOMPARE(words.join(QLatin1Char(' ')), QStringLiteral("00:00 06:00 12:00 18:00"));
}

void TestTimeAxis::daysAreAsLongAsTheyWere_data()
{
    QTest::addColumn<QString>("from");
    QTest::addColumn<QList<int>>("hours");
    QTest::newRow("autumn") << QStringLiteral("2026-10-24T00:00:00") << QList<int>{24, 25, 24};
    QTest::newRow("spring") << QStringLiteral("2026-03-28T00:00:00") << QList<int>{24, 23, 24};
}

void TestTimeAxis::daysAreAsLongAsTheyWere()
{
    QFETCH(QString, from);
    QFETCH(QList<int>, hours);
    const QTimeZone berlin("Europe/Berlin");
    const qint64 first = at(from.toLatin1(), berlin);
    const TimeAxis axis({first, first + 4 * kDay}, 400);
    const Ticks found = ticksOf(axis, berlin, 80);
    QCOMPARE(found.unit, TickUnit::Day);
    for (qsizetype i = 0; i < hours.size(); ++i) {
        QCOMPARE(found.list.at(i + 1).us - found.list.at(i).us, hours.at(i) * kHour);
        QVERIFY(found.list.at(i).dayBegins);
        // The width matches as well: an hour is 100/24 px.
        const double width = axis.xOf(found.list.at(i + 1).us) - axis.xOf(found.list.at(i).us);
        QVERIFY(qAbs(width - hours.at(i) * 100.0 / 24) < 0.01);
    }
}

void TestTimeAxis::halfAnHoursZone()
{
    const QTimeZone india("Asia/Kolkata");
    const qint64 from = at("2026-11-20T00:00:00Z");
    const Ticks found = ticksOf({{from, from + 5 * kHour}, 500}, india, 80);
    QCOMPARE(local(found.list.first().us, india), QStringLiteral("06:00"));
    // Lord Howe's clocks change by half an hour.
    const QTimeZone howe("Australia/Lord_Howe");
    const TimeRange day{at("2026-04-05T00:00:00", howe), at("2026-04-06T00:00:00", howe)};
    QCOMPARE(day.lengthUs(), 24 * kHour + 30 * kMinute);
    for (const Tick &tick : ticksOf({day, 2450}, howe, 80).list)
        QCOMPARE(local(tick.us, howe, "mm"), QStringLiteral("00"));
}

void TestTimeAxis::weeksBeginOnMondays()
{
    const qint64 from = at("2026-11-01T00:00:00Z");
    const Ticks found = ticksOf({{from, from + 60 * kDay}, 800}, QTimeZone::utc(), 80);
    for (const Tick &tick : found.list)
        QCOMPARE(QDateTime::fromMSecsSinceEpoch(tick.us / 1000, QTimeZone::utc()).date().dayOfWeek(), 1);
    QCOMPARE(found.list.size(), 9);
    const Ticks months = ticksOf({{from, from + 370 * kDay}, 800}, QTimeZone::utc(), 80);
    QCOMPARE(months.unit, TickUnit::Month);
    for (const Tick &tick : months.list)
        QCOMPARE(local(tick.us, QTimeZone::utc(), "dd HH:mm"), QStringLiteral("01 00:00"));
}

void TestTimeAxis::goesBackToWhereItWas()
{
    const qint64 now = at("2026-11-20T12:00:00Z");
    const TimeRange hour{now - kHour, now};
    ViewRange view(hour);
    view.setLimits(now - kDay, now);
    view.setFollowing(false);
    view.zoom(0.5, now - kMinute); // one step back for three wheel steps
    view.zoom(0.5, now - kMinute);
    view.zoom(0.5, now - kMinute);
    const TimeRange closer = view.range();
    view.show({now - 5 * kMinute, now - 4 * kMinute});
    QCOMPARE(view.range(), (TimeRange{now - 5 * kMinute, now - 4 * kMinute}));
    view.goBack();
    QCOMPARE(view.range(), closer);
    view.goBack();
    QCOMPARE(view.range(), hour);
    QVERIFY(!view.canGoBack());
    view.goBack();
    QCOMPARE(view.range(), hour);
}

void TestTimeAxis::followsByWholePixels()
{
    const qint64 now = at("2026-11-20T12:00:00Z");
    ViewRange view({now - kHour, now});
    QVERIFY(view.follow(now, 1000)); // now is a little before the end
    const TimeRange before = view.range();
    QVERIFY(before.toUs > now && before.toUs < now + 2 * kMinute);
    QVERIFY(!view.follow(now + kSecond, 1000)); // a pixel is 3.6 s
    QVERIFY(view.follow(now + 4 * kSecond, 1000));
    QCOMPARE(view.range().fromUs - before.fromUs, 3'600'000);
    QCOMPARE(view.range().lengthUs(), before.lengthUs());
}

void TestTimeAxis::catchesUpAfterANight()
{
    const qint64 now = at("2026-11-20T22:00:00Z");
    ViewRange view({now - kHour, now});
    view.follow(now, 1000);
    const qint64 morning = at("2026-11-21T08:00:00Z");
    QVERIFY(view.follow(morning, 1000));
    QVERIFY(view.range().contains(morning));
    QCOMPARE(view.range().lengthUs(), kHour); // without the night
}

void TestTimeAxis::standsOncePanned()
{
    const qint64 now = at("2026-11-20T12:00:00Z");
    ViewRange view({now - kHour, now});
    view.setLimits(now - kDay, now);
    view.pan(-10 * kMinute);
    QVERIFY(!view.isFollowing());
    const TimeRange stands = view.range();
    QCOMPARE(stands.fromUs, now - kHour - 10 * kMinute);
    QVERIFY(!view.follow(now + kHour, 1000));
    QCOMPARE(view.range(), stands);
    view.pan(-10 * kDay); // no further back than the journal
    QVERIFY(view.range().fromUs >= now - kDay - kHour);
    view.pan(20 * kDay);
    QVERIFY(view.range().contains(now + kHour));
}

void TestTimeAxis::clockSetBackIsFollowed()
{
    const qint64 now = at("2026-11-20T12:00:00Z");
    ViewRange view({now - kHour, now});
    view.follow(now, 1000);
    QVERIFY(view.follow(now - kDay, 1000));
    QVERIFY(view.range().contains(now - kDay));
}

void TestTimeAxis::fitsTheJournal()
{
    const qint64 now = at("2026-11-20T12:00:00Z");
    ViewRange view({now - kHour, now});
    view.fit(); // nothing is known yet
    QCOMPARE(view.range(), (TimeRange{now - kHour, now}));
    view.setLimits(now - 3 * kDay, now);
    view.fit();
    QVERIFY(view.range().covers({now - 3 * kDay, now}));
    QVERIFY(view.range().lengthUs() < 4 * kDay);
    view.goBack();
    QCOMPARE(view.range(), (TimeRange{now - kHour, now}));
}

/** The first look shows a young journal whole, and an old journal if its last hour is empty. */
void TestTimeAxis::opensOnWhatTheJournalHas()
{
    const qint64 now = at("2026-11-20T12:00:00Z");
    const TimeRange hour{now - kHour, now};
    ViewRange young(hour);
    QVERIFY(!young.open(false)); // nothing is known yet
    young.setLimits(now - 5 * kMinute, now);
    QVERIFY(young.open(false));
    QVERIFY(young.range().covers({now - 5 * kMinute, now}));
    QVERIFY(young.range().lengthUs() < 6 * kMinute);
    QVERIFY(young.isFollowing() && !young.canGoBack());
    QCOMPARE(young.chosenLengthUs(), kHour); // the user didn't choose the five minutes
    QVERIFY(!young.open(false));
    young.reopen();
    QCOMPARE(young.range().lengthUs(), kHour);
    QVERIFY(young.open(false));
    young.zoom(0.5, now);
    QCOMPARE(young.chosenLengthUs(), young.range().lengthUs());
    ViewRange begun(hour);
    begun.setLimits(now - kSecond, now);
    QVERIFY(begun.open(false));
    QVERIFY(begun.range().lengthUs() >= kMinute);
    ViewRange old(hour);
    old.setLimits(now - 3 * kDay, now);
    QVERIFY(!old.open(false));
    QCOMPARE(old.range(), hour);
    ViewRange idle(hour);
    idle.setLimits(now - 3 * kDay, now);
    QVERIFY(idle.open(true));
    QVERIFY(idle.range().covers({now - 3 * kDay, now}));
    ViewRange moved(hour);
    moved.setLimits(now - 5 * kMinute, now);
    moved.show({now - 2 * kMinute, now});
    QVERIFY(!moved.open(false)); // the operator's choice stays
}

LOCKKEEPER_TEST(TestTimeAxis)

} // namespace tst_time_axis

#include "tst_time_axis.moc"
