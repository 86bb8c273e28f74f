// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/host_list.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_host_list {

using namespace lockkeeper::stores;

/** URLs with several hosts, which QUrl can't hold. */
class TestHostList : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readsHosts_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("hosts");
        QTest::addColumn<QString>("user");
        QTest::addColumn<QString>("path");
        QTest::newRow("one") << "redis://a:1/2"
                             << "a:1"
                             << ""
                             << "/2";
        QTest::newRow("one without a port") << "redis://a"
                                            << "a"
                                            << ""
                                            << "";
        QTest::newRow("list") << "redlock://a:1,b:2,c:3"
                              << "a:1 b:2 c:3"
                              << ""
                              << "";
        QTest::newRow("user and path") << "redlock://lk@a:1,b:2/3"
                                       << "a:1 b:2"
                                       << "lk"
                                       << "/3";
        QTest::newRow("no ports") << "redis+sentinel://a,b/mymaster"
                                  << "a b"
                                  << ""
                                  << "/mymaster";
        QTest::newRow("mixed ports") << "redis+cluster://a,b:2"
                                     << "a b:2"
                                     << ""
                                     << "";
        QTest::newRow("addresses") << "redlock://10.0.0.1:1,[::1]:2"
                                   << "10.0.0.1:1 [::1]:2"
                                   << ""
                                   << "";
        QTest::newRow("query") << "redlock://a:1,b:2/0?x=y"
                               << "a:1 b:2"
                               << ""
                               << "/0";
        QTest::newRow("unix") << "redis+unix:///tmp/s?db=1"
                              << ""
                              << ""
                              << "/tmp/s";
        QTest::newRow("comma in the path") << "sqlite:/a,b"
                                           << ""
                                           << ""
                                           << "/a,b";
        QTest::newRow("comma in the user") << "redis://a%2Cb@h:1"
                                           << "h:1"
                                           << "a,b"
                                           << "";
    }
    void readsHosts()
    {
        QFETCH(QString, text);
        const QUrl url = urlOf(text);
        QVERIFY(url.isValid());
        QStringList hosts;
        for (const Host &host : hostsOf(url))
            hosts.append(host.text());
        QTEST(hosts.join(QLatin1Char(' ')), "hosts");
        QTEST(url.userName(), "user");
        QTEST(url.path(), "path");
        QCOMPARE(textOf(url), text);
    }

    void refuses_data()
    {
        QTest::addColumn<QString>("text");
        for (const char *text : {"redlock://a:1,", "redlock://,a:1", "redlock://a:1,,b:2",
                                 "redlock://a:1,b:x", "redlock://a:1,b:99999", "redlock://a:1,b c:2"})
            QTest::newRow(text) << QString::fromLatin1(text);
    }
    void refuses()
    {
        QFETCH(QString, text);
        QVERIFY(!urlOf(text).isValid());
    }

    void leavesThePasswordOut()
    {
        const QUrl url = urlOf(QStringLiteral("redlock://lk:secret@a:1,b:2/0"));
        QCOMPARE(url.password(), QStringLiteral("secret"));
        QCOMPARE(textOf(url), QStringLiteral("redlock://lk@a:1,b:2/0"));
    }

    void givesEachServerItsUrl()
    {
        const QUrl url = urlOf(QStringLiteral("redlock://lk@a:1,[::1]:2/3?x=y"));
        const QList<Host> hosts = hostsOf(url);
        QCOMPARE(hosts.size(), 2);
        QCOMPARE(urlOfHost(url, QStringLiteral("redis"), hosts.at(0)).toString(),
                 QStringLiteral("redis://lk@a:1/3?x=y"));
        QCOMPARE(urlOfHost(url, QStringLiteral("redis"), hosts.at(1)).toString(),
                 QStringLiteral("redis://lk@[::1]:2/3?x=y"));
    }
};

LOCKKEEPER_TEST(TestHostList)

} // namespace tst_host_list

#include "tst_host_list.moc"
