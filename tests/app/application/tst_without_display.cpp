// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test_program.h"

#include <QProcess>
#include <QtTest>

namespace tst_without_display {

/** The console's program where no display can be opened. */
class TestWithoutDisplay : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void answersInText_data();
    void answersInText();
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

LOCKKEEPER_TEST(TestWithoutDisplay)

} // namespace tst_without_display

#include "tst_without_display.moc"
