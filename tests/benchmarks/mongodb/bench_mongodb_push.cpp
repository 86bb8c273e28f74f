// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// How long after a client began its write to MongoDB `lockkeeperctl watch` has printed the line, beside a
// bare libmongoc program of the same run that follows a change stream and does nothing with the documents.
// usage: bench_mongodb_push [SECONDS [CHANGES_A_SECOND]]
#include "shared/stores/mongodb/connection/bson.h"
#include "shared/stores/mongodb/connection/driver.h"
#include "tests/benchmarks/push_latency.h"
#include "tests/support/agent_process.h"
#include "tests/support/mongod_server.h"
#include "tests/support/test_client.h"

#include <QCoreApplication>
#include <QTest>

using namespace lockkeeper;
using namespace lockkeeper::stores::mongodb;
using namespace lockkeeper::tests;

namespace {

constexpr int kLocks = 500;
constexpr double kGoalP50Ms = 2.0; ///< more than the bare program
constexpr double kGoalP99Ms = 10.0;

struct Connection
{
    explicit Connection(const MongodServer &server)
        : client(mongoc_client_new(server.url().toEncoded().constData())),
          locks(mongoc_client_get_collection(client.get(), "app", "locks"))
    {
    }
    Owned<mongoc_client_t> client;
    Owned<mongoc_collection_t> locks;
};

/** Follows a change stream. */
class BareWatcher
{
public:
    explicit BareWatcher(const MongodServer &server)
        : m_connection(server),
          m_stream(mongoc_collection_watch(
              m_connection.locks.get(), newBson().get(),
              fromJson(R"({"fullDocument": "updateLookup", "maxAwaitTimeMS": 100})").get()))
    {
        const bson_t *event = nullptr;
        mongoc_change_stream_next(m_stream, &event); // it begins here
        m_thread = std::thread([this] { follow(); });
    }
    ~BareWatcher() { stop(); }
    Q_DISABLE_COPY_MOVE(BareWatcher)
    void stop()
    {
        m_stop = true;
        if (!m_thread.joinable())
            return;
        m_thread.join();
        mongoc_change_stream_destroy(m_stream);
    }

    std::vector<qint64> latencies; ///< once it is stopped

private:
    void follow()
    {
        const bson_t *event = nullptr;
        while (!m_stop) {
            while (mongoc_change_stream_next(m_stream, &event)) {
                const qint64 now = nowNs();
                bson_iter_t root;
                bson_iter_t owner;
                if (bson_iter_init(&root, event) &&
                    bson_iter_find_descendant(&root, "fullDocument.acquirer", &owner))
                    latencies.push_back(now - std::atoll(bson_iter_utf8(&owner, nullptr)));
            }
        }
    }

    Connection m_connection;
    mongoc_change_stream_t *m_stream;
    std::thread m_thread;
    std::atomic<bool> m_stop{false};
};

/** Takes a lock again with each write, evenly; its holder is the time of sending. */
void write(const MongodServer &server, int total, int aSecond)
{
    const Connection connection(server);
    const Bson upsert = fromJson(R"({"upsert": true})");
    Pace pace(aSecond);
    qint64 due = 0;
    for (int i = 0; i < total; ++i, --due) {
        if (due == 0)
            due = pace.wait();
        const QByteArray name = "lock:" + QByteArray::number(i % kLocks);
        const Bson which = newBson();
        bson_append_utf8(which.get(), "_id", -1, name.constData(), -1);
        const Bson lock = copyOf(which.get());
        bson_append_utf8(lock.get(), "acquirer", -1, QByteArray::number(nowNs()).constData(), -1);
        bson_append_now_utc(lock.get(), "acquiredAt", -1);
        bson_error_t error;
        if (!mongoc_collection_replace_one(connection.locks.get(), which.get(), lock.get(), upsert.get(),
                                           nullptr, &error))
            qFatal("%s", error.message);
    }
}

bool start(AgentProcess &agent, TestClient &client, const MongodServer &server)
{
    agent.configure("[[source]]\nname = \"locks\"\nurl = \"" + server.url().toEncoded() +
                    "\"\npush = true\n  [[source.locks]]\n  scheme = \"mongodb.ttl\"\n  table = \"locks\"\n");
    if (!agent.start() || !client.open(agent.socket()))
        return false;
    client.subscribe(0, true);
    return QTest::qWaitFor(
        [&client] {
            return client.sources.value(QStringLiteral("locks")).mode == domain::ObservationMode::Push;
        },
        30'000);
}

} // namespace

int main(int argc, char **argv)
{
    const QCoreApplication application(argc, argv);
    if (!MongodServer::isInstalled()) {
        std::fprintf(stderr, "bench_mongodb_push: left out: %s\n", MongodServer::absent());
        return 0;
    }
    const int seconds = argc > 1 ? QByteArray(argv[1]).toInt() : 10;
    const int aSecond = argc > 2 ? QByteArray(argv[2]).toInt() : 200;
    if (!qEnvironmentVariableIsSet("LOCKKEEPER_BIN"))
        qputenv("LOCKKEEPER_BIN",
                (QCoreApplication::applicationDirPath() + QStringLiteral("/../../bin")).toUtf8());
    startDriver();
    MongodServer server;
    AgentProcess agent;
    TestClient client;
    if (!server.start())
        qFatal("mongod doesn't start");
    write(server, kLocks, 5'000);
    if (!start(agent, client, server))
        qFatal("the agent doesn't follow: %s", agent.log().constData());
    WatchLines lines(agent.socket(), seconds + 10);
    for (int i = 0; i < 200 && lines.count == 0; ++i) { // until it listens
        write(server, 1, 1'000);
        (void)QTest::qWaitFor([] { return false; }, 20);
    }
    const size_t before = lines.count;
    const size_t total = size_t(seconds) * size_t(aSecond);
    BareWatcher watcher(server);
    std::thread writer([&] { write(server, int(total), aSecond); });
    (void)QTest::qWaitFor([&] { return lines.count >= before + total; }, (seconds + 8) * 1'000);
    writer.join();
    watcher.stop();
    const Figures bare = figuresOf(watcher.latencies);
    std::vector<qint64> told(lines.latencies.begin() + qsizetype(before),
                             lines.latencies.begin() + qsizetype(lines.count.load()));
    const Figures push = figuresOf(told);
    std::printf("from the client's write to the line, at %d changes a second, ms: p50 / p99 (count)\n",
                aSecond);
    std::printf("  bare change stream %7.3f / %7.3f (%zu)\n", bare.p50, bare.p99, bare.count);
    std::printf("  watch              %7.3f / %7.3f (%zu; goals: %.1f / %.1f more)\n", push.p50, push.p99,
                push.count, kGoalP50Ms, kGoalP99Ms);
    std::printf("{\"bench\":\"mongodb.push\",\"n\":%zu,\"value\":%.3f,\"unit\":\"ms\",\"p99\":%.3f,"
                "\"against\":\"libmongoc\",\"floor\":%.3f,\"floor_p99\":%.3f,\"goal\":%.1f,\"goal_p99\":%.1f,"
                "\"rate\":%d}\n",
                push.count, push.p50, push.p99, bare.p50, bare.p99, kGoalP50Ms, kGoalP99Ms, aSecond);
    return push.count >= total && bare.count >= total ? 0 : 1;
}
