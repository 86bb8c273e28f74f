// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/transport/address.h"
#include "shared/transport/ssh_errors.h"
#include "shared/transport/ssh_stream.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_address {

using namespace lockkeeper;
using base::ErrorCode;

class TestAddress : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void accepted_data();
    void accepted();
    void overSsh_data();
    void overSsh();
    void overTls_data();
    void overTls();
    void sshArguments();
    void sshLossSaysWhatWasSaid();
    void refused_data();
    void refused();
};

void TestAddress::accepted_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("path");
    QTest::newRow("absolute") << QStringLiteral("local:/run/lk/a.sock") << QStringLiteral("/run/lk/a.sock");
    QTest::newRow("relative") << QStringLiteral("local:a.sock") << QStringLiteral("/var/lib/lk/a.sock");
    QTest::newRow("dots") << QStringLiteral("local:../x/./a.sock") << QStringLiteral("/var/lib/x/a.sock");
    QTest::newRow("colon inside") << QStringLiteral("local:a:b") << QStringLiteral("/var/lib/lk/a:b");
    const QString longest = QLatin1Char('/') + QString(106, QLatin1Char('a'));
    QTest::newRow("107 bytes") << QStringLiteral("local:") + longest << longest;
}

void TestAddress::accepted()
{
    QFETCH(QString, text);
    QFETCH(QString, path);
    const auto address = transport::parseAddress(text, QStringLiteral("/var/lib/lk"));
    QVERIFY2(address, address ? "" : qPrintable(address.error().line()));
    QCOMPARE(address->path, path);
}

void TestAddress::overSsh_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("user");
    QTest::addColumn<QString>("host");
    QTest::addColumn<int>("port");
    QTest::addColumn<QString>("path");
    QTest::newRow("host") << "ssh://db1"
                          << ""
                          << "db1" << 0 << "";
    QTest::newRow("alias as ssh has it") << "ssh://Prod_DB.1"
                                         << ""
                                         << "Prod_DB.1" << 0 << "";
    QTest::newRow("user and port") << "ssh://ops@db1.example.org:2222"
                                   << "ops"
                                   << "db1.example.org" << 2222 << "";
    QTest::newRow("socket") << "ssh://db1/run/lock keeper/a.sock"
                            << ""
                            << "db1" << 0 << "/run/lock keeper/a.sock";
    QTest::newRow("IPv6") << "ssh://[fe80::1%eth0]:22/a.sock"
                          << ""
                          << "fe80::1%eth0" << 22 << "/a.sock";
    QTest::newRow("a slash only") << "ssh://db1/"
                                  << ""
                                  << "db1" << 0 << "";
}

void TestAddress::overSsh()
{
    QFETCH(QString, text);
    const auto address = transport::parseAddress(text, QStringLiteral("/"));
    QVERIFY2(address, address ? "" : qPrintable(address.error().line()));
    QVERIFY(!address->isLocal());
    QTEST(address->user, "user");
    QTEST(address->host, "host");
    QTEST(address->port, "port");
    QTEST(address->path, "path");
    QCOMPARE(transport::parseAddress(address->text(), QStringLiteral("/")), address);
}

void TestAddress::overTls_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("host");
    QTest::addColumn<int>("port");
    QTest::newRow("host") << "tls://db1.example.org"
                          << "db1.example.org" << 7420;
    QTest::newRow("port") << "tls://db1:7421"
                          << "db1" << 7421;
    QTest::newRow("a slash") << "tls://10.0.0.7/"
                             << "10.0.0.7" << 7420;
    QTest::newRow("IPv6") << "tls://[::1]"
                          << "::1" << 7420;
    QTest::newRow("IPv6 and port") << "tls://[fe80::1%eth0]:99"
                                   << "fe80::1%eth0" << 99;
}

void TestAddress::overTls()
{
    QFETCH(QString, text);
    const auto address = transport::parseAddress(text, QStringLiteral("/"));
    QVERIFY2(address, address ? "" : qPrintable(address.error().line()));
    QVERIFY(address->isTls);
    QVERIFY(!address->isLocal());
    QTEST(address->host, "host");
    QTEST(address->port, "port");
    QCOMPARE(transport::parseAddress(address->text(), QStringLiteral("/")), address);
}

void TestAddress::sshArguments()
{
    const auto plain = transport::parseAddress(QStringLiteral("ssh://db1"), QStringLiteral("/"));
    QCOMPARE(transport::SshStream::argumentsFor(*plain).last(), QStringLiteral("exec lockkeeperctl bridge"));
    const auto full = transport::parseAddress(QStringLiteral("ssh://ops@db1:2222/run/o'clock/$(reboot).sock"),
                                              QStringLiteral("/"));
    const QStringList arguments = transport::SshStream::argumentsFor(*full);
    QCOMPARE(arguments.mid(arguments.size() - 7),
             QStringList({QStringLiteral("-p"), QStringLiteral("2222"), QStringLiteral("-l"),
                          QStringLiteral("ops"), QStringLiteral("--"), QStringLiteral("db1"),
                          QStringLiteral(
                              "exec lockkeeperctl --agent 'local:/run/o'\\''clock/$(reboot).sock' bridge")}));
}

void TestAddress::sshLossSaysWhatWasSaid()
{
    const transport::Address address{{}, QStringLiteral("db1"), QStringLiteral("ops")};
    const base::Error error = transport::sshLoss(address, "noise\r\nTimeout, server db1 not responding.\r\n");
    QCOMPARE(int(error.code), int(ErrorCode::ConnectionLost));
    QCOMPARE(
        error.cause,
        QStringLiteral("the connection over ssh to 'ops@db1' ended: Timeout, server db1 not responding"));
    QCOMPARE(transport::sshLoss(address, {}).cause,
             QStringLiteral("the connection over ssh to 'ops@db1' ended"));
}

void TestAddress::refused_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("code");
    QTest::newRow("tcp") << QStringLiteral("tcp://0.0.0.0:7420") << int(ErrorCode::Unsupported);
    QTest::newRow("tls: no host") << QStringLiteral("tls://") << int(ErrorCode::Usage);
    QTest::newRow("tls: no host but a port") << QStringLiteral("tls://:7420") << int(ErrorCode::Usage);
    QTest::newRow("tls: a path") << QStringLiteral("tls://db1/a.sock") << int(ErrorCode::Usage);
    QTest::newRow("tls: password") << QStringLiteral("tls://ann:secret@db1") << int(ErrorCode::Usage);
    QTest::newRow("tls: port too large") << QStringLiteral("tls://db1:65536") << int(ErrorCode::Usage);
    QTest::newRow("tls: IPv6 without brackets") << QStringLiteral("tls://fe80::1") << int(ErrorCode::Usage);
    QTest::newRow("empty") << QString() << int(ErrorCode::Usage);
    QTest::newRow("no path") << QStringLiteral("local:") << int(ErrorCode::Usage);
    QTest::newRow("bare path") << QStringLiteral("/run/a.sock") << int(ErrorCode::Usage);
    QTest::newRow("other scheme") << QStringLiteral("http://x") << int(ErrorCode::Usage);
    QTest::newRow("ssh: no host") << QStringLiteral("ssh://") << int(ErrorCode::Usage);
    QTest::newRow("ssh: no host but a socket") << QStringLiteral("ssh:///a.sock") << int(ErrorCode::Usage);
    QTest::newRow("ssh: an option as host")
        << QStringLiteral("ssh://-oProxyCommand=x") << int(ErrorCode::Usage);
    QTest::newRow("ssh: an option as user") << QStringLiteral("ssh://-x@db1") << int(ErrorCode::Usage);
    QTest::newRow("ssh: a shell's word") << QStringLiteral("ssh://db1;reboot") << int(ErrorCode::Usage);
    QTest::newRow("ssh: password") << QStringLiteral("ssh://ops:secret@db1") << int(ErrorCode::Usage);
    QTest::newRow("ssh: port 0") << QStringLiteral("ssh://db1:0") << int(ErrorCode::Usage);
    QTest::newRow("ssh: port too large") << QStringLiteral("ssh://db1:65536") << int(ErrorCode::Usage);
    QTest::newRow("ssh: no port") << QStringLiteral("ssh://db1:") << int(ErrorCode::Usage);
    QTest::newRow("ssh: IPv6 without brackets") << QStringLiteral("ssh://fe80::1") << int(ErrorCode::Usage);
    QTest::newRow("ssh: open bracket") << QStringLiteral("ssh://[fe80::1") << int(ErrorCode::Usage);
    QTest::newRow("ssh: line break") << QStringLiteral("ssh://db1/a\nb") << int(ErrorCode::Usage);
    QTest::newRow("NUL") << QStringLiteral("local:a") + QChar(u'\0') << int(ErrorCode::Usage);
    QTest::newRow("108 bytes") << QStringLiteral("local:/") + QString(107, QLatin1Char('a'))
                               << int(ErrorCode::TooLarge);
    QTest::newRow("108 bytes of UTF-8")
        << QStringLiteral("local:/") + QString(54, QChar(u'é')) << int(ErrorCode::TooLarge);
}

void TestAddress::refused()
{
    QFETCH(QString, text);
    QFETCH(int, code);
    const auto address = transport::parseAddress(text, QStringLiteral("/"));
    QVERIFY(!address);
    QCOMPARE(int(address.error().code), code);
    QVERIFY(!address.error().cause.isEmpty());
    QVERIFY2(!address.error().remedy.isEmpty(), "a remedy is named");
}

LOCKKEEPER_TEST(TestAddress)

} // namespace tst_address

#include "tst_address.moc"
