// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/liveness/redis_probe.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_redis_probe {

using namespace lockkeeper;
using namespace lockkeeper::agent::liveness;

class TestRedisProbe : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void findsTheHoldersConnection_data();
    void findsTheHoldersConnection();
    void saysWhatItCantAsk_data();
    void saysWhatItCantAsk();
};

void TestRedisProbe::findsTheHoldersConnection_data()
{
    QTest::addColumn<QString>("address");
    QTest::addColumn<int>("port");
    QTest::addColumn<bool>("isListed");
    const auto row = [](const char *name, const char *address, int port, bool isListed) {
        QTest::newRow(name) << QString::fromLatin1(address) << port << isListed;
    };
    row("any port", "10.0.0.7", 0, true);
    row("its port", "10.0.0.7", 51'234, true);
    row("another port", "10.0.0.7", 51'235, false);
    row("the server's own address", "10.0.0.1", 0, false);
    row("a beginning of an address", "10.0.0.70", 0, false);
    row("a name that looks like an address", "10.0.0.9", 0, false);
    row("IPv6", "fd00::7", 0, true);
    row("the last line", "10.0.0.8", 0, true);
}

void TestRedisProbe::findsTheHoldersConnection()
{
    QFETCH(QString, address);
    QFETCH(int, port);
    QFETCH(bool, isListed);
    const QByteArray clients = "id=3 addr=10.0.0.7:51234 laddr=10.0.0.1:6379 fd=8 name= age=5 cmd=get\n"
                               "id=4 addr=/run/redis.sock:0 laddr=/run/redis.sock:0 fd=9 name= cmd=ping\n"
                               "id=5 addr=[fd00::7]:40000 laddr=[fd00::1]:6379 fd=10 name=x cmd=get\n"
                               "id=6 addr=10.1.0.1:1 fd=11 name=addr=10.0.0.9:1 cmd=get\n"
                               "id=7 addr=10.0.0.8:2";
    QCOMPARE(listsClient(clients, QHostAddress(address), quint16(port)), isListed);
}

void TestRedisProbe::saysWhatItCantAsk_data()
{
    QTest::addColumn<QUrl>("url");
    QTest::addColumn<QString>("host");
    QTest::newRow("a cluster") << QUrl(QStringLiteral("redis+cluster://10.0.0.1:7000"))
                               << QStringLiteral("10.0.0.7");
    QTest::newRow("another store") << QUrl(QStringLiteral("mysql://10.0.0.1/app"))
                                   << QStringLiteral("10.0.0.7");
    QTest::newRow("a name") << QUrl(QStringLiteral("redis://127.0.0.1:1")) << QStringLiteral("pod-1");
}

void TestRedisProbe::saysWhatItCantAsk()
{
    QFETCH(QUrl, url);
    QFETCH(QString, host);
    ProbeTarget target;
    target.method = domain::LivenessMethod::Redis;
    target.host = host;
    target.timeoutUs = 10'000'000;
    target.source.url = url;
    std::optional<ProbeOutcome> outcome;
    const auto probe = makeProbe(target, std::nullopt, [&](const ProbeOutcome &one) { outcome = one; });
    probe->start();
    QTRY_VERIFY(outcome);
    QCOMPARE(outcome->verdict, domain::HolderVerdict::Unknown);
    QCOMPARE(outcome->evidence, domain::HolderEvidence::Failed);
    QCOMPARE(outcome->error.code, base::ErrorCode::Unsupported);
}

LOCKKEEPER_TEST(TestRedisProbe)

} // namespace tst_redis_probe

#include "tst_redis_probe.moc"
