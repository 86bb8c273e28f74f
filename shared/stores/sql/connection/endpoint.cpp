// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/connection/endpoint.h"

#include "shared/base/text.h"

#include <QUrlQuery>

#include <algorithm>

namespace lockkeeper::stores::sql {

using base::ErrorCode;
using base::failure;

namespace {
int wholeSeconds(qint64 ms)
{
    return int(std::max<qint64>((ms + 999) / 1000, 1));
}

QString option(const QUrl &url, const QString &key)
{
    return QUrlQuery(url).queryItemValue(key, QUrl::FullyDecoded);
}

/** For the client libraries, "localhost" means their default socket; a URL with a host means TCP. */
QString tcpHost(const QUrl &url)
{
    return url.host() == QLatin1String("localhost") ? QStringLiteral("127.0.0.1") : url.host();
}

void readHost(Endpoint &to, const QUrl &url, int defaultPort)
{
    to.host = tcpHost(url);
    to.serverName = url.host();
    to.port = url.port(defaultPort);
    to.database = url.path(QUrl::FullyDecoded).mid(1);
    to.user = url.userName(QUrl::FullyDecoded);
}

base::Result<Endpoint> mysqlEndpoint(const QUrl &url)
{
    Endpoint to;
    if (url.scheme() == QLatin1String("mysql+unix")) {
        to.socket = url.path(QUrl::FullyDecoded);
        to.database = option(url, QStringLiteral("db"));
        to.user = option(url, QStringLiteral("user"));
        if (to.socket.isEmpty() || to.socket.contains(QLatin1Char(';')))
            return failure(ErrorCode::Usage, QStringLiteral("the url names no socket"),
                           QStringLiteral("Write mysql+unix:///path/to.sock?db=app&user=lockkeeper."));
    } else {
        readHost(to, url, 3306);
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

base::Result<Endpoint> postgresqlEndpoint(const QUrl &url)
{
    Endpoint to;
    to.dialect = Dialect::PostgreSql;
    to.schema = option(url, QStringLiteral("schema"));
    readHost(to, url, 5432);
    if (to.host.isEmpty()) {
        to.socket = option(url, QStringLiteral("host"));
        if (const int port = option(url, QStringLiteral("port")).toInt(); port > 0)
            to.port = port; // a part of the socket's name
        if (to.user.isEmpty())
            to.user = option(url, QStringLiteral("user"));
        if (!to.socket.startsWith(QLatin1Char('/')) || to.socket.contains(QLatin1Char('\'')))
            return failure(ErrorCode::Usage, QStringLiteral("the url names no host"),
                           QStringLiteral("Write postgresql://user@host:5432/database or "
                                          "postgresql:///database?host=/run/postgresql&user=user."));
    }
    if (to.database.isEmpty())
        return failure(ErrorCode::Usage, QStringLiteral("the url names no database"),
                       QStringLiteral("Write postgresql://user@host:5432/database."));
    return to;
}

base::Result<Endpoint> sqliteEndpoint(const QUrl &url)
{
    Endpoint to;
    to.dialect = Dialect::Sqlite;
    to.port = 0;
    to.database = url.path(QUrl::FullyDecoded);
    if (to.database.isEmpty() || !url.host().isEmpty() || to.database == QLatin1String(":memory:"))
        return failure(ErrorCode::Usage, QStringLiteral("the url names no file"),
                       QStringLiteral("Write sqlite:/path/to/file.db."));
    return to;
}

/** The TLS files as options of the driver, under its names for ca, cert and key. */
base::Result<QString> tlsFiles(const SourceSpec &spec, std::initializer_list<const char *> names)
{
    QString options;
    const QStringList keys{QStringLiteral("ca"), QStringLiteral("cert"), QStringLiteral("key")};
    for (qsizetype i = 0; i < keys.size(); ++i) {
        const QString path = spec.tls.value(keys.at(i));
        if (path.contains(QLatin1Char(';')) || path.contains(QLatin1Char('\'')))
            return failure(
                ErrorCode::Usage,
                QStringLiteral("the file tls_%1 = \"%2\" has a character that the driver doesn't accept")
                    .arg(keys.at(i), base::displayText(path)),
                QStringLiteral("Use a path without semicolons and quotes."));
        if (!path.isEmpty())
            options += QStringLiteral(";%1=%2").arg(QLatin1String(names.begin()[i]), path);
    }
    return options;
}

base::Result<QString> mysqlOptions(const Endpoint &endpoint, const SourceSpec &spec)
{
    // The server's own limit ends a statement first. The client's read timeout covers a vanished peer.
    QString options =
        QStringLiteral("MYSQL_OPT_CONNECT_TIMEOUT=%1;MYSQL_OPT_READ_TIMEOUT=%2;MYSQL_OPT_WRITE_TIMEOUT=%2")
            .arg(wholeSeconds(spec.connectTimeoutMs))
            .arg(wholeSeconds(spec.statementTimeoutMs) + 1);
    if (!endpoint.socket.isEmpty())
        return options + QStringLiteral(";UNIX_SOCKET=") + endpoint.socket;
    if (spec.tls.isEmpty())
        return options;
    if (spec.tls.value(QStringLiteral("verify")) == QLatin1String("ca"))
        return failure(
            ErrorCode::Unsupported,
            QStringLiteral("libmariadb checks a certificate together with the name in it"),
            QStringLiteral("Write tls_verify = \"full\", or \"off\" to encrypt without checking."));
    return options; // the connection handler does the rest: mysql_tls.h
}

base::Result<QString> postgresqlOptions(const Endpoint &endpoint, const SourceSpec &spec)
{
    QString options = QStringLiteral("connect_timeout=%1;application_name=lockkeeper")
                          .arg(std::max(wholeSeconds(spec.connectTimeoutMs), 2));
    // The kernel, not libpq, detects a peer that has vanished silently.
    options +=
        QStringLiteral(";keepalives_idle=5;keepalives_interval=2;keepalives_count=3;tcp_user_timeout=%1")
            .arg(spec.statementTimeoutMs + 5'000);
    if (!endpoint.socket.isEmpty() || spec.tls.isEmpty())
        return options;
    const QString verify = spec.tls.value(QStringLiteral("verify"), QStringLiteral("full"));
    const QString mode = verify == QLatin1String("off")  ? QStringLiteral("require")
                         : verify == QLatin1String("ca") ? QStringLiteral("verify-ca")
                                                         : QStringLiteral("verify-full");
    SourceSpec asked = spec;
    if (mode == QLatin1String("require"))
        asked.tls.remove(QStringLiteral("ca")); // libpq would check the certificate where it has one
    const auto files = tlsFiles(asked, {"sslrootcert", "sslcert", "sslkey"});
    return files ? base::Result<QString>(options + QStringLiteral(";sslmode=") + mode + *files) : files;
}
} // namespace

base::Result<Endpoint> endpointOf(const QUrl &url)
{
    if (url.scheme() == QLatin1String("postgresql"))
        return postgresqlEndpoint(url);
    if (url.scheme() == QLatin1String("sqlite"))
        return sqliteEndpoint(url);
    return mysqlEndpoint(url);
}

base::Result<QString> connectOptionsOf(const Endpoint &endpoint, const SourceSpec &spec)
{
    switch (endpoint.dialect) {
    case Dialect::PostgreSql:
        return postgresqlOptions(endpoint, spec);
    case Dialect::Sqlite:
        return QStringLiteral("QSQLITE_BUSY_TIMEOUT=2000");
    case Dialect::MySql:
        break;
    }
    return mysqlOptions(endpoint, spec);
}

} // namespace lockkeeper::stores::sql
