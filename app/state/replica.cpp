// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/state/replica.h"

#include "app/session/agent_session.h"
#include "shared/events/apply.h"

#include <QLoggingCategory>
#include <QPointer>
#include <QTimer>

#include <algorithm>

namespace lockkeeper::app::state {

Q_LOGGING_CATEGORY(lcState, "lockkeeper.state")

namespace {
constexpr qint64 kBatchUs = 100'000;         ///< at most ten batches a second
constexpr qint64 kSilentUs = 5'000'000;      ///< a source not observed for so long is stale
constexpr qsizetype kMaxHeldEvents = 10'000; ///< events kept for the tails while paused
} // namespace

class Replica::Private
{
public:
    explicit Private(const base::Clock &c) : clock(c) {}

    /** A source with its clock: `storeUs` was the time there when this machine's steady clock read `atUs`. */
    struct Source
    {
        domain::SourceState state;
        qint64 storeUs = 0;
        qint64 atUs = 0;
        qint64 lastSeenUs = 0;
    };

    /** The locks as of one sequence number. */
    struct Table
    {
        quint64 seq = 0;
        LockTable locks;
    };

    /** What came while paused: bounded by the number of locks, not by the time. */
    struct Held
    {
        std::optional<Table> table;               ///< the whole table came anew
        QHash<domain::LockKey, PackedLock> locks; ///< else what differs; null: gone
        quint64 seq = 0;
        qint64 changes = 0;
    };

    qint64 shownMonotonicUs() const { return paused ? pausedAtUs : clock.monotonicUs(); }
    void saw(const QString &source, qint64 storeUs);
    void takeSource(const domain::SourceState &state);
    PackedLock latest(const domain::LockKey &key) const;
    void store(const domain::LockKey &key, const PackedLock &lock);
    quint64 &latestSeq();
    events::Applied apply(const events::LockEvent &event);
    void note(const domain::LockKey &key, const PackedLock &lock);

    const base::Clock &clock;
    QPointer<session::AgentSession> session;
    Table shown;
    Table incoming;
    QHash<QString, domain::SourceState> incomingSources;
    QHash<QString, Source> sources;
    QString agent;
    bool live = false;
    bool past = false;

    bool paused = false;
    qint64 pausedAtUs = 0;
    qint64 pausedAtWallUs = 0;
    Held held;

    LockTable changed; ///< with `removed`: what is to be announced
    QSet<domain::LockKey> removed;
    QList<events::LockEvent> events;
    bool sourcesDirty = false;
    QSet<domain::LockKey> releasing;
    QTimer timer;
    qint64 flushedAtUs = 0;
};

void Replica::Private::saw(const QString &source, qint64 storeUs)
{
    const auto it = sources.find(source);
    if (it != sources.end())
        it->lastSeenUs = std::max(it->lastSeenUs, storeUs);
}

void Replica::Private::takeSource(const domain::SourceState &state)
{
    Source &source = sources[state.name];
    // The agent runs on this machine's wall clock over a local socket; what it saw last is a lower bound in
    // any case.
    // Not the later of both: the store's clock may have been set back.
    source.lastSeenUs = state.lastSeenUs.value_or(source.lastSeenUs);
    source.storeUs = std::max(clock.wallUs() + state.clockOffsetUs, source.lastSeenUs);
    source.atUs = clock.monotonicUs();
    source.state = state;
    sourcesDirty = true;
}

/** Null: there is none. */
PackedLock Replica::Private::latest(const domain::LockKey &key) const
{
    if (!paused)
        return shown.locks.packed(key);
    if (held.table)
        return held.table->locks.packed(key);
    const auto it = held.locks.constFind(key);
    return it != held.locks.constEnd() ? *it : shown.locks.packed(key);
}

/** Keeps `lock` (null: gone) where updates go now. */
void Replica::Private::store(const domain::LockKey &key, const PackedLock &lock)
{
    if (paused) {
        ++held.changes;
        if (!held.table) {
            held.locks.insert(key, lock);
            return;
        }
    }
    LockTable &locks = paused ? held.table->locks : shown.locks;
    if (lock.isNull())
        locks.remove(key);
    else
        locks.insert(lock);
    if (!paused)
        note(key, lock);
}

quint64 &Replica::Private::latestSeq()
{
    if (!paused)
        return shown.seq;
    return held.table ? held.table->seq : held.seq;
}

/** To be announced: `key` is `lock` now (null: gone). */
void Replica::Private::note(const domain::LockKey &key, const PackedLock &lock)
{
    if (lock.isNull()) {
        changed.remove(key);
        removed.insert(key);
        return;
    }
    changed.insert(lock);
    if (!removed.isEmpty())
        removed.remove(key);
}

/** As events::apply() does it to a table of its own. */
events::Applied Replica::Private::apply(const events::LockEvent &event)
{
    const events::Applied applied = events::advance(event, latestSeq());
    if (applied == events::Applied::Changed)
        store(event.key, event.after ? PackedLock(*event.after) : PackedLock());
    return applied;
}

Replica::Replica(const base::Clock &clock, QObject *parent)
    : QObject(parent), d(std::make_shared<Private>(clock))
{
    d->timer.setSingleShot(true);
    connect(&d->timer, &QTimer::timeout, this, &Replica::flush);
}

Replica::~Replica() = default;

void Replica::follow(session::AgentSession *session)
{
    if (d->session)
        disconnect(d->session, nullptr, this, nullptr);
    d->session = session;
    if (!session) {
        setLive(false, d->agent);
        return;
    }
    using S = session::AgentSession;
    const auto link = [this, session] {
        setLive(session->link() == session::LinkState::Live, session->welcome().agent);
    };
    connect(session, &S::agentChanged, this, &Replica::forget);
    connect(session, &S::linkChanged, this, link);
    connect(session, &S::tableReset, this, &Replica::beginTable);
    connect(session, &S::tablePage, this, &Replica::addPage);
    connect(session, &S::tableComplete, this, &Replica::completeTable);
    connect(session, &S::eventsCame, this, &Replica::takeEvents);
    connect(session, &S::statesCame, this, &Replica::takeStates);
    connect(session, &S::unjournalledCame, this, &Replica::takeUnjournalled);
    link();
}

const LockTable &Replica::locks() const
{
    return d->shown.locks;
}

std::optional<domain::LockState> Replica::find(const domain::LockKey &key) const
{
    return d->shown.locks.find(key);
}

QList<domain::SourceState> Replica::sources() const
{
    QList<domain::SourceState> list;
    for (const Private::Source &source : std::as_const(d->sources))
        list.append(source.state);
    std::sort(list.begin(), list.end(), [](const auto &a, const auto &b) { return a.name < b.name; });
    return list;
}

const domain::SourceState *Replica::source(const QString &name) const
{
    const auto it = d->sources.constFind(name);
    return it == d->sources.constEnd() ? nullptr : &it->state;
}

quint64 Replica::seq() const
{
    return d->shown.seq;
}

qint64 Replica::storeNowUs(const QString &source) const
{
    const auto it = d->sources.constFind(source);
    if (it == d->sources.constEnd())
        return d->clock.wallUs() - (d->clock.monotonicUs() - d->shownMonotonicUs());
    return it->storeUs + (d->shownMonotonicUs() - it->atUs);
}

bool Replica::isStale(const QString &source) const
{
    if (!d->live)
        return true;
    const auto it = d->sources.constFind(source);
    if (it == d->sources.constEnd() || it->lastSeenUs == 0)
        return true;
    if (d->past)
        return it->state.link != domain::Link::Up;
    // Against the real clock even while paused: observations are noted all the time.
    const qint64 now = it->storeUs + (d->clock.monotonicUs() - it->atUs);
    return now - it->lastSeenUs > std::max(kSilentUs, 2 * it->state.pollMs * 1000);
}

qint64 Replica::lastSeenUs(const QString &source) const
{
    const auto it = d->sources.constFind(source);
    return it == d->sources.constEnd() ? 0 : it->lastSeenUs;
}

bool Replica::isOffline() const
{
    return !d->live;
}

LockContext Replica::context(const domain::LockState &state) const
{
    LockContext context;
    context.stale = isStale(state.key.source);
    context.nowUs = storeNowUs(state.key.source);
    const qint64 seen = lastSeenUs(state.key.source);
    if (context.stale && seen > 0)
        context.nowUs = std::min(context.nowUs, seen);
    context.releasing = d->releasing.contains(state.key);
    context.agent = d->agent;
    return context;
}

QString Replica::agent() const
{
    return d->agent;
}

void Replica::setPaused(bool paused)
{
    if (paused == d->paused)
        return;
    if (paused) {
        flush();
        d->pausedAtUs = d->clock.monotonicUs();
        d->pausedAtWallUs = d->clock.wallUs();
        d->held = {};
        d->held.seq = d->shown.seq;
        d->paused = true;
        Q_EMIT pauseChanged();
        return;
    }
    d->paused = false;
    Private::Held held = std::exchange(d->held, {});
    if (held.table) {
        d->shown = std::move(*held.table);
        d->changed.clear();
        d->removed.clear();
        Q_EMIT reset();
    } else {
        d->shown.seq = held.seq;
        for (auto it = held.locks.cbegin(); it != held.locks.cend(); ++it)
            d->store(it.key(), it.value());
    }
    Q_EMIT pauseChanged();
    flush();
}

bool Replica::isPaused() const
{
    return d->paused;
}

qint64 Replica::pendingChanges() const
{
    return d->held.changes;
}

qint64 Replica::pausedAtWallUs() const
{
    return d->pausedAtWallUs;
}

void Replica::setReleasing(const domain::LockKey &key, bool releasing)
{
    if (releasing == d->releasing.contains(key))
        return;
    if (releasing)
        d->releasing.insert(key);
    else
        d->releasing.remove(key);
    Q_EMIT releasingChanged(key);
}

bool Replica::isReleasing(const domain::LockKey &key) const
{
    return d->releasing.contains(key);
}

void Replica::setLive(bool live, const QString &agent)
{
    if (!agent.isEmpty())
        d->agent = agent;
    if (live == d->live)
        return;
    d->live = live;
    Q_EMIT offlineChanged();
}

void Replica::beginTable(quint64 atSeq)
{
    d->incoming = {};
    d->incoming.seq = atSeq;
    d->incomingSources.clear();
}

void Replica::addPage(const QList<domain::LockState> &locks, const QList<domain::SourceState> &sources)
{
    for (const domain::LockState &lock : locks)
        d->incoming.locks.insert(PackedLock(lock));
    for (const domain::SourceState &source : sources)
        d->incomingSources.insert(source.name, source);
}

void Replica::completeTable(quint64 atSeq)
{
    d->incoming.seq = atSeq;
    d->sources.clear();
    for (const domain::SourceState &source : std::exchange(d->incomingSources, {}))
        d->takeSource(source);
    Private::Table table = std::exchange(d->incoming, {});
    if (d->paused) {
        d->held.changes += table.locks.size();
        d->held.locks.clear();
        d->held.table = std::move(table);
        Q_EMIT pauseChanged();
    } else if (d->shown.seq == atSeq && !d->shown.locks.isEmpty()) {
        // No event was missed: the views keep what they have, but for what no event told of.
        const Private::Table before = std::exchange(d->shown, std::move(table));
        for (const PackedLock &lock : before.locks) {
            const domain::LockKey key = lock.key();
            if (!d->shown.locks.contains(key))
                d->note(key, {});
        }
        for (const PackedLock &lock : d->shown.locks) {
            const domain::LockKey key = lock.key();
            if (before.locks.packed(key) != lock)
                d->note(key, lock);
        }
    } else {
        d->shown = std::move(table);
        d->changed.clear();
        d->removed.clear();
        Q_EMIT reset();
    }
    flush();
}

void Replica::showPast(const QString &agent, const QList<domain::LockState> &locks,
                       const QList<domain::SourceState> &sources)
{
    d->past = true;
    setLive(true, agent);
    beginTable(0);
    addPage(locks, sources);
    completeTable(0);
}

void Replica::forget()
{
    if (d->paused) {
        d->paused = false;
        d->held = {};
        Q_EMIT pauseChanged();
    }
    d->shown = {};
    d->incoming = {};
    d->incomingSources.clear();
    d->sources.clear();
    d->agent.clear();
    d->changed.clear();
    d->removed.clear();
    d->events.clear();
    d->releasing.clear();
    d->sourcesDirty = true;
    Q_EMIT reset();
    flush();
}

void Replica::takeEvents(const QList<events::LockEvent> &events)
{
    for (const events::LockEvent &event : events) {
        const events::Applied applied = d->apply(event);
        if (applied == events::Applied::Duplicate)
            continue;
        if (applied == events::Applied::Gap) {
            // The session closes holes before it hands events on; this batch can't be trusted.
            qCWarning(lcState) << "dropped events after a hole before" << event.seq;
            break;
        }
        d->saw(event.key.source, event.observedUs);
        d->events.append(event);
    }
    if (d->events.size() > kMaxHeldEvents)
        d->events.remove(0, d->events.size() - kMaxHeldEvents);
    schedule();
}

void Replica::takeStates(const QList<domain::LockState> &locks, const QList<domain::SourceState> &sources)
{
    for (const domain::SourceState &source : sources)
        d->takeSource(source);
    for (const domain::LockState &lock : locks) {
        d->saw(lock.key.source, lock.seenUs.value_or(0));
        events::LockTable one;
        if (const PackedLock known = d->latest(lock.key); !known.isNull())
            one.locks.insert(lock.key, known.state());
        if (events::applyUpdate(lock, one) == events::Applied::Changed)
            d->store(lock.key, one.locks.isEmpty() ? PackedLock() : PackedLock(lock));
    }
    schedule();
}

void Replica::takeUnjournalled(const QList<domain::LockState> &locks, const QList<domain::LockKey> &removed)
{
    for (const domain::LockState &lock : locks) {
        d->saw(lock.key.source, lock.seenUs.value_or(0));
        if (lock.phase != domain::Phase::Free || lock.seenUs)
            d->store(lock.key, PackedLock(lock));
        else if (!d->latest(lock.key).isNull()) // nothing is there any more: see events::applyUpdate()
            d->store(lock.key, {});
    }
    for (const domain::LockKey &key : removed) {
        if (!d->latest(key).isNull())
            d->store(key, {});
    }
    schedule();
}

/** The first change after a quiet time is announced at once, further ones a tenth of a second apart. */
void Replica::schedule()
{
    if (d->timer.isActive())
        return;
    const qint64 sinceUs = d->clock.monotonicUs() - d->flushedAtUs;
    d->timer.start(int(std::clamp<qint64>((kBatchUs - sinceUs) / 1000, 0, kBatchUs / 1000)));
}

void Replica::flush()
{
    d->timer.stop();
    d->flushedAtUs = d->clock.monotonicUs();
    if (std::exchange(d->sourcesDirty, false))
        Q_EMIT sourcesChanged();
    if (d->paused) {
        Q_EMIT pauseChanged();
        return;
    }
    if (!d->changed.isEmpty() || !d->removed.isEmpty()) {
        const LockTable changedLocks = std::exchange(d->changed, {});
        const QSet<domain::LockKey> removedKeys = std::exchange(d->removed, {});
        Q_EMIT changed(changedLocks, removedKeys);
    }
    if (!d->events.isEmpty())
        Q_EMIT events(std::exchange(d->events, {}));
}

} // namespace lockkeeper::app::state
