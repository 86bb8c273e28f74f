// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/redis_race.h"

#include "shared/stores/redis/connection/endpoint.h"
#include "shared/stores/redis/store/redis_store.h"
#include "tests/support/race_breaker.h"
#include "tests/support/redis_server.h"
#include "tests/support/store_harness.h"

#include <QRandomGenerator>

#include <atomic>
#include <thread>
#include <vector>

namespace lockkeeper::tests {

using namespace stores;

namespace {

const QByteArray kNow("local now = redis.call('TIME') return now[1] * 1000000 + now[2]");

/**
 * The scripts that a client of a scheme runs, each answering 1 or 0. ARGV: the value to write, the new
 * deadline, the new depth.
 */
struct Moves
{
    QByteArray acquire;
    QByteArray renew;
    QByteArray unlock;
};

Moves movesOf(const RacePlan &plan)
{
    const QByteArray &scheme = plan.scheme;
    if (plan.reuses) {
        const QByteArray mine("if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end ");
        return {"if not redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', 30000) then return 0 end " + kNow,
                mine + "return redis.call('PEXPIRE', KEYS[1], 30000)",
                mine + "return redis.call('DEL', KEYS[1])"};
    }
    if (!plan.constant.isEmpty()) {
        // These clients make no mistakes: only the deadline identifies their own lease.
        const QByteArray mine(
            "if redis.call('GET', KEYS[1]) ~= ARGV[1] or "
            "string.format('%.0f', redis.call('PEXPIRETIME', KEYS[1])) ~= ARGV[4] then return 0 end ");
        return {"return redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PXAT', ARGV[2]) and 1 or 0",
                mine + "return redis.call('PEXPIREAT', KEYS[1], ARGV[2])",
                mine + "return redis.call('DEL', KEYS[1])"};
    }
    if (scheme == "redis.redisson") {
        const QByteArray mine("if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then return 0 end ");
        return {
            "if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end redis.call('HSET', KEYS[1], ARGV[1], 1) "
            "return redis.call('PEXPIREAT', KEYS[1], ARGV[2])",
            mine + "redis.call('HSET', KEYS[1], ARGV[1], ARGV[3]) return redis.call('PEXPIREAT', KEYS[1], "
                   "ARGV[2])",
            mine + "return redis.call('DEL', KEYS[1])"};
    }
    if (scheme == kFieldRace) {
        const QByteArray job("local job = string.sub(ARGV[1], 1, 1) ");
        const QByteArray mine =
            job + "if redis.call('HGET', KEYS[1], job) ~= ARGV[1] then return 0 end return ";
        return {job + "if redis.call('HLEN', KEYS[1]) >= 2 then return 0 end "
                      "return redis.call('HSETNX', KEYS[1], job, ARGV[1])",
                mine + "1", mine + "redis.call('HDEL', KEYS[1], job)"};
    }
    if (scheme == "redis.semaphore") {
        const QByteArray mine("if not redis.call('ZSCORE', KEYS[1], ARGV[1]) then return 0 end ");
        return {"if redis.call('ZCARD', KEYS[1]) >= 2 then return 0 end return redis.call('ZADD', KEYS[1], "
                "ARGV[2], "
                "ARGV[1])",
                mine + "redis.call('ZADD', KEYS[1], ARGV[2], ARGV[1]) return 1",
                "return redis.call('ZREM', KEYS[1], ARGV[1])"};
    }
    const QByteArray mine("if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end ");
    return {"return redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PXAT', ARGV[2]) and 1 or 0",
            mine + "return redis.call('PEXPIREAT', KEYS[1], ARGV[2])",
            mine + "return redis.call('DEL', KEYS[1])"};
}

/** The value that an acquisition writes, with a new number each time. */
QByteArray markOf(const QByteArray &scheme, int client, quint64 n)
{
    if (scheme == "redis.redisson")
        return "race:" + QByteArray::number(client) + QByteArray::number(n).rightJustified(31, '0');
    // With a letter among the digits it looks as random as it is unique.
    const QByteArray number =
        QByteArray::number(client) + QByteArray::number(n).rightJustified(30, '0') + 'a';
    if (scheme == "redis.json")
        return "{\"owner\":\"" + number + "\",\"state\":\"execute\",\"lastSync\":5}";
    return number;
}

/** The freshness of a guard that saw the lock as it was left. */
QByteArray freshnessOf(const QByteArray &scheme, const QByteArray &mark, const QByteArray &deadline,
                       int depth)
{
    if (scheme == "redis.json")
        return deadline + '\n' + mark;
    if (scheme == kFieldRace)
        return "-1";
    return scheme == "redis.redisson" ? deadline + '\n' + QByteArray::number(depth) : deadline;
}

/** The identity that a guard has for the acquisition that wrote `mark`. */
QByteArray identityOf(const QByteArray &scheme, const QByteArray &mark)
{
    if (scheme == kFieldRace)
        return mark.first(1) + '\0' + mark;
    return scheme == "redis.json" ? mark.sliced(10, 32) : mark;
}

constexpr qint64 kVagueMs = 10'000; ///< between deadlines, where the server can't report them exactly

struct Loss
{
    QByteArray identity;
    QByteArray freshness; ///< as the holder left it last
    qint64 beganUs = 0;   ///< by the server's clock, of a token that is used again, …
    qint64 foundUs = 0;   ///< … and when it was found gone
};

struct Client
{
    std::vector<Loss> losses;
    qint64 stepMs = 1; ///< between two deadlines
    qint64 acquisitions = 0;
    qint64 renewals = 0;
};

/** One lease from acquisition to release or loss. */
void hold(RedisPlain &plain, Client &client, const RacePlan &plan, const QByteArray &key,
          const QByteArray &mark, qint64 &deadline, QRandomGenerator &random)
{
    const Moves moves = movesOf(plan);
    const QByteArray &scheme = plan.scheme;
    int depth = 1;
    qint64 beganUs = 0;
    QByteArray last = QByteArray::number(deadline += client.stepMs);
    const auto run = [&](const QByteArray &script, const QByteArray &until) {
        const RedisReply answer =
            plain.command({"EVAL", script, "1", key, mark, until, QByteArray::number(depth), last});
        beganUs = std::max(beganUs, answer.integer);
        return answer.integer > 0;
    };
    const auto lose = [&](int left) {
        const qint64 foundUs = plan.reuses ? plain.command({"EVAL", kNow, "0"}).integer : 0;
        client.losses.push_back(
            {identityOf(scheme, mark), freshnessOf(scheme, mark, last, left), beganUs, foundUs});
    };
    if (!run(moves.acquire, last))
        return;
    ++client.acquisitions;
    for (int left = random.bounded(6); left > 0; --left) {
        const QByteArray next = QByteArray::number(deadline += client.stepMs);
        const int before = depth;
        depth += scheme == "redis.redisson" ? random.bounded(2) : 0;
        if (!run(moves.renew, next)) {
            lose(before);
            return;
        }
        last = next;
        ++client.renewals;
    }
    if (!run(moves.unlock, last))
        lose(depth);
}

void runClient(const QString &path, const RacePlan &plan, int index, Client &client,
               const std::atomic_bool &over)
{
    RedisPlain plain(path);
    QRandomGenerator random(quint32(7919 * (index + 1)));
    // Distinct for each client, so that no two renewals of the race set the same deadline.
    qint64 deadline = kFirstDeadlineMs + index * 1'000'000'000LL;
    client.stepMs = plain.command({"PEXPIRETIME", "none"}).isError() ? kVagueMs : 1;
    for (quint64 n = 0; !over && plain.isOpen(); ++n) {
        hold(plain, client, plan, raceKey(random.bounded(plan.keys)),
             plan.constant.isEmpty() ? markOf(plan.scheme, index, plan.reuses ? 0 : n) : plan.constant,
             deadline, random);
    }
}

struct Break
{
    QByteArray freshness;
    bool compared = false; ///< false: the guard compared only the freshness after the deadline
    qint64 shownUs = 0;    ///< when the guard was given out, by the server's clock, …
    qint64 madeUs = 0;     ///< … and when it broke
};

class Breaker : public RaceBreaker
{
public:
    using RaceBreaker::RaceBreaker;
    const QMultiHash<QByteArray, Break> &breaks() const { return m_breaks; }

protected:
    /** For a key with many locks, one that exists. */
    QByteArray subject() override
    {
        const QByteArray key = someKey();
        if (!m_plan.scheme.startsWith("redis.semaphore"))
            return key;
        m_harness.scan();
        QList<QByteArray> names;
        for (const Page &page : std::as_const(m_harness.m_pages)) {
            for (const Observation &lock : page.locks)
                names.append(lock.name);
        }
        return names.isEmpty() ? "none/" + key : names.at(below(names.size()));
    }

    void note(const ReleaseReport &report, const ReleaseOrder &order, qint64 shownUs) override
    {
        if (report.outcome == domain::Outcome::Released)
            m_breaks.insert(order.guard.identity, {order.guard.freshness, order.checkFreshness, shownUs,
                                                   report.storeUs.value_or(0)});
    }

private:
    QMultiHash<QByteArray, Break> m_breaks;
};

QByteArray alwaysOf(const QByteArray &freshness)
{
    const qsizetype end = freshness.indexOf('\n');
    return end < 0 ? QByteArray() : freshness.sliced(end);
}

QByteArray deadlineOf(const QByteArray &freshness)
{
    return freshness.first(freshness.size() - alwaysOf(freshness).size());
}

/**
 * True where the guard's deadline is the deadline that the holder left. Where the server doesn't report it
 * exactly, they match approximately.
 */
bool isSameDeadline(const QByteArray &seen, const QByteArray &left)
{
    if (!seen.startsWith('~'))
        return seen == left;
    const qsizetype plus = seen.indexOf('+');
    const qint64 low = seen.sliced(1, plus - 1).toLongLong();
    return left.toLongLong() >= low - 2 && left.toLongLong() <= low + seen.sliced(plus + 1).toLongLong() + 2;
}

/** A loss by a guard that was given out before the lease began is accounted for by none. */
bool isAccountedFor(const Loss &loss, const QMultiHash<QByteArray, Break> &breaks, const RacePlan &plan)
{
    const auto [from, to] = breaks.equal_range(loss.identity);
    return std::any_of(from, to, [&loss, &plan](const Break &b) {
        if (plan.reuses)
            return b.shownUs >= loss.beganUs && b.madeUs >= loss.beganUs && b.madeUs <= loss.foundUs;
        return alwaysOf(b.freshness) == alwaysOf(loss.freshness) &&
               ((!b.compared && plan.constant.isEmpty()) ||
                isSameDeadline(deadlineOf(b.freshness), deadlineOf(loss.freshness)));
    });
}

} // namespace

QByteArray raceKey(int index)
{
    return QByteArray("lock:") + QByteArray::number(index);
}

RaceResult runRedisRace(const QString &socketPath, const std::optional<redis::Script> &script,
                        const RacePlan &plan)
{
    RaceResult result;
    redis::Endpoint endpoint;
    endpoint.path = socketPath;
    QUrl url;
    url.setScheme(QStringLiteral("redis+unix"));
    url.setPath(socketPath);
    SourceSpec spec = redisSpec(url, "lock:*");
    spec.locks.first().scheme = plan.scheme.split('/').first();
    if (plan.scheme == kFieldRace)
        spec.locks.first().keys.permits = Permits::Sidekiq;
    StoreHarness harness(std::make_unique<redis::RedisStore>(spec, endpoint, script));
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
            result.wrong += isAccountedFor(loss, breaker.breaks(), plan) ? 0 : 1;
    }
    return result;
}

} // namespace lockkeeper::tests
