// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/models/contention_model.h"
#include "app/models/contention_series.h"
#include "tests/support/test_program.h"

#include <QtTest>

namespace tst_contention_series {

using namespace lockkeeper;
using namespace lockkeeper::app::models;
using events::Interval;
using Kind = ContentionChange::CostTrend;

namespace {
constexpr qint64 kMinute = 60'000'000;
constexpr qint64 kHour = 60 * kMinute;

domain::Contention cost(bool visible, qint64 waitUs, qint64 acquisitions, qint64 observedUs)
{
    domain::Contention c;
    c.waitersVisible = visible;
    c.waits.totalUs = waitUs;
    c.acquisitions = acquisitions;
    c.observedUs = observedUs;
    return c;
}
} // namespace

/** The contention view's own calculations: slices, and the comparison with the period before. */
class TestContentionSeries : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void slices();
    void changes_data();
    void changes();
};

void TestContentionSeries::slices()
{
    // From 10:20 to 12:10 by hours: the first and the last slice are cut, the middle is whole, without gaps.
    const QList<Interval> hours = slicesOf({10 * kHour + 20 * kMinute, 12 * kHour + 10 * kMinute}, kHour, 0);
    QCOMPARE(hours, (QList<Interval>{{10 * kHour + 20 * kMinute, 11 * kHour},
                                     {11 * kHour, 12 * kHour},
                                     {12 * kHour, 12 * kHour + 10 * kMinute}}));
    // In India, an hour begins at half past by UTC.
    const QList<Interval> india = slicesOf({10 * kHour, 11 * kHour}, kHour, 5 * kHour + 30 * kMinute);
    QCOMPARE(india, (QList<Interval>{{10 * kHour, 10 * kHour + 30 * kMinute},
                                     {10 * kHour + 30 * kMinute, 11 * kHour}}));
}

void TestContentionSeries::changes_data()
{
    QTest::addColumn<bool>("visible");
    QTest::addColumn<qint64>("before"); // −1: the lock isn't in the answer
    QTest::addColumn<qint64>("seen");   // minutes that were observed before
    QTest::addColumn<Kind>("kind");
    QTest::addColumn<double>("share");
    // The current period: 60 s of waiting and 30 acquisitions in 60 observed minutes.
    QTest::newRow("half") << true << 120'000'000LL << 60LL << Kind::Known << -0.5;
    QTest::newRow("by observed time") << true << 60'000'000LL << 30LL << Kind::Known << -0.5;
    QTest::newRow("by hands") << false << 20LL << 60LL << Kind::Known << 0.5;
    QTest::newRow("new") << true << -1LL << 60LL << Kind::New << 0.0;
    QTest::newRow("nobody looked") << true << -1LL << 0LL << Kind::Unknown << 0.0;
    QTest::newRow("looked too briefly") << true << -1LL << 29LL << Kind::Unknown << 0.0;
    QTest::newRow("looked too briefly, though it was there")
        << true << 60'000'000LL << 29LL << Kind::Unknown << 0.0;
    QTest::newRow("waited for now, not then") << true << 0LL << 60LL << Kind::New << 0.0;
}

void TestContentionSeries::changes()
{
    QFETCH(bool, visible);
    QFETCH(qint64, before);
    QFETCH(qint64, seen);
    const domain::Contention now = cost(visible, 60'000'000, 30, 60 * kMinute);
    const domain::Contention then = cost(visible, before, before, seen * kMinute);
    const ContentionChange change = changeOf(now, before < 0 ? nullptr : &then, seen * kMinute);
    QTEST(change.kind, "kind");
    QTEST(change.share, "share");
}

LOCKKEEPER_TEST(TestContentionSeries)

} // namespace tst_contention_series

#include "tst_contention_series.moc"
