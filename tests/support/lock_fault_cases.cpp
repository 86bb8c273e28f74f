// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/lock_fault_cases.h"

#include "shared/locks/sql/create_table.h"
#include "tests/support/etcd_server.h"
#include "tests/support/mariadb_server.h"
#ifdef LOCKKEEPER_WITH_MONGODB
#include "tests/support/mongod_server.h"
#endif
#include "tests/support/postgres_server.h"
#include "tests/support/recheck_clients.h"
#include "tests/support/redlock_nodes.h"
#include "tests/support/slow_link.h"
#include "tests/support/tcp_proxy.h"
#include "tests/support/zookeeper_server.h"

#include <QFile>
#include <QFileInfo>
#include <QUrlQuery>

namespace lockkeeper::tests {

using std::chrono::hours;
using std::chrono::milliseconds;
using stores::LockSet;

namespace {

QByteArray sourceOf(const QByteArray &url, const QByteArray &set, const QByteArray &settings = {})
{
    return "[[source]]\nname = \"fight\"\nurl = \"" + url + "\"\n" + settings + "[[source.locks]]\n" + set +
           '\n';
}

QByteArray sourceOf(const QUrl &url, const QByteArray &set)
{
    return sourceOf(url.toString().toUtf8(), set);
}

/** Links are cut in the middle of an answer, each time for a moment, and in between the server crashes. */
std::function<void()> cutsAndCrashes(ProxyThread &proxy, const std::function<void()> &crash)
{
    return [&proxy, crash, turn = 0]() mutable {
        switch (turn++ % 6) {
        case 0:
            return proxy.cutAnswersAfter(turn * 37 % 500);
        case 3:
            return crash();
        default:
            return proxy.cutAnswersAfter(-1);
        }
    };
}

/** Redis that writes each command to its disk before it answers. */
FaultReport durableRedis(FaultPlan plan, const QByteArray &set)
{
    RedisServer server;
    if (!server.start({QStringLiteral("--appendonly"), QStringLiteral("yes"), QStringLiteral("--appendfsync"),
                       QStringLiteral("always")}))
        return {};
    ProxyThread proxy(server.socketPath());
    if (!proxy.listen())
        return {};
    plan.source = sourceOf(QUrl(QStringLiteral("redis+unix://") + proxy.path()), set);
    plan.clocksOff = hours(1);
    plan.faultEvery = milliseconds(500);
    plan.fault = cutsAndCrashes(proxy, [&server] {
        server.kill();
        server.restart();
    });
    return runFaults(plan);
}

/** The server forgets the holders of its locks, and no broken link shows it. */
FaultReport forgetfulRedis(FaultPlan plan)
{
    RedisServer server;
    if (!server.start())
        return {};
    plan.source = sourceOf(server.url(), "scheme = \"redis.token\"");
    plan.kills = plan.stops = false;
    plan.faultEvery = milliseconds(600);
    plan.fault = [&server] { server.command({"FLUSHALL"}); };
    return runFaults(plan);
}

/** A replica takes over that was cut off for longer than a TTL: replication waits for nobody. That the links
 * to the old primary are dead shows only when nothing answers. */
FaultReport staleReplica(FaultPlan plan)
{
    RedisServer servers[2];
    const QStringList atOnce{QStringLiteral("--repl-diskless-sync-delay"), QStringLiteral("0")};
    const auto copyAndLoseTouch = [](RedisServer &replica, RedisServer &primary) {
        replica.command({"REPLICAOF", "127.0.0.1", QByteArray::number(primary.port())});
        const bool same = primary.waitForReplica();
        replica.command({"REPLICAOF", "127.0.0.1", "1"}); // nothing listens there: the replica keeps its data
        return same;
    };
    if (!servers[0].start(atOnce, true) || !servers[1].start(atOnce, true) ||
        !copyAndLoseTouch(servers[1], servers[0]))
        return {};
    ProxyThread proxy(servers[0].socketPath());
    if (!proxy.listen())
        return {};
    proxy.keepClients();
    plan.source = sourceOf("redis+unix://" + proxy.path().toUtf8(), "scheme = \"redis.token\"",
                           "statement_timeout_ms = 100\n");
    plan.kills = plan.stops = false;
    plan.processes = std::max(plan.processes, 10); // each asks: one is in time before the holder renews
    plan.locks = std::max(plan.locks, 6);
    plan.longestHold = plan.ttl;
    plan.lasts = std::max(plan.lasts, milliseconds(6'000));
    plan.faultEvery = plan.ttl + plan.ttl / 2;
    plan.fault = [&, turn = 0]() mutable {
        RedisServer &old = servers[turn % 2];
        RedisServer &next = servers[++turn % 2];
        next.command({"REPLICAOF", "NO", "ONE"});
        proxy.leadTo(next.socketPath());
        old.kill();
        old.restart();
        copyAndLoseTouch(old, next);
    };
    return runFaults(plan);
}

/** Clients of redis.json as its inventors wrote them, which write and then look whether it lasted. */
FaultReport recheck(FaultPlan plan)
{
    RedisServer server;
    if (!server.start())
        return {};
    plan.source = sourceOf(server.url(), "scheme = \"redis.json\"");
    plan.kills = plan.stops = false;
    plan.ttl = milliseconds(3'000);
    plan.longestHold = milliseconds(1'500);
    plan.lasts = std::max(plan.lasts, milliseconds(6'000));
    LockFaults faults(plan);
    RecheckClients others(server, "fight-0", 3);
    faults.start();
    others.start();
    return faults.finished([&others] { return others.holds(); });
}

/** Three nodes without persistence, that crash one after the other. */
FaultReport redlock(FaultPlan plan, bool awayForATtl)
{
    RedlockNodes nodes;
    if (!nodes.start(3))
        return {};
    plan.source = sourceOf(nodes.url(), "scheme = \"redis.redlock\"");
    plan.kills = plan.stops = awayForATtl;
    plan.faultEvery = awayForATtl ? plan.ttl + plan.ttl / 3 : plan.ttl / 6;
    plan.fault = [&nodes, awayForATtl, turn = 0]() mutable {
        RedisServer &node = nodes.at(turn / 2 % 3);
        if (!awayForATtl || turn % 2 == 0)
            node.kill();
        if (!awayForATtl || turn % 2 == 1)
            node.restart();
        turn += awayForATtl ? 1 : 2;
    };
    return runFaults(plan);
}

/** As long as the tables' columns of whole seconds need it. */
FaultPlan sqlPlan(FaultPlan plan, const QUrl &url, const QByteArray &set)
{
    plan.source = sourceOf(url, set);
    plan.ttl = std::max(plan.ttl, milliseconds(2'000));
    plan.lasts = std::max(plan.lasts, milliseconds(7'000));
    plan.clocksOff = hours(1);
    plan.faultEvery = milliseconds(500);
    return plan;
}

/** Locks that live as long as a connection: links are cut while no request is open, and holds are long. */
FaultReport runSessions(FaultPlan plan, ProxyThread &proxy, const std::function<void()> &crash)
{
    plan.longestHold = milliseconds(1'200);
    plan.window = milliseconds(400);
    plan.fault = [&proxy, crash, turn = 0]() mutable { turn++ % 6 == 3 ? crash() : proxy.cutLinks(); };
    return runFaults(plan);
}

FaultReport mariaDb(const FaultPlan &scale, const QByteArray &set, const QStringList &tables, bool sessions)
{
    MariaDbServer server({QStringLiteral("--max-connections=2000"), QStringLiteral("--event-scheduler=ON")});
    if (!server.start())
        return {};
    server.exec(QStringLiteral("CREATE DATABASE app;"));
    for (const QString &statement : tables)
        server.exec(statement, QStringLiteral("app"));
    ProxyThread proxy(server.socketPath());
    if (!proxy.listen())
        return {};
    QUrl url = server.url(QStringLiteral("app"));
    url.setPath(proxy.path());
    FaultPlan plan = sqlPlan(scale, url, set);
    const auto crash = [&server] {
        server.kill();
        server.start();
    };
    if (sessions)
        return runSessions(plan, proxy, crash);
    plan.fault = cutsAndCrashes(proxy, crash);
    return runFaults(plan);
}

FaultReport mariaDbRows(const FaultPlan &scale)
{
    QStringList rows;
    for (int i = 0; i < scale.locks; ++i)
        rows.append(QStringLiteral("('fight-%1')").arg(i));
    return mariaDb(scale, "scheme = \"sql.row\"\ntable = \"locks\"",
                   {QStringLiteral("CREATE TABLE locks (lock_key VARCHAR(64) PRIMARY KEY) ENGINE = InnoDB;"),
                    QStringLiteral("INSERT INTO locks VALUES %1;").arg(rows.join(QLatin1Char(',')))},
                   true);
}

FaultReport postgres(const FaultPlan &scale)
{
    PostgresServer server({QStringLiteral("-c"), QStringLiteral("max_connections=500")});
    if (!server.start())
        return {};
    const QString name = QStringLiteral(".s.PGSQL.%1").arg(server.port()); // as libpq looks for it
    ProxyThread proxy(server.socketFolder() + QLatin1Char('/') + name);
    const QString folder = QFileInfo(proxy.path()).path();
    if (!proxy.listen() || !QFile::link(proxy.path(), folder + QLatin1Char('/') + name))
        return {};
    QUrl url = server.url();
    QUrlQuery query(url);
    query.removeQueryItem(QStringLiteral("host"));
    query.addQueryItem(QStringLiteral("host"), folder);
    url.setQuery(query);
    return runSessions(sqlPlan(scale, url, "scheme = \"sql.advisory\""), proxy, [&server] {
        server.stop();
        server.start();
    });
}

/**
 * A store with queues. For moments, each of its answers is dropped and cuts its link. In between, the store
 * crashes and comes back with its data.
 */
template <typename Server> FaultReport queues(FaultPlan plan, const QByteArray &set)
{
    Server server;
    if (!server.start())
        return {};
    SlowLink link(quint16(server.url().port()));
    QUrl url = server.url();
    url.setPort(link.port());
    plan.source = sourceOf(url, set);
    plan.locks = std::max(plan.locks, 8);               // a killed holder keeps its lock for long
    plan.processes = std::max(plan.processes, 8);       // up to half of them are stopped
    plan.ttl = std::max(plan.ttl, milliseconds(2'000)); // etcd's shortest
    plan.longestHold = plan.ttl;                        // or hardly anybody holds when he is stopped
    plan.lasts = std::max(plan.lasts, milliseconds(9'000));
    plan.clocksOff = hours(1);
    plan.faultEvery = milliseconds(700);
    plan.fault = [&server, &link, turn = 0]() mutable {
        const int now = turn++ % 12; // seldom: locks of ZooKeeper's sessions stay for a time-out
        link.setDropping(now == 0);
        if (now == 6)
            server.restart();
    };
    return runFaults(plan);
}

#ifdef LOCKKEEPER_WITH_MONGODB
FaultPlan shedlockOf(const QByteArray &url, FaultPlan plan)
{
    plan.source = sourceOf(url, "preset = \"mongodb-shedlock\"",
                           "connect_timeout_ms = 500\nstatement_timeout_ms = 500\n");
    plan.clocksOff = hours(1);
    return plan;
}

/** Answers are lost after the server has executed the request, and the server comes back with its data. */
FaultReport mongodb(const FaultPlan &scale)
{
    MongodServer server;
    if (!server.start())
        return {};
    SlowLink link(quint16(server.url().port()));
    FaultPlan plan = shedlockOf(
        "mongodb://127.0.0.1:" + QByteArray::number(link.port()) + "/app?directConnection=true", scale);
    plan.ttl = std::max(plan.ttl, milliseconds(2'000));
    plan.lasts = std::max(plan.lasts, milliseconds(7'000));
    plan.faultEvery = milliseconds(400);
    plan.fault = [&server, &link, turn = 0]() mutable {
        switch (turn++ % 6) {
        case 4:
            server.restart();
            break;
        case 1:
        case 3:
            link.setDelayMs(0);
            link.cut();
            break;
        default:
            link.setDelayMs(30);
        }
    };
    return runFaults(plan);
}

/** A lock that a majority has confirmed is kept; without the majority's confirmation it is no lock. */
FaultReport mongodbElections(const FaultPlan &scale)
{
    const MongodServer::Set set = MongodServer::set(3, 2'000);
    if (set.empty())
        return {};
    FaultPlan plan = shedlockOf(MongodServer::url(set), scale);
    // A client that got a lock from a primary without followers keeps it during the next election.
    plan.ttl = std::max(plan.ttl, milliseconds(4'000));
    plan.longestHold = std::max(plan.longestHold, milliseconds(3'000));
    plan.locks = std::max(plan.locks, 4);
    plan.lasts = std::max(plan.lasts, milliseconds(16'000));
    plan.faultEvery = milliseconds(900);
    plan.fault = [&set, primary = static_cast<MongodServer *>(nullptr), turn = 0]() mutable {
        const int phase = turn++ % 11;
        if (phase == 0 || phase == 6)
            primary = MongodServer::primaryOf(set);
        if (primary == nullptr)
            return;
        const auto others = [&](auto act) {
            for (const auto &member : set) {
                if (member.get() != primary)
                    act(*member);
            }
        };
        switch (phase) {
        case 0:
            return others([](MongodServer &member) { member.pause(); });
        case 2:
            primary->kill();
            return others([](MongodServer &member) { member.resume(); });
        case 3:
            primary->rejoin();
            return;
        case 6:
            return primary->pause();
        case 9:
            return primary->resume(); // the last it knows is that it is the primary
        default:
            return;
        }
    };
    const FaultReport report = runFaults(plan);
    for (const auto &member : set)
        member->resume();
    return report;
}
#endif

QList<FaultCase> mongodbCases()
{
#ifdef LOCKKEEPER_WITH_MONGODB
    const char *absent = MongodServer::isInstalled() ? nullptr : MongodServer::absent();
    return {{"mongodb.ttl", true, mongodb, absent},
            {"mongodb.ttl, another primary", true, mongodbElections, absent}};
#else
    return {};
#endif
}

FaultCase etcd(const char *name, const QByteArray &set)
{
    return {name, true, [set](const FaultPlan &scale) { return queues<EtcdServer>(scale, set); },
            EtcdServer::isInstalled() ? nullptr : EtcdServer::absent()};
}

FaultCase zookeeper(const char *name, const QByteArray &set)
{
    return {name, true,
            [set](FaultPlan scale) {
                scale.name = "/locks/fight-{n}";
                return queues<ZookeeperServer>(scale, set);
            },
            ZookeeperServer::isInstalled() ? nullptr : ZookeeperServer::absent()};
}

} // namespace

QList<FaultCase> faultCases()
{
    const auto table = [](const char *name, const char *set, const char *create) {
        return FaultCase{name, true, [=](const FaultPlan &scale) {
                             return mariaDb(scale, set, {QString::fromLatin1(create)}, false);
                         }};
    };
    const auto preset = [](const char *name, const char *layout) {
        LockSet set;
        set.scheme = name;
        set.preset = QString::fromLatin1(layout);
        const auto create = locks::sql::createTableStatement(set, stores::sql::Dialect::MySql);
        return FaultCase{name, true, [=](const FaultPlan &scale) {
                             return mariaDb(scale, QByteArray("preset = \"") + layout + '"',
                                            {*create + QLatin1Char(';')}, false);
                         }};
    };
    const QList<FaultCase> others = {
        {"redis.token", true,
         [](const FaultPlan &scale) { return durableRedis(scale, "scheme = \"redis.token\""); }},
        {"redis.redisson", true,
         [](const FaultPlan &scale) {
             return durableRedis(scale, "scheme = \"redis.redisson\"\nfencing = true");
         }},
        {"redis.redisson, fair", true,
         [](FaultPlan scale) {
             scale.kills = false; // one that waits leaves its place for five minutes
             return durableRedis(scale, "scheme = \"redis.redisson\"\nfair = true");
         }},
        {"redis.semaphore, one permit", true,
         [](const FaultPlan &scale) {
             return durableRedis(scale, "scheme = \"redis.semaphore\"\nlimit = 1\nlease = \"" +
                                            QByteArray::number(qint64(scale.ttl.count())) + "ms\"");
         }},
        {"redis.token, its server forgets", false, forgetfulRedis},
        {"redis.token, a stale replica takes over", false, staleReplica},
        {"redis.json, clients that recheck", false, recheck},
        {"redis.redlock", true, [](const FaultPlan &scale) { return redlock(scale, true); }},
        {"redis.redlock, nodes come back at once", false,
         [](const FaultPlan &scale) { return redlock(scale, false); }},
        table("sql.shedlock", "scheme = \"sql.shedlock\"\ntable = \"shedlock\"",
              "CREATE TABLE shedlock (name VARCHAR(64) PRIMARY KEY, lock_until TIMESTAMP(3) NOT NULL DEFAULT "
              "'2000-01-01 "
              "00:00:00', locked_at TIMESTAMP(3) NOT NULL DEFAULT '2000-01-01 00:00:00', locked_by "
              "VARCHAR(255) NOT "
              "NULL);"),
        table("sql.insert", "preset = \"laravel\"",
              "CREATE TABLE cache_locks (`key` VARCHAR(255) PRIMARY KEY, owner VARCHAR(255) NOT NULL, "
              "expiration INT NOT NULL); "
              // Rows stay until a client deletes them, as Laravel does with expired rows.
              "CREATE EVENT prune ON SCHEDULE EVERY 1 SECOND DO DELETE FROM cache_locks WHERE expiration <= "
              "UNIX_TIMESTAMP();"),
        preset("sql.lease", "lock-lease"),
        preset("sql.reentrant", "t-tag-lock"),
        {"sql.row", true, mariaDbRows},
        {"sql.advisory", true,
         [](const FaultPlan &scale) { return mariaDb(scale, "scheme = \"sql.advisory\"", {}, true); }},
        {"sql.advisory, PostgreSQL", true, postgres},
        etcd("etcd.lease", "scheme = \"etcd.lease\""),
        etcd("etcd.lease, plain keys", "preset = \"etcd-key\""),
        zookeeper("zookeeper.sequence", "scheme = \"zookeeper.sequence\""),
    };
    return others + mongodbCases();
}

} // namespace lockkeeper::tests
