// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/sessions/mysql_source.h"

#include <algorithm>

namespace lockkeeper::stores::sql {

using domain::ReleaseOff;

namespace {
/** Fewer rows with the end of the index among them may be a small table, scanned whole. */
constexpr qint64 kFewRows = 2;

struct DataLock
{
    QByteArray transaction;
    QByteArray session; ///< empty: no connection has it
    QByteArray table;   ///< "app.jobs"
    QByteArray index;
    QByteArray mode;
    QByteArray data;
    QByteArray id;
    bool waiting = false;
};

quint8 modeOf(const QByteArray &mode)
{
    quint8 bits = mode.startsWith('S') ? Shared : Exclusive;
    if (mode.contains("REC_NOT_GAP"))
        bits |= RecordOnly;
    else if (mode.contains("GAP"))
        bits |= GapOnly;
    if (mode.contains("INSERT_INTENTION"))
        bits |= InsertIntention;
    return bits;
}

/** The record's name, or its place where the buffer pool has no name. */
QByteArray recordName(const DataLock &lock, const IndexShapes &indexes)
{
    if (!lock.data.isEmpty())
        return lockName(lock.data, indexes.value(lock.table + '/' + lock.index));
    const QList<QByteArray> parts = lock.id.split(':'); // transaction:table:space:page:record:…
    return parts.size() < 6
               ? lock.id
               : "(page " + parts.at(parts.size() - 3) + ", record " + parts.at(parts.size() - 2) + ')';
}

QByteArray inList(const QSet<QByteArray> &tables)
{
    QByteArray list;
    for (const QByteArray &table : tables) // names may hold anything: hexadecimal can't end a literal
        list += (list.isEmpty() ? "" : ", ") + QByteArrayLiteral("CONVERT(0x") +
                table.mid(table.indexOf('.') + 1).toHex() + " USING utf8mb4)";
    return list.isEmpty() ? QByteArrayLiteral("''") : list;
}

/** A connection's id; empty for NULL, which the driver would turn into 0. */
QByteArray connectionOf(const QSqlQuery &row, int column)
{
    return row.isNull(column) ? QByteArray() : row.value(column).toByteArray();
}

/** A transaction that has written nothing has no number: the column has an address instead, which other
 * transactions reuse. Such a transaction never holds an implicit lock. */
bool isNumbered(const QByteArray &transaction)
{
    return transaction.toULongLong() < quint64(1) << 48;
}

QByteArray recordKey(const DataLock &lock)
{
    return lock.session + '\0' + lock.table + '\0' + lock.index + '\0' + lock.data;
}

/**
 * THREAD_ID names the session that made the lock's entry, not its holder. A row that was inserted or changed
 * is locked without an entry; the first waiter makes the entry for the holder. So the transaction identifies
 * the holder. For a transaction that began since the transactions were read, the thread does,
 * unless the thread waits for this very row. Locks without a known holder are left out until the next
 * reading.
 */
void settleOwners(QList<DataLock> &locks, const QHash<QByteArray, QByteArray> &connections)
{
    QSet<QByteArray> waits;
    for (const DataLock &lock : std::as_const(locks)) {
        if (lock.waiting)
            waits.insert(recordKey(lock));
    }
    const auto isTold = [&](const DataLock &lock) {
        return lock.waiting || !isNumbered(lock.transaction) || connections.contains(lock.transaction);
    };
    locks.removeIf([&](const DataLock &lock) {
        return !isTold(lock) && (lock.session.isEmpty() || waits.contains(recordKey(lock)));
    });
    for (DataLock &lock : locks) {
        if (!lock.waiting && isNumbered(lock.transaction))
            lock.session = connections.value(lock.transaction, lock.session);
    }
}

/** A session's locks on one table. */
struct Holdings
{
    qint64 records = 0;    ///< next-key locks of the primary key
    bool end = false;      ///< also past the last record
    QSet<QByteArray> rows; ///< primary keys that a lock on another index belongs to
};

class WaitSorter
{
public:
    WaitSorter(const QList<DataLock> &locks, const IndexShapes &indexes) : m_locks(locks), m_indexes(indexes)
    {
        for (const DataLock &lock : locks) {
            if (lock.waiting) {
                m_wanted.insert(recordOf(lock));
                continue;
            }
            Holdings &holdings = m_holdings[lock.transaction + '\0' + lock.table];
            const quint8 mode = modeOf(lock.mode);
            const bool nextKey = (mode & (GapOnly | RecordOnly | InsertIntention)) == 0;
            if (lock.index != "PRIMARY" && lock.index != "GEN_CLUST_INDEX") {
                holdings.rows.insert(appendedKey(lock.data, indexes.value(lock.table + '/' + lock.index)));
            } else if (nextKey) {
                holdings.end = holdings.end || lock.data == kSupremum;
                holdings.records += lock.data != kSupremum;
            }
        }
    }

    bool isWholeTable(const DataLock &lock) const
    {
        const Holdings holdings = m_holdings.value(lock.transaction + '\0' + lock.table);
        return holdings.end && holdings.records >= kFewRows;
    }

    /** False for locks that aren't shown separately: a row's lock on the primary key beside the lock on
     * another index, the rows of a whole table, gaps, the end. True for any lock that somebody waits for. */
    bool isLockOfItsOwn(const DataLock &lock) const
    {
        if (lock.waiting || m_wanted.contains(recordOf(lock)))
            return true;
        if ((modeOf(lock.mode) & (GapOnly | InsertIntention)) || lock.data == kSupremum || isWholeTable(lock))
            return false;
        const bool primary = lock.index == "PRIMARY" || lock.index == "GEN_CLUST_INDEX";
        return !primary || !m_holdings.value(lock.transaction + '\0' + lock.table).rows.contains(lock.data);
    }

private:
    QByteArray recordOf(const DataLock &lock) const
    {
        return lock.table + '/' + lock.index + '/' + recordName(lock, m_indexes);
    }

    const QList<DataLock> &m_locks;
    const IndexShapes &m_indexes;
    QHash<QByteArray, Holdings> m_holdings;
    QSet<QByteArray> m_wanted;
};

QByteArray sessionOf(const DataLock &lock, Picture &picture)
{
    const QByteArray id = lock.session.isEmpty() ? "trx:" + lock.transaction : lock.session;
    SessionFacts &facts = picture.sessions[id];
    facts.session.id = id;
    if (facts.session.transaction.isEmpty())
        facts.session.transaction = lock.transaction;
    if (lock.session.isEmpty()) {
        facts.session.protectedAs = ReleaseOff::PreparedXa;
        facts.identity = id;
    }
    return id;
}

void addWhole(Picture &picture, const QByteArray &session, const QByteArray &table, qint64 rows)
{
    for (domain::WholeTableLock &known : picture.wholeTables) {
        if (known.session == session && known.place == table) {
            known.rows = std::max(known.rows, rows);
            return;
        }
    }
    picture.wholeTables.append({session, table, rows});
}
} // namespace

base::Result<QByteArray> MySqlSource::spelled(const QByteArray &name)
{
    return oneText(m_connection, QStringLiteral("SELECT LOWER(CONVERT(? USING utf8mb4))"),
                   {QString::fromUtf8(name)})
        .map([](const QString &lower) { return lower.toUtf8(); });
}

base::Result<QSet<QByteArray>> MySqlSource::readTransactions(Picture &picture)
{
    auto rows = m_connection.query(QStringLiteral("SELECT %1 FROM information_schema.INNODB_TRX LIMIT %2")
                                       .arg(QLatin1String(kTransactionColumns))
                                       .arg(kMostTransactions));
    if (!rows)
        return tl::unexpected(rows.error());
    QSet<QByteArray> many;
    m_connections.clear();
    while (rows->next()) {
        const QByteArray transaction = rows->value(0).toByteArray();
        const QByteArray id = addTransaction(*rows, picture);
        m_connections.insert(transaction, id.startsWith("trx:") ? QByteArray() : id);
        if (picture.sessions.value(id).rowsLocked > kManyRows)
            many.insert(transaction);
    }
    return many;
}

base::Result<void> MySqlSource::readLocks(const SessionWants &wants, const QSet<QByteArray> &many,
                                          Picture &picture)
{
    auto rows = m_connection.query(
        QStringLiteral(
            "SELECT d.ENGINE_TRANSACTION_ID, t.PROCESSLIST_ID, d.OBJECT_SCHEMA, d.OBJECT_NAME, "
            "d.INDEX_NAME, d.LOCK_MODE, d.LOCK_STATUS = 'WAITING', d.LOCK_DATA, d.ENGINE_LOCK_ID "
            "FROM performance_schema.data_locks d "
            "LEFT JOIN performance_schema.threads t ON t.THREAD_ID = d.THREAD_ID "
            "WHERE d.OBJECT_SCHEMA = DATABASE() AND d.OBJECT_NAME IN (%1) AND d.LOCK_TYPE = 'RECORD' "
            "AND (d.LOCK_STATUS = 'WAITING' OR d.ENGINE_TRANSACTION_ID NOT IN (%2)) LIMIT %3")
            .arg(QString::fromLatin1(inList(wants.tables)), numberList(many))
            .arg(kMostLocks));
    if (!rows)
        return tl::unexpected(rows.error());
    QList<DataLock> locks;
    while (rows->next()) {
        locks.append({rows->value(0).toByteArray(), connectionOf(*rows, 1),
                      rows->value(2).toByteArray() + '.' + rows->value(3).toByteArray(),
                      rows->value(4).toByteArray(), rows->value(5).toByteArray(),
                      rows->value(7).toByteArray(), rows->value(8).toByteArray(),
                      rows->value(6).toInt() != 0});
    }
    picture.truncated = picture.truncated || locks.size() == kMostLocks;
    settleOwners(locks, m_connections);
    const WaitSorter sorter(locks, wants.indexes);
    for (const DataLock &lock : std::as_const(locks)) {
        const QByteArray session = sessionOf(lock, picture);
        if (!lock.waiting && sorter.isWholeTable(lock))
            addWhole(picture, session, lock.table, picture.sessions.value(session).rowsLocked);
        if (!sorter.isLockOfItsOwn(lock))
            continue;
        Claim claim;
        claim.place = lock.table + '/' + lock.index;
        claim.name = recordName(lock, wants.indexes);
        claim.session = session;
        claim.waiting = lock.waiting;
        claim.mode = modeOf(lock.mode);
        picture.claims.append(claim);
    }
    return {};
}

/** Reads transactions with many locks: the server's count of the locks, and their part in others' waits. */
base::Result<void> MySqlSource::readWholeTables(const SessionWants &wants, const QSet<QByteArray> &many,
                                                Picture &picture)
{
    auto rows = m_connection.query(
        QStringLiteral(
            "SELECT d.ENGINE_TRANSACTION_ID, d.OBJECT_SCHEMA, d.OBJECT_NAME, "
            "COUNT(*) FROM performance_schema.data_locks d "
            "WHERE d.ENGINE_TRANSACTION_ID IN (%2) AND d.OBJECT_SCHEMA = DATABASE() "
            "AND d.OBJECT_NAME IN (%1) AND d.LOCK_TYPE = 'RECORD' AND d.LOCK_STATUS = 'GRANTED' "
            "GROUP BY d.ENGINE_TRANSACTION_ID, d.OBJECT_SCHEMA, d.OBJECT_NAME HAVING COUNT(*) > %3")
            .arg(QString::fromLatin1(inList(wants.tables)), numberList(many))
            .arg(kManyRows / 2));
    if (!rows)
        return tl::unexpected(rows.error());
    while (rows->next()) {
        const QByteArray table = rows->value(1).toByteArray() + '.' + rows->value(2).toByteArray();
        const QByteArray transaction = rows->value(0).toByteArray();
        const DataLock lock{transaction, m_connections.value(transaction), table, {}, {}, {}, {}, false};
        addWhole(picture, sessionOf(lock, picture), table, rows->value(3).toLongLong());
    }
    auto waits = m_connection.query(
        QStringLiteral(
            "SELECT d.OBJECT_SCHEMA, d.OBJECT_NAME, d.INDEX_NAME, d.LOCK_DATA, b.ENGINE_TRANSACTION_ID, "
            "b.LOCK_MODE, d.ENGINE_LOCK_ID FROM performance_schema.data_lock_waits w "
            "JOIN performance_schema.data_locks d ON d.ENGINE_LOCK_ID = w.REQUESTING_ENGINE_LOCK_ID "
            "JOIN performance_schema.data_locks b ON b.ENGINE_LOCK_ID = w.BLOCKING_ENGINE_LOCK_ID "
            "WHERE w.BLOCKING_ENGINE_TRANSACTION_ID IN (%2) AND d.OBJECT_SCHEMA = DATABASE() "
            "AND d.OBJECT_NAME IN (%1) LIMIT %3")
            .arg(QString::fromLatin1(inList(wants.tables)), numberList(many))
            .arg(kMostLocks));
    if (!waits)
        return tl::unexpected(waits.error());
    QSet<QByteArray> told;
    while (waits->next()) {
        const DataLock lock{waits->value(4).toByteArray(),
                            m_connections.value(waits->value(4).toByteArray()),
                            waits->value(0).toByteArray() + '.' + waits->value(1).toByteArray(),
                            waits->value(2).toByteArray(),
                            waits->value(5).toByteArray(),
                            waits->value(3).toByteArray(),
                            waits->value(6).toByteArray(),
                            false};
        Claim claim;
        claim.place = lock.table + '/' + lock.index;
        claim.name = recordName(lock, wants.indexes);
        claim.session = sessionOf(lock, picture);
        claim.mode = modeOf(lock.mode);
        if (const QByteArray once = claim.place + '\0' + claim.name + '\0' + claim.session;
            !told.contains(once)) {
            told.insert(once);
            picture.claims.append(claim);
        }
    }
    return {};
}

base::Result<void> MySqlSource::readRows(const SessionWants &wants, Picture &picture)
{
    picture.evidence = "data_locks";
    picture.seesAllRowHolders = true;
    const auto many = readTransactions(picture);
    if (!many)
        return tl::unexpected(many.error());
    if (const auto read = readLocks(wants, *many, picture); !read)
        return read;
    return many->isEmpty() ? base::Result<void>() : readWholeTables(wants, *many, picture);
}

base::Result<QHash<QByteArray, ServerProcess>> MySqlSource::readProcesses(const QSet<QByteArray> &ids,
                                                                          qint64 nowUs)
{
    return processesOf(m_connection,
                       QStringLiteral("SELECT ID, USER, HOST, COMMAND, LEFT(INFO, 1025), TIME "
                                      "FROM performance_schema.processlist WHERE ID IN (%1)")
                           .arg(numberList(ids)),
                       nowUs, 1'000'000);
}

} // namespace lockkeeper::stores::sql
