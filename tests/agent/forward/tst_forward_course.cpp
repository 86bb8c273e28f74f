// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/forward/forward_course.h"
#include "tests/support/test_program.h"

namespace tst_forward_course {

using namespace lockkeeper;
using agent::forward::ForwardCourse;
using agent::hub::Watermark;
using base::ErrorCode;
using Task = ForwardCourse::ForwardTask;

namespace {

constexpr qint64 kSecond = 1'000'000;

base::Result<Watermark> failing(ErrorCode code)
{
    return base::failure(code, QStringLiteral("no"));
}

/** A course whose hub has all events up to 10, as the journal does. */
ForwardCourse settledCourse(qint64 nowUs)
{
    ForwardCourse course(1);
    course.committed(10, nowUs);
    (void)course.next(nowUs);
    course.opened(Watermark{10, 3, 0}, nowUs);
    (void)course.next(nowUs);
    course.read(false, 10, nowUs);
    return course;
}

} // namespace

class TestForwardCourse : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void opensReadsAndWrites();
    void gathersEvents();
    void continuesWhileEventsAreLeft();
    void opensTheHubAgainAfterAFailure();
    void backsOff_data();
    void backsOff();
    void aWrittenBatchEndsTheBackOff();
    void aHubThatKeepsNothingIsAFailure();
    void theHubHearsOfAnIdleAgent();
    void anUnreadableJournalIsReadAgain();
};

void TestForwardCourse::opensReadsAndWrites()
{
    ForwardCourse course(1);
    course.committed(7, 0);
    QVERIFY(!course.watermark());
    QCOMPARE(course.next(0), Task::Open);
    QCOMPARE(course.next(0), Task::Wait); // one task at a time
    QVERIFY(!course.dueUs());
    course.opened(Watermark{}, 0);
    QCOMPARE(course.next(0), Task::Read);
    course.read(true, 7, 0);
    QCOMPARE(course.next(0), Task::Write);
    QVERIFY(!course.hasAll());
    course.written(Watermark{7, 2, 0}, 7, 0);
    QVERIFY(course.hasAll());
    QCOMPARE(course.next(0), Task::Wait);
    QCOMPARE(course.dueUs(), std::optional<qint64>(ForwardCourse::kIdleUs));
}

void TestForwardCourse::gathersEvents()
{
    ForwardCourse course = settledCourse(0);
    course.committed(11, 2 * kSecond);
    course.committed(12, 2 * kSecond + 400'000); // doesn't put it off
    QCOMPARE(course.dueUs(), std::optional<qint64>(2 * kSecond + ForwardCourse::kGatherUs));
    QVERIFY(ForwardCourse::kGatherUs < kSecond);
    QCOMPARE(course.next(2 * kSecond), Task::Wait);
    QCOMPARE(course.next(2 * kSecond + ForwardCourse::kGatherUs), Task::Read);
}

void TestForwardCourse::continuesWhileEventsAreLeft()
{
    ForwardCourse course = settledCourse(0);
    course.committed(9'000, 0);
    (void)course.next(kSecond);
    course.read(true, 9'000, kSecond);
    (void)course.next(kSecond);
    course.written(Watermark{5'010, 3, 0}, 5'010, kSecond);
    QCOMPARE(course.next(kSecond), Task::Read);
}

void TestForwardCourse::opensTheHubAgainAfterAFailure()
{
    ForwardCourse course = settledCourse(0);
    course.committed(11, 0);
    (void)course.next(kSecond);
    course.read(true, 11, kSecond);
    (void)course.next(kSecond);
    course.written(failing(ErrorCode::ConnectionLost), 11, kSecond);
    QCOMPARE(course.next(kSecond), Task::Wait);
    QCOMPARE(course.next(*course.dueUs()), Task::Open);
    course.opened(Watermark{11, 3, 0}, 2 * kSecond); // it had stored the batch
    QVERIFY(course.hasAll());
}

void TestForwardCourse::backsOff_data()
{
    QTest::addColumn<ErrorCode>("code");
    QTest::addColumn<qint64>("firstUs");
    QTest::newRow("waiting may help") << ErrorCode::Unreachable << qint64(250'000);
    QTest::newRow("somebody has to act") << ErrorCode::Authentication << 30 * kSecond;
    QTest::newRow("another agent is active") << ErrorCode::ReadOnly << 30 * kSecond;
}

void TestForwardCourse::backsOff()
{
    QFETCH(ErrorCode, code);
    QFETCH(qint64, firstUs);
    ForwardCourse course(5);
    qint64 nowUs = 0;
    for (qint64 fullUs = firstUs, i = 0; i < 20; ++i, fullUs = std::min(2 * fullUs, 30 * kSecond)) {
        QCOMPARE(course.next(nowUs), Task::Open);
        course.opened(failing(code), nowUs);
        const qint64 waitUs = *course.dueUs() - nowUs;
        QVERIFY2(waitUs > fullUs * 3 / 4 - 1 && waitUs <= fullUs, qPrintable(QString::number(waitUs)));
        QCOMPARE(course.next(*course.dueUs() - 1), Task::Wait);
        nowUs = *course.dueUs();
    }
}

void TestForwardCourse::aWrittenBatchEndsTheBackOff()
{
    ForwardCourse course(1);
    course.committed(1, 0);
    qint64 nowUs = 0;
    for (int i = 0; i < 10; ++i) { // opening alone doesn't: a hub with a full disk can be opened
        QCOMPARE(course.next(nowUs), Task::Open);
        course.opened(Watermark{}, nowUs);
        QCOMPARE(course.next(nowUs), Task::Read);
        course.read(true, 1, nowUs);
        QCOMPARE(course.next(nowUs), Task::Write);
        course.written(failing(ErrorCode::Storage), 1, nowUs);
        nowUs = *course.dueUs();
    }
    (void)course.next(nowUs);
    course.opened(Watermark{}, nowUs);
    (void)course.next(nowUs);
    course.read(true, 1, nowUs);
    (void)course.next(nowUs);
    course.written(Watermark{1, 0, 0}, 1, nowUs);
    course.committed(2, nowUs);
    nowUs = *course.dueUs();
    (void)course.next(nowUs);
    course.read(true, 2, nowUs);
    (void)course.next(nowUs);
    course.written(failing(ErrorCode::Storage), 2, nowUs);
    QVERIFY(*course.dueUs() - nowUs <= 250'000);
}

void TestForwardCourse::aHubThatKeepsNothingIsAFailure()
{
    ForwardCourse course = settledCourse(0);
    course.committed(11, 0);
    (void)course.next(kSecond);
    course.read(true, 11, kSecond);
    (void)course.next(kSecond);
    course.written(Watermark{10, 3, 0}, 11, kSecond);
    QVERIFY(*course.dueUs() > 20 * kSecond);
    QCOMPARE(course.next(*course.dueUs()), Task::Open);
}

void TestForwardCourse::theHubHearsOfAnIdleAgent()
{
    ForwardCourse course = settledCourse(0);
    qint64 nowUs = 0;
    int batches = 0;
    while (nowUs < 300 * kSecond) {
        nowUs = *course.dueUs();
        QCOMPARE(course.next(nowUs), Task::Read);
        course.read(false, 10, nowUs);
        if (course.next(nowUs) == Task::Write) {
            ++batches;
            course.written(Watermark{10, 3, 0}, 10, nowUs);
        }
    }
    QVERIFY(batches >= 4 && batches <= 5);
}

void TestForwardCourse::anUnreadableJournalIsReadAgain()
{
    ForwardCourse course = settledCourse(0);
    QCOMPARE(course.next(ForwardCourse::kIdleUs), Task::Read);
    course.failedToRead(true, ForwardCourse::kIdleUs);
    QCOMPARE(course.next(ForwardCourse::kIdleUs), Task::Wait);
    QCOMPARE(course.next(*course.dueUs()), Task::Read); // the hub needn't be opened again
}

LOCKKEEPER_TEST(TestForwardCourse)

} // namespace tst_forward_course

#include "tst_forward_course.moc"
