// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/locks/redis/redlock_lock_client.h"

#include "shared/base/clock.h"
#include "shared/base/random_id.h"
#include "shared/domain/node.h"
#include "shared/stores/redis/redlock/merge.h"
#include "shared/stores/redis/redlock/redlock_stores.h"

#include <QTimer>

#include <algorithm>
#include <chrono>

namespace lockkeeper::locks::redis {

using namespace stores::redis;
using namespace stores;
using base::ErrorCode;

namespace {

constexpr qsizetype kTokenBytes = 20;
constexpr qint64 kLeastPatienceMs = 20;
constexpr qint64 kMostPatienceMs = 1'000;

/** Time limit for the nodes. Short compared with the lease, so that a hanging node doesn't use it up. */
std::chrono::milliseconds patience(qint64 ttlUs)
{
    return std::chrono::milliseconds(std::clamp(ttlUs / 50'000, kLeastPatienceMs, kMostPatienceMs));
}

} // namespace

RedlockLockClient::RedlockLockClient(std::vector<std::unique_ptr<RedisLockClient>> nodes)
    : m_nodes(std::move(nodes))
{
}

qsizetype RedlockLockClient::quorum() const
{
    return domain::quorumOf(qsizetype(m_nodes.size()));
}

void RedlockLockClient::tryAcquire(const Lease &wanted, Done done)
{
    Lease lease = wanted;
    if (lease.token.isEmpty())
        lease.token = base::randomId(kTokenBytes);
    begin({std::move(done), ClientAct::Acquire, std::move(lease)});
}

void RedlockLockClient::renew(const Lease &lease, qint64 ttlUs, Done done)
{
    Lease longer = lease;
    longer.ttlUs = ttlUs;
    begin({std::move(done), ClientAct::Renew, std::move(longer)});
}

void RedlockLockClient::release(const Lease &lease, Done done)
{
    begin({std::move(done), ClientAct::Release, lease});
}

void RedlockLockClient::begin(QuorumRound round)
{
    const quint64 id = ++m_lastRound;
    round.beganUs = base::SystemClock().monotonicUs();
    const Lease lease = round.lease;
    const ClientAct act = round.act;
    m_rounds.insert(id, std::move(round));
    for (const auto &node : m_nodes)
        node->ask(act, lease,
                  [this, id, asked = node.get()](const AttemptResult &result) { take(id, asked, result); });
    const auto limit =
        act == ClientAct::Release ? std::chrono::milliseconds(kMostPatienceMs) : patience(lease.ttlUs);
    QTimer::singleShot(limit, Qt::PreciseTimer, this, [this, id] { giveUpOnTheRest(id); });
}

void RedlockLockClient::take(quint64 id, const RedisLockClient *node, const AttemptResult &result)
{
    const auto it = m_rounds.find(id);
    if (it == m_rounds.end())
        return; // already decided
    std::optional<base::Error> error = result.error;
    if (const QByteArray &run = node->runId(); !error && !run.isEmpty()) {
        const RedisLockClient *&same = it->runs[run];
        if (same != nullptr)
            error = sameServerError(same->endpoint().address(), node->endpoint().address());
        same = node;
    }
    if (error) {
        ++it->failed;
        if (it->error.cause.isEmpty())
            it->error = *error;
    } else if (result.attempt == Attempt::Done) {
        ++it->done;
    } else {
        ++it->refused;
    }
    decide(id, false);
}

void RedlockLockClient::giveUpOnTheRest(quint64 id)
{
    const auto it = m_rounds.find(id);
    if (it == m_rounds.end())
        return;
    it->failed = qsizetype(m_nodes.size()) - it->done - it->refused;
    if (it->error.cause.isEmpty())
        it->error = {ErrorCode::Timeout, QStringLiteral("a node didn't answer in time"), {}};
    decide(id, true);
}

void RedlockLockClient::decide(quint64 id, bool over)
{
    const QuorumRound round = m_rounds.value(id);
    const qsizetype nodes = qsizetype(m_nodes.size());
    const bool all = over || round.done + round.refused + round.failed == nodes;
    const bool enough = round.done >= quorum();
    const bool tooFew = nodes - round.refused - round.failed < quorum();
    // A release is only answered after all nodes: the caller may rely on it, or end the program.
    if (round.act == ClientAct::Release ? !all : !enough && !tooFew)
        return;
    m_rounds.remove(id);
    const qint64 ttlUs = round.lease.ttlUs;
    const qint64 validUs = ttlUs - (base::SystemClock().monotonicUs() - round.beganUs) - driftUs(ttlUs);
    const auto same = round.act == ClientAct::Acquire ? sameServer() : std::nullopt;
    if (enough && !same && (round.act == ClientAct::Release || validUs > 0)) {
        answer(round, Attempt::Done, validUs, false);
        return;
    }
    // So many nodes have refused that the others don't matter.
    const bool sure = round.refused > nodes - quorum() || (enough && validUs <= 0);
    // Release the token also where it is still on its way. After the answer Lost, no caller would release it.
    if (round.act == ClientAct::Acquire || (round.act == ClientAct::Renew && sure))
        begin({{}, ClientAct::Release, round.lease});
    if (same)
        round.tell({.lease = round.lease, .error = same});
    else
        answer(round, round.act == ClientAct::Acquire ? Attempt::Held : Attempt::Lost, 0, !sure);
}

std::optional<base::Error> RedlockLockClient::sameServer() const
{
    for (auto one = m_nodes.cbegin(); one != m_nodes.cend(); ++one) {
        for (auto other = one + 1; other != m_nodes.cend() && !(*one)->runId().isEmpty(); ++other) {
            if ((*one)->runId() == (*other)->runId())
                return sameServerError((*one)->endpoint().address(), (*other)->endpoint().address());
        }
    }
    return std::nullopt;
}

void RedlockLockClient::answer(const QuorumRound &round, Attempt attempt, qint64 validUs, bool unknown)
{
    if (!round.tell)
        return;
    AttemptResult result;
    result.attempt = attempt;
    if (attempt == Attempt::Done && round.act != ClientAct::Release) {
        result.lease = round.lease;
        result.lease.ttlUs = validUs;
    }
    if (unknown && round.failed > 0)
        result.error = base::Error{ErrorCode::Unreachable,
                                   QStringLiteral("%1 of %2 nodes answered; %3")
                                       .arg(round.done + round.refused)
                                       .arg(m_nodes.size())
                                       .arg(round.error.cause),
                                   round.error.remedy};
    if (result.error && round.act == ClientAct::Acquire)
        result.lease = round.lease; // a node whose answer was lost may have the token
    round.tell(result);
}

} // namespace lockkeeper::locks::redis
