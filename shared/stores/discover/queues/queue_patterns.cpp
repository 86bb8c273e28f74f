// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/discover/queues/queue_patterns.h"

#include "shared/base/text.h"
#include "shared/stores/discover/key_names.h"

#include <QMap>

#include <algorithm>

namespace lockkeeper::stores::discover {

namespace {

constexpr int kNamePoints = 30;
constexpr int kHintPoints = 15;
constexpr int kForeignPoints = -20;
constexpr QByteArrayView kTooz("/tooz/locks"); ///< OpenStack's Tooz on etcd

} // namespace

QList<QueuePattern> patternsOf(const QList<SeenLock> &locks)
{
    QMap<QByteArray, QueuePattern> patterns;
    for (const SeenLock &lock : locks) {
        if (lock.name.startsWith(kTooz)) { // its names follow without a separator
            QueuePattern &pattern = patterns[kTooz.toByteArray() + '*'];
            pattern.match = kTooz.toByteArray() + '*';
            pattern.prefix = pattern.first = kTooz.toByteArray();
            ++pattern.locks;
            continue;
        }
        const QByteArray parent = lock.name.first(lock.name.lastIndexOf('/') + 1);
        const bool below = parent.size() > 1; // not all of "/"
        const QByteArray match = below ? escapedGlob(parent) + '*' : escapedGlob(lock.name);
        QueuePattern &pattern = patterns[match];
        pattern.match = match;
        pattern.prefix = below ? parent : lock.name;
        if (pattern.first.isEmpty() || lock.name < pattern.first)
            pattern.first = lock.name;
        if (!lock.client.isEmpty() && !pattern.clients.contains(lock.client))
            pattern.clients.append(lock.client);
        pattern.sure += lock.sure ? 1 : 0;
        ++pattern.locks;
    }
    return patterns.values();
}

Candidate candidateOf(const QueuePattern &pattern, const QByteArray &scheme, const Reason &sign)
{
    Candidate candidate;
    candidate.match = pattern.match;
    candidate.keys = pattern.locks;
    candidate.scheme = scheme;
    const auto add = [&candidate](const Reason &reason) {
        candidate.reasons.append(reason);
        candidate.score += reason.points;
    };
    add(sign);
    const NameReading name = readName(partsOf(pattern.first));
    if (name.naming == KeyNaming::Lock)
        add({ReasonCode::KeyName, kNamePoints, {}, base::textOf(name.word)});
    else if (name.naming == KeyNaming::Hint)
        add({ReasonCode::KeyHint, kHintPoints, {}, base::textOf(name.word)});
    else if (name.naming == KeyNaming::Foreign && pattern.sure == 0)
        add({ReasonCode::KeyForeign, kForeignPoints, {}, {}});
    add({ReasonCode::KeyPrefix, 0, {}, base::textOf(pattern.prefix)});
    candidate.score = std::clamp(candidate.score, 0, 100);
    if (!candidate.isProposed())
        candidate.missing.append(Missing::KeyEvidence);
    return candidate;
}

} // namespace lockkeeper::stores::discover
