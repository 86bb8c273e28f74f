// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/result.h"
#include "shared/stores/sql/connection/endpoint.h"
#include "shared/stores/sql/connection/statement.h"

#include <QMap>
#include <QSqlQuery>
#include <QVariant>

#include <functional>
#include <memory>
#include <optional>

namespace lockkeeper::stores::sql {

using Values = QHash<QByteArray, QVariant>;
using RowTaken = std::function<void(const QSqlQuery &row)>;

/** The failure of a statement that was sent. */
struct SqlFailure
{
    base::Error error;
    bool refused = false;   ///< the server rejected and undid it; false: the effect is unknown
    bool duplicate = false; ///< an insert whose key exists already
};

/** A prepared statement of one Connection, which must outlive it. Used in the connection's thread. */
class Prepared
{
public:
    /** `utf16`: see Connection::isUtf16(). */
    Prepared(QSqlQuery query, QList<QByteArray> binds, Dialect dialect, bool utf16)
        : m_query(std::move(query)), m_binds(std::move(binds)), m_dialect(dialect), m_utf16(utf16)
    {
    }

    /** Runs it with the values that it names; others are ignored. Byte arrays are text. */
    std::optional<SqlFailure> run(const Values &values);
    /** The rows of the last run. They can be read once, from the first to the last. */
    QSqlQuery &rows() { return m_query; }
    /** Frees the rows' memory. */
    void finish() { m_query.finish(); }

private:
    QSqlQuery m_query;
    QList<QByteArray> m_binds;
    Dialect m_dialect;
    bool m_utf16;
};

/** The task of a connection. */
enum class Purpose : quint8 {
    Observe = 0, ///< PostgreSQL: a statement fails where row level security would hide rows from it
    TakeLocks,   ///< the application's rules hold for its own locks
};

class PostgresDriver;

/**
 * One connection to MySQL, PostgreSQL or SQLite. Blocking: a worker thread creates, uses and destroys it. The
 * source's time limits bound every wait for a server; a wait for a lock ends after two seconds. The
 * connection never reconnects by itself. The session's time zone is UTC.
 *
 * Behind a pooler of PostgreSQL sessions, other programs share the session. The connection then changes no
 * session setting: each transaction sets its own limits.
 *
 * The connection opens a SQLite file read-only where this user may not write it. Only the page size bounds
 * the time of a SQLite statement.
 */
class SqlConnection
{
public:
    explicit SqlConnection(Purpose purpose = Purpose::Observe);
    ~SqlConnection();
    Q_DISABLE_COPY_MOVE(Connection)

    base::Result<void> open(const SourceSpec &spec);
    void close();
    bool isOpen() const { return m_open; }
    Dialect dialect() const { return m_endpoint.dialect; }
    const Endpoint &endpoint() const { return m_endpoint; }
    /** True where version() contains "MariaDB". */
    bool isMariaDb() const { return m_mariaDb; }
    QString version() const { return m_version; }
    /** True where a proxy or pooler stands between this connection and the server. PostgreSQL: the pooler may
     * give each transaction another session of the server. */
    bool isPooled() const { return m_pooled; }
    /** SQLite: the file keeps its texts in UTF-16, and SQLite reads bytes that become a text as UTF-16. */
    bool isUtf16() const { return m_utf16; }
    /** PostgreSQL: from now on, names resolve in this schema only. NotFound where it doesn't exist. */
    base::Result<void> enterSchema(const QString &schema);
    /** A descriptor that becomes readable when the server ends the session; -1: no descriptor, or the driver
     * doesn't expose it. */
    int descriptor() const;

    base::Result<std::unique_ptr<Prepared>> prepare(const Statement &statement);
    /** Prepares and runs once, with the values in their order. */
    base::Result<QSqlQuery> query(const QString &sql, const QVariantList &values = {});
    /** Like query(); passes each row to `take`. */
    base::Result<void> eachRow(const QString &sql, const RowTaken &take, const QVariantList &values = {});
    /** The server's clock, microseconds since the epoch. */
    base::Result<qint64> storeTimeUs();

private:
    base::Result<void> connectTo(const SourceSpec &spec);
    /** The host name to pass to the driver. */
    base::Result<QString> driverHost(const SourceSpec &spec) const;
    base::Result<void> setUpSession(const SourceSpec &spec);
    base::Result<void> setUpMySql(const SourceSpec &spec);
    base::Result<void> setUpPostgreSql(const SourceSpec &spec);
    base::Result<void> applySettings();
    base::Result<QSqlQuery> newQuery() const;

    QString m_name;
    Purpose m_purpose;
    QString m_version;
    Endpoint m_endpoint;
    std::unique_ptr<Prepared> m_storeTime;
    bool m_open = false;
    bool m_mariaDb = false;
    bool m_pooled = false;
    bool m_utf16 = false;
    PostgresDriver *m_postgres = nullptr;    ///< driver of an open PostgreSQL connection
    QMap<QByteArray, QByteArray> m_settings; ///< of the PostgreSQL session
};

} // namespace lockkeeper::stores::sql
