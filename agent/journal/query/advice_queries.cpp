// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/journal/query/advice_queries.h"

#include "agent/advice/rules.h"
#include "agent/journal/query/evidence_reader.h"
#include "agent/journal/query/page_limit.h"

#include <QSet>

#include <algorithm>

namespace lockkeeper::agent::journal {

namespace {

/** Whether one interval contains all of it. */
bool isWithin(const QList<Interval> &observed, qint64 fromUs, qint64 toUs)
{
    const auto after = std::upper_bound(observed.cbegin(), observed.cend(), fromUs,
                                        [](qint64 us, const Interval &one) { return us < one.fromUs; });
    return after != observed.cbegin() && std::prev(after)->toUs >= toUs;
}

qint64 observedPermille(const advice::AdviceEvidence &evidence)
{
    const Interval range = evidence.range;
    qint64 least = evidence.sources.isEmpty() ? 0 : 1000;
    for (const advice::SourceEvidence &source : evidence.sources) {
        const double us = double(events::overlapUs(source.observed, range.fromUs, range.toUs));
        least = std::min(least, qint64(1000.0 * us / double(range.toUs - range.fromUs)));
    }
    return least;
}

/** Fits the advice into a frame, the surest first. */
void addAdvice(const QList<domain::Advice> &all, protocol::AdvicePage &page)
{
    qint64 bytes = 0;
    for (const domain::Advice &one : all) {
        bytes += 400 + one.lock.name.size() + one.lock.place.size() + one.other.name.size() +
                 one.other.place.size() + one.holder.size() + one.statement.size();
        if (page.advice.size() == kMaxRows || (bytes > protocol::kPageWeight && !page.advice.isEmpty())) {
            page.more = true;
            return;
        }
        page.advice.append(one);
    }
}

} // namespace

base::Result<protocol::AdvicePage> AdviceQueries::advice(const protocol::AdviceQuery &query,
                                                         const Sources &sources)
{
    return m_context.connection().inSnapshot([&] { return answer(query, sources); });
}

base::Result<protocol::AdvicePage> AdviceQueries::answer(const protocol::AdviceQuery &query,
                                                         const Sources &sources)
{
    protocol::AdvicePage page;
    page.id = query.id;
    page.toUs = std::clamp(query.toUs.value_or(m_context.nowUs()), -kFarthestUs, kFarthestUs);
    page.fromUs = std::clamp(query.fromUs.value_or(0), -kFarthestUs, kFarthestUs);
    if (page.fromUs >= page.toUs)
        return base::failure(base::ErrorCode::Usage, QStringLiteral("the range ends before it begins"));
    const auto wanted = m_context.matchingLocks(query.source, query.lockGlob);
    if (!wanted)
        return tl::unexpected(wanted.error());
    EvidenceReader reader(m_context, *wanted, query.source, {page.fromUs, page.toUs});
    if (auto read = reader.read(); !read)
        return tl::unexpected(read.error());
    const auto oldestUs = m_context.oldestEventUs();
    if (!oldestUs)
        return tl::unexpected(oldestUs.error());
    advice::AdviceEvidence evidence;
    if (reader.isCut() && reader.firstUs() < page.toUs)
        page.fromUs = reader.firstUs();
    else if (*oldestUs && **oldestUs < page.toUs) // the time before the journal began isn't a gap
        page.fromUs = std::max(page.fromUs, **oldestUs);
    evidence.range = {page.fromUs, page.toUs};
    evidence.locks = reader.takeLocks();
    if (auto added = addSources(query, sources, evidence); !added)
        return tl::unexpected(added.error());
    page.observedPermille = observedPermille(evidence);
    page.locks = evidence.locks.size();
    page.holds = reader.holds();
    page.more = reader.isCut();
    addAdvice(advice::adviceFrom(evidence), page);
    return page;
}

/** Adds when the sources were observed, and marks the holds that weren't observed all the time. */
base::Result<void> AdviceQueries::addSources(const protocol::AdviceQuery &query, const Sources &sources,
                                             advice::AdviceEvidence &evidence)
{
    qint64 firstUs = evidence.range.fromUs;
    QSet<QString> names;
    for (const advice::LockEvidence &lock : std::as_const(evidence.locks)) {
        names.insert(lock.key.source);
        firstUs = std::min(firstUs, lock.holds.constFirst().fromUs);
    }
    const bool isOfSources = query.lockGlob.isEmpty() || query.lockGlob == "*";
    for (auto it = sources.cbegin(); it != sources.cend(); ++it) {
        if (isOfSources && it->clientsOffUs && (query.source.isEmpty() || query.source == it.key()))
            names.insert(it.key());
    }
    for (const QString &name : std::as_const(names)) {
        const AdviceSource source = sources.value(name);
        auto observed = m_context.observedOf(name, {firstUs, evidence.range.toUs}, source.seenUntilUs);
        if (!observed)
            return tl::unexpected(observed.error());
        evidence.sources.insert(
            name, {*std::move(observed), source.lookUs, isOfSources ? source.clientsOffUs : std::nullopt});
    }
    for (advice::LockEvidence &lock : evidence.locks) {
        const QList<Interval> &observed = evidence.sources.constFind(lock.key.source)->observed;
        const qint64 seenUs = observed.isEmpty() ? firstUs : observed.constLast().toUs;
        for (advice::EvidenceHold &hold : lock.holds)
            hold.isObserved = isWithin(observed, hold.fromUs, hold.toUs.value_or(seenUs));
    }
    return {};
}

} // namespace lockkeeper::agent::journal
