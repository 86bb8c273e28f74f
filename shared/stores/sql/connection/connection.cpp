// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/connection/connection.h"

#include "shared/base/random_id.h"
#include "shared/base/text.h"
#include "shared/stores/sql/connection/mysql_tls.h"
#include "shared/stores/sql/connection/sql_errors.h"

#include <QFileInfo>
#include <QLibrary>
#include <QSqlDatabase>
#include <QSqlDriver>
#include <QSqlError>

#include <mysql.h>

namespace lockkeeper::stores::sql {

using base::ErrorCode;
using base::failure;

namespace {
struct Driver
{
    const char *name;
    const char *package;
};

Driver driverOf(Dialect dialect)
{
    switch (dialect) {
    case Dialect::PostgreSql:
        return {"QPSQL", "libqt6sql6-psql"};
    case Dialect::Sqlite:
        return {"QSQLITE", "libqt6sql6-sqlite"};
    case Dialect::MySql:
        break;
    }
    return {"QMYSQL", "libqt6sql6-mysql"};
}

/** Of a SQLite file: it has to be there, as opening would make it. */
base::Result<QString> fileOptions(const QString &path)
{
    const QFileInfo file(path);
    if (!file.isFile())
        return failure(ErrorCode::NotFound,
                       QStringLiteral("there is no file \"%1\"").arg(base::displayText(path)),
                       QStringLiteral("Check the path in the source's url."));
    return file.isWritable() ? QString() : QStringLiteral(";QSQLITE_OPEN_READONLY");
}

/** libpq reads E'\x00…' out of a byte array, and SQLite a blob; both would compare it with no text. */
QVariant bindable(const QVariant &value, Dialect dialect)
{
    if (dialect != Dialect::PostgreSql || value.typeId() != QMetaType::QByteArray)
        return value;
    return value.isNull() || value.toByteArray().isNull() ? QVariant(QMetaType::fromType<QString>())
                                                          : QVariant(QString::fromUtf8(value.toByteArray()));
}
} // namespace

std::optional<SqlFailure> Prepared::run(const Values &values)
{
    for (qsizetype i = 0; i < m_binds.size(); ++i)
        m_query.bindValue(int(i), bindable(values.value(m_binds.at(i)), m_dialect));
    if (!m_query.exec()) {
        const QSqlError error = m_query.lastError();
        return SqlFailure{errorOf(error, m_dialect), isServerRefusal(error, m_dialect),
                          isDuplicateKey(error, m_dialect)};
    }
    if (m_dialect == Dialect::Sqlite && m_query.isSelect()) {
        // Reads to the end at once: a statement that isn't finished keeps writers out of the file.
        m_query.last();
        m_query.seek(QSql::BeforeFirstRow);
    }
    return std::nullopt;
}

Connection::Connection() : m_name(QStringLiteral("lockkeeper-") + QString::fromLatin1(base::randomId())) {}

Connection::~Connection()
{
    close();
}

base::Result<void> Connection::open(const SourceSpec &spec)
{
    close();
    auto endpoint = endpointOf(spec.url);
    if (!endpoint)
        return tl::unexpected(endpoint.error());
    m_endpoint = *std::move(endpoint);
    auto result = connectTo(spec);
    if (result)
        result = setUpSession(spec);
    if (!result)
        close();
    return result;
}

base::Result<void> Connection::connectTo(const SourceSpec &spec)
{
    auto options = connectOptionsOf(m_endpoint, spec);
    if (!options)
        return tl::unexpected(options.error());
    if (m_endpoint.dialect == Dialect::Sqlite) {
        const auto more = fileOptions(m_endpoint.database);
        if (!more)
            return tl::unexpected(more.error());
        *options += *more;
    }
    const Driver driver = driverOf(m_endpoint.dialect);
    QSqlDatabase database = QSqlDatabase::addDatabase(QLatin1String(driver.name), m_name);
    m_open = database.isValid();
    if (!m_open)
        return failure(ErrorCode::Unsupported,
                       QStringLiteral("Qt's driver %1 isn't installed").arg(QLatin1String(driver.name)),
                       QStringLiteral("Install the package %1.").arg(QLatin1String(driver.package)));
    const auto host = driverHost(spec);
    if (!host)
        return tl::unexpected(host.error());
    database.setHostName(*host);
    database.setPort(m_endpoint.port);
    database.setDatabaseName(m_endpoint.database);
    database.setUserName(m_endpoint.user);
    database.setPassword(QString::fromUtf8(spec.password));
    database.setConnectOptions(*options);
    if (database.open())
        return {};
    base::Error error = errorOf(database.lastError(), m_endpoint.dialect);
    if (error.code == ErrorCode::ConnectionLost || error.code == ErrorCode::Unknown)
        error.code = ErrorCode::Unreachable;
    return tl::unexpected(error);
}

base::Result<QString> Connection::driverHost(const SourceSpec &spec) const
{
    const bool postgreSql = m_endpoint.dialect == Dialect::PostgreSql;
    if (!m_endpoint.socket.isEmpty())
        return postgreSql ? m_endpoint.socket : QString();
    if (spec.tls.isEmpty() || m_endpoint.dialect == Dialect::Sqlite)
        return m_endpoint.host;
    if (postgreSql)
        return m_endpoint.serverName;
    if (const auto installed = mysqltls::install(); !installed)
        return tl::unexpected(installed.error());
    return mysqltls::driverHost(m_endpoint.serverName, spec.tls);
}

void Connection::close()
{
    m_storeTime.reset();
    if (QSqlDatabase::contains(m_name))
        QSqlDatabase::removeDatabase(m_name);
    m_open = false;
}

base::Result<void> Connection::setUpSession(const SourceSpec &spec)
{
    const QString ask = m_endpoint.dialect == Dialect::Sqlite ? QStringLiteral("SELECT sqlite_version()")
                                                              : QStringLiteral("SELECT VERSION()");
    auto version = query(ask);
    if (!version)
        return tl::unexpected(version.error());
    m_version = version->next() ? version->value(0).toString() : QString();
    m_mariaDb = m_version.contains(QLatin1String("MariaDB"), Qt::CaseInsensitive);
    if (m_endpoint.dialect == Dialect::PostgreSql)
        return setUpPostgreSql(spec);
    if (m_endpoint.dialect == Dialect::MySql)
        return setUpMySql(spec);
    return {};
}

base::Result<void> Connection::setUpMySql(const SourceSpec &spec)
{
    if (m_endpoint.socket.isEmpty() && !spec.tls.isEmpty()) {
        auto cipher = query(QStringLiteral("SHOW SESSION STATUS LIKE 'Ssl_cipher'"));
        if (!cipher || !cipher->next() || cipher->value(1).toString().isEmpty())
            return failure(ErrorCode::Unreachable, QStringLiteral("the connection isn't encrypted"),
                           QStringLiteral("Switch TLS on at the server."));
    }
    const QString limit = m_mariaDb ? QStringLiteral("max_statement_time = %1")
                                          .arg(double(spec.statementTimeoutMs) / 1000.0, 0, 'f', 3)
                                    : QStringLiteral("max_execution_time = %1").arg(spec.statementTimeoutMs);
    // MySQL rounds fractions of a second when it stores them unless told to cut, which MariaDB does anyway.
    const QString mode =
        m_mariaDb ? QStringLiteral("STRICT_TRANS_TABLES,NO_ENGINE_SUBSTITUTION")
                  : QStringLiteral("STRICT_TRANS_TABLES,NO_ENGINE_SUBSTITUTION,TIME_TRUNCATE_FRACTIONAL");
    const QString session = QStringLiteral(
        "SET SESSION time_zone = '+00:00', character_set_results = utf8mb4, sql_mode = '%1', autocommit = 1, "
        "innodb_lock_wait_timeout = 2, lock_wait_timeout = 2, %2");
    const auto set = query(session.arg(mode, limit));
    if (!set)
        return tl::unexpected(set.error());
    return {};
}

base::Result<void> Connection::setUpPostgreSql(const SourceSpec &spec)
{
    const QStringList settings{QStringLiteral("TimeZone = 'UTC'"),
                               QStringLiteral("DateStyle = 'ISO, YMD'"),
                               QStringLiteral("standard_conforming_strings = on"),
                               QStringLiteral("default_transaction_isolation = 'read committed'"),
                               QStringLiteral("lock_timeout = 2000"),
                               QStringLiteral("statement_timeout = %1").arg(spec.statementTimeoutMs)};
    for (const QString &setting : settings) {
        const auto set = query(QStringLiteral("SET ") + setting);
        if (!set)
            return tl::unexpected(set.error());
    }
    if (m_endpoint.schema.isEmpty())
        return {};
    const auto found =
        query(QStringLiteral("SELECT set_config('search_path', quote_ident(?), false)"), {m_endpoint.schema});
    return found ? base::Result<void>() : tl::unexpected(found.error());
}

int Connection::descriptor() const
{
    if (!m_open || m_endpoint.dialect == Dialect::Sqlite)
        return -1;
    const QVariant handle = QSqlDatabase::database(m_name, false).driver()->handle();
    if (!handle.metaType().flags().testFlag(QMetaType::IsPointer))
        return -1;
    if (m_endpoint.dialect == Dialect::MySql)
        return int(mysql_get_socket(*static_cast<MYSQL *const *>(handle.constData())));
    // Qt's driver has loaded it already.
    using Socket = int (*)(const void *);
    const auto socket = reinterpret_cast<Socket>(QLibrary(QStringLiteral("pq"), 5).resolve("PQsocket"));
    return socket != nullptr ? socket(*static_cast<void *const *>(handle.constData())) : -1;
}

base::Result<QSqlQuery> Connection::newQuery() const
{
    if (!m_open)
        return failure(ErrorCode::Unreachable, QStringLiteral("not connected"));
    QSqlQuery query(QSqlDatabase::database(m_name, false));
    // Forward-only PostgreSQL queries forget their rows when another one is run, and SQLite's stay open.
    query.setForwardOnly(m_endpoint.dialect == Dialect::MySql);
    return query;
}

base::Result<std::unique_ptr<Prepared>> Connection::prepare(const Statement &statement)
{
    auto query = newQuery();
    if (!query)
        return tl::unexpected(query.error());
    if (!query->prepare(QString::fromUtf8(statement.sql)))
        return tl::unexpected(errorOf(query->lastError(), m_endpoint.dialect));
    return std::make_unique<Prepared>(*std::move(query), statement.binds, m_endpoint.dialect);
}

base::Result<QSqlQuery> Connection::query(const QString &sql, const QVariantList &values)
{
    auto query = newQuery();
    if (!query)
        return query;
    bool ok = false;
    if (values.isEmpty()) {
        ok = query->exec(sql);
    } else {
        ok = query->prepare(sql);
        for (qsizetype i = 0; ok && i < values.size(); ++i)
            query->bindValue(int(i), bindable(values.at(i), m_endpoint.dialect));
        ok = ok && query->exec();
    }
    if (!ok)
        return tl::unexpected(errorOf(query->lastError(), m_endpoint.dialect));
    return query;
}

base::Result<void> Connection::eachRow(const QString &sql, const RowTaken &take, const QVariantList &values)
{
    return query(sql, values).map([&take](QSqlQuery rows) {
        while (rows.next())
            take(rows);
    });
}

base::Result<qint64> Connection::storeTimeUs()
{
    if (!m_storeTime) {
        auto made = prepare({"SELECT " + nowUsSql(m_endpoint.dialect), {}});
        if (!made)
            return tl::unexpected(made.error());
        m_storeTime = *std::move(made);
    }
    if (const auto failed = m_storeTime->run({}))
        return tl::unexpected(failed->error);
    const qint64 now = m_storeTime->rows().next() ? m_storeTime->rows().value(0).toLongLong() : 0;
    m_storeTime->finish();
    return now;
}

} // namespace lockkeeper::stores::sql
