// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/report/report_dialog.h"
#include "app/views/report/report_pdf.h"
#include "tests/app/report/incident_night.h"
#include "tests/app/views/support/view_rig.h"
#include "tests/support/test_program.h"

#include <QAbstractButton>
#include <QFile>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTest>

namespace tst_report_dialog {

using namespace lockkeeper;
using namespace lockkeeper::tests;
using app::views::ReportDialog;

/** The console's way to an incident report: a range, the agent's answers, a file. */
class TestReportDialog : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void saves_data();
    void saves();
    void faults_data();
    void faults();
    void survivesItsEnd();
    void namesWhatFailed();
    void asksTheAgentOfTheSource();
    void retranslates();
    void pdf();

private:
    void open();
    QAbstractButton *button(const char *name) const
    {
        return m_dialog->findChild<QAbstractButton *>(QString::fromLatin1(name));
    }
    QLineEdit *edit(const char *name) const
    {
        return m_dialog->findChild<QLineEdit *>(QString::fromLatin1(name));
    }

    std::unique_ptr<ViewRig> m_rig;
    std::unique_ptr<ReportDialog> m_dialog;
    QList<protocol::Message> m_asked;
};

void TestReportDialog::init()
{
    m_rig = std::make_unique<ViewRig>();
    m_rig->book = AlertBook();
    m_asked.clear();
    m_rig->agent.answer = [this, whole = m_rig->agent.answer](
                              const protocol::Message &message) -> std::optional<protocol::Message> {
        m_asked.append(message);
        if (const auto *query = std::get_if<protocol::AdviceQuery>(&message); query && !m_rig->mute)
            return protocol::AdvicePage{query->id, {}, *query->fromUs, *query->toUs, 1000, 1, 1, false};
        return whole(message);
    };
}

void TestReportDialog::cleanup()
{
    m_dialog.reset();
    m_rig.reset();
}

/** For lock "a", which w1 acquired half a minute ago. */
void TestReportDialog::open()
{
    m_rig->keep(ViewRig::eventAt(m_rig->clock.wallUs() - 30 * base::kSecondUs, "a"));
    QVERIFY(m_rig->connectWith({ViewRig::lock("a")}));
    QTRY_VERIFY(m_rig->isLive());
    const qint64 nowUs = m_rig->context.nowUs();
    m_dialog = std::make_unique<ReportDialog>(m_rig->context, ViewRig::lock("a").key,
                                              app::timeline::TimeRange{nowUs - 600 * base::kSecondUs, nowUs});
    m_dialog->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_dialog.get()));
    m_asked.clear();
}

void TestReportDialog::saves_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("begins");
    QTest::newRow("HTML") << QStringLiteral("report.html") << QByteArray("<!DOCTYPE html>");
    QTest::newRow("PDF") << QStringLiteral("report.pdf") << QByteArray("%PDF-");
}

void TestReportDialog::saves()
{
    QFETCH(QString, name);
    QFETCH(QByteArray, begins);
    open();
    QVERIFY(!button("openReport")->isEnabled());
    button("saveReport")->click();
    QFileDialog *files = nullptr;
    QTRY_VERIFY((files = m_dialog->findChild<QFileDialog *>()));
    const QString path = m_rig->folder.filePath(name);
    QSignalSpy said(&m_rig->requests, &app::views::Requests::messageCame);
    Q_EMIT files->fileSelected(path);
    files->close();
    QTRY_COMPARE(said.size(), 1);
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray bytes = file.readAll();
    QVERIFY(bytes.startsWith(begins));
    QVERIFY(name.endsWith(QLatin1String("pdf")) || bytes.contains("Incident report: lock a"));
    QVERIFY(button("openReport")->isEnabled());
    QVERIFY(m_dialog->findChild<QLabel *>(QStringLiteral("reportState"))->text().contains(path));
    picture(m_dialog.get(), "report-dialog");
}

void TestReportDialog::faults_data()
{
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("to");
    QTest::newRow("no time") << QStringLiteral("soon") << QStringLiteral("-1m");
    QTest::newRow("empty") << QString() << QStringLiteral("-1m");
    QTest::newRow("no end") << QStringLiteral("-5m") << QStringLiteral("later");
    QTest::newRow("backwards") << QStringLiteral("-1m") << QStringLiteral("-5m");
}

void TestReportDialog::faults()
{
    QFETCH(QString, from);
    QFETCH(QString, to);
    open();
    edit("reportFrom")->setText(from);
    edit("reportTo")->setText(to);
    button("saveReport")->click();
    QVERIFY(button("saveReport")->isEnabled());
    QVERIFY(std::none_of(m_asked.cbegin(), m_asked.cend(), [](const protocol::Message &message) {
        return std::holds_alternative<protocol::StatusQuery>(message);
    }));
}

/** An answer may come after the dialog is gone. */
void TestReportDialog::survivesItsEnd()
{
    open();
    m_rig->mute = true;
    button("saveReport")->click();
    QVERIFY(!button("saveReport")->isEnabled());
    QTRY_VERIFY(!m_asked.isEmpty());
    m_dialog.reset();
    m_rig->session.close(); // ends the question
    QTRY_VERIFY(!m_rig->isLive());
}

void TestReportDialog::namesWhatFailed()
{
    open();
    m_rig->failure = base::Error{base::ErrorCode::PermissionDenied, QStringLiteral("not for you"), {}};
    QSignalSpy ready(m_dialog.get(), &ReportDialog::reportReady);
    button("saveReport")->click();
    QTRY_COMPARE(ready.size(), 1);
    const QByteArray html = m_dialog->bytesFor(QStringLiteral("a.html"));
    QVERIFY2(html.contains("Not read: the audit of forced releases. not for you"), html.constData());
    QVERIFY(html.contains("When the lock was held couldn't be read."));
}

/** With several agents only the one that watches the source is asked, by its own name of the source. */
void TestReportDialog::asksTheAgentOfTheSource()
{
    open();
    ReplayAgent second;
    second.name = QStringLiteral("dc2");
    second.journalId = "journal-2";
    int questions = 0;
    second.answer = [&questions](const protocol::Message &message) -> std::optional<protocol::Message> {
        questions += std::holds_alternative<protocol::TimelineQuery>(message) ? 1 : 0;
        return std::nullopt;
    };
    QVERIFY(second.start());
    m_rig->session.open(QList{m_rig->agent.address(), second.address()});
    QTRY_COMPARE(m_rig->session.labels().size(), 2);
    domain::LockKey key = ViewRig::lock("a").key;
    key.source.prepend(m_rig->session.labels().constFirst() + QLatin1Char('/'));
    const qint64 nowUs = m_rig->context.nowUs();
    m_dialog = std::make_unique<ReportDialog>(m_rig->context, key,
                                              app::timeline::TimeRange{nowUs - 600 * base::kSecondUs, nowUs});
    QTRY_VERIFY(m_rig->session.isLive(key.source));
    QSignalSpy ready(m_dialog.get(), &ReportDialog::reportReady);
    button("saveReport")->click();
    QTRY_COMPARE(ready.size(), 1);
    QCOMPARE(questions, 0);
    QVERIFY(!m_rig->timelines.isEmpty());
    QCOMPARE(m_rig->timelines.constLast().keys, QList{ViewRig::lock("a").key});
    const QByteArray html = m_dialog->bytesFor(QStringLiteral("a.html"));
    QVERIFY2(html.contains("w1") && !html.contains("Not read"), html.constData());
}

void TestReportDialog::retranslates()
{
    open();
    const BracketLanguage brackets;
    QCoreApplication::sendPostedEvents(nullptr, QEvent::LanguageChange);
    for (const char *name : {"openReport", "closeReport", "saveReport"})
        QTRY_VERIFY(button(name)->text().startsWith(QLatin1Char('[')));
    for (const char *name : {"reportTitle", "reportExplanation"})
        QVERIFY(
            m_dialog->findChild<QLabel *>(QString::fromLatin1(name))->text().startsWith(QLatin1Char('[')));
}

void TestReportDialog::pdf()
{
    app::words::TimeFormat times;
    times.setZone(app::words::Zone::Utc);
    app::report::IncidentEvidence night = incidentNight();
    const QByteArray pdf = app::views::reportPdf(app::report::reportOf(night, times));
    QVERIFY(pdf.startsWith("%PDF-"));
    QVERIFY(pdf.contains("/Image")); // the timeline
    while (night.events.size() < 400)
        night.events += night.events;
    const QByteArray longer = app::views::reportPdf(app::report::reportOf(night, times));
    QVERIFY(longer.count("/Type /Page\n") > pdf.count("/Type /Page\n"));
    const QString folder = qEnvironmentVariable("LOCKKEEPER_PICTURES");
    QFile file(folder + QStringLiteral("/report.pdf"));
    QVERIFY(folder.isEmpty() || (file.open(QIODevice::WriteOnly) && file.write(pdf) == pdf.size()));
}

LOCKKEEPER_TEST(TestReportDialog)

} // namespace tst_report_dialog

#include "tst_report_dialog.moc"
