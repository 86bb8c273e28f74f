// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "golden_world.h"
#include "harness.h"
#include "tests/support/fake_clock.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QJsonArray>
#include <QScopeGuard>
#include <QTemporaryDir>
#include <QTest>

namespace tst_cli_report {

using namespace lockkeeper;
using namespace lockkeeper::tests;

namespace {

const QStringList kReport{QStringLiteral("report"), QStringLiteral("--lock"), QStringLiteral("lock:report"),
                          QStringLiteral("--from"), QStringLiteral("-2h")};

} // namespace

/** `report`: one lock, one file, and no silence about what is missing. */
class TestCliReport : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void writesHtml();
    void writesTheFile();
    void leavesTheFileIfItFails();
    void namesUnansweredQuestions();
    void statuses_data();
    void statuses();
    void faults_data();
    void faults();
    void pdfNeedsTheConsole();
    void needsOneLock();
    void needsOneAgent();
    void namesAgentsThatAreAway();

private:
    static Run *run(QObject *owner, const QList<CalledAgent> &agents, const QStringList &line);
};

Run *TestCliReport::run(QObject *owner, const QList<CalledAgent> &agents, const QStringList &line)
{
    auto *run = new Run(agents, line, std::make_unique<FakeClock>(kGoldenNowUs));
    run->setParent(owner);
    return run;
}

void TestCliReport::writesHtml()
{
    QObject owner;
    FakeAgent agent;
    fillGoldenAgent(agent);
    Run *report = run(&owner, {{QStringLiteral("dc1"), agent.address()}}, kReport);
    QTRY_COMPARE(report->status(), 0);
    QVERIFY(report->out().startsWith("<!DOCTYPE html>"));
    QVERIFY(report->out().endsWith("</html>\n"));
    QVERIFY(report->out().contains("Incident report: lock lock:report"));
    QVERIFY(report->err().isEmpty());
    // A bounded number of questions, each about this lock.
    const auto histories = agent.askedFor<protocol::HistoryQuery>();
    QCOMPARE(histories.size(), 2);
    QCOMPARE(histories.constLast().lockGlob, QByteArray("lock:report"));
    QCOMPARE(agent.askedFor<protocol::TimelineQuery>().size(), 1);
}

void TestCliReport::writesTheFile()
{
    QObject owner;
    FakeAgent agent;
    fillGoldenAgent(agent);
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("report.html"));
    Run *report = run(&owner, {{QStringLiteral("dc1"), agent.address()}},
                      kReport + QStringList{QStringLiteral("-o"), path});
    QTRY_COMPARE(report->status(), 0);
    QVERIFY(report->out().isEmpty());
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY(file.readAll().contains("Incident report"));
}

void TestCliReport::leavesTheFileIfItFails()
{
    QObject owner;
    FakeAgent agent;
    fillGoldenAgent(agent);
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("none/report.html"));
    Run *report = run(&owner, {{QStringLiteral("dc1"), agent.address()}},
                      kReport + QStringList{QStringLiteral("-o"), path});
    QTRY_COMPARE(report->status(), 1);
    QVERIFY2(report->err().startsWith("can't write '"), report->err().constData());
}

void TestCliReport::namesUnansweredQuestions()
{
    QObject owner;
    FakeAgent agent;
    fillGoldenAgent(agent);
    agent.refuses = [](const protocol::Message &message) {
        return std::holds_alternative<protocol::AuditQuery>(message);
    };
    Run *report = run(&owner, {{QStringLiteral("dc1"), agent.address()}}, kReport);
    QTRY_COMPARE(report->status(), 0);
    QVERIFY(report->out().contains("Not read: the audit of forced releases. the user may not see the audit"));
    QVERIFY(!report->out().contains("audit has no attempt"));
}

void TestCliReport::statuses_data()
{
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<int>("status");
    QTest::newRow("no such lock") << QStringList{QStringLiteral("--lock"), QStringLiteral("none")} << 1;
    QTest::newRow("no such place") << QStringList{QStringLiteral("--lock"), QStringLiteral("lock:report"),
                                                  QStringLiteral("--place"), QStringLiteral("db7")}
                                   << 1;
    QTest::newRow("one place") << QStringList{QStringLiteral("--lock"), QStringLiteral("lock:report"),
                                              QStringLiteral("--place"), QStringLiteral("db*")}
                               << 0;
}

void TestCliReport::statuses()
{
    QFETCH(QStringList, options);
    QFETCH(int, status);
    QObject owner;
    FakeAgent agent;
    fillGoldenAgent(agent);
    Run *report = run(&owner, {{QStringLiteral("dc1"), agent.address()}},
                      QStringList{QStringLiteral("report")} + options);
    QTRY_VERIFY(report->status() >= 0);
    QCOMPARE(report->status(), status);
    QCOMPARE(report->out().isEmpty(), status != 0);
    QCOMPARE(report->err().isEmpty(), status == 0);
}

void TestCliReport::faults_data()
{
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<QString>("words");
    QTest::newRow("empty range") << QStringList{QStringLiteral("--to"), QStringLiteral("-3h")}
                                 << QStringLiteral("the range ends before it begins");
}

void TestCliReport::faults()
{
    QFETCH(QStringList, options);
    QFETCH(QString, words);
    const auto parsed = parse(kReport + options, kGoldenNowUs);
    const auto *stop = std::get_if<app::cli::Stop>(&parsed);
    QVERIFY(stop);
    QCOMPARE(stop->status, 2);
    QVERIFY2(stop->text.contains(words), qPrintable(stop->text));
}

void TestCliReport::pdfNeedsTheConsole()
{
    const QByteArray path = qgetenv("PATH");
    const auto restore = qScopeGuard([&path] { qputenv("PATH", path); });
    qputenv("PATH", "/nowhere"); // and the console isn't beside the test's program
    const QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("report.PDF"));
    QObject owner;
    FakeAgent agent;
    fillGoldenAgent(agent);
    Run *report = run(&owner, {{QStringLiteral("dc1"), agent.address()}},
                      kReport + QStringList{QStringLiteral("-o"), file});
    QTRY_COMPARE(report->status(), 1);
    QVERIFY2(report->err().contains("PDF needs the console program"), report->err().constData());
    QVERIFY(!QFile::exists(file));
}

void TestCliReport::needsOneLock()
{
    QObject owner;
    FakeAgent agent;
    fillGoldenAgent(agent);
    agent.holds[0].key.place = "db1";
    Run *report = run(&owner, {{QStringLiteral("dc1"), agent.address()}}, kReport);
    QTRY_COMPARE(report->status(), 2);
    QVERIFY2(report->err().contains("lock:report (orders, db1), lock:report (orders, db0)"),
             report->err().constData());
    QVERIFY(report->out().isEmpty());
}

void TestCliReport::needsOneAgent()
{
    QObject owner;
    FakeAgent first;
    FakeAgent second;
    fillGoldenAgent(first);
    fillGoldenAgent(second);
    second.name = QStringLiteral("dc2");
    second.journal = "j2";
    Run *report =
        run(&owner, {{QStringLiteral("dc1"), first.address()}, {QStringLiteral("dc2"), second.address()}},
            kReport);
    QTRY_COMPARE(report->status(), 2);
    QVERIFY2(report->err().contains("dc1/orders") && report->err().contains("dc2/orders"),
             report->err().constData());
}

/** The report is written, it names the agent, and the status says that not all have answered. */
void TestCliReport::namesAgentsThatAreAway()
{
    QObject owner;
    FakeAgent first;
    FakeAgent second;
    fillGoldenAgent(first);
    second.hangUp(true);
    Run *report =
        run(&owner, {{QStringLiteral("dc1"), first.address()}, {QStringLiteral("dc2"), second.address()}},
            kReport);
    QTRY_COMPARE(report->status(), 3);
    QVERIFY2(report->out().contains("may know more about this lock: dc2."), report->out().constData());
}

LOCKKEEPER_TEST(TestCliReport)

} // namespace tst_cli_report

#include "tst_cli_report.moc"
