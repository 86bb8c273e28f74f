// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/schemes/redisson_scheme.h"

#include "shared/stores/redis/schemes/deadline.h"
#include "shared/stores/redis/schemes/redisson_names.h"

#include <QDateTime>
#include <QMap>
#include <QTimeZone>

#include <algorithm>
#include <hiredis/hiredis.h>

namespace lockkeeper::stores::redis {

using base::ErrorCode;
using base::failure;

namespace {

constexpr QByteArrayView kLockChannel("redisson_lock__channel");
constexpr QByteArrayView kRwChannel("redisson_rwlock");
constexpr QByteArrayView kQueue("redisson_lock_queue");
constexpr QByteArrayView kTimeouts("redisson_lock_timeout");
constexpr QByteArrayView kFencing("redisson_lock_token");
constexpr QByteArrayView kMode("mode");
constexpr QByteArrayView kWrite(":write");

/** No lock and no queue is larger: a larger key isn't read. */
constexpr qint64 kMostFields = 64;
constexpr qint64 kMostRedissonBytes = 64 * 1024;
constexpr qint64 kMostQueued = 256;
constexpr QByteArrayView kLastInQueue("255");
constexpr QByteArrayView kLastDigit("19"); ///< of what INCR can reach
constexpr QByteArrayView kSamples("64");   ///< for MEMORY USAGE, as many as kMostFields

/** The places in KeyReading::numbers. */
enum Number : quint8 { Fields, Queued, QueueBytes, TimeoutBytes, Fencing };

qint64 numberOf(const redisReply *reply)
{
    return reply->type == REDIS_REPLY_INTEGER ? reply->integer : 0;
}

/** MEMORY USAGE counts the key's name too. */
qint64 mostBytes(const Observation &lock)
{
    return kMostRedissonBytes + 4 * lock.name.size();
}

bool isCount(QByteArrayView text)
{
    return !text.isEmpty() && text.size() <= 9 && text[0] != '0' &&
           std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/** Until explain() the fields are kept as lines of `identity`, their counts as lines of `token`. */
void setHolders(Observation &lock, const redisReply *reply)
{
    QMap<QByteArray, QByteArray> holders;
    bool fits = reply->elements >= 2;
    lock.mode.clear();
    for (size_t i = 0; i + 1 < reply->elements; i += 2) {
        const QByteArrayView field = bytesOf(reply->element[i]);
        const QByteArrayView value = bytesOf(reply->element[i + 1]);
        if (field == kMode && (value == "read" || value == "write"))
            lock.mode = value.toByteArray();
        else if (!field.isEmpty() && isCount(value) && !field.contains('\n'))
            holders.insert(field.toByteArray(), value.toByteArray());
        else
            fits = false;
    }
    fits = fits && !holders.isEmpty() && (holders.size() == 1 || !lock.mode.isEmpty());
    if (!fits) {
        setUnreadable(lock, Flaw::Malformed);
        lock.mode.clear();
        return;
    }
    lock.held = lock.ownerKnown = true;
    lock.flaw = Flaw::None;
    lock.identity = holders.keys().join('\n');
    lock.token = holders.values().join('\n');
}

void takeFields(Observation &lock, const redisReply *reply, PageReading &page)
{
    if (reply->type == REDIS_REPLY_ARRAY)
        setHolders(lock, reply);
    else if (isError(reply, "WRONGTYPE"))
        setUnreadable(lock, Flaw::WrongType);
    else if (lacksCommand(bytesOf(reply)))
        setRefused(lock);
    else
        page.note(errorOf(reply, page.mode.asker));
}

void takeLength(Observation &lock, KeyReading &reading, const redisReply *reply, PageReading &page)
{
    reading.numbers[Fields] = numberOf(reply);
    if (isError(reply, "WRONGTYPE"))
        setUnreadable(lock, Flaw::WrongType);
    else if (reply->type != REDIS_REPLY_INTEGER)
        page.note(errorOf(reply, page.mode.asker));
}

void takeBytes(Observation &lock, const KeyReading &reading, const redisReply *reply, PageReading &page)
{
    if (refusesCommand(reply)) { // its size isn't known, so it isn't read
        setRefused(lock);
    } else if (isError(reply)) {
        page.note(errorOf(reply, page.mode.asker));
    } else if (lock.flaw == Flaw::None &&
               (reading.numbers[Fields] > kMostFields || numberOf(reply) > mostBytes(lock))) {
        setUnreadable(lock, Flaw::Truncated);
    }
}

/** NUMSUB's answer: channel and number, twice. */
void takeSubscribers(Observation &lock, const KeyReading &reading, const redisReply *reply)
{
    if (reply->type != REDIS_REPLY_ARRAY || reply->elements != 4 || reading.numbers[Queued] < 0)
        return; // not permitted: the waiters are unknown
    const qint64 count = numberOf(reply->element[1]) + numberOf(reply->element[3]);
    if (count > 0)
        lock.waiting = quint32(count);
    else
        lock.waitersVisible = true; // a waiting client subscribes first, or stands in the queue
}

/** The counter of a fenced lock; 0: the lock isn't fenced. */
qint64 fencingOf(const redisReply *reply)
{
    return reply->type == REDIS_REPLY_STRING ? bytesOf(reply).toByteArray().toLongLong() : 0;
}

/** Some clients wait, but they can't be named. */
void setCountedOnly(Observation &lock, const KeyReading &reading)
{
    lock.waitersVisible = false;
    lock.waiting = quint32(std::min<qint64>(reading.numbers[Queued], INT_MAX));
}

void takeQueue(Observation &lock, const KeyReading &reading, const redisReply *reply)
{
    for (size_t i = 0; reply->type == REDIS_REPLY_ARRAY && i < reply->elements; ++i)
        lock.waiters.append({bytesOf(reply->element[i]).toByteArray(), {}, {}});
    if (reply->type != REDIS_REPLY_ARRAY || reading.numbers[Queued] > kMostQueued)
        setCountedOnly(lock, reading);
}

/** Until when each waiter keeps its place in the queue. */
void takeTimeouts(Observation &lock, const redisReply *reply)
{
    QHash<QByteArray, QByteArray> deadlines;
    for (size_t i = 0; reply->type == REDIS_REPLY_ARRAY && i + 1 < reply->elements; i += 2)
        deadlines.insert(bytesOf(reply->element[i]).toByteArray(),
                         bytesOf(reply->element[i + 1]).toByteArray());
    for (domain::Waiter &waiter : lock.waiters) {
        const qint64 ms = deadlines.value(waiter.id).toLongLong();
        if (ms > 0)
            waiter.detail =
                "until " +
                QDateTime::fromMSecsSinceEpoch(ms, QTimeZone::utc()).toString(Qt::ISODateWithMs).toLatin1();
    }
}

QByteArray channelOf(QByteArrayView name, QByteArrayView mode)
{
    return redissonPrefixed(mode.isEmpty() ? kLockChannel : kRwChannel, name);
}

/** The threads behind the fields: a writer that also reads is one. */
QList<QByteArray> threadsOf(const QList<QByteArray> &fields)
{
    QList<QByteArray> threads;
    for (const QByteArray &field : fields) {
        const QByteArray thread = field.endsWith(kWrite) ? field.chopped(kWrite.size()) : field;
        if (!threads.contains(thread))
            threads.append(thread);
    }
    return threads;
}

} // namespace

int RedissonScheme::ask(CommandBatch &batch, const Observation &lock, const KeyReading &reading,
                        const ReadMode &mode) const
{
    const QByteArray queue = redissonPrefixed(kQueue, lock.name);
    const QByteArray timeouts = redissonPrefixed(kTimeouts, lock.name);
    const bool queued = reading.numbers[Queued] > 0;
    if (reading.round == 0) {
        batch.add({"HLEN", lock.name});
        batch.add({"MEMORY", "USAGE", lock.name, "SAMPLES", kSamples});
        batch.add({"LLEN", queue});
        batch.add({deadlineCommand(mode), lock.name});
        if (m_fenced)
            batch.add({"GETRANGE", redissonPrefixed(kFencing, lock.name), "0", kLastDigit});
        return m_fenced ? 5 : 4;
    }
    if (reading.round == 1) {
        batch.add({"HGETALL", lock.name});
        batch.add({"PUBSUB", "NUMSUB", channelOf(lock.name, {}), channelOf(lock.name, "rw")});
        batch.add({deadlineCommand(mode), lock.name});
        const bool fenced = reading.numbers[Fencing] > 0;
        if (fenced)
            batch.add({"GETRANGE", redissonPrefixed(kFencing, lock.name), "0", kLastDigit});
        if (!queued)
            return fenced ? 4 : 3;
        batch.add({"MEMORY", "USAGE", queue, "SAMPLES", kSamples});
        batch.add({"MEMORY", "USAGE", timeouts, "SAMPLES", kSamples});
        return fenced ? 6 : 5;
    }
    batch.add({"LRANGE", queue, "0", kLastInQueue});
    batch.add({"ZRANGE", timeouts, "0", kLastInQueue, "WITHSCORES"});
    return 2;
}

bool RedissonScheme::isOfLock(const KeyReading &reading, int index) const
{
    return reading.round == 0 ? index != 2 && index != 4 : reading.round == 1 && (index == 0 || index == 2);
}

void RedissonScheme::take(Observation &lock, KeyReading &reading, int index, const redisReply *reply,
                          PageReading &page) const
{
    // The last questions of the second round have an index higher by one if the token is requested again.
    const bool unfenced = reading.round == 1 && index > 2 && reading.numbers[Fencing] <= 0;
    switch (10 * reading.round + index + (unfenced ? 1 : 0)) {
    case 0:
        takeLength(lock, reading, reply, page);
        break;
    case 1:
        takeBytes(lock, reading, reply, page);
        break;
    case 2:
        reading.numbers[Queued] = isError(reply) && !isError(reply, "WRONGTYPE") ? -1 : numberOf(reply);
        if (page.mode.asking && reading.numbers[Queued] == 0)
            reading.numbers[Queued] = -1; // the other node may have it still
        break;
    case 3:
        if (takeDeadline(lock, reply, page))
            reading.again = lock.present && lock.flaw != Flaw::WrongType && lock.flaw != Flaw::Truncated &&
                            lock.flaw != Flaw::Malformed;
        if (!lock.present && reading.numbers[Queued] > 0)
            setCountedOnly(lock, reading); // between two holders of a fair lock
        break;
    case 4:
        reading.numbers[Fencing] = fencingOf(reply);
        break;
    case 10:
        takeFields(lock, reply, page);
        break;
    case 11:
        takeSubscribers(lock, reading, reply);
        break;
    case 12:
        if (takeDeadline(lock, reply, page))
            reading.again = lock.present && reading.numbers[Queued] > 0;
        break;
    case 13:
        // It grows with every acquisition: the same before and after the holder is that holder's.
        if (fencingOf(reply) == reading.numbers[Fencing])
            lock.fencing = QByteArray::number(reading.numbers[Fencing]);
        break;
    case 14:
        reading.numbers[QueueBytes] = numberOf(reply);
        break;
    case 15:
        reading.numbers[TimeoutBytes] = numberOf(reply);
        if (std::max(reading.numbers[QueueBytes], reading.numbers[TimeoutBytes]) > mostBytes(lock)) {
            reading.again = false;
            setCountedOnly(lock, reading);
        }
        break;
    case 20:
        takeQueue(lock, reading, reply);
        break;
    default:
        takeTimeouts(lock, reply);
    }
}

void RedissonScheme::explain(Observation &lock) const
{
    if (!lock.held)
        return;
    const QList<QByteArray> fields = lock.identity.split('\n');
    const QList<QByteArray> counts = std::exchange(lock.token, {}).split('\n');
    const QList<QByteArray> threads = threadsOf(fields);
    lock.owner = threads.join(", ");
    lock.token = lock.owner;
    quint64 depth = 0;
    for (const QByteArray &count : counts)
        depth += count.toULongLong();
    lock.depth = quint32(depth);
    lock.freshness = joinedFreshness(lock.freshness, counts.join(','));
    if (!lock.mode.isEmpty())
        lock.identity = lock.mode + '\n' + lock.identity;
    if (threads.size() > 1)
        lock.off = domain::ReleaseOff::SeveralHolders;
}

base::Result<ReleaseCall> RedissonScheme::releaseCall(const ReleaseOrder &order, QByteArrayView name) const
{
    const auto parts = splitFreshness(order.guard.freshness);
    QList<QByteArray> fields = order.guard.identity.split('\n');
    const QByteArray mode = fields.size() > 1 ? fields.takeFirst() : QByteArray("");
    const QList<QByteArray> counts = parts ? parts->always.split(',') : QList<QByteArray>();
    if (!parts || counts.size() != fields.size())
        return failure(ErrorCode::Unsupported,
                       QStringLiteral("the guard doesn't contain the holder's depth"));
    if (threadsOf(fields).size() > 1)
        return failure(ErrorCode::Unsupported, QStringLiteral("several threads hold the lock"));
    ReleaseCall call;
    call.keys = {name.toByteArray()};
    call.arguments = {order.checkFreshness ? parts->deadline : QByteArray("")};
    call.arguments +=
        flagsOf(order) + QList<QByteArray>{channelOf(name, mode), redissonPrefixed(kQueue, name), mode};
    for (qsizetype i = 0; i < fields.size(); ++i)
        call.arguments += {fields.at(i), counts.at(i)};
    return call;
}

QList<RightQuestion> RedissonScheme::rights(const QByteArray &key) const
{
    const QByteArray queue = redissonPrefixed(kQueue, key);
    return {{RightQuestion::Observe, "hlen", {"HLEN", key}},
            {RightQuestion::Observe, "hgetall", {"HGETALL", key}},
            {RightQuestion::Observe, "memory|usage", {"MEMORY", "USAGE", key}},
            {RightQuestion::Observe, "pubsub|numsub", {"PUBSUB", "NUMSUB", channelOf(key, {})}},
            {RightQuestion::Observe, "llen", {"LLEN", queue}},
            {RightQuestion::Observe, "lrange", {"LRANGE", queue, "0", "0"}},
            {RightQuestion::Observe, "zrange", {"ZRANGE", redissonPrefixed(kTimeouts, key), "0", "0"}},
            {RightQuestion::Break, "type", {"TYPE", key}},
            {RightQuestion::Break, "hget", {"HGET", key, kMode.toByteArray()}},
            {RightQuestion::Break, "lindex", {"LINDEX", queue, "0"}},
            {RightQuestion::Write, "+del", {key, "remove"}},
            {RightQuestion::Write, "+publish &redisson_lock__channel:*", {key, "tell", channelOf(key, {})}},
            {RightQuestion::Write, "+publish &redisson_rwlock:*", {key, "tell", channelOf(key, "rw")}}};
}

QByteArray RedissonScheme::observeRules() const
{
    const QByteArray rules =
        "%R~redisson_lock_queue:* %R~redisson_lock_timeout:* +scan +hlen +hgetall +llen +lrange +zrange "
        "+memory|usage +pubsub|numsub +pexpiretime +time +info";
    return m_fenced ? rules + " %R~redisson_lock_token:* +getrange" : rules;
}

QByteArray RedissonScheme::breakRules() const
{
    return "&redisson_lock__channel:* &redisson_rwlock:* +type +hget +lindex +del +publish +eval +evalsha "
           "+wait";
}

} // namespace lockkeeper::stores::redis
