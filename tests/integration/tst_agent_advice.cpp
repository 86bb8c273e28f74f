// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/agent_fixture.h"
#include "tests/support/redis_server.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_agent_advice {

using namespace lockkeeper;
using namespace lockkeeper::tests;
using events::EventKind;

namespace {

constexpr int kRounds = 26;
constexpr int kOutlived = 4; ///< rounds in which the lease runs out

} // namespace

/** A real agent watches the clients of a real server, and its journal is the evidence. */
class TestAgentAdvice : public AgentFixture
{
    Q_OBJECT

private Q_SLOTS:
    void leaseTooShort();

private:
    protocol::AdvicePage advice()
    {
        return m_client->ask<protocol::AdvicePage>(protocol::AdviceQuery{7, {}, {}, {}, {}})
            .value_or(protocol::AdvicePage());
    }
    /** The client with the short lease works until little of it is left, or longer. The other one has time.
     */
    bool work(RedisServer &redis, int round)
    {
        const auto leftMs = [&redis] { return redis.command({"PTTL", "lock:hasty"}).integer; };
        const bool outlives = round >= kRounds - kOutlived;
        const QByteArray number = QByteArray::number(round);
        redis.command({"SET", "lock:hasty", "report-" + number, "NX", "PX", "1500"});
        redis.command({"SET", "lock:calm", "import-" + number, "NX", "PX", "9000"});
        if (!QTest::qWaitFor([&] { return leftMs() < 700; }))
            return false;
        redis.command({"DEL", "lock:calm"});
        if (!QTest::qWaitFor([&] { return leftMs() < (outlives ? 0 : 250); }))
            return false;
        redis.command({"DEL", "lock:hasty"});
        // The agent must have seen both ends before the locks are taken again.
        return QTest::qWaitFor([&] { return ends("lock:hasty") > round && ends("lock:calm") > round; },
                               20'000);
    }
    qsizetype ends(const QByteArray &lock) const
    {
        return m_client->count(EventKind::Released, lock) + m_client->count(EventKind::Expired, lock);
    }
};

void TestAgentAdvice::leaseTooShort()
{
    RedisServer redis;
    QVERIFY(redis.start());
    m_agent->configure("[[source]]\nname = \"orders\"\nurl = \"" + redis.url().toEncoded() +
                       "\"\npoll_ms = 100\npush = true\n  [[source.locks]]\n  scheme = \"redis.token\"\n"
                       "  match = \"lock:*\"\n");
    QVERIFY(m_agent->start() && m_client->open(m_agent->socket()));
    m_client->subscribe(0);
    QVERIFY(m_client->saw(EventKind::SourceUp));
    for (int round = 0; round < kRounds; ++round)
        QVERIFY(work(redis, round));
    QTRY_COMPARE(advice().holds, 2 * kRounds);
    const protocol::AdvicePage page = advice();
    QCOMPARE(page.locks, 2);
    QCOMPARE(page.advice.size(), 1);
    const domain::Advice &only = page.advice.constFirst();
    QCOMPARE(domain::adviceCodeName(only.code), QByteArrayView("lease_too_short"));
    QCOMPARE(only.lock.name, QByteArray("lock:hasty"));
    QCOMPARE(only.confidence, domain::AdviceConfidence::Certain);
    const qint64 ttlUs = only.figures.value(QLatin1String("ttl_us")).toInteger();
    QVERIFY2(ttlUs > 1'450'000 && ttlUs <= 1'500'000,
             qPrintable(QString::number(ttlUs))); // as the server counts it
    QVERIFY(only.ttlUs.value_or(0) >= 2'900'000);
}

LOCKKEEPER_TEST(TestAgentAdvice)

} // namespace tst_agent_advice

#include "tst_agent_advice.moc"
