// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/shared/stores/sql/test_database.h"

#include "tests/support/postgres_server.h"

#include <QCoreApplication>
#include <QFile>
#include <QSqlDatabase>
#include <QSqlError>
#include <QSqlQuery>
#include <QSqlRecord>
#include <QTest>
#include <QUrlQuery>
#include <QUuid>

#include <cstdio>

namespace lockkeeper::tests {

using stores::SourceSpec;
using stores::sql::Dialect;

namespace {
/** Runs one statement on a connection that lives no longer. */
QList<Row> execOn(const std::function<void(QSqlDatabase &)> &setUp, const QString &driver, const QString &sql)
{
    const QString name = QStringLiteral("test-") + QUuid::createUuid().toString(QUuid::WithoutBraces);
    QList<Row> rows;
    {
        QSqlDatabase database = QSqlDatabase::addDatabase(driver, name);
        setUp(database);
        if (!database.open())
            qFatal("%s", qPrintable(database.lastError().text()));
        QSqlQuery query(database);
        if (!query.exec(sql))
            qFatal("%s: %s", qPrintable(query.lastError().text()), qPrintable(sql));
        while (query.next()) {
            Row row;
            for (int i = 0; i < query.record().count(); ++i)
                row.append(query.value(i).toByteArray());
            rows.append(row);
        }
    }
    QSqlDatabase::removeDatabase(name);
    return rows;
}

SourceSpec named(const QUrl &url)
{
    SourceSpec spec;
    spec.name = QStringLiteral("db");
    spec.url = url;
    return spec;
}

class MariaDb final : public TestDatabase
{
public:
    explicit MariaDb(const QStringList &options = {})
        : m_server(QStringList{QStringLiteral("--default-time-zone=+00:00")} + options)
    {
    }
    Dialect dialect() const override { return Dialect::MySql; }
    bool reset() override
    {
        if (!m_server.isRunning() && !m_server.start())
            return false;
        m_server.exec(QStringLiteral("CREATE OR REPLACE DATABASE app"));
        m_server.exec(QStringLiteral("SET time_zone = '+00:00'"), QStringLiteral("app"));
        return true;
    }
    QList<Row> exec(const QString &sql) override
    {
        return execOn(
            [this](QSqlDatabase &database) {
                database.setConnectOptions(QStringLiteral("UNIX_SOCKET=") + m_server.socketPath());
                database.setDatabaseName(QStringLiteral("app"));
                database.setUserName(QStringLiteral("root"));
            },
            QStringLiteral("QMYSQL"), sql);
    }
    SourceSpec spec() const override { return named(m_server.url(QStringLiteral("app"))); }

private:
    MariaDbServer m_server;
};

class MySql final : public TestDatabase
{
public:
    /** The server is shared by tests that run at once. */
    explicit MySql(const QUrl &url)
        : m_url(url), m_name(QStringLiteral("lockkeeper_%1").arg(QCoreApplication::applicationPid()))
    {
        m_url.setPath(QLatin1Char('/') + m_name);
    }
    ~MySql() override
    {
        if (m_made)
            on(QString(), QStringLiteral("DROP DATABASE ") + m_name);
    }
    Dialect dialect() const override { return Dialect::MySql; }
    bool reset() override
    {
        on(QString(), QStringLiteral("DROP DATABASE IF EXISTS ") + m_name);
        on(QString(), QStringLiteral("CREATE DATABASE ") + m_name);
        m_made = true;
        return true;
    }
    QList<Row> exec(const QString &sql) override { return on(m_name, sql); }
    SourceSpec spec() const override
    {
        QUrl plain = m_url;
        plain.setPassword(QString());
        SourceSpec spec = named(plain);
        spec.password = m_url.password(QUrl::FullyDecoded).toUtf8();
        return spec;
    }

private:
    QList<Row> on(const QString &database, const QString &sql)
    {
        return execOn(
            [&](QSqlDatabase &to) {
                to.setHostName(m_url.host());
                to.setPort(m_url.port(3306));
                to.setUserName(m_url.userName());
                to.setPassword(m_url.password(QUrl::FullyDecoded));
                to.setDatabaseName(database);
            },
            QStringLiteral("QMYSQL"), sql);
    }

    QUrl m_url;
    QString m_name;
    bool m_made = false;
};

class Postgres final : public TestDatabase
{
public:
    Dialect dialect() const override { return Dialect::PostgreSql; }
    bool reset() override
    {
        if (!m_server.isRunning() && !m_server.start())
            return false;
        exec(QStringLiteral("SET client_min_messages = warning; DROP SCHEMA public CASCADE"));
        exec(QStringLiteral("CREATE SCHEMA public"));
        return true;
    }
    QList<Row> exec(const QString &sql) override
    {
        return execOn(
            [this](QSqlDatabase &database) {
                database.setHostName(m_server.socketFolder());
                database.setPort(m_server.port());
                database.setDatabaseName(QStringLiteral("postgres"));
                database.setUserName(QStringLiteral("root"));
            },
            QStringLiteral("QPSQL"), sql);
    }
    SourceSpec spec() const override { return named(m_server.url()); }

private:
    PostgresServer m_server{{QStringLiteral("-c"), QStringLiteral("max_prepared_transactions=5")}};
};

class Sqlite final : public TestDatabase
{
public:
    Dialect dialect() const override { return Dialect::Sqlite; }
    bool reset() override
    {
        QFile::remove(path());
        exec(QStringLiteral("VACUUM")); // makes the file
        return true;
    }
    QList<Row> exec(const QString &sql) override
    {
        return execOn([this](QSqlDatabase &database) { database.setDatabaseName(path()); },
                      QStringLiteral("QSQLITE"), sql);
    }
    SourceSpec spec() const override { return named(QUrl(QStringLiteral("sqlite:") + path())); }

private:
    QString path() const { return m_folder.filePath(QStringLiteral("app.db")); }

    QTemporaryDir m_folder;
};

struct Words
{
    const char *id;
    const char *time;
    const char *boolean;
    const char *now;
    const char *ago;
    const char *ahead;
    const char *soon;
    const char *epoch;
    const char *lastId;
};

Words wordsOf(Dialect dialect)
{
    switch (dialect) {
    case Dialect::PostgreSql:
        return {"BIGSERIAL PRIMARY KEY",
                "TIMESTAMP(6)",
                "BOOLEAN",
                "(now() AT TIME ZONE 'UTC')",
                "(now() AT TIME ZONE 'UTC' - INTERVAL '1 hour')",
                "(now() AT TIME ZONE 'UTC' + INTERVAL '1 hour')",
                "(now() AT TIME ZONE 'UTC' + INTERVAL '1 second')",
                "CAST(EXTRACT(EPOCH FROM now()) AS bigint)",
                "lastval()"};
    case Dialect::Sqlite:
        return {"INTEGER PRIMARY KEY AUTOINCREMENT",
                "DATETIME",
                "BOOLEAN",
                "strftime('%Y-%m-%d %H:%M:%f', 'now')",
                "strftime('%Y-%m-%d %H:%M:%f', 'now', '-1 hour')",
                "strftime('%Y-%m-%d %H:%M:%f', 'now', '+1 hour')",
                "strftime('%Y-%m-%d %H:%M:%f', 'now', '+1 second')",
                "CAST(strftime('%s', 'now') AS INTEGER)",
                "last_insert_rowid()"};
    case Dialect::MySql:
        break;
    }
    return {"BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY",
            "DATETIME(6)",
            "BIT(1)",
            "UTC_TIMESTAMP(6)",
            "(UTC_TIMESTAMP(6) - INTERVAL 1 HOUR)",
            "(UTC_TIMESTAMP(6) + INTERVAL 1 HOUR)",
            "(UTC_TIMESTAMP(6) + INTERVAL 1 SECOND)",
            "UNIX_TIMESTAMP()",
            "LAST_INSERT_ID()"};
}
} // namespace

QString TestDatabase::translated(QString sql) const
{
    const Words words = wordsOf(dialect());
    sql.replace(QLatin1String("{ID}"), QLatin1String(words.id))
        .replace(QLatin1String("{TIME}"), QLatin1String(words.time))
        .replace(QLatin1String("{BOOL}"), QLatin1String(words.boolean))
        .replace(QLatin1String("{TRUE}"), QLatin1String(dialect() == Dialect::PostgreSql ? "TRUE" : "1"))
        .replace(QLatin1String("{FALSE}"), QLatin1String(dialect() == Dialect::PostgreSql ? "FALSE" : "0"))
        .replace(QLatin1String("{LAST_ID}"), QLatin1String(words.lastId))
        .replace(QLatin1String("{NOW}"), QLatin1String(words.now))
        .replace(QLatin1String("{SOON}"), QLatin1String(words.soon))
        .replace(QLatin1String("{AGO}"), QLatin1String(words.ago))
        .replace(QLatin1String("{AHEAD}"), QLatin1String(words.ahead))
        .replace(QLatin1String("{EPOCH}"), QLatin1String(words.epoch));
    if (dialect() == Dialect::MySql)
        return sql;
    QStringList parts = sql.split(QLatin1Char('`'));
    for (qsizetype i = 1; i < parts.size(); i += 2) // PostgreSQL folds what the layouts leave unquoted
        parts[i] = QLatin1Char('"') + (dialect() == Dialect::Sqlite ? parts.at(i) : parts.at(i).toLower()) +
                   QLatin1Char('"');
    return parts.join(QString());
}

QStringList sessionOptions()
{
    return {QStringLiteral("--performance-schema=ON"),
            QStringLiteral("--performance-schema-instrument=transaction=ON"),
            QStringLiteral("--performance-schema-instrument=wait/lock/metadata/sql/mdl=ON"),
            QStringLiteral("--performance-schema-consumer-events-transactions-current=ON"),
            QStringLiteral("--performance-schema-consumer-events-statements-current=ON"),
            QStringLiteral("--innodb-lock-wait-timeout=60")};
}

StockAddress stockAddress(const TestDatabase &database)
{
    const SourceSpec spec = database.spec();
    const QUrlQuery query(spec.url);
    StockAddress to;
    if (database.dialect() == Dialect::PostgreSql) {
        to.socket = query.queryItemValue(QStringLiteral("host"), QUrl::FullyDecoded);
        to.port = query.queryItemValue(QStringLiteral("port")).toInt();
        to.database = spec.url.path().mid(1);
    } else if (spec.url.scheme() == QLatin1String("mysql+unix")) {
        to.socket = spec.url.path();
    } else {
        to.port = spec.url.port(3306);
        to.user = spec.url.userName();
        to.password = QString::fromUtf8(spec.password);
        to.database = spec.url.path().mid(1);
    }
    return to;
}

std::unique_ptr<TestDatabase> makeTestDatabase(const QString &kind)
{
    if (kind == QLatin1String("mariadb"))
        return std::make_unique<MariaDb>();
    if (kind == QLatin1String("mariadb-binlog"))
        return std::make_unique<MariaDb>(QStringList{QStringLiteral("--log-bin=binlog"),
                                                     QStringLiteral("--server-id=1"),
                                                     QStringLiteral("--binlog-format=ROW")});
    if (kind == QLatin1String("mariadb-sessions"))
        return std::make_unique<MariaDb>(sessionOptions());
    if (kind == QLatin1String("postgresql"))
        return std::make_unique<Postgres>();
    if (kind == QLatin1String("sqlite"))
        return std::make_unique<Sqlite>();
    const QUrl url(qEnvironmentVariable("LOCKKEEPER_TEST_MYSQL"));
    return url.isEmpty() ? nullptr : std::make_unique<MySql>(url);
}

TestDatabase *TestDatabases::fresh(const QString &kind, const QString &create)
{
    auto &database = m_databases[kind];
    if (!database)
        database = makeTestDatabase(kind);
    if (!database || !database->reset())
        return nullptr;
    if (!create.isEmpty())
        database->run(create);
    return database.get();
}

TestDatabase *TestDatabases::freshOfRow(const QString &create)
{
    return fresh(*static_cast<QString *>(QTest::qData("server", qMetaTypeId<QString>())), create);
}

} // namespace lockkeeper::tests
