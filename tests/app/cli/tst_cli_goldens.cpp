// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "golden_world.h"
#include "harness.h"
#include "tests/support/fake_clock.h"
#include "tests/support/golden_file.h"
#include "tests/support/test_program.h"

#include <QRegularExpression>
#include <QTest>

namespace tst_cli_goldens {

using namespace lockkeeper;
using namespace lockkeeper::tests;

/** Each output of lockkeeperctl that describes rows, compared byte for byte with a file in tests/data/cli. */
class TestCliGoldens : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { qputenv("TZ", "UTC"); }
    void output_data();
    void output();

private:
    static constexpr int kWidth = 300; ///< every column has room
};

void TestCliGoldens::output_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<bool>("ofTwo");
    const QStringList lines{
        QStringLiteral("locks"),
        QStringLiteral("locks --sort name"),
        QStringLiteral("overview"),
        QStringLiteral("status"),
        QStringLiteral("history"),
        QStringLiteral("holds --lock *"),
        QStringLiteral("audit"),
        QStringLiteral("chains"),
        QStringLiteral("contention"),
        QStringLiteral("contention --by waiter"),
        QStringLiteral("contention --by holder"),
        QStringLiteral("contention --by statement"),
        QStringLiteral("approvals"),
        QStringLiteral("alerts"),
        QStringLiteral("alerts --all"),
        QStringLiteral("alerts --receivers"),
        QStringLiteral("advise"),
    };
    for (const QString &line : lines) {
        for (const bool ofTwo : {false, true}) {
            for (const QString &form : {QString(), QStringLiteral(" --json")}) {
                const QString name = line + form + (ofTwo ? QStringLiteral(" of two") : QString());
                QTest::newRow(qPrintable(name)) << line + form << ofTwo;
            }
        }
    }
    const QString report = QStringLiteral("report --lock lock:report --from -2h --json");
    QTest::newRow("report --json") << report << false;
    QTest::newRow("report --json of two") << report << true;
    for (const char *what : {"--locks", "--history"}) {
        for (const char *format : {"csv", "json"}) {
            const QString line =
                QStringLiteral("export %1 --format %2").arg(QLatin1String(what), QLatin1String(format));
            QTest::newRow(qPrintable(line)) << line << false;
            QTest::newRow(qPrintable(line + QStringLiteral(" of two"))) << line << true;
        }
    }
}

void TestCliGoldens::output()
{
    QFETCH(QString, line);
    QFETCH(bool, ofTwo);
    FakeAgent first;
    FakeAgent second;
    fillGoldenAgent(first);
    fillSecondGoldenAgent(second);
    QList<CalledAgent> agents{{QStringLiteral("dc1"), first.address()}};
    if (ofTwo)
        agents.append({QStringLiteral("dc2"), second.address()});
    Run run(agents, line.split(QLatin1Char(' ')), std::make_unique<FakeClock>(kGoldenNowUs), kWidth);
    QTRY_VERIFY(run.status() >= 0);
    QByteArray printed = run.out();
    if (!run.err().isEmpty())
        printed += "--- standard error\n" + run.err();
    printed += "--- status " + QByteArray::number(run.status()) + '\n';
    QString name = QString::fromLatin1(QTest::currentDataTag());
    name.remove(QStringLiteral("--"))
        .replace(QRegularExpression(QStringLiteral("[ :*]+")), QStringLiteral("_"));
    const QString fault = compareWithGolden(QStringLiteral("tests/data/cli/%1.txt").arg(name), printed);
    QVERIFY2(fault.isEmpty(), qPrintable(fault));
}

LOCKKEEPER_TEST(TestCliGoldens)

} // namespace tst_cli_goldens

#include "tst_cli_goldens.moc"
