// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/advice/rules.h"

#include <algorithm>
#include <tuple>

namespace lockkeeper::agent::advice {

QList<domain::Advice> adviceFrom(const AdviceEvidence &evidence)
{
    QList<domain::Advice> all;
    const auto add = [&all](MaybeAdvice advice) {
        if (advice)
            all.append(*std::move(advice));
    };
    for (const LockEvidence &lock : evidence.locks) {
        const SourceEvidence source = evidence.sources.value(lock.key.source);
        // A source that isn't observed now may have released the lock since.
        const qint64 nowUs =
            source.observed.isEmpty() ? evidence.range.fromUs : source.observed.constLast().toUs;
        add(leaseTooShort(lock));
        add(leaseTooLong(lock));
        add(renewalTooLate(lock, source.lookUs));
        add(noExpiry(lock, nowUs));
        add(unusuallyLongHold(lock, nowUs));
        add(neverContended(lock, source.observed));
        add(pollsTooSlowly(lock, source.observed));
        add(pollsTooFast(lock, source.observed));
        add(chainHeadStatement(lock, nowUs));
    }
    for (auto it = evidence.sources.cbegin(); it != evidence.sources.cend(); ++it)
        add(clientClockOff(it.key(), *it));
    all += oppositeOrders(evidence.locks);
    for (domain::Advice &advice : all) {
        advice.fromUs = evidence.range.fromUs;
        advice.toUs = evidence.range.toUs;
    }
    std::sort(all.begin(), all.end(), [](const domain::Advice &a, const domain::Advice &b) {
        const auto rank = [](const domain::Advice &one) {
            return std::tuple(-int(one.confidence), one.code, one.lock);
        };
        return rank(a) < rank(b);
    });
    return all;
}

} // namespace lockkeeper::agent::advice
