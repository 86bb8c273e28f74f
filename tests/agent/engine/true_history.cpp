// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "true_history.h"

#include <algorithm>

namespace lockkeeper::tests {

using domain::ExpiryKind;
using stores::Observation;

TrueHistory::TrueHistory(quint32 seed, int keys, qint64 fromUs, qint64 toUs) : m_random(seed)
{
    for (int i = 0; i < keys; ++i) {
        m_keys.append("lock:" + QByteArray::number(i));
        makeLife(m_keys.last(), fromUs, toUs);
    }
}

qint64 TrueHistory::draw(qint64 low, qint64 high)
{
    return low + qint64(m_random() % quint64(high - low + 1));
}

void TrueHistory::makeLife(const QByteArray &key, qint64 fromUs, qint64 toUs)
{
    m_holds[key];
    QList<Version> &versions = m_versions[key];
    versions.append(Version{0, {}, 0});
    qint64 now = fromUs + draw(-2'000'000, 2'000'000);
    while (now < toUs) {
        hold(key, now);
        if (draw(0, 3) > 0) { // otherwise another holder takes it at once
            if (!m_versions[key].last().owner.isEmpty())
                versions.append(Version{now, {}, 0});
            now += draw(100, draw(0, 2) == 0 ? 3'000'000 : 20'000);
        }
    }
    versions.append(Version{now, {}, 0});
}

/** Acquire, perhaps renew a few times, then release or let it expire. */
void TrueHistory::hold(const QByteArray &key, qint64 &nowUs)
{
    const bool leased = draw(0, 9) > 0;
    const qint64 lease = draw(1, 8) * (draw(0, 1) == 0 ? 20'000 : 400'000);
    TrueHold hold{"owner" + QByteArray::number(++m_owners), nowUs, 0, false};
    qint64 expires = leased ? nowUs + lease : 0;
    m_versions[key].append(Version{nowUs, hold.owner, expires});
    for (qint64 renewals = leased ? draw(0, 4) : 0; renewals > 0; --renewals) {
        nowUs += lease / 3;
        expires = nowUs + lease;
        m_versions[key].append(Version{nowUs, hold.owner, expires});
    }
    hold.expired = leased && draw(0, 1) == 0;
    nowUs = hold.expired ? expires : nowUs + draw(1, leased ? lease - 1 : 5'000'000);
    hold.endedUs = nowUs;
    m_holds[key].append(hold);
}

Observation TrueHistory::at(const QByteArray &key, qint64 us, qint64 slackUs) const
{
    Observation seen;
    seen.name = key;
    const QList<Version> &versions = *m_versions.constFind(key);
    const auto next =
        std::upper_bound(versions.cbegin(), versions.cend(), us,
                         [](qint64 time, const Version &version) { return time < version.sinceUs; });
    const Version &version = *std::prev(next);
    seen.present = !version.owner.isEmpty() && (version.expiresUs == 0 || us < version.expiresUs);
    if (!seen.present)
        return seen;
    seen.held = true;
    seen.owner = seen.token = seen.identity = version.owner;
    seen.expiry = version.expiresUs == 0 ? ExpiryKind::None : ExpiryKind::At;
    seen.expiresBy = domain::Evidence::Ttl;
    seen.expiresUs = version.expiresUs - slackUs / 2;
    seen.expirySlackUs = slackUs;
    return seen;
}

bool TrueHistory::wasAbsent(const QByteArray &key, qint64 fromUs, qint64 toUs) const
{
    for (qint64 us = fromUs; us <= toUs; us += 50) {
        if (!at(key, us, 0).present)
            return true;
    }
    return false;
}

} // namespace lockkeeper::tests
