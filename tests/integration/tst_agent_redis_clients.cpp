// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/redis_agent_rig.h"
#include "tests/support/test_program.h"

#include <QFileInfo>
#include <QProcess>
#include <QProcessEnvironment>
#include <QTest>

namespace tst_agent_redis_clients {

using namespace lockkeeper;
using namespace lockkeeper::tests;
using domain::Outcome;
using events::Kind;
using events::LockEvent;

namespace {

constexpr const char *kPolled = "poll_ms = 50\n";
/** No poll and no pass comes in time. */
constexpr const char *kPushed = "push = true\npoll_ms = 60000\nreconcile_ms = 600000\n";

/** A folder from the environment, else where `./run test` puts it. */
QString folderOf(const char *variable, const char *otherwise)
{
    const QString named = qEnvironmentVariable(variable);
    return !named.isEmpty() ? named : qEnvironmentVariable("LOCKKEEPER_SOURCE") + QLatin1String(otherwise);
}

/** A program of tests/clients that takes locks by somebody else's library, a command a line. */
class Partner
{
public:
    ~Partner()
    {
        m_process.closeWriteChannel();
        if (!m_process.waitForFinished(5'000))
            m_process.kill();
        m_process.waitForFinished();
    }

    /** False where it can't be had here: `why` says what to set. */
    bool start(const QByteArray &library, const QByteArray &kind, const RedisServer &server)
    {
        const QString clients = qEnvironmentVariable("LOCKKEEPER_SOURCE") + QStringLiteral("/tests/clients/");
        QStringList arguments;
        QString program;
        if (library == "python") {
            program = QStringLiteral("/usr/bin/python3");
            arguments = {clients + QStringLiteral("python/client.py"), server.socketPath()};
            why = QStringLiteral("needs python3-redis");
        } else if (library == "node") {
            const QString modules =
                folderOf("LOCKKEEPER_TEST_NODE_MODULES", "/build/clients/node/node_modules");
            why = QStringLiteral("set LOCKKEEPER_TEST_NODE_MODULES to a node_modules of tests/clients/node");
            if (!QFileInfo::exists(modules + QStringLiteral("/redlock")))
                return false;
            QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
            environment.insert(QStringLiteral("NODE_PATH"), modules);
            m_process.setProcessEnvironment(environment);
            program = QStringLiteral("node");
            arguments = {clients + QStringLiteral("node/client.js"), QString::fromLatin1(kind),
                         server.socketPath()};
        } else {
            const QString jars = folderOf("LOCKKEEPER_TEST_REDISSON", "/build/clients/java");
            why =
                QStringLiteral("set LOCKKEEPER_TEST_REDISSON to a folder of the jars of tests/clients/java");
            if (!QFileInfo::exists(jars))
                return false;
            program = QStringLiteral("java");
            arguments = {QStringLiteral("-cp"), jars + QStringLiteral("/*"),
                         clients + QStringLiteral("java/Client.java"), QString::fromLatin1(kind),
                         QString::number(server.port())};
        }
        m_process.start(program, arguments);
        return m_process.waitForStarted() && (library != "java" || line(60'000) == "ready") && isAlive();
    }

    QByteArray ask(const QByteArray &command)
    {
        m_process.write(command + '\n');
        return line(20'000);
    }

    QByteArray line(int timeoutMs)
    {
        while (!m_process.canReadLine()) {
            if (!m_process.waitForReadyRead(timeoutMs))
                return "(no answer) " + m_process.readAllStandardError();
        }
        return m_process.readLine().trimmed();
    }

    QString why;

private:
    /** A library that isn't installed ends its program at once. */
    bool isAlive() { return !m_process.waitForFinished(400); }

    QProcess m_process;
};

} // namespace

/**
 * Locks of other people's libraries: redis-py, redlock and redis-semaphore (npm), Redisson. Every acquisition
 * and release of theirs is reported once, with the right owner and the right end; then the lock is broken.
 */
class TestAgentRedisClients : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QVERIFY(m_rig.startServer({}, true)); }
    void cleanup()
    {
        QCOMPARE(m_rig.client->faults, QStringList());
        m_rig.stop();
    }

    void everyHoldIsReportedOnce_data();
    void everyHoldIsReportedOnce();
    void aFairQueueIsShownAndWoken_data();
    void aFairQueueIsShownAndWoken();

private:
    qsizetype count(Kind kind) const { return m_rig.client->count(kind); }
    /** And what was there before is known. */
    bool isPushed() const
    {
        const domain::SourceState source = m_rig.client->sources.value(QStringLiteral("s"));
        return source.mode == domain::ObservationMode::Push && source.passUs > 0;
    }
    LockEvent last(Kind kind) const { return m_rig.client->last(kind); }

    RedisAgentRig m_rig;
};

void TestAgentRedisClients::everyHoldIsReportedOnce_data()
{
    QTest::addColumn<QByteArray>("library");
    QTest::addColumn<QByteArray>("kind");
    QTest::addColumn<QByteArray>("lockSet");
    QTest::addColumn<QByteArray>("key");
    QTest::addColumn<bool>("pushed");
    const auto row = [](const char *library, const char *kind, const char *lockSet, const char *key) {
        for (const bool pushed : {false, true})
            QTest::addRow("%s %s, %s", library, kind, pushed ? "pushed" : "polled")
                << QByteArray(library) << QByteArray(kind) << QByteArray(lockSet) << QByteArray(key)
                << pushed;
    };
    row("python", "lock", "preset = \"redis-py\"\nmatch = \"job*\"", "job");
    row("node", "redlock", "preset = \"node-redlock\"\nmatch = \"job*\"", "job");
    row("node", "mutex", "preset = \"redis-semaphore-mutex\"", "mutex:job");
    row("node", "semaphore", "preset = \"redis-semaphore\"\nlease = \"60s\"", "semaphore:job");
    row("java", "lock", "preset = \"redisson\"\nmatch = \"job*\"", "job");
    row("java", "fair", "preset = \"redisson\"\nmatch = \"job*\"", "job");
    row("java", "read", "preset = \"redisson\"\nmatch = \"job*\"", "job");
    row("java", "write", "preset = \"redisson\"\nmatch = \"job*\"", "job");
    row("java", "permit", "preset = \"redisson-permits\"", "{job}:timeout");
}

void TestAgentRedisClients::everyHoldIsReportedOnce()
{
    QFETCH(QByteArray, library);
    QFETCH(QByteArray, kind);
    QFETCH(QByteArray, lockSet);
    QFETCH(QByteArray, key);
    QFETCH(bool, pushed);
    if (pushed && RedisServer::version() < 600)
        QSKIP("servers tell of changes from Redis 6.0 on");
    constexpr int kCycles = 8;
    Partner partner;
    if (!partner.start(library, kind, *m_rig.redis))
        QSKIP(qPrintable(partner.why));
    QVERIFY(m_rig.begin(lockSet, pushed ? kPushed : kPolled));
    if (pushed)
        QTRY_VERIFY(isPushed());
    for (int cycle = 1; cycle <= kCycles; ++cycle) {
        const QByteArray taken = partner.ask("acquire job 60000");
        QVERIFY2(taken.startsWith("acquired "), taken.constData());
        QTRY_COMPARE(count(Kind::Acquired), cycle);
        QCOMPARE(last(Kind::Acquired).owner, taken.mid(9));
        QCOMPARE(last(Kind::Acquired).key.name, key);
        QVERIFY(std::abs(last(Kind::Acquired).expiresUs.value_or(0) - last(Kind::Acquired).timeUs -
                         60'000'000) < 10'000'000);
        if (cycle == kCycles)
            break;
        QCOMPARE(partner.ask("release"), QByteArray("released"));
        QTRY_COMPARE(count(Kind::Released), cycle);
        QCOMPARE(last(Kind::Released).owner, taken.mid(9));
    }
    QCOMPARE(m_rig.client->breakLock(last(Kind::Acquired).key), Outcome::Released);
    // The scripts of Redisson's fair and read-write locks take a lock that is gone for given back.
    const bool notices = kind != "fair" && kind != "read" && kind != "write";
    QCOMPARE(partner.ask("release"), QByteArray(notices ? "lost" : "released"));
    QTRY_COMPARE(count(Kind::ForceReleased), 1);
    QCOMPARE(last(Kind::ForceReleased).owner, last(Kind::Acquired).owner);
    QVERIFY(m_rig.client->ask<protocol::Done>(protocol::ReadNow{}));
    for (const LockEvent &event : std::as_const(m_rig.client->events))
        QVERIFY(!event.detail.contains(QLatin1String("missed")));
    QCOMPARE(count(Kind::Acquired), kCycles);
    QCOMPARE(count(Kind::Released), kCycles - 1);
    QCOMPARE(count(Kind::TakenOver) + count(Kind::Expired) + count(Kind::Stuck), 0);
    // Broken as its own release would have left it: the next one gets it.
    QVERIFY(partner.ask("acquire job 60000").startsWith("acquired "));
}

void TestAgentRedisClients::aFairQueueIsShownAndWoken_data()
{
    QTest::addColumn<bool>("pushed");
    QTest::newRow("polled") << false;
    QTest::newRow("pushed") << true;
}

void TestAgentRedisClients::aFairQueueIsShownAndWoken()
{
    QFETCH(bool, pushed);
    if (pushed && RedisServer::version() < 600)
        QSKIP("servers tell of changes from Redis 6.0 on");
    Partner partner;
    if (!partner.start("java", "fair", *m_rig.redis))
        QSKIP(qPrintable(partner.why));
    QVERIFY(m_rig.begin("preset = \"redisson\"\nmatch = \"job*\"", pushed ? kPushed : kPolled));
    if (pushed)
        QTRY_VERIFY(isPushed());
    const QByteArray taken = partner.ask("acquire job 60000");
    QVERIFY2(taken.startsWith("acquired "), taken.constData());
    QCOMPARE(partner.ask("enter"), QByteArray("entered"));
    QCOMPARE(partner.ask("wait job"), QByteArray("waiting"));
    const auto state = [this] { return m_rig.state("job", "redis.redisson"); };
    QTRY_COMPARE(state().waiters.size(), 1);
    QVERIFY(state().waitersVisible);
    QCOMPARE(state().depth, 2u);
    const QByteArray next = state().waiters.first().id;
    QVERIFY(state().waiters.first().detail.startsWith("until 20"));
    QVERIFY(m_rig.client->waitForEvent([](const LockEvent &e) { return e.kind == Kind::WaitStart; }));
    QCOMPARE(m_rig.client->breakLock(state().key), Outcome::Released);
    QCOMPARE(partner.line(20'000), "got " + next); // woken, not by a time-out of its own
}

LOCKKEEPER_TEST(TestAgentRedisClients)

} // namespace tst_agent_redis_clients

#include "tst_agent_redis_clients.moc"
