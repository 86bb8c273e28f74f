// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/agent_process.h"
#include "tests/support/redis_server.h"
#include "tests/support/test_client.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QLocalSocket>
#include <QTest>

#include <csignal>

namespace tst_agent_process {

using namespace lockkeeper;
using namespace lockkeeper::tests;
using events::EventKind;

/** The agent as a process: signals, its folder, its disk, its peers. */
class TestAgentProcess : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void endsCleanly_data();
    void endsCleanly();
    void reloadKeepsSessions();
    void reloadVoidsReadings();
    void brokenFileKeepsTheOldConfiguration();
    void checkTakesTheUnitsEnvironment();
    void filesAreTheOwnersOnly();
    void secondAgentIsRefused();
    void hostilePeers();
    void stoppedClientCostsLittle();
    void fullDisk();
    void metricsAndHealth();
    void usage_data();
    void usage();

private:
    QByteArray section(const QByteArray &name = "orders", const QByteArray &match = "lock:*") const
    {
        return "[[source]]\nname = \"" + name + "\"\nurl = \"" + m_redis->url().toEncoded() +
               "\"\npoll_ms = 50\n  [[source.locks]]\n  scheme = \"redis.token\"\n  match = \"" + match +
               "\"\n";
    }

    std::unique_ptr<RedisServer> m_redis;
    std::unique_ptr<AgentProcess> m_agent;
    std::unique_ptr<TestClient> m_client;
};

void TestAgentProcess::init()
{
    m_redis = std::make_unique<RedisServer>();
    m_agent = std::make_unique<AgentProcess>();
    m_client = std::make_unique<TestClient>();
    QVERIFY(m_redis->start());
    m_agent->configure(section());
    QVERIFY(m_agent->start());
    QVERIFY(m_client->open(m_agent->socket()));
}

void TestAgentProcess::cleanup()
{
    if (m_client)
        QCOMPARE(m_client->faults, QStringList());
    m_client.reset();
    m_agent.reset();
    m_redis.reset();
}

void TestAgentProcess::endsCleanly_data()
{
    QTest::addColumn<int>("number");
    QTest::newRow("SIGTERM") << SIGTERM;
    QTest::newRow("SIGINT") << SIGINT;
}

void TestAgentProcess::endsCleanly()
{
    QFETCH(int, number);
    m_client->subscribe(0, false);
    m_redis->command({"SET", "lock:a", "alice"});
    QVERIFY(m_client->saw(EventKind::Acquired));
    m_agent->signal(number);
    QTRY_VERIFY(m_client->end);
    QCOMPARE(m_client->end->code, base::ErrorCode::Shutdown);
    QCOMPARE(m_agent->terminate(), 0);
    QVERIFY(!QFile::exists(m_agent->socket()));
    // Started again it knows the lock: a gap, but no second acquisition.
    const quint64 seq = m_client->table.seq;
    QVERIFY(m_agent->start());
    QVERIFY(m_client->open(m_agent->socket()));
    m_client->subscribe(seq, false);
    QVERIFY(m_client->saw(EventKind::GapClosed));
    QCOMPARE(std::count_if(m_client->events.cbegin(), m_client->events.cend(),
                           [](const auto &e) { return e.kind == EventKind::Acquired; }),
             1);
}

void TestAgentProcess::reloadKeepsSessions()
{
    m_redis->command({"SET", "lock:a", "alice"});
    m_redis->command({"SET", "job:b", "bob"});
    m_client->subscribe(std::nullopt);
    QTRY_COMPARE(m_client->table.locks.size(), 1);
    m_agent->configure(section() + section("more", "job:*"));
    m_agent->signal(SIGHUP);
    QTRY_COMPARE(m_client->table.locks.size(), 2);
    m_agent->configure(section("more", "job:*"));
    m_agent->signal(SIGHUP);
    QTRY_COMPARE(m_client->table.locks.size(), 1);
    QCOMPARE(m_client->table.locks.constBegin()->key.source, QStringLiteral("more"));
    // Another interval: the same connection continues, and nothing starts over.
    QTRY_VERIFY(m_client->tableWhole);
    const int fresh = m_client->fresh;
    m_agent->configure(section("more", "job:*").replace("poll_ms = 50", "poll_ms = 60"));
    m_agent->signal(SIGHUP);
    QTRY_COMPARE(m_client->sources.value(QStringLiteral("more")).pollMs, 60);
    QCOMPARE(m_client->fresh, fresh);
    QVERIFY(!m_client->end);
}

/** A reading numbers its lock set by the configuration that it was made under. */
void TestAgentProcess::reloadVoidsReadings()
{
    const domain::LockKey key{QStringLiteral("orders"), "redis.token", "db0", "lock:a"};
    m_redis->command({"SET", "lock:a", "5f8f8c44b54764421b7156c93b5f0000", "PX", "600000"});
    m_client->subscribe(std::nullopt);
    QTRY_COMPARE(m_client->table.locks.size(), 1);
    const auto reading = m_client->ask<protocol::Inspected>(protocol::Inspect{0, key});
    QVERIFY(reading && !reading->ticket.isEmpty());
    m_agent->configure(section("orders", "job:*") + "  [[source.locks]]\n  scheme = \"redis.token\"\n" +
                       "  match = \"lock:*\"\n  break = \"never\"\n");
    m_agent->signal(SIGHUP);
    QTRY_COMPARE(m_client->table.locks.value(key).release.why, domain::ReleaseOff::BreakNever);
    protocol::ForceRelease order;
    order.command = QByteArray(32, 'a');
    order.key = key;
    order.ticket = reading->ticket;
    order.reason = QStringLiteral("read before");
    const auto result = m_client->ask<protocol::ReleaseResult>(order);
    QVERIFY(result);
    QCOMPARE(result->outcome, domain::Outcome::Refused);
    QCOMPARE(m_redis->command({"EXISTS", "lock:a"}).integer, 1);
}

void TestAgentProcess::brokenFileKeepsTheOldConfiguration()
{
    m_client->subscribe(std::nullopt);
    m_agent->configure("[[source]]\nname = \"orders\"\nurll = \"x\"\n");
    m_agent->signal(SIGHUP);
    QTRY_VERIFY2(m_agent->log().contains("agent.toml:8"), m_agent->log().constData());
    m_redis->command({"SET", "lock:a", "alice"});
    QTRY_COMPARE(m_client->table.locks.size(), 1);
    QVERIFY(!m_client->end);
}

/** `sudo -u lockkeeper lockkeeper-agent --check` sees the passwords that systemd gives to the unit. */
void TestAgentProcess::checkTakesTheUnitsEnvironment()
{
    m_agent->terminate();
    m_agent->configure(section().replace("poll_ms", "password = \"env:LK_OF_THE_UNIT\"\npoll_ms"));
    QByteArray output;
    QCOMPARE(m_agent->run({QStringLiteral("--check")}, &output), 1);
    QVERIFY2(output.contains("the environment variable LK_OF_THE_UNIT isn't set"), output.constData());
    QFile file(m_agent->folder() + QStringLiteral("/environment"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("# of the unit\nLK_OF_THE_UNIT=\"\"\n");
    file.close();
    QCOMPARE(m_agent->run({QStringLiteral("--check")}, &output), 0);
    QVERIFY2(output.contains("every source can be observed"), output.constData());
}

void TestAgentProcess::filesAreTheOwnersOnly()
{
    const auto others = QFile::ReadGroup | QFile::WriteGroup | QFile::ExeGroup | QFile::ReadOther |
                        QFile::WriteOther | QFile::ExeOther;
    const QDir data(m_agent->folder() + QStringLiteral("/data"));
    QVERIFY(!(QFile::permissions(data.path()) & others));
    const QStringList names = data.entryList(QDir::AllEntries | QDir::System | QDir::NoDotAndDotDot);
    QVERIFY(names.contains(QStringLiteral("journal.db")));
    for (const QString &name : names)
        QVERIFY2(!(QFile::permissions(data.filePath(name)) & others), qPrintable(name));
}

void TestAgentProcess::secondAgentIsRefused()
{
    QByteArray output;
    QCOMPARE(m_agent->run({}, &output), 1);
    QVERIFY2(output.contains("another agent uses the folder"), output.constData());
    QVERIFY(m_client->ask<protocol::Status>(protocol::StatusQuery{}));
}

void TestAgentProcess::hostilePeers()
{
    m_client->subscribe(std::nullopt);
    const int before = m_agent->openFiles();
    const QList<QByteArray> attempts{QByteArray(1'000, '\xff'),
                                     QByteArray(4, '\0'),
                                     QByteArray("\x00\x10\x00\x01", 4),
                                     QByteArray("\x00\x00\x00\x05hello", 9),
                                     protocol::frame(QByteArray(2'000, '\x81')),
                                     protocol::frame(protocol::encode(protocol::Hello{})) +
                                         protocol::frame(QByteArray(16, '\xfb'))};
    for (int round = 0; round < 20; ++round) {
        for (const QByteArray &bytes : attempts) {
            QLocalSocket peer;
            peer.connectToServer(m_agent->socket());
            QVERIFY(peer.waitForConnected());
            peer.write(bytes);
            QVERIFY(
                QTest::qWaitFor([&peer] { return peer.state() == QLocalSocket::UnconnectedState; }, 5'000));
        }
    }
    m_redis->command({"SET", "lock:a", "alice"});
    QTRY_COMPARE(m_client->table.locks.size(), 1);
    QTRY_VERIFY(std::abs(m_agent->openFiles() - before) <= 5);
}

void TestAgentProcess::stoppedClientCostsLittle()
{
    m_client->subscribe(0, false);
    QTRY_VERIFY(!m_client->events.isEmpty());
    int turn = 0;
    qint64 peak = 0;
    const auto load = [&](int rounds) { // a MiB and more a round for each session
        for (int round = 0; round < rounds; ++round) {
            ++turn;
            for (int i = 0; i < 250; ++i)
                m_redis->command({"SET", "lock:" + QByteArray::number(i),
                                  QByteArray(2'000, char('a' + turn % 26)) + QByteArray::number(turn)});
            const quint64 seen = m_client->table.seq;
            if (!QTest::qWaitFor([&] { return m_client->table.seq >= seen + 250; }, 15'000))
                return false;
            peak = std::max(peak, m_agent->residentKib());
        }
        return true;
    };
    QVERIFY(load(5));
    const qint64 before = peak;
    QLocalSocket stopped;
    stopped.setReadBufferSize(1'024);
    stopped.connectToServer(m_agent->socket());
    QVERIFY(stopped.waitForConnected());
    stopped.write(protocol::frame(protocol::encode(protocol::Hello{})) +
                  protocol::frame(protocol::encode(protocol::Subscribe{1, std::nullopt, {}, true, false})));
    QVERIFY(load(15));
    qInfo("a client that reads nothing cost %lld KiB", static_cast<long long>(peak - before));
    QVERIFY(peak - before < 32 * 1'024);
}

void TestAgentProcess::fullDisk()
{
    m_client->subscribe(std::nullopt);
    QTRY_VERIFY(m_client->tableWhole);
    m_agent->limitFileSize(600'000);
    const auto fill = [this](int round) {
        for (int i = 0; i < 250; ++i)
            m_redis->command({"SET", "lock:" + QByteArray::number(i),
                              QByteArray(2'000, char('a' + round % 26)) + QByteArray::number(round)});
    };
    int round = 0;
    const auto journalError = [this] {
        const auto status = m_client->ask<protocol::Status>(protocol::StatusQuery{});
        return status ? status->journalError.cause : QString();
    };
    QVERIFY(QTest::qWaitFor(
        [&] {
            fill(++round);
            return !journalError().isEmpty();
        },
        20'000));
    // The live view continues, releases don't, and the alarm is raised.
    m_redis->command({"SET", "lock:live", "3b5f0c1e8d0a4c7e9f2b6a1d5e4c3b2a", "PX", "600000"});
    const domain::LockKey live{QStringLiteral("orders"), "redis.token", "db0", "lock:live"};
    QTRY_VERIFY(m_client->table.locks.contains(live));
    QVERIFY(m_client->unjournalled > 0);
    protocol::ForceRelease order;
    order.command = QByteArray(32, '9');
    order.key = live;
    order.holder = "3b5f0c1e8d0a4c7e9f2b6a1d5e4c3b2a";
    order.reason = QStringLiteral("no disk");
    const auto result = m_client->ask<protocol::ReleaseResult>(order);
    QVERIFY(result);
    QCOMPARE(result->outcome, domain::Outcome::Refused);
    QCOMPARE(m_redis->command({"GET", "lock:live"}).bytes, QByteArray("3b5f0c1e8d0a4c7e9f2b6a1d5e4c3b2a"));
    QVERIFY(m_agent->httpGet("/healthz").startsWith("HTTP/1.1 503"));
    // An agent that was killed meanwhile starts again.
    m_agent->limitFileSize(40'000); // enough for SQLite's shared memory, and for no page in its log
    m_agent->kill();
    QVERIFY(m_agent->start());
    m_client = std::make_unique<TestClient>();
    QVERIFY(m_client->open(m_agent->socket()));
    m_client->subscribe(std::nullopt);
    QTRY_VERIFY(m_client->table.locks.contains(live));
    QVERIFY(QTest::qWaitFor([&] { return !journalError().isEmpty(); }, 15'000));
    order.command = QByteArray(32, '8');
    const auto refused = m_client->ask<protocol::ReleaseResult>(order);
    QVERIFY(refused);
    QCOMPARE(refused->outcome, domain::Outcome::Refused);
    order.command = QByteArray(32, '9');
    // With space again, it recovers automatically, and all views agree.
    m_agent->limitFileSize(std::nullopt);
    QVERIFY(QTest::qWaitFor([&] { return journalError().isEmpty(); }, 15'000));
    QVERIFY(m_client->ask<protocol::Done>(protocol::ReadNow{}));
    const auto truth = m_client->list();
    QVERIFY(truth);
    QCOMPARE(truth->size(), 251);
    QTRY_COMPARE(m_client->table.locks.size(), truth->size());
    const auto again = m_client->ask<protocol::ReleaseResult>(order);
    QVERIFY(again);
    QCOMPARE(again->outcome, domain::Outcome::Released);
}

void TestAgentProcess::metricsAndHealth()
{
    m_redis->command({"SET", "lock:a", "alice"});
    m_client->subscribe(std::nullopt);
    QTRY_COMPARE(m_client->table.locks.size(), 1);
    const QByteArray text = m_agent->httpGet("/metrics");
    QVERIFY(text.startsWith("HTTP/1.1 200"));
    for (const char *line : {"lockkeeper_locks{source=\"orders\",scheme=\"redis.token\",state=\"held\"} 1",
                             "lockkeeper_source_up{source=\"orders\"} 1", "lockkeeper_sessions 1",
                             "lockkeeper_journal_failing 0", "# TYPE lockkeeper_events_total counter"})
        QVERIFY2(text.contains(line), (QByteArray(line) + " isn't in " + text).constData());
    QVERIFY(m_agent->httpGet("/healthz").startsWith("HTTP/1.1 200"));
    m_redis->stop();
    QTRY_VERIFY(m_agent->httpGet("/healthz").startsWith("HTTP/1.1 503"));
    QVERIFY(m_agent->httpGet("/healthz").contains("orders"));
}

void TestAgentProcess::usage_data()
{
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("word");
    QTest::newRow("help") << QStringList{QStringLiteral("--help")} << 0 << QByteArray("--check");
    QTest::newRow("version") << QStringList{QStringLiteral("--version")} << 0
                             << QByteArray("lockkeeper-agent ");
    QTest::newRow("unknown option") << QStringList{QStringLiteral("--chek")} << 2 << QByteArray("--chek");
    QTest::newRow("unknown level") << QStringList{QStringLiteral("--log-level"), QStringLiteral("loud")} << 2
                                   << QByteArray("loud");
}

void TestAgentProcess::usage()
{
    QFETCH(QStringList, options);
    QFETCH(int, status);
    QFETCH(QByteArray, word);
    QByteArray output;
    QCOMPARE(m_agent->run(options, &output), status);
    QVERIFY2(output.contains(word), output.constData());
}

LOCKKEEPER_TEST(TestAgentProcess)

} // namespace tst_agent_process

#include "tst_agent_process.moc"
