// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/lock_faults.h"
#include "tests/support/mongod_server.h"
#include "tests/support/slow_link.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_mongodb_lock_faults {

using namespace lockkeeper::tests;
using std::chrono::hours;
using std::chrono::milliseconds;

/** Processes that are killed and stopped fight for documents of ShedLock, while the store fails. */
class TestMongodbLockFaults : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void cutAndRestarted();
    void anotherPrimary();

private:
    static FaultPlan planFor(const QByteArray &url)
    {
        FaultPlan plan;
        plan.source = "[[source]]\nname = \"fight\"\nurl = \"" + url +
                      "\"\nconnect_timeout_ms = 500\nstatement_timeout_ms = 500\n"
                      "[[source.locks]]\npreset = \"mongodb-shedlock\"\n";
        plan.ttl = milliseconds(2'000);
        plan.lasts = milliseconds(7'000);
        plan.clocksOff = hours(1);
        return plan;
    }
    static void check(const FaultReport &report)
    {
        qInfo().noquote() << report.text();
        QVERIFY2(report.holds > 5, report.text().constData());
        QVERIFY2(report.violations.isEmpty(), report.text().constData());
        QVERIFY2(report.kills > 2 && report.stops > 1 && report.faults > 2, report.text().constData());
    }
};

void TestMongodbLockFaults::initTestCase()
{
    if (!MongodServer::isInstalled())
        QSKIP(MongodServer::absent());
}

/** Answers are lost after the server has done what was asked, and it comes back with what it had. */
void TestMongodbLockFaults::cutAndRestarted()
{
    MongodServer server;
    QVERIFY(server.start());
    SlowLink link(quint16(server.url().port()));
    FaultPlan plan =
        planFor("mongodb://127.0.0.1:" + QByteArray::number(link.port()) + "/app?directConnection=true");
    plan.faultEvery = milliseconds(400);
    plan.fault = [&server, &link, turn = 0]() mutable {
        switch (turn++ % 6) {
        case 4:
            server.restart();
            break;
        case 1:
        case 3:
            link.setDelayMs(0);
            link.cut();
            break;
        default:
            link.setDelayMs(30);
        }
    };
    check(runFaults(plan));
}

/** What a majority has confirmed is kept, and what it hasn't is no lock. */
void TestMongodbLockFaults::anotherPrimary()
{
    const MongodServer::Set set = MongodServer::set(3, 2'000);
    QCOMPARE(set.size(), 3U);
    FaultPlan plan = planFor(MongodServer::url(set));
    // Who got a lock of a primary that nobody follows goes on with it while another one is elected.
    plan.ttl = milliseconds(4'000);
    plan.longestHold = milliseconds(3'000);
    plan.locks = 4;
    plan.lasts = milliseconds(16'000);
    plan.faultEvery = milliseconds(900);
    plan.fault = [&set, primary = static_cast<MongodServer *>(nullptr), turn = 0]() mutable {
        const int phase = turn++ % 11;
        if (phase == 0 || phase == 6)
            primary = MongodServer::primaryOf(set);
        if (primary == nullptr)
            return;
        const auto others = [&](auto act) {
            for (const auto &member : set) {
                if (member.get() != primary)
                    act(*member);
            }
        };
        switch (phase) {
        case 0:
            return others([](MongodServer &member) { member.pause(); });
        case 2:
            primary->kill();
            return others([](MongodServer &member) { member.resume(); });
        case 3:
            primary->rejoin();
            return;
        case 6:
            return primary->pause();
        case 9:
            return primary->resume(); // the last it knows is that it is the primary
        default:
            return;
        }
    };
    const FaultReport report = runFaults(plan);
    for (const auto &member : set)
        member->resume();
    check(report);
}

LOCKKEEPER_TEST(TestMongodbLockFaults)

} // namespace tst_mongodb_lock_faults

#include "tst_mongodb_lock_faults.moc"
