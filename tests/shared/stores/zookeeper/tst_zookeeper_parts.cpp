// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/factory.h"
#include "shared/stores/zookeeper/connection/ensemble.h"
#include "shared/stores/zookeeper/connection/four_letters.h"
#include "shared/stores/zookeeper/reading/sessions.h"
#include "shared/stores/zookeeper/reading/walk.h"
#include "shared/stores/zookeeper/release/guarded_delete.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_zookeeper_parts {

using namespace lockkeeper;
using namespace lockkeeper::stores;
using namespace lockkeeper::stores::zookeeper;

/** Rules that need no server. */
class TestZookeeperParts : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void urls_data();
    void urls();
    void tlsIsRefused();
    void grants_data();
    void grants();
    void transactionsOfServers();
    void names_data();
    void names();
    void rootsOfPatterns_data();
    void rootsOfPatterns();
    void whoHolds_data();
    void whoHolds();
    void clientsOfServers();
    void guardsOfOthers_data();
    void guardsOfOthers();
};

void TestZookeeperParts::grants_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QList<ZnodeGrant>>("expected"); // empty: refused
    QTest::newRow("anybody reads") << QStringLiteral("world:anyone:r")
                                   << QList<ZnodeGrant>{{"world", "anyone", 1}};
    QTest::newRow("a login, and all rights")
        << QStringLiteral("digest:lk:aGFzaA==:rd,ip:10.0.0.1:cdrwa")
        << QList<ZnodeGrant>{{"digest", "lk:aGFzaA==", 9}, {"ip", "10.0.0.1", 31}};
    for (const char *wrong :
         {"", "world", "world:anyone", "world:anyone:", "world::r", "world:anyone:x", "world:anyone:r,"})
        QTest::newRow(*wrong == 0 ? "nothing" : wrong) << QString::fromLatin1(wrong) << QList<ZnodeGrant>();
}

void TestZookeeperParts::grants()
{
    QFETCH(QString, text);
    QFETCH(QList<ZnodeGrant>, expected);
    QCOMPARE(grantsOf(text).value_or(QList<ZnodeGrant>()), expected);
    SourceSpec spec;
    spec.url = urlOf(QStringLiteral("zookeeper://lk@zk?acl=") + text);
    QCOMPARE(ensembleOf(spec).has_value(), !expected.isEmpty());
    spec.url = urlOf(QStringLiteral("zookeeper://zk?acl=") + text); // nobody is logged in
    QVERIFY(!ensembleOf(spec));
}

void TestZookeeperParts::transactionsOfServers()
{
    QCOMPARE(transactionOf("Zookeeper version: 3.8\nReceived: 1\nZxid: 0x10000001b\nMode: leader\n"),
             std::optional<quint64>(0x10000001b));
    QCOMPARE(transactionOf("Zookeeper version: 3.8\n"), std::nullopt);
}

void TestZookeeperParts::urls_data()
{
    QTest::addColumn<QString>("url");
    QTest::addColumn<QString>("servers");
    QTest::addColumn<QByteArray>("chroot");
    QTest::addColumn<QByteArray>("login");
    QTest::newRow("one") << "zookeeper://zk"
                         << "zk:2181" << QByteArray() << QByteArray();
    QTest::newRow("three") << "zookeeper://a:1,b,c:3/app/x/"
                           << "a:1,b:2181,c:3" << QByteArray("/app/x") << QByteArray();
    QTest::newRow("digest") << "zookeeper://lk@[::1]:5/"
                            << "[::1]:5" << QByteArray() << QByteArray("lk:pw");
    QTest::newRow("other") << "etcd://a"
                           << "" << QByteArray() << QByteArray();
    QTest::newRow("empty name") << "zookeeper://a//b"
                                << "" << QByteArray() << QByteArray();
}

void TestZookeeperParts::urls()
{
    QFETCH(QString, url);
    SourceSpec spec;
    spec.url = urlOf(url);
    spec.password = "pw";
    const auto ensemble = ensembleOf(spec);
    QStringList servers;
    for (const Host &host : ensemble ? ensemble->servers : QList<Host>())
        servers.append(host.text());
    QTEST(servers.join(QLatin1Char(',')), "servers");
    QTEST(ensemble ? ensemble->chroot : QByteArray(), "chroot");
    QTEST(ensemble ? ensemble->login : QByteArray(), "login");
}

void TestZookeeperParts::tlsIsRefused()
{
    SourceSpec spec;
    spec.url = QUrl(QStringLiteral("zookeeper://a"));
    spec.tls.insert(QStringLiteral("ca"), QStringLiteral("ca.pem"));
    LockSet set;
    set.scheme = "zookeeper.sequence";
    spec.locks = {set};
    const auto keys = makeStore(spec);
    QCOMPARE(keys.error().code, base::ErrorCode::Unsupported);
    QVERIFY(keys.error().cause.contains(QLatin1String("built without")));
    spec.tls.clear();
    QVERIFY(makeStore(spec));
    spec.url.setScheme(QStringLiteral("zookeepers"));
    QCOMPARE(makeStore(spec).error().code, base::ErrorCode::Unsupported);
}

void TestZookeeperParts::names_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<qint64>("sequence"); // −1: no place
    QTest::addColumn<int>("wish");
    QTest::addColumn<QByteArray>("client"); // whose recipe it is
    QTest::addColumn<bool>("numbered");
    const auto row = [](const char *name, qint64 sequence, const char *client,
                        HoldKind wish = HoldKind::Exclusive, bool numbered = true) {
        QTest::newRow(name) << QByteArray(name) << sequence << int(wish) << QByteArray(client) << numbered;
    };
    row("d5c3f7d1a05e4a56b2ef8f4d3e1a9c77__lock__0000000004", 4, "kazoo");
    row("d5c3f7d1a05e4a56b2ef8f4d3e1a9c77__rlock__0000000005", 5, "kazoo", HoldKind::Shared);
    row("d5c3f7d1a05e4a56b2ef8f4d3e1a9c77", 0, "", HoldKind::Permit, false);
    row("d5c3f7d1a05e4a56b2ef8f1234567890", 0, "", HoldKind::Permit, false);
    row("_c_0a1b-lock-0000000010", 10, "Curator");
    row("_c_0a1b-latch-0000000010", 10, "Curator");
    row("lock-0000000010", 10, "Curator");
    row("block-0000000010", 10, "");
    row("_c_0a1b-__READ__0000000011", 11, "Curator", HoldKind::Shared);
    row("_c_0a1b-__WRIT__0000000012", 12, "Curator");
    row("_c_0a1b-lease-0000000013", 13, "Curator", HoldKind::Permit);
    row("x-72057594037927936-2147483647", 2'147'483'647, "ZooKeeper");
    row("x-0000000001", 1, "");
    row("LOCK-SHARED-0000000001", 1, "Hive", HoldKind::Shared);
    row("LOCK-EXCLUSIVE-0000000001", 1, "Hive");
    row("read-0000000001", 1, "ZooKeeper", HoldKind::Shared);
    row("guid-read-0000000001", 1, "ZooKeeper", HoldKind::Shared);
    row("thread-0000000001", 1, "");
    row("0000000007", 7, "");
    row("lock-000000001", -1, "");
    row("lock-00000000x1", -1, "");
    row("config", -1, "");
    row("", -1, "");
}

void TestZookeeperParts::names()
{
    QFETCH(QByteArray, name);
    QFETCH(int, wish);
    QFETCH(bool, numbered);
    const auto place = placeOf(name);
    QTEST(place ? place->sequence : -1, "sequence");
    QCOMPARE(place ? int(place->wish) : 0, wish);
    QCOMPARE(place ? place->numbered : true, numbered);
    QTEST(recipeOf(name).toByteArray(), "client");
}

void TestZookeeperParts::rootsOfPatterns_data()
{
    QTest::addColumn<QByteArray>("match");
    QTest::addColumn<QByteArray>("root");
    QTest::newRow("all") << QByteArray("*") << QByteArray("/");
    QTest::newRow("top") << QByteArray("/*") << QByteArray("/");
    QTest::newRow("below") << QByteArray("/locks/*") << QByteArray("/locks");
    QTest::newRow("part of a name") << QByteArray("/locks/a[bc]/x") << QByteArray("/locks");
    QTest::newRow("one") << QByteArray("/locks/a") << QByteArray("/locks/a");
}

void TestZookeeperParts::rootsOfPatterns()
{
    QFETCH(QByteArray, match);
    QTEST(rootOf(match), "root");
}

void TestZookeeperParts::whoHolds_data()
{
    QTest::addColumn<QList<QByteArray>>("names");
    QTest::addColumn<qsizetype>("holders");
    QTest::newRow("nobody") << QList<QByteArray>() << qsizetype(0);
    QTest::newRow("a lock") << QList<QByteArray>{"l-0000000001", "l-0000000002"} << qsizetype(1);
    QTest::newRow("readers, a writer, a reader")
        << QList<QByteArray>{"r__rlock__0000000001", "r__rlock__0000000002", "w__lock__0000000003",
                             "r__rlock__0000000004"}
        << qsizetype(2);
    QTest::newRow("a writer, a reader")
        << QList<QByteArray>{"w__lock__0000000003", "r__rlock__0000000004"} << qsizetype(1);
    QTest::newRow("permits") << QList<QByteArray>{"_c_1-lease-0000000003", "_c_2-lease-0000000009"}
                             << qsizetype(2);
}

void TestZookeeperParts::whoHolds()
{
    QFETCH(QList<QByteArray>, names);
    QList<Contender> queue;
    for (const QByteArray &name : names) {
        Contender contender;
        contender.name = name;
        contender.place = *placeOf(name);
        queue.append(contender);
    }
    QTEST(holdersOf(queue), "holders");
}

void TestZookeeperParts::clientsOfServers()
{
    const auto clients = clientsOf(
        " /"
        "10.0.0.7:46234[1](queued=0,recved=5,sent=5,sid=0x100012ab34cd0001,lop=PING,est=17,to=10000,lcxid="
        "0x0)\n"
        " /[0:0:0:0:0:0:0:1]:5[1](queued=0,recved=1,sent=1,sid=0xf00012ab34cd0002,lop=NA,est=1,to=2000)\n"
        " /127.0.0.1:47270[0](queued=0,recved=1,sent=0)\n\n");
    QCOMPARE(clients.size(), 2);
    QCOMPARE(clients.value(0x100012ab34cd0001), (ReportedSession{"10.0.0.7:46234", 10'000}));
    QCOMPARE(clients.value(qint64(0xf00012ab34cd0002ULL)), (ReportedSession{"[0:0:0:0:0:0:0:1]:5", 2'000}));
    QCOMPARE(sessionText(qint64(0xf00012ab34cd0002ULL)), QByteArray("0xf00012ab34cd0002"));
}

void TestZookeeperParts::guardsOfOthers_data()
{
    QTest::addColumn<QByteArray>("identity");
    QTest::addColumn<QByteArray>("version");
    QTest::addColumn<bool>("taken");
    const auto row = [](const char *name, const char *identity, const char *version, bool taken = false) {
        QTest::newRow(name) << QByteArray(identity) << QByteArray(version) << taken;
    };
    row("whole", "17/0x2a/locks/a/l-0000000003", "0", true);
    row("of another lock", "17/0x2a/locks/b/l-0000000003", "0");
    row("below the lock's child", "17/0x2a/locks/a/b/l-0000000003", "0");
    row("the lock itself", "17/0x2a/locks/a", "0");
    row("a name without a number", "17/0x2a/locks/a/holder", "0");
    row("a name that comes again", "17/0x2a/locks/a/d5c3f7d1a05e4a56b2ef8f4d3e1a9c77", "0");
    row("any version", "17/0x2a/locks/a/l-0000000003", "-1");
    row("no version", "17/0x2a/locks/a/l-0000000003", "");
    row("no transaction", "0/0x2a/locks/a/l-0000000003", "0");
    row("no session", "17//locks/a/l-0000000003", "0");
    row("nothing", "", "0");
}

void TestZookeeperParts::guardsOfOthers()
{
    QFETCH(QByteArray, identity);
    QFETCH(QByteArray, version);
    domain::Guard guard;
    guard.key.name = "/locks/a";
    guard.identity = identity;
    guard.freshness = version;
    QTEST(GuardedDelete::of(guard).has_value(), "taken");
}

LOCKKEEPER_TEST(TestZookeeperParts)

} // namespace tst_zookeeper_parts

#include "tst_zookeeper_parts.moc"
