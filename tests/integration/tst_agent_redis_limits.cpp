// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/redis_agent_rig.h"
#include "tests/support/test_program.h"

#include <QRegularExpression>
#include <QTest>

#include <csignal>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <vector>

namespace tst_agent_redis_limits {

using namespace lockkeeper;
using namespace lockkeeper::tests;
using events::EventKind;
using events::LockEvent;

namespace {

constexpr const char *kTokens = "  scheme = \"redis.token\"\n  match = \"lock:*\"";
constexpr const char *kPushed = "poll_ms = 1000\nreconcile_ms = 1000\npush = true\n";

/** So many plain connections to a Unix socket, closed with this. */
class Crowd
{
public:
    ~Crowd() { leave(); }

    /** How many got in. */
    size_t enter(const QString &path, size_t count)
    {
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        qstrncpy(address.sun_path, QFile::encodeName(path).constData(), sizeof address.sun_path);
        while (m_sockets.size() < count) {
            const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
            if (socket < 0)
                break;
            m_sockets.push_back(socket);
            if (::connect(socket, reinterpret_cast<const sockaddr *>(&address), sizeof address) != 0)
                break;
        }
        return m_sockets.size();
    }

    void leave()
    {
        for (const int socket : m_sockets)
            ::close(socket);
        m_sockets.clear();
    }

private:
    std::vector<int> m_sockets;
};

} // namespace

/** An agent watches a Redis server at its limits of clients and buffers. */
class TestAgentRedisLimits : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void cleanup()
    {
        QCOMPARE(m_rig.client->faults, QStringList());
        m_rig.stop();
    }
    void tenThousandClients_data();
    void tenThousandClients();
    void aFullServerIsSaidToBe();
    void aReleaseByAStoppedServerIsFound_data();
    void aReleaseByAStoppedServerIsFound();
    void theSubscribersBufferOverflows();
    void aScanLargerThanTheServerLets();

private:
    bool saw(EventKind kind, const QByteArray &name = {}) { return m_rig.client->saw(kind, name); }
    qsizetype count(EventKind kind) const { return m_rig.client->count(kind); }
    bool set(const QByteArray &name, const QByteArray &owner)
    {
        return !m_rig.redis->command({"SET", name, owner, "PX", "600000"}).isError();
    }

    RedisAgentRig m_rig;
};

void TestAgentRedisLimits::tenThousandClients_data()
{
    QTest::addColumn<QByteArray>("source");
    QTest::newRow("polled") << QByteArray("poll_ms = 50\n");
    QTest::newRow("pushed") << QByteArray(kPushed);
}

/** They come, stay and go: nothing is claimed of the locks, nothing is missed, the link stays. */
void TestAgentRedisLimits::tenThousandClients()
{
    constexpr size_t kClients = 9'900;
    QFETCH(QByteArray, source);
    rlimit limit{};
    QCOMPARE(::getrlimit(RLIMIT_NOFILE, &limit), 0);
    if (limit.rlim_max < 2 * kClients)
        QSKIP("needs 20,000 open files (ulimit -Hn)");
    limit.rlim_cur = limit.rlim_max;
    QCOMPARE(::setrlimit(RLIMIT_NOFILE, &limit), 0);
    QVERIFY(m_rig.startServer({QStringLiteral("--maxclients"), QStringLiteral("10000")}));
    QVERIFY(m_rig.begin(kTokens, source));
    QVERIFY(set("lock:before", "alice"));
    QVERIFY(saw(EventKind::Acquired, "lock:before"));
    Crowd crowd;
    QCOMPARE(crowd.enter(m_rig.redis->socketPath(), kClients), kClients);
    QVERIFY(set("lock:among", "bob"));
    QVERIFY(saw(EventKind::Acquired, "lock:among"));
    QCOMPARE(m_rig.client->breakLock(m_rig.state("lock:among").key), domain::Outcome::Released);
    crowd.leave();
    QVERIFY(set("lock:after", "carol"));
    QVERIFY(saw(EventKind::Acquired, "lock:after"));
    QCOMPARE(count(EventKind::Acquired), 3);
    QCOMPARE(count(EventKind::ForceReleased), 1);
    QCOMPARE(m_rig.client->events.size(), 5); // and source_up
}

/** The server has no free connection for the agent: a gap with the server's message, until one becomes free.
 */
void TestAgentRedisLimits::aFullServerIsSaidToBe()
{
    QVERIFY(m_rig.startServer({QStringLiteral("--maxclients"), QStringLiteral("40")}));
    QVERIFY(m_rig.begin(kTokens, kPushed));
    QVERIFY(set("lock:a", "alice"));
    QVERIFY(saw(EventKind::Acquired, "lock:a"));
    // The places are taken before the agent can look for one again.
    m_rig.agent->signal(SIGSTOP);
    m_rig.redis->command({"CLIENT", "KILL", "TYPE", "pubsub"});
    m_rig.redis->command({"CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"});
    Crowd crowd;
    QCOMPARE(crowd.enter(m_rig.redis->socketPath(), 60), size_t(60));
    m_rig.agent->signal(SIGCONT);
    QVERIFY(saw(EventKind::GapOpened));
    // Its message or, if that was lost with the connection, the setting to check.
    const auto error = [this] { return m_rig.client->sources.value(QStringLiteral("s")).error; };
    static const QRegularExpression kTooMany(QStringLiteral("max number of clients|maxclients"));
    QTRY_VERIFY2((error().cause + error().remedy).contains(kTooMany), qPrintable(error().line()));
    crowd.leave();
    QVERIFY(saw(EventKind::GapClosed));
    QCOMPARE(count(EventKind::Released) + count(EventKind::Lost) + count(EventKind::Expired), 0);
    QVERIFY(set("lock:b", "bob"));
    QVERIFY(saw(EventKind::Acquired, "lock:b"));
}

void TestAgentRedisLimits::aReleaseByAStoppedServerIsFound_data()
{
    QTest::addColumn<QByteArray>("source");
    QTest::newRow("polled") << QByteArray("poll_ms = 100\n");
    QTest::newRow("pushed") << QByteArray(kPushed);
}

/**
 * The server stops after receiving the command, and executes it when it continues. The event, the audit and
 * the answer to the next request agree on who released the lock.
 */
void TestAgentRedisLimits::aReleaseByAStoppedServerIsFound()
{
    QFETCH(QByteArray, source);
    QVERIFY(m_rig.startServer());
    QVERIFY(m_rig.begin(kTokens, source));
    QVERIFY(set("lock:b", "bob")); // by then the server knows the script
    QVERIFY(saw(EventKind::Acquired, "lock:b"));
    QCOMPARE(m_rig.client->breakLock(m_rig.state("lock:b").key), domain::Outcome::Released);
    QVERIFY(saw(EventKind::ForceReleased, "lock:b"));
    QVERIFY(set("lock:a", "alice"));
    QVERIFY(saw(EventKind::Acquired, "lock:a"));
    protocol::Inspect inspect;
    inspect.key = m_rig.state("lock:a").key;
    const auto read = m_rig.client->ask<protocol::Inspected>(inspect);
    QVERIFY(read && read->present);
    protocol::ForceRelease order;
    order.command = QByteArray(32, 'a');
    order.key = inspect.key;
    order.reason = QStringLiteral("test");
    order.ticket = read->ticket;
    m_rig.redis->pause();
    const auto unknown = m_rig.client->ask<protocol::ReleaseResult>(order, 40'000);
    m_rig.redis->resume();
    QVERIFY(unknown);
    QCOMPARE(unknown->outcome, domain::Outcome::Unknown);
    QVERIFY2(saw(EventKind::ForceReleased, "lock:a"), m_rig.agent->log().constData());
    QCOMPARE(count(EventKind::Released) + count(EventKind::Expired) + count(EventKind::Lost), 0);
    QCOMPARE(m_rig.client->last(EventKind::ForceReleased).command, order.command);
    const bool proven = !m_rig.client->last(EventKind::ForceReleased).detail.mayBeReleased;

    const auto recorded = [this, command = order.command] {
        if (const auto page = m_rig.client->ask<protocol::AuditPage>(protocol::AuditQuery{})) {
            for (const domain::AuditEntry &entry : page->entries) {
                if (entry.command == command)
                    return entry;
            }
        }
        return domain::AuditEntry();
    };
    QTRY_COMPARE(recorded().outcome, proven ? domain::Outcome::Released : domain::Outcome::Unknown);
    if (!proven)
        QTRY_VERIFY(recorded().detail.contains(QLatin1String("probably by this command")));

    order.ticket.clear();
    order.holder = "alice";
    order.command = QByteArray(32, 'c'); // breakLock() had another
    const auto second = m_rig.client->ask<protocol::ReleaseResult>(order);
    QVERIFY(second);
    QCOMPARE(second->outcome, domain::Outcome::AlreadyFree);
    QVERIFY2(second->error.cause.endsWith(proven ? QLatin1String("lost, released it")
                                                 : QLatin1String("lost, probably released it")),
             qPrintable(second->error.cause));
}

/** The agent stands still while much changes: the server drops its subscriber, and nothing is pretended. */
void TestAgentRedisLimits::theSubscribersBufferOverflows()
{
    QVERIFY(m_rig.startServer());
    QVERIFY(m_rig.begin(kTokens, kPushed));
    m_rig.redis->command({"CONFIG", "SET", "client-output-buffer-limit", "pubsub 32kb 32kb 0"});
    QVERIFY(set("lock:kept", "alice"));
    QVERIFY(set("lock:given", "bob"));
    QVERIFY(saw(EventKind::Acquired, "lock:given"));
    m_rig.agent->signal(SIGSTOP);
    m_rig.redis->command({"DEL", "lock:given"});
    const auto subscribers = [this] {
        return m_rig.redis->command({"CLIENT", "LIST", "TYPE", "pubsub"}).bytes;
    };
    const QByteArray tail(200, 'x');
    for (int i = 0; i < 100'000 && !subscribers().isEmpty(); ++i) {
        for (int j = 0; j < 50; ++j)
            m_rig.redis->command({"SET", "lock:" + QByteArray::number(j) + tail, "n", "PX", "600000"});
    }
    QCOMPARE(subscribers(), QByteArray());
    m_rig.agent->signal(SIGCONT);
    QVERIFY(saw(EventKind::GapClosed));
    QVERIFY(saw(EventKind::Released, "lock:given"));
    QTRY_COMPARE(m_rig.client->table.locks.size(), 51);
    QCOMPARE(m_rig.state("lock:kept").owner, QByteArray("alice"));
    QCOMPARE(count(EventKind::Released), 1);
    QVERIFY(m_rig.client->last(EventKind::Released).windowUs > 0);
    QTRY_COMPARE(m_rig.client->sources.value(QStringLiteral("s")).mode, domain::ObservationMode::Push);
}

/** The server cuts off clients that read much at once. The agent reports this, and calls no lock free. */
void TestAgentRedisLimits::aScanLargerThanTheServerLets()
{
    QVERIFY(m_rig.startServer());
    QVERIFY(m_rig.begin(kTokens));
    QVERIFY(set("lock:a", "alice"));
    QVERIFY(saw(EventKind::Acquired, "lock:a"));
    m_rig.redis->command({"CONFIG", "SET", "client-output-buffer-limit", "normal 256kb 0 0"});
    const QByteArray large(10'000, 'v');
    for (int i = 0; i < 100; ++i)
        QVERIFY(set("lock:large" + QByteArray::number(i), large));
    QVERIFY(saw(EventKind::GapOpened));
    QCOMPARE(count(EventKind::Released) + count(EventKind::Lost) + count(EventKind::Expired), 0);
    m_rig.redis->command({"CONFIG", "SET", "client-output-buffer-limit", "normal 0 0 0"});
    QTRY_COMPARE(m_rig.client->table.locks.size(), 101);
    QVERIFY(saw(EventKind::GapClosed));
    QCOMPARE(count(EventKind::Released) + count(EventKind::Lost) + count(EventKind::Expired), 0);
}

LOCKKEEPER_TEST(TestAgentRedisLimits)

} // namespace tst_agent_redis_limits

#include "tst_agent_redis_limits.moc"
