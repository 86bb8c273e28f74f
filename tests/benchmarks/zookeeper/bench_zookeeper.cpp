// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// bench_zookeeper [LOCKS [CHANGES]]: a full reading of LOCKS znodes (10,000 by default) with a holder each,
// against bare libzookeeper, which sends the same requests and does nothing with the answers; medians of 15
// in turn. Also the delay from a new holder to its reported change (500 of them, one each ten milliseconds),
// in turn with a bare watch.
#include "shared/stores/zookeeper/store/zookeeper_store.h"
#include "tests/benchmarks/latencies.h"
#include "tests/support/zookeeper_server.h"

#include <QCoreApplication>
#include <QTimer>

#include <poll.h>
#include <zookeeper/zookeeper.h>

using namespace lockkeeper;
using namespace lockkeeper::stores::zookeeper;
using namespace lockkeeper::benchmarks;

namespace {

constexpr int kRounds = 15;
constexpr int kPushRounds = 10;
constexpr int kPauseMs = 10;

/** libzookeeper with its own loop. */
class Bare
{
public:
    explicit Bare(const QString &servers)
    {
        ::zoo_set_debug_level(ZOO_LOG_LEVEL_ERROR);
        m_zh = ::zookeeper_init(servers.toLatin1().constData(), nullptr, 120'000, nullptr, nullptr, 0);
        runUntil([this] { return ::zoo_state(m_zh) == ZOO_CONNECTED_STATE; });
    }
    ~Bare() { ::zookeeper_close(m_zh); }
    Q_DISABLE_COPY_MOVE(Bare)

    template <typename Condition> void runUntil(Condition condition)
    {
        while (!condition()) {
            int fd = -1;
            int interest = 0;
            timeval wait{};
            ::zookeeper_interest(m_zh, &fd, &interest, &wait);
            pollfd one{fd,
                       short(((interest & ZOOKEEPER_READ) ? POLLIN : 0) |
                             ((interest & ZOOKEEPER_WRITE) ? POLLOUT : 0)),
                       0};
            ::poll(&one, fd < 0 ? 0 : 1,
                   fd < 0 ? 10 : int(std::min(10L, wait.tv_sec * 1'000L + wait.tv_usec / 1'000L)));
            const int events = ((one.revents & POLLIN) ? ZOOKEEPER_READ : 0) |
                               ((one.revents & POLLOUT) ? ZOOKEEPER_WRITE : 0);
            ::zookeeper_process(m_zh, events);
        }
    }
    zhandle_t *zh() const { return m_zh; }

private:
    zhandle_t *m_zh = nullptr;
};

struct Counts
{
    int asked = 0;
    int answered = 0;
};

void counted(int rc, const char *, const void *data)
{
    if (rc != ZOK)
        qFatal("%s", ::zerror(rc));
    ++static_cast<Counts *>(const_cast<void *>(data))->answered;
}

void create(Bare &bare, Counts &counts, const QByteArray &path, int mode, const QByteArray &data = {})
{
    ++counts.asked;
    ::zoo_acreate(bare.zh(), path.constData(), data.constData(), int(data.size()), &ZOO_OPEN_ACL_UNSAFE, mode,
                  &counted, &counts);
}

void fill(Bare &bare, int count)
{
    Counts counts;
    create(bare, counts, "/locks", ZOO_PERSISTENT);
    for (int i = 0; i < count; ++i) {
        const QByteArray lock = "/locks/" + QByteArray::number(i);
        create(bare, counts, lock, ZOO_PERSISTENT);
        create(bare, counts, lock + "/_c_6f9619ff-8b86-d011-b42d-00c04fc964ff-lock-",
               ZOO_EPHEMERAL_SEQUENTIAL, "worker-17@10.0.0.7");
        if (i % 500 == 499)
            bare.runUntil([&counts] { return counts.answered == counts.asked; });
    }
    bare.runUntil([&counts] { return counts.answered == counts.asked; });
}

/** Lists all, lists each, and reads each holder. */
struct BareReading
{
    Bare &bare;
    int lists = 0;
    int holders = 0;

    struct One
    {
        BareReading *reading;
        QByteArray path;
    };

    double run(int count)
    {
        const qint64 beganNs = nowNs();
        ::zoo_aget_children2(bare.zh(), "/locks", 0, &BareReading::all, this);
        bare.runUntil([this, count] { return holders == count; });
        return double(count) / (double(nowNs() - beganNs) / 1e9);
    }
    static void all(int, const String_vector *names, const ::Stat *, const void *data)
    {
        auto *self = static_cast<BareReading *>(const_cast<void *>(data));
        for (int i = 0; i < names->count; ++i) {
            auto *one = new One{self, QByteArray("/locks/") + names->data[i]};
            ::zoo_aget_children2(self->bare.zh(), one->path.constData(), 0, &BareReading::queue, one);
        }
    }
    static void queue(int, const String_vector *names, const ::Stat *, const void *data)
    {
        const std::unique_ptr<One> one(static_cast<One *>(const_cast<void *>(data)));
        ++one->reading->lists;
        const QByteArray holder = one->path + '/' + names->data[0];
        ::zoo_aget(one->reading->bare.zh(), holder.constData(), 0, &BareReading::holder, one->reading);
    }
    static void holder(int, const char *, int, const ::Stat *, const void *data)
    {
        ++static_cast<BareReading *>(const_cast<void *>(data))->holders;
    }
};

/** Makes holders below ROOT/N, one after the other, over a separate link on Qt's loop. */
class Writer
{
public:
    Writer(const Ensemble &ensemble, const QByteArray &root, int changes, Latencies &latencies)
        : m_link(ensemble), m_root(root), m_sent(size_t(changes)), m_latencies(latencies)
    {
        QEventLoop loop;
        QObject::connect(&m_link, &ZookeeperLink::connected, &loop, &QEventLoop::quit);
        m_link.open();
        loop.exec();
        m_link.createPersistent(root, [](const Reply &) {});
        for (int i = 0; i < changes; ++i)
            m_link.createPersistent(path(size_t(i)), [](const Reply &) {});
        m_link.sync([&loop](const Reply &) { loop.quit(); });
        loop.exec();
    }

    QByteArray path(size_t i) const { return m_root + '/' + QByteArray::number(qulonglong(i)); }
    size_t changes() const { return m_sent.size(); }
    void run()
    {
        QEventLoop loop;
        QTimer pace;
        pace.setTimerType(Qt::PreciseTimer);
        size_t next = 0;
        QObject::connect(&pace, &QTimer::timeout, &loop, [&] {
            if (next == m_sent.size()) {
                pace.stop();
                QTimer::singleShot(500, &loop, &QEventLoop::quit);
                return;
            }
            m_sent[next] = nowNs();
            m_link.createSequential(path(next) + "/_c_1-lock-", "w", [](const Reply &) {});
            ++next;
        });
        pace.start(kPauseMs);
        loop.exec();
    }
    void heard(const QByteArray &path)
    {
        const size_t i = path.mid(m_root.size() + 1).toULong();
        if (path.startsWith(m_root + '/') && i < m_sent.size() && m_sent[i] != 0)
            m_latencies.ns.push_back(nowNs() - std::exchange(m_sent[i], 0));
    }

private:
    ZookeeperLink m_link;
    QByteArray m_root;
    std::vector<qint64> m_sent;
    Latencies &m_latencies;
};

/** Hears that a list has changed, reads nothing. */
void bareWatch(const Ensemble &ensemble, Writer &writer)
{
    ZookeeperLink link(ensemble);
    QEventLoop loop;
    QObject::connect(&link, &ZookeeperLink::connected, &loop, &QEventLoop::quit);
    QObject::connect(&link, &ZookeeperLink::childrenChanged, &loop,
                     [&writer](const QByteArray &path) { writer.heard(path); });
    link.open();
    loop.exec();
    for (size_t i = 0; i < writer.changes(); ++i)
        link.children(writer.path(i), true, [](const Reply &) {});
    link.sync([&loop](const Reply &) { loop.quit(); });
    loop.exec();
    writer.run();
}

void push(const stores::SourceSpec &spec, const Ensemble &ensemble, Writer &writer)
{
    ZookeeperStore store(spec, ensemble);
    open(store);
    pass(store, 0); // sets the watches
    QEventLoop context;
    QObject::connect(&store, &stores::Store::pushed, &context, [&writer](const stores::Push &told) {
        for (const stores::Change &change : told.changes)
            writer.heard(change.lock.name);
    });
    writer.run();
}

} // namespace

int main(int argc, char *argv[])
{
    const QCoreApplication application(argc, argv);
    writeToMemory();
    if (!tests::ZookeeperServer::isInstalled()) {
        std::fprintf(stderr, "bench_zookeeper: left out: %s\n", tests::ZookeeperServer::absent());
        return 0;
    }
    const int count = argc > 1 ? QByteArray(argv[1]).toInt() : 10'000;
    const int changes = argc > 2 ? QByteArray(argv[2]).toInt() : 500;
    tests::ZookeeperServer server;
    if (!server.start("maxSessionTimeout=120000\n")) // the holders' lives by a loop that has other work
        qFatal("ZooKeeper doesn't start");
    stores::SourceSpec spec;
    spec.name = QStringLiteral("bench");
    spec.url = server.url();
    stores::LockSet set;
    set.scheme = "zookeeper.sequence";
    set.match = "/locks/*";
    spec.locks = {set};
    const Ensemble ensemble = ensembleOf(spec).value();
    {
        Bare holder(server.address());
        fill(holder, count);
        ZookeeperStore store(spec, ensemble);
        open(store);
        Bare reader(server.address());
        const auto live = [](Bare &client) { // its session lives by it
            client.runUntil([once = 0]() mutable { return once++ > 0; });
        };
        const auto [value, floor] = inTurn(
            kRounds,
            [&] {
                live(holder);
                live(reader);
                return pass(store, count);
            },
            [&] { return BareReading{reader}.run(count); });
        printPass("zookeeper.pass", count, "bare libzookeeper", value, floor, 0.7);
    }
    spec.push = true;
    Latencies bare;
    Latencies pushed;
    for (int i = 0; i < kPushRounds; ++i) {
        Writer toBare(ensemble, "/bare" + QByteArray::number(i), changes / kPushRounds, bare);
        bareWatch(ensemble, toBare);
        const QByteArray root = "/pushed" + QByteArray::number(i);
        Writer toStore(ensemble, root, changes / kPushRounds, pushed);
        spec.locks.first().match = root + "/*";
        push(spec, ensemble, toStore);
    }
    printPush("zookeeper.push", pushed, bare);
    return 0;
}
