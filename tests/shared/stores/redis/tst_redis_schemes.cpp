// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/redis_stores.h"
#include "tests/support/redis_server.h"
#include "tests/support/store_harness.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_redis_schemes {

using namespace lockkeeper;
using namespace lockkeeper::stores;
using namespace lockkeeper::tests;

namespace {

using Commands = QList<QList<QByteArray>>;

const QByteArray kA("8743c9c0-0795-4907-87fd-6c719a6b4586:12");
const QByteArray kUuids("8743c9c0-0795-4907-87fd-6c719a6b4586:0a1b2c3d-6b0d-4d6c-8e63-8c5d0e6ab0aa");
const QByteArray kB("1d6f4a3e-6b0d-4d6c-8e63-8c5d0e6ab0aa:7");

/** A lock in one line: "held owner=… depth=2 waiting=1 mode=read off=several_holders". */
QByteArray lineOf(const Observation &lock)
{
    static const QList<QByteArray> kFlaws{"",         "truncated", "wrong_type", "no_identity",
                                          "bad_time", "malformed"};
    QByteArray line = !lock.present ? "absent" : lock.held ? "held" : "free";
    const auto add = [&line](const QByteArray &text, bool there) {
        if (there)
            line += ' ' + text;
    };
    add("owner=" + lock.owner, !lock.owner.isEmpty());
    add("flaw=" + kFlaws.value(int(lock.flaw)), lock.flaw != Flaw::None);
    add("depth=" + QByteArray::number(lock.depth), lock.depth > 0);
    add("mode=" + lock.mode, !lock.mode.isEmpty());
    add("fencing=" + lock.fencing, !lock.fencing.isEmpty());
    add("waiting=" + QByteArray::number(lock.waiting.value_or(0)), lock.waiting.has_value());
    for (const domain::Waiter &waiter : lock.waiters)
        line += " <" + waiter.id + '>';
    add("off=" + domain::releaseOffName(lock.off).toByteArray(), lock.off != domain::ReleaseOff::None);
    add("no expiry", lock.expiry == domain::ExpiryKind::None && lock.held);
    return line;
}

/** JSON with ' for ", which moc can't follow in raw strings. */
QByteArray quoted(QByteArray json)
{
    return json.replace('\'', '"');
}

SourceSpec specOf(const QUrl &url, const QByteArray &scheme, const QByteArray &match = "*")
{
    SourceSpec spec = redisSpec(url, match);
    spec.locks.first().scheme = scheme;
    return spec;
}

} // namespace

/** The locks that each scheme except redis.token shows for its keys, on a real server. */
class TestRedisSchemes : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QVERIFY(m_server.start()); }
    void init() { m_server.command({"FLUSHALL"}); }

    void aKeyIsRead_data()
    {
        QTest::addColumn<QByteArray>("scheme");
        QTest::addColumn<Commands>("commands");
        QTest::addColumn<QByteArray>("line");
        // ' stands for "
        const auto json = [](const char *name, QByteArray value, const char *line) {
            value.replace('\'', '"');
            QTest::newRow(name) << QByteArray("redis.json") << Commands{{"SETEX", "k", "60", value}}
                                << QByteArray(line);
        };
        json("json held", "{'owner':'a','state':'execute','lastSync':5}", "held owner=a");
        json("json idle", "{'owner':'a','state':'wait','lastSync':5}", "free owner=a");
        json("json, more fields", "{'x':[1],'state':'execute','owner':'a'}", "held owner=a");
        json("json, a number as owner", "{'owner':9007199254740993,'state':'execute'}",
             "held owner=9007199254740993");
        json("json without owner", "{'state':'execute'}", "held flaw=no_identity");
        json("json, NULL as owner", "{'owner':null,'state':'execute'}", "held flaw=no_identity");
        json("json, idle, nobody yet", "{'owner':'','state':'wait'}", "free");
        json("json, another state", "{'owner':'a','state':'EXECUTE'}", "free flaw=malformed");
        json("json without state", "{'owner':'a'}", "free flaw=malformed");
        json("json, twice the same name", "{'owner':'a','owner':'b','state':'execute'}",
             "free flaw=malformed");
        json("json, too deep",
             "{'owner':'a','state':'execute','x':" + QByteArray(2'000, '[') + QByteArray(2'000, ']') + '}',
             "free flaw=malformed");
        json("no json", "0123456789abcdef", "free flaw=malformed");
        json("empty", "", "free flaw=malformed");
        json("json, too long", "{'owner':'a','state':'execute','x':'" + QByteArray(70'000, 'x') + "'}",
             "free flaw=truncated");
        QTest::newRow("json in a hash") << QByteArray("redis.json") << Commands{{"HSET", "k", "owner", "a"}}
                                        << QByteArray("free flaw=wrong_type");

        const auto hash = [](const char *name, const Commands &commands, const QByteArray &line) {
            QTest::newRow(name) << QByteArray("redis.redisson") << commands << line;
        };
        hash("redisson", {{"HSET", "k", kA, "1"}, {"PEXPIRE", "k", "30000"}},
             "held owner=" + kA + " depth=1");
        hash("redisson, re-entered", {{"HSET", "k", kA, "3"}, {"PEXPIRE", "k", "30000"}},
             "held owner=" + kA + " depth=3");
        hash("redisson without deadline", {{"HSET", "k", kA, "1"}},
             "held owner=" + kA + " depth=1 no expiry");
        hash("redisson, fair",
             {{"HSET", "k", kA, "1"},
              {"PEXPIRE", "k", "30000"},
              {"RPUSH", "redisson_lock_queue:{k}", kB, "c:3"},
              {"ZADD", "redisson_lock_timeout:{k}", "4000000000000", kB, "4000000000001", "c:3"}},
             "held owner=" + kA + " depth=1 <" + kB + "> <c:3>");
        hash("redisson, read by one", {{"HSET", "k", "mode", "read", kA, "2"}, {"PEXPIRE", "k", "30000"}},
             "held owner=" + kA + " depth=2 mode=read");
        hash("redisson, read by two",
             {{"HSET", "k", "mode", "read", kA, "1", kB, "1"}, {"PEXPIRE", "k", "30000"}},
             "held owner=" + kB + ", " + kA + " depth=2 mode=read off=several_holders");
        hash("redisson, written",
             {{"HSET", "k", "mode", "write", kA + ":write", "1"}, {"PEXPIRE", "k", "30000"}},
             "held owner=" + kA + " depth=1 mode=write");
        hash("redisson, written and read by the same",
             {{"HSET", "k", "mode", "write", kA + ":write", "1", kA, "1"}, {"PEXPIRE", "k", "30000"}},
             "held owner=" + kA + " depth=2 mode=write");
        hash("a port of redisson, with a name of its own for the thread",
             {{"HSET", "k", kUuids, "1"}, {"PEXPIRE", "k", "30000"}}, "held owner=" + kUuids + " depth=1");
        hash("a port that writes a plain name", {{"HSET", "k", "worker-1", "2"}, {"PEXPIRE", "k", "30000"}},
             "held owner=worker-1 depth=2");
        hash("redisson, fenced",
             {{"HSET", "k", kA, "1"}, {"PEXPIRE", "k", "30000"}, {"SET", "redisson_lock_token:{k}", "42"}},
             "held owner=" + kA + " depth=1 fencing=42");
        hash("redisson, fenced and fair",
             {{"HSET", "k", kA, "1"},
              {"PEXPIRE", "k", "30000"},
              {"SET", "redisson_lock_token:{k}", "9223372036854775807"},
              {"RPUSH", "redisson_lock_queue:{k}", kB},
              {"ZADD", "redisson_lock_timeout:{k}", "4000000000000", kB}},
             "held owner=" + kA + " depth=1 fencing=9223372036854775807 <" + kB + ">");
        hash("a token that is none",
             {{"HSET", "k", kA, "1"}, {"PEXPIRE", "k", "30000"}, {"SET", "redisson_lock_token:{k}", "x"}},
             "held owner=" + kA + " depth=1");
        hash("a field without a name", {{"HSET", "k", "", "1"}}, "free flaw=malformed");
        hash("two fields and no mode", {{"HSET", "k", kA, "1", kB, "1"}}, "free flaw=malformed");
        hash("a hash of another kind", {{"HSET", "k", "name", "x"}}, "free flaw=malformed");
        hash("a count that is none", {{"HSET", "k", kA, "-1"}}, "free flaw=malformed");
        hash("a mode alone", {{"HSET", "k", "mode", "read"}}, "free flaw=malformed");
        hash("redisson in a string", {{"SET", "k", kA}}, "free flaw=wrong_type");
        hash("a field of 1 MiB", {{"HSET", "k", kA, QByteArray(1 << 20, '1')}}, "free flaw=truncated");
        hash("a field's name of 1 MiB", {{"HSET", "k", QByteArray(1 << 20, 'f'), "1"}},
             "free flaw=truncated");
    }
    void aKeyIsRead()
    {
        QFETCH(QByteArray, scheme);
        QFETCH(Commands, commands);
        QFETCH(QByteArray, line);
        for (const QList<QByteArray> &command : commands)
            QVERIFY(!m_server.command(command).isError());
        StoreHarness harness(std::move(*redis::makeStore(specOf(m_server.url(), scheme, "k*"))));
        QVERIFY(harness.open());
        for (const domain::Access &access : std::as_const(harness.m_info.access))
            QVERIFY2(access.granted, access.need.constData());
        QVERIFY(harness.scan());
        QVERIFY(harness.find("k"));
        const Observation lock = *harness.find("k");
        QCOMPARE(lineOf(lock), line);
        QCOMPARE(lineOf(harness.readPoints({{0, "k"}}).value(0)), line);
        QCOMPARE(lineOf(harness.readPoints({{0, "none"}}).value(0)), QByteArray("absent"));
        const bool breakable = lock.held && lock.flaw == Flaw::None && lock.off == domain::ReleaseOff::None;
        const auto report = harness.release(orderFor(harness.inspect("k"), true));
        QCOMPARE(report.outcome, breakable ? domain::Outcome::Released : domain::Outcome::Refused);
        QCOMPARE(m_server.command({"EXISTS", "k"}).integer, breakable ? 0 : 1);
    }

    /** The names of fields and states are the configuration's. */
    void fieldsAreConfigured()
    {
        m_server.command({"SETEX", "k", "60", quoted("{'host':'a','busy':true,'owner':'x','state':'wait'}")});
        SourceSpec spec = specOf(m_server.url(), "redis.json");
        spec.locks.first().keys.ownerField = "host";
        spec.locks.first().keys.stateField = "busy";
        spec.locks.first().keys.heldValue = "true";
        spec.locks.first().keys.idleValue = "false";
        StoreHarness harness(std::move(*redis::makeStore(spec)));
        QVERIFY(harness.open());
        QVERIFY(harness.scan());
        QCOMPARE(lineOf(*harness.find("k")), QByteArray("held owner=a"));
    }

    /** A holder that rewrites its value stays the same holder. */
    void identityOfAJsonLock()
    {
        StoreHarness harness(std::move(*redis::makeStore(specOf(m_server.url(), "redis.json"))));
        QVERIFY(harness.open());
        const auto identity = [&](const QByteArray &value) {
            m_server.command({"SETEX", "k", "60", quoted(value)});
            return harness.inspect("k").guard.identity;
        };
        const QByteArray first = identity("{'owner':'a','state':'execute','lastSync':5}");
        QCOMPARE(identity("{'state':'execute','owner':'a','lastSync':5,'beat':9}"), first);
        QCOMPARE(identity("{'owner':'a','state':'execute','lastSync':6}"), first);
        QVERIFY(identity("{'owner':'a1','state':'execute','lastSync':5}") != first);
    }

    void companionsAreNoLocks()
    {
        m_server.command({"HSET", "k", kA, "1"});
        m_server.command({"SET", "redisson_unlock_latch:{k}:8f", "0"});
        m_server.command({"RPUSH", "redisson_lock_queue:{k}", kB});
        m_server.command({"ZADD", "redisson_lock_timeout:{k}", "1", kB});
        m_server.command({"SET", "redisson_lock_token:{k}", "7"});
        m_server.command({"SET", "{k}:" + kA + ":rwlock_timeout:1", "1"});
        m_server.command({"RPUSH", "lock-signal:k", "1"});
        m_server.command({"SET", "other", "x"});
        for (const QByteArray scheme : {"redis.redisson", "redis.token"}) {
            StoreHarness harness(std::move(*redis::makeStore(specOf(m_server.url(), scheme))));
            QVERIFY(harness.open());
            QVERIFY(harness.scan());
            QSet<QByteArray> names;
            for (const Page &page : std::as_const(harness.m_pages)) {
                for (const Observation &lock : page.locks)
                    names.insert(lock.name);
            }
            if (RedisServer::version() < 600)
                continue; // SCAN has no TYPE
            // Where every key matches, SCAN asks for hashes.
            QCOMPARE(names,
                     scheme == "redis.token" ? (QSet<QByteArray>{"k", "other"}) : QSet<QByteArray>{"k"});
        }
    }

    void whoWaitsUnnamedIsCounted()
    {
        m_server.command({"HSET", "k", kA, "1"});
        StoreHarness harness(std::move(*redis::makeStore(specOf(m_server.url(), "redis.redisson"))));
        QVERIFY(harness.open());
        RedisPlain one(m_server.socketPath());
        RedisPlain two(m_server.socketPath());
        QVERIFY(harness.inspect("k").lock.waitersVisible);
        one.command({"SUBSCRIBE", "redisson_lock__channel:{k}"});
        two.command({"SUBSCRIBE", "redisson_lock__channel:{k}"});
        const Observation lock = harness.inspect("k").lock;
        QCOMPARE(lock.waiting, std::optional<quint32>(2));
        QVERIFY(!lock.waitersVisible && lock.waiters.isEmpty());
    }

    void aLongQueueIsCounted()
    {
        m_server.command({"HSET", "k", kA, "1"});
        for (int i = 0; i < 300; ++i)
            m_server.command({"RPUSH", "redisson_lock_queue:{k}", "q:" + QByteArray::number(i)});
        StoreHarness harness(std::move(*redis::makeStore(specOf(m_server.url(), "redis.redisson"))));
        QVERIFY(harness.open());
        const Observation lock = harness.inspect("k").lock;
        QCOMPARE(lock.waiting, std::optional<quint32>(300));
        QVERIFY(!lock.waitersVisible);
        QCOMPARE(lock.waiters.size(), 256);
        m_server.command({"RPUSH", "redisson_lock_queue:{k}", QByteArray(1 << 20, 'x')});
        QVERIFY(harness.inspect("k").lock.waiters.isEmpty());
        QCOMPARE(harness.inspect("k").lock.waiting, std::optional<quint32>(301));
    }

    void aHashOfAMillionFieldsIsNotRead()
    {
        m_server.command({"EVAL", "for i = 1, 1000000 do redis.call('HSET', KEYS[1], i, i) end", "1", "k"});
        StoreHarness harness(std::move(*redis::makeStore(specOf(m_server.url(), "redis.redisson"))));
        QVERIFY(harness.open());
        const qint64 before = calls("hgetall");
        QVERIFY(harness.scan());
        QCOMPARE(lineOf(*harness.find("k")), QByteArray("free flaw=truncated"));
        QCOMPARE(calls("hgetall"), before);
    }

    /** Sets of every scheme in one source, mixed in one look. */
    void schemesMix()
    {
        m_server.command({"SET", "t:1", "token"});
        m_server.command({"SETEX", "j:1", "60", quoted("{'owner':'a','state':'execute'}")});
        m_server.command({"HSET", "h:1", kA, "1"});
        m_server.command({"ZADD", "s:1", "4000000000000", "member"});
        SourceSpec spec = specOf(m_server.url(), "redis.token", "t:*");
        for (const auto &[scheme, match] : {std::pair<QByteArray, QByteArray>{"redis.json", "j:*"},
                                            {"redis.redisson", "h:*"},
                                            {"redis.semaphore", "s:*"}}) {
            spec.locks.append(spec.locks.first());
            spec.locks.last().scheme = scheme;
            spec.locks.last().match = match;
        }
        StoreHarness harness(std::move(*redis::makeStore(spec)));
        QVERIFY(harness.open());
        QCOMPARE(harness.m_info.places, (QList<QByteArray>{"db0", "db0", "db0", "db0/"}));
        QVERIFY(harness.scan());
        QList<QByteArray> names;
        for (const Page &page : std::as_const(harness.m_pages)) {
            for (const Observation &lock : page.locks)
                names.append(lock.name);
        }
        QCOMPARE(names, (QList<QByteArray>{"t:1", "j:1", "h:1", "member/s:1"}));
        const auto locks = harness.readPoints(
            {{3, "member/s:1"}, {2, "h:1"}, {1, "j:1"}, {0, "t:1"}, {3, "gone/s:1"}, {2, "h:2"}});
        QList<QByteArray> lines;
        for (const Observation &lock : locks)
            lines.append(lineOf(lock));
        QCOMPARE(lines,
                 (QList<QByteArray>{"held owner=member", "held owner=" + kA + " depth=1 no expiry",
                                    "held owner=a", "held owner=token no expiry", "absent", "absent"}));
    }

private:
    qint64 calls(const QByteArray &command)
    {
        const QByteArray stats = m_server.command({"INFO", "commandstats"}).bytes;
        const QByteArray head = "cmdstat_" + command + ":calls=";
        const qsizetype from = stats.indexOf(head) + head.size();
        return from < head.size() ? 0 : stats.mid(from, stats.indexOf(',', from) - from).toLongLong();
    }

    RedisServer m_server;
};

LOCKKEEPER_TEST(TestRedisSchemes)

} // namespace tst_redis_schemes

#include "tst_redis_schemes.moc"
