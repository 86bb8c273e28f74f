// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/state/replica.h"

#include "app/session/agents.h"
#include "shared/events/apply.h"

#include <QLoggingCategory>
#include <QPointer>
#include <QTimer>

#include <algorithm>
#include <functional>

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

    /** What came while paused: bounded by the number of locks, not by the time. */
    struct Held
    {
        std::optional<LockTable> table;           ///< the whole table came anew
        QHash<domain::LockKey, PackedLock> locks; ///< else what differs; null: gone
        qint64 changes = 0;
    };

    /** One agent's stream. */
    struct Told
    {
        QString name;
        bool live = false;
        quint64 seq = 0;       ///< of what is shown
        quint64 heldSeq = 0;   ///< while paused, of what came
        bool hasTable = false; ///< it has told a whole one
        LockTable incoming;
        QHash<QString, domain::SourceState> incomingSources;
    };

    qint64 shownMonotonicUs() const { return paused ? pausedAtUs : clock.monotonicUs(); }
    bool several() const { return agents && agents->several() && !past; }
    QString labelOf(const QString &source) const { return several() ? agents->labelOf(source) : QString(); }
    const Told *toldOf(const QString &source) const
    {
        const auto it = told.constFind(labelOf(source));
        return it == told.cend() ? nullptr : &*it;
    }
    bool isLive(const QString &source) const
    {
        const Told *one = toldOf(source);
        return one && one->live;
    }
    bool anyLive() const
    {
        return std::any_of(told.cbegin(), told.cend(), [](const Told &one) { return one.live; });
    }
    QStringList sameAs(const QString &source) const
    {
        return several() ? agents->sameStores().of(source) : QStringList{source};
    }
    PackedLock known(const domain::LockKey &key) const;
    void put(const domain::LockKey &key, const PackedLock &lock);
    void settle(const domain::LockKey &key, const QStringList &same);
    void regroup();
    QList<domain::LockKey> keysOf(const std::function<bool(const QString &source)> &wanted) const;
    void believeAgain(const QString &label);
    void mergeTable(const QString &label);
    void saw(const QString &source, qint64 storeUs);
    void takeSource(const domain::SourceState &state);
    PackedLock latest(const domain::LockKey &key) const;
    void store(const domain::LockKey &key, const PackedLock &lock);
    events::Applied apply(const events::LockEvent &event, Told &from);
    void note(const domain::LockKey &key, const PackedLock &lock);

    const base::Clock &clock;
    QPointer<const session::Agents> agents;
    QHash<QString, Told> told; ///< by label; "" stands for one that is alone
    LockTable shown;
    LockTable copies; ///< of the stores that several agents see: what each of them tells
    /** Of the copies those that a lost agent saw last and another one has seen go since: not shown before
     * the lost one is back and tells. */
    QSet<domain::LockKey> outdated;
    QHash<QString, Source> sources;
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
        return shown.packed(key);
    if (held.table)
        return held.table->packed(key);
    const auto it = held.locks.constFind(key);
    return it != held.locks.constEnd() ? *it : shown.packed(key);
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
    LockTable &locks = paused ? *held.table : shown;
    if (lock.isNull())
        locks.remove(key);
    else
        locks.insert(lock);
    if (!paused)
        note(key, lock);
}

/** As the agent of its source tells it last, whoever sees it better. */
PackedLock Replica::Private::known(const domain::LockKey &key) const
{
    return sameAs(key.source).size() > 1 ? copies.packed(key) : latest(key);
}

/** What an agent tells of a lock (null: gone). */
void Replica::Private::put(const domain::LockKey &key, const PackedLock &lock)
{
    const QStringList same = sameAs(key.source);
    if (same.size() == 1)
        return store(key, lock);
    outdated.remove(key);
    if (!lock.isNull()) {
        copies.insert(lock);
    } else {
        copies.remove(key);
        for (const QString &source : same) {
            const domain::LockKey there{source, key.scheme, key.place, key.name};
            if (isLive(key.source) && !isLive(source) && copies.contains(there))
                outdated.insert(there);
        }
    }
    settle(key, same);
}

/** Of a lock's copies in the sources `same` the first one is shown, and no other. */
void Replica::Private::settle(const domain::LockKey &key, const QStringList &same)
{
    bool found = false;
    for (const QString &source : same) {
        const domain::LockKey there{source, key.scheme, key.place, key.name};
        const PackedLock copy = found || outdated.contains(there) ? PackedLock() : copies.packed(there);
        found = found || !copy.isNull();
        if (latest(there) != copy)
            store(there, copy);
    }
}

/** The keys of all locks in sources that are wanted, as of now. */
QList<domain::LockKey>
Replica::Private::keysOf(const std::function<bool(const QString &source)> &wanted) const
{
    QList<domain::LockKey> keys;
    const auto add = [&](const domain::LockKey &key) {
        if (wanted(key.source))
            keys.append(key);
    };
    for (const PackedLock &lock : shown)
        add(lock.key());
    for (auto it = held.locks.cbegin(); it != held.locks.cend(); ++it) {
        if (!shown.contains(it.key()))
            add(it.key());
    }
    return keys;
}

/** Other sources are of the same store than before, or another one sees it best. */
void Replica::Private::regroup()
{
    const LockTable before = std::exchange(copies, {});
    for (const domain::LockKey &key : keysOf([this](const QString &s) { return sameAs(s).size() > 1; })) {
        if (const PackedLock lock = latest(key); !lock.isNull())
            copies.insert(lock);
    }
    for (const PackedLock &lock : before) {
        const domain::LockKey key = lock.key();
        if (sameAs(key.source).size() > 1) {
            copies.insert(lock);
            continue;
        }
        outdated.remove(key);
        if (latest(key).isNull() && sources.contains(key.source))
            store(key, lock);
    }
    const LockTable all = copies;
    for (const PackedLock &lock : all) {
        const domain::LockKey key = lock.key();
        settle(key, sameAs(key.source));
    }
}

/** An agent is back, and has told by now what changed. */
void Replica::Private::believeAgain(const QString &label)
{
    for (const domain::LockKey &key : QSet<domain::LockKey>(outdated)) {
        if (labelOf(key.source) == label && outdated.remove(key))
            settle(key, sameAs(key.source));
    }
}

/** One agent's whole table, beside those of others. */
void Replica::Private::mergeTable(const QString &label)
{
    Told &from = told[label];
    const LockTable table = std::exchange(from.incoming, {});
    const auto isIts = [&](const QString &source) { return labelOf(source) == label; };
    QList<domain::LockKey> gone;
    if (std::exchange(from.hasTable, true)) { // else nothing of it is here, and looking at all is for nothing
        gone = keysOf(isIts);
        for (const PackedLock &copy : copies) {
            if (const domain::LockKey key = copy.key(); isIts(key.source))
                gone.append(key);
        }
    }
    for (const domain::LockKey &key : std::as_const(gone)) {
        if (!table.contains(key) && !known(key).isNull())
            put(key, {});
    }
    for (const PackedLock &lock : table) {
        const domain::LockKey key = lock.key();
        if (known(key) != lock)
            put(key, lock);
    }
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
events::Applied Replica::Private::apply(const events::LockEvent &event, Told &from)
{
    const events::Applied applied = events::advance(event, paused ? from.heldSeq : from.seq);
    if (applied == events::Applied::Changed)
        put(event.key, event.after ? PackedLock(*event.after) : PackedLock());
    return applied;
}

Replica::Replica(const base::Clock &clock, QObject *parent)
    : QObject(parent), d(std::make_shared<Private>(clock))
{
    d->timer.setSingleShot(true);
    connect(&d->timer, &QTimer::timeout, this, &Replica::flush);
}

Replica::~Replica() = default;

void Replica::follow(session::Agents *agents)
{
    if (d->agents)
        disconnect(d->agents, nullptr, this, nullptr);
    d->agents = agents;
    if (!agents) {
        setLive(false, {});
        return;
    }
    using A = session::Agents;
    const auto link = [this, agents] {
        for (const session::AgentSession *session : agents->sessions()) {
            const QString name = agents->nameOf(session);
            if (!agents->several() || !name.isEmpty())
                setLive(session->link() == session::LinkState::Live, name,
                        agents->several() ? name : QString());
        }
    };
    connect(agents, &A::agentChanged, this, &Replica::forget);
    connect(agents, &A::agentGone, this, &Replica::forgetAgent);
    connect(agents, &A::linkChanged, this, link);
    connect(agents, &A::sameStoresChanged, this, [this] {
        d->regroup();
        schedule();
    });
    connect(agents, &A::tableReset, this, [this](const auto &label) { beginTable(label); });
    connect(agents, &A::tablePage, this, [this](const auto &label, const auto &locks, const auto &sources) {
        addPage(locks, sources, label);
    });
    connect(agents, &A::tableComplete, this,
            [this](const auto &label, quint64 seq) { completeTable(seq, label); });
    connect(agents, &A::eventsCame, this,
            [this](const auto &label, const auto &events) { takeEvents(events, label); });
    connect(agents, &A::statesCame, this,
            [this](const auto &, const auto &locks, const auto &sources) { takeStates(locks, sources); });
    connect(agents, &A::unjournalledCame, this,
            [this](const auto &, const auto &locks, const auto &gone) { takeUnjournalled(locks, gone); });
    link();
}

const LockTable &Replica::locks() const
{
    return d->shown;
}

std::optional<domain::LockState> Replica::find(const domain::LockKey &key) const
{
    return d->shown.find(key);
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
    const Private::Told *one = d->toldOf({});
    return one ? one->seq : 0;
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
    if (!d->isLive(source))
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
    return !d->anyLive();
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
    context.agent = agentsOf(state.key).join(QLatin1String(", "));
    return context;
}

QString Replica::agent() const
{
    QStringList names;
    for (const Private::Told &one : std::as_const(d->told))
        names.append(one.name);
    names.sort();
    return names.join(QLatin1String(", "));
}

QString Replica::agentOf(const QString &source) const
{
    if (d->past && d->agents)
        return d->agents->agentOf(source);
    const Private::Told *one = d->toldOf(source);
    return one ? one->name : QString();
}

QStringList Replica::agentsOf(const domain::LockKey &key) const
{
    const QStringList sources = d->sameAs(key.source);
    if (sources.size() == 1)
        return {agentOf(key.source)};
    QStringList names;
    QStringList lost;
    for (const QString &source : sources) {
        const domain::LockKey there{source, key.scheme, key.place, key.name};
        if (d->copies.contains(there) && !d->outdated.contains(there))
            (d->isLive(source) ? names : lost).append(agentOf(source));
    }
    if (names.isEmpty())
        names = lost;                                                  // they saw it last
    return names.isEmpty() ? QStringList{agentOf(key.source)} : names; // gone: who saw it
}

domain::LockKey Replica::shownAs(const domain::LockKey &key) const
{
    for (const QString &source : d->sameAs(key.source)) {
        const domain::LockKey there{source, key.scheme, key.place, key.name};
        if (d->shown.contains(there))
            return there;
    }
    return key;
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
        for (Private::Told &one : d->told)
            one.heldSeq = one.seq;
        d->paused = true;
        Q_EMIT pauseChanged();
        return;
    }
    d->paused = false;
    for (Private::Told &one : d->told)
        one.seq = one.heldSeq;
    Private::Held held = std::exchange(d->held, {});
    if (held.table) {
        d->shown = std::move(*held.table);
        d->changed.clear();
        d->removed.clear();
        Q_EMIT reset();
    } else {
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

void Replica::setLive(bool live, const QString &agent, const QString &label)
{
    Private::Told &told = d->told[label];
    const bool before = std::exchange(told.live, live);
    if (!agent.isEmpty())
        told.name = agent;
    if (live && !before) {
        d->believeAgain(label);
        schedule();
    }
    if (live != before)
        Q_EMIT offlineChanged();
}

void Replica::beginTable(const QString &label)
{
    Private::Told &told = d->told[label];
    told.incoming.clear();
    told.incomingSources.clear();
}

void Replica::addPage(const QList<domain::LockState> &locks, const QList<domain::SourceState> &sources,
                      const QString &label)
{
    Private::Told &told = d->told[label];
    for (const domain::LockState &lock : locks)
        told.incoming.insert(PackedLock(lock));
    for (const domain::SourceState &source : sources)
        told.incomingSources.insert(source.name, source);
}

void Replica::completeTable(quint64 atSeq, const QString &label)
{
    Private::Told &told = d->told[label];
    d->sources.removeIf([&](const auto &it) { return d->labelOf(it.key()) == label; });
    for (const domain::SourceState &source : std::exchange(told.incomingSources, {}))
        d->takeSource(source);
    if (d->several()) {
        const bool hasMissed = std::exchange(d->paused ? told.heldSeq : told.seq, atSeq) != atSeq;
        d->mergeTable(label);
        flush();
        if (hasMissed)
            Q_EMIT missed();
        return;
    }
    LockTable table = std::exchange(told.incoming, {});
    if (d->paused) {
        told.heldSeq = atSeq;
        d->held.changes += table.size();
        d->held.locks.clear();
        d->held.table = std::move(table);
        Q_EMIT pauseChanged();
    } else if (told.seq == atSeq && !d->shown.isEmpty()) {
        // No event was missed: the views keep what they have, but for what no event told of.
        const LockTable before = std::exchange(d->shown, std::move(table));
        for (const PackedLock &lock : before) {
            const domain::LockKey key = lock.key();
            if (!d->shown.contains(key))
                d->note(key, {});
        }
        for (const PackedLock &lock : d->shown) {
            const domain::LockKey key = lock.key();
            if (before.packed(key) != lock)
                d->note(key, lock);
        }
    } else {
        told.seq = atSeq;
        d->shown = std::move(table);
        d->changed.clear();
        d->removed.clear();
        Q_EMIT reset();
    }
    flush();
}

/** An agent is called otherwise now: what it told by its old name comes again. */
void Replica::forgetAgent(const QString &label)
{
    d->told.remove(label);
    const auto isIts = [this, &label](const QString &source) { return d->labelOf(source) == label; };
    for (const domain::LockKey &key : d->keysOf(isIts))
        d->put(key, {});
    d->sources.removeIf([&](const auto &it) { return isIts(it.key()); });
    d->sourcesDirty = true;
    flush();
}

void Replica::showPast(const session::Agents *agents, const QList<domain::LockState> &locks,
                       const QList<domain::SourceState> &sources)
{
    d->past = true;
    d->agents = agents;
    setLive(true, agents ? agents->welcome().agent : QString());
    beginTable();
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
    const bool wasLive = d->anyLive();
    d->shown = {};
    d->copies = {};
    d->outdated.clear();
    d->told.clear();
    d->sources.clear();
    d->changed.clear();
    d->removed.clear();
    d->events.clear();
    d->releasing.clear();
    d->sourcesDirty = true;
    if (wasLive)
        Q_EMIT offlineChanged();
    Q_EMIT reset();
    flush();
}

void Replica::takeEvents(const QList<events::LockEvent> &events, const QString &label)
{
    for (const events::LockEvent &event : events) {
        const events::Applied applied = d->apply(event, d->told[label]);
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
        if (const PackedLock known = d->known(lock.key); !known.isNull())
            one.locks.insert(lock.key, known.state());
        if (events::applyUpdate(lock, one) == events::Applied::Changed)
            d->put(lock.key, one.locks.isEmpty() ? PackedLock() : PackedLock(lock));
    }
    schedule();
}

void Replica::takeUnjournalled(const QList<domain::LockState> &locks, const QList<domain::LockKey> &removed)
{
    for (const domain::LockState &lock : locks) {
        d->saw(lock.key.source, lock.seenUs.value_or(0));
        if (lock.phase != domain::Phase::Free || lock.seenUs)
            d->put(lock.key, PackedLock(lock));
        else if (!d->known(lock.key).isNull()) // nothing is there any more: see events::applyUpdate()
            d->put(lock.key, {});
    }
    for (const domain::LockKey &key : removed) {
        if (!d->known(key).isNull())
            d->put(key, {});
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
