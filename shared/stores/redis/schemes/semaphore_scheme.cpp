// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/schemes/semaphore_scheme.h"

#include "shared/base/text.h"
#include "shared/stores/redis/schemes/deadline.h"
#include "shared/stores/redis/schemes/redisson_names.h"
#include "shared/stores/sane_time.h"

#include <algorithm>
#include <cmath>
#include <hiredis/hiredis.h>

namespace lockkeeper::stores::redis {

using base::ErrorCode;
using base::failure;

namespace {

using std::optional;

constexpr double kMostScore = 9e15; ///< whole numbers up to this one are exact
constexpr qint64 kMostMembers = 4096;
constexpr qint64 kMostSemaphoreBytes = 1024 * 1024;
constexpr QByteArrayView kLastMember("4096"); ///< one more: then there may be others
constexpr QByteArrayView kSemaphoreSamples("64");
constexpr QByteArrayView kSuffix("timeout");
constexpr qsizetype kRawPermit = 16; ///< bytes that Redisson's API shows in hex
constexpr QByteArrayView kSemaphoreChannel("redisson_sc");
constexpr QByteArrayView kWriter("__write__"); ///< Symfony's mark
constexpr QByteArrayView kHueysLock(".lock.");
constexpr QByteArrayView kLocked(":LOCKED");

/** Places in KeyReading::numbers. */
constexpr size_t kFirstMember = 1; ///< of the key's, among the page's
constexpr size_t kNewest = 2;      ///< the latest score; 0: none

QByteArray memberOf(QByteArrayView subjectName)
{
    return decodedMember(subjectName.first(qMax<qsizetype>(0, subjectName.indexOf('/'))));
}

/** Milliseconds since the epoch; empty: it is no time, or one in another unit. */
optional<qint64> timeOfScore(QByteArrayView score)
{
    bool ok = false;
    const double ms = score.toByteArray().toDouble(&ok);
    const bool whole = ok && std::isfinite(ms) && ms >= 0 && ms <= kMostScore;
    return whole && isSaneTime(qint64(ms) * 1000) ? optional(qint64(ms)) : std::nullopt;
}

/** Judges by the answer to the question when the key ends. */
bool isGone(const redisReply *reply)
{
    return reply->type == REDIS_REPLY_INTEGER && reply->integer == -2;
}

/** The queue that sidekiq-unique-jobs keeps beside a lock; empty: the key isn't named as theirs. */
QByteArray queueOf(const QByteArray &key)
{
    return key.endsWith(kLocked) ? key.chopped(kLocked.size()) + ":QUEUED" : QByteArray();
}

/** A field's identity: a job may take its lock again, at another time. */
QByteArray fieldIdentity(QByteArrayView field, QByteArrayView value)
{
    return field.toByteArray() + '\0' + value.toByteArray();
}

/** `permit` as its score shows it. */
void setLease(Observation &permit, qint64 leaseMs)
{
    if (permit.expiresUs <= 0)
        return; // its score is no time
    permit.expiry = domain::ExpiryKind::At;
    permit.expiresUs += leaseMs * 1000;
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

SemaphoreScheme::SemaphoreScheme(const LockSet &set, const std::optional<Script> &release)
    : KeyScheme(release.value_or(areFields(set.keys.permits) ? guardedScript("field_release")
                                                             : guardedScript("semaphore_release"))),
      m_match(set.match),
      m_permits(set.keys.permits),
      m_deadlineScores(m_permits == Permits::Redisson || m_permits == Permits::Symfony),
      m_fields(areFields(m_permits)),
      m_leases(set.keys.leaseUs / 1000)
{
}

bool SemaphoreScheme::isLock(QByteArrayView key) const
{
    return KeyScheme::isLock(key) &&
           (m_permits != Permits::Redisson || !redissonUnsuffixed(key, kSuffix).isEmpty());
}

/** False for other members of the set, or other fields of the hash. */
bool SemaphoreScheme::isPermit(QByteArrayView member) const
{
    return m_permits == Permits::Symfony ? member != kWriter
                                         : m_permits != Permits::Huey || member.indexOf(kHueysLock) > 0;
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
        if (m_fields)
            batch.add({"HGETALL", key});
        else
            batch.add({"ZRANGE", key, "0", kLastMember, "WITHSCORES"});
        return 1 + askEnd(batch, key, mode);
    }
    const bool one = !mode.wholeKeys && !lock.name.startsWith('/');
    if (one && m_fields) {
        batch.add({reading.round > 0 ? "HGET" : "HSTRLEN", key, memberOf(lock.name)});
        return 1 + askEnd(batch, key, mode);
    }
    if (one) {
        batch.add({"ZSCORE", key, memberOf(lock.name)});
        if (m_permits == Permits::Symfony)
            batch.add({"ZSCORE", key, kWriter});
        if (m_deadlineScores)
            return m_permits == Permits::Symfony ? 2 : 1;
        batch.add({"ZRANGE", key, "-1", "-1", "WITHSCORES"});
        return 2 + askEnd(batch, key, mode);
    }
    batch.add({m_fields ? "HLEN" : "ZCARD", key});
    batch.add({"MEMORY", "USAGE", key, "SAMPLES", kSemaphoreSamples});
    return 2;
}

/** After the scores: where a permit is taken in between, the lease looks longer and never shorter. */
int SemaphoreScheme::askEnd(CommandBatch &batch, const QByteArray &key, const ReadMode &mode) const
{
    if (m_deadlineScores)
        return 0;
    batch.add({deadlineCommand(mode), key});
    return 1;
}

void SemaphoreScheme::take(Observation &lock, KeyReading &reading, int index, const redisReply *reply,
                           PageReading &page) const
{
    if (page.mode.wholeKeys && reading.round > 0) {
        if (index == 0)
            takeMembers(lock, reading, reply, page);
        else
            takeEnd(lock.name, reading, reply, page);
    } else if (page.mode.wholeKeys || lock.name.startsWith('/')) {
        takeSize(lock, reading, index, reply, page);
    } else if (m_fields && index > 0) {
        if (lock.present)
            takeDeadline(lock, reply, page);
    } else if (m_permits == Permits::Symfony && index > 0) {
        lock.mode = lock.present && bytesOf(reply) == lock.freshness ? "write" : "read";
    } else if (index > 0) {
        takeOfKey(lock, reading, index, reply, page);
    } else if (m_fields && reading.round == 0 && reply->type == REDIS_REPLY_INTEGER) {
        lock.present = reply->integer > 0;
        reading.again = lock.present && reply->integer <= kLongestValue;
        if (reply->integer > kLongestValue)
            setUnreadable(lock, Flaw::Truncated);
    } else if (m_fields && reply->type == REDIS_REPLY_STRING) {
        setField(lock, memberOf(lock.name), bytesOf(reply).toByteArray());
    } else if (reply->type == REDIS_REPLY_STRING) {
        setPermit(lock, memberOf(lock.name), bytesOf(reply).toByteArray());
    } else {
        lock.present = false;
        if (isError(reply) && !isError(reply, "WRONGTYPE"))
            page.note(errorOf(reply, page.mode.asker));
    }
}

/** Takes the key's size. A key that is too large isn't read, and shows as one lock that can't be read. */
void SemaphoreScheme::takeSize(Observation &lock, KeyReading &reading, int index, const redisReply *reply,
                               PageReading &page) const
{
    const bool unsized = index > 0 && refusesCommand(reply);
    if (isError(reply) && !isError(reply, "WRONGTYPE") && !unsized) {
        page.note(errorOf(reply, page.mode.asker));
        return;
    }
    if (index == 0) {
        reading.numbers[0] = reply->type == REDIS_REPLY_INTEGER ? reply->integer : -1;
        return;
    }
    const qint64 count = reading.numbers[0];
    const qint64 bytes = reply->type == REDIS_REPLY_INTEGER ? reply->integer : 0;
    const bool tooMuch = count > kMostMembers || bytes > kMostSemaphoreBytes + 4 * lock.name.size();
    if (count < 0 || tooMuch || (count > 0 && unsized)) {
        setUnreadable(lock, count < 0 ? Flaw::WrongType : tooMuch ? Flaw::Truncated : Flaw::Malformed);
        if (count > 0 && unsized)
            lock.off = domain::ReleaseOff::NotPermitted;
        if (count >= 0 && page.mode.wholeKeys)
            page.partial.append({lock.set, lock.name});
        if (page.mode.wholeKeys)
            lock.name.prepend('/');
    } else if (count > 0 && page.mode.wholeKeys) {
        reading.again = true;
    } else {
        lock.present = false;
    }
}

/** Takes the answers about the key of one permit, which show its lease. */
void SemaphoreScheme::takeOfKey(Observation &permit, KeyReading &reading, int index, const redisReply *reply,
                                PageReading &page) const
{
    if (!permit.present)
        return;
    if (index == 1) {
        const bool one = reply->type == REDIS_REPLY_ARRAY && reply->elements == 2;
        reading.numbers[kNewest] = one ? timeOfScore(bytesOf(reply->element[1])).value_or(0) : 0;
        if (isError(reply))
            page.note(errorOf(reply, page.mode.asker));
        return;
    }
    if (isGone(reply))
        permit.present = false;
    else
        setLease(permit, leaseOf(keyOf(permit.name).toByteArray(), reading.numbers[kNewest], reply, page));
}

/** Takes the end of the set or hash, the last of its answers. */
void SemaphoreScheme::takeEnd(const QByteArray &key, const KeyReading &reading, const redisReply *reply,
                              PageReading &page) const
{
    const qsizetype first = reading.numbers[kFirstMember];
    if (m_fields) {
        for (qsizetype i = first; i < page.members.size(); ++i)
            takeDeadline(page.members[i], reply, page);
        page.members.removeIf([](const Observation &permit) { return !permit.present; });
        return;
    }
    const qint64 leaseMs = leaseOf(key, reading.numbers[kNewest], reply, page);
    if (isGone(reply))
        page.members.resize(first);
    for (qsizetype i = first; i < page.members.size(); ++i)
        setLease(page.members[i], leaseMs);
}

/** `reply`: when the key ends. If that question is forbidden, the configured lease has to suffice; the rights
 * report it. */
qint64 SemaphoreScheme::leaseOf(const QByteArray &key, qint64 newestMs, const redisReply *reply,
                                PageReading &page) const
{
    if (reply->type != REDIS_REPLY_INTEGER && !isError(reply, "NOPERM"))
        page.note(errorOf(reply, page.mode.asker));
    const qint64 nowMs = page.beganUs / 1000;
    optional<qint64> endsMs;
    if (reply->type == REDIS_REPLY_INTEGER && reply->integer > 0 && newestMs > 0)
        endsMs = page.mode.exactDeadlines ? reply->integer : nowMs + reply->integer;
    return m_leases.take(key, nowMs, endsMs, newestMs);
}

void SemaphoreScheme::takeMembers(Observation &lock, KeyReading &reading, const redisReply *reply,
                                  PageReading &page) const
{
    lock.present = false; // its members are the locks
    reading.numbers[kFirstMember] = page.members.size();
    reading.numbers[kNewest] = 0;
    if (reply->type != REDIS_REPLY_ARRAY) {
        if (!isError(reply, "WRONGTYPE"))
            page.note(errorOf(reply, page.mode.asker));
        return;
    }
    // The key may have grown since its size was asked.
    if (reply->elements > 2 * size_t(kMostMembers))
        page.partial.append({lock.set, lock.name});
    QByteArray writes; ///< Symfony: the score of the writer
    for (size_t i = 0; i + 1 < reply->elements; i += 2) {
        const QByteArray member = bytesOf(reply->element[i]).toByteArray();
        const QByteArray score = bytesOf(reply->element[i + 1]).toByteArray();
        if (!isPermit(member)) {
            writes = score;
            continue;
        }
        Observation permit;
        permit.set = lock.set;
        permit.name = encodedMember(member) + '/' + lock.name;
        if (m_fields)
            setField(permit, member, score);
        else
            setPermit(permit, member, score);
        reading.numbers[kNewest] = std::max(reading.numbers[kNewest], permit.expiresUs / 1000);
        page.members.append(std::move(permit));
    }
    for (qsizetype i = reading.numbers[kFirstMember];
         m_permits == Permits::Symfony && i < page.members.size(); ++i)
        page.members[i].mode = page.members.at(i).freshness == writes ? "write" : "read";
}

/** The deadline is the whole hash's, and still to come. */
void SemaphoreScheme::setField(Observation &permit, const QByteArray &field, const QByteArray &value) const
{
    bool isTime = false;
    value.toDouble(&isTime);
    permit.held = true;
    permit.identity = fieldIdentity(field, value);
    if (m_permits == Permits::Sidekiq)
        permit.owner = permit.token = field;
    permit.dated = m_permits == Permits::Sidekiq && isTime; // when the job took it, in microseconds
    permit.reclaimed = true;
    if (value.size() > kLongestValue)
        setUnreadable(permit, Flaw::Truncated);
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
    const optional<qint64> ms = timeOfScore(score);
    if (!ms) {
        permit.expiry = domain::ExpiryKind::Unknown;
        permit.flaw = permit.flaw == Flaw::None ? Flaw::BadTime : permit.flaw;
        return;
    }
    // Until its lease is known, no deadline is.
    permit.expiry = m_deadlineScores ? domain::ExpiryKind::At : domain::ExpiryKind::Unknown;
    permit.expiresUs = *ms * 1000;
}

base::Result<ReleaseCall> SemaphoreScheme::releaseCall(const ReleaseOrder &order, QByteArrayView name) const
{
    const QByteArray key = keyOf(name).toByteArray();
    const QByteArray member = memberOf(name);
    if (m_fields && order.guard.identity.startsWith(member + '\0'))
        return ReleaseCall{
            {key},
            QList<QByteArray>{member, order.checkFreshness ? order.guard.freshness : QByteArray("")} +
                flagsOf(order) +
                QList<QByteArray>{order.guard.identity.sliced(member.size() + 1),
                                  m_permits == Permits::Sidekiq ? queueOf(key) : ""}};
    if (order.guard.identity != member)
        return failure(ErrorCode::Usage, QStringLiteral("the guard belongs to another permit"));
    ReleaseCall call;
    call.keys = {key};
    call.arguments = {order.guard.identity, order.checkFreshness ? order.guard.freshness : QByteArray("")};
    call.arguments += flagsOf(order) +
                      QList<QByteArray>{QByteArray::number(m_deadlineScores ? 0 : m_leases.configuredMs())};
    if (m_permits == Permits::Symfony)
        call.arguments += kWriter.toByteArray();
    if (m_permits != Permits::Redisson)
        return call;
    const QList<QByteArray> names = redissonUnsuffixed(key, kSuffix);
    if (names.isEmpty())
        return failure(ErrorCode::Usage, QStringLiteral("the key isn't named by Redisson's pattern"));
    call.arguments += redissonPrefixed(kSemaphoreChannel, names.first());
    call.arguments += names;
    return call;
}

optional<domain::Finding> SemaphoreScheme::finding() const
{
    const optional<qint64> seenMs = m_leases.provenMs();
    if (m_permits != Permits::RedisSemaphore || !seenMs)
        return std::nullopt;
    const QString leases = base::formatDuration(m_leases.configuredMs() * 1000) + QLatin1Char(' ') +
                           base::formatDuration(*seenMs * 1000) + QLatin1Char(' ');
    return domain::Finding{"lease_short", domain::Severity::Warning, leases.toLatin1() + m_match};
}

QList<RightQuestion> SemaphoreScheme::rights(const QByteArray &key) const
{
    if (m_fields) {
        QList<RightQuestion> ofHash{{RightQuestion::Observe, "hlen", {"HLEN", key}},
                                    {RightQuestion::Observe, "hgetall", {"HGETALL", key}},
                                    {RightQuestion::Observe, "hstrlen", {"HSTRLEN", key, "field"}},
                                    {RightQuestion::Observe, "hget", {"HGET", key, "field"}},
                                    {RightQuestion::Observe, "memory|usage", {"MEMORY", "USAGE", key}},
                                    {RightQuestion::Break, "type", {"TYPE", key}},
                                    {RightQuestion::Write, "+hdel", {key, "drop"}}};
        if (const QByteArray queue = queueOf(key); m_permits == Permits::Sidekiq && !queue.isEmpty())
            ofHash.append({RightQuestion::Wake, wakeRules(), {key, "push", queue}});
        return ofHash;
    }
    QList<RightQuestion> rights{{RightQuestion::Observe, "zcard", {"ZCARD", key}},
                                {RightQuestion::Observe, "zrange", {"ZRANGE", key, "0", "0"}},
                                {RightQuestion::Observe, "zscore", {"ZSCORE", key, "member"}},
                                {RightQuestion::Observe, "memory|usage", {"MEMORY", "USAGE", key}},
                                {RightQuestion::Break, "type", {"TYPE", key}},
                                {RightQuestion::Write, "+zrem", {key, "take"}}};
    const QList<QByteArray> names = redissonUnsuffixed(key, kSuffix);
    if (m_permits != Permits::Redisson || names.isEmpty())
        return rights;
    const QByteArray channel = redissonPrefixed(kSemaphoreChannel, names.first());
    rights.append({RightQuestion::Write, '~' + names.first() + " +incr", {names.first(), "return"}});
    rights.append({RightQuestion::Write, "+publish &redisson_sc:*", {key, "tell", channel}});
    return rights;
}

QByteArray SemaphoreScheme::wakeRules() const
{
    return m_permits == Permits::Sidekiq ? "~uniquejobs:*:QUEUED +lpush +pexpire" : QByteArray();
}

QByteArray SemaphoreScheme::observeRules() const
{
    if (m_fields)
        return "+scan +hlen +hgetall +hstrlen +hget +memory|usage +pexpiretime +time +info";
    return m_deadlineScores ? "+scan +zcard +zrange +zscore +memory|usage +time +info"
                            : "+scan +zcard +zrange +zscore +memory|usage +pexpiretime +time +info";
}

QByteArray SemaphoreScheme::breakRules() const
{
    if (m_fields)
        return (wakeRules() + " +type +hget +hdel +eval +evalsha +wait").trimmed();
    if (m_permits != Permits::Redisson)
        return "+type +zrem +eval +evalsha +wait";
    const QByteArray counters = redissonUnsuffixed(m_match, kSuffix).value(0, "*");
    return '~' + counters + " &redisson_sc:* +type +zrem +zadd +incr +decr +publish +eval +evalsha +wait";
}

} // namespace lockkeeper::stores::redis
