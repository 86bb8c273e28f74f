// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/server/publisher.h"

#include "shared/base/java_text.h"

#include <QLoggingCategory>

#include <algorithm>
#include <chrono>

namespace lockkeeper::agent::server {

Q_LOGGING_CATEGORY(lcPublisher, "lockkeeper.server")

using namespace std::chrono_literals;

namespace {
constexpr auto kFlushEvery = 100ms;
constexpr auto kSourcesEvery = 1s;
constexpr auto kPatience = 5s; ///< a disk that neither writes nor fails must not leave the consoles empty
constexpr int kMaxSnapshots = 2;
constexpr quint32 kCopiedPerTurn = 500;
constexpr int kMostRounds = 10; ///< each copies the locks that changed since the round before
constexpr size_t kMaxRenewals = 10'000;
} // namespace

Publisher::Publisher(journal::Journal &journal, release::SourceDirectory &sources, QObject *parent)
    : QObject(parent), m_journal(journal), m_sources(sources), m_lastSeq(journal.lastSeq())
{
    const base::Error error = journal.error();
    m_failing = error.code != base::ErrorCode::Unknown || !error.cause.isEmpty();
    connect(&m_journal, &journal::Journal::committed, this, &Publisher::committed);
    connect(&m_journal, &journal::Journal::failed, this, &Publisher::failed);
    connect(&m_journal, &journal::Journal::recovered, this, &Publisher::recovered);
    m_flush.setSingleShot(true);
    connect(&m_flush, &QTimer::timeout, this, &Publisher::flush);
    connect(&m_heartbeat, &QTimer::timeout, this, [this] {
        for (const release::SourcePort *port : m_sources.sources())
            m_changedSources.insert(port->spec().name);
        flush();
    });
    m_heartbeat.start(kSourcesEvery);
    // Use a timer, not a queued call: queued calls would all run before any socket gets its turn.
    m_copyTurn.setSingleShot(true);
    m_copyTurn.setInterval(0);
    connect(&m_copyTurn, &QTimer::timeout, this, &Publisher::copySome);
    m_patience.setSingleShot(true);
    connect(&m_patience, &QTimer::timeout, this, [this] {
        qCWarning(lcPublisher) << "the journal has not committed for 5 s: snapshots continue without it";
        settle(true);
    });
}

Publisher::~Publisher() = default;

void Publisher::append(const QList<events::LockEvent> &events, const QList<journal::Progress> &progress)
{
    if (m_journal.append(events, progress))
        m_appended += quint64(events.size());
    for (const events::LockEvent &event : events) {
        if (event.isSourceEvent())
            continue;
        m_updates.remove(event.key);
        if (m_copying)
            m_copying->note(event.key);
        if (!m_failing)
            continue;
        if (event.after) {
            m_removed.remove(event.key);
            m_updates.insert(event.key, {m_appended, *event.after});
        } else {
            m_removed.insert(event.key);
        }
        flushSoon();
    }
}

void Publisher::update(const QList<domain::LockState> &states, const QList<events::LockEvent> &renewals)
{
    for (const domain::LockState &state : states) {
        m_updates.insert(state.key, {m_appended, state});
        if (m_copying)
            m_copying->note(state.key);
        if (state.isHeld() && state.renewals > 0)
            m_journal.noteRenewal(state);
    }
    for (const events::LockEvent &renewal : renewals)
        m_renewals.emplace_back(m_appended, renewal);
    while (m_renewals.size() > kMaxRenewals)
        m_renewals.pop_front();
    flushSoon();
}

void Publisher::sourceChanged(const QString &name)
{
    m_changedSources.insert(name);
    flushSoon();
}

void Publisher::restartAll()
{
    m_updates.clear();
    m_removed.clear();
    if (m_copying) { // it may contain locks of removed sources
        m_copying->snapshot->locks.clear();
        m_copying->sources = sourceNames();
        m_copying->place = 0;
        m_copying->changed.clear();
        m_copying->again.clear();
    }
    Q_EMIT restarted();
}

void Publisher::whenPublished(std::function<void()> done)
{
    if (m_failing || m_committed >= m_appended)
        done();
    else
        m_barriers.emplace_back(m_appended, std::move(done));
}

bool Publisher::LockFilter::fits(const domain::LockKey &key) const
{
    return (source.isEmpty() || source == key.source) &&
           (nameGlob.isEmpty() || base::nameFits(nameGlob, key.name)) && sight.sees(key);
}

void Publisher::takeSnapshot(QObject *context, SnapshotDone done, const LockFilter &filter,
                             std::stop_token takenBack)
{
    m_asked.push_back({context, std::move(done), filter, std::move(takenBack)});
    // Go through the event loop: never call the asker back from within its own call.
    QMetaObject::invokeMethod(this, &Publisher::copyNext, Qt::QueuedConnection);
}

void Publisher::copyNext()
{
    std::erase_if(m_asked, [](const SnapshotRequest &asked) { return !asked.isWanted(); });
    const auto next = std::find_if(m_asked.begin(), m_asked.end(), [this](const SnapshotRequest &asked) {
        return !m_holders.contains(asked.context.data());
    });
    if (m_copying || next == m_asked.end() || m_holders.size() >= kMaxSnapshots)
        return;
    const QObject *holder = next->context.data();
    m_holders.append(holder);
    QPointer<Publisher> self(this);
    m_copying.emplace();
    m_copying->asked = std::move(*next);
    m_asked.erase(next);
    // Other requests of the same context go behind those of other contexts.
    std::stable_partition(m_asked.begin(), m_asked.end(),
                          [holder](const SnapshotRequest &asked) { return asked.context != holder; });
    m_copying->snapshot = std::shared_ptr<Snapshot>(new Snapshot, [self, holder](Snapshot *old) {
        delete old;
        if (self) {
            self->m_holders.removeOne(holder);
            QMetaObject::invokeMethod(self, &Publisher::copyNext, Qt::QueuedConnection);
        }
    });
    m_copying->sources = sourceNames();
    copySome();
}

void Publisher::copySome()
{
    if (!m_copying->asked.isWanted()) {
        m_copying.reset();
        return;
    }
    if (copySlices() && copyAgain())
        endCopy();
    else
        m_copyTurn.start();
}

/** Copies a part of the table. Returns true once the whole table is copied. */
bool Publisher::copySlices()
{
    quint32 left = kCopiedPerTurn;
    while (left > 0 && !m_copying->sources.isEmpty()) {
        if (const release::SourcePort *port = m_sources.source(m_copying->sources.constFirst())) {
            const quint32 from = m_copying->place;
            const QList<domain::LockState> some = port->locksFrom(m_copying->place, left);
            for (const domain::LockState &state : some) {
                if (m_copying->asked.filter.fits(state.key))
                    m_copying->snapshot->locks.append(m_copying->asked.filter.sight.shown(state));
            }
            const bool more = m_copying->place != release::SourcePort::kNoPlace;
            left -= std::min(left, more ? m_copying->place - from : quint32(some.size()));
            if (more)
                continue;
        }
        m_copying->sources.removeFirst();
        m_copying->place = 0;
    }
    return m_copying->sources.isEmpty();
}

/** Copies some of the locks that changed since. Returns true once the rest can be copied in one go, or if the
 * locks change faster than they can be copied. */
bool Publisher::copyAgain()
{
    Copying &copying = *m_copying;
    if (copying.again.isEmpty()) {
        if (copying.changed.size() <= kCopiedPerTurn || copying.rounds == kMostRounds)
            return true;
        ++copying.rounds;
        copying.again = std::exchange(copying.changed, {}).values();
        copying.snapshot->locks.supersede(copying.again);
    }
    const qsizetype some = std::min<qsizetype>(kCopiedPerTurn, copying.again.size());
    QList<domain::LockKey> now = copying.again.last(some);
    copying.again.resize(copying.again.size() - some);
    now.removeIf([&copying](const domain::LockKey &key) { return copying.changed.contains(key); });
    copyNow(now);
    return false;
}

void Publisher::copyNow(const QList<domain::LockKey> &locks)
{
    for (const domain::LockKey &key : locks) {
        const release::SourcePort *port = m_sources.source(key.source);
        if (const auto state = port ? port->lock(key) : std::nullopt)
            m_copying->snapshot->locks.append(m_copying->asked.filter.sight.shown(*state));
    }
}

void Publisher::endCopy()
{
    const QList<domain::LockKey> changed = m_copying->changed.values();
    m_copying->snapshot->locks.supersede(changed);
    copyNow(changed);
    m_copying->snapshot->locks.seal();
    Copying copying = std::move(*m_copying);
    m_copying.reset();
    copying.snapshot->sources = sourceStates(copying.asked.filter.sight);
    m_copied.push_back({m_appended, std::move(copying.snapshot), std::move(copying.asked)});
    settle();
    if (!m_copied.empty() && !m_patience.isActive())
        m_patience.start(kPatience);
    copyNext();
}

void Publisher::settle(bool atOnce)
{
    while (!m_copied.empty()) {
        if (m_copied.front().mark > m_committed && !m_failing && !atOnce)
            break;
        const Copied ready = std::move(m_copied.front());
        m_copied.pop_front();
        ready.snapshot->seq = m_lastSeq;
        if (ready.asked.isWanted())
            ready.asked.done(ready.snapshot);
    }
    if (m_copied.empty())
        m_patience.stop();
}

void Publisher::committed(const QList<events::LockEvent> &events)
{
    const bool lost = journal::tellsOfLoss(events);
    for (qsizetype done = 0; done < events.size();) {
        // Cut after a copy's last event: the copy is handed over between that event and the next.
        qsizetype end = events.size();
        if (!lost && !m_copied.empty() && m_copied.front().mark > m_committed)
            end = std::min(end, done + qsizetype(m_copied.front().mark - m_committed));
        if (!lost)
            m_committed += quint64(end - done);
        for (const BatchPtr &batch : batchesOf(events.sliced(done, end - done))) {
            m_lastSeq = batch->lastSeq();
            Q_EMIT published(batch);
        }
        settle();
        done = end;
    }
    runBarriers();
    if (!m_updates.isEmpty() || !m_renewals.empty())
        flushSoon();
    if (lost) // no event reports what was dropped
        Q_EMIT restarted();
}

void Publisher::runBarriers()
{
    while (!m_barriers.empty() && (m_failing || m_barriers.front().first <= m_committed)) {
        const auto done = std::move(m_barriers.front().second);
        m_barriers.pop_front();
        done();
    }
}

void Publisher::failed()
{
    if (m_failing)
        return;
    m_failing = true;
    qCWarning(lcPublisher) << "the journal can't write: the live view continues without it";
    runBarriers();
    settle();
    Q_EMIT restarted();
}

void Publisher::recovered()
{
    m_failing = false;
    // Unjournalled states become void once their events are published.
    m_removed.clear();
    QPointer<Publisher> self(this);
    whenPublished([self] {
        if (self)
            Q_EMIT self->restarted();
    });
}

void Publisher::flushSoon()
{
    if (!m_flush.isActive())
        m_flush.start(kFlushEvery);
}

void Publisher::flush()
{
    const auto states = std::make_shared<States>();
    states->unjournalled = m_failing;
    for (auto it = m_updates.begin(); it != m_updates.end();) {
        if (m_failing || it->mark <= m_committed) {
            states->locks.append(std::move(it->state));
            it = m_updates.erase(it);
        } else {
            ++it;
        }
    }
    states->removed = QList<domain::LockKey>(m_removed.cbegin(), m_removed.cend());
    m_removed.clear();
    while (!m_renewals.empty() && (m_failing || m_renewals.front().first <= m_committed)) {
        states->renewals.append(std::move(m_renewals.front().second));
        m_renewals.pop_front();
    }
    for (const QString &name : std::exchange(m_changedSources, {})) {
        if (const release::SourcePort *port = m_sources.source(name))
            states->sources.append(port->state());
    }
    if (!states->isEmpty() || !states->renewals.isEmpty())
        Q_EMIT statesChanged(states);
}

QStringList Publisher::sourceNames() const
{
    QStringList names;
    for (const release::SourcePort *port : m_sources.sources())
        names.append(port->spec().name);
    return names;
}

QList<domain::SourceState> Publisher::sourceStates(const domain::Sight &sight) const
{
    QList<domain::SourceState> states;
    for (const release::SourcePort *port : m_sources.sources())
        states.append(port->state());
    return sight.shown(std::move(states));
}

} // namespace lockkeeper::agent::server
