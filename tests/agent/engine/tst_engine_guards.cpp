// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/agent/engine/engine_rig.h"
#include "tests/support/test_program.h"

namespace tst_engine_guards {

using namespace lockkeeper;
using namespace lockkeeper::tests;
using domain::ReleaseOff;
using domain::ReleaseSafety;

/** A guard names one acquisition, even where the stored data don't. */
class TestEngineGuards : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void anIdentityOfTheStoresOwnOutlivesRenewals();
    void aTokenPinsItsDeadline();
    void theBeginningTellsEqualDeadlinesApart();
    void withoutExpiryATokenHasNone();
    void withoutExpiryTheTimeOfTheAcquisitionServes();
    void wholeSecondsAreTooYoungAtFirst_data();
    void wholeSecondsAreTooYoungAtFirst();
    void whatIsTooYoungIsLookedAtAgain();
    void clientsClocksMakeDeadlinesNoVaguer();
    void readingsAgreeWithTheTable_data();
    void readingsAgreeWithTheTable();
    void pinsSurviveARestartOfTheAgent();

private:
    static domain::LockState one(EngineRig &rig)
    {
        const QList<domain::LockState> locks = rig.engine().table().locks();
        return locks.size() == 1 ? locks.first() : domain::LockState();
    }
    /** A fresh reading of "a", with this token and `ttlMs` left. */
    static domain::LockState read(EngineRig &rig, const QByteArray &token, qint64 ttlMs, qint64 slackMs = 0)
    {
        stores::Inspection inspection;
        inspection.storeUs = rig.storeUs();
        stores::Observation &seen = inspection.lock;
        seen.name = "a";
        seen.owner = seen.token = seen.identity = token;
        seen.held = true;
        seen.expiry = domain::ExpiryKind::At;
        seen.expiresBy = domain::Evidence::Ttl;
        seen.expiresUs = rig.storeUs() + ttlMs * 1000 - slackMs * 500;
        seen.expirySlackUs = seen.expiryNoiseUs = slackMs * 1000;
        inspection.guard = {rig.engine().table().locks().first().key, "run1", token, "f"};
        return rig.engine().table().stateOf(inspection);
    }
};

void TestEngineGuards::anIdentityOfTheStoresOwnOutlivesRenewals()
{
    EngineRig rig(EngineRig::redisSpec());
    rig.run(QStringLiteral("up\n scan\n at 500\n scan a;A;1000"));
    const QByteArray guard = one(rig).guard;
    QVERIFY(!guard.isEmpty() && !one(rig).pinsDeadline);
    rig.run(QStringLiteral("at 1000\n scan a;A;1000"));
    QCOMPARE(one(rig).renewals, 1U);
    QCOMPARE(one(rig).guard, guard);
}

void TestEngineGuards::aTokenPinsItsDeadline()
{
    EngineRig rig(EngineRig::redisSpec());
    rig.run(QStringLiteral("up\n scan\n at 500\n scan a;true;5000|plain"));
    const domain::LockState first = one(rig);
    QVERIFY(first.pinsDeadline);
    QCOMPARE(first.release.safety, ReleaseSafety::Guarded);
    QVERIFY(!first.guard.isEmpty());
    rig.run(QStringLiteral("at 1000\n scan a;true;4500|plain")); // as before
    QCOMPARE(one(rig).guard, first.guard);
    rig.run(QStringLiteral("at 1500\n scan a;true;9000|plain")); // renewed, or taken again
    QVERIFY(one(rig).guard != first.guard);
    const QByteArray second = one(rig).guard;
    rig.run(QStringLiteral("at 2000\n scan a;true;2000|plain")); // shortened, or taken again
    QVERIFY(one(rig).guard != second && one(rig).guard != first.guard);
}

void TestEngineGuards::theBeginningTellsEqualDeadlinesApart()
{
    EngineRig rig(EngineRig::redisSpec());
    rig.run(QStringLiteral("up\n scan\n at 500\n scan a;true;5000|plain"));
    const QByteArray first = one(rig).guard;
    rig.run(QStringLiteral("at 1000\n scan\n look a\n at 1500\n scan a;true;4000|plain"));
    QCOMPARE(one(rig).expiresUs, kT0 + 5'500'000);
    QVERIFY(one(rig).guard != first);
}

void TestEngineGuards::withoutExpiryATokenHasNone()
{
    stores::SourceSpec spec = EngineRig::redisSpec();
    EngineRig rig(spec);
    rig.run(QStringLiteral("up\n scan\n at 500\n scan a;true;-|plain"));
    QVERIFY(one(rig).guard.isEmpty());
    QCOMPARE(one(rig).release.why, ReleaseOff::NoIdentity);
    spec.locks.first().breakMode = stores::BreakMode::Unsafe;
    EngineRig unsafe(spec);
    unsafe.run(QStringLiteral("up\n scan\n at 500\n scan a;true;-|plain"));
    QCOMPARE(one(unsafe).release.safety, ReleaseSafety::Unsafe);
    unsafe.run(QStringLiteral("at 1000\n scan a;true;5000|plain"));
    QCOMPARE(one(unsafe).release.safety, ReleaseSafety::Guarded);
}

void TestEngineGuards::withoutExpiryTheTimeOfTheAcquisitionServes()
{
    EngineRig rig(EngineRig::insertSpec(false));
    rig.run(QStringLiteral("up\n scan\n at 5000\n scan a;A;1000;-|coarse"));
    QCOMPARE(one(rig).expiry, domain::ExpiryKind::None);
    rig.run(QStringLiteral("at 8000\n scan a;A;1000;-|coarse"));
    QCOMPARE(one(rig).release.safety, ReleaseSafety::Guarded);
    QVERIFY(!one(rig).guard.isEmpty());
}

void TestEngineGuards::wholeSecondsAreTooYoungAtFirst_data()
{
    QTest::addColumn<QString>("lock");
    QTest::addColumn<QString>("renewed");
    QTest::newRow("dated") << "a;A;1000;60000|coarse" << QString();
    QTest::newRow("only a deadline") << "a;A;1000;60000|coarse|undated"
                                     << "a;A;1000;63000|coarse|undated";
}

void TestEngineGuards::wholeSecondsAreTooYoungAtFirst()
{
    QFETCH(QString, lock);
    QFETCH(QString, renewed);
    EngineRig rig(EngineRig::shedlockSpec());
    const auto expectYoung = [&rig] {
        QCOMPARE(one(rig).release.why, ReleaseOff::TooYoung);
        QVERIFY(one(rig).guard.isEmpty());
    };
    rig.run(QStringLiteral("up\n scan\n at 1500\n scan %1").arg(lock));
    expectYoung();
    rig.run(QStringLiteral("at 3400\n scan %1").arg(lock));
    expectYoung();
    rig.run(QStringLiteral("at 3600\n scan %1").arg(lock));
    QCOMPARE(one(rig).release.safety, ReleaseSafety::Guarded);
    QVERIFY(!one(rig).guard.isEmpty());
    if (!renewed.isEmpty()) { // to a deadline that the next hold could have in the same second
        rig.run(QStringLiteral("at 4000\n scan %1").arg(renewed));
        expectYoung();
        rig.run(QStringLiteral("at 6100\n scan %1").arg(renewed));
        QVERIFY(!one(rig).guard.isEmpty());
    }
    rig.run(QStringLiteral("at 64000\n scan %1|held").arg(renewed.isEmpty() ? lock : renewed));
    QCOMPARE(one(rig).phase, domain::Phase::Expired); // by the deadline that it has had all the time
    QVERIFY(!one(rig).guard.isEmpty());
    QCOMPARE(rig.difference(), QString());
}

void TestEngineGuards::whatIsTooYoungIsLookedAtAgain()
{
    EngineRig rig(EngineRig::shedlockSpec());
    rig.run(QStringLiteral("up\n pushing on\n scan\n at 1500\n change 0 a;A;1000;60000|coarse"));
    QCOMPARE(one(rig).release.why, ReleaseOff::TooYoung);
    QCOMPARE(rig.run(QStringLiteral("at 3400\n tick")).trimmed(), QString());
    QCOMPARE(rig.run(QStringLiteral("at 3600\n tick")).trimmed(), QStringLiteral("? a"));
    rig.run(QStringLiteral("look a;A;1000;60000|coarse"));
    QCOMPARE(one(rig).release.safety, ReleaseSafety::Guarded);
}

void TestEngineGuards::clientsClocksMakeDeadlinesNoVaguer()
{
    stores::SourceSpec spec = EngineRig::shedlockSpec();
    spec.clientClock = true;
    EngineRig rig(spec);
    rig.run(QStringLiteral("slack 300000\n up\n scan\n at 1500\n scan a;A;1000;60000|plain"));
    const QByteArray first = one(rig).guard;
    rig.run(QStringLiteral("at 2500\n scan a;A;1000;61000|plain"));
    QVERIFY(!first.isEmpty() && one(rig).guard != first);
    QCOMPARE(one(rig).renewals, 1U);
}

void TestEngineGuards::readingsAgreeWithTheTable_data()
{
    QTest::addColumn<qint64>("slackMs");
    QTest::newRow("exact deadlines") << qint64(0);
    QTest::newRow("a server before Redis 7") << qint64(4);
}

void TestEngineGuards::readingsAgreeWithTheTable()
{
    QFETCH(qint64, slackMs);
    EngineRig rig(EngineRig::redisSpec());
    rig.run(QStringLiteral("slack %1\n up\n scan\n at 500\n scan a;true;5000|plain").arg(slackMs));
    const QByteArray guard = one(rig).guard;
    rig.advanceUs(1'000'000);
    QCOMPARE(read(rig, "true", 4000, slackMs).guard, guard);
    QCOMPARE(read(rig, "true", 4001, slackMs).guard == guard, slackMs > 0);
    QVERIFY(read(rig, "true", 5000, slackMs).guard != guard);
    QVERIFY(read(rig, "true", 3000, slackMs).guard != guard);
    QVERIFY(read(rig, "1", 4000, slackMs).guard != guard);
}

void TestEngineGuards::pinsSurviveARestartOfTheAgent()
{
    EngineRig rig(EngineRig::redisSpec());
    rig.run(QStringLiteral("up\n scan\n at 500\n scan a;true;5000|plain"));
    const QByteArray guard = one(rig).guard;
    EngineRig again(EngineRig::redisSpec());
    again.run(
        QStringLiteral("at 500\n restore a;true;5000\n at 700\n up\n at 1000\n scan a;true;4500|plain"));
    QCOMPARE(one(again).guard, guard);
}

LOCKKEEPER_TEST(TestEngineGuards)

} // namespace tst_engine_guards

#include "tst_engine_guards.moc"
