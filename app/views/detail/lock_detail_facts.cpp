// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Fills the sections of the dock that describe a lock.
#include "app/presentation/alert_formatter.h"
#include "app/presentation/lock_formatter.h"
#include "app/replica/alert_board.h"
#include "app/replica/holder_checks.h"
#include "app/replica/replica.h"
#include "app/views/detail/lock_detail.h"
#include "app/views/detail/lock_detail_parts.h"
#include "app/words/alert_description.h"
#include "app/words/durations.h"
#include "app/words/holder_words.h"
#include "app/words/lock_text.h"
#include "app/words/node_formatter.h"
#include "app/words/words.h"
#include "shared/base/clock.h"
#include "shared/base/text.h"

#include <algorithm>

namespace lockkeeper::app::views {

using words::Durations;
using words::LockText;
using words::NodeFormatter;
using words::Words;

void LockDetail::fill(const domain::LockState &state, const replica::LockContext &lock)
{
    const bool gone = !m_context.replica->find(state.key);
    const bool watched = m_end || m_context.replica->source(state.key.source);
    m_parts->badge->setBadge(!gone     ? replica::badgeOf(state, lock)
                             : watched ? replica::Badge::Free
                                       : replica::Badge::Unknown);
    m_parts->badge->show();
    for (FactGrid *always : {m_parts->verdicts, m_parts->evidence, m_parts->waiters})
        always->show();
    QString place = LockText::whereabouts(state.key);
    if (m_context.past)
        place += QLatin1Char('\n') + tr("As of %1").arg(m_context.times->exact(m_context.clock->wallUs()));
    m_parts->place->setText(place);
    showNote(this->place(state, lock));
    fillVerdicts(state, lock);
    fillHolder(state);
    fillSession(state, lock);
    fillEvidence(state, lock);
    fillWaiters(state, lock);
    fillNodes(state, lock);
    const bool leased = state.phase != domain::Phase::Optimistic && state.phase != domain::Phase::Unknown;
    m_parts->lease->setVisible(!state.session && leased);
}

/** Shows a lock that no longer existed when it was chosen, for example in the history: only the journal has
 * it. */
void LockDetail::fillUnseen(const domain::LockKey &key)
{
    m_parts->place->setText(LockText::whereabouts(key));
    showNote(m_context.replica->isStale(key.source)
                 ? tr("Not observed now, and not among what was seen last.")
                 : tr("No longer listed: it was released, or it is no longer monitored."));
    m_parts->badge->hide();
    m_parts->lease->hide();
    for (FactGrid *grid : {m_parts->verdicts, m_parts->holder, m_parts->session, m_parts->nodes,
                           m_parts->evidence, m_parts->waiters})
        grid->hide();
}

QString LockDetail::place(const domain::LockState &state, const replica::LockContext &lock) const
{
    if (m_context.past && lock.stale)
        return lock.nowUs > 0
                   ? tr("Not observed then: as last known, at %1.").arg(m_context.times->exact(lock.nowUs))
                   : tr("Not observed then, nor before.");
    if (m_context.past && state.mayHaveChanged)
        return presentation::LockFormatter::mayHaveChanged();
    if (lock.stale)
        return lock.nowUs > 0 ? tr("Not observed now: as of %1.").arg(m_context.times->exact(lock.nowUs))
                              : tr("Not observed yet.");
    if (!m_context.replica->find(state.key))
        return endOf(state);
    if (!state.isHeld() && !state.nodes.isEmpty())
        return NodeFormatter::standing(state);
    return state.isHeld() ? Words::stuckReason(state.stuck) : QString();
}

/** In every state, the note also reports that the list beside the dock doesn't show the lock. */
void LockDetail::showNote(const QString &note)
{
    QStringList lines{note};
    if (!m_listed)
        lines.prepend(tr("Not in this list."));
    lines.removeAll(QString());
    m_parts->note->setText(lines.join(QLatin1Char('\n')));
    m_parts->note->setVisible(!lines.isEmpty());
}

/** How and when a removed lock ended. */
QString LockDetail::endOf(const domain::LockState &state) const
{
    const words::TimeFormat &times = *m_context.times;
    const qint64 now = m_context.replica->storeNowUs(state.key.source);
    const qint64 at = m_endUs.value_or(now);
    const QString time = times.nearTime(at, now);
    if (!m_end && !m_context.replica->source(state.key.source))
        return tr("Its source isn't watched any more: what became of the lock isn't known. This is what was "
                  "last seen.");
    if (!m_end)
        return tr("Gone: not in the store any more since %1 %2. This is what was last seen.")
            .arg(time, times.zoneText(at));
    return tr("Gone: %1 at %2 %3. This is what was last seen.", "an event, time, zone")
        .arg(Words::event(m_end->kind), time, times.zoneText(at));
}

void LockDetail::fillVerdicts(const domain::LockState &state, const replica::LockContext &lock)
{
    if (state.phase == domain::Phase::Optimistic) {
        m_parts->verdicts->setFacts({
            {tr("Release"), Words::nothingToBreak(), false, {}},
            {tr("Version"), base::displayText(state.fencing), true, {}},
            {tr("Changes"),
             state.changesPerMinute ? tr("%n a minute", nullptr, int(*state.changesPerMinute)) : QString(),
             false,
             {}},
        });
        return;
    }
    const bool gone = !m_context.replica->find(state.key);
    const bool past = m_context.past;
    m_parts->verdicts->setFacts({
        {tr("Alive"),
         gone || past ? QString() // the renewals of that moment aren't kept one by one
         : lock.stale ? tr("unknown: not observed now")
                      : LockText::alive(state, lock.nowUs),
         false,
         {}},
        {tr("Its holder"), gone || past ? QString() : probedHolder(state), false,
         tr("The result of a liveness probe")},
        {tr("Release"),
         gone || past ? QString()
         : lock.stale ? Words::releaseOff(domain::ReleaseOff::SourceDown)
                      : Words::release(state.release, state.key.scheme),
         false,
         {}},
        {tr("Held for"),
         // If the lock was acquired after its source was last seen, its duration is unknown.
         past && lock.stale && state.isHeld() && state.acquiredUs > lock.nowUs
             ? Durations::unknown()
             : Durations::heldFor(state, lock.nowUs),
         false,
         {}},
        {tr("Remaining"),
         gone || state.session          ? QString() // it lasts as long as its connection
         : lock.stale && state.isHeld() ? Durations::unknown()
                                        : Durations::remaining(state, lock.nowUs),
         false,
         {}},
    });
}

/** The liveness probe's verdict on the holder; empty: none is known. */
QString LockDetail::probedHolder(const domain::LockState &state) const
{
    const auto check = m_context.holders->find(state);
    return check && words::HolderWords::hasAnswer(*check)
               ? words::HolderWords::line(*check, m_context.holders->ageUs(state.key))
               : QString();
}

void LockDetail::fillHolder(const domain::LockState &state)
{
    const bool held = state.isHeld();
    const QString owner = base::displayText(state.owner);
    const QString brief = LockText::holder(state);
    const bool tokenIsOwner = state.token.isEmpty() || state.token == state.owner;
    const QString last = state.owner.isEmpty() ? QString() : LockText::holder(state.owner, state.ownerKnown);
    m_parts->holder->setFacts({
        {held ? tr("Held by") : tr("Last held by"),
         !held           ? last
         : state.session ? QString()
                         : brief, // another section shows the connection
         false, owner},
        {tr("Owner"),
         state.session || owner == brief || (tokenIsOwner && !state.token.isEmpty()) ? QString() : owner,
         true,
         {}},
        {tr("Token"), state.session ? QString() : base::displayText(state.token), true, {}},
        {tr("Depth"), held && state.depth > 0 ? tr("taken %n time(s)", nullptr, int(state.depth)) : QString(),
         false, tr("How often its holder has taken it; it is free after as many releases")},
        {tr("Fencing token"),
         state.phase == domain::Phase::Optimistic ? QString() : base::displayText(state.fencing),
         true,
         {}},
        {tr("Identity"), held && !state.ownerKnown ? tr("the store says NULL") : QString(), false, {}},
    });
    m_parts->holder->setVisible(m_parts->holder->hasFacts());
}

/** The holder's connection, where the lock belongs to one. */
void LockDetail::fillSession(const domain::LockState &state, const replica::LockContext &lock)
{
    m_parts->session->setVisible(state.session.has_value());
    if (!state.session)
        return;
    const domain::Session &session = *state.session;
    const auto since = [&lock](qint64 us) { return Durations::text(std::max<qint64>(0, lock.nowUs - us)); };
    const auto exact = [this](const domain::TimeUs &us) {
        return us ? tr("Since %1").arg(m_context.times->exact(*us)) : QString();
    };
    const QString id = base::displayText(session.transaction);
    // The journal doesn't record what else the connection did. Only a database's connection does anything.
    const bool connection = domain::isConnectionScheme(state.key.scheme);
    const bool past = m_context.past || !connection;
    QString transaction = past ? QString() : tr("none open");
    if (session.transactionSinceUs)
        transaction =
            id.isEmpty()
                ? tr("open for %1").arg(since(*session.transactionSinceUs))
                : tr("%1, open for %2", "transaction, duration").arg(id, since(*session.transactionSinceUs));
    else if (!id.isEmpty())
        transaction = id;
    const QString statement = words::LockText::statement(session, false);
    m_parts->session->setHeading(
        (connection ? tr("Connection %1") : tr("Session %1")).arg(base::displayText(session.id)));
    m_parts->session->setFacts({
        {tr("User"), base::displayText(session.user), false, {}},
        {tr("Client"), base::displayText(session.client), false, {}},
        {tr("Program"), base::displayText(session.program), false, {}},
        {tr("Transaction"), transaction, false, exact(session.transactionSinceUs)},
        {tr("Idle"),
         past                  ? QString()
         : session.idleSinceUs ? since(*session.idleSinceUs)
                               : tr("no, it runs a statement"),
         false, exact(session.idleSinceUs)},
        {tr("Not killed"),
         past || session.protectedAs == domain::ReleaseOff::None ? QString()
                                                                 : Words::releaseOff(session.protectedAs),
         false,
         {}},
        {{},
         statement.isEmpty()   ? QString()
         : session.idleSinceUs ? tr("Last statement:")
                               : tr("Running statement:"),
         false,
         {}},
        {{},
         statement,
         false,
         session.statementCut ? tr("Cut: the agent keeps its beginning only") : QString(),
         true},
    });
}

void LockDetail::fillEvidence(const domain::LockState &state, const replica::LockContext &lock)
{
    const words::TimeFormat &times = *m_context.times;
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
        renewed = tr("%1, %Ln seen, longest gap %2", "time", int(state.renewals))
                      .arg(at(*state.renewedUs), Durations::text(state.longestRenewalGapUs));
    QString offset;
    if (source && !m_context.past)
        offset = tr("%1 ± %2", "offset, uncertainty")
                     .arg(Durations::shortText(source->clockOffsetUs),
                          Durations::shortText(source->clockUncertaintyUs));
    const auto exact = [&](const domain::TimeUs &us) { return us ? times.exact(*us) : QString(); };
    // The agent doesn't resend an unchanged lock: it was last seen when its source was.
    domain::TimeUs seen = state.seenUs;
    const bool gone = !m_context.replica->find(state.key);
    if (source && source->lastSeenUs && !gone)
        seen = std::max(seen.value_or(0), *source->lastSeenUs);
    // While the source isn't observed the durations stop. This one continues and shows for how long.
    const qint64 now = m_context.replica->storeNowUs(state.key.source);
    m_parts->evidence->setFacts({
        {tr("Acquired"), acquired, false, exact(state.acquiredUs)},
        {tr("Expires"), expires, false, exact(state.expiresUs)},
        {tr("Renewed"), renewed, false, exact(state.renewedUs)},
        {tr("Lease"), held && state.ttlMs > 0 ? Durations::text(state.ttlMs * 1000) : QString(), false, {}},
        {tr("Seen"),
         m_context.past ? QString()
         : gone         ? tr("until %1").arg(at(lock.nowUs))
         : seen         ? tr("%1 ago").arg(Durations::inSentence(std::max<qint64>(0, now - *seen)))
                        : QString(),
         false, exact(gone ? domain::TimeUs(lock.nowUs) : seen)},
        {tr("Clock offset"), offset, false, tr("The store's clock against the agent's")},
    });
}

/** The alerts of the lock that aren't over. A past moment has none: they are of now. */
void LockDetail::fillAlerts(const domain::LockKey &key)
{
    const presentation::AlertFormatter formatter(m_context.times);
    const replica::AlertBoard &board = *m_context.alerts;
    QList<Fact> facts;
    for (const domain::Alert &alert : m_context.past ? QList<domain::Alert>() : board.alertsOf(key)) {
        const models::AlertRow row{
            alert, board.phase(alert), board.awaySinceUs(alert), board.nowUs(key.source), {}};
        if (row.phase != domain::AlertPhase::Resolved)
            facts.append({words::AlertDescription::severity(alert.severity),
                          tr("%1 for %2. %3", "an alert's condition, duration, its state")
                              .arg(words::AlertDescription::condition(alert.condition),
                                   Durations::inSentence(row.lastsUs()), formatter.state(row))});
    }
    m_parts->alerts->setFacts(facts);
    m_parts->alerts->setVisible(!facts.isEmpty());
}

void LockDetail::fillNodes(const domain::LockState &state, const replica::LockContext &lock)
{
    m_parts->nodes->setVisible(!state.nodes.isEmpty());
    if (state.nodes.isEmpty())
        return;
    m_parts->nodes->setHeading(
        tr("Nodes (%1)", "how many of them hold the lock").arg(NodeFormatter::ratio(state)));
    QList<Fact> facts;
    for (const domain::NodeView &node : state.nodes)
        facts.append({base::displayText(node.node),
                      lock.stale ? tr("not observed now") : NodeFormatter::holds(node, lock.nowUs), false,
                      base::displayText(node.token)});
    m_parts->nodes->setFacts(facts);
}

void LockDetail::fillWaiters(const domain::LockState &state, const replica::LockContext &lock)
{
    if (!state.waitersVisible) {
        m_parts->waiters->setHeading(tr("Waiters"));
        m_parts->waiters->setFacts({{{}, LockText::unnamedWaiters(state, lock.nowUs), false, {}}});
        return;
    }
    constexpr qsizetype kShown = 20;
    m_parts->waiters->setHeading(tr("Waiters (%1)").arg(state.waiters.size()));
    QList<Fact> facts;
    // Without the times the order of the waiters is unknown.
    const auto untimed = std::count_if(state.waiters.cbegin(), state.waiters.cend(),
                                       [](const domain::Waiter &waiter) { return !waiter.sinceUs; });
    const bool ordered = untimed < 2;
    if (!ordered)
        facts.append({{}, tr("Order unknown"), false, {}});
    for (qsizetype i = 0; i < std::min(state.waiters.size(), kShown); ++i) {
        const domain::Waiter &waiter = state.waiters.at(i);
        const QString since =
            waiter.sinceUs ? Durations::text(std::max<qint64>(0, lock.nowUs - *waiter.sinceUs),
                                             waiter.windowUs > 0 ? words::Mark::About : words::Mark::None)
                           : Durations::unknown();
        facts.append({ordered ? QString::number(i + 1) : QString(),
                      tr("%1, %2", "waiter, for how long").arg(LockText::holder(waiter.id, true), since),
                      false, base::displayText(waiter.detail.isEmpty() ? waiter.id : waiter.detail)});
    }
    if (state.waiters.size() > kShown)
        facts.append({{}, tr("%n more", nullptr, int(state.waiters.size() - kShown)), false, {}});
    if (state.waiters.isEmpty())
        facts.append({{}, tr("No waiters."), false, {}});
    m_parts->waiters->setFacts(facts);
}

} // namespace lockkeeper::app::views
