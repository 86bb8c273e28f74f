// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/journal/query/past_queries.h"

#include "agent/journal/query/source_gaps.h"
#include "shared/events/observed.h"

#include <QDateTime>

#include <algorithm>
#include <limits>

namespace lockkeeper::agent::journal {

using domain::ExpiryKind;
using domain::LockState;
using domain::Phase;

namespace {

constexpr qint64 kBegin = std::numeric_limits<qint64>::min();
constexpr qint64 kEnd = std::numeric_limits<qint64>::max();
constexpr qint64 kNotesLateUs = 15'000'000; ///< renewals of open holds are written within 10 s
constexpr size_t kLocksBetweenLooks = 512;  ///< locks between two checks of the clock

QString utc(qint64 us)
{
    return QDateTime::fromMSecsSinceEpoch(us / 1000, Qt::UTC).toString(Qt::ISODateWithMs);
}

tl::unexpected<base::Error> reachesBack(qint64 us)
{
    return base::failure(base::ErrorCode::NotFound,
                         QStringLiteral("the journal has the table of locks only since %1").arg(utc(us)),
                         QStringLiteral("Choose a later time"));
}

/** Restores the renewals that the journal has for this acquisition. */
void restore(LockState &state, const RenewalNote &note)
{
    if (note.renewals <= state.renewals)
        return; // the last event is newer: it may have moved the deadline
    state.renewals = note.renewals;
    state.longestRenewalGapUs = std::max(state.longestRenewalGapUs, note.longestGapUs);
    if (note.renewedUs)
        state.renewedUs = note.renewedUs;
    if (note.expiresUs)
        state.expiresUs = note.expiresUs;
}

/** The state of a lock whose last event the journal no longer has. */
LockState stateOf(const domain::LockKey &key, const protocol::Hold &hold)
{
    LockState state;
    state.key = key;
    state.phase = Phase::Held;
    state.ownerKnown = hold.ownerKnown;
    state.owner = hold.owner;
    state.acquiredUs = hold.fromUs;
    state.windowUs = hold.fromWindowUs;
    state.acquiredBy = hold.startSeen ? domain::Evidence::Observation : domain::Evidence::FirstSeen;
    return state;
}

/** Parts of the source that weren't observed at that moment. The journal doesn't record which part kept which
 * lock. */
QList<domain::Finding> unseenParts(const QList<protocol::TimelineGap> &gaps)
{
    QList<domain::Finding> parts;
    for (const protocol::TimelineGap &gap : gaps) {
        if (!gap.part.isEmpty())
            parts.append({domain::kPartUnseen, domain::Severity::Warning, gap.part.toUtf8(), gap.fromUs});
    }
    return parts;
}

} // namespace

LockState stateAt(LockState state, const std::optional<RenewalNote> &renewals, qint64 atUs)
{
    if (state.phase == Phase::Held && state.expiry == ExpiryKind::At) {
        const bool renewedLater =
            !renewals || (renewals->renewals > state.renewals &&
                          (!renewals->expiresUs || renewals->renewedUs.value_or(kEnd) > atUs));
        if (renewedLater) {
            state.expiry = ExpiryKind::Unknown;
            state.expiresUs.reset();
            state.expiresBy = domain::Evidence::None;
            state.renewedUs.reset();
            state.renewals = 0;
            state.longestRenewalGapUs = 0;
        } else {
            restore(state, *renewals);
        }
    }
    if (state.session) {
        state.session->idleSinceUs.reset();
        state.session->statement.clear();
        state.session->statementCut = false;
    }
    state.depth = 0;
    state.waiting.reset();
    state.nodes.clear();
    state.changesPerMinute.reset();
    state.guard.clear();
    state.pinsDeadline = false;
    state.release = {domain::ReleaseSafety::Off, domain::ReleaseOff::Past};
    return state;
}

base::Result<PastTable> PastQueries::locksAt(const protocol::LocksQuery &query, const SeenUntil &seenUntil,
                                             const Each &each)
{
    const qint64 atUs = query.atUs.value_or(m_context.nowUs());
    if (atUs > m_context.nowUs())
        return base::failure(base::ErrorCode::Usage, QStringLiteral("this time is in the future"));
    return m_context.connection().inSnapshot([&] { return tellAll(query, atUs, seenUntil, each); });
}

base::Result<PastTable> PastQueries::tellAll(const protocol::LocksQuery &query, qint64 atUs,
                                             const SeenUntil &seenUntil, const Each &each)
{
    const auto wanted = m_context.matchingLocks(query.source, query.nameGlob);
    if (!wanted)
        return tl::unexpected(wanted.error());
    PastTable table;
    auto sources = sourcesAt(atUs, seenUntil);
    if (!sources)
        return tl::unexpected(sources.error());
    table.sources = std::move(*sources);
    table.sources.removeIf(
        [this](const domain::SourceState &source) { return !m_context.sight().sees(source.name); });
    QSet<qint64> unsure;
    auto locks = presentAt(atUs, unsure, table.seq);
    if (!locks)
        return tl::unexpected(locks.error());
    if (*wanted) {
        const QSet<qint64> some((*wanted)->cbegin(), (*wanted)->cend());
        std::erase_if(*locks, [&some](const PresentLock &lock) { return !some.contains(lock.lockId); });
    }
    // Read in the order of the events, which is that of the file.
    std::sort(locks->begin(), locks->end(),
              [](const PresentLock &a, const PresentLock &b) { return a.seq < b.seq; });
    const auto ofSource = [&](const LockState &state) {
        if (query.source.isEmpty() || state.key.source == query.source)
            each(m_context.sight().shown(state));
    };
    for (size_t i = 0; i < locks->size(); ++i) {
        if (i % kLocksBetweenLooks == 0) {
            if (auto time = m_context.checkTime(); !time)
                return tl::unexpected(time.error());
        }
        const PresentLock &lock = locks->at(i);
        if (auto told = tell(lock, unsure.contains(lock.lockId), atUs, ofSource); !told)
            return tl::unexpected(told.error());
    }
    return table;
}

/**
 * Each snapshot ends a segment of events and has the times between which they lie. The last snapshot that is
 * wholly before `atUs` is the base. Later events that are dated up to `atUs` are applied to it. If an earlier
 * event is dated later than `atUs` (a clock was ahead, or was set back), its lock is looked up again.
 */
base::Result<PresentLocks> PastQueries::presentAt(qint64 atUs, QSet<qint64> &unsure, quint64 &seq)
{
    SqliteConnection &db = m_context.connection();
    SqliteStatement &first = db.statement("event_first");
    if (!db.run(first))
        return tl::unexpected(db.error());
    const bool any = first.next();
    const qint64 firstSeq = any ? first.integer(0) : 0;
    const qint64 firstUs = any ? std::min(first.integer(1), first.integer(2)) : m_context.nowUs();
    first.finish();
    if (atUs < firstUs)
        return reachesBack(firstUs);
    auto all = m_context.snapshots();
    if (!all)
        return tl::unexpected(all.error());
    if (firstSeq <= 1)
        all->prepend({0, kEnd, kBegin});
    else
        all->removeIf([firstSeq](const SnapshotRow &snapshot) { return snapshot.lastSeq < firstSeq - 1; });
    const auto isBefore = [atUs](const SnapshotRow &snapshot) { return snapshot.latestUs <= atUs; };
    PresentLocks locks;
    auto base = std::find_if(all->crbegin(), all->crend(), isBefore);
    for (; base != all->crend() && base->lastSeq > 0; base = std::find_if(base + 1, all->crend(), isBefore)) {
        auto read = readSnapshot(db, base->lastSeq);
        if (!read)
            continue; // damaged: the one before and more events give the same
        locks = std::move(*read);
        break;
    }
    if (base == all->crend())
        return reachesBack(all->isEmpty() ? m_context.nowUs() : all->constFirst().latestUs);
    Presence presence;
    qint64 low = 0;
    for (const SnapshotRow &segment : std::as_const(*all)) {
        base::Result<void> done;
        if (segment.lastSeq > base->lastSeq && segment.earliestUs <= atUs)
            done = scanForward(low, segment.lastSeq, atUs, presence);
        else if (segment.lastSeq <= base->lastSeq && segment.latestUs > atUs)
            done = correct(low, segment.lastSeq, base->lastSeq, atUs, presence);
        if (!done)
            return tl::unexpected(done.error());
        low = segment.lastSeq;
    }
    if (auto done = scanForward(low, kEnd, atUs, presence); !done)
        return tl::unexpected(done.error());
    locks = merged(locks, presence.changes);
    unsure = std::move(presence.unsure);
    QSet<qint64> missing = unsure;
    for (const PresentLock &lock : locks) {
        missing.remove(lock.lockId);
        seq = std::max(seq, quint64(lock.seq));
    }
    for (const qint64 lockId : std::as_const(missing))
        locks.push_back({lockId, -1});
    return locks;
}

base::Result<void> PastQueries::scanForward(qint64 low, qint64 high, qint64 atUs, Presence &presence)
{
    SqliteStatement &rows = m_context.connection().statement("presence_scan");
    return m_context.each(rows.bind(low).bind(high), [&] {
        if (rows.integer(2) <= atUs)
            presence.changes.insert(rows.integer(1), rows.integer(4) != 0 ? 0 : rows.integer(0));
        else if (rows.integer(2) - rows.integer(3) <= atUs)
            presence.unsure.insert(rows.integer(1));
    });
}

base::Result<void> PastQueries::correct(qint64 low, qint64 high, qint64 lastSeq, qint64 atUs,
                                        Presence &presence)
{
    SqliteConnection &db = m_context.connection();
    SqliteStatement &rows = db.statement("presence_scan");
    QSet<qint64> later;
    auto scanned = m_context.each(rows.bind(low).bind(high), [&] {
        if (rows.integer(2) <= atUs)
            return;
        later.insert(rows.integer(1));
        if (rows.integer(2) - rows.integer(3) <= atUs)
            presence.unsure.insert(rows.integer(1));
    });
    if (!scanned)
        return scanned;
    for (const qint64 lockId : std::as_const(later)) {
        SqliteStatement &before = db.statement("event_before");
        if (!db.run(before.bind(lockId).bind(lastSeq).bind(atUs)))
            return tl::unexpected(db.error());
        const bool found = before.next() && before.integer(1) == 0;
        presence.changes.insert(lockId, found ? before.integer(0) : 0);
        before.finish();
    }
    return m_context.checkTime();
}

base::Result<void> PastQueries::tell(const PresentLock &lock, bool unsure, qint64 atUs, const Each &each)
{
    std::optional<LockState> after;
    if (lock.seq > 0) {
        auto told = m_context.eventAt(lock.seq, true).and_then([this](std::optional<EventRow> row) {
            return m_context.complete(row ? std::move(*row) : EventRow());
        });
        if (!told)
            return tl::unexpected(told.error());
        after = std::move(told->after);
    }
    LockState state;
    if (after) {
        state = std::move(*after);
    } else if (const auto key = m_context.keyOf(lock.lockId)) {
        state.key = *key;
        state.ownerKnown = false;
    } else {
        return {}; // nothing describes this lock any more
    }
    std::optional<RenewalNote> renewals;
    if (lock.seq >= 0 && (!after || (state.phase == Phase::Held && state.expiry == ExpiryKind::At))) {
        const auto hold = holdOf(lock, atUs);
        if (!hold)
            return tl::unexpected(hold.error());
        if (!after && !*hold)
            return {};
        if (!after)
            state = stateOf(state.key, (*hold)->hold);
        // The latest renewals of an open hold may not be written yet.
        const bool late = *hold && !(*hold)->hold.toUs && atUs > m_context.nowUs() - kNotesLateUs;
        if (*hold && (*hold)->hold.fromUs == state.acquiredUs.value_or(kBegin) && !late)
            renewals = (*hold)->note;
    }
    state = stateAt(std::move(state), renewals, atUs);
    state.mayHaveChanged = unsure || m_partlySeen.contains(state.key.source);
    state.seenUs.reset();
    if (const auto seen = m_seenUs.constFind(state.key.source); seen != m_seenUs.cend())
        state.seenUs = *seen;
    each(state);
    return {};
}

/** The lock's hold after that event. It ends with the next event that ends a hold, if any. */
base::Result<std::optional<HoldRow>> PastQueries::holdOf(const PresentLock &lock, qint64 atUs)
{
    SqliteConnection &db = m_context.connection();
    SqliteStatement &ending = db.statement("event_ending");
    const auto endUs = m_context.connection().firstNumber(ending.bind(lock.lockId).bind(lock.seq));
    if (!endUs)
        return tl::unexpected(endUs.error());
    SqliteStatement &rows = db.statement(*endUs ? "hold_ended" : "hold_open_row");
    if (*endUs)
        rows.bind(**endUs);
    auto row = m_context.first(rows.bind(lock.lockId), [&rows] { return readHold(rows); });
    if (row && *row && ((*row)->hold.fromUs > atUs || ((*row)->hold.toUs && *(*row)->hold.toUs <= atUs)))
        row->reset();
    return row;
}

base::Result<QList<domain::SourceState>> PastQueries::sourcesAt(qint64 atUs, const SeenUntil &seenUntil)
{
    const auto oldestUs = m_context.oldestEventUs();
    if (!oldestUs)
        return tl::unexpected(oldestUs.error());
    QHash<QString, domain::SourceState> states;
    m_seenUs.clear();
    m_partlySeen.clear();
    for (auto it = m_context.sources().cbegin(); it != m_context.sources().cend(); ++it) {
        const auto marks = m_context.marksOf(it.key(), false); // locks in the other parts were still seen
        if (!marks)
            return tl::unexpected(marks.error());
        SourceGaps gaps(it->name, {atUs, atUs + 1});
        if (auto added = addGaps(m_context, it.key(), gaps); !added)
            return tl::unexpected(added.error());
        const qint64 seenUs = std::max(it->lastSeenUs, seenUntil.value(it->name, kBegin));
        const auto observed =
            events::observedIn({kBegin, atUs + 1}, *marks, oldestUs->value_or(kEnd), seenUs);
        domain::SourceState &state = states[it->name];
        state.name = it->name;
        state.findings += unseenParts(gaps.result(std::nullopt));
        if (!state.findings.isEmpty())
            m_partlySeen.insert(it->name);
        for (const events::Interval &interval : observed) {
            const qint64 lastUs = std::min(interval.toUs, atUs);
            if (state.lastSeenUs && *state.lastSeenUs >= lastUs)
                continue;
            state.lastSeenUs = lastUs;
            state.store = it->store;
        }
    }
    for (domain::SourceState &state : states) {
        const bool seen = state.lastSeenUs == atUs;
        state.link = seen ? domain::Link::Up : domain::Link::Down;
        if (seen)
            state.lastSeenWallUs = atUs;
        else
            state.gapSinceUs = state.lastSeenUs;
        if (state.lastSeenUs)
            m_seenUs.insert(state.name, *state.lastSeenUs);
    }
    QList<domain::SourceState> list = states.values();
    std::sort(list.begin(), list.end(), [](const auto &a, const auto &b) { return a.name < b.name; });
    return list;
}

} // namespace lockkeeper::agent::journal
