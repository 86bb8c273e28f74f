// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/redis_stores.h"
#include "tests/support/redis_server.h"
#include "tests/support/store_harness.h"
#include "tests/support/test_program.h"

#include <QLocalServer>
#include <QLocalSocket>
#include <QSet>
#include <QTemporaryDir>
#include <QTest>

#include <atomic>
#include <optional>
#include <thread>

namespace tst_redis_store {

using namespace lockkeeper;
using namespace lockkeeper::stores;
using namespace lockkeeper::tests;
using base::ErrorCode;
using domain::ExpiryKind;

namespace {
std::unique_ptr<Store> storeFor(const SourceSpec &spec)
{
    return std::move(*redis::makeStore(spec));
}

/** Speaks just enough of the protocol to show the same names on several pages of one SCAN. */
class RepeatingServer
{
public:
    explicit RepeatingServer(const QString &path)
    {
        m_server.listen(path);
        QObject::connect(&m_server, &QLocalServer::newConnection, &m_server, [this] {
            QLocalSocket *socket = m_server.nextPendingConnection();
            QObject::connect(socket, &QLocalSocket::readyRead, &m_server, [this, socket] { serve(socket); });
        });
    }

private:
    void serve(QLocalSocket *socket)
    {
        m_input += socket->readAll();
        while (const auto words = nextCommand())
            socket->write(answer(words->first(), words->value(1)));
    }

    /** Takes one whole command, an array of bulk strings, off the input. */
    std::optional<QList<QByteArray>> nextCommand()
    {
        qsizetype at = 0;
        const auto number = [&] {
            const qsizetype end = m_input.indexOf('\r', at);
            const qsizetype value = end < 0 ? -1 : m_input.mid(at + 1, end - at - 1).toInt();
            at = end + 2;
            return value;
        };
        QList<QByteArray> words;
        for (qsizetype left = number(); left > 0; --left) {
            const qsizetype size = at < m_input.size() ? number() : -1;
            if (size < 0 || at + size + 2 > m_input.size())
                return std::nullopt;
            words.append(m_input.mid(at, size));
            at += size + 2;
        }
        if (words.isEmpty())
            return std::nullopt;
        m_input.remove(0, at);
        return words;
    }

    static QByteArray answer(const QByteArray &command, const QByteArray &argument)
    {
        if (command == "SCAN" && argument == "0")
            return "*2\r\n$1\r\n7\r\n*3\r\n$1\r\na\r\n$1\r\nb\r\n$1\r\na\r\n";
        if (command == "SCAN")
            return "*2\r\n$1\r\n0\r\n*2\r\n$1\r\nb\r\n$1\r\nc\r\n";
        if (command == "TIME")
            return "*2\r\n$10\r\n1795000000\r\n$1\r\n5\r\n";
        if (command == "GETRANGE")
            return "$1\r\nt\r\n";
        if (command == "INFO")
            return "$23\r\nredis_version:7.0.15\r\n.\r\n";
        return ":-1\r\n";
    }

    QLocalServer m_server;
    QByteArray m_input;
};
} // namespace

/** Every kind of key as a scan, a point read and an inspection show it, on a real server. */
class TestRedisStore : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QVERIFY(m_server.start({}, true)); }
    void init() { m_server.command({"FLUSHALL"}); }

    void opensOverEverySocket_data()
    {
        QTest::addColumn<QUrl>("url");
        QTest::addColumn<QByteArray>("place");
        QTest::newRow("unix") << m_server.url() << QByteArray("db0");
        QTest::newRow("tcp") << m_server.tcpUrl() << QByteArray("db0");
        QTest::newRow("another database") << m_server.tcpUrl(5) << QByteArray("db5");
        QUrl byName = m_server.tcpUrl();
        byName.setHost(QStringLiteral("localhost"));
        QTest::newRow("by name") << byName << QByteArray("db0");
    }
    void opensOverEverySocket()
    {
        QFETCH(QUrl, url);
        QFETCH(QByteArray, place);
        StoreHarness harness(storeFor(redisSpec(url)));
        QVERIFY(harness.open());
        QCOMPARE(harness.m_info.store, QByteArray("redis"));
        const QStringList products{QStringLiteral("Redis"), QStringLiteral("Valkey")};
        QVERIFY2(products.contains(harness.m_info.server.section(u' ', 0, 0)),
                 qPrintable(harness.m_info.server));
        QCOMPARE(harness.m_info.instance.size(), 40);
        QCOMPARE(harness.m_info.places, QList<QByteArray>{place});
        QVERIFY(!harness.m_info.readOnly);
        QCOMPARE(harness.m_info.warning.code, ErrorCode::Unknown);
        QVERIFY(harness.m_info.access.size() >= 8);
        for (const domain::Access &access : std::as_const(harness.m_info.access))
            QVERIFY2(access.granted, access.need.constData());
        QVERIFY(m_server.command({"CLIENT", "LIST"}).bytes.contains("name=lockkeeper"));
    }

    void everyNameIsKept_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::newRow("plain") << QByteArray("lock:orders");
        QTest::newRow("empty") << QByteArray("");
        QTest::newRow("NUL") << QByteArray("a\0b", 3);
        QTest::newRow("not UTF-8") << QByteArray("\xff\xfe\xc0");
        QTest::newRow("CR LF") << QByteArray("x\r\nDEL y\r\n");
        QTest::newRow("escapes") << QByteArray("\x1b[31m\xe2\x80\xae");
        QTest::newRow("glob") << QByteArray("*[a]?\\");
        QTest::newRow("1 MiB") << QByteArray(1 << 20, 'k');
    }
    void everyNameIsKept()
    {
        QFETCH(QByteArray, name);
        m_server.command({"SET", name, "token", "PX", "100000"});
        StoreHarness harness(storeFor(redisSpec(m_server.url())));
        QVERIFY(harness.open());
        QVERIFY(harness.scan());
        QCOMPARE(harness.m_pages.size(), 1);
        QCOMPARE(harness.m_pages.first().locks.size(), 1);
        QCOMPARE(harness.m_pages.first().locks.first().name, name);
        const auto inspection = harness.inspect(name);
        QCOMPARE(inspection.lock.identity, QByteArray("token"));
        QCOMPARE(harness.release(orderFor(inspection, true)).outcome, domain::Outcome::Released);
        QCOMPARE(m_server.command({"DBSIZE"}).integer, 0);
    }

    void everyValueIsRead_data()
    {
        QTest::addColumn<QByteArray>("value");
        QTest::addColumn<int>("flaw");
        QTest::addColumn<bool>("breakable");
        const auto row = [](const char *name, const QByteArray &value, Flaw flaw) {
            QTest::newRow(name) << value << int(flaw) << (flaw == Flaw::None);
        };
        row("hex token", QByteArray(32, 'a'), Flaw::None);
        row("integer", "12345", Flaw::None);
        row("binary", QByteArray("\0\xff\r\n", 4), Flaw::None);
        row("empty", "", Flaw::NullIdentity);
        row("just fits", QByteArray(65'536, 'v'), Flaw::None);
        row("one too long", QByteArray(65'537, 'v'), Flaw::Truncated);
        row("16 MiB", QByteArray(16 << 20, 'v'), Flaw::Truncated);
    }
    void everyValueIsRead()
    {
        QFETCH(QByteArray, value);
        QFETCH(int, flaw);
        QFETCH(bool, breakable);
        m_server.command({"SET", "k", value});
        StoreHarness harness(storeFor(redisSpec(m_server.url())));
        QVERIFY(harness.open());
        QVERIFY(harness.scan());
        const Observation *lock = harness.find("k");
        QVERIFY(lock != nullptr);
        QVERIFY(lock->present && lock->held);
        QCOMPARE(int(lock->flaw), flaw);
        QCOMPARE(lock->identity, breakable ? value : QByteArray());
        QVERIFY(value.startsWith(lock->owner));
        QVERIFY(lock->owner.size() <= 65'536);
        const auto report = harness.release(orderFor(harness.inspect("k")));
        QCOMPARE(report.outcome, breakable ? domain::Outcome::Released : domain::Outcome::Refused);
        QCOMPARE(m_server.command({"EXISTS", "k"}).integer, breakable ? 0 : 1);
    }

    void deadlinesAreExact()
    {
        if (m_server.command({"PEXPIRETIME", "k"}).isError())
            QSKIP("deadlines are exact from Redis 7 on");
        const qint64 at = 4'000'000'000'123;
        m_server.command({"SET", "ttl", "t", "PXAT", QByteArray::number(at)});
        m_server.command({"SET", "none", "t"});
        m_server.command({"SET", "never", "t", "PXAT", "9000000000000000"});
        StoreHarness harness(storeFor(redisSpec(m_server.url())));
        QVERIFY(harness.open());
        QVERIFY(harness.scan());
        const Observation *ttl = harness.find("ttl");
        QCOMPARE(ttl->expiry, ExpiryKind::At);
        QCOMPARE(ttl->expiresBy, domain::Evidence::Ttl);
        QCOMPARE(ttl->expiresUs, at * 1000);
        QCOMPARE(ttl->expirySlackUs, 0);
        QCOMPARE(ttl->freshness, QByteArray::number(at));
        QVERIFY(!ttl->acquiredUs);
        const Observation *none = harness.find("none");
        QCOMPARE(none->expiry, ExpiryKind::None);
        QCOMPARE(none->freshness, QByteArray("-1"));
        const Observation *never = harness.find("never");
        QCOMPARE(never->expiry, ExpiryKind::Unknown);
        QCOMPARE(never->flaw, Flaw::BadTime);
    }

    void otherTypesAreShownAsSuch_data()
    {
        QTest::addColumn<QList<QByteArray>>("make");
        QTest::newRow("hash") << QList<QByteArray>{"HSET", "k", "f", "v"};
        QTest::newRow("list") << QList<QByteArray>{"RPUSH", "k", "v"};
        QTest::newRow("set") << QList<QByteArray>{"SADD", "k", "v"};
        QTest::newRow("sorted set") << QList<QByteArray>{"ZADD", "k", "1", "v"};
        QTest::newRow("stream") << QList<QByteArray>{"XADD", "k", "*", "f", "v"};
    }
    void otherTypesAreShownAsSuch()
    {
        QFETCH(QList<QByteArray>, make);
        m_server.command(make);
        StoreHarness harness(storeFor(redisSpec(m_server.url())));
        QVERIFY(harness.open());
        QVERIFY(harness.scan());
        const Observation *lock = harness.find("k");
        QVERIFY(lock != nullptr);
        QCOMPARE(lock->flaw, Flaw::WrongType);
        QVERIFY(lock->present && !lock->held && !lock->ownerKnown && lock->identity.isEmpty());
        QCOMPARE(harness.release(orderFor(harness.inspect("k"))).outcome, domain::Outcome::Refused);
        QCOMPARE(m_server.command({"EXISTS", "k"}).integer, 1);
    }

    void timeIsTheStores()
    {
        m_server.command({"SET", "k", "t"});
        StoreHarness harness(storeFor(redisSpec(m_server.url())));
        QVERIFY(harness.open());
        const auto storeUs = [this] {
            const RedisReply time = m_server.command({"TIME"});
            return time.list.at(0).bytes.toLongLong() * 1'000'000 + time.list.at(1).bytes.toLongLong();
        };
        const qint64 before = storeUs();
        QVERIFY(harness.scan());
        const qint64 after = storeUs();
        const Page &page = harness.m_pages.first();
        const ScanEnd &end = harness.m_ends.first();
        QVERIFY(before <= end.beganUs && end.beganUs <= page.beganUs && page.beganUs <= page.endedUs &&
                page.endedUs <= end.endedUs && end.endedUs <= after);
        QCOMPARE(end.scanned, 1);
    }

    void onlyWhatMatchesIsRead()
    {
        for (const char *name : {"lock:a", "lock:b", "cache:a", "mutex:c"})
            m_server.command({"SET", name, "t"});
        SourceSpec spec = redisSpec(m_server.url(), "lock:*");
        spec.locks.append(spec.locks.first());
        spec.locks.last().match = "m[a-z]tex:?";
        StoreHarness harness(storeFor(spec));
        QVERIFY(harness.open());
        QVERIFY(harness.scan());
        QSet<std::pair<int, QByteArray>> seen;
        for (const Page &page : std::as_const(harness.m_pages)) {
            for (const Observation &lock : page.locks)
                seen.insert({lock.set, lock.name});
        }
        QCOMPARE(seen, (QSet<std::pair<int, QByteArray>>{{0, "lock:a"}, {0, "lock:b"}, {1, "mutex:c"}}));
    }

    void lookAnswersForEachAndForAbsentOnes()
    {
        m_server.command({"SET", "here", "t", "PX", "50000"});
        SourceSpec spec = redisSpec(m_server.url());
        spec.pageSize = 2;
        StoreHarness harness(storeFor(spec));
        QVERIFY(harness.open());
        const auto locks = harness.readPoints({{0, "gone"}, {0, "here"}, {0, "gone too"}});
        QCOMPARE(locks.size(), 3);
        QCOMPARE(harness.m_pages.size(), 2);
        QVERIFY(!locks.at(0).present && !locks.at(0).held && locks.at(0).identity.isEmpty());
        QVERIFY(locks.at(1).present && locks.at(1).held);
        QVERIFY(!locks.at(2).present);
        const auto gone = harness.inspect("gone");
        QVERIFY(!gone.error && !gone.lock.present && gone.guard.digest().isEmpty());
        QVERIFY(gone.storeUs > 0);
    }

    void largeKeySpacesComeInPages()
    {
        fill(30'000);
        SourceSpec spec = redisSpec(m_server.url(), "lock:*");
        spec.pageSize = 500;
        StoreHarness harness(storeFor(spec));
        QVERIFY(harness.open());
        for (int round = 0; round < 5; ++round) {
            QVERIFY(harness.scan());
            QSet<QByteArray> names;
            qsizetype count = 0;
            for (const Page &page : std::as_const(harness.m_pages)) {
                count += page.locks.size();
                QVERIFY(page.locks.size() < 2'000);
                for (const Observation &lock : page.locks)
                    names.insert(lock.name);
            }
            QCOMPARE(count, names.size());
            QCOMPARE(count, round == 0 ? 30'000 : 300);
            if (round == 0)
                remove(300, 30'000);
        }
    }

    void aNameThatScanShowsTwiceIsReadOnce()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("fake.sock"));
        RepeatingServer server(path);
        SourceSpec spec = redisSpec(m_server.url());
        spec.url.setPath(path);
        StoreHarness harness(storeFor(spec));
        QVERIFY(harness.open());
        for (int round = 0; round < 2; ++round) {
            QVERIFY(harness.scan());
            QList<QByteArray> names;
            for (const Page &page : std::as_const(harness.m_pages)) {
                for (const Observation &lock : page.locks)
                    names.append(lock.name);
            }
            QCOMPARE(names, (QList<QByteArray>{"a", "b", "c"}));
        }
    }

    void churnIsSurvived()
    {
        for (int i = 0; i < 50; ++i)
            m_server.command({"SET", QByteArray("stay:") + QByteArray::number(i), "token"});
        StoreHarness harness(storeFor(redisSpec(m_server.url())));
        QVERIFY(harness.open());
        std::atomic_bool over = false;
        std::thread other([this, &over] {
            RedisPlain plain(m_server.socketPath());
            for (int batch = 0; batch < 100; ++batch) {
                for (int i = 0; i < 1'000; ++i)
                    plain.append({"SET", QByteArray("lock:") + QByteArray::number(i),
                                  QByteArray::number(batch), "PX", "1"});
                for (int i = 0; i < 1'000; ++i)
                    plain.append({"UNLINK", QByteArray("lock:") + QByteArray::number(i)});
                for (int i = 0; i < 2'000; ++i)
                    plain.next();
            }
            over = true;
        });
        int scans = 0;
        bool whole = true;
        while (!over) {
            whole = whole && harness.scan() && consistent(harness);
            ++scans;
        }
        other.join();
        QVERIFY(whole);
        QVERIFY(scans > 5);
        QVERIFY(harness.scan());
        QCOMPARE(harness.m_pages.size(), 1);
        QCOMPARE(harness.m_pages.first().locks.size(), 50);
    }

private:
    /** Locks that existed all the time are in the scan, once; locks that come and go are complete. */
    static bool consistent(const StoreHarness &harness)
    {
        QSet<QByteArray> names;
        int staying = 0;
        for (const Page &page : harness.m_pages) {
            for (const Observation &lock : page.locks) {
                if (names.contains(lock.name) || !lock.held || lock.flaw != Flaw::None ||
                    lock.identity.isEmpty())
                    return false;
                names.insert(lock.name);
                staying += lock.name.startsWith("stay:") ? 1 : 0;
            }
        }
        return staying == 50;
    }

    void fill(int count)
    {
        RedisPlain plain(m_server.socketPath());
        for (int i = 0; i < count; ++i)
            plain.append({"SET", QByteArray("lock:") + QByteArray::number(i), "token", "PX", "1000000"});
        for (int i = 0; i < count; ++i)
            plain.next();
    }

    void remove(int from, int to)
    {
        RedisPlain plain(m_server.socketPath());
        for (int i = from; i < to; ++i)
            plain.append({"UNLINK", QByteArray("lock:") + QByteArray::number(i)});
        for (int i = from; i < to; ++i)
            plain.next();
    }

    RedisServer m_server;
};

LOCKKEEPER_TEST(TestRedisStore)

} // namespace tst_redis_store

#include "tst_redis_store.moc"
