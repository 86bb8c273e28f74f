// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What the dock says of a lock, section by section.
#include "app/presentation/durations.h"
#include "app/presentation/lock_text.h"
#include "app/presentation/words.h"
#include "app/state/replica.h"
#include "app/views/detail/lock_detail.h"
#include "app/views/detail/lock_detail_parts.h"
#include "shared/base/text.h"

namespace lockkeeper::app::views {

using presentation::Durations;
using presentation::LockText;
using presentation::Words;

void LockDetail::fill(const domain::LockState &state, const state::LockContext &lock)
{
    m_parts->badge->setBadge(state::badgeOf(state, lock));
    m_parts->place->setText(LockText::whereabouts(state.key));
    const QString note = place(state, lock);
    m_parts->note->setText(note);
    m_parts->note->setVisible(!note.isEmpty());
    fillVerdicts(state, lock);
    fillHolder(state);
    fillEvidence(state, lock);
    fillWaiters(state, lock);
}

QString LockDetail::place(const domain::LockState &state, const state::LockContext &lock) const
{
    if (lock.stale)
        return tr("Not observed now: as of %1.").arg(m_context.times->exact(lock.nowUs));
    if (!m_context.replica->find(state.key))
        return tr("Gone: the store has no such lock any more. This is what was last seen.");
    const QString why = state.isHeld() ? Words::stuckReason(state.stuck) : QString();
    if (!why.isEmpty())
        return why;
    if (m_shown && !m_shown(state.key))
        return tr("Not in the list: the filter or the state buttons hide it.");
    return {};
}

void LockDetail::fillVerdicts(const domain::LockState &state, const state::LockContext &lock)
{
    m_parts->verdicts->setFacts({
        {tr("Alive"),
         lock.stale ? tr("unknown: not observed now") : LockText::alive(state, lock.nowUs),
         false,
         {}},
        {tr("Release"), Words::release(state.release, state.key.scheme), false, {}},
        {tr("Held for"), Durations::heldFor(state, lock.nowUs), false, {}},
        {tr("Remaining"),
         lock.stale && state.isHeld() ? Durations::unknown() : Durations::remaining(state, lock.nowUs),
         false,
         {}},
    });
}

void LockDetail::fillHolder(const domain::LockState &state)
{
    const bool held = state.isHeld();
    const QString owner = base::displayText(state.owner);
    const QString brief = LockText::holder(state);
    const bool tokenIsOwner = state.token.isEmpty() || state.token == state.owner;
    const QString last = state.owner.isEmpty() ? QString() : LockText::holder(state.owner, state.ownerKnown);
    m_parts->holder->setFacts({
        {held ? tr("Held by") : tr("Last held by"), held ? brief : last, false, owner},
        {tr("Owner"),
         owner == brief || (tokenIsOwner && !state.token.isEmpty()) ? QString() : owner,
         true,
         {}},
        {tr("Token"), base::displayText(state.token), true, {}},
        {tr("Depth"), state.depth > 1 ? QString::number(state.depth) : QString(), false, {}},
        {tr("Fencing token"), base::displayText(state.fencing), true, {}},
        {tr("Identity"), held && !state.ownerKnown ? tr("the store says NULL") : QString(), false, {}},
    });
    m_parts->holder->setVisible(held || !last.isEmpty());
}

void LockDetail::fillEvidence(const domain::LockState &state, const state::LockContext &lock)
{
    const presentation::TimeFormat &times = *m_context.times;
    const auto at = [&](qint64 us) {
        return tr("%1 %2", "time, zone").arg(times.nearTime(us, lock.nowUs), times.zoneText(us));
    };
    const domain::SourceState *source = m_context.replica->source(state.key.source);
    const bool held = state.isHeld();
    QString acquired;
    if (held && state.acquiredUs && state.acquiredBy == domain::Evidence::FirstSeen)
        acquired = tr("before %1 (%2)").arg(at(*state.acquiredUs), Words::evidence(state.acquiredBy));
    else if (held && state.acquiredUs)
        acquired = tr("%1, %2 (%3)", "time, window, evidence")
                       .arg(at(*state.acquiredUs), Durations::window(state.windowUs),
                            Words::evidence(state.acquiredBy));
    QString expires;
    if (held && state.expiresUs)
        expires = tr("%1 (%2)", "time, evidence").arg(at(*state.expiresUs), Words::evidence(state.expiresBy));
    QString renewed;
    if (held && state.renewedUs && state.renewals > 0)
        renewed = tr("%1, %n seen, longest gap %2", "time", int(state.renewals))
                      .arg(at(*state.renewedUs), Durations::text(state.longestRenewalGapUs));
    QString offset;
    if (source)
        offset = tr("%1 ± %2", "offset, uncertainty")
                     .arg(Durations::shortText(source->clockOffsetUs),
                          Durations::shortText(source->clockUncertaintyUs));
    const auto exact = [&](const domain::TimeUs &us) { return us ? times.exact(*us) : QString(); };
    // A lock that doesn't change isn't sent again: it was seen whenever its source was.
    domain::TimeUs seen = state.seenUs;
    if (source && source->lastSeenUs && m_context.replica->find(state.key))
        seen = std::max(seen.value_or(0), *source->lastSeenUs);
    m_parts->evidence->setFacts({
        {tr("Acquired"), acquired, false, exact(state.acquiredUs)},
        {tr("Expires"), expires, false, exact(state.expiresUs)},
        {tr("Renewed"), renewed, false, exact(state.renewedUs)},
        {tr("Lease"), held && state.ttlMs > 0 ? Durations::text(state.ttlMs * 1000) : QString(), false, {}},
        {tr("Seen"),
         seen ? tr("%1 ago").arg(Durations::shortText(std::max<qint64>(0, lock.nowUs - *seen))) : QString(),
         false, exact(seen)},
        {tr("Clock offset"), offset, false, tr("The store's clock against the agent's")},
    });
}

void LockDetail::fillWaiters(const domain::LockState &state, const state::LockContext &lock)
{
    if (!state.waitersVisible) {
        m_parts->waiters->setHeading(tr("Waiters"));
        m_parts->waiters->setFacts({{{}, tr("Waiters not visible in this scheme"), false, {}}});
        return;
    }
    constexpr qsizetype kShown = 20;
    m_parts->waiters->setHeading(tr("Waiters (%1)").arg(state.waiters.size()));
    QList<Fact> facts;
    for (qsizetype i = 0; i < std::min(state.waiters.size(), kShown); ++i) {
        const domain::Waiter &waiter = state.waiters.at(i);
        const QString since = waiter.sinceUs
                                  ? Durations::text(std::max<qint64>(0, lock.nowUs - *waiter.sinceUs))
                                  : Durations::unknown();
        facts.append({QString::number(i + 1),
                      tr("%1, %2", "waiter, for how long").arg(LockText::holder(waiter.id, true), since),
                      false, base::displayText(waiter.id)});
    }
    if (state.waiters.size() > kShown)
        facts.append({{}, tr("%n more", nullptr, int(state.waiters.size() - kShown)), false, {}});
    if (facts.isEmpty())
        facts.append({{}, tr("Nobody waits."), false, {}});
    m_parts->waiters->setFacts(facts);
}

} // namespace lockkeeper::app::views
