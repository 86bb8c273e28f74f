// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/replica/replica.h"
#include "app/session/agent_group.h"
#include "shared/base/clock.h"
#include "tests/support/agent_process.h"
#include "tests/support/redis_server.h"
#include "tests/support/test_program.h"

#include <QSet>
#include <QTest>
#include <QUuid>

#include <algorithm>
#include <memory>
#include <optional>

namespace tst_many_agents {

using namespace lockkeeper;
using namespace lockkeeper::tests;
using app::replica::Replica;
using app::session::AgentGroup;
using app::session::EventsRead;
using app::session::LinkState;
using base::ErrorCode;
using domain::LockKey;
using domain::Outcome;

namespace {
constexpr int kLongMs = 20'000;
}

/** The console's parts on three real agents: dc1 and dc2 watch one Redis server, dc2 more closely, dc3
 * another. All call their source "orders".
 */
class TestManyAgents : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void oneRowForOneLock();
    void releaseGoesWhereItIsSeenBest();
    void goesOnWithoutTheOneThatIsKilled();
    void whatIsReleasedMeanwhileStaysGone();
    void oneHistoryOfAll();

private:
    bool begin(AgentProcess &agent, const QByteArray &name, const RedisServer &redis, int pollMs);
    static bool take(RedisServer &redis, const QByteArray &lock, const QByteArray &owner)
    {
        return !redis.command({"SET", lock, owner, "PX", "600000"}).isError();
    }
    /** "dc2+dc1 lock:a=w1" for each lock that is held, in order of its text. */
    QStringList rows() const;
    /**
     * Both stores have the same lock by the same holder: a request to the wrong agent would release the other
     * store's lock.
     */
    bool takeInBoth()
    {
        return take(*m_shared, "lock:a", "w1") && take(*m_other, "lock:a", "w1") &&
               QTest::qWaitFor([this] { return rows() == m_both; }, kLongMs);
    }
    LockKey keyOf(const char *source, const QByteArray &name) const
    {
        return {QString::fromLatin1(source), "redis.token", "db0", name};
    }
    template <typename T, typename Ask> base::Result<T> asked(Ask ask);
    base::Result<protocol::Inspected> inspect(const LockKey &key);
    base::Result<protocol::ReleaseResult> release(const LockKey &key, const QByteArray &ticket);
    /** Releases as the dialog does: by the ticket of its reading. */
    base::Result<protocol::ReleaseResult> release(const LockKey &key);
    /** The sources in the audit, the newest entry's first. */
    QStringList audit();
    QList<events::LockEvent> acquired(const char *lock = "lock:*");

    const QStringList m_both{QStringLiteral("dc2+dc1 lock:a=w1"), QStringLiteral("dc3 lock:a=w1")};
    std::unique_ptr<RedisServer> m_shared;
    std::unique_ptr<RedisServer> m_other;
    std::unique_ptr<AgentProcess> m_one;
    std::unique_ptr<AgentProcess> m_two;
    std::unique_ptr<AgentProcess> m_three;
    base::SystemClock m_clock;
    std::unique_ptr<AgentGroup> m_agents;
    std::unique_ptr<Replica> m_replica;
};

void TestManyAgents::init()
{
    m_shared = std::make_unique<RedisServer>();
    m_other = std::make_unique<RedisServer>();
    m_one = std::make_unique<AgentProcess>();
    m_two = std::make_unique<AgentProcess>();
    m_three = std::make_unique<AgentProcess>();
    QVERIFY(m_shared->start() && m_other->start());
    QVERIFY(begin(*m_one, "dc1", *m_shared, 200));
    QVERIFY(begin(*m_two, "dc2", *m_shared, 50));
    QVERIFY(begin(*m_three, "dc3", *m_other, 50));
    m_agents = std::make_unique<AgentGroup>(QStringLiteral("test"));
    m_agents->setTiming({10'000, 20, 100, 50});
    m_replica = std::make_unique<Replica>(m_clock);
    m_replica->follow(m_agents.get());
    m_agents->open(QList<transport::Address>{{m_one->socket()}, {m_two->socket()}, {m_three->socket()}});
    // Each agent has announced its source, and the first two have the same store.
    QTRY_VERIFY_WITH_TIMEOUT(m_replica->sources().size() == 3 && !m_agents->sameStores().isEmpty(), kLongMs);
}

void TestManyAgents::cleanup()
{
    if (m_replica)
        m_replica->follow(nullptr);
    m_replica.reset();
    m_agents.reset();
    m_one.reset();
    m_two.reset();
    m_three.reset();
    m_shared.reset();
    m_other.reset();
}

bool TestManyAgents::begin(AgentProcess &agent, const QByteArray &name, const RedisServer &redis, int pollMs)
{
    agent.configure("[[source]]\nname = \"orders\"\nurl = \"" + redis.url().toEncoded() +
                        "\"\npush = false\npoll_ms = " + QByteArray::number(pollMs) +
                        "\n  [[source.locks]]\n  scheme = \"redis.token\"\n  match = \"lock:*\"\n",
                    {}, name);
    return agent.start();
}

QStringList TestManyAgents::rows() const
{
    QStringList rows;
    for (const domain::LockState &lock : m_replica->locks().values()) {
        if (lock.phase == domain::Phase::Held)
            rows.append(m_replica->agentsOf(lock.key).join(u'+') + u' ' + QString::fromUtf8(lock.key.name) +
                        u'=' + QString::fromUtf8(lock.owner));
    }
    rows.sort();
    return rows;
}

template <typename T, typename Ask> base::Result<T> TestManyAgents::asked(Ask ask)
{
    const auto answer = std::make_shared<std::optional<base::Result<T>>>();
    ask([answer](base::Result<T> came) { *answer = std::move(came); });
    if (!QTest::qWaitFor([&] { return answer->has_value(); }, kLongMs))
        return base::failure(ErrorCode::Timeout, QStringLiteral("no answer at all"));
    return **answer;
}

base::Result<protocol::Inspected> TestManyAgents::inspect(const LockKey &key)
{
    return asked<protocol::Inspected>([&](const auto &answer) {
        m_agents->ask(protocol::Inspect{0, key}, this, answer);
    });
}

base::Result<protocol::ReleaseResult> TestManyAgents::release(const LockKey &key, const QByteArray &ticket)
{
    protocol::ForceRelease request;
    request.command = QUuid::createUuid().toByteArray(QUuid::Id128);
    request.key = key;
    request.ticket = ticket;
    request.reason = QStringLiteral("its pod is gone");
    return asked<protocol::ReleaseResult>([&](const auto &answer) { m_agents->ask(request, this, answer); });
}

base::Result<protocol::ReleaseResult> TestManyAgents::release(const LockKey &key)
{
    const auto seen = inspect(key);
    return seen ? release(key, seen->ticket) : tl::unexpected(seen.error());
}

QStringList TestManyAgents::audit()
{
    QStringList sources;
    const auto page =
        asked<protocol::AuditPage>([&](const auto &answer) { m_agents->audit({}, this, answer); });
    if (!page)
        return {page.error().cause};
    for (const domain::AuditEntry &entry : page->entries) {
        if (entry.isRelease())
            sources.append(entry.key.source);
    }
    return sources;
}

QList<events::LockEvent> TestManyAgents::acquired(const char *lock)
{
    protocol::HistoryQuery query;
    query.lockGlob = lock;
    query.kinds = {events::EventKind::Acquired};
    const auto read = asked<EventsRead>([&](const auto &answer) { m_agents->history(query, this, answer); });
    return read ? read->events : QList<events::LockEvent>();
}

void TestManyAgents::oneRowForOneLock()
{
    QVERIFY2(takeInBoth(), qPrintable(rows().join(u',')));
    QCOMPARE(m_replica->agentsOf(keyOf("dc1/orders", "lock:a")),
             QStringList({QStringLiteral("dc2"), QStringLiteral("dc1")}));
    QCOMPARE(m_replica->shownAs(keyOf("dc1/orders", "lock:a")), keyOf("dc2/orders", "lock:a"));
    QCOMPARE(m_replica->shownAs(keyOf("dc3/orders", "lock:a")), keyOf("dc3/orders", "lock:a"));
}

void TestManyAgents::releaseGoesWhereItIsSeenBest()
{
    QVERIFY2(takeInBoth(), qPrintable(rows().join(u',')));
    const auto released = release(m_replica->shownAs(keyOf("dc1/orders", "lock:a")));
    QVERIFY2(released, released ? "" : qPrintable(released.error().cause));
    QCOMPARE(released->outcome, Outcome::Released);
    QVERIFY(m_shared->command({"GET", "lock:a"}).isNil());
    QCOMPARE(m_other->command({"GET", "lock:a"}).bytes, QByteArray("w1"));
    QTRY_COMPARE_WITH_TIMEOUT(rows(), QStringList{m_both.last()}, kLongMs);
    QCOMPARE(audit(), QStringList{QStringLiteral("dc2/orders")});
}

void TestManyAgents::goesOnWithoutTheOneThatIsKilled()
{
    QVERIFY2(takeInBoth(), qPrintable(rows().join(u',')));
    const LockKey best = m_replica->shownAs(keyOf("dc1/orders", "lock:a"));
    const auto seen = inspect(best);
    QVERIFY(seen && seen->present);
    m_two->kill();
    QTRY_COMPARE(m_replica->shownAs(best), keyOf("dc1/orders", "lock:a")); // within Qt's five seconds
    QCOMPARE(rows().size(), 2);
    QVERIFY(!m_replica->isStale(QStringLiteral("dc1/orders")));
    // No other agent gets the request for the lock that the dialog still names.
    for (const auto &refused : {release(best), release(best, seen->ticket)}) {
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, ErrorCode::Unreachable);
    }
    QCOMPARE(m_shared->command({"GET", "lock:a"}).bytes, QByteArray("w1"));
    QCOMPARE(m_other->command({"GET", "lock:a"}).bytes, QByteArray("w1"));
    QCOMPARE(audit(), QStringList());
    const auto released = release(m_replica->shownAs(best));
    QVERIFY2(released, released ? "" : qPrintable(released.error().cause));
    QCOMPARE(released->outcome, Outcome::Released);
    QVERIFY(m_shared->command({"GET", "lock:a"}).isNil());
    QCOMPARE(m_other->command({"GET", "lock:a"}).bytes, QByteArray("w1"));
    QVERIFY(take(*m_shared, "lock:b", "w2"));
    QTRY_VERIFY_WITH_TIMEOUT(rows().contains(QStringLiteral("dc1 lock:b=w2")), kLongMs);
    QVERIFY(m_two->start());
    QTRY_COMPARE_WITH_TIMEOUT(rows(), QStringList({QStringLiteral("dc2+dc1 lock:b=w2"), m_both.last()}),
                              kLongMs);
    QCOMPARE(audit(), QStringList{QStringLiteral("dc1/orders")});
}

/** The dead agent's copy isn't a lock that is held. */
void TestManyAgents::whatIsReleasedMeanwhileStaysGone()
{
    QVERIFY2(takeInBoth(), qPrintable(rows().join(u',')));
    m_two->kill();
    QTRY_COMPARE(m_replica->shownAs(keyOf("dc2/orders", "lock:a")), keyOf("dc1/orders", "lock:a"));
    QVERIFY(!m_shared->command({"DEL", "lock:a"}).isError());
    QVERIFY(take(*m_shared, "lock:b", "w2"));
    QTRY_COMPARE_WITH_TIMEOUT(rows(), QStringList({QStringLiteral("dc1 lock:b=w2"), m_both.last()}), kLongMs);
    QVERIFY(m_two->start());
    QTRY_COMPARE_WITH_TIMEOUT(rows(), QStringList({QStringLiteral("dc2+dc1 lock:b=w2"), m_both.last()}),
                              kLongMs);
}

void TestManyAgents::oneHistoryOfAll()
{
    QVERIFY2(takeInBoth(), qPrintable(rows().join(u',')));
    QVERIFY(!m_shared->command({"DEL", "lock:a"}).isError());
    QTRY_COMPARE_WITH_TIMEOUT(rows(), QStringList{m_both.last()}, kLongMs);
    QVERIFY(takeInBoth());
    // dc1 and dc2 each report both holds, dc3 only one.
    QTRY_COMPARE_WITH_TIMEOUT(acquired().size(), 5, kLongMs);
    const QList<events::LockEvent> all = acquired();
    QVERIFY(std::is_sorted(all.cbegin(), all.cend(),
                           [](const auto &a, const auto &b) { return a.timeUs < b.timeUs; }));
    QSet<std::pair<QString, quint64>> told;
    for (const events::LockEvent &event : all)
        told.insert({event.key.source, event.seq});
    QCOMPARE(told.size(), 5);
    const auto contention = [this] {
        QStringList rows;
        const auto page = asked<protocol::ContentionPage>(
            [&](const auto &answer) { m_agents->ask(protocol::ContentionQuery(), this, answer); });
        if (!page)
            return QStringList{page.error().cause};
        for (const domain::Contention &lock : page->locks)
            rows.append(QStringLiteral("%1 %2").arg(lock.key.source).arg(lock.acquisitions));
        return rows;
    };
    QCOMPARE(contention(), QStringList{QStringLiteral("dc2/orders 2")});
    m_two->kill();
    QTRY_COMPARE(contention(), QStringList{QStringLiteral("dc1/orders 2")});
    QCOMPARE(acquired().size(), 3);
}

LOCKKEEPER_TEST(TestManyAgents)

} // namespace tst_many_agents

#include "tst_many_agents.moc"
