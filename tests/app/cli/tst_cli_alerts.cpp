// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "golden_world.h"
#include "harness.h"
#include "tests/support/fake_clock.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_cli_alerts {

using namespace lockkeeper;
using namespace lockkeeper::tests;
using Verb = protocol::AlertAction::AlertVerb;

/** The verbs of `lockkeeperctl alerts`; its listings are in tst_cli_goldens. */
class TestCliAlerts : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { qputenv("TZ", "UTC"); }
    void acts_data();
    void acts();
    void notesThatSomeAreLeftOut();
    void printsTheAlertAfterwards();
    void refusesAnIdThatFitsNoneOrSeveral_data();
    void refusesAnIdThatFitsNoneOrSeveral();
    void findsTheAgent_data();
    void findsTheAgent();
    void aRefusalIsTheStatus();
    void refusesWrongUsage_data();
    void refusesWrongUsage();
};

namespace {

QStringList words(const QString &line)
{
    return line.split(QLatin1Char(' '));
}

} // namespace

void TestCliAlerts::acts_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<QByteArray>("alert");
    QTest::addColumn<int>("verb");
    QTest::addColumn<qint64>("forUs");
    QTest::addColumn<QByteArray>("printed");
    const QByteArray waits = "5f1c9a2b7d3e4f60";
    QTest::newRow("ack") << "alerts ack 5f1c" << waits << int(Verb::Acknowledge) << qint64(0)
                         << QByteArray("Acknowledged: longest-wait, lock:report.\n");
    QTest::newRow("whole id") << "alerts ack 5f1c9a2b7d3e4f60" << waits << int(Verb::Acknowledge) << qint64(0)
                              << QByteArray("Acknowledged: longest-wait, lock:report.\n");
    QTest::newRow("snooze") << "alerts snooze a077 --for 4h" << QByteArray("a07733e1c2d44b15")
                            << int(Verb::Snooze) << 4 * base::kHourUs
                            << QByteArray("Snoozed until 2026-11-20T07:00:00.000: source-down, billing.\n");
    QTest::newRow("wake") << "alerts wake c31b" << QByteArray("c31b5a6c7d8e9f00") << int(Verb::Wake)
                          << qint64(0) << QByteArray("The snooze has ended: lease-margin, lock:expiring.\n");
    QTest::newRow("of the agent") << "alerts ack e5f6" << QByteArray("e5f60718293a4b5c")
                                  << int(Verb::Acknowledge) << qint64(0)
                                  << QByteArray("Acknowledged: audit-failing, dc1.\n");
}

void TestCliAlerts::acts()
{
    QFETCH(QString, line);
    FakeAgent agent;
    fillGoldenAgent(agent);
    Run run(agent.address(), words(line));
    QTRY_COMPARE(run.status(), 0);
    QCOMPARE(run.err(), QByteArray());
    QTEST(run.out(), "printed");
    const auto asked = agent.askedFor<protocol::AlertAction>();
    QCOMPARE(asked.size(), 1);
    QTEST(asked.first().alert, "alert");
    QTEST(int(asked.first().verb), "verb");
    QTEST(asked.first().forUs, "forUs");
}

void TestCliAlerts::notesThatSomeAreLeftOut()
{
    FakeAgent agent;
    fillGoldenAgent(agent);
    agent.alertsLeftOut = true;
    Run run(agent.address(), words(QStringLiteral("alerts")));
    QTRY_COMPARE(run.status(), 0);
    QVERIFY2(run.err().contains("too many alerts to list"), run.err().constData());
}

void TestCliAlerts::printsTheAlertAfterwards()
{
    FakeAgent agent;
    fillGoldenAgent(agent);
    Run run(agent.address(), words(QStringLiteral("alerts ack 5f1c --json")));
    QTRY_COMPARE(run.status(), 0);
    QCOMPARE(run.objects().size(), 1);
    QCOMPARE(run.objects().first().value(QLatin1String("phase")).toString(), QStringLiteral("acknowledged"));
    QCOMPARE(run.objects().first().value(QLatin1String("acknowledged_by")).toString(), QStringLiteral("kim"));
}

void TestCliAlerts::refusesAnIdThatFitsNoneOrSeveral_data()
{
    QTest::addColumn<QString>("id");
    QTest::addColumn<QByteArray>("remedy");
    QTest::newRow("none") << "0000" << QByteArray("lists them");
    QTest::newRow("too short") << "a07" << QByteArray("shortened to 4");
    QTest::newRow("two") << "5f1" << QByteArray("shortened to 4");
    QTest::newRow("several") << "5f1d" << QByteArray("5f1d001122334455 | 5f1d998877665544");
}

void TestCliAlerts::refusesAnIdThatFitsNoneOrSeveral()
{
    QFETCH(QString, id);
    QFETCH(QByteArray, remedy);
    FakeAgent agent;
    fillGoldenAgent(agent);
    agent.alerts.append(agent.alerts.at(2));
    agent.alerts.last().id = "5f1d998877665544";
    Run run(agent.address(), {QStringLiteral("alerts"), QStringLiteral("ack"), id});
    QTRY_COMPARE(run.status(), 2);
    QVERIFY2(run.err().contains(remedy), run.err().constData());
    QVERIFY(agent.askedFor<protocol::AlertAction>().isEmpty());
}

void TestCliAlerts::findsTheAgent_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<int>("status");
    QTest::addColumn<bool>("atSecond");
    QTest::newRow("the only one with the alert") << "alerts ack 9b8a" << 0 << true;
    QTest::newRow("a named one") << "alerts ack dc2/d4e5" << 0 << true;
    QTest::newRow("two have it") << "alerts ack d4e5" << 2 << false;
    QTest::newRow("none has it") << "alerts ack ffff" << 2 << false;
    QTest::newRow("an unknown one") << "alerts ack dc9/d4e5" << 2 << false;
    QTest::newRow("receiver of one") << "alerts test ops" << 0 << false;
    QTest::newRow("receiver of both") << "alerts test pager" << 2 << false;
    QTest::newRow("receiver of a named one") << "alerts test dc2/pager" << 0 << true;
}

void TestCliAlerts::findsTheAgent()
{
    QFETCH(QString, line);
    QFETCH(int, status);
    QFETCH(bool, atSecond);
    FakeAgent first;
    FakeAgent second;
    fillGoldenAgent(first);
    fillSecondGoldenAgent(second);
    Run run({{QStringLiteral("dc1"), first.address()}, {QStringLiteral("dc2"), second.address()}},
            words(line));
    QTRY_VERIFY(run.status() >= 0);
    QVERIFY2(run.status() == status, run.err().constData());
    const auto count = [](const FakeAgent &agent) {
        return agent.askedFor<protocol::AlertAction>().size() +
               agent.askedFor<protocol::ReceiverTest>().size();
    };
    QCOMPARE(count(second), atSecond ? 1 : 0);
    QCOMPARE(count(first), status == 0 && !atSecond ? 1 : 0);
}

void TestCliAlerts::aRefusalIsTheStatus()
{
    FakeAgent agent;
    fillGoldenAgent(agent);
    agent.alertFailure = base::Error{
        base::ErrorCode::PermissionDenied, QStringLiteral("the role viewer doesn't allow this"), {}};
    Run run(agent.address(), words(QStringLiteral("alerts ack 5f1c")));
    QTRY_COMPARE(run.status(), 4);
    QCOMPARE(run.out(), QByteArray());
    Run test(agent.address(), words(QStringLiteral("alerts test ops")));
    QTRY_COMPARE(test.status(), 4);
}

void TestCliAlerts::refusesWrongUsage_data()
{
    QTest::addColumn<QString>("line");
    for (const char *line : {"alerts ack", "alerts snooze 5f1c", "alerts snooze 5f1c --for 8d",
                             "alerts ack 5f1c --for 1h", "alerts list 5f1c", "alerts test",
                             "alerts shout 5f1c", "alerts ack 5f1c --all", "alerts --all --receivers"})
        QTest::newRow(line) << QString::fromLatin1(line);
}

void TestCliAlerts::refusesWrongUsage()
{
    QFETCH(QString, line);
    const auto parsed = parse(words(line), kGoldenNowUs);
    const auto *stop = std::get_if<app::cli::Stop>(&parsed);
    QVERIFY(stop);
    QCOMPARE(stop->status, 2);
}

LOCKKEEPER_TEST(TestCliAlerts)

} // namespace tst_cli_alerts

#include "tst_cli_alerts.moc"
