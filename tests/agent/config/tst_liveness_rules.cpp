// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/config/config.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_liveness_rules {

using namespace lockkeeper;
using agent::config::LivenessRule;
using domain::LivenessMethod;

namespace {

const char kSource[] = "[[source]]\n"
                       "name = \"orders\"\n"
                       "url = \"redis://127.0.0.1:6379\"\n"
                       "[[source.locks]]\n"
                       "scheme = \"redis.token\"\n";

agent::config::Outcome parsed(const QByteArray &liveness)
{
    return agent::config::parse(kSource + liveness, QStringLiteral("/etc/lockkeeper/agent.toml"));
}

} // namespace

/** The rules of liveness probes, as the configuration file gives them. */
class TestLivenessRules : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readsEachMethod_data();
    void readsEachMethod();
    void readsFigures();
    void problems_data();
    void problems();
};

void TestLivenessRules::readsEachMethod_data()
{
    QTest::addColumn<QByteArray>("toml");
    QTest::addColumn<LivenessMethod>("method");
    QTest::addColumn<QStringList>("parts");

    const auto row = [](const char *toml, LivenessMethod method, const QStringList &parts) {
        QTest::newRow(domain::livenessMethodName(method).toByteArray().constData())
            << QByteArray(toml) << method << parts;
    };
    row("tcp = \"{ip}:8080\"", LivenessMethod::Tcp, {QStringLiteral("{ip}:8080")});
    row("http = \"http://{ip}:8080/healthz\"", LivenessMethod::Http,
        {QStringLiteral("http://{ip}:8080/healthz")});
    row("command = [\"/usr/lib/probe\", \"{host}\", \"-v\"]", LivenessMethod::Command,
        {QStringLiteral("/usr/lib/probe"), QStringLiteral("{host}"), QStringLiteral("-v")});
    row("kubernetes = { namespace = \"shop\", pod = \"{host}\" }", LivenessMethod::Kubernetes,
        {QStringLiteral("shop"), QStringLiteral("{host}")});
    row("process = \"{ip}\"", LivenessMethod::Process, {QStringLiteral("{ip}")});
}

void TestLivenessRules::readsEachMethod()
{
    QFETCH(QByteArray, toml);
    QFETCH(LivenessMethod, method);
    QFETCH(QStringList, parts);
    const auto config =
        parsed("[[liveness]]\nname = \"a\"\nholder = '(?<host>.+)@(?<ip>.+)'\n" + toml + "\n");
    QVERIFY2(config, config ? "" : qPrintable(config.error().constFirst().text()));
    QCOMPARE(config->liveness.size(), 1);
    QCOMPARE(config->liveness[0].method, method);
    QCOMPARE(config->liveness[0].parts, parts);
}

void TestLivenessRules::readsFigures()
{
    const auto config = parsed("[[liveness]]\nname = \"a\"\nsource = \"ord*\"\nmatch = \"lock:*\"\n"
                               "holder = '(?<ip>.+)'\ntcp = \"{ip}:1\"\ntimeout = \"3s\"\nevery = \"1m\"\n"
                               "budget = 7\nallow = [\"127.0.0.0/8\", \"::1\"]\n"
                               "[[liveness]]\nname = \"b\"\nholder = '(?<ip>.+)'\ntcp = \"{ip}:1\"\n");
    QVERIFY2(config, config ? "" : qPrintable(config.error().constFirst().text()));
    const LivenessRule &a = config->liveness[0];
    QVERIFY(a.fits({QStringLiteral("orders"), "redis.token", "db0", "lock:x"}));
    QVERIFY(!a.fits({QStringLiteral("orders"), "redis.token", "db0", "job:x"}));
    QVERIFY(!a.fits({QStringLiteral("stock"), "redis.token", "db0", "lock:x"}));
    QCOMPARE(a.timeoutUs, 3'000'000);
    QCOMPARE(a.everyUs, 60'000'000);
    QCOMPARE(a.budget, 7);
    QCOMPARE(a.allow.size(), 2);
    QCOMPARE(a.allow[0].prefix, 8);
    QCOMPARE(a.allow[1].prefix, 128);
    const LivenessRule &b = config->liveness[1];
    QCOMPARE(b.timeoutUs, 2'000'000);
    QCOMPARE(b.everyUs, 10'000'000);
    QCOMPARE(b.budget, 60);
    QVERIFY(b.allow.isEmpty());
}

void TestLivenessRules::problems_data()
{
    QTest::addColumn<QByteArray>("toml");
    QTest::addColumn<int>("line"); // of the entry: 1 is [[liveness]], 2 its name, 3 its holder
    QTest::addColumn<QString>("text");

    const auto row = [](const char *name, const char *toml, int line, const char *text) {
        QTest::newRow(name) << QByteArray(toml) << line << QString::fromLatin1(text);
    };
    row("a misspelt key", "tcp = \"{ip}:1\"\ntimout = \"1s\"\n", 5, "Did you mean \"timeout\"?");
    row("a misspelt probe", "tpc = \"{ip}:1\"\ntcp = \"{ip}:1\"\n", 4, "Did you mean \"tcp\"?");
    row("no probe", "", 1, "has no probe");
    row("two probes", "tcp = \"{ip}:1\"\nhttp = \"http://{ip}/\"\n", 5, "has several probes: tcp, http");
    row("an unknown group", "tcp = \"{pi}:1\"\n", 4, "Did you mean \"ip\"?");
    row("a lone brace", "tcp = \"{ip:1\"\n", 4, "a brace that isn't part of a {group}");
    row("no port", "tcp = \"10.0.0.1\"\n", 4, "has no port");
    row("no scheme", "http = \"{ip}/healthz\"\n", 4, "isn't an http:// or https:// address");
    row("a command by name", "command = [\"probe\"]\n", 4, "isn't an absolute path");
    row("a command of a group", "command = [\"/usr/{ip}\"]\n", 4, "isn't an absolute path");
    row("a command as text", "command = \"/bin/true\"\n", 4, "a list of texts");
    row("kubernetes without a pod", "kubernetes = { namespace = \"a\" }\n", 4, "\"pod\"");
    row("kubernetes with a misspelt key",
        "kubernetes = { namespace = \"a\", pod = \"{ip}\", kubconfig = \"/x\" }\n", 4,
        "Did you mean \"kubeconfig\"?");
    row("kubernetes as text", "kubernetes = \"{ip}\"\n", 4, "isn't a table");
    row("a process without a host", "process = \"{ip}\"\n", 3, "no group named \"host\"");
    row("too long a timeout", "tcp = \"{ip}:1\"\ntimeout = \"11s\"\n", 5, "from 100ms to 10s");
    row("no budget", "tcp = \"{ip}:1\"\nbudget = 0\n", 5, "a whole number from 1");
    row("not a range", "tcp = \"{ip}:1\"\nallow = [\"localhost\"]\n", 5, "isn't a range of addresses");
    row("a source that isn't there", "tcp = \"{ip}:1\"\nsource = \"order\"\n", 5, "Did you mean \"orders\"?");
    row("two of one name", "tcp = \"{ip}:1\"\n[[liveness]]\nname = \"a\"\n", 6, "two [[liveness]] entries");
}

void TestLivenessRules::problems()
{
    QFETCH(QByteArray, toml);
    QFETCH(int, line);
    QFETCH(QString, text);
    const auto config = parsed("[[liveness]]\nname = \"a\"\nholder = '(?<ip>.+)'\n" + toml);
    QVERIFY(!config);
    QCOMPARE(config.error().size(), 1);
    const QString problem = config.error().constFirst().text();
    QVERIFY2(problem.contains(text), qPrintable(problem));
    QVERIFY2(problem.contains(QStringLiteral(":%1:").arg(line + 5)), qPrintable(problem));
}

LOCKKEEPER_TEST(TestLivenessRules)

} // namespace tst_liveness_rules

#include "tst_liveness_rules.moc"
