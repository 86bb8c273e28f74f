// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/locks/client_makers.h"
#include "shared/stores/host_list.h"
#include "shared/stores/redis/cluster/cluster_store.h"
#include "shared/stores/redis/redis_stores.h"
#include "tests/support/lock_answers.h"
#include "tests/support/redis_cluster.h"
#include "tests/support/store_harness.h"
#include "tests/support/test_program.h"

#include <QScopeGuard>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTest>

namespace tst_redis_cluster {

using namespace lockkeeper;
using namespace lockkeeper::stores;
using namespace lockkeeper::tests;
using base::ErrorCode;
using domain::Outcome;
using locks::Attempt;
using locks::AttemptResult;
using locks::Lease;
using locks::LockClient;

/** redis+cluster:// with a real cluster of three primaries. */
class TestRedisCluster : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QVERIFY(m_cluster.start()); }
    void init()
    {
        for (size_t i = 0; i < RedisCluster::kNodes; ++i)
            m_cluster.node(i).command({"FLUSHALL"});
    }

    void slotsAreTheServers()
    {
        QCOMPARE(redis::hashSlotOf("123456789"), quint16(0x31C3));
        const QByteArrayList keys{"",          "a",          "lock:orders",   "{user1}.a",
                                  "x{user1}y", "foo{}{bar}", "foo{{bar}}zap", "a{b}",
                                  "{}a",       "{a",         "a}b{c}",        QByteArray("\0\xff{\n}", 5)};
        for (const QByteArray &key : keys)
            QCOMPARE(qint64(redis::hashSlotOf(key)),
                     m_cluster.node(0).command({"CLUSTER", "KEYSLOT", key}).integer);
    }

    void urls_data()
    {
        QTest::addColumn<QString>("url");
        QTest::addColumn<int>("seeds"); // 0: refused
        QTest::newRow("two") << QStringLiteral("redis+cluster://lk@a,b:7001") << 2;
        QTest::newRow("database 0") << QStringLiteral("redis+cluster://a:1,b:1,c:1/0") << 3;
        QTest::newRow("another database") << QStringLiteral("redis+cluster://a:1/1") << 0;
    }
    void urls()
    {
        QFETCH(QString, url);
        QFETCH(int, seeds);
        const auto read = redis::clusterSeedsOf(redisSpec(urlOf(url)));
        QCOMPARE(read.has_value() ? int(read->size()) : 0, seeds);
    }

    void nobodyToAsk()
    {
        StoreHarness harness(storeFor(urlOf(QStringLiteral("redis+cluster://127.0.0.1:1,127.0.0.1:2"))));
        QVERIFY(!harness.open());
        QCOMPARE(harness.m_failures.size(), 1);
        QCOMPARE(harness.m_failures.first().code, ErrorCode::Unreachable);
        QVERIFY(harness.inspect("k").error.has_value());
        QCOMPARE(harness.release({}).outcome, Outcome::Unreachable);
    }

    /** A node on the smaller side of a partition still considers itself the slots' primary. */
    void aNodeThatIsCutOffIsAskedLast()
    {
        const auto answering = [](QTcpServer &node, int port, const QByteArray &others) {
            const QByteArray own = others == "master" ? "master,fail" : "myself,master";
            const QByteArray lines =
                "a 127.0.0.1:7001@1 " + own + " - 0 0 1 connected 0-100\nb 127.0.0.1:7002@1 " + others +
                " - 0 0 2 connected 101-200\nc 127.0.0.1:7003@1 " + others + " - 0 0 3 connected 201-16383\n";
            const QByteArray answer =
                "*1\r\n*3\r\n:0\r\n:16383\r\n*3\r\n$9\r\n127.0.0.1\r\n:" + QByteArray::number(port) +
                "\r\n$1\r\na\r\n+OK\r\n$" + QByteArray::number(lines.size()) + "\r\n" + lines + "\r\n";
            connect(&node, &QTcpServer::newConnection, &node, [&node, answer] {
                QTcpSocket *client = node.nextPendingConnection();
                connect(client, &QTcpSocket::readyRead, client, [client, answer] { client->write(answer); });
            });
            return node.listen(QHostAddress::LocalHost);
        };
        QTcpServer cutOff;
        QTcpServer whole;
        QVERIFY(answering(cutOff, 7001, "master,fail?") && answering(whole, 7009, "master"));
        redis::ClusterGuide guide{QByteArray()};
        QList<quint16> owners;
        connect(&guide, &redis::ClusterGuide::answered, this,
                [&owners](const redis::ClusterMap &map) { owners.append(map.nodes.first().port); });
        const auto at = [](const QTcpServer &node) {
            redis::Endpoint endpoint;
            endpoint.host = QStringLiteral("127.0.0.1");
            endpoint.port = node.serverPort();
            return endpoint;
        };
        guide.ask({at(cutOff), at(whole)});
        QTRY_COMPARE(owners, QList<quint16>({7009}));
        redis::Endpoint nobody = at(whole);
        nobody.port = 1;
        for (const QList<redis::Endpoint> &nodes : {QList{at(cutOff)}, QList{at(cutOff), nobody}}) {
            owners.clear();
            guide.ask(nodes);
            QTRY_COMPARE(owners, QList<quint16>({7001})); // better than none
        }
    }

    /** After a map that names the same primaries as the one before, too: a primary gives its keys along only
     * where it gives all its slots to others. */
    void aRunThatEndedIsTold_data()
    {
        QTest::addColumn<bool>("gaveAll"); // to the other primary, before
        QTest::addColumn<bool>("gotThemBack");
        QTest::addColumn<int>("told");
        QTest::newRow("restarted") << false << false << 1;
        QTest::newRow("gave all its slots away") << true << false << 0;
        QTest::newRow("got them back, and restarted") << true << true << 1;
    }
    void aRunThatEndedIsTold()
    {
        QFETCH(bool, gaveAll);
        QFETCH(bool, gotThemBack);
        QFETCH(int, told);
        redis::ClusterShards shards(redis::schemesOf(redisSpec(m_cluster.url(), "lock:*")));
        QList<ShardState> states;
        redis::ClusterRuns runs(shards, [&states](const ShardState &state) { states.append(state); });
        redis::ClusterMap map;
        map.nodes = {{"a", QStringLiteral("h"), 1, {}, {}}, {"b", QStringLiteral("h"), 2, {}, {}}};
        for (const redis::ClusterNode &node : std::as_const(map.nodes)) {
            redis::ClusterShard &shard = shards.add(std::make_unique<redis::ClusterShard>());
            shard.node = node;
            shard.up = true;
            shard.info.instance = "run of " + node.id;
            runs.opened(shard);
        }
        redis::ClusterShard *first = shards.all().front().get();
        redis::ClusterShard *second = shards.all().back().get();
        const auto take = [&](qint16 owner) {
            map.owner.fill(owner);
            runs.noteMap(map);
            shards.setOwners(map);
            runs.tellChanges();
        };
        take(0);
        take(0);
        second->up = false; // until the first one has ended
        if (gaveAll)
            take(1);
        if (gotThemBack) {
            take(0);
            take(0);
        }
        QCOMPARE(states.size(), 0);
        if (gaveAll && !gotThemBack)
            shards.take(first);
        else
            first->info.instance = "run of a, again";
        second->up = true;
        runs.tellChanges();
        QCOMPARE(states.size(), told);
        if (told > 0)
            QVERIFY(states.constFirst().restarted && !states.constFirst().failover);
    }

    /** A map that is read meanwhile doesn't end the outage: only a scan does. */
    void whatRefusesToBeReadIsLost()
    {
        redis::ClusterShards shards(redis::schemesOf(redisSpec(m_cluster.url(), "lock:*")));
        QList<bool> told;
        redis::ClusterRuns runs(shards, [&told](const ShardState &state) { told.append(state.up); });
        redis::ClusterShard &shard = shards.add(std::make_unique<redis::ClusterShard>());
        shard.node.id = "a";
        shard.up = true;
        redis::ClusterMap map;
        map.nodes = {shard.node};
        map.owner.fill(0);
        shards.setOwners(map);
        runs.scanned(shard, {false, 0, 0, 0, {ErrorCode::Timeout, QStringLiteral("late"), {}}});
        QCOMPARE(told, QList<bool>());
        runs.scanned(shard, {false, 0, 0, 0, {ErrorCode::PermissionDenied, QStringLiteral("NOPERM"), {}}});
        runs.tellChanges();
        QCOMPARE(told, QList<bool>{false});
        runs.scanned(shard, {true, 1, 2, 0, {}});
        QCOMPARE(told, QList<bool>({false, true}));
    }

    void aServerThatIsNoClusterIsSaidToBeOne()
    {
        RedisServer plain;
        QVERIFY(plain.start({}, true));
        StoreHarness harness(
            storeFor(urlOf(QStringLiteral("redis+cluster://127.0.0.1:%1").arg(plain.port()))));
        QVERIFY(!harness.open());
        QVERIFY2(harness.m_failures.first().cause.contains(QLatin1String("cluster support disabled")),
                 qPrintable(harness.m_failures.first().line()));
    }

    void locksOfAllNodesAreOneTable()
    {
        QSet<QByteArray> names;
        for (int i = 0; i < 300; ++i)
            names.insert("lock:" + QByteArray::number(i));
        for (const QByteArray &name : std::as_const(names))
            QCOMPARE(m_cluster.command(name, {"SET", name, "holder", "PX", "100000"}).bytes,
                     QByteArray("OK"));
        StoreHarness harness(storeFor(m_cluster.url()));
        QVERIFY(harness.open());
        QVERIFY(harness.scan());
        QCOMPARE(harness.m_ends.size(), 1);
        QCOMPARE(harness.m_ends.first().scanned, 300);
        QVERIFY(!harness.m_ends.first().covers);
        QSet<QByteArray> seen;
        for (const Page &page : std::as_const(harness.m_pages)) {
            for (const Observation &lock : page.locks)
                seen.insert(lock.name);
        }
        QCOMPARE(seen, names);

        QList<Subject> subjects;
        for (const QByteArray &name : std::as_const(names))
            subjects.append({0, name});
        subjects.append({0, "lock:absent"});
        QCOMPARE(harness.readPoints(subjects).size(), 301);

        for (size_t i = 0; i < RedisCluster::kNodes; ++i) {
            const QByteArray name = m_cluster.keyAt(i, "lock:own");
            m_cluster.node(i).command({"SET", name, "me"});
            const auto found = harness.inspect(name);
            QVERIFY(!found.error);
            QCOMPARE(found.guard.instance, runOf(i));
            QCOMPARE(harness.m_info.instanceOf({0, name}), runOf(i));
            QCOMPARE(harness.release(orderFor(found, true)).outcome, Outcome::Released);
            QCOMPARE(m_cluster.node(i).command({"EXISTS", name}).integer, 0);
        }
    }

    /** The lock library acquires, renews and releases each lock at the node of its slot, also while the slot
     * moves. */
    void locksAreTakenWhereTheyBelong_data()
    {
        QTest::addColumn<QByteArray>("scheme");
        for (const char *scheme : {"redis.token", "redis.redisson", "redis.semaphore", "redis.json"})
            QTest::newRow(scheme) << QByteArray(scheme);
    }
    void locksAreTakenWhereTheyBelong()
    {
        QFETCH(QByteArray, scheme);
        LockSet set;
        set.scheme = scheme;
        auto fenced = locks::redis::makeLockClient(redisSpec(m_cluster.url()), set, "me");
        QVERIFY(fenced.has_value());
        set.keys.fencing = false;
        auto made = locks::redis::makeLockClient(redisSpec(m_cluster.url()), set, "me");
        QVERIFY(made.has_value());
        LockClient &client = **made;
        const auto done = [](const AttemptResult &result) {
            return result.attempt == Attempt::Done && !result.error;
        };
        // A separate slot for each row; it stays at its new node until the end.
        const QByteArray name = m_cluster.keyAt(0, "take:" + scheme);
        const quint16 slot = redis::hashSlotOf(name);
        RedisServer &from = m_cluster.node(0);
        RedisServer &to = m_cluster.node(1);
        for (size_t i = 0; i < RedisCluster::kNodes; ++i) {
            const QByteArray other = m_cluster.keyAt(i, "other:" + scheme);
            const AttemptResult taken = acquired(client, other, 60'000'000);
            QVERIFY(done(taken));
            QCOMPARE(m_cluster.node(i).command({"EXISTS", other}).integer, 1);
            QVERIFY(done(renewed(client, taken.lease, 90'000'000)));
            QVERIFY(done(released(client, taken.lease)));
        }
        m_cluster.beginMove(slot, from, to);
        // Once the slot has moved, two keys may be on two nodes.
        if (const AttemptResult busy = acquired(**fenced, name, 60'000'000); (*fenced)->traits().fencing) {
            QVERIFY(busy.error && base::isTransient(busy.error->code));
            QVERIFY(busy.lease.token.isEmpty());
        } else {
            QVERIFY(done(released(**fenced, busy.lease)));
        }
        const AttemptResult byAsk = acquired(client, name, 60'000'000);
        QVERIFY(done(byAsk));
        const Lease &there = byAsk.lease;
        QVERIFY(done(renewed(client, there, 90'000'000)));
        m_cluster.endMove(slot, to);
        QVERIFY(done(renewed(client, there, 90'000'000))); // by MOVED
        QCOMPARE(to.command({"EXISTS", name}).integer, 1);
        QVERIFY(!acquired(client, name, 60'000'000).error);
        QVERIFY(done(released(client, there)));
        m_cluster.beginMove(slot, to, from); // back, for the other tests
        QVERIFY(m_cluster.moveKeys(slot, to, from));
        m_cluster.endMove(slot, from);
    }

    /** A waiter is registered at the lock's node, and read there. */
    void waitersAreRegisteredWithTheirLock()
    {
        SourceSpec spec = redisSpec(m_cluster.url(), "waited:*");
        spec.locks.first().waitersRegistered = true;
        auto made = locks::redis::makeLockClient(spec, spec.locks.first(), "me");
        QVERIFY(made && (*made)->traits().registers);
        LockClient &client = **made;
        StoreHarness harness(std::move(*redis::makeStore(spec)));
        QVERIFY(harness.open());
        for (size_t i = 0; i < RedisCluster::kNodes; ++i) {
            const QByteArray name = m_cluster.keyAt(i, "waited:");
            QCOMPARE(acquired(client, name, 60'000'000).attempt, Attempt::Done);
            const AttemptResult told = answerTo([&](auto done) {
                client.announce(name, {{"they", 0}}, 60'000'000, std::move(done));
            });
            QVERIFY2(!told.error, qPrintable(told.error.value_or(base::Error{}).line()));
            const auto waiters = [&] {
                const Observation *lock = harness.scan() ? harness.find(name) : nullptr;
                return lock != nullptr && lock->waitersVisible ? lock->waiters.size() : -1;
            };
            QCOMPARE(waiters(), 1);
            client.forget(name, "they");
            QTRY_COMPARE(waiters(), 0);
        }
    }

    /** A danger to the locks of one node is a danger to some of the source's locks. */
    void findingsOfAllNodes()
    {
        QCOMPARE(m_cluster.node(1).command({"CONFIG", "SET", "maxmemory", "100mb"}).bytes, QByteArray("OK"));
        QCOMPARE(m_cluster.node(1).command({"CONFIG", "SET", "maxmemory-policy", "allkeys-lru"}).bytes,
                 QByteArray("OK"));
        StoreHarness harness(storeFor(m_cluster.url()));
        QList<domain::Finding> last;
        connect(&harness.store(), &Store::findingsRead, this,
                [&last](const QList<domain::Finding> &findings) { last = findings; });
        QVERIFY(harness.open());
        const auto count = [&last](const char *code) {
            return std::count_if(last.cbegin(), last.cend(),
                                 [code](const domain::Finding &finding) { return finding.code == code; });
        };
        QTRY_COMPARE(count("eviction_policy"), 1);
        QTRY_COMPARE(count("no_persistence"), 1); // of all three
        const auto nodeOf = [&last](const char *code) {
            const auto found =
                std::find_if(last.cbegin(), last.cend(),
                             [code](const domain::Finding &finding) { return finding.code == code; });
            return found == last.cend() ? QByteArray() : found->node;
        };
        QTRY_COMPARE(nodeOf("eviction_policy"), "127.0.0.1:" + QByteArray::number(m_cluster.node(1).port()));
        QTRY_COMPARE(nodeOf("no_persistence").count("127.0.0.1:"), 3);
        QCOMPARE(count("clock_offset"), 0);
        m_cluster.node(1).command({"CONFIG", "SET", "maxmemory", "0"});
        m_cluster.node(1).command({"CONFIG", "SET", "maxmemory-policy", "noeviction"});
    }

    /** Attempts at any node are counted, and the commands that it may cost are shared. */
    void aProbeOfAllNodes()
    {
        SourceSpec spec = redisSpec(m_cluster.url(), "lock:*");
        spec.probe = true;
        StoreHarness harness(std::move(*redis::makeStore(spec)));
        QVERIFY(harness.open());
        QByteArrayList names;
        for (size_t i = 0; i < RedisCluster::kNodes; ++i) {
            names.append(m_cluster.keyAt(i, "lock:probe"));
            m_cluster.node(i).command({"SET", names.last(), "holder"});
        }
        std::optional<ProbeReport> report;
        const auto take = [&report](const ProbeReport &told) { report = told; };
        ProbeOrder order;
        order.forUs = 1'000'000;
        harness.store().probe(order, take);
        const auto attempts = [&] {
            for (size_t i = 0; i < RedisCluster::kNodes; ++i)
                m_cluster.node(i).command({"SET", names.at(qsizetype(i)), "me", "NX", "PX", "1000"});
            return report.has_value();
        };
        QVERIFY(QTest::qWaitFor(attempts, 10'000));
        QVERIFY2(!report->error, report->error ? qPrintable(report->error->line()) : "");
        QCOMPARE(report->counts.size(), 3);
        for (const ProbeCount &count : std::as_const(report->counts))
            QVERIFY(names.contains(count.lock) && count.attempts > 1);
        QVERIFY(report->endedUs - report->beganUs > 800'000);
        report.reset();
        order.mostCommands = 30; // ten a node
        order.forUs = 5'000'000;
        harness.store().probe(order, take);
        QVERIFY(QTest::qWaitFor(attempts, 4'000));
        QCOMPARE(report->end, domain::ProbeEnd::Commands);
        QCOMPARE(report->commands, 30);
    }

    void nobodyToTakeLocksFrom()
    {
        LockSet set;
        set.scheme = "redis.token";
        auto made = locks::redis::makeLockClient(
            redisSpec(urlOf(QStringLiteral("redis+cluster://127.0.0.1:1"))), set, "me");
        QVERIFY(made.has_value());
        const AttemptResult answer = acquired(**made, "a", 60'000'000);
        QVERIFY(answer.error.has_value());
        QCOMPARE(answer.error->code, ErrorCode::Unreachable);
    }

    void aPrimaryThatCantPushIsNamed()
    {
        RedisServer &mute = m_cluster.node(1);
        mute.command({"ACL", "SETUSER", "default", "-client|tracking"});
        const auto allow = qScopeGuard([&mute] {
            mute.command({"ACL", "SETUSER", "default", "+client|tracking"});
        });
        if (mute.command({"CLIENT", "TRACKING", "OFF"}).type != 6) // REDIS_REPLY_ERROR
            QSKIP("this server can't forbid it");
        SourceSpec spec = redisSpec(m_cluster.url(), "lock:*");
        spec.push = true;
        StoreHarness harness(std::move(*redis::makeStore(spec)));
        QList<PushState> states;
        QList<domain::Finding> findings;
        connect(&harness.store(), &Store::pushStateChanged, this,
                [&states](const PushState &state) { states.append(state); });
        connect(&harness.store(), &Store::findingsRead, this,
                [&findings](const QList<domain::Finding> &found) { findings = found; });
        QVERIFY(harness.open());
        QTRY_VERIFY(!states.isEmpty());
        const QByteArray address = "127.0.0.1:" + QByteArray::number(mute.port());
        QVERIFY(!states.constFirst().on && !states.constFirst().blind);
        QVERIFY2(states.constFirst().why.cause.contains(QString::fromUtf8(address)),
                 qPrintable(states.constFirst().why.cause));
        QTRY_VERIFY(findings.contains(
            domain::Finding{QByteArrayLiteral("node_polled"), domain::Severity::Notice, address}));
    }

    /** A user that may not follow slots on the move: the source says which rule is missing, and that it may
     * break. */
    void rightsAreTheClusters()
    {
        if (RedisServer::version() < 600)
            QSKIP("there are users from Redis 6 on");
        for (size_t i = 0; i < RedisCluster::kNodes; ++i)
            QCOMPARE(m_cluster.node(i)
                         .command(RedisServer::rules(
                             "ACL SETUSER lk on >pw ~lock:* -@all +scan +getrange +strlen +pexpiretime +time "
                             "+info +type +del +eval +evalsha +wait +cluster|slots"))
                         .bytes,
                     QByteArray("OK"));
        SourceSpec spec = redisSpec(m_cluster.url(), "lock:*", "pw");
        spec.url.setUserName(QStringLiteral("lk"));
        StoreHarness harness(std::move(*redis::makeStore(spec)));
        QVERIFY(harness.open());
        QStringList missing;
        QByteArrayList granted;
        for (const domain::Access &access : std::as_const(harness.m_info.access)) {
            if (access.granted)
                granted.append(access.need);
            else
                missing.append(QString::fromLatin1(access.need) + QLatin1Char(' ') + access.remedy);
        }
        missing.sort();
        // Before Redis 7, an error names the command without its subcommand.
        const QString nodes =
            RedisServer::version() < 700 ? QStringLiteral("+cluster") : QStringLiteral("+cluster|nodes");
        QCOMPARE(missing, QStringList({QStringLiteral("asking ACL SETUSER lk +asking"),
                                       QStringLiteral("cluster|nodes ACL SETUSER lk ") + nodes}));
        QVERIFY(granted.contains("release") &&
                granted.contains(RedisServer::version() < 700 ? "pttl" : "pexpiretime"));
        QVERIFY(harness.scan());
    }

    /** A right is revoked during the watch: the store reports the unread part. */
    void aPrimaryThatRefusesToBeReadIsAPart()
    {
        if (RedisServer::version() < 600)
            QSKIP("there are users from Redis 6 on");
        RedisServer &node = m_cluster.node(2);
        const QByteArray there = m_cluster.keyAt(2, "lock:unread");
        const QByteArray elsewhere = m_cluster.keyAt(0, "lock:unread");
        StoreHarness harness(storeFor(m_cluster.url()));
        QList<ShardState> parts;
        connect(&harness.store(), &Store::shardChanged, this,
                [&parts](const ShardState &part) { parts.append(part); });
        QVERIFY(harness.open());
        QVERIFY(harness.scan());
        QVERIFY(parts.isEmpty());
        node.command({"ACL", "SETUSER", "default", "-scan"});
        const auto allow = qScopeGuard([&node] { node.command({"ACL", "SETUSER", "default", "+scan"}); });
        QVERIFY(harness.scan());
        QCOMPARE(parts.size(), 1);
        QVERIFY(!parts.first().up && parts.first().error.code == ErrorCode::PermissionDenied);
        QVERIFY(parts.first().holds({0, there}) && !parts.first().holds({0, elsewhere}));
        const auto covers = harness.m_ends.first().covers;
        QVERIFY(covers && covers({0, elsewhere}) && !covers({0, there}));
        node.command({"ACL", "SETUSER", "default", "+scan"});
        parts.clear();
        QVERIFY(harness.scan());
        QCOMPARE(parts.size(), 1);
        QVERIFY(parts.first().up && !parts.first().restarted);
        QVERIFY(harness.m_failures.isEmpty());
    }

    /** A node dies and comes back empty: only a part is affected. */
    void aNodeIsLostAndComesBack()
    {
        QList<QByteArray> names;
        for (size_t i = 0; i < RedisCluster::kNodes; ++i) {
            names.append(m_cluster.keyAt(i, "lock:part"));
            m_cluster.node(i).command({"SET", names.last(), "holder"});
        }
        StoreHarness harness(storeFor(m_cluster.url()));
        QList<ShardState> parts;
        connect(&harness.store(), &Store::shardChanged, this,
                [&](const ShardState &part) { parts.append(part); });
        QVERIFY(harness.open());
        QVERIFY(harness.scan());
        QVERIFY(parts.isEmpty());
        m_cluster.node(2).kill();
        QTRY_COMPARE_WITH_TIMEOUT(parts.size(), 1, 10'000);
        QVERIFY(!parts.first().up);
        QVERIFY(parts.first().node.endsWith(QByteArray::number(m_cluster.node(2).port())));
        QVERIFY(parts.first().ranges.contains(QLatin1Char('-')));
        QVERIFY(parts.first().holds({0, names.at(2)}) && !parts.first().holds({0, names.at(0)}));
        QVERIFY(harness.scan());
        const auto covers = harness.m_ends.first().covers;
        QVERIFY(covers && covers({0, names.at(0)}) && covers({0, names.at(1)}) && !covers({0, names.at(2)}));
        QVERIFY(harness.find(names.at(0)) != nullptr && harness.find(names.at(2)) == nullptr);
        QVERIFY(harness.inspect(names.at(2)).error.has_value());
        QVERIFY(!harness.inspect(names.at(0)).error);
        QVERIFY(harness.m_failures.isEmpty());

        parts.clear();
        QVERIFY(m_cluster.node(2).restart());
        const auto areUp = [&parts] {
            parts.removeIf([](const ShardState &part) { return !part.up; }); // it loads, and joins the others
            return parts.size() >= 2;
        };
        QVERIFY(QTest::qWaitFor(areUp, 20'000));
        QVERIFY(parts.at(0).up && parts.at(0).restarted && !parts.at(0).failover);
        QVERIFY(parts.at(0).holds({0, names.at(2)}) && !parts.at(0).holds({0, names.at(0)}));
        QVERIFY(parts.at(1).up && !parts.at(1).restarted);
        QVERIFY(QTest::qWaitFor([&] { return harness.scan() && !harness.m_ends.first().covers; }, 10'000));
        QVERIFY(harness.m_failures.isEmpty());
    }

private:
    static std::unique_ptr<Store> storeFor(const QUrl &url)
    {
        return std::move(*redis::makeStore(redisSpec(url, "lock:*")));
    }

    QByteArray runOf(size_t index)
    {
        const QByteArray info = m_cluster.node(index).command({"INFO", "server"}).bytes;
        const qsizetype at = info.indexOf("run_id:") + 7;
        return info.mid(at, 40);
    }

    RedisCluster m_cluster;
};

LOCKKEEPER_TEST(TestRedisCluster)

} // namespace tst_redis_cluster

#include "tst_redis_cluster.moc"
