// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/server/publisher.h"

#include <QLoggingCategory>

#include <chrono>

namespace lockkeeper::agent::server {

Q_LOGGING_CATEGORY(lcPublisher, "lockkeeper.server")

using namespace std::chrono_literals;

namespace {
constexpr auto kFlushEvery = 100ms;
constexpr auto kSourcesEvery = 1s;
constexpr auto kPatience = 5s; ///< a disk that neither writes nor fails must not leave consoles empty
constexpr int kMaxSnapshots = 2;
constexpr quint32 kCopiedPerTurn = 500;
constexpr size_t kMaxRenewals = 10'000;
} // namespace

Publisher::Publisher(journal::Journal &journal, commands::SourceDirectory &sources, QObject *parent)
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
        for (const commands::SourcePort *port : m_sources.sources())
            m_changedSources.insert(port->spec().name);
        flush();
    });
    m_heartbeat.start(kSourcesEvery);
    // A timer and not a queued call: those would all be done before any socket gets its turn.
    m_copyTurn.setSingleShot(true);
    m_copyTurn.setInterval(0);
    connect(&m_copyTurn, &QTimer::timeout, this, &Publisher::copySome);
    m_patience.setSingleShot(true);
    connect(&m_patience, &QTimer::timeout, this, [this] {
        qCWarning(lcPublisher) << "the journal has not committed for 5 s: snapshots go on without it";
        settle({}, m_committed, true);
    });
}

Publisher::~Publisher() = default;

void Publisher::append(const QList<events::LockEvent> &events, const QList<journal::Progress> &progress)
{
    m_appended += quint64(events.size());
    for (const events::LockEvent &event : events) {
        if (event.isSourceEvent())
            continue;
        m_updates.remove(event.key);
        if (m_copying)
            m_copying->changed.insert(event.key);
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
    m_journal.append(events, progress);
}

void Publisher::update(const QList<domain::LockState> &states, const QList<events::LockEvent> &renewals)
{
    for (const domain::LockState &state : states) {
        m_updates.insert(state.key, {m_appended, state});
        if (m_copying)
            m_copying->changed.insert(state.key);
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
    if (m_copying) { // of sources that may be gone by now
        m_copying->snapshot->locks.clear();
        m_copying->sources = sourceNames();
        m_copying->place = 0;
        m_copying->changed.clear();
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

void Publisher::takeSnapshot(QObject *context, SnapshotDone done)
{
    m_asked.push_back({context, std::move(done)});
    // Through the event loop: the asker is not called back before it has finished asking.
    QMetaObject::invokeMethod(this, &Publisher::copyNext, Qt::QueuedConnection);
}

void Publisher::copyNext()
{
    while (!m_asked.empty() && !m_asked.front().context)
        m_asked.pop_front();
    if (m_copying || m_asked.empty() || m_snapshots >= kMaxSnapshots)
        return;
    ++m_snapshots;
    QPointer<Publisher> self(this);
    m_copying.emplace();
    m_copying->asked = std::move(m_asked.front());
    m_asked.pop_front();
    m_copying->snapshot = std::shared_ptr<Snapshot>(new Snapshot, [self](Snapshot *old) {
        delete old;
        if (self) {
            --self->m_snapshots;
            QMetaObject::invokeMethod(self, &Publisher::copyNext, Qt::QueuedConnection);
        }
    });
    m_copying->sources = sourceNames();
    qsizetype total = 0;
    for (const commands::SourcePort *port : m_sources.sources())
        total += port->state().counts.total;
    m_copying->snapshot->locks.reserve(total);
    copySome();
}

void Publisher::copySome()
{
    if (!m_copying->asked.context) {
        m_copying.reset();
        return;
    }
    quint32 left = kCopiedPerTurn;
    while (left > 0 && !m_copying->sources.isEmpty()) {
        if (const commands::SourcePort *port = m_sources.source(m_copying->sources.constFirst())) {
            const quint32 from = m_copying->place;
            m_copying->snapshot->locks += port->locksFrom(m_copying->place, left);
            if (m_copying->place != commands::SourcePort::kNoPlace) {
                left -= std::min(left, m_copying->place - from);
                continue;
            }
        }
        m_copying->sources.removeFirst();
        m_copying->place = 0;
    }
    if (m_copying->sources.isEmpty())
        endCopy();
    else
        m_copyTurn.start();
}

void Publisher::endCopy()
{
    Copying copying = std::move(*m_copying);
    m_copying.reset();
    QList<domain::LockState> &locks = copying.snapshot->locks;
    if (!copying.changed.isEmpty()) {
        locks.removeIf([&](const domain::LockState &state) { return copying.changed.contains(state.key); });
        for (const domain::LockKey &key : std::as_const(copying.changed)) {
            const commands::SourcePort *port = m_sources.source(key.source);
            if (const auto state = port ? port->lock(key) : std::nullopt)
                locks.append(*state);
        }
    }
    copying.snapshot->sources = sourceStates();
    m_copied.push_back({m_appended, std::move(copying.snapshot), std::move(copying.asked)});
    settle({}, m_committed);
    if (!m_copied.empty() && !m_patience.isActive())
        m_patience.start(kPatience);
    copyNext();
}

void Publisher::settle(const QList<events::LockEvent> &events, quint64 before, bool atOnce)
{
    while (!m_copied.empty()) {
        Copied &copied = m_copied.front();
        if (copied.mark > m_committed && !m_failing && !atOnce)
            break;
        // The mark is counted in events: the one that it names may be in the middle of this commit.
        if (copied.mark > before && copied.mark - before <= quint64(events.size()))
            copied.snapshot->seq = events.at(qsizetype(copied.mark - before) - 1).seq;
        else
            copied.snapshot->seq = m_lastSeq;
        const Copied ready = std::move(copied);
        m_copied.pop_front();
        if (ready.asked.context)
            ready.asked.done(ready.snapshot);
    }
    if (m_copied.empty())
        m_patience.stop();
}

void Publisher::committed(const QList<events::LockEvent> &events)
{
    if (events.isEmpty())
        return;
    const quint64 before = m_committed;
    m_committed = std::min(m_appended, m_committed + quint64(events.size()));
    settle(events, before);
    for (const BatchPtr &batch : batchesOf(events)) {
        m_lastSeq = batch->lastSeq();
        Q_EMIT published(batch);
    }
    runBarriers();
    if (!m_updates.isEmpty() || !m_renewals.empty())
        flushSoon();
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
    qCWarning(lcPublisher) << "the journal can't write: the live view goes on unjournalled";
    runBarriers();
    settle({}, m_committed);
    Q_EMIT restarted();
}

void Publisher::recovered()
{
    m_failing = false;
    // It may have dropped some, and added events of its own. Counted too high, this heals at the next quiet
    // moment.
    m_committed = m_appended - std::min(m_appended, quint64(std::max<qint64>(0, m_journal.queuedEvents())));
    // What was shown unjournalled is void once its events have come.
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
        if (const commands::SourcePort *port = m_sources.source(name))
            states->sources.append(port->state());
    }
    if (!states->isEmpty() || !states->renewals.isEmpty())
        Q_EMIT statesChanged(states);
}

QStringList Publisher::sourceNames() const
{
    QStringList names;
    for (const commands::SourcePort *port : m_sources.sources())
        names.append(port->spec().name);
    return names;
}

QList<domain::SourceState> Publisher::sourceStates() const
{
    QList<domain::SourceState> states;
    for (const commands::SourcePort *port : m_sources.sources())
        states.append(port->state());
    return states;
}

} // namespace lockkeeper::agent::server
