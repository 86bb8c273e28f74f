// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/key_hold.h"

#include <algorithm>

namespace lockkeeper::stores::redis {

namespace {

/** Saturates: a lease of 292,000 years is for good. */
qint64 plus(qint64 atUs, qint64 us)
{
    if (us >= KeyHold::kForever - std::max<qint64>(0, atUs) - KeyHold::kSlackUs)
        return KeyHold::kForever;
    return atUs + us;
}

} // namespace

void KeyHold::put(qint64 atUs, qint64 ttlUs)
{
    const qint64 end = plus(atUs, ttlUs);
    *this = end == kForever ? KeyHold(kForever, kForever, kForever)
                            : KeyHold(end - kSlackUs, end, end + kSlackUs);
}

KeyHold::Taken KeyHold::tryTake(qint64 atUs, qint64 ttlUs)
{
    if (isSurelyThere(atUs))
        return Taken::No;
    if (isSurelyAbsent(atUs)) {
        put(atUs, ttlUs);
        return Taken::Yes;
    }
    // Either the old hold goes on or a new one begins; how long, is known of the new one only.
    const bool there = isLikelyThere(atUs);
    const qint64 end = plus(atUs, ttlUs);
    m_sure = kNever;
    if (!there)
        m_likely = end;
    m_perhaps = std::max(m_perhaps, plus(end, kSlackUs));
    return there ? Taken::ProbablyNo : Taken::ProbablyYes;
}

void KeyHold::putIfThere(qint64 atUs, qint64 ttlUs)
{
    if (isSurelyAbsent(atUs))
        return;
    if (isSurelyThere(atUs)) {
        put(atUs, ttlUs);
        return;
    }
    expireIn(atUs, ttlUs);
}

void KeyHold::expireIn(qint64 atUs, qint64 ttlUs)
{
    if (isSurelyAbsent(atUs))
        return;
    if (ttlUs <= 0) {
        remove();
        return;
    }
    const bool sure = isSurelyThere(atUs);
    const bool likely = isLikelyThere(atUs);
    KeyHold after;
    after.put(atUs, ttlUs);
    m_sure = sure ? after.m_sure : kNever;
    m_likely = likely ? after.m_likely : m_likely;
    m_perhaps = after.m_perhaps;
}

} // namespace lockkeeper::stores::redis
