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

/** How a statement that was sent failed. */
struct SqlFailure
{
    base::Error error;
    bool refused = false;   ///< by the server, which undid it; false: the effect is unknown
    bool duplicate = false; ///< an insert whose key is there already
};

/** A prepared statement of one Connection, which has to outlive it. Same thread. */
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
    /** The rows of the last run; to be read once, from the first to the last. */
    QSqlQuery &rows() { return m_query; }
    /** Gives the rows' memory back. */
    void finish() { m_query.finish(); }

private:
    QSqlQuery m_query;
    QList<QByteArray> m_binds;
    Dialect m_dialect;
    bool m_utf16;
};

/** What a connection is for. */
enum class Purpose : quint8 {
    Observe = 0, ///< PostgreSQL: a statement fails where row level security would hide rows from it
    TakeLocks,   ///< the application's rules hold for its own locks
};

class PostgresDriver;

/**
 * One connection to MySQL, PostgreSQL or SQLite. Blocking: belongs to a worker thread, where it is made, used
 * and destroyed. Every wait for a server is bounded by the source's time limits, waits for a lock by two
 * seconds, and it never reconnects by itself. The session's time zone is UTC.
 *
 * Behind a pooler of PostgreSQL sessions nothing is set in the session, which other programs share: each
 * transaction sets its limits for itself.
 *
 * A SQLite file is opened for reading alone where this user may not write it; nothing bounds the time of one
 * of its statements but the page size.
 */
class Connection
{
public:
    explicit Connection(Purpose purpose = Purpose::Observe);
    ~Connection();
    Q_DISABLE_COPY_MOVE(Connection)

    base::Result<void> open(const SourceSpec &spec);
    void close();
    bool isOpen() const { return m_open; }
    Dialect dialect() const { return m_endpoint.dialect; }
    const Endpoint &endpoint() const { return m_endpoint; }
    /** Version() has "MariaDB" in it. */
    bool isMariaDb() const { return m_mariaDb; }
    QString version() const { return m_version; }
    /** Somebody stands between this and the server. PostgreSQL: who may give each transaction another session
     * of it. */
    bool isPooled() const { return m_pooled; }
    /** SQLite: the file keeps its texts in UTF-16, and takes bytes that become a text for that. */
    bool isUtf16() const { return m_utf16; }
    /** PostgreSQL: from now on names lead to this schema alone; NotFound where there is none. */
    base::Result<void> enterSchema(const QString &schema);
    /** Becomes readable when the server ends the session; -1: there is none, or the driver doesn't tell it.
     */
    int descriptor() const;

    base::Result<std::unique_ptr<Prepared>> prepare(const Statement &statement);
    /** Prepares and runs once, with the values in their order. */
    base::Result<QSqlQuery> query(const QString &sql, const QVariantList &values = {});
    /** The same; each row is given to `take`. */
    base::Result<void> eachRow(const QString &sql, const RowTaken &take, const QVariantList &values = {});
    /** The server's clock, microseconds since the epoch. */
    base::Result<qint64> storeTimeUs();

private:
    base::Result<void> connectTo(const SourceSpec &spec);
    /** What the driver is to take for the host. */
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
    PostgresDriver *m_postgres = nullptr;    ///< of an open connection to PostgreSQL
    QMap<QByteArray, QByteArray> m_settings; ///< of it
};

} // namespace lockkeeper::stores::sql
