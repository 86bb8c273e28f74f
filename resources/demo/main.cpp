// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The demo's workload: applications that take, renew, hold, give back and lose locks, through the lock
// library, in the Redis and MariaDB servers that ./run demo has started.

#include "shared/locks/simulation/workload.h"
#include "shared/stores/host_list.h"

#include <QCoreApplication>
#include <QUrl>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <string>

using namespace lockkeeper;
using locks::simulation::Group;
using locks::simulation::Scenario;
using locks::simulation::Spread;

namespace {

const QList<QByteArray> kJobs{"settle-daily",    "cleanupJob",       "reportJob",      "invoice-export",
                              "fx-rates",        "stock-sync",       "mail-digest",    "search-reindex",
                              "price-import",    "audit-archive",    "session-reaper", "coupon-expiry",
                              "catalog-refresh", "gdpr-erasure",     "ledger-close",   "image-resize",
                              "partner-feed-eu", "partner-feed-apac"};

Spread between(int lowMs, int highMs)
{
    return {qint64(lowMs) * 1'000, qint64(highMs) * 1'000, false};
}

Spread forEver()
{
    return {base::kYearUs, base::kYearUs, false};
}

/** One worker in a process of its own, with one lock. */
Group lone(const QByteArray &owner, const QByteArray &lock, int ttlMs, Spread hold, Spread idle)
{
    Group group;
    group.owner = owner;
    group.names = {lock};
    group.ttlUs = qint64(ttlMs) * 1'000;
    group.hold = hold;
    group.idle = idle;
    return group;
}

/** It dies as soon as it has the lock. The next one comes after the lease. */
Group mortal(Group group, Spread idle)
{
    group.hold = {};
    group.crash = 1;
    group.restart = {group.ttlUs + idle.lowUs, group.ttlUs + idle.highUs, false};
    return group;
}

QList<Group> orders()
{
    QList<Group> groups;
    for (int order = 0; order < 24; ++order) {
        const bool takesLong = order % 3 == 0;
        groups.append(lone("orders-" + QByteArray::number(order + 1) + '.',
                           "lock:orders:checkout:" + QByteArray::number(41'200 + order * 7),
                           12'000 + order * 900, between(2'500, takesLong ? 40'000 : 11'000),
                           between(500, 5'000)));
        groups.last().renews = takesLong;
    }
    Group stock = lone("stock-", "lock:stock:sku-8841", 8'000, between(700, 3'000), between(20, 400));
    stock.workers = 10;
    groups.append(stock);
    groups.append(lone("import-", "lock:import:nightly", 15'000, forEver(), {}));
    groups.append(mortal(lone("settlement-", "lock:settlement:eu", 25'000, {}, {}), between(3'000, 9'000)));
    return groups;
}

/** Of two machines, in ShedLock's table. */
QList<Group> jobs()
{
    Group all = lone("jobs@10.2.3.", {}, 48'000, between(3'000, 18'000), between(1'000, 12'000));
    all.names = kJobs;
    all.anyLock = false;
    all.workers = int(kJobs.size());
    all.perProcess = 10;
    all.renews = false;
    return {all, mortal(lone("dunning@10.2.4.", "dunning-letters", 40'000, {}, {}), between(5'000, 20'000))};
}

/** Payments, each under a lock on five servers. */
QList<Group> payments()
{
    QList<Group> groups;
    for (int payment = 0; payment < 6; ++payment)
        groups.append(lone("payments-" + QByteArray::number(payment + 1) + '.',
                           "payment:" + QByteArray::number(70'310 + payment * 3), 20'000,
                           payment == 0 ? forEver() : between(4'000, 25'000), between(1'000, 6'000)));
    return groups;
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
    spec.locks.append(set);
    return spec;
}

void employ(const stores::SourceSpec &spec, QList<Group> groups, Scenario &scenario)
{
    for (Group &group : groups) {
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
    options.add_option("--redis", redisUrl, "Redis URL")->required();
    options.add_option("--mysql", sqlUrl, "MariaDB URL")->required();
    options.add_option("--redlock", redlockUrl, "URL of the servers for Redlock")->required();
    CLI11_PARSE(options, argc, argv);

    Scenario scenario;
    employ(specOf(QString::fromStdString(redisUrl), "redis.token"), orders(), scenario);
    employ(specOf(QString::fromStdString(sqlUrl), "sql.shedlock"), jobs(), scenario);
    employ(specOf(QString::fromStdString(redlockUrl), "redis.redlock"), payments(), scenario);
    locks::simulation::Workload workload(std::move(scenario), {});
    if (const auto started = workload.start(); !started) {
        std::fprintf(stderr, "lockkeeper-workload: %s\n", qUtf8Printable(started.error().line()));
        return 1;
    }
    return QCoreApplication::exec();
}
