// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/agent_fixture.h"
#include "tests/support/redis_server.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

namespace tst_prometheus_rules {

using namespace lockkeeper;
using namespace lockkeeper::tests;

namespace {

/** The series of an agent's /metrics as promtool reads them, scraped by the job "lockkeeper", for 20 minutes.
 */
QByteArray seriesOf(const QByteArray &metrics, const QByteArray &instance)
{
    const QByteArray scraped = "job=\"lockkeeper\",instance=\"" + instance + "\"";
    QByteArray series = "      - series: 'up{" + scraped + "}'\n        values: '1+0x20'\n";
    for (const QByteArray &line : metrics.split('\n')) {
        if (!line.startsWith("lockkeeper_"))
            continue;
        const qsizetype space = line.lastIndexOf(' ');
        QByteArray name = line.left(space);
        if (name.endsWith('}'))
            name.chop(1);
        else
            name += '{';
        name += (name.endsWith('{') ? "" : ",") + scraped + "}";
        series +=
            "      - series: '" + name + "'\n        values: '" + line.mid(space + 1).trimmed() + "+0x20'\n";
    }
    return series;
}

/** One expectation: the alert fires with these labels and annotations, as YAML; both empty: it doesn't. */
QByteArray expectation(const QByteArray &alert, const QByteArray &labels, const QByteArray &annotations)
{
    QByteArray text = "      - eval_time: 10m\n        alertname: " + alert + "\n        exp_alerts:";
    if (labels.isEmpty())
        return text + " []\n";
    return text + "\n          - exp_labels: {" + labels + "}\n            exp_annotations: {" + annotations +
           "}\n";
}

} // namespace

/** The shipped rules for Prometheus, evaluated by promtool over what a real agent exports. */
class TestPrometheusRules : public AgentFixture
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        if (QStandardPaths::findExecutable(QStringLiteral("promtool")).isEmpty())
            QSKIP("promtool is missing");
    }
    void fireOnRealSeries();
};

void TestPrometheusRules::fireOnRealSeries()
{
    RedisServer redis;
    QVERIFY(redis.start());
    const QByteArray locks = "  [[source.locks]]\n  scheme = \"redis.token\"\n  no_expiry_after = \"1s\"\n";
    m_agent->configure("[[source]]\nname = \"orders\"\nurl = \"" + redis.url().toEncoded() +
                       "\"\npoll_ms = 100\n" + locks +
                       "[[source]]\nname = \"gone\"\nurl = \"redis://127.0.0.1:1\"\n" + locks);
    QVERIFY(startWatched());
    redis.command({"SET", "lock:dead", "3b5f0c1e8d0a4c7e9f2b6a1d5e4c3b2a"});
    QVERIFY(m_client->saw(events::EventKind::Stuck, "lock:dead"));
    QTRY_VERIFY(m_agent->httpGet("/metrics").contains("\nlockkeeper_source_up{source=\"gone\"} 0"));
    const QByteArray rules = qgetenv("LOCKKEEPER_SOURCE") + "/resources/grafana/lockkeeper-alerts.yml";
    QTemporaryDir folder;
    QFile test(folder.filePath(QStringLiteral("test.yml")));
    QVERIFY(test.open(QIODevice::WriteOnly));
    test.write(
        "rule_files: ['" + rules +
        "']\nevaluation_interval: 1m\ntests:\n  - interval: 1m\n    input_series:\n" +
        seriesOf(m_agent->httpGet("/metrics"), "a") +
        "      - series: 'up{job=\"lockkeeper\",instance=\"b\"}'\n        values: '0+0x20'\n"
        "      - series: "
        "'lockkeeper_forward_behind_seconds{job=\"lockkeeper\",instance=\"b\",forward=\"hub\"}'\n"
        "        values: '300+60x20'\n"
        "    alert_rule_test:\n" +
        expectation("LockkeeperAgentDown", "job: lockkeeper, instance: b, severity: critical",
                    "summary: 'The Lockkeeper agent b does not answer', description: 'Nobody watches its "
                    "locks. Look at the service lockkeeper-agent on that machine.'") +
        expectation("LockkeeperSourceDown", "job: lockkeeper, instance: a, source: gone, severity: critical",
                    "summary: 'The agent can not observe source gone', description: 'Its locks are shown as "
                    "they were. lockkeeperctl status shows the cause.'") +
        expectation(
            "LockkeeperStuckLocks", "instance: a, source: orders, scheme: redis.token, severity: warning",
            "summary: '1 locks of redis.token in orders are stuck', description: 'lockkeeperctl locks "
            "--state stuck lists them with the evidence.'") +
        expectation("LockkeeperForwardBehind",
                    "job: lockkeeper, instance: b, forward: hub, severity: warning",
                    "summary: 'The hub hub lacks events that are 15m 0s old', description: 'The agent keeps "
                    "them up to keep_mib. Its log names the cause.'") +
        expectation("LockkeeperNoAgent", {}, {}) + expectation("LockkeeperDeadlock", {}, {}) +
        expectation("LockkeeperExpiredLocks", {}, {}) + expectation("LockkeeperJournalFailing", {}, {}));
    test.close();
    QProcess promtool;
    promtool.setProcessChannelMode(QProcess::MergedChannels);
    promtool.start(QStringLiteral("promtool"),
                   {QStringLiteral("test"), QStringLiteral("rules"), test.fileName()});
    QVERIFY(promtool.waitForFinished(60'000));
    const QByteArray output = promtool.readAll();
    QVERIFY2(promtool.exitCode() == 0, output.constData());
}

LOCKKEEPER_TEST(TestPrometheusRules)

} // namespace tst_prometheus_rules

#include "tst_prometheus_rules.moc"
