// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/history/time_bar.h"
#include "tests/support/test_program.h"

#include <QSignalSpy>
#include <QtTest>

namespace tst_time_bar {

using namespace lockkeeper::app;
using views::TimeBar;
using views::TimeScale;

class TestTimeBar : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void timesBecomeHeights_data();
    void timesBecomeHeights();
    void heightsBecomeTimesAgain();
    void densityCountsWhatIsInRange();
    void nothingWithoutARange();
    void aClickAsksForItsTime();
    void paintsEventsAndWindow();
};

void TestTimeBar::timesBecomeHeights_data()
{
    QTest::addColumn<qint64>("time");
    QTest::addColumn<int>("y");
    QTest::newRow("newest at the top") << qint64(2'000'000) << 0;
    QTest::newRow("middle") << qint64(1'500'000) << 50;
    QTest::newRow("oldest at the bottom") << qint64(1'000'000) << 99;
    QTest::newRow("newer than all") << qint64(9'000'000) << 0;
    QTest::newRow("older than all") << qint64(0) << 99;
}

void TestTimeBar::timesBecomeHeights()
{
    QFETCH(qint64, time);
    QFETCH(int, y);
    const TimeScale scale{1'000'000, 2'000'000, 100};
    QCOMPARE(scale.yOf(time), y);
}

void TestTimeBar::heightsBecomeTimesAgain()
{
    const TimeScale scale{1'000'000, 2'000'000, 100};
    for (int y = 0; y < 100; ++y)
        QCOMPARE(scale.yOf(scale.timeOf(y)), y);
}

void TestTimeBar::densityCountsWhatIsInRange()
{
    const TimeScale scale{0, 100, 10};
    const QList<int> counts = scale.density({100, 95, 55, 0, -1, 101}, 5);
    QCOMPARE(counts, (QList<int>{3, 1}));
}

void TestTimeBar::nothingWithoutARange()
{
    const TimeScale scale{100, 100, 50};
    QVERIFY(!scale.isValid());
    QVERIFY(scale.density({100}, 5).isEmpty());
    QCOMPARE(scale.yOf(100), 0);
    QCOMPARE(scale.timeOf(20), qint64(100));
}

void TestTimeBar::aClickAsksForItsTime()
{
    presentation::Theme theme;
    words::TimeFormat times;
    TimeBar bar(&theme, &times);
    bar.resize(TimeBar::kWidth, 100);
    QSignalSpy asked(&bar, &TimeBar::timeAsked);
    QTest::mouseClick(&bar, Qt::LeftButton, {}, QPoint(10, 50));
    QCOMPARE(asked.size(), 0); // no range yet
    bar.setRange(1'000'000, 2'000'000);
    QTest::mouseClick(&bar, Qt::LeftButton, {}, QPoint(10, 50));
    QCOMPARE(asked.size(), 1);
    QCOMPARE(bar.scale().yOf(asked.first().first().toLongLong()), 50);
}

void TestTimeBar::paintsEventsAndWindow()
{
    presentation::Theme theme;
    theme.setAppearance(presentation::Appearance::Light);
    words::TimeFormat times;
    TimeBar bar(&theme, &times);
    bar.resize(TimeBar::kWidth, 90);
    bar.setRange(0, 90);
    const QImage empty = bar.grab().toImage();
    bar.setEvents({89, 88, 45});
    const QImage withEvents = bar.grab().toImage();
    QVERIFY(withEvents != empty);
    QCOMPARE(withEvents.pixelColor(6, 1), presentation::barColour(presentation::Scheme::Light, false));
    QVERIFY(withEvents.pixelColor(6, 70) != presentation::barColour(presentation::Scheme::Light, false));
    bar.setWindow(89, 60);
    QVERIFY(bar.grab().toImage() != withEvents);
}

LOCKKEEPER_TEST(TestTimeBar)

} // namespace tst_time_bar

#include "tst_time_bar.moc"
