// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/journal/query/evidence_reader.h"

#include "agent/journal/query/event_queries.h"

#include <algorithm>
#include <limits>

namespace lockkeeper::agent::journal {

namespace {

using advice::EvidenceEnd;
using advice::EvidenceHold;

constexpr std::chrono::milliseconds kReadingTime(3'000); ///< of the 5 s that a question has

EvidenceEnd evidenceEnd(QByteArrayView name)
{
    return name.isEmpty()                           ? EvidenceEnd::Open
           : name == holdEndName(HoldEnd::Released) ? EvidenceEnd::Released
           : name == holdEndName(HoldEnd::Expired)  ? EvidenceEnd::Expired
                                                    : EvidenceEnd::Other;
}

/** A hold that ended after the range was still held at its end. */
EvidenceHold evidenceOf(const HoldRow &row, Interval range)
{
    EvidenceHold hold;
    const bool ended = row.hold.toUs && *row.hold.toUs <= range.toUs;
    hold.fromUs = row.hold.fromUs;
    hold.fromWindowUs = row.hold.fromWindowUs;
    hold.startSeen = row.hold.startSeen;
    hold.toUs = ended ? row.hold.toUs : std::nullopt;
    hold.toWindowUs = ended ? row.hold.toWindowUs : 0;
    hold.end = ended ? evidenceEnd(row.hold.end) : EvidenceEnd::Open;
    hold.renewals = row.note.renewals;
    hold.renewedUs = row.note.renewedUs;
    return hold;
}

} // namespace

EvidenceReader::EvidenceReader(QueryContext &context, const QueryContext::LockIds &wanted, QString source,
                               Interval range)
    : m_context(context), m_all(!wanted), m_source(std::move(source)), m_range(range), m_firstUs(range.toUs)
{
    if (wanted)
        m_wanted = QSet<qint64>(wanted->cbegin(), wanted->cend());
    if (wanted && wanted->size() <= kSeekedLocks)
        m_few = *wanted;
}

bool EvidenceReader::isFull() const
{
    return m_holds >= kMostHolds || m_context.elapsed() >= kReadingTime;
}

base::Result<void> EvidenceReader::read()
{
    if (!m_all && m_wanted.isEmpty())
        return {};
    return readEnded().and_then([this] { return readOpen(); }).and_then([this] { return readWaits(); });
}

/** The newest first, so that a bound cuts off the oldest. Numbers of holds follow the time. */
base::Result<void> EvidenceReader::readEnded()
{
    const auto last = m_context.connection().firstNumber(m_context.connection().statement("hold_last_id"));
    if (!last)
        return tl::unexpected(last.error());
    constexpr qint64 kAroundUs = 3'600'000'000; // a hold may be dated a little before its event
    const auto parts = EventQueries(m_context).partsOf({0, last->value_or(0)}, m_range.fromUs - kAroundUs,
                                                       m_range.toUs + kAroundUs);
    if (!parts)
        return tl::unexpected(parts.error());
    QString sql = statementText("hold_slice_begun");
    if (!m_few.isEmpty())
        sql.replace(QLatin1String("FROM holds LEFT"),
                    QStringLiteral("FROM holds INDEXED BY holds_by_lock LEFT"))
            .replace(QLatin1String("WHERE"),
                     QStringLiteral("WHERE holds.lock_id IN (%1) AND").arg(sqlList(m_few)));
    const auto rows = m_context.connection().prepare(sql);
    for (auto part = parts->crbegin(); part != parts->crend(); ++part) {
        for (qint64 high = part->high; high > part->low; high -= kSlice) {
            if (isFull()) {
                m_isCut = true;
                return {};
            }
            auto done = m_context.checkTime().and_then(
                [&] { return visit(rows->bind(std::max(part->low, high - kSlice)).bind(high)); });
            if (!done)
                return done;
        }
    }
    return {};
}

/** Holds that began before the range have numbers outside its slices. */
base::Result<void> EvidenceReader::readOpen()
{
    return visit(m_context.connection().statement("hold_open_rows"));
}

base::Result<void> EvidenceReader::visit(SqliteStatement &rows)
{
    if (!m_context.connection().run(rows))
        return tl::unexpected(m_context.connection().error());
    base::Result<void> done;
    for (int looked = 1; done && rows.next(); ++looked) {
        if (looked % kRowsBetweenLooks == 0)
            done = m_context.checkTime();
        const qint64 lockId = rows.integer(1);
        if (!done || (!m_all && !m_wanted.contains(lockId)) || m_others.contains(lockId))
            continue;
        if (isFull()) {
            m_isCut = true;
            break;
        }
        const auto row = readHold(rows);
        if (!row) {
            done = tl::unexpected(row.error());
            continue;
        }
        if (row->hold.fromUs > m_range.toUs || row->hold.toUs.value_or(m_range.toUs) < m_range.fromUs)
            continue;
        if (!row->hold.toUs) {
            if (m_open.contains(row->holdId))
                continue;
            m_open.insert(row->holdId);
        }
        const auto lock = lockOf(lockId);
        if (!lock || !*lock) {
            done = lock ? base::Result<void>() : tl::unexpected(lock.error());
            continue;
        }
        EvidenceHold hold = evidenceOf(*row, m_range);
        if (row->hold.ownerKnown)
            hold.owner = *m_texts.insert(row->hold.owner);
        done = addBeginning(rows, **lock, hold);
        m_firstUs = std::min(m_firstUs, std::max(hold.fromUs, m_range.fromUs));
        (*lock)->evidence.holds.append(std::move(hold));
        ++m_holds;
    }
    rows.finish();
    return done;
}

/** Null if the lock isn't part of the question. */
base::Result<EvidenceReader::LockInReading *> EvidenceReader::lockOf(qint64 lockId)
{
    if (const auto known = m_locks.find(lockId); known != m_locks.end())
        return &*known;
    const auto key = m_context.keyOf(lockId);
    if (!key)
        return tl::unexpected(key.error());
    const bool isWanted = m_source.isEmpty() || key->source == m_source;
    if (!isWanted || m_locks.size() >= kMostLocks) {
        m_isCut = m_isCut || isWanted;
        m_others.insert(lockId);
        return nullptr;
    }
    LockInReading lock;
    lock.evidence.key = *key;
    return &*m_locks.insert(lockId, lock);
}

/** Adds the facts of the event that began the hold, unless retention has deleted it. */
base::Result<void> EvidenceReader::addBeginning(SqliteStatement &rows, LockInReading &lock,
                                                EvidenceHold &hold)
{
    if (rows.isNull(kHoldColumns))
        return {};
    const bool isSession = domain::isConnectionScheme(lock.evidence.key.scheme);
    const bool withState = isSession || lock.decoded < kDecodedStates;
    auto begun = readEvent(rows, withState, kHoldColumns);
    if (!begun)
        return tl::unexpected(begun.error());
    hold.ttlUs = begun->event.ttlMs.value_or(0) * 1000;
    const bool mayStay = hold.ttlUs == 0 && !begun->event.expiresUs && hold.renewals == 0;
    if (mayStay && !withState) {
        begun = readEvent(rows, true, kHoldColumns);
        if (!begun)
            return tl::unexpected(begun.error());
    }
    if (!begun->event.after)
        return {};
    const domain::LockState &state = *begun->event.after;
    ++lock.decoded;
    hold.hasNoExpiry = mayStay && state.expiry == domain::ExpiryKind::None && state.isHeld();
    lock.evidence.waitersVisible = lock.evidence.waitersVisible || state.waitersVisible;
    lock.evidence.isShared = lock.evidence.isShared || state.mode == "read" ||
                             state.release.why == domain::ReleaseOff::SeveralHolders ||
                             lock.evidence.key.scheme.endsWith(".semaphore");
    if (isSession && state.session)
        hold.statement = *m_texts.insert(state.session->statement);
    return {};
}

void EvidenceReader::addWait(const SqliteStatement &row)
{
    const auto lock = m_locks.find(row.integer(1));
    if (lock == m_locks.end())
        return;
    if (m_waits >= kMostWaits) {
        m_isCut = true;
        return;
    }
    ++m_waits;
    const qint64 fromUs = row.integer(2);
    std::optional<qint64> toUs = row.optionalInteger(3);
    if (toUs && *toUs > m_range.toUs)
        toUs.reset();
    if (!toUs || *toUs >= m_firstUs)
        lock->evidence.waits.append({fromUs, toUs});
}

base::Result<void> EvidenceReader::readWaits()
{
    constexpr qint64 kNoEnd = std::numeric_limits<qint64>::max();
    SqliteStatement &ended = m_context.connection().statement("span_waits_ended");
    auto done =
        m_context.each(ended.bind(m_firstUs).bind(kNoEnd).bind(m_range.toUs + 1), [&] { addWait(ended); });
    if (!done)
        return done;
    SqliteStatement &open = m_context.connection().statement("span_waits_open");
    return m_context.each(open.bind(m_range.toUs + 1), [&] { addWait(open); });
}

QList<advice::LockEvidence> EvidenceReader::takeLocks()
{
    QList<advice::LockEvidence> locks;
    for (LockInReading &lock : m_locks) {
        const auto begins = [](const auto &a, const auto &b) { return a.fromUs < b.fromUs; };
        std::stable_sort(lock.evidence.holds.begin(), lock.evidence.holds.end(), begins);
        std::stable_sort(lock.evidence.waits.begin(), lock.evidence.waits.end(), begins);
        lock.evidence.waitersVisible = lock.evidence.waitersVisible || !lock.evidence.waits.isEmpty();
        locks.append(std::move(lock.evidence));
    }
    m_locks.clear();
    std::sort(locks.begin(), locks.end(), [](const auto &a, const auto &b) { return a.key < b.key; });
    return locks;
}

} // namespace lockkeeper::agent::journal
