// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/hub/hub_writer.h"

#include "agent/hub/batch_days.h"
#include "agent/hub/hub_rows.h"
#include "agent/hub/hub_schema.h"
#include "agent/hub/utc_day.h"

#include <QLoggingCategory>

#include <algorithm>
#include <chrono>

Q_LOGGING_CATEGORY(lcHub, "lockkeeper.hub")

namespace lockkeeper::agent::hub {

using base::ErrorCode;
using namespace std::chrono_literals;

namespace {

constexpr auto kMaintenanceEvery = 60s;
/** The time of a hole, clamped to 1970 … 9999; NULL for 0. */
PgValue timeValue(qint64 us)
{
    return us == 0 ? PgValue::null()
                   : PgValue::number(std::clamp<qint64>(us, 0, (kLastDay + 1) * kUsPerDay - 1));
}

template <typename Row, typename Add>
base::Result<void> copyAll(PgConnection &connection, const char *sql, const QList<Row> &list, const Add &add)
{
    if (list.isEmpty())
        return {};
    CopyRows rows;
    for (const Row &row : list)
        add(rows, row);
    return rows.isEmpty() ? base::Result<void>() : connection.copy(sql, rows.finished());
}

base::Result<void> withoutRows(const base::Result<PgRows> &rows)
{
    return rows ? base::Result<void>() : tl::unexpected(rows.error());
}

} // namespace

HubWriter::HubWriter(HubTarget target) : m_target(std::move(target)), m_connection(m_interrupt) {}

base::Result<Watermark> HubWriter::open(const ForwardingAgent &agent)
{
    m_agent = agent;
    m_journal = 0;
    m_owners.clear();
    m_days.clear();
    m_sources.clear();
    if (!m_connection.isOpen()) {
        if (const auto opened = m_connection.open(m_target); !opened)
            return tl::unexpected(opened.error());
    }
    auto watermark = openJournal();
    if (watermark)
        return watermark;
    m_connection.rollBack();
    return watermark;
}

base::Result<Watermark> HubWriter::openJournal()
{
    if (const auto begun = m_connection.begin(); !begun)
        return tl::unexpected(begun.error());
    if (const auto fits = checkVersion(); !fits)
        return tl::unexpected(fits.error());
    const auto row = m_connection.run(
        "SELECT journal, last_seq, last_lock, last_record FROM lockkeeper.open_journal($1, $2, $3)",
        {PgValue::text(m_agent.name), PgValue::bytes(m_agent.journalId), PgValue::number(m_agent.epoch)});
    if (!row)
        return tl::unexpected(row.error());
    if (const auto committed = m_connection.commit(); !committed)
        return tl::unexpected(committed.error());
    m_journal = qint32(row->number(0, 0));
    return Watermark{row->number(0, 1), row->number(0, 2), row->number(0, 3)};
}

base::Result<void> HubWriter::checkVersion()
{
    const auto rows = m_connection.run("SELECT key, value FROM lockkeeper.meta");
    if (!rows)
        return tl::unexpected(rows.error());
    HubVersion version;
    for (int i = 0; i < rows->size(); ++i) {
        if (rows->text(i, 0) == "version")
            version.newest = int(rows->number(i, 1));
        else if (rows->text(i, 0) == "oldest_writer")
            version.oldestWriter = int(rows->number(i, 1));
    }
    return checkHubVersion(version);
}

base::Result<Watermark> HubWriter::write(const HubBatch &batch)
{
    if (m_journal == 0 || !m_connection.isOpen())
        return base::failure(ErrorCode::ConnectionLost, QStringLiteral("the hub isn't open"));
    auto written = prepareDays(batch).and_then([&] { return writeOpen(batch); });
    if (!written) {
        m_connection.rollBack();
        m_owners.clear(); // some of them were never committed
        m_journal = 0;
    }
    return written;
}

base::Result<void> HubWriter::prepareDays(const HubBatch &batch)
{
    if (m_maintenance.hasExpired()) {
        m_maintenance.setRemainingTime(kMaintenanceEvery);
        m_days.clear(); // retention may have dropped some
        if (const auto done = maintain({}); !done)
            return done;
    }
    QSet<qint64> days = daysOf(batch);
    days.subtract(m_days);
    return days.isEmpty() ? base::Result<void>() : maintain(days);
}

base::Result<void> HubWriter::maintain(const QSet<qint64> &days)
{
    if (const auto begun = m_connection.begin(); !begun)
        return begun;
    const auto done = m_connection.run("SELECT lockkeeper.maintain($1::date[])", {{dateArray(days), false}});
    const auto committed = done ? m_connection.commit() : tl::unexpected(done.error());
    if (!committed) {
        m_connection.rollBack();
        if (!m_connection.isOpen())
            return committed;
        qCWarning(lcHub).noquote() << "the hub's partitions and sums wait:" << committed.error().line();
    }
    m_days.unite(days);
    return {};
}

base::Result<Watermark> HubWriter::writeOpen(const HubBatch &batch)
{
    if (const auto begun = m_connection.begin(); !begun)
        return tl::unexpected(begun.error());
    const auto gate = beginBatch(batch);
    if (!gate)
        return tl::unexpected(gate.error());
    Watermark after = gate->watermark;
    if (!gate->isVoid) {
        if (const auto copied = copyRows(batch, gate->watermark); !copied)
            return tl::unexpected(copied.error());
        if (const auto added = addRareRows(batch, *gate); !added)
            return tl::unexpected(added.error());
        if (!batch.locks.isEmpty())
            after.lastLock = std::max(after.lastLock, batch.locks.constLast().lockId);
        if (!batch.records.isEmpty())
            after.lastRecord = std::max(after.lastRecord, batch.records.constLast().record);
        after.lastSeq = batch.toSeq;
        const auto ended = m_connection.run("SELECT lockkeeper.end_batch($1, $2)",
                                            {PgValue::number(m_journal), PgValue::number(after.lastLock)});
        if (!ended)
            return tl::unexpected(ended.error());
    }
    if (const auto committed = m_connection.commit(); !committed)
        return tl::unexpected(committed.error());
    for (const HubSource &source : batch.sources)
        m_sources.insert(source.sourceId);
    return after;
}

base::Result<HubWriter::BatchGate> HubWriter::beginBatch(const HubBatch &batch)
{
    const auto row = m_connection.run("SELECT void, last_seq, last_lock, last_record, last_hash FROM "
                                      "lockkeeper.begin_batch($1, $2, $3, $4)",
                                      {PgValue::number(m_journal), PgValue::number(m_agent.epoch),
                                       PgValue::number(batch.fromSeq), PgValue::number(batch.toSeq)});
    if (!row)
        return tl::unexpected(row.error());
    return BatchGate{
        row->isTrue(0, 0), {row->number(0, 1), row->number(0, 2), row->number(0, 3)}, row->bytes(0, 4)};
}

base::Result<void> HubWriter::copyRows(const HubBatch &batch, const Watermark &before)
{
    const auto locks = [&](CopyRows &rows, const journal::StoredLockRow &lock) {
        if (lock.lockId > before.lastLock)
            addLock(rows, m_journal, lock);
    };
    const auto events = [&](CopyRows &rows, const journal::EventRow &row) {
        addEvent(rows, m_journal, row, m_owners);
    };
    const auto holds = [&](CopyRows &rows, const journal::HoldRow &row) {
        addHold(rows, m_journal, row, m_owners);
    };
    const auto waits = [&](CopyRows &rows, const HubWait &wait) { addWait(rows, m_journal, wait); };
    return copyAll(m_connection, kCopyLocks, batch.locks, locks)
        .and_then([&] { return copyAll(m_connection, kCopyEvents, batch.events, events); })
        .and_then([&] { return copyAll(m_connection, kCopyHolds, batch.holds, holds); })
        .and_then([&] { return copyAll(m_connection, kCopyWaits, batch.waits, waits); });
}

base::Result<void> HubWriter::addRareRows(const HubBatch &batch, const BatchGate &gate)
{
    const PgValue journal = PgValue::number(m_journal);
    base::Result<void> added;
    for (const HubSource &source : batch.sources) {
        if (added && !m_sources.contains(source.sourceId))
            added =
                withoutRows(m_connection.run("SELECT lockkeeper.add_source($1, $2, $3, $4)",
                                             {journal, PgValue::number(source.sourceId),
                                              PgValue::bytes(source.name), PgValue::bytes(source.store)}));
    }
    for (const HubHole &hole : batch.holes) {
        if (added)
            added = withoutRows(m_connection.run(
                "SELECT lockkeeper.add_hole($1, $2, $3, $4, timestamptz 'epoch' + $5 * interval "
                "'1 microsecond', timestamptz 'epoch' + $6 * interval '1 microsecond')",
                {journal, PgValue::number(hole.from), PgValue::number(hole.to), PgValue::number(hole.reason),
                 timeValue(hole.fromUs), timeValue(hole.toUs)}));
    }
    QByteArray lastHash = gate.lastHash;
    for (const journal::AuditRecord &record : batch.records) {
        if (!added)
            break;
        if (record.record <= gate.watermark.lastRecord)
            continue;
        added = addRecord(record, record.previous == lastHash);
        lastHash = record.hash;
    }
    for (const domain::AuditSignature &signature : batch.signatures) {
        if (added)
            added = withoutRows(
                m_connection.run("SELECT lockkeeper.add_signature($1, $2, $3, $4, $5, $6)",
                                 {journal, PgValue::number(signature.records),
                                  PgValue::number(signature.timeUs), PgValue::bytes(signature.keyId),
                                  PgValue::bytes(signature.hash), PgValue::bytes(signature.signature)}));
    }
    return added;
}

base::Result<void> HubWriter::addRecord(const journal::AuditRecord &record, bool follows)
{
    const domain::AuditEntry &entry = record.entry;
    const bool intact = follows && record.isIntact();
    const auto stored = m_connection.run("SELECT lockkeeper.add_record($1, $2, $3, $4, $5, $6, $7, $8, $9, "
                                         "$10, $11, $12, $13, $14, $15, $16, $17, "
                                         "$18, $19, $20, $21, $22)",
                                         {PgValue::number(m_journal),
                                          PgValue::number(record.record),
                                          PgValue::number(entry.id),
                                          PgValue::number(entry.timeUs),
                                          PgValue::number(record.kind),
                                          PgValue::number(qint64(entry.because)),
                                          PgValue::number(qint64(entry.outcome)),
                                          {intact ? "t" : "f", false},
                                          PgValue::bytes(entry.who.toUtf8()),
                                          PgValue::bytes(entry.role.toUtf8()),
                                          PgValue::bytes(entry.key.source.toUtf8()),
                                          PgValue::bytes(entry.key.scheme),
                                          PgValue::bytes(entry.key.place),
                                          PgValue::bytes(entry.key.name),
                                          PgValue::bytes(entry.holder),
                                          PgValue::bytes(entry.reason.toUtf8()),
                                          PgValue::bytes(entry.guard),
                                          PgValue::bytes(entry.detail.toUtf8()),
                                          PgValue::bytes(entry.command),
                                          PgValue::bytes(entry.approver.toUtf8()),
                                          PgValue::bytes(record.previous),
                                          PgValue::bytes(record.hash)});
    if (!stored)
        return tl::unexpected(stored.error());
    if (!stored->isTrue(0, 0))
        qCWarning(lcHub) << "record" << record.record
                         << "of the audit doesn't verify; the hub has stored it with a flag";
    return {};
}

} // namespace lockkeeper::agent::hub
