// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/answer_times.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_answer_times {

using namespace lockkeeper;
using stores::AnswerTimes;

/** Times that are reported as a danger. */
class TestAnswerTimes : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void leases_data();
    void leases();
    void theShortestLeaseCounts();
    void lateChanges();

private:
    static QByteArray told(const AnswerTimes &times, qint64 nowUs = 0)
    {
        QByteArrayList all;
        for (const domain::Finding &finding : times.findings(nowUs))
            all.append(finding.code + ' ' + finding.value);
        return all.join("; ");
    }
};

void TestAnswerTimes::leases_data()
{
    QTest::addColumn<QList<int>>("answersMs");
    QTest::addColumn<int>("leaseMs");
    QTest::addColumn<QByteArray>("expected");
    QTest::newRow("quick") << QList<int>{1, 1, 1} << 3 << QByteArray();
    QTest::newRow("shorter than three")
        << QList<int>{400, 400} << 1'199 << QByteArray("short_lease 1199 400 a");
    QTest::newRow("three") << QList<int>{400, 400} << 1'200 << QByteArray();
    QTest::newRow("one answer says nothing") << QList<int>{9'000} << 1'000 << QByteArray();
    QTest::newRow("nor does one among others") << QList<int>{1, 9'000, 1} << 1'000 << QByteArray();
    QTest::newRow("nor what was long ago")
        << QList<int>{900, 900, 900, 1, 1, 1, 1, 1} << 1'000 << QByteArray();
    QTest::newRow("no lease") << QList<int>{900, 900, 900} << 0 << QByteArray();
}

void TestAnswerTimes::leases()
{
    QFETCH(QList<int>, answersMs);
    QFETCH(int, leaseMs);
    AnswerTimes times;
    for (const int ms : answersMs)
        times.answered(ms * 1'000LL);
    times.lease(leaseMs * 1'000LL, "a");
    QTEST(told(times), "expected");
}

void TestAnswerTimes::theShortestLeaseCounts()
{
    AnswerTimes times;
    times.answered(1'000'000);
    times.answered(1'000'000);
    times.lease(2'000'000, "b");
    times.lease(1'000'000, "a");
    times.lease(2'900'000, "c");
    QCOMPARE(told(times), QByteArray("short_lease 1000 1000 a"));
    times.forgetLeases();
    QCOMPARE(told(times), QByteArray());
    times.lease(2'900'000, "c d");
    QCOMPARE(told(times), QByteArray("short_lease 2900 1000 c d"));
}

void TestAnswerTimes::lateChanges()
{
    constexpr qint64 kMinuteUs = 60'000'000;
    AnswerTimes times;
    times.waited(1'999'999, 0);
    QCOMPARE(told(times, 0), QByteArray());
    times.waited(4'500'000, kMinuteUs);
    times.waited(3'000'000, 2 * kMinuteUs);
    QCOMPARE(told(times, 2 * kMinuteUs), QByteArray("watch_lag 4"));
    QCOMPARE(times.findings(2 * kMinuteUs).constFirst().whenUs, std::optional<qint64>(kMinuteUs));
    QCOMPARE(told(times, 6 * kMinuteUs), QByteArray());
    times.waited(2'000'000, 7 * kMinuteUs);
    QCOMPARE(told(times, 7 * kMinuteUs), QByteArray("watch_lag 2"));
}

LOCKKEEPER_TEST(TestAnswerTimes)

} // namespace tst_answer_times

#include "tst_answer_times.moc"
