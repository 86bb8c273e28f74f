// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/config/alert_rules.h"
#include "agent/config/config.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>

namespace tst_alert_rules {

using namespace lockkeeper;
using agent::config::AlertRule;
using agent::config::Config;
using domain::AlertCondition;

namespace {

constexpr qint64 kSecond = 1'000'000;
const char kSource[] = "[[source]]\n"
                       "name = \"orders\"\n"
                       "url = \"redis://127.0.0.1:6379\"\n"
                       "[[source.locks]]\n"
                       "scheme = \"redis.token\"\n";

agent::config::Outcome parsed(const QByteArray &alerts)
{
    return agent::config::parse(kSource + alerts, QStringLiteral("/etc/lockkeeper/agent.toml"));
}

std::optional<AlertRule> ruleNamed(const Config &config, const QString &name)
{
    for (const AlertRule &rule : config.alerts.rules) {
        if (rule.name == name)
            return rule;
    }
    return std::nullopt;
}

} // namespace

/** The rules of alerts, as the configuration file gives them. */
class TestAlertRules : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void defaultsApply();
    void readsARule();
    void changesADefault();
    void disables();
    void expectsHeldLocks();
    void contradictions_data();
    void contradictions();
    void problems_data();
    void problems();
};

void TestAlertRules::defaultsApply()
{
    const auto config = parsed({});
    QVERIFY(config);
    QCOMPARE(config->alerts.rules, agent::config::defaultRules());
    QCOMPARE(config->alerts.settleUs, 10 * kSecond);
}

void TestAlertRules::readsARule()
{
    const auto config = parsed("[alerts]\n"
                               "settle = \"1m\"\n"
                               "[[alert]]\n"
                               "name = \"slow checkout\"\n"
                               "when = \"longest_wait\"\n"
                               "source = \"ord*\"\n"
                               "match = \"lock:checkout:*\"\n"
                               "for = \"10s\"\n"
                               "threshold = \"30s\"\n"
                               "clear = \"5s\"\n"
                               "clear_for = \"1m\"\n"
                               "severity = \"critical\"\n"
                               "quiet = \"22:00-06:00 Europe/Berlin\"\n");
    QVERIFY(config);
    QCOMPARE(config->alerts.settleUs, 60 * kSecond);
    QCOMPARE(config->alerts.rules.size(), agent::config::defaultRules().size() + 1);
    const auto rule = ruleNamed(*config, QStringLiteral("slow checkout"));
    QVERIFY(rule);
    QCOMPARE(rule->when, AlertCondition::LongestWait);
    QCOMPARE(rule->source, QStringLiteral("ord*"));
    QCOMPARE(rule->match, QByteArray("lock:checkout:*"));
    QCOMPARE(rule->forUs, 10 * kSecond);
    QCOMPARE(rule->threshold, 30 * kSecond);
    QCOMPARE(rule->clear, 5 * kSecond);
    QCOMPARE(rule->clearForUs, 60 * kSecond);
    QCOMPARE(rule->severity, domain::AlertSeverity::Critical);
    QVERIFY(rule->quiet);
    QCOMPARE(rule->quiet->zone, QByteArray("Europe/Berlin"));
}

void TestAlertRules::changesADefault()
{
    const auto config = parsed("[[alert]]\nname = \"longest_wait\"\nthreshold = \"5m\"\n"
                               "[[alert]]\nname = \"margin\"\nwhen = \"lease_margin\"\nthreshold = 0.1\n");
    QVERIFY(config);
    QCOMPARE(config->alerts.rules.size(), agent::config::defaultRules().size() + 1);
    const auto wait = ruleNamed(*config, QStringLiteral("longest_wait"));
    QVERIFY(wait);
    QCOMPARE(wait->when, AlertCondition::LongestWait);
    QCOMPARE(wait->threshold, 300 * kSecond);
    QCOMPARE(wait->clear, 300 * kSecond);
    const auto margin = ruleNamed(*config, QStringLiteral("margin"));
    QVERIFY(margin);
    QCOMPARE(margin->threshold, 100);
    QCOMPARE(margin->clear, 100);
}

void TestAlertRules::disables()
{
    const auto one = parsed("[[alert]]\nname = \"expired\"\nenabled = false\n");
    QVERIFY(one);
    QVERIFY(!ruleNamed(*one, QStringLiteral("expired")));
    QVERIFY(ruleNamed(*one, QStringLiteral("stuck")));
    const auto all = parsed("[alerts]\ndefaults = false\n");
    QVERIFY(all);
    QVERIFY(all->alerts.rules.isEmpty());
}

void TestAlertRules::expectsHeldLocks()
{
    const auto config =
        agent::config::parse(kSource + QByteArray("match = \"leader:*\"\nexpect = \"held\"\n"),
                             QStringLiteral("/etc/lockkeeper/agent.toml"));
    QVERIFY(config);
    QCOMPARE(config->alerts.expected.size(), 1);
    QVERIFY(config->alerts.expected[0].fits({QStringLiteral("orders"), "redis.token", "db0", "leader:a"}));
    QVERIFY(!config->alerts.expected[0].fits({QStringLiteral("orders"), "redis.token", "db0", "job"}));
    const auto absent = ruleNamed(*config, QStringLiteral("absent: orders leader:*"));
    QVERIFY(absent);
    QCOMPARE(absent->threshold, 60 * kSecond);
    QCOMPARE(absent->severity, domain::AlertSeverity::Critical);
    QVERIFY(ruleNamed(*config, QStringLiteral("holder_changes: orders leader:*")));
}

void TestAlertRules::contradictions_data()
{
    QTest::addColumn<QByteArray>("alerts");
    QTest::addColumn<QStringList>("expected");
    const QByteArray alone = "[alerts]\ndefaults = false\n";
    const QByteArray held = "expect = \"held\"\nmatch = \"leader\"\n";
    const QByteArray slow = "[[alert]]\nname = \"slow\"\nwhen = \"longest_wait\"\nthreshold = \"30s\"\n";
    const QByteArray slower = "[[alert]]\nname = \"slower\"\nwhen = \"longest_wait\"\nthreshold = \"5m\"\n";
    const QByteArray critical = "severity = \"critical\"\n";
    QTest::newRow("the defaults") << QByteArray() << QStringList();
    QTest::newRow("a level in two steps") << alone + slow + slower + critical << QStringList();
    QTest::newRow("the worse one first")
        << alone + slow + critical + slower
        << QStringList{QStringLiteral("alert \"slow\" fires before \"slower\", although it is more severe")};
    QTest::newRow("of other locks") << alone + slow + critical + slower + "match = \"a*\"\n" << QStringList();
    QTest::newRow("a duration of a lock that is held by design")
        << held + "[[alert]]\nname = \"long\"\nwhen = \"held_for\"\nthreshold = \"1h\"\n"
                  "source = \"orders\"\nmatch = \"leader\"\n"
        << QStringList{QStringLiteral("alert \"long\" never fires: its locks are held by design "
                                      "(expect = \"held\")")};
}

void TestAlertRules::contradictions()
{
    QFETCH(QByteArray, alerts);
    QFETCH(QStringList, expected);
    const auto config = parsed(alerts);
    QVERIFY(config);
    QCOMPARE(agent::config::contradictions(config->alerts), expected);
}

void TestAlertRules::problems_data()
{
    QTest::addColumn<QByteArray>("toml");
    QTest::addColumn<int>("line"); // after the source's five lines
    QTest::addColumn<QString>("text");

    const auto row = [](const char *name, const char *toml, int line, const char *text) {
        QTest::newRow(name) << QByteArray(toml) << line << QString::fromLatin1(text);
    };
    row("a misspelt condition", "[[alert]]\nname = \"a\"\nwhen = \"stcuk\"\n", 3, "Did you mean \"stuck\"?");
    row("no name", "[[alert]]\nwhen = \"stuck\"\n", 1, "1 to 64 visible characters");
    row("two of one name", "[[alert]]\nname = \"a\"\nwhen = \"stuck\"\n[[alert]]\nname = \"a\"\n", 5,
        "two [[alert]] entries");
    row("no threshold", "[[alert]]\nname = \"a\"\nwhen = \"waiters\"\n", 1, "has no \"threshold\"");
    row("a level that has none", "[[alert]]\nname = \"a\"\nwhen = \"stuck\"\nthreshold = 3\n", 4,
        "has no level");
    row("a clear beyond the threshold",
        "[[alert]]\nname = \"a\"\nwhen = \"waiters\"\nthreshold = 3\nclear = 4\n", 5, "beyond the threshold");
    row("a margin's clear on the wrong side",
        "[[alert]]\nname = \"a\"\nwhen = \"lease_margin\"\nthreshold = 0.2\nclear = 0.1\n", 5,
        "beyond the threshold");
    row("a misspelt key", "[[alert]]\nname = \"a\"\nwhen = \"stuck\"\nserverity = \"info\"\n", 4,
        "Did you mean \"severity\"?");
    row("a source that isn't there", "[[alert]]\nname = \"a\"\nwhen = \"stuck\"\nsource = \"order\"\n", 4,
        "Did you mean \"orders\"?");
    row("a receiver that isn't there", "[[alert]]\nname = \"a\"\nwhen = \"stuck\"\nnotify = [\"oncall\"]\n",
        4, "there is no receiver \"oncall\"");
    row("a lock of a source's condition", "[[alert]]\nname = \"a\"\nwhen = \"gap\"\nmatch = \"lock:*\"\n", 4,
        "isn't about a lock");
    row("quiet hours without a zone", "[[alert]]\nname = \"a\"\nwhen = \"stuck\"\nquiet = \"22:00-06:00\"\n",
        4, "isn't a daily time");
    row("a misspelt key of [alerts]", "[alerts]\nsetle = \"1m\"\n", 2, "Did you mean \"settle\"?");
}

void TestAlertRules::problems()
{
    QFETCH(QByteArray, toml);
    QFETCH(int, line);
    QFETCH(QString, text);
    const auto config = parsed(toml);
    QVERIFY(!config);
    QCOMPARE(config.error().size(), 1);
    const QString problem = config.error().constFirst().text();
    QVERIFY2(problem.contains(text), qPrintable(problem));
    QVERIFY2(problem.contains(QStringLiteral(":%1:").arg(line + 5)), qPrintable(problem));
}

LOCKKEEPER_TEST(TestAlertRules)

} // namespace tst_alert_rules

#include "tst_alert_rules.moc"
