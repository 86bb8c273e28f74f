// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/agent_process.h"
#include "tests/support/redis_server.h"
#include "tests/support/slow_link.h"
#include "tests/support/test_client.h"
#include "tests/support/test_program.h"

#include <QElapsedTimer>
#include <QTest>

#include <algorithm>
#include <memory>
#include <vector>

namespace tst_agent_links {

using namespace lockkeeper;
using namespace lockkeeper::tests;
using events::Kind;

/** A hundred links are cut, and a hundred fall silent without an end: no event is lost, doubled or invented.
 */
class TestAgentLinks : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void cutAndSilentLinks();

private:
    /** Waits until every source has had `rounds` gaps, and none is open. */
    bool areAllBack(qsizetype rounds, int withinMs);

    TestClient m_client;
};

namespace {

constexpr int kSources = 25;
constexpr int kRounds = 4;

QString nameOf(int source)
{
    return QStringLiteral("s%1").arg(source);
}

domain::LockKey lockOf(int source)
{
    return {nameOf(source), "redis.token", "db0", "lock:a"};
}

} // namespace

bool TestAgentLinks::areAllBack(qsizetype rounds, int withinMs)
{
    return QTest::qWaitFor(
        [&] {
            return m_client.count(EventKind::GapOpened) == rounds * kSources &&
                   m_client.count(EventKind::GapClosed) == rounds * kSources &&
                   std::all_of(m_client.sources.cbegin(), m_client.sources.cend(),
                               [](const auto &source) { return source.link == domain::Link::Up; });
        },
        withinMs);
}

void TestAgentLinks::cutAndSilentLinks()
{
    RedisServer redis;
    QVERIFY(redis.start({}, true));
    redis.command({"SET", "lock:a", "alice", "PX", "6000000"});
    std::vector<std::unique_ptr<SlowLink>> links;
    QByteArray sources;
    for (int i = 0; i < kSources; ++i) {
        links.push_back(std::make_unique<SlowLink>(redis.port()));
        sources +=
            "[[source]]\nname = \"" + nameOf(i).toLatin1() +
            "\"\nurl = \"redis://127.0.0.1:" + QByteArray::number(links.back()->port()) +
            "\"\npoll_ms = 200\n  [[source.locks]]\n  scheme = \"redis.token\"\n  match = \"lock:*\"\n";
    }
    AgentProcess agent;
    agent.configure(sources);
    QVERIFY(agent.start());
    QVERIFY(m_client.open(agent.socket()));
    m_client.subscribe({});
    QTRY_COMPARE_WITH_TIMEOUT(m_client.table.locks.size(), kSources, 20'000);
    qint64 longest = 0;
    for (int round = 0; round < kRounds; ++round) {
        for (const auto &link : links)
            link->cut();
        QVERIFY(areAllBack(2 * round + 1, 30'000));
        for (const auto &link : links) {
            link->hush();
            link->setDelayMs(3'000); // new connections are slow at first
        }
        QElapsedTimer timer;
        timer.start();
        QVERIFY(QTest::qWaitFor([&] { return m_client.count(Kind::GapOpened) == (2 * round + 2) * kSources; },
                                20'000));
        longest = std::max(longest, timer.elapsed());
        const domain::Outcome broken = m_client.breakLock(lockOf(round));
        QVERIFY2(broken != domain::Outcome::Released, qPrintable(QString::number(int(broken))));
        QTRY_VERIFY(links.front()->connections() > 0); // the slow answers are under way
        for (const auto &link : links)
            link->setDelayMs(0);
        QVERIFY(areAllBack(2 * round + 2, 60'000));
    }
    qInfo("%d silent links were found after %lld ms at most", kRounds * kSources,
          static_cast<long long>(longest));
    QVERIFY(longest <= 15'000);
    QCOMPARE(m_client.faults, QStringList());
    for (const EventKind kind : {EventKind::Released, EventKind::Expired, EventKind::Lost,
                                 EventKind::TakenOver, EventKind::ForceReleased})
        QCOMPARE(m_client.count(kind), 0);
    QCOMPARE(m_client.table.locks.size(), kSources);
    QCOMPARE(redis.command({"GET", "lock:a"}).bytes, QByteArray("alice"));
    QCOMPARE(m_client.breakLock(lockOf(0)), domain::Outcome::Released); // the links are good again
}

LOCKKEEPER_TEST(TestAgentLinks)

} // namespace tst_agent_links

#include "tst_agent_links.moc"
