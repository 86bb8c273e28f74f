// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/schemes/semaphore_scheme.h"

#include "shared/stores/redis/schemes/deadline.h"
#include "shared/stores/redis/schemes/redisson_names.h"

#include <cmath>
#include <hiredis/hiredis.h>

namespace lockkeeper::stores::redis {

using base::ErrorCode;
using base::failure;

namespace {

constexpr double kLastSaneMs = 253'402'300'799'999.0; ///< the end of the year 9999
constexpr qint64 kMostMembers = 4096;
constexpr qint64 kMostBytes = 1024 * 1024;
constexpr QByteArrayView kLastMember("4095");
constexpr QByteArrayView kSamples("64");
constexpr QByteArrayView kSuffix("timeout");
constexpr qsizetype kRawPermit = 16; ///< bytes that Redisson's API shows in hex
constexpr QByteArrayView kChannel("redisson_sc");

QByteArray memberOf(QByteArrayView subjectName)
{
    return decodedMember(subjectName.first(qMax<qsizetype>(0, subjectName.indexOf('/'))));
}

} // namespace

QByteArray encodedMember(QByteArrayView member)
{
    return member.isEmpty() ? QByteArray("%") : member.toByteArray().toPercentEncoding(":@");
}

QByteArray decodedMember(QByteArrayView encoded)
{
    return encoded == "%" ? QByteArray("") : QByteArray::fromPercentEncoding(encoded.toByteArray());
}

SemaphoreScheme::SemaphoreScheme(const LockSet &set, Script release)
    : KeyScheme(std::move(release)),
      m_match(set.match),
      m_leaseMs(set.keys.deadlineScores ? 0 : set.keys.leaseUs / 1000),
      m_deadlineScores(set.keys.deadlineScores)
{
}

bool SemaphoreScheme::isLock(QByteArrayView key) const
{
    return KeyScheme::isLock(key) && (!m_deadlineScores || !redissonUnsuffixed(key, kSuffix).isEmpty());
}

QByteArrayView SemaphoreScheme::keyOf(QByteArrayView subjectName) const
{
    return subjectName.sliced(subjectName.indexOf('/') + 1);
}

int SemaphoreScheme::ask(CommandBatch &batch, const Observation &lock, const KeyReading &reading,
                         const ReadMode &mode) const
{
    const QByteArray key = mode.wholeKeys ? lock.name : keyOf(lock.name).toByteArray();
    if (mode.wholeKeys && reading.round > 0) {
        batch.add({"ZRANGE", key, "0", kLastMember, "WITHSCORES"});
        return 1;
    }
    if (!mode.wholeKeys && !lock.name.startsWith('/')) {
        batch.add({"ZSCORE", key, memberOf(lock.name)});
        return 1;
    }
    batch.add({"ZCARD", key});
    batch.add({"MEMORY", "USAGE", key, "SAMPLES", kSamples});
    return 2;
}

void SemaphoreScheme::take(Observation &lock, KeyReading &reading, int index, const redisReply *reply,
                           PageReading &page) const
{
    if (page.mode.wholeKeys && reading.round > 0) {
        takeMembers(lock, reply, page);
    } else if (page.mode.wholeKeys || lock.name.startsWith('/')) {
        takeSize(lock, reading, index, reply, page);
    } else if (reply->type == REDIS_REPLY_STRING) {
        setPermit(lock, memberOf(lock.name), bytesOf(reply).toByteArray());
    } else {
        lock.present = false;
        if (isError(reply) && !isError(reply, "WRONGTYPE"))
            page.note(errorOf(reply, page.mode.asker));
    }
}

/** How much there is: what is too much isn't read, and the key shows as one lock that can't be. */
void SemaphoreScheme::takeSize(Observation &lock, KeyReading &reading, int index, const redisReply *reply,
                               PageReading &page) const
{
    if (isError(reply) && !isError(reply, "WRONGTYPE")) {
        page.note(errorOf(reply, page.mode.asker));
        return;
    }
    if (index == 0) {
        reading.numbers[0] = reply->type == REDIS_REPLY_INTEGER ? reply->integer : -1;
        return;
    }
    const qint64 count = reading.numbers[0];
    const qint64 bytes = reply->type == REDIS_REPLY_INTEGER ? reply->integer : 0;
    const bool tooMuch = count > kMostMembers || bytes > kMostBytes + 4 * lock.name.size();
    if (count < 0 || tooMuch) {
        setUnreadable(lock, count < 0 ? Flaw::WrongType : Flaw::Truncated);
        if (tooMuch && page.mode.wholeKeys)
            page.partial.append({lock.set, lock.name});
        if (page.mode.wholeKeys)
            lock.name.prepend('/');
    } else if (count > 0 && page.mode.wholeKeys) {
        reading.again = true;
    } else {
        lock.present = false;
    }
}

void SemaphoreScheme::takeMembers(Observation &lock, const redisReply *reply, PageReading &page) const
{
    lock.present = false; // its members are the locks
    if (reply->type != REDIS_REPLY_ARRAY) {
        if (!isError(reply, "WRONGTYPE"))
            page.note(errorOf(reply, page.mode.asker));
        return;
    }
    // It may have grown since its size was asked.
    if (reply->elements >= 2 * size_t(kMostMembers))
        page.partial.append({lock.set, lock.name});
    for (size_t i = 0; i + 1 < reply->elements; i += 2) {
        const QByteArray member = bytesOf(reply->element[i]).toByteArray();
        Observation permit;
        permit.set = lock.set;
        permit.name = encodedMember(member) + '/' + lock.name;
        setPermit(permit, member, bytesOf(reply->element[i + 1]).toByteArray());
        page.members.append(std::move(permit));
    }
}

void SemaphoreScheme::setPermit(Observation &permit, const QByteArray &member, const QByteArray &score) const
{
    permit.held = true;
    permit.ownerKnown = !member.isEmpty();
    permit.flaw = member.isEmpty() ? Flaw::NullIdentity : Flaw::None;
    permit.identity = permit.owner = permit.token = member;
    if (m_deadlineScores && member.size() == kRawPermit)
        permit.owner = permit.token = member.toHex();
    permit.freshness = score;
    permit.expiresBy = domain::Evidence::Column;
    permit.reclaimed = true;
    bool ok = false;
    const double ms = score.toDouble(&ok);
    if (!ok || !std::isfinite(ms) || ms < 1 || ms > kLastSaneMs) {
        permit.expiry = domain::ExpiryKind::Unknown;
        permit.flaw = permit.flaw == Flaw::None ? Flaw::BadTime : permit.flaw;
        return;
    }
    permit.expiry = domain::ExpiryKind::At;
    permit.expiresUs = (qint64(ms) + m_leaseMs) * 1000;
}

base::Result<ReleaseCall> SemaphoreScheme::releaseCall(const ReleaseOrder &order, QByteArrayView name) const
{
    const QByteArray key = keyOf(name).toByteArray();
    if (order.guard.identity != memberOf(name))
        return failure(ErrorCode::Usage, QStringLiteral("the guard belongs to another permit"));
    ReleaseCall call;
    call.keys = {key};
    call.arguments = {order.guard.identity, order.checkFreshness ? order.guard.freshness : QByteArray("")};
    call.arguments += flagsOf(order) + QList<QByteArray>{QByteArray::number(m_leaseMs)};
    if (!m_deadlineScores)
        return call;
    const QList<QByteArray> names = redissonUnsuffixed(key, kSuffix);
    if (names.isEmpty())
        return failure(ErrorCode::Usage, QStringLiteral("the key isn't named as Redisson names it"));
    call.arguments += redissonPrefixed(kChannel, names.first());
    call.arguments += names;
    return call;
}

QList<RightQuestion> SemaphoreScheme::rights(const QByteArray &key) const
{
    QList<RightQuestion> rights{{RightQuestion::Observe, "zcard", {"ZCARD", key}},
                                {RightQuestion::Observe, "zrange", {"ZRANGE", key, "0", "0"}},
                                {RightQuestion::Observe, "zscore", {"ZSCORE", key, "member"}},
                                {RightQuestion::Observe, "memory|usage", {"MEMORY", "USAGE", key}},
                                {RightQuestion::Break, "type", {"TYPE", key}},
                                {RightQuestion::Write, "+zrem", {key, "take"}}};
    const QList<QByteArray> names = redissonUnsuffixed(key, kSuffix);
    if (!m_deadlineScores || names.isEmpty())
        return rights;
    const QByteArray channel = redissonPrefixed(kChannel, names.first());
    rights.append({RightQuestion::Write, '~' + names.first() + " +incr", {names.first(), "return"}});
    rights.append({RightQuestion::Write, "+publish &redisson_sc:*", {key, "tell", channel}});
    return rights;
}

QByteArray SemaphoreScheme::observeRules() const
{
    return "+scan +zcard +zrange +zscore +memory|usage +time +info";
}

QByteArray SemaphoreScheme::breakRules() const
{
    if (!m_deadlineScores)
        return "+type +zrem +eval +evalsha +wait";
    const QByteArray counters = redissonUnsuffixed(m_match, kSuffix).value(0, "*");
    return '~' + counters + " &redisson_sc:* +type +zrem +zadd +incr +decr +publish +eval +evalsha +wait";
}

} // namespace lockkeeper::stores::redis
