// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/schemes/seen_leases.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_redis_seen_leases {

using lockkeeper::stores::redis::SeenLeases;

namespace {
constexpr qint64 kBeganMs = 1'795'000'000'000;
}

/** The lease that the sets of redis-semaphore prove, with 10 s configured. */
class TestRedisSeenLeases : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatASetShows_data()
    {
        // Each reading: now, when the set ends, the newest score; seconds. An end of 0: none.
        using Readings = QList<QList<double>>;
        QTest::addColumn<Readings>("readings");
        QTest::addColumn<QList<double>>("leases");
        QTest::addColumn<double>("proven");
        const auto row = [](const char *name, const Readings &readings, const QList<double> &leases,
                            double proven) { QTest::newRow(name) << readings << leases << proven; };
        row("as configured", {{1, 10, 0}, {8.5, 18, 8}}, {10, 10}, 0);
        row("longer", {{0.5, 30, 0}}, {30}, 30);
        row("longer, and it was seen then", {{0.5, 30, 0}, {29, 30, 0}}, {30, 30}, 30);
        row("maybe longer", {{22, 30, 0}}, {30}, 0);
        row("the newest was given back", {{8.5, 18, 8}, {9.5, 18, 0}}, {10, 10}, 0);
        row("it was given back before, too", {{1, 10, 0}, {9, 18, 0}}, {10, 10}, 0);
        row("it had been given back at first", {{9.5, 18, 0}, {12.2, 22, 12}}, {18, 10}, 0);
        row("longer and longer", {{0.5, 30, 0}, {40, 100, 40}}, {30, 60}, 60);
        row("no longer", {{0.5, 30, 0}, {15, 25, 15}}, {30, 10}, 30);
        row("the last set has ended", {{1, 10, 0}, {33, 41, 11}}, {10, 30}, 0);
        row("it ends no more", {{0.5, 30, 0}, {1, 0, 0}}, {30, 10}, 30);
        row("a clock behind", {{1, 10, -1.5}}, {10}, 0);
        row("a clock ahead", {{0, 30, 6}}, {30}, 30);
        row("scores in seconds", {{0, 10, -1793e6}}, {10}, 0);
        row("scores in microseconds", {{0, 10, 1e12}}, {10}, 0);
    }
    void whatASetShows()
    {
        QFETCH(QList<QList<double>>, readings);
        QFETCH(QList<double>, leases);
        QFETCH(double, proven);
        const auto ms = [](double seconds) { return qint64(seconds * 1'000); };
        SeenLeases seen(10'000);
        QList<double> found;
        for (const QList<double> &reading : readings) {
            const auto ends = reading[1] > 0 ? std::optional(kBeganMs + ms(reading[1])) : std::nullopt;
            found.append(double(seen.take("k", kBeganMs + ms(reading[0]), ends, kBeganMs + ms(reading[2]))) /
                         1'000);
            QCOMPARE(seen.take("other", kBeganMs, std::nullopt, kBeganMs), 10'000); // each set by itself
        }
        QCOMPARE(found, leases);
        QCOMPARE(double(seen.provenMs().value_or(0)) / 1'000, proven);
    }

    /** Sets that come and go are forgotten once there are many. */
    void whatHasEndedIsForgotten()
    {
        SeenLeases seen(10'000);
        for (qint64 i = 0; i < 100'000; ++i)
            seen.take(QByteArray::number(i), kBeganMs + 100 * i, kBeganMs + 100 * i + 10'000,
                      kBeganMs + 100 * i);
        QVERIFY(seen.size() >= 100);
        QVERIFY(seen.size() <= 1'025);
    }
};

LOCKKEEPER_TEST(TestRedisSeenLeases)

} // namespace tst_redis_seen_leases

#include "tst_redis_seen_leases.moc"
