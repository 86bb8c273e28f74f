// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/redis_race.h"

#include "shared/stores/redis/endpoint.h"
#include "shared/stores/redis/redis_store.h"
#include "tests/support/redis_server.h"
#include "tests/support/store_harness.h"

#include <QRandomGenerator>

#include <atomic>
#include <thread>
#include <vector>

namespace lockkeeper::tests {

using namespace stores;

namespace {

const QByteArray kRenew("if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end "
                        "return redis.call('PEXPIREAT', KEYS[1], ARGV[2])");
const QByteArray kUnlock("if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end "
                         "return redis.call('DEL', KEYS[1])");
constexpr qint64 kFirstDeadlineMs = 4'000'000'000'000; ///< far ahead; every renewal has one of its own
constexpr int kRing = 12;

struct Loss
{
    QByteArray token;
    QByteArray deadline; ///< the last one that its holder had set
};

struct Client
{
    std::vector<Loss> losses;
    qint64 acquisitions = 0;
    qint64 renewals = 0;
};

QByteArray keyOf(int index)
{
    return QByteArray("lock:") + QByteArray::number(index);
}

/** One lease from acquisition to release or loss. */
void hold(RedisPlain &plain, Client &client, const QByteArray &key, const QByteArray &token, qint64 &deadline,
          QRandomGenerator &random)
{
    QByteArray last = QByteArray::number(++deadline);
    if (plain.command({"SET", key, token, "NX", "PXAT", last}).bytes != "OK")
        return;
    ++client.acquisitions;
    for (int left = random.bounded(6); left > 0; --left) {
        const QByteArray next = QByteArray::number(++deadline);
        if (plain.command({"EVAL", kRenew, "1", key, token, next}).integer != 1) {
            client.losses.push_back({token, last});
            return;
        }
        last = next;
        ++client.renewals;
    }
    if (plain.command({"EVAL", kUnlock, "1", key, token}).integer != 1)
        client.losses.push_back({token, last});
}

void runClient(const QString &path, const RacePlan &plan, int index, Client &client,
               const std::atomic_bool &over)
{
    RedisPlain plain(path);
    QRandomGenerator random(quint32(7919 * (index + 1)));
    // Distinct for each client, so that no two renewals of the race set the same deadline.
    qint64 deadline = kFirstDeadlineMs + index * 1'000'000'000LL;
    for (quint64 n = 0; !over && plain.isOpen(); ++n) {
        const QByteArray token = QByteArray::number(index) + QByteArray::number(n).rightJustified(31, '0');
        hold(plain, client, keyOf(random.bounded(plan.keys)), token, deadline, random);
    }
}

struct Break
{
    QByteArray deadline; ///< empty: freshness wasn't asked for
};

/** The releaser's side: reads a guard a round, breaks by one of the last few. */
class Breaker
{
public:
    Breaker(StoreHarness &harness, const RacePlan &plan, RaceResult &result)
        : m_harness(harness), m_plan(plan), m_result(result)
    {
    }

    void round()
    {
        const Inspection seen = m_harness.inspect(keyOf(m_random.bounded(m_plan.keys)));
        if (!seen.guard.identity.isEmpty()) {
            if (m_ring.size() >= kRing)
                m_ring.removeFirst();
            m_ring.append(seen);
        }
        if (m_ring.isEmpty())
            return;
        // Every other guard is the newest one: most older ones only meet a lock that has moved on.
        const qsizetype pick =
            m_random.bounded(2) == 0 ? m_ring.size() - 1 : m_random.bounded(int(m_ring.size()));
        const bool fresh = m_plan.checkFreshness && m_random.bounded(2) == 0;
        const ReleaseOrder order = orderFor(m_ring.at(pick), fresh);
        count(m_harness.release(order).outcome, order);
        ++m_result.rounds;
    }

    const QMultiHash<QByteArray, Break> &breaks() const { return m_breaks; }

private:
    void count(domain::Outcome outcome, const ReleaseOrder &order)
    {
        switch (outcome) {
        case domain::Outcome::Released:
            ++m_result.released;
            m_breaks.insert(order.guard.identity,
                            {order.checkFreshness ? order.guard.freshness : QByteArray()});
            break;
        case domain::Outcome::HolderChanged:
            ++m_result.holderChanged;
            break;
        case domain::Outcome::AlreadyFree:
            ++m_result.alreadyFree;
            break;
        default:
            ++m_result.other;
        }
    }

    StoreHarness &m_harness;
    const RacePlan &m_plan;
    RaceResult &m_result;
    QRandomGenerator m_random{4711};
    QList<Inspection> m_ring;
    QMultiHash<QByteArray, Break> m_breaks;
};

bool isAccountedFor(const Loss &loss, const QMultiHash<QByteArray, Break> &breaks)
{
    const auto [from, to] = breaks.equal_range(loss.token);
    return std::any_of(
        from, to, [&loss](const Break &b) { return b.deadline.isEmpty() || b.deadline == loss.deadline; });
}

} // namespace

RaceResult runRedisRace(const QString &socketPath, const redis::Script &script, const RacePlan &plan)
{
    RaceResult result;
    redis::Endpoint endpoint;
    endpoint.path = socketPath;
    QUrl url;
    url.setScheme(QStringLiteral("redis+unix"));
    url.setPath(socketPath);
    StoreHarness harness(std::make_unique<redis::RedisStore>(redisSpec(url, "lock:*"), endpoint, script));
    if (!harness.open())
        return result;
    std::atomic_bool over = false;
    std::vector<Client> clients(size_t(plan.clients));
    std::vector<std::thread> threads;
    for (int i = 0; i < plan.clients; ++i)
        threads.emplace_back([&, i] { runClient(socketPath, plan, i, clients[size_t(i)], over); });
    Breaker breaker(harness, plan, result);
    while (result.rounds < plan.rounds && harness.m_failures.isEmpty())
        breaker.round();
    over = true;
    for (std::thread &thread : threads)
        thread.join();
    for (const Client &client : clients) {
        result.acquisitions += client.acquisitions;
        result.renewals += client.renewals;
        result.lost += qint64(client.losses.size());
        for (const Loss &loss : client.losses)
            result.wrong += isAccountedFor(loss, breaker.breaks()) ? 0 : 1;
    }
    return result;
}

} // namespace lockkeeper::tests
