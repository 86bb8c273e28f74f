// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/agent_process.h"
#include "tests/support/redis_server.h"
#include "tests/support/test_client.h"
#include "tests/support/test_program.h"

#include <QElapsedTimer>
#include <QTest>

#include <pwd.h>
#include <unistd.h>

namespace tst_agent_flood {

using namespace lockkeeper;
using namespace lockkeeper::tests;

/** One viewer asks as fast as it can: the store is read no more than its limit allows, and others are
 * answered. */
class TestAgentFlood : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void oneViewerAtFullSpeed();
    void viewersTakeTurns();
};

namespace {

constexpr int kLocks = 2'000;
constexpr int kReadsPerSecond = 1'000;

/** Each reading of a lock has one GETRANGE. */
qint64 readingsOf(RedisServer &redis)
{
    qint64 calls = 0;
    for (const QByteArray &line : redis.command({"INFO", "commandstats"}).bytes.split('\n')) {
        if (line.startsWith("cmdstat_getrange:"))
            calls += line.mid(line.indexOf('=') + 1).split(',').first().toLongLong();
    }
    return calls;
}

domain::LockKey lockOf(int number)
{
    return {QStringLiteral("orders"), "redis.token", "db0", "lock:" + QByteArray::number(number)};
}

/** Everybody here is a viewer. */
void configure(AgentProcess &agent, const RedisServer &redis, int readsPerSecond)
{
    agent.configure("[[access]]\nwho = \"user:" + QByteArray(::getpwuid(::geteuid())->pw_name) +
                    "\"\nrole = \"viewer\"\n[[source]]\nname = \"orders\"\nurl = \"" +
                    redis.url().toEncoded() +
                    "\"\npoll_ms = 3600000\nmax_reads_per_s = " + QByteArray::number(readsPerSecond) +
                    "\n  [[source.locks]]\n  scheme = \"redis.token\"\n  match = \"lock:*\"\n");
}

} // namespace

void TestAgentFlood::oneViewerAtFullSpeed()
{
    RedisServer redis;
    QVERIFY(redis.start());
    for (int i = 0; i < kLocks; ++i)
        redis.command({"SET", lockOf(i).name, "alice", "PX", "6000000"});
    AgentProcess agent;
    configure(agent, redis, kReadsPerSecond);
    QVERIFY(agent.start());
    TestClient flooder;
    TestClient other;
    QVERIFY(flooder.open(agent.socket()));
    QVERIFY(other.open(agent.socket()));
    QCOMPARE(other.welcome.role, QStringLiteral("viewer"));
    QVERIFY(other.ask<protocol::Done>(protocol::ReadNow{}));

    const qint64 before = readingsOf(redis);
    QElapsedTimer timer;
    timer.start();
    QList<qint64> waitedUs;
    qint64 asked = 0;
    for (; waitedUs.size() < 200 && asked < 60'000;) {
        for (int i = 0; i < 300; ++i, ++asked) {
            flooder.post(protocol::Inspect{0, lockOf(int(asked % kLocks))});
            flooder.post(protocol::ReadNow{});
        }
        QElapsedTimer one;
        one.start();
        QVERIFY(other.ask<protocol::Status>(protocol::StatusQuery{}));
        waitedUs.append(one.nsecsElapsed() / 1'000);
    }
    const double seconds = double(timer.nsecsElapsed()) / 1e9;
    const double reads = double(readingsOf(redis) - before);
    std::sort(waitedUs.begin(), waitedUs.end());
    qInfo("%lld questions in %.1f s; another client waited %.1f ms at the 99th of 100, %.1f ms at most; the "
          "store "
          "was read %.0f times a second",
          static_cast<long long>(2 * asked), seconds, double(waitedUs.at(waitedUs.size() * 99 / 100)) / 1e3,
          double(waitedUs.constLast()) / 1e3, reads / seconds);
    QVERIFY(flooder.connected);
    QVERIFY2(reads > 0 && reads <= kReadsPerSecond * seconds + 200, qPrintable(QString::number(reads)));
}

/** One session asks for sixty locks, which takes seconds at this limit. Another one asks for a lock, and then
 * for the last one of those. */
void TestAgentFlood::viewersTakeTurns()
{
    RedisServer redis;
    QVERIFY(redis.start());
    for (int i = 0; i < 100; ++i)
        redis.command({"SET", lockOf(i).name, "alice", "PX", "6000000"});
    AgentProcess agent;
    configure(agent, redis, 40); // 20 a second for single locks
    QVERIFY(agent.start());
    TestClient flooder;
    TestClient other;
    QVERIFY(flooder.open(agent.socket()));
    QVERIFY(other.open(agent.socket()));
    QVERIFY(other.ask<protocol::Done>(protocol::ReadNow{}));
    for (int i = 0; i < 60; ++i)
        flooder.post(protocol::Inspect{0, lockOf(i)});
    for (const int number : {99, 59}) {
        QElapsedTimer timer;
        timer.start();
        const auto read = other.ask<protocol::Inspected>(protocol::Inspect{0, lockOf(number)});
        QVERIFY(read && !read->error);
        QVERIFY2(timer.elapsed() < 2'000, qPrintable(QString::number(timer.elapsed())));
    }
}

LOCKKEEPER_TEST(TestAgentFlood)

} // namespace tst_agent_flood

#include "tst_agent_flood.moc"
