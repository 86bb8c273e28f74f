// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/server/login_records.h"
#include "tests/support/fake_clock.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_login_records {

using namespace lockkeeper;
using namespace lockkeeper::tests;
using agent::access::Identity;
using agent::server::LoginRecords;
using domain::Outcome;

namespace {

/** Keeps what is written, and answers at once. */
class Entries final : public agent::journal::AuditLog
{
public:
    void writeIntent(const domain::AuditEntry &intent,
                     std::function<void(base::Result<agent::journal::ReleaseIntent>)> done) override
    {
        list.append(intent);
        done(agent::journal::ReleaseIntent{list.size(), std::nullopt});
    }
    void writeDecision(qint64, const QString &, Outcome, const QString &, Done) override {}
    void writeOutcome(qint64 id, Outcome outcome, const QString &detail, Done done) override
    {
        list[id - 1].outcome = outcome;
        list[id - 1].detail = detail;
        done({});
    }

    QList<domain::AuditEntry> list;
};

const base::Error kWrong{base::ErrorCode::Authentication, QStringLiteral("wrong"), {}};

} // namespace

class TestLoginRecords : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void tellsWhoCameAndHow();
    void localSessionsAreNoLogins();
    void guessesDoNotBuryTheRest();
    void loginsDoNotBuryTheRest();
    void namesAreCut();
};

void TestLoginRecords::tellsWhoCameAndHow()
{
    Entries entries;
    const FakeClock clock;
    LoginRecords records(entries, clock);
    records.loggedIn({Identity::LoginWay::Certificate, QStringLiteral("ann"), {}}, QStringLiteral("operator"),
                     QStringLiteral("10.0.0.2"));
    records.refused({Identity::LoginWay::Password, QStringLiteral("bob"), {}}, QStringLiteral("10.0.0.3"),
                    kWrong);
    QCOMPARE(entries.list.size(), 2);
    const domain::AuditEntry &came = entries.list.first();
    QVERIFY(came.isLogin() && !came.isRelease());
    QCOMPARE(came.who, QStringLiteral("ann"));
    QCOMPARE(came.role, QStringLiteral("operator"));
    QCOMPARE(came.key.place, QByteArray("10.0.0.2"));
    QCOMPARE(came.reason, QStringLiteral("certificate"));
    QCOMPARE(came.outcome, Outcome::LoggedIn);
    QCOMPARE(came.timeUs, clock.wallUs());
    const domain::AuditEntry &kept = entries.list.last();
    QCOMPARE(kept.outcome, Outcome::Refused);
    QCOMPARE(kept.detail, QStringLiteral("wrong"));
    QVERIFY(came.command.size() == 32 && came.command != kept.command);
}

void TestLoginRecords::localSessionsAreNoLogins()
{
    Entries entries;
    const FakeClock clock;
    LoginRecords records(entries, clock);
    const Identity local{Identity::LoginWay::Local, QStringLiteral("ann"), {}};
    records.loggedIn(local, QStringLiteral("viewer"), {});
    QVERIFY(entries.list.isEmpty());
    records.refused(local, {}, kWrong);
    QCOMPARE(entries.list.size(), 1);
}

void TestLoginRecords::guessesDoNotBuryTheRest()
{
    Entries entries;
    FakeClock clock;
    LoginRecords records(entries, clock);
    const Identity guesser{Identity::LoginWay::Password, QStringLiteral("root"), {}};
    for (int i = 0; i < 1'000; ++i)
        records.refused(guesser, QStringLiteral("10.0.0.3"), kWrong);
    QCOMPARE(entries.list.size(), 200);
    records.loggedIn({Identity::LoginWay::Password, QStringLiteral("ann"), {}}, QStringLiteral("viewer"), {});
    QCOMPARE(entries.list.size(), 201);
    clock.advanceUs(3'600'000'000);
    records.refused(guesser, QStringLiteral("10.0.0.3"), kWrong);
    QCOMPARE(entries.list.size(), 202);
}

/** The program logs in for each question, as a script does. */
void TestLoginRecords::loginsDoNotBuryTheRest()
{
    constexpr int kAMinute = agent::release::AuditLimit::kAMinute;
    Entries entries;
    const FakeClock clock;
    LoginRecords records(entries, clock);
    const Identity script{Identity::LoginWay::Certificate, QStringLiteral("script"), {}};
    for (int i = 0; i < kAMinute + 50; ++i)
        records.loggedIn(script, QStringLiteral("viewer"), QStringLiteral("10.0.0.2"));
    QCOMPARE(entries.list.size(), kAMinute);
    records.loggedIn({Identity::LoginWay::Password, QStringLiteral("ann"), {}}, QStringLiteral("viewer"), {});
    QCOMPARE(entries.list.size(), kAMinute + 1);
    records.sumUp();
    QCOMPARE(entries.list.size(), kAMinute + 2);
    const domain::AuditEntry &rest = entries.list.constLast();
    QVERIFY(rest.isLogin());
    QCOMPARE(rest.who, QStringLiteral("script"));
    QCOMPARE(rest.role, QStringLiteral("viewer"));
    QCOMPARE(rest.key.place, QByteArray("10.0.0.2"));
    QCOMPARE(rest.reason, QStringLiteral("50 more logins within a minute"));
    QCOMPARE(rest.outcome, Outcome::LoggedIn);
    QVERIFY(rest.command.size() == 32 && rest.command != entries.list.constFirst().command);
    records.loggedIn(script, QStringLiteral("viewer"), {});
    QCOMPARE(entries.list.size(), kAMinute + 3);
}

void TestLoginRecords::namesAreCut()
{
    Entries entries;
    const FakeClock clock;
    LoginRecords records(entries, clock);
    records.refused({Identity::LoginWay::Password, QString(1 << 20, QLatin1Char('x')), {}}, {}, kWrong);
    QCOMPARE(entries.list.first().who.size(), 64);
}

LOCKKEEPER_TEST(TestLoginRecords)

} // namespace tst_login_records

#include "tst_login_records.moc"
