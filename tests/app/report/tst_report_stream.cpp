// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/report/report_html.h"
#include "app/report/report_stream.h"
#include "incident_night.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_report_stream {

using namespace lockkeeper;
using namespace lockkeeper::app::report;

class TestReportStream : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void keepsAllThatIsShown();
    void refusesOtherBytes();

private:
    static IncidentReport sample()
    {
        const app::words::TimeFormat times;
        return reportOf(tests::incidentNight(), times);
    }
};

void TestReportStream::keepsAllThatIsShown()
{
    const IncidentReport report = sample();
    const auto back = unpackReport(packReport(report));
    QVERIFY2(back, back ? "" : qPrintable(back.error().cause));
    QCOMPARE(reportHtml(*back), reportHtml(report));
    QCOMPARE(back->picture.shapes, report.picture.shapes);
}

void TestReportStream::refusesOtherBytes()
{
    const QByteArray bytes = packReport(sample());
    QVERIFY(!unpackReport({}));
    QVERIFY(!unpackReport("<html>"));
    QVERIFY(!unpackReport(bytes.chopped(1)));
    QVERIFY(!unpackReport(bytes + 'x'));
}

LOCKKEEPER_TEST(TestReportStream)

} // namespace tst_report_stream

#include "tst_report_stream.moc"
