// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/mongodb/connection/bson.h"
#include "shared/stores/mongodb/connection/driver.h"
#include "shared/stores/mongodb/mongodb_stores.h"
#include "tests/support/mongod_server.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QEventLoop>

#include <algorithm>
#include <array>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

using namespace lockkeeper;
using namespace lockkeeper::stores::mongodb;
using namespace lockkeeper::tests;

/*
 * bench_mongodb_pass [N [PAGE]]: a full pass over N documents of mongodb.ttl (100,000 by default), against
 * two bare libmongoc programs in the same run. One puts the same questions (projection, read concern,
 * batches) and keeps each document's four fields as strings and numbers; the other finds everything in
 * batches of 5,000, and does nothing with it. Medians of rounds in which each has its turn; nothing changes
 * meanwhile.
 */

namespace {

constexpr int kRounds = 15;
constexpr double kGoal = 0.8;

void fill(mongoc_collection_t *collection, int count)
{
    mongoc_bulk_operation_t *bulk = mongoc_collection_create_bulk_operation_with_opts(collection, nullptr);
    for (int i = 0; i < count; ++i) {
        const Bson document = newBson();
        const QByteArray name = "lock:" + QByteArray::number(i);
        bson_append_utf8(document.get(), "_id", -1, name.constData(), int(name.size()));
        const QByteArray holder = QByteArray::number(i).rightJustified(36, 'f');
        bson_append_utf8(document.get(), "acquirer", -1, holder.constData(), int(holder.size()));
        bson_append_date_time(document.get(), "acquiredAt", -1, 1'700'000'000'000 + i);
        bson_append_date_time(document.get(), "updatedAt", -1, 1'700'000'000'000 + i);
        mongoc_bulk_operation_insert(bulk, document.get());
    }
    bson_error_t error;
    if (mongoc_bulk_operation_execute(bulk, nullptr, &error) == 0)
        qFatal("%s", error.message);
    mongoc_bulk_operation_destroy(bulk);
}

/** The fields that a program using the documents keeps of each. */
struct Kept
{
    std::string name;
    std::string holder;
    qint64 acquiredMs = 0;
    qint64 renewedMs = 0;
};

std::string textIn(const bson_iter_t &field)
{
    uint32_t length = 0;
    const char *text = bson_iter_utf8(&field, &length);
    return {text, length};
}

Kept keptOf(const bson_t *document)
{
    Kept kept;
    bson_iter_t each;
    for (bson_iter_init(&each, document); bson_iter_next(&each);) {
        const std::string_view key(bson_iter_key(&each), bson_iter_key_len(&each));
        if (key == "_id")
            kept.name = textIn(each);
        else if (key == "acquirer")
            kept.holder = textIn(each);
        else if (key == "acquiredAt")
            kept.acquiredMs = bson_iter_date_time(&each);
        else if (key == "updatedAt")
            kept.renewedMs = bson_iter_date_time(&each);
    }
    return kept;
}

/** Documents a second. */
double bare(mongoc_collection_t *collection, const QByteArray &how, bool keeps, int count)
{
    const Bson all = newBson();
    const Bson options = fromJson(how);
    QElapsedTimer timer;
    timer.start();
    const Owned<mongoc_cursor_t> cursor(
        mongoc_collection_find_with_opts(collection, all.get(), options.get(), nullptr));
    const bson_t *document = nullptr;
    int seen = 0;
    std::vector<Kept> kept;
    while (mongoc_cursor_next(cursor.get(), &document)) {
        ++seen;
        if (keeps)
            kept.push_back(keptOf(document));
    }
    if (keeps && kept.back().holder.empty())
        qFatal("the bare program saw no holder");
    if (seen != count)
        qFatal("the bare program saw %d documents", seen);
    return double(seen) / (double(timer.nsecsElapsed()) / 1e9);
}

double pass(stores::Store &store, int count)
{
    QEventLoop loop;
    QElapsedTimer timer;
    timer.start();
    qint64 seen = 0;
    store.scan([&](const stores::Page &page) { seen += page.locks.size(); },
               [&](const stores::ScanEnd &end) { loop.exit(end.complete ? 0 : 1); });
    if (loop.exec() != 0 || seen != count)
        qFatal("the pass saw %lld documents", qlonglong(seen));
    return double(seen) / (double(timer.nsecsElapsed()) / 1e9);
}

double medianOf(std::array<double, kRounds> figures)
{
    std::nth_element(figures.begin(), figures.begin() + kRounds / 2, figures.end());
    return figures[kRounds / 2];
}

} // namespace

int main(int argc, char *argv[])
{
    const QCoreApplication application(argc, argv);
    if (!MongodServer::isInstalled()) {
        std::fprintf(stderr, "bench_mongodb_pass: left out: %s\n", MongodServer::absent());
        return 0;
    }
    const int count = argc > 1 ? QByteArray(argv[1]).toInt() : 100'000;
    MongodServer server;
    if (!server.start())
        qFatal("mongod doesn't start");
    startDriver();
    const Owned<mongoc_client_t> client(mongoc_client_new(server.url().toEncoded().constData()));
    const Owned<mongoc_collection_t> collection(mongoc_client_get_collection(client.get(), "app", "locks"));
    fill(collection.get(), count);
    stores::SourceSpec spec;
    spec.name = QStringLiteral("bench");
    spec.url = server.url();
    stores::LockSet set;
    set.scheme = "mongodb.ttl";
    set.table.table = QStringLiteral("locks");
    spec.locks = {set};
    spec.pageSize = argc > 2 ? QByteArray(argv[2]).toInt() : 5'000; // the configuration's own
    const auto store = std::move(*makeStore(spec));
    QEventLoop loop;
    QObject::connect(store.get(), &stores::Store::opened, &loop, [&] { loop.exit(0); });
    QObject::connect(store.get(), &stores::Store::failed, &loop, [&] { loop.exit(1); });
    store->open();
    if (loop.exec() != 0)
        qFatal("the store doesn't open");
    const QByteArray same = R"({"projection": {"_id": 1, "acquirer": 1, "acquiredAt": 1, "updatedAt": 1},
                                "readConcern": {"level": "majority"}, "batchSize": )" +
                            QByteArray::number(spec.pageSize) + '}';
    std::array<double, kRounds> floors{};
    std::array<double, kRounds> findings{};
    std::array<double, kRounds> values{};
    for (size_t i = 0; i < kRounds; ++i) {
        floors[i] = bare(collection.get(), same, true, count);
        findings[i] = bare(collection.get(), R"({"batchSize": 5000})", false, count);
        values[i] = pass(*store, count);
    }
    const double floor = medianOf(floors);
    const double finding = medianOf(findings);
    const double value = medianOf(values);
    std::printf(
        "mongodb_pass %10.0f documents/s; bare libmongoc that asks the same %10.0f, ratio %.3f (goal %.2f); "
        "that finds %10.0f, ratio %.3f\n",
        value, floor, value / floor, kGoal, finding, value / finding);
    std::printf("{\"bench\":\"mongodb.pass\",\"n\":%d,\"value\":%.0f,\"unit\":\"documents/s\","
                "\"against\":\"libmongoc\",\"floor\":%.0f,\"ratio\":%.3f,\"goal\":%.2f,"
                "\"finding\":%.0f,\"ratio_finding\":%.3f}\n",
                count, value, floor, value / floor, kGoal, finding, value / finding);
    return 0;
}
