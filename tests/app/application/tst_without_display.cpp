// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/report/report_stream.h"
#include "tests/app/report/incident_night.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QtTest>

namespace tst_without_display {

using namespace lockkeeper;

/** The console's program where no display can be opened. */
class TestWithoutDisplay : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void answersInText_data();
    void answersInText();
    void writesAReportAsPdf();
    void logLevelIsOneOption_data();
    void logLevelIsOneOption();
};

void TestWithoutDisplay::answersInText_data()
{
    QTest::addColumn<QString>("option");
    QTest::addColumn<QByteArray>("says");
    QTest::newRow("help") << QStringLiteral("--help") << QByteArray("--language");
    QTest::newRow("short help") << QStringLiteral("-h") << QByteArray("--language");
    QTest::newRow("version") << QStringLiteral("--version") << QByteArray("lockkeeper ");
}

void TestWithoutDisplay::answersInText()
{
    QFETCH(QString, option);
    QFETCH(QByteArray, says);
    QProcess program;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("no-such-platform"));
    program.setProcessEnvironment(environment);
    program.start(qEnvironmentVariable("LOCKKEEPER_BIN") + QStringLiteral("/lockkeeper"), {option});
    QVERIFY(program.waitForFinished());
    QCOMPARE(program.exitStatus(), QProcess::NormalExit);
    QCOMPARE(program.exitCode(), 0);
    const QByteArray out = program.readAllStandardOutput();
    QVERIFY2(out.contains(says), out.constData());
}

/** As lockkeeperctl asks for it. */
void TestWithoutDisplay::writesAReportAsPdf()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("report.pdf"));
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
    const auto status = [&](const QByteArray &input) {
        QProcess program;
        program.setProcessEnvironment(environment);
        program.start(qEnvironmentVariable("LOCKKEEPER_BIN") + QStringLiteral("/lockkeeper"),
                      {QStringLiteral("--report-pdf"), path});
        program.write(input);
        program.closeWriteChannel();
        return program.waitForFinished() ? program.exitCode() : -1;
    };
    QCOMPARE(status("no report"), 2);
    QVERIFY(!QFile::exists(path));
    const app::words::TimeFormat times;
    QCOMPARE(status(app::report::packReport(app::report::reportOf(tests::incidentNight(), times))), 0);
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY(file.read(5) == "%PDF-");
}

void TestWithoutDisplay::logLevelIsOneOption_data()
{
    QTest::addColumn<QString>("program");
    QTest::addColumn<bool>("hasManual");
    QTest::newRow("console") << QStringLiteral("lockkeeper") << false;
    QTest::newRow("agent") << QStringLiteral("lockkeeper-agent") << true;
    QTest::newRow("shell") << QStringLiteral("lockkeeperctl") << true;
}

/** The three programs describe --log-level alike and accept the same words. */
void TestWithoutDisplay::logLevelIsOneOption()
{
    QFETCH(QString, program);
    QFETCH(bool, hasManual);
    const QString text = QStringLiteral("lowest level to log: debug, info, warning or error");
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("no-such-platform"));
    environment.insert(QStringLiteral("LC_ALL"), QStringLiteral("C"));
    const auto run = [&](const QStringList &options, QString *said) {
        QProcess process;
        process.setProcessEnvironment(environment);
        process.setProcessChannelMode(QProcess::MergedChannels);
        process.start(qEnvironmentVariable("LOCKKEEPER_BIN") + QLatin1Char('/') + program, options);
        const bool ended = process.waitForFinished() && process.exitStatus() == QProcess::NormalExit;
        *said = QString::fromUtf8(process.readAll()).simplified();
        return ended ? process.exitCode() : -1;
    };
    QString said;
    QCOMPARE(run({QStringLiteral("--help")}, &said), 0);
    QVERIFY2(said.contains(text, Qt::CaseInsensitive), qPrintable(said));
    for (const char *level : {"debug", "info", "warning", "error"})
        QCOMPARE(run({QStringLiteral("--log-level"), QString::fromLatin1(level), QStringLiteral("--version")},
                     &said),
                 0);
    if (!hasManual)
        return;
    QFile manual(qEnvironmentVariable("LOCKKEEPER_SOURCE") +
                 QStringLiteral("/resources/man/%1.1").arg(program));
    QVERIFY(manual.open(QIODevice::ReadOnly));
    QVERIFY(QString::fromUtf8(manual.readAll()).contains(text, Qt::CaseInsensitive));
}

LOCKKEEPER_TEST(TestWithoutDisplay)

} // namespace tst_without_display

#include "tst_without_display.moc"
