// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/connection.h"

#include "shared/stores/sql/sql_errors.h"

#include <QSqlDatabase>
#include <QSqlError>
#include <QUrlQuery>
#include <QUuid>

#include <algorithm>

namespace lockkeeper::stores::sql {

using base::ErrorCode;
using base::failure;

namespace {
int wholeSeconds(qint64 ms)
{
    return int(std::max<qint64>((ms + 999) / 1000, 1));
}

QString connectOptions(const SourceSpec &spec, const QString &socket)
{
    // The server's own limit ends a statement first; the client's read time-out is for a peer that is gone.
    QString options =
        QStringLiteral("MYSQL_OPT_CONNECT_TIMEOUT=%1;MYSQL_OPT_READ_TIMEOUT=%2;MYSQL_OPT_WRITE_TIMEOUT=%2")
            .arg(wholeSeconds(spec.connectTimeoutMs))
            .arg(wholeSeconds(spec.statementTimeoutMs) + 1);
    if (!socket.isEmpty())
        options += QStringLiteral(";UNIX_SOCKET=") + socket;
    return options;
}
} // namespace

std::optional<SqlFailure> Prepared::run(const Values &values)
{
    for (qsizetype i = 0; i < m_binds.size(); ++i)
        m_query.bindValue(int(i), values.value(m_binds.at(i)));
    if (m_query.exec())
        return std::nullopt;
    const QSqlError error = m_query.lastError();
    return SqlFailure{errorOf(error), isServerRefusal(error.nativeErrorCode().toInt())};
}

base::Result<Endpoint> endpointOf(const QUrl &url)
{
    Endpoint to;
    const QUrlQuery query(url);
    if (url.scheme() == QLatin1String("mysql+unix")) {
        to.socket = url.path(QUrl::FullyDecoded);
        to.database = query.queryItemValue(QStringLiteral("db"), QUrl::FullyDecoded);
        to.user = query.queryItemValue(QStringLiteral("user"), QUrl::FullyDecoded);
        if (to.socket.isEmpty() || to.socket.contains(QLatin1Char(';')))
            return failure(ErrorCode::Usage, QStringLiteral("the url names no socket"),
                           QStringLiteral("Write mysql+unix:///path/to.sock?db=app&user=lockkeeper."));
    } else {
        // The client library takes "localhost" for its default socket; a URL with a host means TCP.
        to.host = url.host() == QLatin1String("localhost") ? QStringLiteral("127.0.0.1") : url.host();
        to.port = url.port(3306);
        to.database = url.path(QUrl::FullyDecoded).mid(1);
        to.user = url.userName(QUrl::FullyDecoded);
        if (to.host.isEmpty())
            return failure(ErrorCode::Usage, QStringLiteral("the url names no host"),
                           QStringLiteral("Write mysql://user@host:3306/database."));
    }
    if (to.database.isEmpty())
        return failure(ErrorCode::Usage, QStringLiteral("the url names no database"),
                       QStringLiteral("Write mysql://user@host:3306/database or "
                                      "mysql+unix:///path/to.sock?db=database&user=user."));
    return to;
}

Connection::Connection()
    : m_name(QStringLiteral("lockkeeper-") + QUuid::createUuid().toString(QUuid::WithoutBraces))
{
}

Connection::~Connection()
{
    close();
}

base::Result<void> Connection::open(const SourceSpec &spec)
{
    close();
    const auto endpoint = endpointOf(spec.url);
    if (!endpoint)
        return tl::unexpected(endpoint.error());
    base::Result<void> result;
    {
        QSqlDatabase database = QSqlDatabase::addDatabase(QStringLiteral("QMYSQL"), m_name);
        m_open = database.isValid();
        if (!m_open) {
            result = failure(ErrorCode::Unsupported, QStringLiteral("Qt's MySQL driver isn't installed"),
                             QStringLiteral("Install the package libqt6sql6-mysql."));
        } else {
            database.setHostName(endpoint->host);
            database.setPort(endpoint->port);
            database.setDatabaseName(endpoint->database);
            database.setUserName(endpoint->user);
            database.setPassword(QString::fromUtf8(spec.password));
            database.setConnectOptions(connectOptions(spec, endpoint->socket));
            if (!database.open()) {
                base::Error error = errorOf(database.lastError());
                if (error.code == ErrorCode::ConnectionLost || error.code == ErrorCode::Unknown)
                    error.code = ErrorCode::Unreachable;
                result = tl::unexpected(error);
            }
        }
    }
    if (result)
        result = setUpSession(spec);
    if (!result)
        close();
    return result;
}

void Connection::close()
{
    if (QSqlDatabase::contains(m_name))
        QSqlDatabase::removeDatabase(m_name);
    m_open = false;
}

base::Result<void> Connection::setUpSession(const SourceSpec &spec)
{
    auto version = query(QStringLiteral("SELECT VERSION()"));
    if (!version)
        return tl::unexpected(version.error());
    m_version = version->next() ? version->value(0).toString() : QString();
    m_mariaDb = m_version.contains(QLatin1String("MariaDB"), Qt::CaseInsensitive);
    const QString limit = m_mariaDb ? QStringLiteral("max_statement_time = %1")
                                          .arg(double(spec.statementTimeoutMs) / 1000.0, 0, 'f', 3)
                                    : QStringLiteral("max_execution_time = %1").arg(spec.statementTimeoutMs);
    // MySQL rounds fractions of a second when it stores them unless told to cut, which MariaDB does anyway.
    const QString mode =
        m_mariaDb ? QStringLiteral("STRICT_TRANS_TABLES,NO_ENGINE_SUBSTITUTION")
                  : QStringLiteral("STRICT_TRANS_TABLES,NO_ENGINE_SUBSTITUTION,TIME_TRUNCATE_FRACTIONAL");
    const QString session =
        QStringLiteral("SET SESSION time_zone = '+00:00', sql_mode = '%1', autocommit = 1, "
                       "innodb_lock_wait_timeout = 2, lock_wait_timeout = 2, %2");
    const auto set = query(session.arg(mode, limit));
    if (!set)
        return tl::unexpected(set.error());
    return {};
}

base::Result<std::unique_ptr<Prepared>> Connection::prepare(const Statement &statement)
{
    QSqlQuery query(QSqlDatabase::database(m_name, false));
    query.setForwardOnly(true);
    if (!query.prepare(QString::fromUtf8(statement.sql)))
        return tl::unexpected(errorOf(query.lastError()));
    return std::make_unique<Prepared>(std::move(query), statement.binds);
}

base::Result<QSqlQuery> Connection::query(const QString &sql, const QVariantList &values)
{
    QSqlQuery query(QSqlDatabase::database(m_name, false));
    query.setForwardOnly(true);
    bool ok = false;
    if (values.isEmpty()) {
        ok = query.exec(sql);
    } else {
        ok = query.prepare(sql);
        for (qsizetype i = 0; ok && i < values.size(); ++i)
            query.bindValue(int(i), values.at(i));
        ok = ok && query.exec();
    }
    if (!ok)
        return tl::unexpected(errorOf(query.lastError()));
    return query;
}

} // namespace lockkeeper::stores::sql
