// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/liveness/address_policy.h"
#include "agent/liveness/probe_target.h"
#include "tests/support/test_program.h"

#include <QElapsedTimer>
#include <QTest>

namespace tst_probe_targets {

using namespace lockkeeper;
using agent::config::AddressRange;
using agent::config::LivenessRule;
using agent::liveness::mayProbe;
using agent::liveness::ProbeTarget;
using agent::liveness::TargetChoice;
using agent::liveness::TargetFinder;
using domain::HolderEvidence;
using domain::LivenessMethod;

namespace {

const domain::LockKey kKey{QStringLiteral("orders"), "redis.token", "db0", "lock:a"};

LivenessRule rule(LivenessMethod method, const QStringList &parts)
{
    LivenessRule rule;
    rule.name = QStringLiteral("rule");
    rule.holder = QStringLiteral("(?<pod>[^@]*)@(?<ip>[^@]*)(@(?<host>.*))?");
    rule.method = method;
    rule.parts = parts;
    return rule;
}

TargetChoice choose(const LivenessRule &rule, const QByteArray &holder)
{
    static std::optional<TargetFinder> finder; // the choice refers to its rule
    finder.emplace(QList<LivenessRule>{rule}, QStringList{QStringLiteral("node1")});
    return finder->choose(kKey, holder);
}

} // namespace

/** The targets of rules. Any client of the store can choose a holder's text. */
class TestProbeTargets : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void addresses_data();
    void addresses();
    void targets_data();
    void targets();
    void hostile_data();
    void hostile();
    void allowed();
    void firstFittingRuleDecides();
    void hostileExpressionsAreBounded();
};

void TestProbeTargets::addresses_data()
{
    QTest::addColumn<bool>("may");
    const auto row = [](const char *address, bool may) { QTest::newRow(address) << may; };
    row("10.0.0.7", true);
    row("192.168.1.1", true);
    row("8.8.8.8", true);
    row("2001:db8::7", true);
    row("fd12::7", true);
    row("127.0.0.1", false);
    row("127.8.9.1", false);
    row("0.0.0.0", false);
    row("0.1.2.3", false);
    row("169.254.169.254", false);
    row("169.254.0.1", false);
    row("100.100.100.200", false);
    row("168.63.129.16", false);
    row("224.0.0.1", false);
    row("240.0.0.1", false);
    row("255.255.255.255", false);
    row("::", false);
    row("::1", false);
    row("fe80::1", false);
    row("ff02::1", false);
    row("fd00:ec2::254", false);
    row("::ffff:127.0.0.1", false);
    row("::ffff:169.254.169.254", false);
    row("::ffff:10.0.0.7", true);
    row("64:ff9b::7f00:1", false);
    row("64:ff9b::a9fe:a9fe", false);
    row("64:ff9b::a00:7", true);
    row("2002:7f00:1::", false);
    row("fe80::1%eth0", false);
}

void TestProbeTargets::addresses()
{
    QFETCH(bool, may);
    const QHostAddress address(QString::fromLatin1(QTest::currentDataTag()));
    QVERIFY(!address.isNull());
    QCOMPARE(mayProbe(address, {}), may);
    const QList<AddressRange> all{{QHostAddress(QStringLiteral("0.0.0.0")), 0},
                                  {QHostAddress(QStringLiteral("::")), 0}};
    QVERIFY(mayProbe(address, all));
}

void TestProbeTargets::targets_data()
{
    QTest::addColumn<LivenessRule>("wanted");
    QTest::addColumn<QByteArray>("holder");
    QTest::addColumn<ProbeTarget>("target");
    const auto row = [](const char *name, LivenessMethod method, const QStringList &parts,
                        const QByteArray &holder, const std::function<void(ProbeTarget &)> &fill) {
        ProbeTarget target;
        target.method = method;
        target.timeoutUs = 2'000'000;
        fill(target);
        QTest::newRow(name) << rule(method, parts) << holder << target;
    };
    const auto address = [](const QByteArray &shown, const char *host, quint16 port, bool isHolders) {
        return [=](ProbeTarget &target) {
            target.shown = shown;
            target.host = QString::fromLatin1(host);
            target.port = port;
            target.isHolderAddress = isHolders;
        };
    };
    row("a port", LivenessMethod::Tcp, {QStringLiteral("{ip}:8080")}, "pod-1@10.0.0.7",
        address("10.0.0.7:8080", "10.0.0.7", 8080, true));
    row("an IPv6 address gets brackets", LivenessMethod::Tcp, {QStringLiteral("{ip}:8080")},
        "pod-1@2001:db8::7", address("[2001:db8::7]:8080", "2001:db8::7", 8080, true));
    row("a template with brackets", LivenessMethod::Tcp, {QStringLiteral("[{ip}]:8080")}, "pod-1@2001:db8::7",
        address("[2001:db8::7]:8080", "2001:db8::7", 8080, true));
    row("an address with its port", LivenessMethod::Tcp, {QStringLiteral("{ip}")}, "pod-1@10.0.0.7:80",
        address("10.0.0.7:80", "10.0.0.7", 80, true));
    row("a name proves nothing about the holder's host", LivenessMethod::Tcp,
        {QStringLiteral("{pod}.shop:80")}, "pod-1@x", address("pod-1.shop:80", "pod-1.shop", 80, false));
    row("nor does a fixed address", LivenessMethod::Tcp, {QStringLiteral("10.0.0.9:{ip}")}, "pod-1@80",
        address("10.0.0.9:80", "10.0.0.9", 80, false));
    row("http", LivenessMethod::Http, {QStringLiteral("http://{ip}:8080/health/{pod}")}, "pod-1@10.0.0.7",
        [](ProbeTarget &target) {
            target.shown = "http://10.0.0.7:8080/health/pod-1";
            target.url = QUrl(QString::fromLatin1(target.shown));
            target.host = QStringLiteral("10.0.0.7");
            target.port = 8080;
            target.isHolderAddress = true;
        });
    row("https without a port", LivenessMethod::Http, {QStringLiteral("https://{pod}.shop/")}, "pod-1@x",
        [](ProbeTarget &target) {
            target.shown = "https://pod-1.shop/";
            target.url = QUrl(QString::fromLatin1(target.shown));
            target.host = QStringLiteral("pod-1.shop");
            target.port = 443;
        });
    row("a command", LivenessMethod::Command,
        {QStringLiteral("/usr/lib/probe"), QStringLiteral("{pod}"), QStringLiteral("-x={ip}")},
        "pod-1@10.0.0.7", [](ProbeTarget &target) {
            target.shown = "/usr/lib/probe pod-1 -x=10.0.0.7";
            target.command = {QStringLiteral("/usr/lib/probe"), QStringLiteral("pod-1"),
                              QStringLiteral("-x=10.0.0.7")};
        });
    row("a pod", LivenessMethod::Kubernetes, {QStringLiteral("shop"), QStringLiteral("{pod}")},
        "orders-7f9@10.0.0.7", [](ProbeTarget &target) {
            target.shown = "shop/orders-7f9";
            target.nameSpace = QStringLiteral("shop");
            target.pod = QStringLiteral("orders-7f9");
        });
    row("a process of this host", LivenessMethod::Process, {QStringLiteral("{pod}")}, "4711@x@NODE1",
        [](ProbeTarget &target) {
            target.shown = "4711";
            target.pid = 4711;
        });
}

void TestProbeTargets::targets()
{
    QFETCH(LivenessRule, wanted);
    QFETCH(QByteArray, holder);
    QFETCH(ProbeTarget, target);
    const TargetChoice choice = choose(wanted, holder);
    QVERIFY(choice.target);
    QCOMPARE(choice.target->shown, target.shown);
    QCOMPARE(choice.target->host, target.host);
    QVERIFY(*choice.target == target);
}

void TestProbeTargets::hostile_data()
{
    QTest::addColumn<LivenessRule>("wanted");
    QTest::addColumn<QByteArray>("holder");
    QTest::addColumn<HolderEvidence>("why");
    const LivenessRule tcp = rule(LivenessMethod::Tcp, {QStringLiteral("{ip}:8080")});
    const LivenessRule whole = rule(LivenessMethod::Tcp, {QStringLiteral("{ip}")});
    const LivenessRule http = rule(LivenessMethod::Http, {QStringLiteral("http://{ip}:8080/{pod}")});
    const LivenessRule command =
        rule(LivenessMethod::Command, {QStringLiteral("/bin/probe"), QStringLiteral("{pod}")});
    const LivenessRule pod =
        rule(LivenessMethod::Kubernetes, {QStringLiteral("shop"), QStringLiteral("{pod}")});
    const LivenessRule process = rule(LivenessMethod::Process, {QStringLiteral("{pod}")});
    const auto row = [](const char *name, const LivenessRule &wanted, const QByteArray &holder,
                        HolderEvidence why) { QTest::newRow(name) << wanted << holder << why; };
    row("a command substitution", command, "$(x)@10.0.0.7", HolderEvidence::NoMatch);
    row("an option", command, "-o@10.0.0.7", HolderEvidence::NoMatch);
    row("a long option", command, "--help@10.0.0.7", HolderEvidence::NoMatch);
    row("a path", command, "../../bin/sh@10.0.0.7", HolderEvidence::NoMatch);
    row("a semicolon", command, "a;reboot@10.0.0.7", HolderEvidence::NoMatch);
    row("a line break at the end", command, "a@10.0.0.7\n", HolderEvidence::Other); // {ip} isn't used
    row("a line break in a group", tcp, "a@10.0.0.7\n", HolderEvidence::NoMatch);
    row("a space", command, "a b@10.0.0.7", HolderEvidence::NoMatch);
    row("NUL", tcp, QByteArray("a@10.0.0.7\0", 11), HolderEvidence::NoMatch);
    row("not UTF-8", tcp, "\xff@10.0.0.7", HolderEvidence::NoMatch);
    row("a digit of another script", tcp, "a@10.0.0.\xd9\xa7", HolderEvidence::NoMatch);
    row("an empty group", tcp, "a@", HolderEvidence::NoMatch);
    row("an empty holder", tcp, "", HolderEvidence::NoMatch);
    row("no match", tcp, "somebody", HolderEvidence::NoMatch);
    row("a huge holder", tcp, QByteArray(2'000, 'a') + "@10.0.0.7", HolderEvidence::NoMatch);
    row("dots", http, "..@10.0.0.7", HolderEvidence::NoMatch);
    row("metadata", tcp, "a@169.254.169.254", HolderEvidence::TargetRefused);
    row("metadata by HTTP", http, "a@169.254.169.254", HolderEvidence::TargetRefused);
    row("metadata in IPv6", tcp, "a@::ffff:169.254.169.254", HolderEvidence::TargetRefused);
    row("loopback", tcp, "a@127.0.0.1", HolderEvidence::TargetRefused);
    row("loopback in IPv6", tcp, "a@::1", HolderEvidence::TargetRefused);
    row("loopback as a number", http, "a@2130706433", HolderEvidence::TargetRefused);
    row("loopback in hexadecimal", http, "a@0x7f.1", HolderEvidence::TargetRefused);
    row("another port of its choice", tcp, "a@10.0.0.7:22", HolderEvidence::NoMatch);
    row("another port in a URL", http, "a@10.0.0.7:22", HolderEvidence::NoMatch);
    row("a port past the last", whole, "a@10.0.0.7:70000", HolderEvidence::NoMatch);
    row("port 0", whole, "a@10.0.0.7:0", HolderEvidence::NoMatch);
    row("no port", whole, "a@10.0.0.7", HolderEvidence::NoMatch);
    row("a command's metadata address", command, "169.254.169.254@x", HolderEvidence::TargetRefused);
    row("a command's loopback address", command, "::1@x", HolderEvidence::TargetRefused);
    row("a command's address and port", command, "127.0.0.1:80@x", HolderEvidence::TargetRefused);
    row("a pod of a path", pod, "a:b@x", HolderEvidence::NoMatch);
    row("a pod in capitals", pod, "Orders@x", HolderEvidence::NoMatch);
    row("a process of another host", process, "4711@x@node2", HolderEvidence::NoMatch);
    row("a process of no host", process, "4711@x", HolderEvidence::NoMatch);
    row("process 0", process, "0@x@node1", HolderEvidence::NoMatch);
    row("a huge process", process, "99999999999@x@node1", HolderEvidence::NoMatch);
    row("a process by name", process, "self@x@node1", HolderEvidence::NoMatch);
}

void TestProbeTargets::hostile()
{
    QFETCH(LivenessRule, wanted);
    QFETCH(QByteArray, holder);
    QFETCH(HolderEvidence, why);
    const TargetChoice choice = choose(wanted, holder);
    QCOMPARE(choice.why, why);
    QCOMPARE(choice.target.has_value(), why == HolderEvidence::Other);
}

void TestProbeTargets::allowed()
{
    LivenessRule local = rule(LivenessMethod::Tcp, {QStringLiteral("{ip}:8080")});
    local.allow = {{QHostAddress(QStringLiteral("127.0.0.0")), 8}};
    QVERIFY(choose(local, "a@127.0.0.1").target);
    QVERIFY(choose(local, "a@::ffff:127.0.0.1").target);
    QVERIFY(!choose(local, "a@169.254.169.254").target);
}

void TestProbeTargets::firstFittingRuleDecides()
{
    LivenessRule other = rule(LivenessMethod::Tcp, {QStringLiteral("{ip}:1")});
    other.match = "job:*";
    LivenessRule numbers = rule(LivenessMethod::Tcp, {QStringLiteral("{ip}:2")});
    numbers.holder = QStringLiteral("(?<ip>[0-9.]+)");
    const LivenessRule any = rule(LivenessMethod::Tcp, {QStringLiteral("{ip}:3")});
    const TargetFinder finder({other, numbers, any}, {});
    QVERIFY(finder.concerns(kKey));
    QCOMPARE(finder.choose(kKey, "10.0.0.7").target->port, 2);
    QCOMPARE(finder.choose(kKey, "a@10.0.0.7").target->port, 3);
    QCOMPARE(finder.choose(kKey, "a@10.0.0.7 ").why, HolderEvidence::NoMatch);
    const TargetFinder none({other}, {});
    QVERIFY(!none.concerns(kKey));
    QCOMPARE(none.choose(kKey, "10.0.0.7").why, HolderEvidence::NoRule);
}

void TestProbeTargets::hostileExpressionsAreBounded()
{
    LivenessRule slow = rule(LivenessMethod::Tcp, {QStringLiteral("{ip}:1")});
    slow.holder = QStringLiteral("(?<ip>(a+)+)b");
    QElapsedTimer timer;
    timer.start();
    QCOMPARE(choose(slow, QByteArray(1'000, 'a')).why, HolderEvidence::NoMatch);
    QVERIFY2(timer.elapsed() < 2'000, qPrintable(QString::number(timer.elapsed())));
}

LOCKKEEPER_TEST(TestProbeTargets)

} // namespace tst_probe_targets

#include "tst_probe_targets.moc"
