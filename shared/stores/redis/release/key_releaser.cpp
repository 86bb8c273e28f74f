// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/release/key_releaser.h"

#include "shared/base/text.h"
#include "shared/stores/redis/connection/handshake.h"
#include "shared/stores/redis/connection/log.h"
#include "shared/stores/redis/connection/redis_connection.h"

#include <algorithm>
#include <hiredis/hiredis.h>

namespace lockkeeper::stores::redis {

using base::Error;
using base::ErrorCode;
using domain::Outcome;

struct KeyReleaser::ReleaseTask
{
    ReleaseOrder order;
    std::shared_ptr<const KeyScheme> scheme;
    ReleaseCall call;
    AclSubject asker;
    bool asking;
    Done done;
    ReleaseReport report;
    Error note = {}; ///< to be reported although the lock is released

    void end(Outcome outcome, Error error = {})
    {
        report.outcome = outcome;
        report.error = std::move(error);
        done(report);
    }
};

namespace {

std::optional<Outcome> outcomeOf(QByteArrayView word)
{
    if (word == "released")
        return Outcome::Released;
    if (word == "holder_changed")
        return Outcome::HolderChanged;
    if (word == "already_free")
        return Outcome::AlreadyFree;
    if (word == "not_expired")
        return Outcome::Refused;
    return std::nullopt;
}

} // namespace

KeyReleaser::KeyReleaser(RedisConnection &connection) : m_connection(connection) {}

void KeyReleaser::release(const ReleaseOrder &order, std::shared_ptr<const KeyScheme> scheme,
                          const OrderCall &way, Done done)
{
    auto task = std::make_shared<ReleaseTask>(
        ReleaseTask{order, std::move(scheme), {}, way.asker, way.asking, std::move(done), {}});
    task->asker.breakRules = task->scheme->breakRules();
    auto call = task->scheme->releaseCall(order, way.name);
    if (!call) {
        task->end(Outcome::Refused, call.error());
        return;
    }
    task->call = std::move(*call);
    run(task, true);
}

void KeyReleaser::run(const TaskPtr &task, bool bySha)
{
    const Script &script = task->scheme->releaseScript();
    const ReleaseCall &call = task->call;
    CommandBatch batch;
    batch.setAsking(task->asking);
    batch.add(QList<QByteArray>{bySha ? "EVALSHA" : "EVAL", bySha ? script.sha : script.text,
                                QByteArray::number(call.keys.size())} +
              call.keys + call.arguments);
    // Where ASKING was refused before it, the script was too.
    const bool sent = m_connection.send(
        batch, [this, task, bySha](const redisReply *reply) { takeVerdict(task, reply, bySha); });
    if (!sent) {
        Error error = m_connection.failure();
        error.code = ErrorCode::Unreachable;
        if (error.cause.isEmpty())
            error.cause = QStringLiteral("the link to the server is down");
        task->end(Outcome::Unreachable, std::move(error));
    }
}

void KeyReleaser::takeVerdict(const TaskPtr &task, const redisReply *reply, bool bySha)
{
    if (reply == nullptr) { // a check has written nothing
        task->end(task->order.dryRun ? Outcome::Unreachable : Outcome::Unknown, m_connection.failure());
    } else if (isError(reply, "NOSCRIPT") && bySha) {
        run(task, false);
    } else if (isError(reply)) {
        // An error ends a script before its last statement, the DEL, has had effect.
        task->end(Outcome::Refused, errorOf(reply, task->asker, RightPurpose::Break));
    } else if (const auto outcome = reply->type == REDIS_REPLY_ARRAY && reply->elements >= 3
                                        ? outcomeOf(bytesOf(reply->element[0]))
                                        : std::nullopt) {
        task->report.storeUs = timeOf(reply->element[1], reply->element[2]);
        if (reply->elements > 3)
            task->note = {
                ErrorCode::PermissionDenied,
                QStringLiteral("released, but waiters weren't woken: they sleep until their next attempt"),
                aclStatement(task->asker, task->scheme->wakeRules())};
        if (*outcome == Outcome::Refused)
            task->end(*outcome, {ErrorCode::Unsupported,
                                 QStringLiteral("the lease hasn't expired by the server's clock"),
                                 {}});
        else if (*outcome == Outcome::Released && !task->order.dryRun)
            askReplicas(task);
        else
            task->end(*outcome);
    } else {
        task->end(Outcome::Unknown, errorOf(reply, task->asker, RightPurpose::Break));
    }
}

/** If the server doesn't answer this question, the release counts as unconfirmed: a link that ends here is a
 * failover's first sign. */
void KeyReleaser::askReplicas(const TaskPtr &task)
{
    const bool sent = m_connection.send({"INFO", "replication"}, [this, task](const redisReply *reply) {
        if (reply == nullptr || isError(reply))
            endUnconfirmed(task, reply);
        else if (factsOf(bytesOf(reply)).replicas > 0)
            waitForReplicas(task);
        else
            task->end(Outcome::Released, task->note);
    });
    if (!sent)
        endUnconfirmed(task, nullptr);
}

void KeyReleaser::waitForReplicas(const TaskPtr &task)
{
    // Never so long that the link would count as dead meanwhile.
    const QByteArray limit =
        QByteArray::number(std::min<qint64>(500, std::max<qint64>(1, m_connection.silenceMs() / 2)));
    const bool sent = m_connection.send({"WAIT", "1", limit}, [task](const redisReply *reply) {
        if (reply != nullptr && reply->type == REDIS_REPLY_INTEGER && reply->integer >= 1) {
            task->end(Outcome::Released, task->note);
            return;
        }
        endUnconfirmed(task, reply);
    });
    if (!sent)
        endUnconfirmed(task, nullptr);
}

void KeyReleaser::endUnconfirmed(const TaskPtr &task, const redisReply *reply)
{
    task->report.replicated = false;
    Error error{reply == nullptr ? ErrorCode::ConnectionLost : ErrorCode::Timeout,
                QStringLiteral("not replicated"),
                {}};
    if (isError(reply))
        error.remedy = errorOf(reply, task->asker, RightPurpose::Break).remedy;
    task->end(Outcome::Released, std::move(error));
}

} // namespace lockkeeper::stores::redis
