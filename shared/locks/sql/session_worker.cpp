// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/locks/sql/session_worker.h"

#include "shared/locks/sql/create_table.h"
#include "shared/locks/sql/mapped_client.h"
#include "shared/stores/sql/connection/advisory_keys.h"
#include "shared/stores/sql/connection/identifiers.h"
#include "shared/stores/sql/connection/postgres_driver.h"
#include "shared/stores/sql/connection/sql_errors.h"

#include <QRegularExpression>
#include <QVersionNumber>

#include <poll.h>

namespace lockkeeper::locks::sql {

using namespace stores::sql;
using namespace stores;
using base::ErrorCode;
using base::failure;

namespace {
/** MySQL 3572, MariaDB 1205, PostgreSQL 55P03: another client has it; 1317, 57014: the wait was ended. */
bool isTaken(const base::Error &error)
{
    return error.code == ErrorCode::Busy || error.code == ErrorCode::Timeout ||
           error.cause.contains(QLatin1String("error 3572"));
}

/** The arguments of PostgreSQL's advisory functions: `SELECT f(%1)`. */
QString advisoryArguments(const QByteArray &name)
{
    const auto key = advisoryKey(name);
    if (key && key->isPair)
        return QStringLiteral("%1, %2").arg(key->first()).arg(key->second());
    if (key)
        return QStringLiteral("%1::bigint").arg(key->number);
    return QStringLiteral("hashtextextended(%1, 0)").arg(QString::fromUtf8(postgresLiteral(name)));
}

/** A name as an SQL literal; no character of the name can end it. */
QString textLiteral(const QByteArray &name)
{
    return name.isEmpty()
               ? QStringLiteral("''")
               : QStringLiteral("CONVERT(0x%1 USING utf8mb4)").arg(QString::fromLatin1(name.toHex()));
}
} // namespace

QByteArray noWaitClause(Dialect dialect, const QString &version)
{
    static const QRegularExpression number(QStringLiteral("[0-9.]+"));
    const auto at = QVersionNumber::fromString(number.match(version).captured());
    QVersionNumber skips(8, 0, 1);
    QVersionNumber refuses = skips;
    if (dialect == Dialect::PostgreSql) {
        skips = QVersionNumber(9, 5);
        refuses = QVersionNumber(8, 1);
    } else if (version.contains(QLatin1String("MariaDB"), Qt::CaseInsensitive)) {
        skips = QVersionNumber(10, 6);
        refuses = QVersionNumber(10, 3);
    }
    return at >= skips ? " SKIP LOCKED" : at >= refuses ? " NOWAIT" : "";
}

SessionWorker::SessionWorker(SourceSpec spec, std::shared_ptr<ServerWait> wait)
    : m_spec(std::move(spec)), m_connection(Purpose::TakeLocks), m_wait(std::move(wait))
{
    if (m_wait)
        m_spec.statementTimeoutMs += kWaitRoundMs;
}

base::Result<void> SessionWorker::connected()
{
    if (m_connection.isOpen())
        return {};
    if (const auto open = m_connection.open(m_spec); !open)
        return open;
    if (m_connection.isPooled() && m_connection.dialect() == Dialect::PostgreSql) {
        drop();
        return failure(ErrorCode::Unsupported,
                       QStringLiteral("its locks belong to a connection, but a pooler shares the server's "
                                      "connections among clients"),
                       QStringLiteral("Connect to the server's own address."));
    }
    const auto ready = setUp();
    if (!ready)
        drop();
    return ready;
}

base::Result<void> SessionWorker::setUp()
{
    const bool postgres = m_connection.dialect() == Dialect::PostgreSql;
    QStringList settings;
    if (postgres) // unlike the agent's connections, which must not be killed
        settings << QStringLiteral("application_name = 'lockkeeperctl'")
                 << QStringLiteral("idle_in_transaction_session_timeout = 0");
    if (m_wait && postgres)
        settings << QStringLiteral("lock_timeout = %1").arg(kWaitRoundMs);
    else if (m_wait)
        settings << QStringLiteral("SESSION innodb_lock_wait_timeout = %1").arg(kWaitRoundMs / 1'000);
    for (const QString &setting : std::as_const(settings)) {
        if (const auto set = m_connection.query(QStringLiteral("SET ") + setting); !set)
            return tl::unexpected(set.error());
    }
    const auto readOnly = isReadOnly(m_connection);
    if (!readOnly)
        return tl::unexpected(readOnly.error());
    m_readOnly = *readOnly;
    if (!m_wait)
        return {};
    auto id = m_connection.query(postgres ? QStringLiteral("SELECT pg_backend_pid()")
                                          : QStringLiteral("SELECT CONNECTION_ID()"));
    if (!id)
        return tl::unexpected(id.error());
    m_id = id->next() ? id->value(0).toLongLong() : 0;
    return {};
}

base::Error SessionWorker::withCreation(base::Error error) const
{
    const bool missing = error.cause.contains(QLatin1String("error 1146")) ||
                         error.cause.contains(QLatin1String("42P01")) ||
                         error.code == ErrorCode::SchemaMismatch;
    const auto statement = createTableStatement(m_spec.locks.first(), m_connection.dialect());
    if (missing && statement)
        error.remedy += (error.remedy.isEmpty() ? QString() : QStringLiteral(" ")) +
                        QStringLiteral("Where there is no such table, this creates it: %1;").arg(*statement);
    return error;
}

/** The column with the lock's name: the mapping's, otherwise the only column of a unique or primary key. */
base::Result<QByteArray> SessionWorker::keyColumn()
{
    const TableMapping &table = m_spec.locks.first().table;
    if (!table.name.isEmpty())
        m_keyColumn = table.name.first().toUtf8();
    if (!m_keyColumn.isEmpty())
        return m_keyColumn;
    auto rows = m_connection.query(
        m_connection.dialect() == Dialect::PostgreSql
            ? QStringLiteral("SELECT a.attname FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid "
                             "JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = i.indkey[0] "
                             "WHERE c.relname = ? AND pg_table_is_visible(c.oid) AND i.indisunique "
                             "AND i.indnkeyatts = 1 ORDER BY i.indisprimary LIMIT 1")
            : QStringLiteral(
                  "SELECT MAX(COLUMN_NAME) FROM information_schema.STATISTICS "
                  "WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = ? AND NON_UNIQUE = 0 "
                  "GROUP BY INDEX_NAME HAVING COUNT(*) = 1 ORDER BY INDEX_NAME = 'PRIMARY' LIMIT 1"),
        {table.table});
    if (!rows)
        return tl::unexpected(rows.error());
    if (!rows->next())
        return tl::unexpected(withCreation(
            {ErrorCode::SchemaMismatch,
             QStringLiteral("the table has no key of one column, or this account doesn't see it"),
             QStringLiteral("Name the column of the lock's name.")}));
    m_keyColumn = rows->value(0).toByteArray();
    return m_keyColumn;
}

base::Result<Attempt> SessionWorker::acquireRow(const QByteArray &name)
{
    if (const auto column = keyColumn(); !column)
        return tl::unexpected(column.error());
    if (const auto begun = m_connection.query(QStringLiteral("BEGIN")); !begun)
        return tl::unexpected(begun.error());
    const QByteArray noWait =
        m_wait ? QByteArray() : noWaitClause(m_connection.dialect(), m_connection.version());
    const bool skips = noWait == " SKIP LOCKED";
    auto found = selectRow(name, " FOR UPDATE" + noWait);
    if (found && *found)
        return Attempt::Done;
    if (found && skips)
        found = selectRow(name, {});
    const bool isThere = found && skips && *found;
    const auto ended = m_connection.query(QStringLiteral("ROLLBACK"));
    if (!ended)
        drop(); // the transaction may still hold locks
    if (!found)
        return isTaken(found.error()) && ended ? base::Result<Attempt>(Attempt::Held)
                                               : tl::unexpected(withCreation(found.error()));
    if (isThere)
        return Attempt::Held; // the row was skipped
    return failure(ErrorCode::NotFound, QStringLiteral("the table has no row of that name to lock"),
                   QStringLiteral("Insert it once; the row stays."));
}

base::Result<bool> SessionWorker::selectRow(const QByteArray &name, const QByteArray &locking)
{
    auto rows =
        m_connection.query(QLatin1String("SELECT 1 FROM ") +
                               quotedIdentifier(m_spec.locks.first().table.table, m_connection.dialect()) +
                               QLatin1String(" WHERE ") +
                               quotedIdentifier(QString::fromUtf8(m_keyColumn), m_connection.dialect()) +
                               QLatin1String(" = ?") + QString::fromLatin1(locking),
                           {QString::fromUtf8(name)});
    return rows ? base::Result<bool>(rows->next()) : tl::unexpected(rows.error());
}

base::Result<Attempt> SessionWorker::acquireAdvisory(const QByteArray &name)
{
    const bool postgres = m_connection.dialect() == Dialect::PostgreSql;
    const QString key = postgres ? advisoryArguments(name) : textLiteral(name);
    QString take = QStringLiteral("SELECT GET_LOCK(%1, %2)");
    if (postgres)
        take = m_wait ? QStringLiteral("SELECT 1 FROM (SELECT pg_advisory_lock(%1)) AS waited")
                      : QStringLiteral("SELECT pg_try_advisory_lock(%1)::int");
    take = take.arg(key);
    auto rows = m_connection.query(postgres ? take : take.arg(m_wait ? kWaitRoundMs / 1'000 : 0));
    if (rows)
        return rows->next() && rows->value(0).toInt() == 1 ? Attempt::Done : Attempt::Held;
    if (!isTaken(rows.error()))
        return tl::unexpected(rows.error());
    // The lock may have been acquired just before the wait was ended, and outlives the statement.
    if (!m_connection.query(postgres ? QStringLiteral("SELECT pg_advisory_unlock_all()")
                                     : QStringLiteral("SELECT RELEASE_LOCK(%1)").arg(key)))
        drop();
    return Attempt::Held;
}

base::Result<Attempt> SessionWorker::acquire(const Lease &lease)
{
    if (m_wait)
        m_wait->id = m_id;
    const bool left = m_wait && m_wait->left; // given up before there was a statement to end
    const auto attempt = left                                       ? base::Result<Attempt>(Attempt::Held)
                         : m_spec.locks.first().scheme == "sql.row" ? acquireRow(lease.name)
                                                                    : acquireAdvisory(lease.name);
    if (m_wait)
        m_wait->id = 0;
    if (!attempt || *attempt != Attempt::Done)
        return attempt;
    hold(lease);
    // If this process was suspended, its session may have ended since the answer. A driver that has noticed
    // this has closed its socket, so that the notifier would never fire.
    pollfd link{m_connection.descriptor(), POLLIN, 0};
    if (link.fd < 0 || ::poll(&link, 1, 0) > 0) {
        if (const auto alive = isAlive(); alive && !*alive)
            return failure(ErrorCode::ConnectionLost, QStringLiteral("the session ended as it got the lock"));
    }
    return attempt;
}

bool SessionWorker::isMine(const Lease &lease) const
{
    return m_connection.isOpen() && !m_held.token.isEmpty() && lease.token == m_held.token;
}

void SessionWorker::hold(const Lease &lease)
{
    m_held = lease;
    const int descriptor = m_connection.descriptor();
    if (descriptor < 0)
        return;
    m_end = std::make_unique<QSocketNotifier>(descriptor, QSocketNotifier::Read);
    connect(m_end.get(), &QSocketNotifier::activated, this, &SessionWorker::onReadable);
}

/** No request is in progress, so this is the connection's end, or a notice from the server. */
void SessionWorker::onReadable()
{
    const Lease held = m_held;
    if (const auto alive = isAlive(); alive && !*alive)
        Q_EMIT lost(held);
}

base::Result<bool> SessionWorker::isAlive()
{
    const auto readOnly = isReadOnly(m_connection);
    if (readOnly && (m_readOnly || !*readOnly))
        return true;
    if (!readOnly && !isLinkLost(readOnly.error().code))
        return tl::unexpected(readOnly.error());
    drop();
    return false;
}

base::Result<Attempt> SessionWorker::giveBack(const Lease &lease)
{
    if (m_spec.locks.first().scheme == "sql.row") {
        const auto ended = m_connection.query(QStringLiteral("COMMIT"));
        return ended ? base::Result<Attempt>(Attempt::Done) : tl::unexpected(ended.error());
    }
    const bool postgres = m_connection.dialect() == Dialect::PostgreSql;
    auto rows = m_connection.query(
        postgres ? QStringLiteral("SELECT pg_advisory_unlock(%1)::int").arg(advisoryArguments(lease.name))
                 : QStringLiteral("SELECT RELEASE_LOCK(%1)").arg(textLiteral(lease.name)));
    if (!rows)
        return tl::unexpected(rows.error());
    return rows->next() && rows->value(0).toInt() == 1 ? Attempt::Done : Attempt::Lost;
}

void SessionWorker::drop()
{
    letGo();
    m_connection.close();
}

void SessionWorker::letGo()
{
    if (m_end) {
        m_end->setEnabled(false);
        m_end.release()->deleteLater(); // it may be the caller
    }
    m_held = {};
}

void SessionWorker::tryAcquire(quint64 request, const Lease &wanted)
{
    const auto ready = connected();
    auto attempt = ready ? acquire(wanted) : base::Result<Attempt>(tl::unexpected(ready.error()));
    while (m_wait && !m_wait->left && attempt && *attempt == Attempt::Held)
        attempt = acquire(wanted);
    Lease lease = wanted;
    if (!attempt)
        lease.token.clear(); // a lock that was acquired ends with the connection
    answer(request, attempt, lease);
}

void SessionWorker::renew(quint64 request, const Lease &lease, qint64 ttlUs)
{
    Lease renewed = lease;
    renewed.ttlUs = ttlUs;
    if (!isMine(lease)) {
        answer(request, Attempt::Lost, renewed);
        return;
    }
    const auto alive = isAlive(); // and with it the lock
    answer(request,
           alive ? base::Result<Attempt>(*alive ? Attempt::Done : Attempt::Lost)
                 : tl::unexpected(alive.error()),
           renewed);
}

void SessionWorker::release(quint64 request, const Lease &lease)
{
    if (!isMine(lease)) {
        answer(request, Attempt::Lost, lease);
        return;
    }
    const auto attempt = giveBack(lease);
    letGo();
    if (!attempt)
        drop(); // which frees a lock that wasn't released
    answer(request, attempt, lease);
}

} // namespace lockkeeper::locks::sql
