// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/redlock_race.h"

#include "shared/domain/node.h"
#include "shared/stores/redis/redlock/merge.h"
#include "shared/stores/redis/redlock/redlock_stores.h"
#include "tests/support/race_breaker.h"

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

struct NodeLoss
{
    QByteArray place; ///< node and token
    QByteArray deadline;
};

/** One client: a majority of the nodes, renewed a few times, and released. */
class Holder
{
public:
    Holder(const QStringList &sockets, int keys, int index)
        : m_keys(keys),
          m_index(index),
          m_random(quint32(7919 * (index + 1))),
          m_deadline(kFirstDeadlineMs + index * 1'000'000'000LL)
    {
        for (const QString &socket : sockets)
            m_nodes.push_back(std::make_unique<RedisPlain>(socket));
    }

    void round()
    {
        const QByteArray key = raceKey(m_random.bounded(m_keys));
        const QByteArray token =
            QByteArray::number(m_index) + QByteArray::number(++m_count).rightJustified(30, '0') + 'a';
        std::vector<QByteArray> last(m_nodes.size());
        qsizetype taken = 0;
        const QByteArray first = QByteArray::number(++m_deadline);
        for (size_t i = 0; i < m_nodes.size(); ++i) {
            if (m_nodes[i]->command({"SET", key, token, "NX", "PXAT", first}).bytes == "OK") {
                last[i] = first;
                ++taken;
            }
        }
        if (taken >= domain::quorumOf(qsizetype(m_nodes.size()))) {
            ++acquisitions;
            for (int left = m_random.bounded(6); left > 0; --left)
                renew(key, token, last);
        }
        each(token, last, [&](size_t i) {
            return m_nodes[i]->command({"EVAL", kUnlock, "1", key, token}).integer == 1;
        });
    }

    std::vector<NodeLoss> losses;
    qint64 acquisitions = 0;
    qint64 renewals = 0;

private:
    void renew(const QByteArray &key, const QByteArray &token, std::vector<QByteArray> &last)
    {
        const QByteArray next = QByteArray::number(++m_deadline);
        each(token, last, [&](size_t i) {
            if (m_nodes[i]->command({"EVAL", kRenew, "1", key, token, next}).integer != 1)
                return false;
            last[i] = next;
            return true;
        });
        ++renewals;
    }

    /** On every node where the token should be; where it isn't, it was lost. */
    template <typename Act> void each(const QByteArray &token, std::vector<QByteArray> &last, const Act &act)
    {
        for (size_t i = 0; i < m_nodes.size(); ++i) {
            if (last[i].isEmpty() || act(i))
                continue;
            losses.push_back({QByteArray::number(qsizetype(i)) + ' ' + token, last[i]});
            last[i].clear();
        }
    }

    std::vector<std::unique_ptr<RedisPlain>> m_nodes;
    int m_keys;
    int m_index;
    QRandomGenerator m_random;
    qint64 m_deadline;
    quint64 m_count = 0;
};

/** Keeps each node's answer. */
class RedlockBreaker : public RaceBreaker
{
public:
    using RaceBreaker::RaceBreaker;

    bool isAccountedFor(const NodeLoss &loss) const
    {
        const auto [from, to] = m_breaks.equal_range(loss.place);
        return std::any_of(from, to, [&loss](const QByteArray &deadline) {
            return deadline.isEmpty() || deadline == loss.deadline;
        });
    }

protected:
    void note(const ReleaseReport &report, const ReleaseOrder &order, qint64) override
    {
        const QList<redis::NodeGuard> guards =
            redis::nodeGuardsOf(order.guard.freshness, report.nodes.size());
        for (qsizetype i = 0; i < report.nodes.size(); ++i) {
            if (report.nodes.at(i).outcome == domain::Outcome::Released)
                m_breaks.insert(QByteArray::number(i) + ' ' + order.guard.identity,
                                order.checkFreshness ? guards.at(i).freshness : QByteArray());
        }
    }

private:
    QMultiHash<QByteArray, QByteArray> m_breaks; ///< node and token → the deadline that was asked for
};

} // namespace

RaceResult runRedlockRace(RedlockNodes &nodes, const RacePlan &plan,
                          const std::optional<stores::redis::Script> &script)
{
    RaceResult result;
    QStringList sockets;
    for (int i = 0; i < nodes.size(); ++i)
        sockets.append(nodes.at(i).socketPath());
    StoreHarness harness(*redis::makeRedlockStore(nodes.spec(), script));
    if (!harness.open())
        return result;
    std::atomic_bool over = false;
    std::vector<std::unique_ptr<Holder>> holders;
    std::vector<std::thread> threads;
    for (int i = 0; i < plan.clients; ++i) {
        holders.push_back(std::make_unique<Holder>(sockets, plan.keys, i));
        threads.emplace_back([holder = holders.back().get(), &over] {
            while (!over)
                holder->round();
        });
    }
    RedlockBreaker breaker(harness, plan, result);
    while (result.rounds < plan.rounds && harness.m_failures.isEmpty())
        breaker.round();
    over = true;
    for (std::thread &thread : threads)
        thread.join();
    for (const auto &holder : holders) {
        result.acquisitions += holder->acquisitions;
        result.renewals += holder->renewals;
        result.lost += qint64(holder->losses.size());
        for (const NodeLoss &loss : holder->losses)
            result.wrong += breaker.isAccountedFor(loss) ? 0 : 1;
    }
    return result;
}

} // namespace lockkeeper::tests
