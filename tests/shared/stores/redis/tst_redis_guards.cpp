// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/redis_stores.h"
#include "shared/stores/redis/store/redis_store.h"
#include "tests/support/redis_server.h"
#include "tests/support/store_harness.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_redis_guards {

using namespace lockkeeper;
using namespace lockkeeper::stores;
using namespace lockkeeper::tests;
using domain::Outcome;

namespace {

using Command = QList<QByteArray>;
using Commands = QList<Command>;

/** JSON with ' for ". */
QByteArray quoted(QByteArray json)
{
    return json.replace('\'', '"');
}

const QByteArray kA("8743c9c0-0795-4907-87fd-6c719a6b4586:12");
const QByteArray kB("1d6f4a3e-6b0d-4d6c-8e63-8c5d0e6ab0aa:7");
const QByteArray kJobs("uniquejobs:77de68daecd823babbb58edb1c8e14d7:LOCKED");
const QByteArray kJob("5b1f8e0b2a7d4c3e9f60a1b2");
const QByteArray kJson = quoted("{'owner':'a','state':'execute','lastSync':5}");
const QByteArray kJson2 = quoted("{'owner':'b','state':'execute','lastSync':5}");

/** One lock of each kind: the commands that make it, and the name under which it is seen. */
struct Kind
{
    QByteArray id;
    QByteArray scheme;
    Commands make;
    QByteArray subject;
    Permits permits = Permits::RedisSemaphore;
    QByteArray match = "k";
};

QList<Kind> kinds()
{
    const Command until{"PEXPIREAT", "k", "4000000000000"};
    return {
        {"json", "redis.json", {{"SET", "k", kJson}, until}, "k"},
        {"lock", "redis.redisson", {{"HSET", "k", kA, "2"}, until}, "k"},
        {"read", "redis.redisson", {{"HSET", "k", "mode", "read", kA, "1"}, until}, "k"},
        {"write",
         "redis.redisson",
         {{"HSET", "k", "mode", "write", kA + ":write", "1", kA, "1"}, until},
         "k"},
        {"permit", "redis.semaphore", {{"ZADD", "k", "4000000000000", "m", "4000000000001", "n"}}, "m/k"},
        {"redisson",
         "redis.semaphore",
         {{"ZADD", "{k}:timeout", "4000000000000", "m", "4000000000001", "n"}, {"SET", "k", "3"}},
         "m/{k}:timeout",
         Permits::Redisson,
         "{k}:timeout"},
        {"symfony",
         "redis.semaphore",
         {{"ZADD", "k", "4000000000000", "m", "4000000000000", "__write__", "4000000000001", "n"}},
         "m/k",
         Permits::Symfony},
        {"sidekiq",
         "redis.semaphore",
         {{"HSET", kJobs, kJob, "1795000000.5", "other", "1795000000.7"},
          {"PEXPIREAT", kJobs, "4000000000000"}},
         kJob + '/' + kJobs,
         Permits::Sidekiq,
         kJobs},
        {"huey",
         "redis.semaphore",
         {{"HSET", "k", "app.lock.m", "1", "result", "x"}, until},
         "app.lock.m/k",
         Permits::Huey},
    };
}

Kind kindOf(const QByteArray &id)
{
    for (const Kind &kind : kinds()) {
        if (kind.id == id)
            return kind;
    }
    return {};
}

redis::Script scriptOf(const Kind &kind)
{
    if (kind.scheme == "redis.redisson")
        return redis::guardedScript("redisson_release");
    if (kind.scheme != "redis.semaphore")
        return redis::guardedScript("token_release");
    return areFields(kind.permits) ? redis::guardedScript("field_release")
                                   : redis::guardedScript("semaphore_release");
}

/** Acquired 20 s ago by a client with a time-out of 30 s, while 10 s are configured. */
const QByteArray kLongerLease("local now = redis.call('TIME')[1] * 1000 redis.call('DEL', KEYS[1]) "
                              "redis.call('ZADD', KEYS[1], now - 20000, 'm') "
                              "return redis.call('PEXPIREAT', KEYS[1], now + 10000)");

const QByteArray kMark("-- guard: ");
/** The terms of a deadline that is only known to lie between two times. */
const QList<QByteArray> kDeadlineTerms{"some deadline", "not sooner", "not later"};

/** A term of a guard, and the event between the read and the release that makes the term necessary. */
struct Term
{
    QByteArray kind;
    QByteArray term;
    Command meanwhile;
    Outcome right = Outcome::HolderChanged; ///< of the whole script
    bool fresh = false;                     ///< the freshness is compared
    bool exact = true;                      ///< false: without PEXPIRETIME
};

QList<Term> terms()
{
    const QByteArray retyped("redis.call('DEL', KEYS[1]) return redis.call('RPUSH', KEYS[1], 'x')");
    const Command another{"EVAL", retyped, "1", "k"};
    const Command later{"PEXPIREAT", "k", "4000000060000"};
    const Command sooner{"PEXPIREAT", "k", "3999999940000"};
    QList<Term> all{
        {"json", "type", another},
        {"json", "length", {"SET", "k", kJson + "x", "KEEPTTL"}},
        {"json", "value", {"SET", "k", kJson2, "KEEPTTL"}},
        {"json", "freshness", later, Outcome::HolderChanged, true},
        {"json", "expired", {"PING"}, Outcome::Refused},
        {"lock", "type", another},
        {"lock", "holders", {"HSET", "k", kB, "1"}},
        {"lock",
         "holder and count",
         {"EVAL", "redis.call('HDEL', 'k', ARGV[1]) return redis.call('HSET', 'k', ARGV[2], 2)", "0", kA,
          kB}},
        {"read", "holder and count", {"HINCRBY", "k", kA, "1"}},
        {"lock", "freshness", later, Outcome::HolderChanged, true},
        {"lock", "expired", {"PING"}, Outcome::Refused},
        {"read", "mode", {"HSET", "k", "mode", "write"}},
        {"read", "holders", {"HSET", "k", kB, "1"}},
        {"permit", "type", another},
        {"permit", "member", {"ZREM", "k", "m"}, Outcome::AlreadyFree},
        {"permit", "freshness", {"ZADD", "k", "4000000000001", "m"}, Outcome::HolderChanged, true},
        {"permit", "expired", {"PING"}, Outcome::Refused},
        {"permit", "lease", {"EVAL", kLongerLease, "1", "k"}, Outcome::Refused},
        {"redisson", "counter", another},
        {"sidekiq", "type", {"EVAL", retyped, "1", kJobs}},
        {"sidekiq", "field", {"HDEL", kJobs, kJob}, Outcome::AlreadyFree},
        {"sidekiq", "value", {"HSET", kJobs, kJob, "1795000001.5"}},
        {"sidekiq", "freshness", {"PERSIST", kJobs}, Outcome::HolderChanged, true},
        {"sidekiq", "expired", {"PING"}, Outcome::Refused},
    };
    for (const char *kind : {"json", "lock", "huey"}) {
        all.append({kind, "not sooner", sooner, Outcome::HolderChanged, true, false});
        all.append({kind, "not later", later, Outcome::HolderChanged, true, false});
        all.append({kind, "some deadline", {"PERSIST", "k"}, Outcome::HolderChanged, true, false});
    }
    return all;
}

/** The script without the line that ends in "-- guard: TERM"; empty where there is none. */
QByteArray without(const redis::Script &script, const QByteArray &term)
{
    QByteArray text = script.text;
    const qsizetype mark = text.indexOf(kMark + term + '\n');
    if (mark < 0)
        return {};
    const qsizetype line = text.lastIndexOf('\n', mark);
    return text.remove(line, mark - line);
}

} // namespace

/** The guarded release of every scheme except redis.token, on a real server. */
class TestRedisGuards : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QVERIFY(m_server.start()); }
    void init() { m_server.command({"FLUSHALL"}); }

    /** `meanwhile` happens between the read of the guard and the release. */
    void guardMatrix_data()
    {
        QTest::addColumn<QByteArray>("kind");
        QTest::addColumn<Command>("meanwhile");
        QTest::addColumn<bool>("fresh");
        QTest::addColumn<int>("outcome");
        const auto row = [](const char *kind, const char *name, const Command &meanwhile, bool fresh,
                            Outcome outcome) {
            QTest::addRow("%s, %s%s", kind, name, fresh ? ", fresh" : "")
                << QByteArray(kind) << meanwhile << fresh << int(outcome);
        };
        for (const Kind &kind : kinds()) {
            const QByteArray key = kind.make.first().at(1);
            row(kind.id.constData(), "nothing", {"PING"}, false, Outcome::Released);
            row(kind.id.constData(), "nothing", {"PING"}, true, Outcome::Released);
            row(kind.id.constData(), "gone", {"DEL", key}, true, Outcome::AlreadyFree);
            row(kind.id.constData(), "another type",
                {"EVAL", "redis.call('DEL', KEYS[1]) return redis.call('RPUSH', KEYS[1], 'x')", "1", key},
                false, Outcome::HolderChanged);
            const bool permit = kind.scheme == "redis.semaphore" && !areFields(kind.permits);
            const Command renew = permit ? Command{"ZADD", key, "4000000009999", "m"}
                                         : Command{"PEXPIREAT", key, "4000000060000"};
            row(kind.id.constData(), "renewed", renew, false, Outcome::Released);
            row(kind.id.constData(), "renewed", renew, true, Outcome::HolderChanged);
            if (!permit)
                row(kind.id.constData(), "deadline removed", {"PERSIST", key}, true, Outcome::HolderChanged);
            if (areFields(kind.permits))
                row(kind.id.constData(), "given back", {"HDEL", key, kind.make.first().at(2)}, false,
                    Outcome::AlreadyFree);
        }
        row("json", "another owner", {"SET", "k", kJson2, "KEEPTTL"}, false, Outcome::HolderChanged);
        row("json", "given back", {"SET", "k", quoted("{'owner':'a','state':'wait','lastSync':9}")}, false,
            Outcome::HolderChanged);
        row("json", "written otherwise", {"SET", "k", ' ' + kJson, "KEEPTTL"}, false, Outcome::HolderChanged);
        row("json", "written again", {"SET", "k", kJson}, false, Outcome::Released);
        row("json", "written again", {"SET", "k", kJson}, true, Outcome::HolderChanged);
        row("lock", "entered again", {"HINCRBY", "k", kA, "1"}, false, Outcome::HolderChanged);
        row("lock", "left once", {"HINCRBY", "k", kA, "-1"}, false, Outcome::HolderChanged);
        row("lock", "another holder",
            {"EVAL", "redis.call('DEL', 'k') return redis.call('HSET', 'k', ARGV[1], 2)", "0", kB}, false,
            Outcome::HolderChanged);
        row("read", "another reader", {"HSET", "k", kB, "1"}, false, Outcome::HolderChanged);
        row("read", "now written", {"HSET", "k", "mode", "write"}, false, Outcome::HolderChanged);
        row("write", "reads once more", {"HINCRBY", "k", kA, "1"}, false, Outcome::HolderChanged);
        row("write", "reads no more", {"HDEL", "k", kA}, false, Outcome::HolderChanged);
        row("permit", "given back", {"ZREM", "k", "m"}, false, Outcome::AlreadyFree);
        row("symfony", "now read", {"ZREM", "k", "__write__"}, false, Outcome::Released);
        row("sidekiq", "taken again", {"HSET", kJobs, kJob, "1795000001.5"}, false, Outcome::HolderChanged);
        row("sidekiq", "another beside", {"HSET", kJobs, "third", "1795000001.5"}, false, Outcome::Released);
        row("huey", "another value", {"HSET", "k", "app.lock.m", "2"}, false, Outcome::HolderChanged);
        row("redisson", "given back", {"ZREM", "{k}:timeout", "m"}, false, Outcome::AlreadyFree);
    }
    void guardMatrix()
    {
        QFETCH(QByteArray, kind);
        QFETCH(Command, meanwhile);
        QFETCH(bool, fresh);
        QFETCH(int, outcome);
        const Kind what = kindOf(kind);
        make(what);
        StoreHarness harness(storeFor(what));
        QVERIFY(harness.open());
        ReleaseOrder order = orderFor(harness.inspect(what.subject), fresh);
        QVERIFY(!order.guard.identity.isEmpty());
        if (meanwhile.contains("KEEPTTL") && RedisServer::version() < 600)
            QSKIP("SET has KEEPTTL from Redis 6 on");
        QVERIFY(!m_server.command(meanwhile).isError());
        const QByteArray before = dump();
        order.dryRun = true;
        QCOMPARE(int(harness.release(order).outcome), outcome);
        QCOMPARE(dump(), before);
        order.dryRun = false;
        const auto report = harness.release(order);
        QCOMPARE(int(report.outcome), outcome);
        QCOMPARE(report.error, base::Error{});
        QCOMPARE(dump() == before, Outcome(outcome) != Outcome::Released);
        if (Outcome(outcome) == Outcome::Released) {
            QVERIFY(!harness.inspect(what.subject).lock.present);
            QCOMPARE(harness.release(order).outcome, Outcome::AlreadyFree);
        }
    }

    /** Every term of every guard is needed: the script without it allows an event that the whole script
     * refuses. */
    void everyTermIsNeeded_data()
    {
        QTest::addColumn<Term>("row");
        for (const Term &row : terms())
            QTest::addRow("%s, %s%s", row.kind.constData(), row.term.constData(), row.exact ? "" : ", about")
                << row;
    }
    void everyTermIsNeeded()
    {
        QFETCH(Term, row);
        const Kind what = kindOf(row.kind);
        const redis::Script whole = scriptOf(what);
        const QByteArray mutated = without(whole, row.term);
        QVERIFY(!mutated.isEmpty());
        if (row.meanwhile.contains("KEEPTTL") && RedisServer::version() < 600)
            QSKIP("SET has KEEPTTL from Redis 6 on");
        for (const QByteArray &text : {whole.text, mutated}) {
            m_server.command({"FLUSHALL"});
            make(what);
            StoreHarness harness(storeFor(what, redis::Script(text), row.exact));
            QVERIFY(harness.open());
            ReleaseOrder order = orderFor(harness.inspect(what.subject), row.fresh);
            if (!row.exact)
                QVERIFY(order.guard.freshness.startsWith('~'));
            if (row.term == "some deadline") // as of a lease that was about to end
                order.guard.freshness.replace(0, (order.guard.freshness + '\n').indexOf('\n'), aboutNow());
            order.mustBeExpired = row.term == "expired" || row.term == "lease";
            QVERIFY(!m_server.command(row.meanwhile).isError());
            const Outcome outcome = harness.release(order).outcome;
            if (text == whole.text)
                QCOMPARE(outcome, row.right);
            else
                QVERIFY2(outcome != row.right, "the term isn't needed");
        }
    }

    /** No line of a guard is left out of the rows above. */
    void everyTermHasItsRow()
    {
        QSet<QByteArray> rows;
        for (const Term &row : terms())
            rows.insert(scriptOf(kindOf(row.kind)).sha + ' ' + row.term);
        for (const Kind &kind : kinds()) {
            const redis::Script script = scriptOf(kind);
            int terms = 0;
            for (qsizetype at = script.text.indexOf(kMark); at >= 0;
                 at = script.text.indexOf(kMark, at + 1)) {
                const qsizetype from = at + kMark.size();
                const QByteArray term = script.text.mid(from, script.text.indexOf('\n', from) - from);
                // A permit's freshness is its score, which is always exact.
                const bool shared = kind.scheme == "redis.semaphore" && !areFields(kind.permits) &&
                                    kDeadlineTerms.contains(term);
                if (!shared)
                    QVERIFY2(rows.contains(script.sha + ' ' + term), (kind.id + ' ' + term).constData());
                ++terms;
            }
            QVERIFY(terms >= 7);
        }
    }

    void whoWaitsIsWoken_data()
    {
        QTest::addColumn<QByteArray>("kind");
        QTest::addColumn<QByteArray>("channel");
        QTest::addColumn<QByteArray>("message");
        QTest::newRow("lock") << QByteArray("lock") << QByteArray("redisson_lock__channel:{k}")
                              << QByteArray("0");
        QTest::newRow("fair") << QByteArray("lock") << QByteArray("redisson_lock__channel:{k}:" + kB)
                              << QByteArray("0");
        QTest::newRow("read") << QByteArray("read") << QByteArray("redisson_rwlock:{k}") << QByteArray("0");
        QTest::newRow("permit") << QByteArray("redisson") << QByteArray("redisson_sc:{k}") << QByteArray("4");
    }
    void whoWaitsIsWoken()
    {
        QFETCH(QByteArray, kind);
        QFETCH(QByteArray, channel);
        QFETCH(QByteArray, message);
        const Kind what = kindOf(kind);
        make(what);
        m_server.command({"RPUSH", "redisson_lock_queue:{k}", kB, "other:1"});
        StoreHarness harness(storeFor(what));
        QVERIFY(harness.open());
        RedisPlain waiter(m_server.socketPath());
        waiter.command({"SUBSCRIBE", channel});
        QCOMPARE(harness.release(orderFor(harness.inspect(what.subject))).outcome, Outcome::Released);
        const RedisReply told = waiter.next();
        QCOMPARE(told.list.value(2).bytes, message);
        if (kind == "redisson")
            QCOMPARE(m_server.command({"GET", "k"}).bytes, QByteArray("4"));
        QCOMPARE(m_server.command({"LLEN", "redisson_lock_queue:{k}"}).integer, 2);
    }

    /** Symfony's writer is removed with its mark; a removed reader leaves another holder's mark. */
    void theMarkGoesWithItsWriter()
    {
        const Kind what = kindOf("symfony");
        StoreHarness harness(storeFor(what));
        QVERIFY(harness.open());
        for (const char *subject : {"n/k", "m/k"}) {
            m_server.command({"FLUSHALL"});
            make(what);
            QCOMPARE(harness.release(orderFor(harness.inspect(subject))).outcome, Outcome::Released);
            QCOMPARE(m_server.command({"ZCARD", "k"}).integer, subject[0] == 'm' ? 1 : 2);
        }
    }

    /** Waiting jobs of sidekiq-unique-jobs sleep on a list. A list that can't be written doesn't prevent the
     * break. */
    void whoSleepsOnAQueueIsWoken_data()
    {
        QTest::addColumn<bool>("writable");
        QTest::newRow("writable") << true;
        QTest::newRow("of another type") << false;
    }
    void whoSleepsOnAQueueIsWoken()
    {
        QFETCH(bool, writable);
        const Kind what = kindOf("sidekiq");
        const QByteArray queue("uniquejobs:77de68daecd823babbb58edb1c8e14d7:QUEUED");
        make(what);
        if (!writable)
            m_server.command({"SET", queue, "x"});
        StoreHarness harness(storeFor(what));
        QVERIFY(harness.open());
        const auto report = harness.release(orderFor(harness.inspect(what.subject)));
        QCOMPARE(report.outcome, Outcome::Released);
        QCOMPARE(report.error.cause.isEmpty(), writable);
        QCOMPARE(m_server.command({"HKEYS", kJobs}).list.size(), 1);
        if (writable)
            QVERIFY(m_server.command({"PTTL", queue}).integer > 0);
    }

    /** The script decides by the server's clock, in the same operation. */
    void aPermitThatRanOutIsBrokenAsExpired()
    {
        for (const QByteArray id : {"permit", "redisson", "symfony"}) {
            m_server.command({"FLUSHALL"});
            const Kind what = kindOf(id);
            make(what);
            m_server.command({"ZADD", what.make.first().at(1), "1700000000000", "m"});
            StoreHarness harness(storeFor(what));
            QVERIFY(harness.open());
            ReleaseOrder order = orderFor(harness.inspect(what.subject), true);
            order.mustBeExpired = true;
            QCOMPARE(harness.release(order).outcome, Outcome::Released);
            QCOMPARE(m_server.command({"ZCARD", what.make.first().at(1)}).integer, id == "symfony" ? 2 : 1);
        }
    }

    void withoutARightNothingIsWritten_data()
    {
        QTest::addColumn<QByteArray>("kind");
        QTest::addColumn<QByteArray>("missing");
        for (const char *row :
             {"json -del", "json -eval", "lock -del", "lock -publish", "lock resetchannels", "lock -hget",
              "permit -zrem", "symfony -zrem", "sidekiq -hdel", "huey -hdel", "redisson -incr",
              "redisson -publish", "redisson -zrem", "redisson resetchannels"}) {
            const QList<QByteArray> words = QByteArray(row).split(' ');
            QTest::newRow(row) << words.at(0) << words.at(1);
        }
    }
    void withoutARightNothingIsWritten()
    {
        QFETCH(QByteArray, kind);
        QFETCH(QByteArray, missing);
        if (m_server.command({"PEXPIRETIME", "k"}).isError())
            QSKIP("rights inside scripts can be asked about from Redis 7 on");
        const Kind what = kindOf(kind);
        make(what);
        const auto scheme = redis::schemeOf(setOf(what));
        m_server.command({"SCRIPT", "FLUSH"});
        const auto grant = [&](const QList<QByteArray> &more) {
            Command command{"ACL", "SETUSER", "lk", "reset", "on", ">pw", "~" + setOf(what).match, "-@all"};
            command += scheme->observeRules().split(' ') + scheme->breakRules().split(' ') + more;
            return m_server.command(command).bytes == "OK";
        };
        QVERIFY(grant({missing}));
        SourceSpec spec = specOf(what, QStringLiteral("lk"));
        spec.password = "pw";
        StoreHarness harness(std::move(*redis::makeStore(spec)));
        QVERIFY(harness.open());
        const auto denied = std::find_if(harness.m_info.access.cbegin(), harness.m_info.access.cend(),
                                         [](const domain::Access &a) { return !a.granted; });
        QVERIFY(denied != harness.m_info.access.cend() && denied->forBreaking);
        QVERIFY2(denied->remedy.startsWith(QLatin1String("ACL SETUSER lk ")), qPrintable(denied->remedy));
        const ReleaseOrder order = orderFor(harness.inspect(what.subject));
        const QByteArray before = dump();
        const auto report = harness.release(order);
        QCOMPARE(report.outcome, Outcome::Refused);
        QCOMPARE(report.error.code, base::ErrorCode::PermissionDenied);
        QVERIFY(report.error.remedy.startsWith(QLatin1String("ACL SETUSER lk ")));
        QCOMPARE(dump(), before);
        // The rights that --check names are enough.
        QVERIFY(grant({}));
        StoreHarness again(std::move(*redis::makeStore(spec)));
        QVERIFY(again.open());
        for (const domain::Access &access : std::as_const(again.m_info.access))
            QVERIFY2(access.granted, access.need.constData());
        QCOMPARE(again.release(orderFor(again.inspect(what.subject))).outcome, Outcome::Released);
    }

private:
    void make(const Kind &kind)
    {
        for (const Command &command : kind.make)
            QVERIFY(!m_server.command(command).isError());
    }

    static LockSet setOf(const Kind &kind)
    {
        LockSet set;
        set.scheme = kind.scheme;
        set.match = kind.match;
        set.keys.permits = kind.permits;
        return set;
    }

    /** `exact`: deadlines are read by PEXPIRETIME, where the server has it. */
    std::unique_ptr<Store> storeFor(const Kind &kind, const std::optional<redis::Script> &script = {},
                                    bool exact = true)
    {
        SourceSpec spec = specOf(kind);
        if (!exact && RedisServer::version() >= 700) {
            m_server.command(
                RedisServer::rules("ACL SETUSER about on >pw allkeys allchannels +@all -pexpiretime"));
            spec.url = m_server.url(0, QStringLiteral("about"));
            spec.password = "pw";
        }
        return std::make_unique<redis::RedisStore>(spec, *redis::endpointOf(spec), script);
    }

    SourceSpec specOf(const Kind &kind, const QString &user = {}) const
    {
        SourceSpec spec = redisSpec(m_server.url(0, user));
        spec.locks = {setOf(kind)};
        return spec;
    }

    /** A deadline within half a minute of now, in the form that guards use for an inexact deadline. */
    QByteArray aboutNow()
    {
        const qint64 nowMs = m_server.command({"TIME"}).list.value(0).bytes.toLongLong() * 1'000;
        return '~' + QByteArray::number(nowMs - 30'000) + "+60000";
    }

    /** Everything in the server, to see whether anything was written. */
    QByteArray dump()
    {
        return m_server
            .command({"EVAL",
                      "local keys = redis.call('KEYS', '*') table.sort(keys) local all = {} "
                      "for _, key in ipairs(keys) do all[#all + 1] = key .. redis.call('PTTL', key) * 0 "
                      ".. redis.sha1hex(redis.call('DUMP', key)) end return table.concat(all, ' ')",
                      "0"})
            .bytes;
    }

    RedisServer m_server;
};

LOCKKEEPER_TEST(TestRedisGuards)

} // namespace tst_redis_guards

#include "tst_redis_guards.moc"
