// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/binlog/change_feed.h"

#include "shared/base/clock.h"
#include "shared/stores/sql/binlog/statement_text.h"

#include <algorithm>
#include <utility>

namespace lockkeeper::stores::sql::binlog {

using base::ErrorCode;
using base::failure;
using base::kSecondUs;
using LogEvent = LogItem::LogEvent;

namespace {
constexpr qsizetype kMostPrepared = 10'000;

base::Error tooLargeError()
{
    return {
        ErrorCode::TooLarge, QStringLiteral("one transaction changed more rows than are kept in memory"), {}};
}

QList<Cell> picked(const QList<Cell> &cells, const QList<int> &columns)
{
    QList<Cell> values;
    values.reserve(columns.size());
    for (const int column : columns)
        values.append(cells.value(column));
    return values;
}

qint64 bytesOf(const QList<Cell> &values)
{
    qint64 bytes = 192; // the row itself and its place in the hash
    for (const Cell &cell : values)
        bytes += qint64(sizeof cell) + 2 * cell.bytes.size();
    return bytes;
}
} // namespace

ChangeFeed::ChangeFeed(QList<WatchedSet> sets, QList<QList<int>> columns, QList<int> shapeOf)
    : m_sets(std::move(sets)), m_columns(std::move(columns)), m_shapeOf(std::move(shapeOf))
{
}

base::Result<Fed> ChangeFeed::take(LogItem item, const LogPlace &before, qint64 receivedUs)
{
    switch (item.kind) {
    case LogEvent::Begin:
        begin(item, before);
        return Fed{};
    case LogEvent::Rows: {
        const auto added = addRows(item);
        return added ? base::Result<Fed>(Fed{}) : tl::unexpected(added.error());
    }
    case LogEvent::Commit:
        return commit(std::exchange(m_pending, {}), item, receivedUs);
    case LogEvent::Rollback:
        close();
        return Fed{};
    case LogEvent::PartUndone: // unlike a replica, the feed doesn't track savepoints
        if (m_pending.rows.isEmpty())
            return Fed{}; // no row to undo, or the transaction's changes are unknown already
        m_pending = {};
        m_pending.unknown =
            base::Error{ErrorCode::Unsupported,
                        QStringLiteral("a transaction that was rolled back to a savepoint was reported"),
                        {}};
        return Fed{};
    case LogEvent::Prepare:
        keepPrepared(plainXid(item.text));
        close();
        return Fed{};
    case LogEvent::Statement:
        return statement(item, receivedUs);
    case LogEvent::TooLarge:
    case LogEvent::Incident: {
        close();
        Fed fed;
        fed.kind = Fed::FeedEvent::Blind;
        fed.why = {ErrorCode::TooLarge, QString::fromUtf8(item.text), {}};
        if (item.kind == LogEvent::Incident)
            fed.why = {ErrorCode::Unknown, QStringLiteral("the server has lost events of its log"), {}};
        return fed;
    }
    case LogEvent::Rotate:
    case LogEvent::Described:
        close();
        return Fed{};
    case LogEvent::Nothing:
        break;
    }
    return Fed{};
}

void ChangeFeed::close()
{
    m_pending = {};
    m_open = m_explicit = false;
    m_commitUs = 0;
}

void ChangeFeed::begin(const LogItem &item, const LogPlace &before)
{
    if (item.numbered)
        close();
    if (!m_open)
        m_from = before;
    if (item.numbered)
        m_commitUs = item.commitUs;
    m_explicit = m_explicit || item.withCommit;
    m_open = true;
}

base::Result<void> ChangeFeed::addRows(const LogItem &item)
{
    for (qsizetype set = 0; set < m_sets.size(); ++set) {
        if (quint64(m_shapeOf.at(set)) != item.table)
            continue;
        for (const RowChange &row : item.rows) {
            if (const auto added = addRow(set, row); !added)
                return added;
        }
    }
    return {};
}

base::Result<void> ChangeFeed::addRow(qsizetype set, const RowChange &row)
{
    const WatchedSet &watched = m_sets.at(set);
    const auto nameOf = [&](const QList<Cell> &values) { return watched.observe(values, 0).name; };
    QList<Cell> after = row.after.isEmpty() ? QList<Cell>() : picked(row.after, m_columns.at(set));
    QList<Cell> before = row.before.isEmpty() ? QList<Cell>() : picked(row.before, m_columns.at(set));
    const auto lacks = [](const Cell &cell) {
        return cell.kind == Cell::CellType::Absent || cell.kind == Cell::CellType::Unread;
    };
    if (std::any_of(after.cbegin(), after.cend(), lacks) ||
        std::any_of(before.cbegin(), before.cend(), lacks))
        return failure(
            ErrorCode::Unsupported,
            QStringLiteral("the binary log has only parts of the rows of \"%1\"").arg(watched.table),
            QStringLiteral("Run: SET GLOBAL binlog_row_image = FULL;"));
    if (watched.isLock && !after.isEmpty() && !watched.isLock(after))
        after.clear();
    if (watched.isLock && !before.isEmpty() && !watched.isLock(before))
        before.clear();
    const QByteArray oldName = before.isEmpty() ? QByteArray() : nameOf(before);
    const QByteArray newName = after.isEmpty() ? QByteArray() : nameOf(after);
    if (!before.isEmpty() && (after.isEmpty() || oldName != newName))
        add(set, oldName, {});
    if (!after.isEmpty())
        add(set, newName, std::move(after));
    return {};
}

void ChangeFeed::add(qsizetype set, const QByteArray &name, QList<Cell> values)
{
    if (m_pending.unknown || !m_sets.at(set).takes(name))
        return;
    m_pending.bytes += bytesOf(values);
    if (m_pending.bytes > kMostBytes) {
        m_pending = {};
        m_pending.unknown = tooLargeError();
        return;
    }
    const Subject subject{m_sets.at(set).set, name};
    if (const auto it = m_pending.last.constFind(subject); it != m_pending.last.constEnd())
        m_pending.rows[*it] = {-1, {}, {}};
    m_pending.last.insert(subject, m_pending.rows.size());
    m_pending.rows.append({set, name, std::move(values)});
}

/** A prepared transaction that isn't kept is unknown at its commit, which then ends as Blind. */
void ChangeFeed::keepPrepared(const QByteArray &xid)
{
    // An older transaction of this name must have ended, or the server would have refused this one.
    m_preparedBytes -= m_prepared.take(xid).bytes;
    if (m_preparedBytes + m_pending.bytes > kMostBytes || m_prepared.size() >= kMostPrepared)
        return;
    m_preparedBytes += m_pending.bytes;
    m_prepared.insert(xid, std::exchange(m_pending, {}));
}

Fed ChangeFeed::commit(PendingRows pending, const LogItem &item, qint64 receivedUs)
{
    Fed fed;
    fed.kind = pending.unknown ? Fed::FeedEvent::Blind : Fed::FeedEvent::Changes;
    fed.from = m_from;
    if (pending.unknown)
        fed.why = *pending.unknown;
    qint64 highUs = receivedUs;
    qint64 lowUs = std::max(qint64(item.seconds) * kSecondUs, m_latestLowUs);
    if (m_commitUs != 0)
        lowUs = highUs = m_commitUs;
    else if (lowUs > highUs)
        lowUs = std::min(m_latestLowUs, highUs); // the session has set its own time
    m_latestLowUs = std::max(m_latestLowUs, lowUs);
    // Judge "held" in the second in which the statement began, however late the event is read.
    const qint64 nowUs = std::min(highUs, lowUs + kSecondUs - 1);
    pending.last.clear();
    for (ChangedRow &row : pending.rows) {
        if (row.set < 0)
            continue;
        const WatchedSet &set = m_sets.at(row.set);
        Change change;
        change.lock.set = set.set;
        change.lock.present = false;
        if (row.values.isEmpty())
            change.lock.name = row.name;
        else
            change.lock = set.observe(row.values, nowUs);
        row = {};
        change.timeUs = highUs;
        change.windowUs = highUs - lowUs;
        fed.changes.append(std::move(change));
    }
    close();
    return fed;
}

Fed ChangeFeed::statement(const LogItem &item, qint64 receivedUs)
{
    const StatementText text(item.text);
    if (text.endsPrepared())
        return endPrepared(item, receivedUs);
    Fed fed;
    fed.from = m_from;
    bool ours = false;
    bool near = false;
    for (const WatchedSet &set : std::as_const(m_sets)) {
        const QByteArray database = set.database.toUtf8();
        const bool here = item.database.compare(database, Qt::CaseInsensitive) == 0;
        // From another database, a statement must name the table's database. A doubled quote would hide that
        // name.
        const bool reached = here || text.mentions(database) || database.contains('`');
        ours = ours || (reached && text.mentions(set.table.toUtf8())) || text.dropsDatabase(database);
        near = near || here;
    }
    if (text.changesRows() && (ours || near)) {
        fed.kind = Fed::FeedEvent::NotByRow;
        fed.why = {
            ErrorCode::Unsupported,
            QStringLiteral("a client writes statements instead of rows to the binary log"),
            QStringLiteral("Run: SET GLOBAL binlog_format = ROW; and let the applications connect again.")};
    } else if (ours && !text.isHarmless()) {
        fed.kind = Fed::FeedEvent::Altered;
        fed.alsoBlind = text.mayChangeRows();
        fed.why = {
            ErrorCode::SchemaMismatch, QStringLiteral("a watched table was changed by a DDL statement"), {}};
    } else if (!m_explicit) {
        fed.kind = Fed::FeedEvent::Changes; // none, but a position to resume from
    }
    if (!m_explicit)
        close();
    return fed;
}

Fed ChangeFeed::endPrepared(const LogItem &item, qint64 receivedUs)
{
    const StatementText text(item.text);
    const auto it = m_prepared.find(text.preparedXid());
    const bool known = it != m_prepared.end();
    PendingRows pending;
    if (known) {
        pending = std::move(*it);
        m_prepared.erase(it);
        m_preparedBytes -= pending.bytes;
    }
    if (!text.commitsPrepared())
        pending = {};
    Fed fed = commit(std::move(pending), item, receivedUs);
    if (!known && text.commitsPrepared()) {
        fed.kind = Fed::FeedEvent::Blind;
        fed.why = {
            ErrorCode::Unsupported,
            QStringLiteral("a transaction was committed that had been prepared before the log was read"),
            {}};
    }
    return fed;
}

} // namespace lockkeeper::stores::sql::binlog
