// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/models/lock_model.h"

#include "app/models/seconds.h"

#include <algorithm>
#include <limits>

namespace lockkeeper::app::models {

namespace {

constexpr qint64 kRecentUs = 2'000'000;

/** The time when the clock alone turns Held into Expiring; the maximum time if it won't. */
qint64 dueUs(const LockRow &row, const domain::LockState &state)
{
    const bool counts =
        row.badge == replica::Badge::Held && !row.gone && state.expiry == domain::ExpiryKind::At;
    if (!counts || !state.expiresUs || state.ttlMs <= 0)
        return std::numeric_limits<qint64>::max();
    return *state.expiresUs - state.ttlMs * 200;
}

} // namespace

LockModel::LockModel(replica::Replica &replica, const base::Clock &clock, QObject *parent)
    : RawModel(kLockColumnNames, parent), m_replica(replica), m_clock(clock)
{
    connect(&replica, &replica::Replica::changed, this, &LockModel::applyBatch);
    connect(&replica, &replica::Replica::releasingChanged, this, &LockModel::touchOne);
    connect(&replica, &replica::Replica::offlineChanged, this, &LockModel::followSources);
    connect(&replica, &replica::Replica::sourcesChanged, this, &LockModel::followSources);
    connect(&m_second, &QTimer::timeout, this, &LockModel::lookAtClock);
    models::startSeconds(m_second);
    m_turn.setSingleShot(true);
    connect(&m_turn, &QTimer::timeout, this, [this] {
        m_left = m_turnRows;
        judgeSome();
    });
    applyBatch(replica.locks(), {});
}

LockModel::~LockModel() = default;

const LockRow *LockModel::at(int row) const
{
    return row >= 0 && row < rowCount() ? m_rows[size_t(row)].get() : nullptr;
}

/** `lock`: a key, or a state of that lock. */
template <typename Lock> LockRow *LockModel::rowFor(const Lock &lock) const
{
    const auto it = m_byKey.find(lock);
    return it == m_byKey.end() ? nullptr : *it;
}

const LockRow *LockModel::find(const domain::LockKey &key) const
{
    return rowFor(key);
}

int LockModel::rowOf(const domain::LockKey &key) const
{
    const LockRow *row = find(key);
    return row ? row->row : -1;
}

replica::LockContext LockModel::context(const LockRow &row) const
{
    return m_replica.context(row.lock.peek());
}

bool LockModel::changedRecently(const LockRow &row) const
{
    return row.changedAtUs > 0 && m_clock.monotonicUs() - row.changedAtUs < kRecentUs;
}

void LockModel::applyBatch(const replica::PackedLockTable &changed, const QSet<domain::LockKey> &removed)
{
    followSources();
    Rows touched;
    std::vector<replica::PackedLock> added;
    for (const replica::PackedLock &lock : changed) {
        LockRow *row = rowFor(lock);
        if (!row)
            added.push_back(lock);
        else if (take(*row, lock))
            touched.append(row);
    }
    for (const domain::LockKey &key : removed) {
        LockRow *row = rowFor(key);
        if (row && !row->gone)
            leave(*row, touched);
    }
    announce(touched);
    append(added);
    Q_EMIT countsChanged();
}

void LockModel::leave(LockRow &row, Rows &touched)
{
    row.gone = true;
    m_gone.append(&row);
    --m_counts[size_t(row.badge)];
    touched.append(&row);
}

/** True if the row's state has changed. */
bool LockModel::take(LockRow &row, const replica::PackedLock &lock)
{
    if (!row.gone && row.lock == lock)
        return refresh(row);
    if (row.gone) {
        row.gone = false;
        m_gone.removeOne(&row);
        ++m_counts[size_t(row.badge)];
    }
    if (!row.lock.isSameHold(lock))
        row.changedAtUs = m_clock.monotonicUs();
    row.lock = lock;
    refresh(row);
    return true;
}

/** Judges a row again by its source's clock. */
bool LockModel::refresh(LockRow &row)
{
    const SourceClock &clock = m_sources[size_t(row.source)];
    const domain::LockState state = row.lock.peek();
    replica::LockContext context;
    context.nowUs = clock.nowUs;
    context.stale = clock.stale;
    context.releasing = m_replica.isReleasing(state.key);
    const replica::Badge badge = replica::badgeOf(state, context);
    const bool differs = badge != row.badge || row.stale != clock.stale;
    const bool wasStale = std::exchange(row.stale, clock.stale);
    if (badge != row.badge) {
        if (!row.gone) {
            --m_counts[size_t(row.badge)];
            ++m_counts[size_t(badge)];
        }
        row.badge = badge;
        if (!wasStale) // otherwise it is only observed again, which isn't a change
            row.changedAtUs = m_clock.monotonicUs();
    }
    m_due[size_t(row.row)] = {dueUs(row, state), row.source};
    return differs;
}

void LockModel::append(const std::vector<replica::PackedLock> &locks)
{
    if (locks.empty())
        return;
    const int first = rowCount();
    Rows added;
    added.reserve(qsizetype(locks.size()));
    beginInsertRows({}, first, first + int(locks.size()) - 1);
    for (const replica::PackedLock &lock : locks) {
        auto row = std::make_unique<LockRow>();
        row->lock = lock;
        row->row = int(m_rows.size());
        row->slot = m_freeSlots.isEmpty() ? m_nextSlot++ : m_freeSlots.takeLast();
        row->source = sourceIndex(lock.key().source);
        ++m_counts[size_t(row->badge)];
        m_due.push_back({});
        refresh(*row);
        row->changedAtUs = 0; // A lock observed for the first time hasn't changed.
        m_byKey.insert(row.get());
        added.append(row.get());
        m_rows.push_back(std::move(row));
    }
    endInsertRows();
    Q_EMIT rowsAdded(added);
}

void LockModel::announce(const Rows &touched)
{
    if (touched.isEmpty())
        return;
    Q_EMIT rowsTouched(touched);
    QList<int> rows;
    rows.reserve(touched.size());
    for (const LockRow *row : touched)
        rows.append(row->row);
    announceRows(rows);
}

void LockModel::touchOne(const domain::LockKey &key)
{
    LockRow *row = rowFor(key);
    if (!row || !refresh(*row))
        return;
    announce({row});
    Q_EMIT countsChanged();
}

int LockModel::sourceIndex(const QString &source)
{
    const auto known = m_sourceIndex.constFind(source);
    if (known != m_sourceIndex.constEnd())
        return *known;
    const int index = int(m_sources.size());
    m_sourceIndex.insert(source, index);
    m_sources.push_back({source});
    readClock(m_sources.back());
    return index;
}

void LockModel::readClock(SourceClock &clock) const
{
    domain::LockState any;
    any.key.source = clock.name;
    const replica::LockContext context = m_replica.context(any);
    clock.nowUs = context.nowUs;
    clock.stale = context.stale;
}

/** True if some source fell silent or returned: its rows must be judged again. */
bool LockModel::readClocks()
{
    bool any = false;
    for (SourceClock &clock : m_sources) {
        const bool before = clock.stale;
        readClock(clock);
        clock.turned = clock.turned || before != clock.stale;
        any = any || before != clock.stale;
    }
    if (any)
        m_judged = 0;
    return any;
}

void LockModel::followSources()
{
    if (readClocks())
        judgeSome();
}

void LockModel::lookAtClock()
{
    readClocks();
    m_judged = 0;
    judgeSome();
    Q_EMIT clockMoved();
}

/**
 * Continues through the rows and judges those affected by time or silence, as many as one turn of the event
 * loop allows.
 */
void LockModel::judgeSome()
{
    Rows touched;
    for (; m_judged < m_due.size() && m_left > 0; ++m_judged) {
        const Due due = m_due[m_judged];
        const SourceClock &clock = m_sources[size_t(due.source)];
        LockRow &row = *m_rows[m_judged];
        if (due.atUs >= clock.nowUs && (!clock.turned || row.stale == clock.stale))
            continue;
        --m_left;
        if (refresh(row))
            touched.append(&row);
    }
    announce(touched);
    if (!touched.isEmpty())
        Q_EMIT countsChanged();
    if (m_left < m_turnRows)
        m_turn.start(0);
    if (m_judged < m_due.size())
        return;
    for (SourceClock &clock : m_sources)
        clock.turned = false;
}

/**
 * Swaps gone rows with the last rows and cuts them off: the cost depends on their number, not on the size of
 * the table.
 */
void LockModel::purgeGone()
{
    if (m_gone.isEmpty())
        return;
    Q_EMIT layoutAboutToBeChanged();
    const QModelIndexList before = persistentIndexList();
    Rows owners;
    for (const QModelIndex &index : before)
        owners.append(at(index.row()));
    std::sort(m_gone.begin(), m_gone.end(),
              [](const LockRow *a, const LockRow *b) { return a->row < b->row; });
    int last = rowCount() - 1;
    for (const LockRow *row : std::as_const(m_gone)) {
        while (last > row->row && m_rows[size_t(last)]->gone)
            --last;
        if (last <= row->row)
            break;
        swapRows(row->row, last--);
    }
    QModelIndexList after;
    for (qsizetype i = 0; i < before.size(); ++i)
        after.append(index(owners[i]->row, before[i].column()));
    changePersistentIndexList(before, after);
    Q_EMIT layoutChanged();

    const int keep = rowCount() - int(m_gone.size());
    beginRemoveRows({}, keep, rowCount() - 1);
    for (const LockRow *row : std::as_const(m_gone)) {
        m_freeSlots.append(row->slot);
        m_byKey.erase(m_rows[size_t(row->row)].get());
    }
    m_gone.clear();
    m_rows.resize(size_t(keep));
    m_due.resize(size_t(keep));
    endRemoveRows();
    m_judged = 0; // rows that weren't checked yet may now be before it
}

void LockModel::swapRows(int a, int b)
{
    std::swap(m_rows[size_t(a)], m_rows[size_t(b)]);
    std::swap(m_due[size_t(a)], m_due[size_t(b)]);
    m_rows[size_t(a)]->row = a;
    m_rows[size_t(b)]->row = b;
}

} // namespace lockkeeper::app::models
