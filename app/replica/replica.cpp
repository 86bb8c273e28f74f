// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/replica/replica.h"

#include "app/session/agent_group.h"
#include "app/session/same_locks.h"
#include "shared/events/apply.h"

#include <QLoggingCategory>
#include <QPointer>
#include <QTimer>

#include <algorithm>
#include <deque>
#include <functional>
#include <limits>

namespace lockkeeper::app::replica {

Q_LOGGING_CATEGORY(lcState, "lockkeeper.state")

namespace {
constexpr qint64 kBatchUs = 100'000;         ///< at most ten batches a second
constexpr qsizetype kMaxHeldEvents = 10'000; ///< events kept for the tails while paused
constexpr qsizetype kTurnLocks = 150;        ///< locks processed in one turn of the event loop
constexpr qsizetype kLooksALock = 8;         ///< looks that cost as much as processing one lock
} // namespace

class Replica::Private
{
public:
    explicit Private(const base::Clock &c) : clock(c) {}

    /** A source with its clock: `storeUs` was the time there when this machine's steady clock read `atUs`. */
    struct ReplicaSource
    {
        domain::SourceState state;
        qint64 storeUs = 0;
        qint64 atUs = 0;
        qint64 lastSeenUs = 0;
    };

    /** Changes that arrived while paused: bounded by the number of locks, not by time. */
    struct Held
    {
        QHash<domain::LockKey, PackedLock> locks; ///< changed locks; null: removed
        qint64 changes = 0;
        bool isNews = false; ///< a table arrived that doesn't continue the shown one
    };

    /** One agent's stream. */
    struct AgentFeed
    {
        QString name;
        bool live = false;
        quint64 seq = 0;       ///< of the shown data
        quint64 heldSeq = 0;   ///< while paused, of the held data
        bool hasTable = false; ///< a whole table was received
        PackedLockTable incoming;
        QHash<QString, domain::SourceState> incomingSources;
    };

    /**
     * One part of the agents' data. A call processes some of it while `looks` remain, and subtracts the cost.
     * True: this call finished the part; only then may it have notified anybody.
     */
    using Part = std::function<bool()>;

    /** A pass over all locks, in several steps. Nothing else changes any lock between the steps. */
    struct LockPass
    {
        std::optional<PackedLockTable::Iterator> next; ///< position in `shown`
        QHash<QString, bool> wanted;                   ///< by source
        std::vector<PackedLock> found;
        bool isDone = false;
    };

    /** One agent's whole table, while it is merged into the shown data. */
    struct Merge
    {
        bool begun = false;
        bool isNews = false;
        LockPass before; ///< its earlier locks, which may no longer exist
        PackedLockTable table;
    };

    /** A change in the grouping of sources by store, or in which source sees a store best. */
    struct Regroup
    {
        session::SameStores stores;
        bool begun = false;
        LockPass joining;               ///< locks that only one agent saw before
        std::vector<PackedLock> copies; ///< locks whose shown copy may change
    };

    qint64 shownMonotonicUs() const { return paused ? pausedAtUs : clock.monotonicUs(); }
    bool several() const { return agents && agents->several() && !past; }
    QString labelOf(const QString &source) const { return several() ? agents->labelOf(source) : QString(); }
    const AgentFeed *toldOf(const QString &source) const
    {
        const auto it = told.constFind(labelOf(source));
        return it == told.cend() ? nullptr : &*it;
    }
    bool isLive(const QString &source) const
    {
        const AgentFeed *one = toldOf(source);
        return one && one->live;
    }
    bool anyLive() const
    {
        return std::any_of(told.cbegin(), told.cend(), [](const AgentFeed &one) { return one.live; });
    }
    QStringList sameAs(const QString &source) const
    {
        return several() ? stores.of(source) : QStringList{source};
    }
    PackedLock known(const domain::LockKey &key) const;
    void put(const domain::LockKey &key, const PackedLock &lock);
    void settle(const domain::LockKey &key, const QStringList &same);
    bool regroup(Regroup &work);
    bool find(LockPass &scan, const std::function<bool(const QString &source)> &wanted);
    void settleOutdated(const QString &label);
    void beginMerge(const QString &label, Merge &merge);
    bool mergeTable(const QString &label, Merge &merge);
    void saw(const QString &source, qint64 storeUs);
    void takeSource(const domain::SourceState &state);
    PackedLock latest(const domain::LockKey &key) const;
    void store(const domain::LockKey &key, const PackedLock &lock);
    events::Applied apply(const events::LockEvent &event, AgentFeed &from);
    void note(const domain::LockKey &key, const PackedLock &lock);

    const base::Clock &clock;
    QPointer<const session::AgentGroup> agents;
    session::SameStores stores; ///< of the agents, as of the processed data
    std::deque<Part> inbox;     ///< received but unprocessed, in order
    qsizetype turnLooks = kTurnLocks * kLooksALock;
    qsizetype looks = turnLooks; ///< remaining in this turn
    QTimer turn;
    QHash<QString, AgentFeed> told; ///< by label; "" stands for a single agent
    PackedLockTable shown;
    PackedLockTable copies; ///< for stores that several agents see: each agent's own copy
    /**
     * Copies that a lost agent saw last and that another agent has since seen disappear. They aren't shown
     * until the lost agent is back and has reported.
     */
    QSet<domain::LockKey> outdated;
    QHash<QString, ReplicaSource> sources;
    bool past = false;

    bool paused = false;
    qint64 pausedAtUs = 0;
    qint64 pausedAtWallUs = 0;
    Held held;

    PackedLockTable changed; ///< with `removed`: the changes to announce
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
    ReplicaSource &source = sources[state.name];
    // The time of the agent's last observation is a lower bound of its clock in any case.
    const qint64 agentUs = clock.wallUs() - (agents && !past ? agents->aheadUs(state.name) : 0);
    // Not the later of the two: the store's clock may have been set back.
    source.lastSeenUs = state.lastSeenUs.value_or(source.lastSeenUs);
    source.storeUs = std::max(agentUs + state.clockOffsetUs, source.lastSeenUs);
    source.atUs = clock.monotonicUs();
    source.state = state;
    sourcesDirty = true;
}

/** Null: absent. */
PackedLock Replica::Private::latest(const domain::LockKey &key) const
{
    if (!paused)
        return shown.packed(key);
    const auto it = held.locks.constFind(key);
    return it != held.locks.constEnd() ? *it : shown.packed(key);
}

/** Stores `lock` (null: removed) where updates currently go. */
void Replica::Private::store(const domain::LockKey &key, const PackedLock &lock)
{
    if (paused) {
        ++held.changes;
        held.locks.insert(key, lock);
        return;
    }
    if (lock.isNull())
        shown.remove(key);
    else
        shown.insert(lock);
    note(key, lock);
}

/** The lock as its own source's agent last reported it, even if another agent sees it better. */
PackedLock Replica::Private::known(const domain::LockKey &key) const
{
    return sameAs(key.source).size() > 1 ? copies.packed(key) : latest(key);
}

/** Takes an agent's report about a lock (null: removed). */
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

/** Shows only the first of a lock's copies in the sources `same`. */
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

/** Finds all current locks of the wanted sources, including those that aren't shown. */
bool Replica::Private::find(LockPass &scan, const std::function<bool(const QString &source)> &wanted)
{
    const auto look = [&](const PackedLock &lock) {
        const QString source = lock.source();
        auto known = scan.wanted.constFind(source);
        if (known == scan.wanted.cend())
            known = scan.wanted.insert(QString(source.constData(), source.size()), wanted(source));
        if (*known)
            scan.found.push_back(lock);
        --looks;
    };
    if (scan.isDone)
        return true;
    if (!scan.next) {
        scan.next = shown.begin();
        for (const PackedLock &lock : std::as_const(held.locks)) {
            if (!lock.isNull())
                look(lock);
        }
        for (const PackedLock &lock : copies)
            look(lock);
    }
    for (; *scan.next != shown.end() && looks > 0; ++*scan.next)
        look(**scan.next);
    return scan.isDone = *scan.next == shown.end();
}

/** Applies a change in the grouping of sources by store, or in which source sees a store best. */
bool Replica::Private::regroup(Regroup &work)
{
    if (!work.begun) {
        const auto joins = [&](const QString &s) {
            return work.stores.of(s).size() > 1 && stores.of(s).size() == 1;
        };
        const QStringList shared = work.stores.shared();
        if (std::any_of(shared.cbegin(), shared.cend(), joins) && !find(work.joining, joins))
            return false;
        work.begun = true;
        for (const PackedLock &lock : std::exchange(work.joining.found, {})) {
            if (const PackedLock now = latest(lock.key()); !now.isNull())
                copies.insert(now);
        }
        const session::SameStores before = std::exchange(stores, work.stores);
        QSet<QString> others;
        for (const QString &source : stores.shared() + before.shared()) {
            if (stores.of(source) != before.of(source))
                others.insert(source);
        }
        for (const PackedLock &lock : copies) {
            if (others.contains(lock.source()))
                work.copies.push_back(lock);
        }
    }
    for (; !work.copies.empty() && looks > 0; looks -= kLooksALock) {
        const PackedLock lock = work.copies.back();
        work.copies.pop_back();
        const domain::LockKey key = lock.key();
        const QStringList same = sameAs(key.source);
        if (same.size() > 1) {
            settle(key, same);
            continue;
        }
        outdated.remove(key);
        copies.remove(key);
        if (latest(key).isNull() && sources.contains(key.source))
            store(key, lock);
    }
    return work.copies.empty();
}

/** An agent is back and has reported its changes. */
void Replica::Private::settleOutdated(const QString &label)
{
    for (const domain::LockKey &key : QSet<domain::LockKey>(outdated)) {
        if (labelOf(key.source) == label && outdated.remove(key))
            settle(key, sameAs(key.source));
    }
}

void Replica::Private::beginMerge(const QString &label, Merge &merge)
{
    AgentFeed &from = told[label];
    sources.removeIf([&](const auto &it) { return labelOf(it.key()) == label; });
    for (const domain::SourceState &source : std::exchange(from.incomingSources, {}))
        takeSource(source);
    merge.table = std::exchange(from.incoming, {});
    merge.before.isDone = !std::exchange(from.hasTable, true); // it has none of its locks
}

/** Merges one agent's whole table with those of the others: its locks that aren't in the table are gone. */
bool Replica::Private::mergeTable(const QString &label, Merge &merge)
{
    if (!find(merge.before, [&](const QString &source) { return labelOf(source) == label; }))
        return false;
    std::vector<PackedLock> &before = merge.before.found;
    for (; !before.empty() && looks > 0; --looks) {
        const PackedLock lock = std::move(before.back());
        before.pop_back();
        if (merge.table.contains(lock))
            continue;
        const domain::LockKey key = lock.key();
        if (!known(key).isNull())
            put(key, {});
        looks -= kLooksALock;
    }
    for (; !merge.table.isEmpty() && looks > 0; looks -= kLooksALock) {
        const PackedLock lock = merge.table.takeAny();
        const domain::LockKey key = lock.key();
        if (known(key) != lock)
            put(key, lock);
    }
    return before.empty() && merge.table.isEmpty();
}

/** Records for the announcement that `key` is `lock` now (null: removed). */
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

/** Like events::apply(), but on the shared tables. */
events::Applied Replica::Private::apply(const events::LockEvent &event, AgentFeed &from)
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
    connect(&d->timer, &QTimer::timeout, this, &Replica::announce);
    d->turn.setSingleShot(true);
    connect(&d->turn, &QTimer::timeout, this, [this] {
        d->looks = d->turnLooks;
        work();
    });
}

Replica::~Replica() = default;

void Replica::follow(session::AgentGroup *agents)
{
    if (d->agents)
        disconnect(d->agents, nullptr, this, nullptr);
    d->agents = agents;
    if (!agents) {
        setLive(false, {});
        return;
    }
    using A = session::AgentGroup;
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
    connect(agents, &A::sameStoresChanged, this, [this, agents] {
        const auto work = std::make_shared<Private::Regroup>();
        work->stores = agents->sameStores();
        takeIn([this, work] {
            const bool isDone = d->regroup(*work);
            schedule();
            return isDone;
        });
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

const PackedLockTable &Replica::locks() const
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
    for (const Private::ReplicaSource &source : std::as_const(d->sources))
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
    const Private::AgentFeed *one = d->toldOf({});
    return one ? one->seq : 0;
}

qint64 Replica::storeNowUs(const QString &source) const
{
    const auto it = d->sources.constFind(source);
    if (it == d->sources.constEnd())
        return d->clock.wallUs() - (d->clock.monotonicUs() - d->shownMonotonicUs());
    return it->storeUs + (d->shownMonotonicUs() - it->atUs);
}

qint64 Replica::storeClockUs(const QString &source) const
{
    return storeNowUs(source) + (d->clock.monotonicUs() - d->shownMonotonicUs());
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
    // Compared with the real clock even while paused: observations are always recorded.
    return storeClockUs(source) - it->lastSeenUs > it->state.patienceUs();
}

bool Replica::isSeenByAnother(const QString &source) const
{
    const domain::SourceState *standby = this->source(source);
    if (!standby || standby->link != domain::Link::Standby)
        return false;
    return std::any_of(d->sources.cbegin(), d->sources.cend(), [&](const Private::ReplicaSource &other) {
        return other.state.link == domain::Link::Up && session::isSameConfigured(other.state, *standby) &&
               !isStale(other.state.name);
    });
}

qint64 Replica::lastSeenUs(const QString &source) const
{
    const auto it = d->sources.constFind(source);
    return it == d->sources.constEnd() ? 0 : it->lastSeenUs;
}

bool Replica::isLive(const QString &source) const
{
    return d->isLive(source);
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

QString Replica::agentOf(const QString &source) const
{
    if (d->past && d->agents)
        return d->agents->agentOf(source);
    const Private::AgentFeed *one = d->toldOf(source);
    return one ? one->name : QString();
}

QString Replica::labelOf(const QString &source) const
{
    return d->past && d->agents ? d->agents->labelOf(source) : d->labelOf(source);
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
    return names.isEmpty() ? QStringList{agentOf(key.source)} : names; // removed: the agents that saw it
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
    flush(); // data received so far belongs before the change
    if (paused) {
        d->pausedAtUs = d->clock.monotonicUs();
        d->pausedAtWallUs = d->clock.wallUs();
        d->held = {};
        for (Private::AgentFeed &one : d->told)
            one.heldSeq = one.seq;
        d->paused = true;
        Q_EMIT pauseChanged();
        return;
    }
    d->paused = false;
    for (Private::AgentFeed &one : d->told)
        one.seq = one.heldSeq;
    const auto held = std::make_shared<const Private::Held>(std::exchange(d->held, {}));
    takeIn([this, held, next = held->locks.cbegin()]() mutable {
        for (; next != held->locks.cend() && d->looks > 0; d->looks -= kLooksALock, ++next)
            d->store(next.key(), next.value());
        if (next != held->locks.cend())
            return false;
        announce();
        if (held->isNews)
            Q_EMIT reset();
        return true;
    });
    Q_EMIT pauseChanged();
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
    takeIn([this, live, agent, label] {
        Private::AgentFeed &told = d->told[label];
        const bool before = std::exchange(told.live, live);
        if (!agent.isEmpty())
            told.name = agent;
        if (live && !before) {
            d->settleOutdated(label);
            schedule();
        }
        if (live != before) {
            d->looks -= d->turnLooks / 2; // all views check all locks
            Q_EMIT offlineChanged();
        }
        return true;
    });
}

void Replica::beginTable(const QString &label)
{
    takeIn([this, label] {
        Private::AgentFeed &told = d->told[label];
        told.incoming.clear();
        told.incomingSources.clear();
        return true;
    });
}

void Replica::addPage(const QList<domain::LockState> &locks, const QList<domain::SourceState> &sources,
                      const QString &label)
{
    takeIn([this, locks, sources, label] {
        Private::AgentFeed &told = d->told[label];
        for (const domain::LockState &lock : locks)
            told.incoming.insert(PackedLock(lock));
        for (const domain::SourceState &source : sources)
            told.incomingSources.insert(source.name, source);
        d->looks -= locks.size() * 2;
        return true;
    });
}

void Replica::completeTable(quint64 atSeq, const QString &label)
{
    takeIn([this, atSeq, label, merge = std::make_shared<Private::Merge>()] {
        const auto seq = [&]() -> quint64 & {
            Private::AgentFeed &told = d->told[label];
            return d->paused ? told.heldSeq : told.seq;
        };
        if (!std::exchange(merge->begun, true)) {
            // Otherwise no event was missed: the views keep their rows, except for changes that no event
            // reported.
            merge->isNews = seq() != atSeq || (!d->several() && d->shown.isEmpty());
            d->beginMerge(label, *merge);
        }
        if (!d->mergeTable(label, *merge))
            return false;
        seq() = atSeq;
        announce();
        if (merge->isNews && d->several())
            Q_EMIT missed();
        else if (merge->isNews && d->paused)
            d->held.isNews = true;
        else if (merge->isNews)
            Q_EMIT reset();
        return true;
    });
}

/** An agent has a new name: its data under the old name arrives again under the new one. */
void Replica::forgetAgent(const QString &label)
{
    takeIn([this, label, scan = std::make_shared<Private::LockPass>()] {
        const auto isIts = [&](const QString &source) { return d->labelOf(source) == label; };
        if (!d->find(*scan, isIts))
            return false;
        d->told.remove(label);
        for (; !scan->found.empty() && d->looks > 0; d->looks -= kLooksALock) {
            d->put(scan->found.back().key(), {});
            scan->found.pop_back();
        }
        if (!scan->found.empty())
            return false;
        d->sources.removeIf([&](const auto &it) { return isIts(it.key()); });
        d->sourcesDirty = true;
        announce();
        return true;
    });
}

void Replica::showPast(const session::AgentGroup *agents, const QList<domain::LockState> &locks,
                       const QList<domain::SourceState> &sources)
{
    d->past = true;
    d->agents = agents;
    setLive(true, agents ? agents->welcome().agent : QString());
    beginTable();
    addPage(locks, sources);
    completeTable(0);
    flush();
}

void Replica::forget()
{
    if (d->paused) {
        d->paused = false;
        d->held = {};
        Q_EMIT pauseChanged();
    }
    const bool wasLive = d->anyLive();
    d->inbox.clear();
    for (const PackedLock &lock : std::exchange(d->shown, {}))
        d->note(lock.key(), {});
    d->stores.clear();
    d->copies = {};
    d->outdated.clear();
    d->told.clear();
    d->sources.clear();
    d->events.clear();
    d->releasing.clear();
    d->sourcesDirty = true;
    announce();
    if (wasLive)
        Q_EMIT offlineChanged();
    Q_EMIT reset();
}

void Replica::takeEvents(const QList<events::LockEvent> &events, const QString &label)
{
    takeIn([this, events, label] {
        d->looks -= events.size() * kLooksALock;
        for (const events::LockEvent &event : events) {
            Private::AgentFeed &told = d->told[label];
            events::Applied applied = d->apply(event, told);
            // If the user sees only a part, only the session can distinguish a gap from hidden events.
            if (applied == events::Applied::Gap && d->agents &&
                !d->agents->welcome(event.key.source).grants.looksEverywhere()) {
                (d->paused ? told.heldSeq : told.seq) = event.seq - 1;
                applied = d->apply(event, told);
            }
            if (applied == events::Applied::Duplicate)
                continue;
            if (applied == events::Applied::Gap) {
                // The session closes gaps before it passes events on, so this batch can't be trusted.
                qCWarning(lcState) << "dropped events after a hole before" << event.seq;
                break;
            }
            d->saw(event.key.source, event.observedUs);
            d->events.append(event);
        }
        if (d->events.size() > kMaxHeldEvents)
            d->events.remove(0, d->events.size() - kMaxHeldEvents);
        schedule();
        return true;
    });
}

void Replica::takeStates(const QList<domain::LockState> &locks, const QList<domain::SourceState> &sources)
{
    takeIn([this, locks, sources] {
        d->looks -= locks.size() * kLooksALock;
        for (const domain::SourceState &source : sources)
            d->takeSource(source);
        for (const domain::LockState &lock : locks) {
            d->saw(lock.key.source, lock.seenUs.value_or(0));
            events::AppliedLocks one;
            if (const PackedLock known = d->known(lock.key); !known.isNull())
                one.locks.insert(lock.key, known.state());
            if (events::applyUpdate(lock, one) == events::Applied::Changed)
                d->put(lock.key, one.locks.isEmpty() ? PackedLock() : PackedLock(lock));
        }
        schedule();
        return true;
    });
}

void Replica::takeUnjournalled(const QList<domain::LockState> &locks, const QList<domain::LockKey> &removed)
{
    takeIn([this, locks, removed] {
        d->looks -= (locks.size() + removed.size()) * kLooksALock;
        for (const domain::LockState &lock : locks) {
            d->saw(lock.key.source, lock.seenUs.value_or(0));
            if (lock.phase != domain::Phase::Free || lock.seenUs)
                d->put(lock.key, PackedLock(lock));
            else if (!d->known(lock.key).isNull()) // the lock was removed: see events::applyUpdate()
                d->put(lock.key, {});
        }
        for (const domain::LockKey &key : removed) {
            if (!d->known(key).isNull())
                d->put(key, {});
        }
        schedule();
        return true;
    });
}

/**
 * Parts are processed in the order of their arrival, at once if the current turn of the event loop has enough
 * capacity left.
 */
void Replica::takeIn(std::function<bool()> part)
{
    d->inbox.push_back(std::move(part));
    if (d->inbox.size() == 1)
        work();
}

/** Processes as much as this turn's remaining capacity allows. */
void Replica::work()
{
    while (d->looks > 0 && !d->inbox.empty()) {
        Private::Part part = std::move(d->inbox.front());
        d->inbox.pop_front();
        if (!part())
            d->inbox.push_front(std::move(part));
    }
    if (!d->inbox.empty())
        announce();
    if (d->looks < d->turnLooks)
        d->turn.start(0);
}

void Replica::setTurnLocks(qsizetype locks)
{
    d->turnLooks = d->looks = locks * kLooksALock;
}

/** Announces the first change after a quiet time at once, further changes a tenth of a second apart. */
void Replica::schedule()
{
    if (d->timer.isActive())
        return;
    const qint64 sinceUs = d->clock.monotonicUs() - d->flushedAtUs;
    d->timer.start(int(std::clamp<qint64>((kBatchUs - sinceUs) / 1000, 0, kBatchUs / 1000)));
}

void Replica::flush()
{
    while (!d->inbox.empty()) {
        d->looks = std::numeric_limits<qsizetype>::max();
        work();
    }
    d->looks = d->turnLooks;
    announce();
}

void Replica::announce()
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
        const PackedLockTable changedLocks = std::exchange(d->changed, {});
        const QSet<domain::LockKey> removedKeys = std::exchange(d->removed, {});
        Q_EMIT changed(changedLocks, removedKeys);
    }
    if (!d->events.isEmpty())
        Q_EMIT events(std::exchange(d->events, {}));
}

} // namespace lockkeeper::app::replica
