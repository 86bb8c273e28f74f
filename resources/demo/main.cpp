// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The demo's workload: applications that take, renew, hold, give back and lose locks, through the lock
// library, in the servers that ./run demo has started.

#include "resources/demo/crossed_locks.h"
#include "resources/demo/own_redis.h"
#include "shared/locks/simulation/workload.h"
#include "shared/stores/host_list.h"

#include <QCoreApplication>
#include <QUrl>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

using namespace lockkeeper;
using demo::OwnRedis;
using locks::simulation::RandomDuration;
using locks::simulation::Scenario;
using locks::simulation::WorkerGroup;

namespace {

const QList<QByteArray> kJobs{"settle-daily",    "cleanupJob",       "reportJob",      "invoice-export",
                              "fx-rates",        "stock-sync",       "mail-digest",    "search-reindex",
                              "price-import",    "audit-archive",    "session-reaper", "coupon-expiry",
                              "catalog-refresh", "gdpr-erasure",     "ledger-close",   "image-resize",
                              "partner-feed-eu", "partner-feed-apac"};

RandomDuration between(int lowMs, int highMs)
{
    return {qint64(lowMs) * 1'000, qint64(highMs) * 1'000, false};
}

RandomDuration forEver()
{
    return {base::kYearUs, base::kYearUs, false};
}

/** One worker with one lock, in a separate process. */
WorkerGroup lone(const QByteArray &owner, const QByteArray &lock, int ttlMs, RandomDuration hold,
                 RandomDuration idle)
{
    WorkerGroup group;
    group.owner = owner;
    group.names = {lock};
    group.ttlUs = qint64(ttlMs) * 1'000;
    group.hold = hold;
    group.idle = idle;
    return group;
}

/** It dies as soon as it has the lock. The next one comes after the lease. */
WorkerGroup mortal(WorkerGroup group, RandomDuration idle)
{
    group.hold = {};
    group.crash = 1;
    group.restart = {group.ttlUs + idle.lowUs, group.ttlUs + idle.highUs, false};
    return group;
}

QList<WorkerGroup> orders()
{
    QList<WorkerGroup> groups;
    for (int order = 0; order < 24; ++order) {
        const bool takesLong = order % 3 == 0;
        groups.append(lone("orders-" + QByteArray::number(order + 1) + '.',
                           "lock:orders:checkout:" + QByteArray::number(41'200 + order * 7),
                           14'000 + order * 900, between(2'500, takesLong ? 40'000 : 11'000),
                           between(500, 5'000)));
        groups.last().renews = takesLong;
    }
    WorkerGroup stock = lone("stock-", "lock:stock:sku-8841", 8'000, between(700, 3'000), between(20, 400));
    stock.workers = 10;
    groups.append(stock);
    groups.append(lone("import-", "lock:import:nightly", 15'000, forEver(), {}));
    groups.append(mortal(lone("settlement-", "lock:settlement:eu", 25'000, {}, {}), between(3'000, 9'000)));
    return groups;
}

/** Planted faults for `lockkeeperctl advise`. A lease is too short for its work. A holder renews for ever
 * after many short holds. A job now and then takes many times its usual time. */
QList<WorkerGroup> faults()
{
    WorkerGroup hasty = lone("report-", "lock:reports:daily", 2'000, between(400, 2'500), between(100, 400));
    hasty.renews = false;
    return {hasty, lone("archive-", "lock:archive:weekly", 15'000, between(900, 1'300), between(50, 150)),
            lone("archive-hung-", "lock:archive:weekly", 15'000, forEver(), between(40'000, 42'000)),
            lone("thumbs-index-", "lock:index:thumbnails", 60'000, between(900, 1'300), between(50, 150)),
            lone("thumbs-full-", "lock:index:thumbnails", 60'000, between(9'000, 10'000),
                 between(150'000, 200'000))};
}

/** Another one: a job that nobody runs any more. */
WorkerGroup lostScheduler()
{
    return lone("scheduler@10.2.6.", "sync:nightly-scheduler", 10'000, between(8'000, 9'000), forEver());
}

/** Another one: ten clients race for a lock as fast as they can. Its value names the holder. */
WorkerGroup herd()
{
    WorkerGroup group = lone("feed-worker-", "sync:partner-feed", 8'000, between(300, 900), between(1, 20));
    group.workers = 10;
    return group;
}

/** Another one: two locks that two applications take in both orders. */
std::vector<std::unique_ptr<demo::CrossedLocks>> crossedLocks(const stores::SourceSpec &spec)
{
    std::vector<std::unique_ptr<demo::CrossedLocks>> all;
    for (const quint32 number : {1u, 2u}) {
        auto manager = locks::LockManager::open(spec, spec.locks.first(),
                                                "ledger-" + QByteArray::number(number) + "@10.2.5.1");
        if (!manager)
            continue; // the same fault ends the workload
        all.push_back(std::make_unique<demo::CrossedLocks>(*std::move(manager), "sync:ledger-eu",
                                                           "sync:ledger-us", number));
        all.back()->start();
    }
    return all;
}

/** Jobs that say in their lock when they ran last. One of them loses its holder. */
QList<WorkerGroup> syncs()
{
    return {
        lone("sync-1@10.2.4.", "sync:crm-contacts", 60'000, between(10'000, 25'000), between(3'000, 9'000)),
        lone("sync-2@10.2.4.", "sync:erp-orders", 60'000, between(10'000, 25'000), between(3'000, 9'000)),
        mortal(lone("sync-3@10.2.4.", "sync:cms-pages", 60'000, {}, {}), between(3'000, 9'000))};
}

/** Of two machines, in ShedLock's table. */
QList<WorkerGroup> jobs()
{
    WorkerGroup all = lone("jobs@10.2.3.", {}, 48'000, between(3'000, 18'000), between(1'000, 12'000));
    all.names = kJobs;
    all.anyLock = false;
    all.workers = int(kJobs.size());
    all.perProcess = 10;
    all.renews = false;
    return {all, mortal(lone("dunning@10.2.4.", "dunning-letters", 40'000, {}, {}), between(5'000, 20'000))};
}

/** Payments, each under a lock on five servers. */
QList<WorkerGroup> payments()
{
    QList<WorkerGroup> groups;
    for (int payment = 0; payment < 6; ++payment)
        groups.append(lone("payments-" + QByteArray::number(payment + 1) + '.',
                           "payment:" + QByteArray::number(70'310 + payment * 3), 20'000,
                           payment == 0 ? forEver() : between(4'000, 25'000), between(1'000, 6'000)));
    return groups;
}

/** Several that want one lock, in turn. */
WorkerGroup rivals(const QByteArray &owner, const QByteArray &lock, int workers, RandomDuration hold,
                   RandomDuration idle)
{
    WorkerGroup group = lone(owner, lock, 15'000, hold, idle);
    group.workers = workers;
    return group;
}

/** Of three permits, some of which run out with the process that had them. */
QList<WorkerGroup> thumbnails()
{
    WorkerGroup group =
        rivals("thumbs-", "semaphore:thumbnails", 4, between(2'000, 6'000), between(500, 3'000));
    group.crash = 0.15;
    group.restart = between(500, 3'000);
    return {group};
}

/** Documents that stay, as ShedLock's. */
QList<WorkerGroup> invoices()
{
    return {lone("billing@10.4.0.7.", "invoice-run", 30'000, between(6'000, 20'000), between(1'000, 8'000)),
            rivals("billing@10.4.0.", "dunning-run", 2, between(2'000, 9'000), between(500, 3'000)),
            mortal(lone("billing@10.4.0.9.", "vat-report", 40'000, {}, {}), between(4'000, 12'000))};
}

/** Queues, whose waiters the store shows. */
QList<WorkerGroup> queues(const QByteArray &root)
{
    return {rivals("deploy-", root + "deploy-eu", 4, between(3'000, 9'000), between(200, 1'500)),
            lone("reindex-", root + "reindex", 15'000, forEver(), {}),
            lone("migrate-", root + "migrate", 15'000, between(4'000, 15'000), between(2'000, 9'000))};
}

stores::SourceSpec specOf(const QString &url, const QByteArray &scheme)
{
    stores::SourceSpec spec;
    spec.name = QStringLiteral("workload");
    spec.url = stores::urlOf(url);
    stores::LockSet set;
    set.scheme = scheme;
    if (scheme == "sql.shedlock") {
        set.table.table = QStringLiteral("fem_shedlock");
        spec.password = qgetenv("LOCKKEEPER_DEMO_PASSWORD");
    }
    if (scheme == "mongodb.ttl")
        set.preset = QStringLiteral("mongodb-shedlock");
    spec.locks.append(set);
    return spec;
}

stores::SourceSpec fairSpecOf(const QString &url)
{
    stores::SourceSpec spec = specOf(url, "redis.redisson");
    spec.locks.first().keys.fair = true;
    return spec;
}

stores::SourceSpec permitSpecOf(const QString &url)
{
    stores::SourceSpec spec = specOf(url, "redis.semaphore");
    spec.locks.first().keys.limit = 3;
    spec.locks.first().keys.leaseUs = 15'000'000;
    return spec;
}

void employ(const stores::SourceSpec &spec, QList<WorkerGroup> groups, Scenario &scenario)
{
    for (WorkerGroup &group : groups) {
        group.source = int(scenario.sources.size());
        group.set = spec.locks.first();
    }
    scenario.sources.append(spec);
    scenario.groups.append(groups);
}

} // namespace

int main(int argc, char **argv)
{
    QCoreApplication app(argc, argv);
    CLI::App options("Takes, renews, holds and loses locks, for the demo.");
    std::string redisUrl;
    std::string sqlUrl;
    std::string redlockUrl;
    std::string mongodbUrl;
    std::string etcdUrl;
    std::string zookeeperUrl;
    options.add_option("--redis", redisUrl, "Redis URL");
    options.add_option("--mysql", sqlUrl, "MariaDB URL");
    options.add_option("--redlock", redlockUrl, "URL of the servers for Redlock");
    options.add_option("--mongodb", mongodbUrl, "MongoDB URL, with a database");
    options.add_option("--etcd", etcdUrl, "etcd URL");
    options.add_option("--zookeeper", zookeeperUrl, "ZooKeeper URL");
    std::string redisServer;
    std::string socket;
    options.add_option("--own-redis", redisServer, "A redis-server to run; this program ends with its input");
    options.add_option("--socket", socket, "Where the server of --own-redis listens");
    CLI11_PARSE(options, argc, argv);

    std::unique_ptr<OwnRedis> own;
    QString redis = QString::fromStdString(redisUrl);
    if (!redisServer.empty()) {
        own = std::make_unique<OwnRedis>(QString::fromStdString(socket));
        if (!own->start(QString::fromStdString(redisServer))) {
            std::fprintf(stderr, "lockkeeper-workload: %s doesn't start\n", redisServer.c_str());
            return 1;
        }
        redis = QStringLiteral("redis+unix://%1?db=0").arg(QString::fromStdString(socket));
    }
    if (redis.isEmpty()) {
        std::fprintf(stderr, "lockkeeper-workload: --redis or --own-redis is needed\n");
        return 2;
    }
    Scenario scenario;
    employ(specOf(redis, "redis.token"), orders() + faults(), scenario);
    employ(specOf(redis, "redis.json"), syncs() + QList<WorkerGroup>{herd(), lostScheduler()}, scenario);
    employ(fairSpecOf(redis),
           {rivals("print-", "printer:labels", 5, between(4'000, 8'000), between(500, 2'000))}, scenario);
    employ(permitSpecOf(redis), thumbnails(), scenario);
    if (!sqlUrl.empty())
        employ(specOf(QString::fromStdString(sqlUrl), "sql.shedlock"), jobs(), scenario);
    if (!redlockUrl.empty())
        employ(specOf(QString::fromStdString(redlockUrl), "redis.redlock"), payments(), scenario);
    if (!mongodbUrl.empty())
        employ(specOf(QString::fromStdString(mongodbUrl), "mongodb.ttl"), invoices(), scenario);
    if (!etcdUrl.empty())
        employ(specOf(QString::fromStdString(etcdUrl), "etcd.lease"), queues("locks/"), scenario);
    if (!zookeeperUrl.empty())
        employ(specOf(QString::fromStdString(zookeeperUrl), "zookeeper.sequence"), queues("/locks/"),
               scenario);
    locks::simulation::Workload workload(std::move(scenario), {});
    if (const auto started = workload.start(); !started) {
        std::fprintf(stderr, "lockkeeper-workload: %s\n", qUtf8Printable(started.error().line()));
        return 1;
    }
    const auto crossed = crossedLocks(specOf(redis, "redis.json"));
    return QCoreApplication::exec();
}
