// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/result.h"
#include "shared/stores/source_spec.h"
#include "shared/stores/sql/statements.h"

#include <QSqlQuery>
#include <QVariant>

#include <memory>
#include <optional>

namespace lockkeeper::stores::sql {

using Values = QHash<QByteArray, QVariant>;

/** How a statement that was sent failed. */
struct SqlFailure
{
    base::Error error;
    bool refused = false; ///< by the server, which undid it; false: the effect is unknown
};

/** A prepared statement of one Connection, which has to outlive it. Same thread. */
class Prepared
{
public:
    Prepared(QSqlQuery query, QList<QByteArray> binds) : m_query(std::move(query)), m_binds(std::move(binds))
    {
    }

    /** Runs it with the values that it names; others are ignored. */
    std::optional<SqlFailure> run(const Values &values);
    /** The rows of the last run, forward only. */
    QSqlQuery &rows() { return m_query; }
    /** Gives the rows' memory back. */
    void finish() { m_query.finish(); }

private:
    QSqlQuery m_query;
    QList<QByteArray> m_binds;
};

/** What a URL asks for. */
struct Endpoint
{
    QString host;
    int port = 3306;
    QString socket; ///< a local socket instead of host and port
    QString user;
    QString database;
};

/** Reads mysql:// and mysql+unix:// URLs; a Usage error names what is missing. */
base::Result<Endpoint> endpointOf(const QUrl &url);

/**
 * One connection through Qt's MySQL driver. Blocking: belongs to a worker thread, where it is made, used and
 * destroyed. Every wait is bounded by the source's time limits, and it never reconnects by itself.
 */
class Connection
{
public:
    Connection();
    ~Connection();
    Q_DISABLE_COPY_MOVE(Connection)

    base::Result<void> open(const SourceSpec &spec);
    void close();
    bool isOpen() const { return m_open; }
    /** Version() has "MariaDB" in it. */
    bool isMariaDb() const { return m_mariaDb; }
    QString version() const { return m_version; }

    base::Result<std::unique_ptr<Prepared>> prepare(const Statement &statement);
    /** Prepares and runs once, with the values in their order. */
    base::Result<QSqlQuery> query(const QString &sql, const QVariantList &values = {});

private:
    base::Result<void> setUpSession(const SourceSpec &spec);

    QString m_name;
    QString m_version;
    bool m_open = false;
    bool m_mariaDb = false;
};

} // namespace lockkeeper::stores::sql
