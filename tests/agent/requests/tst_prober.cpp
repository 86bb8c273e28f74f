// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/requests/prober.h"
#include "tests/agent/release/fake_port.h"
#include "tests/support/fake_clock.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_prober {

using namespace lockkeeper;
using namespace lockkeeper::agent::release;
using namespace lockkeeper::agent::requests;
using base::ErrorCode;
using domain::Outcome;
using tests::FakeAudit;
using tests::FakeDirectory;
using tests::FakePort;

namespace {

struct World
{
    World()
    {
        port.m_spec.probe = true;
        directory.port = &port;
        asker.identity.user = QStringLiteral("ada");
        asker.grants = domain::grantsFor(Role::Operator);
        request.command = QByteArray(32, 'a');
        request.source = QStringLiteral("orders");
    }
    void probe()
    {
        prober.probe(request, asker, [this](const protocol::ProbeResult &r) { results.append(r); });
    }

    FakePort port;
    FakeDirectory directory;
    FakeAudit audit;
    tests::FakeClock clock;
    AuditLimit limit{audit, clock, QStringLiteral("%1 more")};
    Prober prober{directory, audit, clock, limit};
    Asker asker;
    protocol::ProbeRequest request;
    QList<protocol::ProbeResult> results;
};

} // namespace

/** The path of a probe: its refusals, and its audit entries with their times. */
class TestProber : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void isAuditedBeforeAndAfter();
    void refusals_data();
    void refusals();
    void refusalsFillNoAudit();
    void shortProbesFillNoAudit();
    void noAuditNoProbe();
    void oneAtATime();
    void outcomes_data();
    void outcomes();
    void sourceThatIsGoneIsNotProbed();
    void standbyRefuses();
    void roleIsAuditedAsWell();
    void answersWhereItsOutcomeWaits();
};

void TestProber::isAuditedBeforeAndAfter()
{
    World w;
    w.request.reason = QStringLiteral("slow");
    w.port.probeReport.commands = 7;
    w.port.probeReport.counts = {{"lock:a", "c:1", 3, 2, 1}};
    w.probe();
    QCOMPARE(w.port.probes.size(), 1);
    QCOMPARE(w.audit.entries.size(), 1);
    QCOMPARE(w.audit.entries.at(0).outcome, Outcome::Pending);
    QCOMPARE(w.results.size(), 0);
    w.port.answerHeld();
    const domain::AuditEntry &entry = w.audit.entries.at(0);
    QVERIFY(entry.isProbe());
    QCOMPARE(entry.key.source, QStringLiteral("orders"));
    QCOMPARE(entry.who, QStringLiteral("ada"));
    QCOMPARE(entry.role, QStringLiteral("operator"));
    QCOMPARE(entry.reason, QStringLiteral("slow"));
    QCOMPARE(entry.outcome, Outcome::Probed);
    QCOMPARE(w.results.size(), 1);
    QCOMPARE(w.results.at(0).auditId, entry.id);
    QCOMPARE(w.results.at(0).commands, 7);
    QCOMPARE(w.results.at(0).counts, w.port.probeReport.counts);
}

void TestProber::refusals_data()
{
    QTest::addColumn<QString>("what");
    QTest::addColumn<int>("code");
    QTest::addColumn<int>("outcome");
    QTest::newRow("off") << QStringLiteral("off") << int(ErrorCode::PermissionDenied)
                         << int(Outcome::Refused);
    QTest::newRow("no such source") << QStringLiteral("source") << int(ErrorCode::NotFound)
                                    << int(Outcome::Refused);
    QTest::newRow("down") << QStringLiteral("down") << int(ErrorCode::Unreachable)
                          << int(Outcome::Unreachable);
    QTest::newRow("too long") << QStringLiteral("long") << int(ErrorCode::Usage) << int(Outcome::Refused);
    QTest::newRow("too much") << QStringLiteral("much") << int(ErrorCode::Usage) << int(Outcome::Refused);
}

void TestProber::refusals()
{
    QFETCH(QString, what);
    World w;
    if (what == QLatin1String("off"))
        w.port.m_spec.probe = false;
    else if (what == QLatin1String("source"))
        w.request.source = QStringLiteral("other");
    else if (what == QLatin1String("down"))
        w.port.linkNumber = 0;
    else if (what == QLatin1String("long"))
        w.request.forUs = 10'000'001;
    else
        w.request.mostCommands = 10'000'001;
    w.probe();
    QCOMPARE(w.port.probes.size(), 0);
    QCOMPARE(w.results.size(), 1);
    QTEST(int(w.results.at(0).error.code), "code");
    QCOMPARE(w.audit.entries.size(), 1);
    QTEST(int(w.audit.entries.at(0).outcome), "outcome");
    QVERIFY(w.audit.entries.at(0).isProbe());
}

void TestProber::refusalsFillNoAudit()
{
    World w;
    const auto refused = [&w](ErrorCode code) {
        for (int i = 0; i < AuditLimit::kAMinute + 50; ++i) {
            w.request.command = QByteArray::number(w.results.size()).rightJustified(32, '0');
            w.probe();
            if (w.results.constLast().error.code != code)
                return false;
        }
        return true;
    };
    w.port.linkNumber = 0;
    QVERIFY(refused(ErrorCode::Unreachable));
    QCOMPARE(w.audit.entries.size(), AuditLimit::kAMinute);
    w.port.m_spec.probe = false;
    QVERIFY(refused(ErrorCode::PermissionDenied)); // another outcome
    QCOMPARE(w.audit.entries.size(), 2 * AuditLimit::kAMinute);
    w.limit.sumUp();
    QCOMPARE(w.audit.entries.size(), 2 * AuditLimit::kAMinute + 2);
    QCOMPARE(w.audit.entries.constLast().who, QStringLiteral("ada"));
    QCOMPARE(w.audit.entries.constLast().reason, QStringLiteral("50 more"));
    w.port.m_spec.probe = true;
    w.port.linkNumber = 1;
    w.request.command = QByteArray(32, 'b');
    w.probe(); // an executed probe is counted separately
    QCOMPARE(w.port.probes.size(), 1);
    QCOMPARE(w.audit.entries.size(), 2 * AuditLimit::kAMinute + 3);
}

void TestProber::shortProbesFillNoAudit()
{
    World w;
    const auto probe = [&w] {
        w.request.command = QByteArray::number(w.results.size()).rightJustified(32, '0');
        w.probe();
        w.port.answerHeld();
        return w.results.constLast().error;
    };
    for (int i = 0; i < AuditLimit::kAMinute; ++i)
        QCOMPARE(probe(), base::Error());
    const base::Error refused = probe();
    QCOMPARE(refused.code, ErrorCode::Busy);
    QCOMPARE(refused.remedy, QStringLiteral("Try again in a minute."));
    QCOMPARE(w.port.probes.size(), AuditLimit::kAMinute);
    QCOMPARE(w.audit.entries.size(), AuditLimit::kAMinute + 1);
    w.limit.sumUp(); // the minute is over
    QCOMPARE(w.audit.entries.size(), AuditLimit::kAMinute + 1);
    QCOMPARE(probe(), base::Error());
}

void TestProber::noAuditNoProbe()
{
    World w;
    w.audit.failBegin = true;
    w.probe();
    QCOMPARE(w.port.probes.size(), 0);
    QCOMPARE(w.results.value(0).error.code, ErrorCode::Storage);
    w.audit.failBegin = false;
    w.request.command = "short";
    w.probe();
    QCOMPARE(w.results.value(1).error.code, ErrorCode::Usage);
    QCOMPARE(w.audit.entries.size(), 1);
    QCOMPARE(w.port.probes.size(), 0);
    w.request.command = QByteArray(32, 'b');
    w.probe(); // a failed probe doesn't keep the source busy
    QCOMPARE(w.port.probes.size(), 1);
}

void TestProber::oneAtATime()
{
    World w;
    w.probe();
    w.request.command = QByteArray(32, 'b');
    w.probe();
    QCOMPARE(w.port.probes.size(), 1);
    QCOMPARE(w.results.value(0).error.code, ErrorCode::Busy);
    w.port.answerHeld();
    w.request.command = QByteArray(32, 'c');
    w.probe();
    QCOMPARE(w.port.probes.size(), 2);
    w.port.answerHeld();
    w.probe(); // the same command again
    QCOMPARE(w.port.probes.size(), 2);
    QCOMPARE(w.results.last().error.code, ErrorCode::Usage);
    QCOMPARE(w.results.last().auditId, 3);
    w.request.command = QByteArray(32, 'd');
    w.probe(); // a repeat has not kept the source either
    QCOMPARE(w.port.probes.size(), 3);
}

void TestProber::outcomes_data()
{
    QTest::addColumn<int>("code");
    QTest::addColumn<qint64>("commands");
    QTest::addColumn<int>("outcome");
    QTest::newRow("forbidden") << int(ErrorCode::PermissionDenied) << 0ll << int(Outcome::Refused);
    QTest::newRow("another kind of store") << int(ErrorCode::Unsupported) << 0ll << int(Outcome::Refused);
    QTest::newRow("not reached") << int(ErrorCode::Unreachable) << 0ll << int(Outcome::Unreachable);
    QTest::newRow("lost on the way") << int(ErrorCode::ConnectionLost) << 9ll << int(Outcome::Unknown);
    QTest::newRow("no answer in time") << int(ErrorCode::Timeout) << 0ll << int(Outcome::Unknown);
    QTest::newRow("its source was taken away") << int(ErrorCode::Cancelled) << 0ll << int(Outcome::Unknown);
}

void TestProber::outcomes()
{
    QFETCH(int, code);
    QFETCH(qint64, commands);
    World w;
    w.port.probeReport.error = base::Error{ErrorCode(code), QStringLiteral("why"), {}};
    w.port.probeReport.commands = commands;
    w.probe();
    w.port.answerHeld();
    QTEST(int(w.audit.entries.at(0).outcome), "outcome");
    QCOMPARE(w.audit.entries.at(0).detail, w.results.at(0).error.line());
}

/** It was taken away while the intent was written. */
void TestProber::sourceThatIsGoneIsNotProbed()
{
    World w;
    w.audit.beforeBegin = [&w] { w.directory.port = nullptr; };
    w.probe();
    QCOMPARE(w.port.probes.size(), 0);
    QCOMPARE(w.audit.entries.at(0).outcome, Outcome::Refused);
    QCOMPARE(w.results.value(0).error.code, ErrorCode::NotFound);
}

void TestProber::standbyRefuses()
{
    World w;
    w.prober.deny(w.request, w.asker, base::Error{ErrorCode::ReadOnly, QStringLiteral("standby"), {}},
                  [&w](const protocol::ProbeResult &r) { w.results.append(r); });
    QCOMPARE(w.audit.entries.value(0).outcome, Outcome::Refused);
}

void TestProber::roleIsAuditedAsWell()
{
    World w;
    w.asker.grants = domain::grantsFor(Role::Viewer);
    w.prober.deny(w.request, w.asker, base::Error{ErrorCode::PermissionDenied, QStringLiteral("viewer"), {}},
                  [&w](const protocol::ProbeResult &r) { w.results.append(r); });
    QCOMPARE(w.results.value(0).error.code, ErrorCode::PermissionDenied);
    QCOMPARE(w.audit.entries.value(0).outcome, Outcome::Refused);
    QCOMPARE(w.audit.entries.value(0).role, QStringLiteral("viewer"));
    QCOMPARE(w.port.probes.size(), 0);
}

void TestProber::answersWhereItsOutcomeWaits()
{
    World w;
    w.probe();
    w.audit.failEnd = true;
    w.port.answerHeld();
    QCOMPARE(w.results.size(), 1);
    QCOMPARE(w.results.at(0).error, base::Error{});
    QCOMPARE(w.audit.entries.at(0).outcome, Outcome::Pending);
}

LOCKKEEPER_TEST(TestProber)

} // namespace tst_prober

#include "tst_prober.moc"
