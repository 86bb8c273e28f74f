// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/connection/sql_connection.h"

#include "shared/base/random_id.h"
#include "shared/base/text.h"
#include "shared/stores/sql/connection/mysql_tls.h"
#include "shared/stores/sql/connection/postgres_driver.h"
#include "shared/stores/sql/connection/sql_errors.h"

#include <QFileInfo>
#include <QSqlDatabase>
#include <QSqlDriver>
#include <QSqlError>

#include <mysql.h>

namespace lockkeeper::stores::sql {

using base::ErrorCode;
using base::failure;

namespace {
/** The next statement may come later than the server's own limit allows. */
constexpr int kIdleSeconds = 86'400;

struct Driver
{
    const char *name;
    const char *package;
};

Driver driverOf(Dialect dialect)
{
    switch (dialect) {
    case Dialect::PostgreSql:
        return {"libpq", "libpq5"};
    case Dialect::Sqlite:
        return {"QSQLITE", "libqt6sql6-sqlite"};
    case Dialect::MySql:
        break;
    }
    return {"QMYSQL", "libqt6sql6-mysql"};
}

/** Options for a SQLite file. The file must exist, as opening would create it. */
base::Result<QString> fileOptions(const QString &path)
{
    const QFileInfo file(path);
    if (!file.isFile())
        return failure(ErrorCode::NotFound,
                       QStringLiteral("there is no file \"%1\"").arg(base::displayText(path)),
                       QStringLiteral("Check the path in the source's url."));
    return file.isWritable() ? QString() : QStringLiteral(";QSQLITE_OPEN_READONLY");
}

QSqlDatabase addDatabase(Dialect dialect, const QString &name)
{
    if (dialect != Dialect::PostgreSql)
        return QSqlDatabase::addDatabase(QLatin1String(driverOf(dialect).name), name);
    return PostgresDriver::isAvailable() ? QSqlDatabase::addDatabase(new PostgresDriver, name)
                                         : QSqlDatabase();
}
} // namespace

std::optional<SqlFailure> Prepared::run(const Values &values)
{
    for (qsizetype i = 0; i < m_binds.size(); ++i) {
        QVariant value = values.value(m_binds.at(i));
        if (m_utf16 && value.typeId() == QMetaType::QByteArray && !value.isNull())
            value = QString::fromUtf8(value.toByteArray());
        m_query.bindValue(int(i), value);
    }
    if (!m_query.exec()) {
        const QSqlError error = m_query.lastError();
        return SqlFailure{errorOf(error, m_dialect), isServerRefusal(error, m_dialect),
                          isDuplicateKey(error, m_dialect)};
    }
    if (m_dialect == Dialect::Sqlite && m_query.isSelect()) {
        // Read to the end at once: an unfinished statement keeps writers out of the file.
        m_query.last();
        m_query.seek(QSql::BeforeFirstRow);
    }
    return std::nullopt;
}

SqlConnection::SqlConnection(Purpose purpose)
    : m_name(QStringLiteral("lockkeeper-") + QString::fromLatin1(base::randomId())), m_purpose(purpose)
{
}

SqlConnection::~SqlConnection()
{
    close();
}

base::Result<void> SqlConnection::open(const SourceSpec &spec)
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

base::Result<void> SqlConnection::connectTo(const SourceSpec &spec)
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
    QSqlDatabase database = addDatabase(m_endpoint.dialect, m_name);
    m_open = database.isValid();
    if (!m_open)
        return failure(ErrorCode::Unsupported,
                       QStringLiteral("the driver %1 isn't installed").arg(QLatin1String(driver.name)),
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
    if (database.open()) {
        m_postgres = qobject_cast<PostgresDriver *>(database.driver());
        return {};
    }
    base::Error error = errorOf(database.lastError(), m_endpoint.dialect);
    if (error.code == ErrorCode::ConnectionLost || error.code == ErrorCode::Unknown)
        error.code = ErrorCode::Unreachable;
    return tl::unexpected(error);
}

base::Result<QString> SqlConnection::driverHost(const SourceSpec &spec) const
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

void SqlConnection::close()
{
    m_storeTime.reset();
    m_postgres = nullptr;
    m_pooled = false;
    m_settings.clear();
    if (QSqlDatabase::contains(m_name))
        QSqlDatabase::removeDatabase(m_name);
    m_open = false;
}

base::Result<void> SqlConnection::setUpSession(const SourceSpec &spec)
{
    const QString ask = m_endpoint.dialect == Dialect::Sqlite ? QStringLiteral("SELECT sqlite_version()")
                                                              : QStringLiteral("SELECT VERSION()");
    auto version = query(ask);
    if (!version)
        return tl::unexpected(version.error());
    m_version = version->next() ? version->value(0).toString() : QString();
    version->finish(); // SQLite 3.46 reads no UTF-16 schema while a statement runs: SQLITE_LOCKED
    m_mariaDb = m_version.contains(QLatin1String("MariaDB"), Qt::CaseInsensitive);
    if (m_endpoint.dialect == Dialect::PostgreSql)
        return setUpPostgreSql(spec);
    if (m_endpoint.dialect == Dialect::MySql)
        return setUpMySql(spec);
    auto encoding = query(QStringLiteral("PRAGMA encoding"));
    if (!encoding)
        return tl::unexpected(encoding.error());
    m_utf16 = encoding->next() && encoding->value(0).toString().startsWith(QLatin1String("UTF-16"));
    return {};
}

base::Result<void> SqlConnection::setUpMySql(const SourceSpec &spec)
{
    if (m_endpoint.socket.isEmpty() && !spec.tls.isEmpty()) {
        auto cipher = query(QStringLiteral("SHOW SESSION STATUS LIKE 'Ssl_cipher'"));
        if (!cipher || !cipher->next() || cipher->value(1).toString().isEmpty())
            return failure(ErrorCode::Unreachable, QStringLiteral("the connection isn't encrypted"),
                           QStringLiteral("Enable TLS on the server."));
    }
    const QString limit = m_mariaDb ? QStringLiteral("max_statement_time = %1")
                                          .arg(double(spec.statementTimeoutMs) / 1000.0, 0, 'f', 3)
                                    : QStringLiteral("max_execution_time = %1").arg(spec.statementTimeoutMs);
    // By default MySQL rounds fractions of a second that it stores. MariaDB truncates them anyway.
    const QString mode =
        m_mariaDb ? QStringLiteral("STRICT_TRANS_TABLES,NO_ENGINE_SUBSTITUTION")
                  : QStringLiteral("STRICT_TRANS_TABLES,NO_ENGINE_SUBSTITUTION,TIME_TRUNCATE_FRACTIONAL");
    const QString session = QStringLiteral(
        "SET SESSION time_zone = '+00:00', character_set_results = utf8mb4, sql_mode = '%1', autocommit = 1, "
        "innodb_lock_wait_timeout = 2, lock_wait_timeout = 2, %2%3");
    const QString idle = m_purpose == Purpose::Observe
                             ? QStringLiteral(", wait_timeout = %1").arg(kIdleSeconds)
                             : QString(); // for a lock holder, the server's own limit applies
    const auto set = query(session.arg(mode, limit, idle));
    if (!set)
        return tl::unexpected(set.error());
    // MaxScale opens its own connections to the server, so the ids differ. ProxySQL answers both queries
    // itself.
    auto link = query(QStringLiteral("SELECT CONNECTION_ID(), @@version_comment"));
    const QVariant handle = QSqlDatabase::database(m_name, false).driver()->handle();
    if (link && link->next() && handle.metaType().flags().testFlag(QMetaType::IsPointer))
        m_pooled = link->value(1).toString().contains(QLatin1String("ProxySQL")) ||
                   quint32(link->value(0).toULongLong()) !=
                       quint32(mysql_thread_id(*static_cast<MYSQL *const *>(handle.constData())));
    return {};
}

base::Result<void> SqlConnection::setUpPostgreSql(const SourceSpec &spec)
{
    auto session = query(QStringLiteral(
        "SELECT pg_backend_pid(), CAST(current_setting('server_version_num') AS integer) >= 140000"));
    if (!session)
        return tl::unexpected(session.error());
    const bool isTold = session->next();
    // At the start, a pooler can't know which session each statement will reach.
    m_pooled = !isTold || session->value(0).toInt() != m_postgres->backendId();
    m_settings = {{"TimeZone", "UTC"},
                  {"DateStyle", "ISO, YMD"},
                  {"lock_timeout", "2000"},
                  {"statement_timeout", QByteArray::number(spec.statementTimeoutMs)}};
    if (!m_pooled)
        m_settings.insert("default_transaction_isolation", "read committed");
    const bool observes = m_purpose == Purpose::Observe;
    if (!m_pooled && observes &&
        session->value(1).toBool()) // the next statement may come later than it allows
        m_settings.insert("idle_session_timeout", "0");
    if (observes)
        m_settings.insert("row_security", "off");
    return m_endpoint.schema.isEmpty() ? applySettings() : enterSchema(m_endpoint.schema);
}

base::Result<void> SqlConnection::enterSchema(const QString &schema)
{
    auto found =
        query(QStringLiteral("SELECT quote_ident(nspname) FROM pg_catalog.pg_namespace WHERE nspname = ?"),
              {schema});
    if (!found)
        return tl::unexpected(found.error());
    if (!found->next())
        return failure(ErrorCode::NotFound,
                       QStringLiteral("there is no schema \"%1\" in the database \"%2\"")
                           .arg(base::displayText(schema), base::displayText(m_endpoint.database)),
                       QStringLiteral("Check the schema in the source's url."));
    m_settings.insert("search_path", found->value(0).toByteArray());
    return applySettings();
}

base::Result<void> SqlConnection::applySettings()
{
    QByteArrayList calls;
    for (auto it = m_settings.cbegin(); it != m_settings.cend(); ++it)
        calls.append("pg_catalog.set_config('" + it.key() + "', " + postgresLiteral(*it) +
                     (m_pooled ? ", true)" : ", false)"));
    const QByteArray set = "SELECT " + calls.join(", ");
    if (m_pooled) {
        m_postgres->setPrefix("SET TRANSACTION ISOLATION LEVEL READ COMMITTED; " + set + "; ");
        return {};
    }
    const auto done = query(QString::fromUtf8(set));
    return done ? base::Result<void>() : tl::unexpected(done.error());
}

int SqlConnection::descriptor() const
{
    if (!m_open || m_endpoint.dialect == Dialect::Sqlite)
        return -1;
    if (m_postgres != nullptr)
        return m_postgres->socket();
    const QVariant handle = QSqlDatabase::database(m_name, false).driver()->handle();
    if (!handle.metaType().flags().testFlag(QMetaType::IsPointer))
        return -1;
    return int(mysql_get_socket(*static_cast<MYSQL *const *>(handle.constData())));
}

base::Result<QSqlQuery> SqlConnection::newQuery() const
{
    if (!m_open)
        return failure(ErrorCode::Unreachable, QStringLiteral("not connected"));
    QSqlQuery query(QSqlDatabase::database(m_name, false));
    // A forward-only statement of SQLite stays open.
    query.setForwardOnly(m_endpoint.dialect == Dialect::MySql);
    return query;
}

base::Result<std::unique_ptr<Prepared>> SqlConnection::prepare(const Statement &statement)
{
    auto query = newQuery();
    if (!query)
        return tl::unexpected(query.error());
    if (!query->prepare(QString::fromUtf8(statement.sql)))
        return tl::unexpected(errorOf(query->lastError(), m_endpoint.dialect));
    return std::make_unique<Prepared>(*std::move(query), statement.binds, m_endpoint.dialect, m_utf16);
}

base::Result<QSqlQuery> SqlConnection::query(const QString &sql, const QVariantList &values)
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
            query->bindValue(int(i), values.at(i));
        ok = ok && query->exec();
    }
    if (!ok)
        return tl::unexpected(errorOf(query->lastError(), m_endpoint.dialect));
    return query;
}

base::Result<void> SqlConnection::eachRow(const QString &sql, const RowTaken &take,
                                          const QVariantList &values)
{
    return query(sql, values).map([&take](QSqlQuery rows) {
        while (rows.next())
            take(rows);
    });
}

base::Result<qint64> SqlConnection::storeTimeUs()
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
