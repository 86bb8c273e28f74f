// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test_program.h"

#include <QFile>
#include <QRegularExpression>
#include <QSet>
#include <QTest>

namespace tst_metric_names {

namespace {

/** Every lockkeeper_… name in a file below the source root. */
QSet<QString> namesIn(const QString &file)
{
    QFile in(qEnvironmentVariable("LOCKKEEPER_SOURCE") + QLatin1Char('/') + file);
    QSet<QString> names;
    if (!in.open(QIODevice::ReadOnly))
        return names;
    static const QRegularExpression name(QStringLiteral("\\blockkeeper_[a-z_]+"));
    auto found = name.globalMatch(QString::fromUtf8(in.readAll()));
    while (found.hasNext())
        names.insert(found.next().captured());
    return names;
}

const QString kSamples = QStringLiteral("agent/application/samples.cpp");
const QString kDashboard = QStringLiteral("resources/grafana/lockkeeper-dashboard.json");
const QString kAlerts = QStringLiteral("resources/grafana/lockkeeper-alerts.yml");

} // namespace

/** The dashboard and the alert rules ask for metrics that the agent has, by the same names. */
class TestMetricNames : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatIsAskedForExists_data();
    void whatIsAskedForExists();
    void everyMetricIsShown();
};

void TestMetricNames::whatIsAskedForExists_data()
{
    QTest::addColumn<QString>("file");
    QTest::newRow("dashboard") << kDashboard;
    QTest::newRow("alerts") << kAlerts;
}

void TestMetricNames::whatIsAskedForExists()
{
    QFETCH(QString, file);
    const QSet<QString> asked = namesIn(file);
    QVERIFY(!asked.isEmpty());
    const QSet<QString> missing = asked - namesIn(kSamples);
    QVERIFY2(missing.isEmpty(), qPrintable(QStringList(missing.values()).join(QLatin1Char(' '))));
}

void TestMetricNames::everyMetricIsShown()
{
    const QSet<QString> hidden = namesIn(kSamples) - namesIn(kDashboard);
    QVERIFY2(hidden.isEmpty(), qPrintable(QStringList(hidden.values()).join(QLatin1Char(' '))));
}

LOCKKEEPER_TEST(TestMetricNames)

} // namespace tst_metric_names

#include "tst_metric_names.moc"
