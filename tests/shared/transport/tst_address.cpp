// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/transport/address.h"
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

void TestAddress::refused_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("code");
    QTest::newRow("tcp") << QStringLiteral("tcp://0.0.0.0:7420") << int(ErrorCode::Unsupported);
    QTest::newRow("tls") << QStringLiteral("tls://0.0.0.0:7420") << int(ErrorCode::Unsupported);
    QTest::newRow("empty") << QString() << int(ErrorCode::Usage);
    QTest::newRow("no path") << QStringLiteral("local:") << int(ErrorCode::Usage);
    QTest::newRow("bare path") << QStringLiteral("/run/a.sock") << int(ErrorCode::Usage);
    QTest::newRow("other scheme") << QStringLiteral("http://x") << int(ErrorCode::Usage);
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
