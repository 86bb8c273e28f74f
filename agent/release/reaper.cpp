// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/release/reaper.h"

#include "shared/base/random_id.h"
#include "shared/base/text.h"

#include <QLoggingCategory>
#include <QPointer>

#include <algorithm>

namespace lockkeeper::agent::release {

Q_LOGGING_CATEGORY(lcReaper, "lockkeeper.commands.reaper")

using domain::Because;
using domain::Outcome;
using domain::Phase;
using stores::ReaperMode;

namespace {

constexpr quint32 kSlice = 2'000;
constexpr qint64 kMinuteUs = 60'000'000;
constexpr qint64 kLongestRestUs = 3'600'000'000;
constexpr qint64 kFreshUs = 5'000'000;

bool hasPolicy(const stores::SourceSpec &spec)
{
    return std::any_of(spec.locks.cbegin(), spec.locks.cend(),
                       [](const stores::LockSet &set) { return set.reaper.mode != ReaperMode::Off; });
}

/** In the words of the configuration, which are the same in each language; the time is by the store's clock.
 */
QString reasonFor(const stores::ReaperPolicy &policy, qint64 forUs)
{
    const QString mode = policy.mode == ReaperMode::Expired ? QStringLiteral("expired")
                         : policy.mode == ReaperMode::Dead  ? QStringLiteral("dead")
                                                            : QStringLiteral("stuck");
    return QStringLiteral("reaper = \"%1\", reaper_delay = \"%2s\"%3 (%1: %4 s)")
        .arg(mode)
        .arg(policy.delayUs / 1'000'000)
        .arg(policy.dryRun ? QStringLiteral(", reaper_dry_run = true") : QString())
        .arg(forUs / 1'000'000);
}

} // namespace

ReapVerdict reapVerdict(const stores::ReaperPolicy &policy, const domain::LockState &lock,
                        bool isHolderFreshlyDead)
{
    ReapVerdict verdict;
    if (lock.release.safety != domain::ReleaseSafety::Guarded || lock.guard.isEmpty() || !lock.seenUs ||
        lock.session)
        return verdict;
    if (policy.mode == ReaperMode::Expired) {
        verdict.candidate =
            lock.phase == Phase::Expired && lock.expiry == domain::ExpiryKind::At && lock.expiresUs;
        verdict.sinceUs = lock.expiresUs.value_or(0);
    } else if (policy.mode == ReaperMode::Stuck) {
        verdict.because = Because::Stuck;
        verdict.candidate = lock.phase == Phase::Held && domain::isStuckInStore(lock.stuck);
    } else if (policy.mode == ReaperMode::Dead) {
        verdict.because = Because::Stuck;
        verdict.candidate = lock.isHeld() && lock.stuck != domain::StuckReason::None && isHolderFreshlyDead;
    }
    return verdict;
}

bool isFitToReap(const domain::SourceState &source, qint64 wallUs)
{
    const qint64 patience = std::max(kFreshUs, 2 * source.pollMs * 1000 + source.passUs);
    return source.link == domain::Link::Up && !source.gapSinceUs && source.lastSeenWallUs &&
           wallUs - *source.lastSeenWallUs <= patience;
}

Reaper::Reaper(SourceDirectory &sources, Releaser &releaser, const base::Clock &clock, QObject *parent)
    : QObject(parent), m_sources(sources), m_releaser(releaser), m_clock(clock)
{
    connect(&m_timer, &QTimer::timeout, this, &Reaper::step);
}

void Reaper::start(int everyMs)
{
    m_timer.start(everyMs);
}

void Reaper::step()
{
    for (SourcePort *port : m_sources.sources()) {
        const QString name = port->spec().name;
        if (!hasPolicy(port->spec())) {
            m_state.remove(name);
            continue;
        }
        const domain::SourceState state = port->state();
        ReapedSource &source = m_state[name];
        if (port->link() == 0 || !isFitToReap(state, m_clock.wallUs()))
            continue;
        if (state.counts.expired + state.counts.stuck > 0)
            scan(*port, source);
        else
            source.known.clear();
    }
}

/** Forgets acquisitions that are no longer due at the end of a round: their delay starts over. */
void Reaper::scan(SourcePort &port, ReapedSource &source)
{
    // Copy a slice first: acting on a lock may change the table.
    const QList<domain::LockState> slice = port.locksFrom(source.place, kSlice);
    for (const domain::LockState &lock : slice) {
        if (lock.phase == Phase::Expired || lock.stuck != domain::StuckReason::None)
            consider(port, source, lock);
    }
    if (source.place != SourcePort::kNoPlace)
        return;
    source.place = 0;
    source.known.removeIf([&source](const auto &item) { return item.value().round != source.round; });
    ++source.round;
}

void Reaper::consider(SourcePort &port, ReapedSource &source, const domain::LockState &lock)
{
    const auto subject = port.subjectFor(lock.key);
    if (!subject || subject->set >= port.spec().locks.size())
        return;
    const stores::LockSet &set = port.spec().locks.at(subject->set);
    const auto holder = m_holderKnowledge ? m_holderKnowledge(lock.key, lock.guard) : std::nullopt;
    const ReapVerdict verdict = reapVerdict(set.reaper, lock, holder && holder->isFreshlyDead);
    if (!verdict.candidate || set.breakMode == stores::BreakMode::Never)
        return;
    DueHold &known = source.known[lock.key];
    if (known.guard != lock.guard)
        known = DueHold{lock.guard, *lock.seenUs, 0, 0, false, source.round};
    known.round = source.round;
    // Both times were observed by the store's clock: no estimate makes a lock due.
    const qint64 sinceUs = verdict.sinceUs != 0 ? verdict.sinceUs : known.firstSeenUs;
    const qint64 forUs = *lock.seenUs - sinceUs;
    if (forUs < set.reaper.delayUs || source.busy || (known.said && set.reaper.dryRun) ||
        m_clock.monotonicUs() < known.notBeforeUs || !mayAct(source, subject->set, set.reaper))
        return;
    source.busy = true;
    source.acts[subject->set].push_back(m_clock.monotonicUs());
    const qint64 rest = kMinuteUs << std::min(known.attempts++, 6);
    known.notBeforeUs = m_clock.monotonicUs() + std::min(rest, kLongestRestUs);
    act(port.spec().name, lock, set.reaper, verdict, forUs);
}

bool Reaper::mayAct(ReapedSource &source, quint16 set, const stores::ReaperPolicy &policy)
{
    std::deque<qint64> &acts = source.acts[set];
    while (!acts.empty() && m_clock.monotonicUs() - acts.front() >= kMinuteUs)
        acts.pop_front();
    return qint64(acts.size()) < policy.mostAMinute;
}

void Reaper::act(const QString &name, const domain::LockState &lock, const stores::ReaperPolicy &policy,
                 const ReapVerdict &verdict, qint64 forUs)
{
    protocol::ForceRelease request;
    request.command = base::randomId();
    request.key = lock.key;
    request.guard = lock.guard;
    request.because = verdict.because;
    request.ifNotRenewed = true;
    request.reason = reasonFor(policy, forUs);
    request.dryRun = policy.dryRun;
    const Asker asker{{{}, userName(), {}}, domain::grantsFor(Role::Policy), nullptr};
    QPointer<Reaper> self(this);
    // Go through the event loop: the answer of a refusal must not come while the table is being walked.
    QMetaObject::invokeMethod(
        this,
        [self, request, asker, lock, name] {
            const SourcePort *port = self->m_sources.source(name);
            if (!port || port->link() == 0 || !isFitToReap(port->state(), self->m_clock.wallUs())) {
                self->m_state[name].busy = false;
                return;
            }
            self->m_releaser.release(request, asker,
                                     [self, request, lock](const protocol::ReleaseResult &result) {
                                         if (self)
                                             self->acted(request, lock, result);
                                     });
        },
        Qt::QueuedConnection);
}

void Reaper::acted(const protocol::ForceRelease &request, const domain::LockState &lock,
                   const protocol::ReleaseResult &result)
{
    const QString name = request.key.source;
    const bool done = result.outcome == Outcome::Released;
    if (const auto it = m_state.find(name); it != m_state.end()) {
        it->busy = false;
        // A dry run reports each acquisition only once. Its success is no reason to wait before a real
        // release.
        const auto known = it->known.find(request.key);
        if (done && request.dryRun && known != it->known.end()) {
            known->said = true;
            known->notBeforeUs = 0;
            known->attempts = 0;
        }
    }
    Totals &totals = m_totals[name];
    ++(!done ? totals.refused : request.dryRun ? totals.wouldReap : totals.reaped);
    qCInfo(lcReaper).noquote() << base::singleLine(name) << base::displayText(request.key.name) << "of"
                               << base::displayText(lock.owner)
                               << (request.dryRun ? "dry run:" : "force-release:")
                               << domain::outcomeName(result.outcome).toByteArray() << result.error.line();
    if (done && request.dryRun)
        auditDryRun(request, lock);
}

void Reaper::auditDryRun(const protocol::ForceRelease &request, const domain::LockState &lock)
{
    domain::AuditEntry entry;
    entry.timeUs = m_clock.wallUs();
    entry.who = userName();
    entry.role = domain::roleName(Role::Policy);
    entry.key = request.key;
    entry.holder = lock.owner;
    entry.reason = request.reason;
    entry.because = request.because;
    entry.guard = request.guard;
    entry.command = request.command;
    QString detail = QStringLiteral("dry run: nothing was written to the store");
    if (const auto holder = m_holderKnowledge ? m_holderKnowledge(lock.key, lock.guard) : std::nullopt)
        detail += QStringLiteral("; ") + livenessText(holder->check);
    m_releaser.refusals().write(entry, Outcome::WouldRelease, detail);
}

} // namespace lockkeeper::agent::release
