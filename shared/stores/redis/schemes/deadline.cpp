// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/schemes/deadline.h"

#include <hiredis/hiredis.h>

namespace lockkeeper::stores::redis {

using domain::Evidence;
using domain::ExpiryKind;

namespace {

constexpr qint64 kLastSaneMs = 253'402'300'799'999; ///< the end of the year 9999

/** `ms` is PEXPIRETIME's answer, or PTTL's. */
void setDeadline(Observation &lock, qint64 ms)
{
    lock.present = ms != -2;
    lock.expiresBy = Evidence::Ttl;
    if (ms == -1) {
        lock.expiry = ExpiryKind::None;
        lock.freshness = QByteArrayLiteral("-1");
    } else if (ms < 0 || ms > kLastSaneMs) {
        lock.expiry = ExpiryKind::Unknown;
        lock.flaw = lock.flaw == Flaw::None ? Flaw::BadTime : lock.flaw;
        lock.freshness = QByteArray::number(ms);
    } else {
        lock.expiry = ExpiryKind::At;
        lock.expiresUs = ms * 1000;
        lock.freshness = QByteArray::number(ms);
    }
}

} // namespace

QByteArrayView deadlineCommand(const ReadMode &mode)
{
    return mode.exactDeadlines ? QByteArrayView("PEXPIRETIME") : QByteArrayView("PTTL");
}

bool takeDeadline(Observation &lock, const redisReply *reply, PageReading &page)
{
    if (reply->type == REDIS_REPLY_INTEGER)
        setDeadline(lock, reply->integer);
    else
        page.note(errorOf(reply, page.mode.asker));
    return !page.error;
}

void settleDeadline(Observation &lock, qint64 beganUs, qint64 endedUs)
{
    if (lock.expiry != ExpiryKind::At || lock.expiresBy != Evidence::Ttl)
        return;
    const qint64 beganMs = beganUs / 1000 - 1;
    const qint64 slackMs = endedUs / 1000 - beganMs + 1;
    const qint64 lowMs = beganMs + lock.expiresUs / 1000;
    lock.expiresUs = lowMs * 1000;
    lock.expirySlackUs = lock.expiryNoiseUs = slackMs * 1000;
    lock.freshness = '~' + QByteArray::number(lowMs) + '+' + QByteArray::number(slackMs);
}

void setUnreadable(Observation &lock, Flaw flaw)
{
    lock.held = false;
    lock.ownerKnown = false;
    lock.flaw = flaw;
    lock.identity.clear();
    lock.owner.clear();
    lock.token.clear();
}

void setRefused(Observation &lock)
{
    setUnreadable(lock, lock.flaw == Flaw::None ? Flaw::Malformed : lock.flaw);
    lock.off = domain::ReleaseOff::NotPermitted;
}

QByteArray joinedFreshness(const QByteArray &deadline, QByteArrayView always)
{
    QByteArray freshness = deadline + '\n';
    freshness.append(always);
    return freshness;
}

std::optional<FreshnessParts> splitFreshness(const QByteArray &freshness)
{
    const qsizetype end = freshness.indexOf('\n');
    if (end <= 0)
        return std::nullopt;
    return FreshnessParts{freshness.first(end), freshness.sliced(end + 1)};
}

QList<QByteArray> flagsOf(const ReleaseOrder &order)
{
    const auto flag = [](bool on) { return QByteArray(on ? "1" : "0"); };
    return {flag(order.mustBeExpired), flag(order.dryRun)};
}

} // namespace lockkeeper::stores::redis
