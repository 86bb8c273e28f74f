// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The demo's workload: applications that take, renew, hold, give back and lose locks, through the lock
// library, in the Redis and MariaDB servers that ./run demo has started.

#include "shared/locks/factory.h"
#include "shared/stores/host_list.h"
#include "worker.h"

#include <QCoreApplication>
#include <QUrl>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

using namespace lockkeeper;

namespace {

const QList<QByteArray> kJobs{"settle-daily",    "cleanupJob",       "reportJob",      "invoice-export",
                              "fx-rates",        "stock-sync",       "mail-digest",    "search-reindex",
                              "price-import",    "audit-archive",    "session-reaper", "coupon-expiry",
                              "catalog-refresh", "gdpr-erasure",     "ledger-close",   "image-resize",
                              "partner-feed-eu", "partner-feed-apac"};

QList<demo::Habit> redisHabits()
{
    QList<demo::Habit> habits;
    for (int order = 0; order < 24; ++order) {
        habits.append({.lock = "lock:orders:checkout:" + QByteArray::number(41'200 + order * 7),
                       .ttlMs = 12'000 + order * 900,
                       .renewEveryMs = order % 3 == 0 ? 4'000 : 0,
                       .holdMinMs = 2'500,
                       .holdMaxMs = order % 3 == 0 ? 40'000 : 11'000});
    }
    for (int worker = 0; worker < 10; ++worker) {
        habits.append({.lock = "lock:stock:sku-8841",
                       .ttlMs = 8'000,
                       .holdMinMs = 700,
                       .holdMaxMs = 3'000,
                       .idleMinMs = 20,
                       .idleMaxMs = 400});
    }
    habits.append({.lock = "lock:import:nightly", .ttlMs = 15'000, .renewEveryMs = 5'000, .holdMaxMs = 0});
    habits.append({.lock = "lock:settlement:eu",
                   .ttlMs = 25'000,
                   .idleMinMs = 3'000,
                   .idleMaxMs = 9'000,
                   .dies = true});
    return habits;
}

QList<demo::Habit> jobHabits()
{
    QList<demo::Habit> habits;
    for (const QByteArray &job : kJobs) {
        habits.append({.lock = job,
                       .ttlMs = 20'000 + int(job.size()) * 2'000,
                       .holdMinMs = 3'000,
                       .holdMaxMs = 18'000,
                       .idleMinMs = 1'000,
                       .idleMaxMs = 12'000});
    }
    habits.append(
        {.lock = "dunning-letters", .ttlMs = 40'000, .idleMinMs = 5'000, .idleMaxMs = 20'000, .dies = true});
    return habits;
}

/** Payments, each under a lock on five servers. */
QList<demo::Habit> redlockHabits()
{
    QList<demo::Habit> habits;
    for (int payment = 0; payment < 6; ++payment) {
        habits.append({.lock = "payment:" + QByteArray::number(70'310 + payment * 3),
                       .ttlMs = 20'000,
                       .renewEveryMs = 6'000,
                       .holdMinMs = 4'000,
                       .holdMaxMs = payment == 0 ? 0 : 25'000,
                       .idleMinMs = 1'000,
                       .idleMaxMs = 6'000});
    }
    return habits;
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

/** One client for every `perClient` workers: as many processes would have. */
bool employ(const stores::SourceSpec &spec, const QList<demo::Habit> &habits, qsizetype perClient,
            const QByteArray &owner, std::vector<std::unique_ptr<locks::LockClient>> &clients,
            std::vector<std::unique_ptr<demo::Worker>> &workers)
{
    locks::LockClient *client = nullptr;
    for (qsizetype i = 0; i < habits.size(); ++i) {
        if (i % perClient == 0) {
            auto made = locks::makeLockClient(spec, spec.locks.first(),
                                              owner + QByteArray::number(i / perClient + 1));
            if (!made) {
                std::fprintf(stderr, "lockkeeper-workload: %s\n", qUtf8Printable(made.error().line()));
                return false;
            }
            client = clients.emplace_back(std::move(*made)).get();
        }
        auto &worker = workers.emplace_back(
            std::make_unique<demo::Worker>(habits.at(i), client, quint32(workers.size() + 1)));
        worker->start();
    }
    return true;
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

    std::vector<std::unique_ptr<demo::Worker>> workers; // longer than the clients, which call them
    std::vector<std::unique_ptr<locks::LockClient>> clients;
    if (!employ(specOf(QString::fromStdString(redisUrl), "redis.token"), redisHabits(), 1, "orders-", clients,
                workers) ||
        !employ(specOf(QString::fromStdString(sqlUrl), "sql.shedlock"), jobHabits(), 10, "jobs@10.2.3.",
                clients, workers) ||
        !employ(specOf(QString::fromStdString(redlockUrl), "redis.redlock"), redlockHabits(), 1, "payments-",
                clients, workers))
        return 1;
    return QCoreApplication::exec();
}
