// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/schemes/token_scheme.h"

#include "shared/stores/redis/schemes/deadline.h"

#include <hiredis/hiredis.h>
#include <utility>

namespace lockkeeper::stores::redis {

namespace {

/** The list by which python-redis-lock wakes its waiters, beside the lock of that name. */
constexpr QByteArrayView kSignal("lock-signal:");
/** The one channel by which simple-redis-mutex wakes the waiters of all its locks. */
constexpr QByteArrayView kReleases("@simple-redis-mutex:locks-releases");

void setValue(Observation &lock, QByteArrayView value)
{
    lock.held = true;
    lock.ownerKnown = !value.isEmpty();
    lock.flaw = value.isEmpty() ? Flaw::NullIdentity : Flaw::None;
    lock.identity = value.toByteArray();
    lock.owner = lock.identity;
    lock.token = lock.identity;
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
    else if (lacksCommand(bytesOf(reply)))
        setRefused(lock);
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
    if (lock.flaw == Flaw::WrongType || lock.off == domain::ReleaseOff::NotPermitted)
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

QList<QByteArray> sleepersOf(QByteArrayView wakes, const QByteArray &name)
{
    constexpr qsizetype kMostRegistries = 4;
    QList<QByteArray> found;
    if (wakes == "list" && name.startsWith("lock:"))
        found.append(kSignal.toByteArray() + name.sliced(5));
    if (wakes == "message")
        found.append(kReleases.toByteArray());
    if (wakes != "channel")
        return found;
    for (qsizetype colon = name.indexOf(':', 1); colon > 0 && found.size() < 2 * kMostRegistries;
         colon = name.indexOf(':', colon + 1)) {
        const QByteArray channel = name.first(colon) + "-channel";
        found += QList<QByteArray>{channel + ':' + name, channel};
    }
    return found;
}

TokenScheme::TokenScheme(Script release, QByteArray wakes)
    : KeyScheme(std::move(release)), m_wakes(std::move(wakes))
{
}

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
    ReleaseCall call{
        {name.toByteArray()},
        QList<QByteArray>{guard.identity, order.checkFreshness ? guard.freshness : QByteArray("")} +
            flagsOf(order)};
    if (const QList<QByteArray> sleepers = sleepersOf(m_wakes, name.toByteArray()); !sleepers.isEmpty())
        call.arguments += QList<QByteArray>{m_wakes} + sleepers;
    return call;
}

QList<RightQuestion> TokenScheme::rights(const QByteArray &key) const
{
    QList<RightQuestion> questions{{RightQuestion::Observe, "getrange", {"GETRANGE", key, "0", "0"}},
                                   {RightQuestion::Observe, "strlen", {"STRLEN", key}},
                                   {RightQuestion::Break, "type", {"TYPE", key}},
                                   {RightQuestion::Write, "+del", {key, "remove"}}};
    const bool tells = m_wakes == "channel" || m_wakes == "message";
    const QByteArray sample = m_wakes == "channel" && key.indexOf(':', 1) < 0 ? "x:" + key : key;
    if (const QList<QByteArray> sleepers = sleepersOf(m_wakes, sample); !sleepers.isEmpty())
        questions.append(
            {RightQuestion::Wake, wakeRules(), {key, tells ? "tell" : "push", sleepers.constFirst()}});
    return questions + waitersRights(key);
}

QByteArray TokenScheme::breakRules() const
{
    const QByteArray wake = wakeRules();
    return wake.isEmpty() ? KeyScheme::breakRules() : wake + ' ' + KeyScheme::breakRules();
}

QByteArray TokenScheme::wakeRules() const
{
    if (m_wakes == "channel")
        return "&*-channel* +publish";
    if (m_wakes == "message")
        return "&" + kReleases.toByteArray() + " +publish";
    return m_wakes == "list" ? "~lock-signal:* +lpush +pexpire" : QByteArray();
}

} // namespace lockkeeper::stores::redis
