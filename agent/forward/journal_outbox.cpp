// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/forward/journal_outbox.h"

#include <QLoggingCategory>
#include <QSet>

#include <algorithm>
#include <limits>

namespace lockkeeper::agent::forward {

Q_LOGGING_CATEGORY(lcJournalOutbox, "lockkeeper.forward")

using journal::OutboxLimits;
using journal::OutboxQueries;

namespace {

/** Locks in the batch of a hole. Each lock began with an event, so a hole of as many numbers covers at most
 * as many new locks. */
constexpr int kLocksOfHole = 20'000;
constexpr int kMostRecords = 1'000;

class BatchReader
{
public:
    BatchReader(journal::Queries &queries, const OutboxPosition &position, const OutboxLimits &limits)
        : m_outbox(queries.outbox), m_audit(queries.audit), m_position(position), m_limits(limits)
    {
    }

    base::Result<OutboxReading> read()
    {
        const hub::Watermark &after = m_position.watermark;
        m_batch.fromSeq = after.lastSeq + 1;
        m_batch.toSeq = after.lastSeq;
        const auto newest = m_outbox.newestSeq();
        if (!newest)
            return tl::unexpected(newest.error());
        m_reading.newestSeq = *newest;
        if (after.lastSeq > *newest) {
            m_reading.isForeign = true;
            return m_reading;
        }
        return readEvents().map([this] {
            readSources();
            readAudit();
            return std::move(m_reading);
        });
    }

private:
    base::Result<void> readEvents()
    {
        if (m_batch.fromSeq > m_reading.newestSeq)
            return {};
        const auto first = m_outbox.firstSeq();
        if (!first)
            return tl::unexpected(first.error());
        if (const qint64 firstLeft = first->value_or(m_reading.newestSeq + 1); firstLeft > m_batch.fromSeq)
            return readDeleted(firstLeft);
        auto run = m_outbox.eventsAfter(m_position.watermark.lastSeq, m_reading.newestSeq, m_limits);
        if (!run)
            return tl::unexpected(run.error());
        m_batch.toSeq = run->toSeq;
        m_batch.events = std::move(run->events);
        if (!m_batch.events.isEmpty())
            m_reading.lastSeenUs = m_batch.events.constLast().event.observedUs;
        addUnreadable();
        return readLocks().and_then([this] { return readEnded(); });
    }

    /** A hole up to the first event that is left, or a part of it, with the locks that began in it. */
    base::Result<void> readDeleted(qint64 firstLeft)
    {
        const auto last = m_outbox.lastLock();
        if (!last)
            return tl::unexpected(last.error());
        auto locks = m_outbox.locksBetween(m_position.watermark.lastLock, *last, kLocksOfHole);
        if (!locks)
            return tl::unexpected(locks.error());
        m_batch.toSeq = firstLeft - 1;
        if (locks->size() == kLocksOfHole)
            m_batch.toSeq = std::min(m_batch.toSeq, m_batch.fromSeq + kLocksOfHole - 1);
        m_batch.locks = std::move(*locks);
        const qint64 afterUs = m_outbox.timeOf(firstLeft);
        m_batch.holes.append({m_batch.fromSeq, m_batch.toSeq, hub::HubHole::Deleted,
                              m_outbox.timeOf(m_batch.fromSeq - 1),
                              afterUs == 0 ? m_outbox.nowUs() : afterUs});
        return {};
    }

    /** Adds a hole for each run of numbers without an event. */
    void addUnreadable()
    {
        qint64 next = m_batch.fromSeq;
        qint64 lastUs = m_outbox.timeOf(m_batch.fromSeq - 1);
        const auto addUpTo = [&](qint64 seq, qint64 us) {
            if (seq > next)
                m_batch.holes.append({next, seq - 1, hub::HubHole::Unreadable, lastUs, us});
        };
        for (const journal::EventRow &row : std::as_const(m_batch.events)) {
            addUpTo(qint64(row.event.seq), row.event.timeUs);
            next = qint64(row.event.seq) + 1;
            lastUs = row.event.timeUs;
        }
        const qint64 afterUs = next > m_batch.toSeq ? 0 : m_outbox.timeOf(m_batch.toSeq + 1);
        addUpTo(m_batch.toSeq + 1, afterUs == 0 ? m_outbox.nowUs() : afterUs);
    }

    base::Result<void> readLocks()
    {
        const qint64 known = m_position.watermark.lastLock;
        qint64 last = known;
        for (const journal::EventRow &row : std::as_const(m_batch.events))
            last = std::max(last, row.lockId.value_or(0));
        if (last == known)
            return {};
        auto locks = m_outbox.locksBetween(known, last, std::numeric_limits<int>::max());
        if (!locks)
            return tl::unexpected(locks.error());
        m_batch.locks = std::move(*locks);
        addUnreadableLocks(known);
        return {};
    }

    /** Adds a row without a name for each new lock that the events name, but that can't be read. */
    void addUnreadableLocks(qint64 known)
    {
        QSet<qint64> present;
        for (const journal::StoredLockRow &lock : std::as_const(m_batch.locks))
            present.insert(lock.lockId);
        const qsizetype readable = m_batch.locks.size();
        for (const journal::EventRow &row : std::as_const(m_batch.events)) {
            if (row.lockId && *row.lockId > known && !present.contains(*row.lockId)) {
                present.insert(*row.lockId);
                m_batch.locks.append({*row.lockId, row.sourceId, {}});
            }
        }
        if (m_batch.locks.size() == readable)
            return;
        std::sort(m_batch.locks.begin(), m_batch.locks.end(),
                  [](const auto &left, const auto &right) { return left.lockId < right.lockId; });
    }

    base::Result<void> readEnded()
    {
        const journal::SeqRange range{m_batch.fromSeq - 1, m_batch.toSeq};
        auto holds = m_outbox.holdsEndedIn(range);
        if (!holds)
            return tl::unexpected(holds.error());
        m_batch.holds = std::move(*holds);
        return m_outbox.waitsEndedIn(range).map([this](const QList<journal::EndedWait> &waits) {
            for (const journal::EndedWait &ended : waits)
                m_batch.waits.append({ended.wait.waitId, ended.lockId, ended.waiter, ended.wait.fromUs,
                                      ended.wait.toUs.value_or(0)});
        });
    }

    void readSources()
    {
        QSet<qint64> named;
        for (const journal::EventRow &row : std::as_const(m_batch.events))
            named.insert(row.sourceId);
        for (const journal::StoredLockRow &lock : std::as_const(m_batch.locks))
            named.insert(lock.sourceId);
        for (const qint64 id : std::as_const(named)) {
            const auto source = m_outbox.sources().value(id);
            m_batch.sources.append({id, source.name.toUtf8(), source.store});
        }
        std::sort(m_batch.sources.begin(), m_batch.sources.end(),
                  [](const auto &left, const auto &right) { return left.sourceId < right.sourceId; });
    }

    /** An audit that can't be read must not hold up the events. */
    void readAudit()
    {
        const qint64 known = m_position.watermark.lastRecord;
        auto records = m_audit.recordsAfter(known, kMostRecords);
        if (records)
            m_batch.records = std::move(*records);
        const qint64 last = m_batch.records.isEmpty() ? known : m_batch.records.constLast().record;
        auto signatures = m_audit.signaturesOf(std::max(known, m_position.signedRecords + 1), last);
        if (signatures)
            m_batch.signatures = std::move(*signatures);
        const auto whole = m_audit.end();
        if (records && signatures && whole)
            return;
        const base::Error &error = !records      ? records.error()
                                   : !signatures ? signatures.error()
                                                 : whole.error();
        qCWarning(lcJournalOutbox).noquote() << "the audit can't be read for forwarding:" << error.line();
    }

    OutboxQueries &m_outbox;
    journal::AuditQueries &m_audit;
    const OutboxPosition m_position;
    const OutboxLimits m_limits;
    OutboxReading m_reading;
    hub::HubBatch &m_batch = m_reading.batch;
};

} // namespace

base::Result<OutboxReading> readOutbox(journal::Queries &queries, const OutboxPosition &position,
                                       const OutboxLimits &limits)
{
    return queries.context.connection().inSnapshot(
        [&] { return BatchReader(queries, position, limits).read(); });
}

} // namespace lockkeeper::agent::forward
