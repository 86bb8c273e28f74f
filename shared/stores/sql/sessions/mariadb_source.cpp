// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/sessions/mariadb_source.h"

#include "shared/stores/sql/sessions/innodb_status.h"

#include <algorithm>

namespace lockkeeper::stores::sql {

using base::ErrorCode;

namespace {
constexpr qint64 kCacheMs = 120; ///< 0.1 s, plus a margin for the way

QByteArray sessionOf(const QByteArray &connection, const QByteArray &transaction)
{
    return connection.isEmpty() || connection == "0" ? "trx:" + transaction : connection;
}

/** The name of a record in the status text; empty where the text doesn't show it. */
QByteArray recordName(const StatusLock &lock, const IndexShape &index)
{
    const qsizetype columns = index.unique ? index.columns : index.parts.size();
    if (lock.supremum || columns <= 0 || lock.fields.size() < columns || index.parts.size() < columns)
        return {};
    if (lock.cutAt >= 0 && lock.cutAt < columns)
        return {}; // the beginning of a key isn't its name
    QByteArrayList parts;
    for (qsizetype i = 0; i < columns; ++i)
        parts.append(fieldText(lock.fields.at(i), KeyPart(index.parts.at(i))));
    return parts.join('/');
}

/** The primary key that an index's record has at its end, as the status text shows it. */
QList<QByteArray> rowKey(const StatusLock &lock, const IndexShape &index)
{
    return lock.fields.size() > index.columns ? lock.fields.sliced(index.columns) : QList<QByteArray>();
}

bool isPrimary(const QByteArray &index)
{
    return index == "PRIMARY" || index == "GEN_CLUST_INDEX";
}
} // namespace

base::Result<SessionRights> MariaDbSource::check(const SessionWants &wants)
{
    auto rights = MySqlFamilySource::check(wants); // this reads INNODB_TRX
    m_sinceTouched.start();
    return rights;
}

/** Sleeps in the server until it can refill the cache: after 0.1 s without a reader, including this one. */
base::Result<void> MariaDbSource::letTheCacheAge()
{
    const qint64 missingMs = m_sinceTouched.isValid() ? kCacheMs - m_sinceTouched.elapsed() : 0;
    if (missingMs <= 0)
        return {};
    const auto waited =
        m_connection.query(QStringLiteral("DO SLEEP(%1)").arg(double(missingMs) / 1000.0, 0, 'f', 3));
    return waited ? base::Result<void>() : tl::unexpected(waited.error());
}

base::Result<bool> MariaDbSource::readTransactions(Picture &picture)
{
    if (const auto aged = letTheCacheAge(); !aged)
        return tl::unexpected(aged.error());
    m_connections.clear();
    m_requested.clear();
    // A transaction puts this connection into the table, with the statement that the connection runs.
    if (const auto begun = m_connection.query(QStringLiteral("START TRANSACTION WITH CONSISTENT SNAPSHOT"));
        !begun)
        return tl::unexpected(begun.error());
    const QString marker = QStringLiteral("/* lockkeeper reading %1 */").arg(++m_reading);
    auto rows = m_connection.query(
        QStringLiteral("SELECT %1 %2, trx_requested_lock_id, IF(trx_mysql_thread_id = CONNECTION_ID(), "
                       "trx_query, NULL), trx_tables_locked FROM information_schema.INNODB_TRX LIMIT %3")
            .arg(marker, QLatin1String(kTransactionColumns))
            .arg(kMostTransactions));
    if (!rows)
        return tl::unexpected(rows.error());
    bool isNew = false;
    while (rows->next()) {
        if (!rows->isNull(7)) {
            isNew = rows->value(7).toString().contains(marker);
            continue;
        }
        const QByteArray transaction = rows->value(0).toByteArray();
        const QByteArray id = addTransaction(*rows, picture);
        picture.sessions[id].tablesLocked = rows->value(8).toInt();
        m_connections.insert(transaction, id);
        if (!rows->isNull(6))
            m_requested.insert(transaction, rows->value(6).toByteArray());
    }
    return isNew;
}

base::Result<void> MariaDbSource::readLocks(const SessionWants &wants, Picture &picture)
{
    auto rows = m_connection.query(
        QStringLiteral(
            "SELECT lock_trx_id, lock_id, lock_mode, lock_type, lock_table, lock_index, lock_data, "
            "lock_page, lock_rec FROM information_schema.INNODB_LOCKS LIMIT %1")
            .arg(kMostLocks));
    if (!rows)
        return tl::unexpected(rows.error());
    int count = 0;
    for (; rows->next(); ++count) {
        const QByteArray transaction = rows->value(0).toByteArray();
        const QByteArray table = tablePlace(rows->value(4).toByteArray());
        if (!wants.tables.contains(table))
            continue;
        const QByteArray mode = rows->value(2).toByteArray();
        Claim claim;
        claim.session = m_connections.value(transaction, "trx:" + transaction);
        claim.waiting = m_requested.value(transaction) == rows->value(1).toByteArray();
        claim.mode = mode.startsWith('S') ? Shared : Exclusive;
        if (rows->value(3).toByteArray() == "TABLE") {
            claim.place = table + "/*";
            claim.name = table.mid(table.indexOf('.') + 1);
        } else {
            claim.place = table + '/' + rows->value(5).toByteArray();
            const QByteArray data = rows->value(6).toByteArray();
            claim.name = data.isEmpty() ? "(page " + rows->value(7).toByteArray() + ", record " +
                                              rows->value(8).toByteArray() + ')'
                                        : lockName(data, wants.indexes.value(claim.place));
        }
        picture.sessions[claim.session].session.id = claim.session;
        picture.claims.append(claim);
    }
    picture.truncated = picture.truncated || count == kMostLocks;
    return {};
}

/** Adds the holders without waiters, which only the status text shows. */
base::Result<void> MariaDbSource::readStatus(const SessionWants &wants, Picture &picture)
{
    auto rows = m_connection.query(QStringLiteral("SHOW ENGINE INNODB STATUS"));
    if (!rows)
        return tl::unexpected(rows.error());
    if (!rows->next())
        return {};
    const InnodbStatus status = parseInnodbStatus(rows->value(2).toByteArray(), kMostLocks);
    picture.truncated = picture.truncated || status.truncated;
    picture.seesAllRowHolders = !status.truncated;
    picture.evidence += "+innodb_status";
    QSet<QByteArray> known;
    for (const Claim &claim : std::as_const(picture.claims))
        known.insert(claim.session + '\0' + claim.place + '\0' + claim.name);
    QHash<QByteArray, QPair<qint64, bool>>
        scans; // next-key locks of the primary key, and past the last record
    QHash<QByteArray, QSet<QList<QByteArray>>> keys;
    const auto ownerOf = [](const StatusLock &lock) { return lock.transaction + '\0' + lock.table; };
    for (const StatusLock &lock : status.locks) {
        if (!isPrimary(lock.index))
            keys[ownerOf(lock)].insert(rowKey(lock, wants.indexes.value(lock.table + '/' + lock.index)));
        else if ((lock.mode & (GapOnly | RecordOnly | InsertIntention)) == 0)
            (lock.supremum ? scans[ownerOf(lock)].second = true : ++scans[ownerOf(lock)].first);
    }
    for (const StatusLock &lock : status.locks) {
        if (!wants.tables.contains(lock.table) || (lock.mode & (GapOnly | InsertIntention)))
            continue;
        const QByteArray session = sessionOf(lock.connection, lock.transaction);
        const auto scan = scans.value(ownerOf(lock));
        if (scan.second && scan.first >= 2) {
            const domain::WholeTableLock whole{session, lock.table, scan.first};
            if (!picture.wholeTables.contains(whole))
                picture.wholeTables.append(whole);
            continue;
        }
        const QByteArray place = lock.table + '/' + lock.index;
        const QByteArray name = recordName(lock, wants.indexes.value(place));
        const IndexShape primary = wants.indexes.value(place);
        const bool beside =
            isPrimary(lock.index) && primary.columns > 0 &&
            keys.value(ownerOf(lock))
                .contains(lock.fields.first(std::min<qsizetype>(primary.columns, lock.fields.size())));
        if (name.isEmpty() && !lock.supremum)
            picture.seesAllRowHolders = false; // a lock without a known name: only its waiters will show it
        if (name.isEmpty() || beside || known.contains(session + '\0' + place + '\0' + name))
            continue;
        Claim claim;
        claim.place = place;
        claim.name = name;
        claim.session = session;
        claim.mode = lock.mode;
        picture.sessions[session].session.id = session;
        picture.claims.append(claim);
    }
    return {};
}

/** Finds the blockers that have locked so many rows that it looks like a scan. The server doesn't count rows
 * by table. */
base::Result<void> MariaDbSource::readTableSizes(const SessionWants &wants, Picture &picture)
{
    // This is only a guess, as the server counts a transaction's rows over all its tables. The status text
    // names each lock.
    if (picture.seesAllRowHolders)
        return {};
    QHash<QByteArray, QSet<QByteArray>> suspects; // tables, by session
    for (const Claim &claim : std::as_const(picture.claims)) {
        const bool primary = isPrimary(claim.place.mid(claim.place.lastIndexOf('/') + 1));
        const SessionFacts facts = picture.sessions.value(claim.session);
        // The count covers all of a transaction's tables: with several, it shows nothing about one table.
        if (!claim.waiting && primary && facts.rowsLocked > 1 && facts.tablesLocked == 1)
            suspects[claim.session].insert(claim.place.left(claim.place.lastIndexOf('/')));
    }
    if (suspects.isEmpty())
        return {};
    QHash<QByteArray, qint64> sizes;
    auto rows =
        m_connection.query(QStringLiteral("SELECT CONCAT(TABLE_SCHEMA, '.', TABLE_NAME), TABLE_ROWS FROM "
                                          "information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE()"));
    if (!rows)
        return tl::unexpected(rows.error());
    while (rows->next())
        sizes.insert(rows->value(0).toByteArray(), rows->value(1).toLongLong());
    for (auto it = suspects.cbegin(); it != suspects.cend(); ++it) {
        const qint64 locked = picture.sessions.value(it.key()).rowsLocked;
        for (const QByteArray &table : it.value()) {
            const bool known = std::any_of(picture.wholeTables.cbegin(), picture.wholeTables.cend(),
                                           [&](const domain::WholeTableLock &whole) {
                                               return whole.session == it.key() && whole.place == table;
                                           });
            // One more than the table has: the end of the index is locked as well.
            const bool all = sizes.value(table) >= 2 && locked > sizes.value(table);
            if (!known && wants.tables.contains(table) && (all || locked > kManyRows))
                picture.wholeTables.append({it.key(), table, locked});
        }
    }
    return {};
}

base::Result<void> MariaDbSource::readRows(const SessionWants &wants, Picture &picture)
{
    const auto isNew = readTransactions(picture);
    const auto locks = isNew ? readLocks(wants, picture) : base::Result<void>();
    m_sinceTouched.start();
    const auto ended = m_connection.query(QStringLiteral("COMMIT"));
    if (!isNew || !locks)
        return tl::unexpected(!isNew ? isNew.error() : locks.error());
    if (!ended)
        return tl::unexpected(ended.error());
    picture.evidence = *isNew ? "innodb_locks" : "innodb_locks_frozen";
    if (*isNew)
        m_lastNewUs = picture.beganUs;
    else if (m_lastNewUs == 0)
        return base::failure(
            ErrorCode::Busy, QStringLiteral("the server's view of its row locks is frozen by another reader"),
            QStringLiteral("Find the program that reads information_schema.INNODB_TRX, INNODB_LOCKS or "
                           "INNODB_LOCK_WAITS more often than ten times a second."));
    else
        picture.beganUs = m_lastNewUs;
    if (m_found.outputLocks && *isNew) {
        if (const auto status = readStatus(wants, picture); !status)
            return status;
    }
    return readTableSizes(wants, picture);
}

base::Result<QHash<QByteArray, ServerProcess>> MariaDbSource::readProcesses(const QSet<QByteArray> &ids,
                                                                            qint64 nowUs)
{
    return processesOf(m_connection,
                       QStringLiteral("SELECT ID, USER, HOST, COMMAND, LEFT(INFO, 1025), TIME_MS "
                                      "FROM information_schema.PROCESSLIST WHERE ID IN (%1)")
                           .arg(numberList(ids)),
                       nowUs, 1'000);
}

/** A hold that only its waiters show began at some time during its transaction: while they waited, other
 * sessions may have held the lock before. */
void MariaDbSource::complete(Picture &picture)
{
    for (Claim &claim : picture.claims) {
        if (claim.waiting || claim.advisory || picture.seesAllRowHolders)
            continue;
        const qint64 began = picture.sessions.value(claim.session).session.transactionSinceUs.value_or(0);
        if (began == 0)
            continue;
        claim.sinceUs = std::max(picture.endedUs, began);
        claim.windowUs = std::max<qint64>(*claim.sinceUs - began, 1);
    }
}

} // namespace lockkeeper::stores::sql
