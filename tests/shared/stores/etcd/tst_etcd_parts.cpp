// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/etcd/connection/endpoints.h"
#include "shared/stores/etcd/connection/gateway.h"
#include "shared/stores/etcd/reading/lease_book.h"
#include "shared/stores/etcd/reading/queues.h"
#include "shared/stores/etcd/watch/etcd_watcher.h"
#include "shared/stores/host_list.h"
#include "tests/support/test_program.h"

#include <QDirIterator>
#include <QJsonArray>
#include <QJsonDocument>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTest>

namespace tst_etcd_parts {

using namespace lockkeeper;
using namespace lockkeeper::stores;
using namespace lockkeeper::stores::etcd;

class TestEtcdParts : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void urls_data();
    void urls();
    void endsOfPrefixes();
    void keysOfARange_data();
    void keysOfARange();
    void queues_data();
    void queues();
    void whoSaysTheSameIsToldApart();
    void aLeaseIsAskedForWhenItMatters();
    void refusals_data();
    void refusals();
    void aWriteIsNeverSentTwice();
    void nothingIsToldAfterTheEnd();
    void aLeaseThatCouldNotBeReadIsAskedForAgain();
    void noReleaseRevokesALease();
};

void TestEtcdParts::urls_data()
{
    QTest::addColumn<QString>("url");
    QTest::addColumn<QString>("members"); // empty: refused
    QTest::newRow("one") << "etcd://h"
                         << "http://h:2379";
    QTest::newRow("several") << "etcd://u@a:1,b"
                             << "http://a:1 http://b:2379";
    QTest::newRow("IPv6") << "etcd://[::1]:9/"
                          << "http://[::1]:9";
    QTest::newRow("TLS") << "etcds://h"
                         << "https://h:2379";
    QTest::newRow("a path") << "etcd://h/locks"
                            << "";
    QTest::newRow("another kind") << "redis://h"
                                  << "";
}

void TestEtcdParts::urls()
{
    QFETCH(QString, url);
    QFETCH(QString, members);
    SourceSpec spec;
    spec.url = urlOf(url);
    const auto endpoints = endpointsOf(spec);
    QCOMPARE(endpoints.has_value(), !members.isEmpty());
    QStringList found;
    if (endpoints) {
        for (const QUrl &member : endpoints->members)
            found.append(member.toString());
    }
    QCOMPARE(found.join(QLatin1Char(' ')), members);
}

void TestEtcdParts::keysOfARange_data()
{
    QTest::addColumn<QByteArray>("answer");
    QTest::addColumn<int>("taken"); // without a tree made of them
    const QByteArray key = R"({"key":"YQ==","create_revision":"3","mod_revision":"9007199254740993",)"
                           R"("version":"2","value":"eyJdfQ==","lease":"-7587875"})";
    const QByteArray shown =
        key + R"(,{"key":"Yi8w","create_revision":"4","mod_revision":"4","version":"1"})";
    const QByteArray head = R"({"header":{"cluster_id":"14841639068965178418","revision":"5"},)";
    const QByteArray rest = R"(,"more":true,"count":"7"})";
    QTest::newRow("as etcd writes it") << head + R"("kvs":[)" + shown + ']' + rest << 2;
    QTest::newRow("one key, no more") << head + R"("kvs":[)" + key + "]}" << 1;
    QTest::newRow("no key") << head + R"("count":"7"})" << 0;
    QTest::newRow("an empty list") << head + R"("kvs":[])" + rest << 0;
    QTest::newRow("a space") << head + R"("kvs":[ )" + shown + ']' + rest << 0;
    QTest::newRow("a space in a key") << head + R"("kvs":[{"key": "YQ=="}])" + rest << 0;
    QTest::newRow("a number") << head + R"("kvs":[{"key":"YQ==","create_revision":3}])" + rest << 0;
    QTest::newRow("an escape") << head + R"("kvs":[{"key":"Yi\u002fw"}])" + rest << 0;
    QTest::newRow("an escaped quote") << head + R"("kvs":[{"key":"Yi\""}])" + rest << 0;
    QTest::newRow("an empty key") << head + R"("kvs":[{}])" + rest << 0;
    QTest::newRow("a list in it") << head + R"("kvs":[{"key":["YQ=="]}])" + rest << 0;
}

/** Keys read from the text equal the keys of the parsed tree, and so does the rest. */
void TestEtcdParts::keysOfARange()
{
    QFETCH(QByteArray, answer);
    QFETCH(int, taken);
    QJsonObject whole = QJsonDocument::fromJson(answer).object();
    QByteArray left = answer;
    const QList<KeyValue> keys = takeKeys(left);
    QCOMPARE(keys.size(), taken);
    if (taken > 0) {
        QCOMPARE(keys, keysOf(whole));
        whole.insert(QStringLiteral("kvs"), QJsonArray());
    }
    QCOMPARE(QJsonDocument::fromJson(left).object(), whole);
    for (qsizetype size = 0; size < answer.indexOf(']'); ++size) {
        QByteArray cut = answer.first(size);
        QVERIFY(takeKeys(cut).isEmpty());
        QCOMPARE(cut.size(), size);
    }
}

void TestEtcdParts::endsOfPrefixes()
{
    QCOMPARE(endOf("lock/"), QByteArray("lock0"));
    QCOMPARE(endOf("a\xff"), QByteArray("b"));
    QCOMPARE(endOf("\xff\xff"), QByteArray(1, '\0'));
    QCOMPARE(endOf(""), QByteArray(1, '\0'));
}

void TestEtcdParts::queues_data()
{
    // "key create lease", and what comes out: "name: owner waiters…"
    QTest::addColumn<QByteArray>("keys");
    QTest::addColumn<QByteArray>("shown");
    QTest::newRow("nothing") << QByteArray() << QByteArray();
    QTest::newRow("the order of creation")
        << QByteArray("l/2 7 2;l/a 3 10;l/1 5 1") << QByteArray("l: a 1 2");
    QTest::newRow("a plain key under a lease") << QByteArray("job 3 10") << QByteArray("job: a -");
    QTest::newRow("no lease, no lock") << QByteArray("job 3 0") << QByteArray();
    QTest::newRow("a key without a lease stands in the way")
        << QByteArray("l/x 2 0;l/a 3 10") << QByteArray("l: x a");
    QTest::newRow("another's key does too") << QByteArray("l/x 2 7;l/a 3 10") << QByteArray("l: 7 a");
    QTest::newRow("a queue within a queue")
        << QByteArray("l/m/b 2 11;l/a 3 10") << QByteArray("l/m: b;l: b a");
    QTest::newRow("leading zeros") << QByteArray("l/000000000000000a 2 10") << QByteArray("l: a");
    QTest::newRow("a lease above 2^63")
        << QByteArray("l/ffffffffffffffff 2 -1") << QByteArray("l: ffffffffffffffff");
}

void TestEtcdParts::queues()
{
    QFETCH(QByteArray, keys);
    QFETCH(QByteArray, shown);
    QList<KeyValue> all;
    for (const QByteArray &text : keys.split(';')) {
        const QList<QByteArray> parts = text.split(' ');
        if (parts.size() == 3)
            all.append({parts.at(0), {}, parts.at(1).toLongLong(), 99, parts.at(2).toLongLong()});
    }
    QList<QByteArray> found;
    for (const Queue &queue : queuesOf(all)) {
        const Observation lock = observationOf(queue, 0);
        QByteArray line = lock.name + ": " + lock.owner;
        for (const domain::Waiter &waiter : lock.waiters)
            line += ' ' + waiter.id;
        found.append(lock.waitersVisible ? line : line + " -");
    }
    std::sort(found.begin(), found.end());
    QCOMPARE(found.join(';'), shown);
}

/** Two candidates have the same name: one leads, the other waits. */
void TestEtcdParts::whoSaysTheSameIsToldApart()
{
    const QList<Queue> queues =
        queuesOf({{"l/a", "node", 2, 2, 10}, {"l/b", "node", 3, 3, 11}, {"plain", "node", 4, 4, 10}});
    QCOMPARE(queues.size(), 2);
    QCOMPARE(observationOf(queues.at(0), 0).owner, QByteArray("node"));
    const Observation lock = observationOf(queues.at(1), 0);
    QCOMPARE(lock.owner, QByteArray("node (a)"));
    QCOMPARE(lock.waiters.constFirst().id, QByteArray("node (b)"));
}

void TestEtcdParts::aLeaseIsAskedForWhenItMatters()
{
    LeaseBook book;
    QCOMPARE(book.due({7}, 0), QList<qint64>{7});
    book.take(
        7,
        {{QStringLiteral("TTL"), QStringLiteral("59")}, {QStringLiteral("grantedTTL"), QStringLiteral("60")}},
        1'000'000, 1'002'000);
    Observation lock;
    book.date(lock, 7);
    QCOMPARE(lock.expiry, domain::ExpiryKind::At);
    QCOMPARE(lock.expiresUs, 60'000'000);
    QCOMPARE(lock.expirySlackUs, 1'002'000); // whole seconds, and the time that the answer took
    QVERIFY(book.lasts(7, 59'000'000) && !book.lasts(7, 60'000'000) && !book.lasts(9, 0));
    QVERIFY(book.due({7}, 20'000'000).isEmpty());
    QCOMPARE(book.due({7}, 25'000'000), QList<qint64>{7}); // a live client has renewed it by then
    // The lease is gone, and its keys with it: the known deadline stays.
    book.take(7, {{QStringLiteral("TTL"), QStringLiteral("-1")}}, 61'000'000, 61'000'000);
    book.date(lock, 7);
    QCOMPARE(lock.expiresUs, 60'000'000);
    book.take(
        7,
        {{QStringLiteral("TTL"), QStringLiteral("0")}, {QStringLiteral("grantedTTL"), QStringLiteral("60")}},
        61'000'000, 61'000'000);
    QVERIFY(!book.lasts(7, 60'500'000)); // it may have run out
    book.take(8,
              {{QStringLiteral("TTL"), QStringLiteral("8999999999")},
               {QStringLiteral("grantedTTL"), QStringLiteral("9000000000")}},
              0, 0);
    Observation never;
    book.date(never, 8);
    QCOMPARE(never.expiry, domain::ExpiryKind::Unknown);
}

/** The network library resends a POST if its connection ends without an answer. */
void TestEtcdParts::refusals_data()
{
    QTest::addColumn<QByteArray>("status");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<int>("code"); // −1: none
    QTest::addColumn<bool>("untouched");
    const auto row = [](const char *name, const char *status, const char *body, int code, bool untouched) {
        QTest::newRow(name) << QByteArray(status) << QByteArray(body) << code << untouched;
    };
    using base::ErrorCode;
    row("etcd 3.4", "403 Forbidden",
        R"({"error":"etcdserver: permission denied","message":"etcdserver: permission denied","code":7})",
        int(ErrorCode::PermissionDenied), true);
    row("etcd 3.6", "403 Forbidden", R"({"code":7,"message":"etcdserver: permission denied"})",
        int(ErrorCode::PermissionDenied), true);
    row("etcd 3.6 without a token", "400 Bad Request",
        R"({"code":3,"message":"etcdserver: user name is empty"})", int(ErrorCode::Authentication), true);
    row("etcd 3.6, compacted", "400 Bad Request",
        R"({"code":11,"message":"etcdserver: mvcc: required revision has been compacted"})",
        int(ErrorCode::Unknown), true);
    row("etcd 3.6 without a leader", "503 Service Unavailable",
        R"({"code":14,"message":"etcdserver: no leader"})", int(ErrorCode::Unreachable), false);
    row("somebody else's", "404 Not Found", "{}", int(ErrorCode::Unknown), false);
    row("no gateway", "200 OK", "<html>", int(ErrorCode::Protocol), false);
    row("an answer", "200 OK", R"({"count":"1"})", -1, false);
}

/** A refusal is never mistaken for an empty answer, which would make all locks seem gone. */
void TestEtcdParts::refusals()
{
    QFETCH(QByteArray, status);
    QFETCH(QByteArray, body);
    QTcpServer server;
    QVERIFY(server.listen(QHostAddress::LocalHost));
    connect(&server, &QTcpServer::newConnection, this, [&] {
        QTcpSocket *socket = server.nextPendingConnection();
        connect(socket, &QTcpSocket::readyRead, this, [socket, status, body] {
            if (socket->readAll().contains("{}"))
                socket->write("HTTP/1.1 " + status +
                              "\r\nContent-Type: application/json\r\nContent-Length: " +
                              QByteArray::number(body.size()) + "\r\n\r\n" + body);
        });
    });
    SourceSpec spec;
    spec.url = QUrl(QStringLiteral("etcd://127.0.0.1:%1").arg(server.serverPort()));
    Gateway gateway(*endpointsOf(spec), {});
    std::optional<Answer> answer;
    gateway.ask("kv/range", {}, [&](const Answer &to) { answer = to; });
    QTRY_VERIFY(answer);
    QTEST(answer->error ? int(answer->error->code) : -1, "code");
    QTEST(answer->untouched, "untouched");
    if (answer->error)
        QVERIFY(!answer->error->cause.isEmpty());
}

void TestEtcdParts::aWriteIsNeverSentTwice()
{
    QTcpServer server;
    QVERIFY(server.listen(QHostAddress::LocalHost));
    int requests = 0;
    connect(&server, &QTcpServer::newConnection, this, [&] {
        QTcpSocket *socket = server.nextPendingConnection();
        connect(socket, &QTcpSocket::readyRead, this, [socket, &requests] {
            if (!socket->readAll().contains("\"once\""))
                return;
            ++requests;
            socket->close();
        });
    });
    SourceSpec spec;
    spec.url = QUrl(QStringLiteral("etcd://127.0.0.1:%1").arg(server.serverPort()));
    Gateway gateway(*endpointsOf(spec), {});
    std::optional<Answer> answer;
    gateway.askOnce("kv/txn", {{QStringLiteral("once"), true}}, [&](const Answer &to) { answer = to; });
    QTRY_VERIFY(answer);
    QVERIFY(answer->error && !answer->untouched);
    QCOMPARE(requests, 1);
}

/** The callback for a line may destroy the gateway. */
void TestEtcdParts::nothingIsToldAfterTheEnd()
{
    QTcpServer server;
    QVERIFY(server.listen(QHostAddress::LocalHost));
    connect(&server, &QTcpServer::newConnection, this, [&] {
        QTcpSocket *socket = server.nextPendingConnection();
        connect(socket, &QTcpSocket::readyRead, this, [socket] {
            if (socket->readAll().contains("{}"))
                socket->write("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n{}\n{}\n");
        });
    });
    SourceSpec spec;
    spec.url = QUrl(QStringLiteral("etcd://127.0.0.1:%1").arg(server.serverPort()));
    auto gateway = std::make_unique<Gateway>(*endpointsOf(spec), QByteArray());
    int lines = 0;
    gateway->follow(
        "watch", QList<QJsonObject>{QJsonObject()},
        [&](const QJsonObject &) {
            ++lines;
            gateway.reset();
        },
        [](const Answer &) {});
    QTRY_VERIFY(!gateway);
    QCOMPARE(lines, 1);
}

/** The first read of a key under lease 7 by its name is refused. Its lease counts as renewed after the next
 * read. */
void TestEtcdParts::aLeaseThatCouldNotBeReadIsAskedForAgain()
{
    const QByteArray key = QByteArray("lk/a").toBase64();
    int asked = 0; // by its name
    const auto answerTo = [&](const QByteArray &request) -> QByteArray {
        if (request.contains("/lease/timetolive"))
            return R"({"ID":"7","TTL":"9","grantedTTL":"10"})";
        if (request.contains("/watch"))
            return R"({"result":{"watch_id":"1","created":true}})";
        QByteArray kvs;
        if (request.contains('"' + key + '"') && ++asked == 1)
            return R"({"error":"etcdserver: too many requests","code":8})";
        if (request.contains('"' + key + '"') || !request.contains("min_mod_revision"))
            kvs = R"("kvs":[{"key":")" + key +
                  R"(","create_revision":"5","mod_revision":"5","version":"1","lease":"7","value":"dg=="}],)";
        if (request.contains('"' + QByteArray("lk/a/").toBase64() + '"'))
            kvs.clear();
        return R"({"header":{"revision":"5"},)" + kvs + R"("count":"1"})";
    };
    QTcpServer server;
    QVERIFY(server.listen(QHostAddress::LocalHost));
    connect(&server, &QTcpServer::newConnection, this, [&] {
        QTcpSocket *socket = server.nextPendingConnection();
        connect(socket, &QTcpSocket::readyRead, this, [socket, answerTo, got = QByteArray()]() mutable {
            got += socket->readAll();
            const qsizetype head = got.indexOf("\r\n\r\n");
            const qsizetype at = got.toLower().indexOf("content-length:");
            if (head < 0 || at < 0)
                return;
            const qsizetype size = got.mid(at + 15, got.indexOf('\r', at) - at - 15).trimmed().toLongLong();
            if (got.size() < head + 4 + size)
                return;
            const QByteArray body = answerTo(std::exchange(got, {})) + '\n';
            const bool ends = !body.contains("created\":"); // a watch doesn't
            socket->write("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: " +
                          QByteArray::number(ends ? body.size() : 1'000'000) + "\r\n\r\n" + body);
        });
    });
    SourceSpec spec;
    spec.url = QUrl(QStringLiteral("etcd://127.0.0.1:%1").arg(server.serverPort()));
    spec.locks = {LockSet()};
    spec.locks[0].match = "lk/*";
    LocalClock clock;
    clock.start();
    LeaseBook leases;
    leases.take(
        7,
        {{QStringLiteral("TTL"), QStringLiteral("1")}, {QStringLiteral("grantedTTL"), QStringLiteral("10")}},
        clock.nowUs(), clock.nowUs());
    AnswerTimes times;
    EtcdWatcher watcher(*endpointsOf(spec), spec, clock, leases, times);
    qint64 untilUs = 0;
    connect(&watcher, &EtcdWatcher::pushed, this, [&](const Push &push) {
        if (!push.changes.isEmpty())
            untilUs = push.changes.constFirst().lock.expiresUs;
    });
    const qint64 beganUs = clock.nowUs();
    watcher.open("1", {{"lk/", true}}, {});
    QTRY_VERIFY(untilUs > beganUs + 5'000'000);
    QVERIFY(asked >= 2);
}

/** A lease carries other people's keys too. */
void TestEtcdParts::noReleaseRevokesALease()
{
    int seen = 0;
    QDirIterator it(qEnvironmentVariable("LOCKKEEPER_SOURCE") + QLatin1String("/shared/stores"),
                    {QStringLiteral("*.h"), QStringLiteral("*.cpp")}, QDir::Files,
                    QDirIterator::Subdirectories);
    while (it.hasNext()) {
        QFile file(it.next());
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY2(!file.readAll().toLower().contains("lease/revoke"), qPrintable(file.fileName()));
        ++seen;
    }
    QVERIFY(seen > 100);
}

LOCKKEEPER_TEST(TestEtcdParts)

} // namespace tst_etcd_parts

#include "tst_etcd_parts.moc"
