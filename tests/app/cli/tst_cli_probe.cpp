// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/probe_command.h"
#include "app/records/records.h"
#include "harness.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_cli_probe {

using namespace lockkeeper;
using namespace lockkeeper::tests;

namespace {

protocol::ProbeResult someCounts()
{
    protocol::ProbeResult result;
    result.beganUs = 1'795'212'345'000'000;
    result.endedUs = result.beganUs + 2'000'000;
    result.commands = 4711;
    result.counts = {{"lock:\x1b[31ma", "10.0.0.7:51342", 900, 0, 900}, {"lock:b", "unix:/r.sock", 2, 0, 2}};
    result.auditId = 13;
    return result;
}

} // namespace

/** `probe` states its cost, asks for confirmation, and explains the basis of the counts. */
class TestCliProbe : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void runs_data();
    void runs();
    void asksTheAgent();
    void json();
    void auditSaysSo();
};

void TestCliProbe::runs_data()
{
    QTest::addColumn<QString>("arguments");
    QTest::addColumn<QString>("typed");
    QTest::addColumn<int>("code");
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("says");
    QTest::addColumn<int>("asked");
    using base::ErrorCode;
    const auto row = [](const char *name, const char *arguments, const char *typed, ErrorCode code,
                        int status, const char *says, int asked) {
        QTest::newRow(name) << QString::fromLatin1(arguments) << QString::fromLatin1(typed) << int(code)
                            << status << QByteArray(says) << asked;
    };
    row("sure", "probe orders --yes", "", ErrorCode::Unknown, 0, "4711 commands in 2.0 s", 1);
    row("no claim of failures", "probe orders --yes", "", ErrorCode::Unknown, 0, "doesn't report results", 1);
    row("hostile names", "probe orders --yes", "", ErrorCode::Unknown, 0, "lock:\\x1b[31ma", 1);
    row("asked", "probe orders", "yes", ErrorCode::Unknown, 0, "two thirds of its throughput", 1);
    row("not confirmed", "probe orders", "no", ErrorCode::Unknown, 1, "nothing was done", 0);
    row("not permitted", "probe orders --yes", "", ErrorCode::PermissionDenied, 4, "told so", 1);
    row("not reachable", "probe orders --yes", "", ErrorCode::Unreachable, 3, "told so", 1);
    row("too long", "probe orders --yes --for 11s", "", ErrorCode::Unknown, 2, "at most 10 s", 0);
    row("no commands", "probe orders --yes --commands 0", "", ErrorCode::Unknown, 2, "1 to 10000000", 0);
}

void TestCliProbe::runs()
{
    QFETCH(QString, arguments);
    QFETCH(QString, typed);
    QFETCH(int, code);
    QFETCH(int, status);
    QFETCH(QByteArray, says);
    QFETCH(int, asked);
    FakeAgent agent;
    agent.probe = someCounts();
    if (code != int(base::ErrorCode::Unknown))
        agent.probe.error = {base::ErrorCode(code), QStringLiteral("told so"), {}};
    Run run(agent.address(), arguments.split(QLatin1Char(' ')), typed);
    QTRY_COMPARE(run.status(), status);
    QVERIFY2((run.out() + run.err()).contains(says), (run.out() + run.err()).constData());
    QCOMPARE(agent.askedFor<protocol::ProbeRequest>().size(), asked);
}

void TestCliProbe::asksTheAgent()
{
    FakeAgent agent;
    for (int i = 0; i < 2; ++i) {
        Run run(agent.address(),
                {QStringLiteral("probe"), QStringLiteral("orders"), QStringLiteral("--yes"),
                 QStringLiteral("--for"), QStringLiteral("1500ms"), QStringLiteral("--commands"),
                 QStringLiteral("77"), QStringLiteral("--reason"), QStringLiteral("slow")});
        QTRY_COMPARE(run.status(), 0);
        QVERIFY2(run.err().contains("no client attempted"), run.err().constData());
    }
    const auto asked = agent.askedFor<protocol::ProbeRequest>();
    QCOMPARE(asked.size(), 2);
    QCOMPARE(asked.at(0).source, QStringLiteral("orders"));
    QCOMPARE(asked.at(0).forUs, 1'500'000);
    QCOMPARE(asked.at(0).mostCommands, 77);
    QCOMPARE(asked.at(0).reason, QStringLiteral("slow"));
    QCOMPARE(asked.at(0).command.size(), 32);
    QVERIFY(asked.at(0).command != asked.at(1).command);
}

void TestCliProbe::json()
{
    FakeAgent agent;
    agent.probe = someCounts();
    Run run(agent.address(), {QStringLiteral("probe"), QStringLiteral("orders"), QStringLiteral("--yes"),
                              QStringLiteral("--json")});
    QTRY_COMPARE(run.status(), 0);
    const QList<QJsonObject> objects = run.objects();
    QCOMPARE(objects.size(), 3);
    const QJsonObject first{{QStringLiteral("source"), QStringLiteral("orders")},
                            {QStringLiteral("lock"), QStringLiteral("lock:\x1b[31ma")},
                            {QStringLiteral("client"), QStringLiteral("10.0.0.7:51342")},
                            {QStringLiteral("attempts"), 900},
                            {QStringLiteral("failed"), QJsonValue()},
                            {QStringLiteral("uncertain"), 900}};
    QCOMPARE(objects.at(0), first);
    QCOMPARE(objects.at(2).value(QStringLiteral("commands")).toInt(), 4711);
    QCOMPARE(objects.at(2).value(QStringLiteral("end")).toString(), QStringLiteral("time"));
    QCOMPARE(objects.at(2).value(QStringLiteral("audit_id")).toInt(), 13);
}

void TestCliProbe::auditSaysSo()
{
    domain::AuditEntry entry;
    entry.key.source = QStringLiteral("orders");
    QCOMPARE(app::records::auditObject(entry).value(QStringLiteral("act")).toString(),
             QStringLiteral("release"));
    entry.key.scheme = domain::AuditEntry::kProbe;
    entry.outcome = domain::Outcome::Probed;
    const QJsonObject object = app::records::auditObject(entry);
    QCOMPARE(object.value(QStringLiteral("act")).toString(), QStringLiteral("probe"));
    QCOMPARE(object.value(QStringLiteral("outcome")).toString(), QStringLiteral("probed"));
    QVERIFY(object.value(QStringLiteral("lock")).isNull());
    QVERIFY(object.value(QStringLiteral("scheme")).isNull());
}

LOCKKEEPER_TEST(TestCliProbe)

} // namespace tst_cli_probe

#include "tst_cli_probe.moc"
