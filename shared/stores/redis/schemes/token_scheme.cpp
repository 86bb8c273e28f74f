// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/schemes/token_scheme.h"

#include "shared/stores/distinctive.h"
#include "shared/stores/redis/schemes/deadline.h"

#include <hiredis/hiredis.h>

namespace lockkeeper::stores::redis {

namespace {

/** What python-redis-lock wakes its waiters by: a list beside the lock of that name. */
constexpr QByteArrayView kSignal("lock-signal:");

void setValue(Observation &lock, QByteArrayView value)
{
    lock.held = true;
    lock.ownerKnown = !value.isEmpty();
    lock.flaw = value.isEmpty() ? Flaw::NullIdentity : Flaw::None;
    lock.identity = value.toByteArray();
    lock.owner = lock.identity;
    lock.token = lock.identity;
    lock.repeatable = !isDistinctive(value);
}

void setTruncated(Observation &lock)
{
    lock.flaw = Flaw::Truncated;
    lock.identity.clear();
    lock.owner = lock.owner.first(qMin(lock.owner.size(), kShownOfLongValue));
    lock.token = lock.owner;
}

/** The bytes of GETRANGE into `lock`. */
void takeValue(Observation &lock, const redisReply *reply, PageReading &page)
{
    if (reply->type == REDIS_REPLY_STRING)
        setValue(lock, bytesOf(reply));
    else if (isError(reply, "WRONGTYPE"))
        setUnreadable(lock, Flaw::WrongType);
    else
        page.note(errorOf(reply, page.mode.asker));
}

void takeLength(KeyReading &reading, const redisReply *reply, PageReading &page)
{
    reading.numbers[0] = reply->type == REDIS_REPLY_INTEGER ? reply->integer : -1;
    if (reading.numbers[0] < 0 && !isError(reply, "WRONGTYPE"))
        page.note(errorOf(reply, page.mode.asker));
}

/** True where the value has to be asked for with its length. */
bool isDoubtful(Observation &lock, const KeyReading &reading)
{
    if (lock.flaw == Flaw::WrongType)
        return false;
    // An empty answer is an empty value or none; a full one may be the beginning of more.
    if (reading.round == 0)
        return lock.identity.isEmpty() || lock.identity.size() >= kLongestValue;
    const qint64 length = reading.numbers[0];
    if (length > kLongestValue && lock.identity.size() == kLongestValue) {
        setTruncated(lock);
        return false;
    }
    return length != lock.identity.size(); // it changed between the two questions
}

} // namespace

int TokenScheme::ask(CommandBatch &batch, const Observation &lock, const KeyReading &reading,
                     const ReadMode &mode) const
{
    if (reading.round > 0)
        batch.add({"STRLEN", lock.name});
    batch.add({"GETRANGE", lock.name, "0", kLastByte});
    batch.add({deadlineCommand(mode), lock.name});
    return reading.round > 0 ? 3 : 2;
}

void TokenScheme::take(Observation &lock, KeyReading &reading, int index, const redisReply *reply,
                       PageReading &page) const
{
    switch (reading.round > 0 ? index : index + 1) {
    case 0:
        takeLength(reading, reply, page);
        break;
    case 1:
        takeValue(lock, reply, page);
        break;
    default:
        if (takeDeadline(lock, reply, page) && lock.present)
            reading.again = isDoubtful(lock, reading);
        if (lock.flaw == Flaw::WrongType && lock.name.startsWith(kSignal))
            lock.present = false;
    }
}

base::Result<ReleaseCall> TokenScheme::releaseCall(const ReleaseOrder &order, QByteArrayView name) const
{
    const domain::Guard &guard = order.guard;
    return ReleaseCall{
        {name.toByteArray()},
        QList<QByteArray>{guard.identity, order.checkFreshness ? guard.freshness : QByteArray("")} +
            flagsOf(order)};
}

QList<RightQuestion> TokenScheme::rights(const QByteArray &key) const
{
    return {{RightQuestion::Observe, "getrange", {"GETRANGE", key, "0", "0"}},
            {RightQuestion::Observe, "strlen", {"STRLEN", key}},
            {RightQuestion::Break, "type", {"TYPE", key}},
            {RightQuestion::Write, "+del", {key, "remove"}}};
}

} // namespace lockkeeper::stores::redis
