// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Source of the interface: MariaDB Connector/C 3, mysql/client_plugin.h, MARIADB_CONNECTION_PLUGIN. The
// header itself includes one that Debian's package hasn't.
#include "shared/stores/sql/connection/mysql_tls.h"

#include <QFile>
#include <QStringList>
#include <QUrl>

#include <array>
#include <mysql.h>
#include <openssl/x509.h>

namespace lockkeeper::stores::sql::mysqltls {

namespace {
constexpr char kHandler[] = "lockkeeper-tls";
constexpr int kConnectionHandler = 103;
constexpr unsigned kInterface = 0x0100; ///< the library refuses a handler of another one

struct ConnectionHandler
{
    MYSQL_CLIENT_PLUGIN_HEADER
    MYSQL *(*connect)(MYSQL *, const char *host, const char *user, const char *password, const char *database,
                      unsigned port, const char *socket, unsigned long flags);
    void (*close)(MYSQL *);
    int (*setOption)(MYSQL *, unsigned option, ...);
    int (*setConnection)(MYSQL *, enum_server_command, const char *, size_t, my_bool, void *);
    my_bool (*reconnect)(MYSQL *);
    int (*reset)(MYSQL *);
};
constexpr std::array<const char *, 4> kKeys{"verify", "ca", "cert", "key"};

/** "VERIFY&CA&CERT&KEY&HOST", each percent-encoded. */
QString written(const QString &host, const Settings &settings)
{
    QStringList parts;
    for (const char *key : kKeys)
        parts.append(QString::fromLatin1(QUrl::toPercentEncoding(settings.value(QLatin1String(key)))));
    return (parts << QString::fromLatin1(QUrl::toPercentEncoding(host))).join(QLatin1Char('&'));
}

QString read(const char *text, Settings &settings)
{
    const QList<QByteArray> parts = QByteArray(text).split('&');
    const auto part = [&](size_t i) { return QUrl::fromPercentEncoding(parts.value(qsizetype(i))); };
    for (size_t i = 0; i < kKeys.size(); ++i) {
        if (const QString value = part(i); !value.isEmpty())
            settings.insert(QLatin1String(kKeys.at(i)), value);
    }
    return part(kKeys.size());
}

/** The folder of the authorities that OpenSSL trusts: SSL_CERT_DIR(7), or OpenSSL's default. */
QByteArray systemAuthorities()
{
    const QByteArray named = qgetenv(X509_get_default_cert_dir_env());
    return named.isEmpty() ? QByteArray(X509_get_default_cert_dir()) : named;
}

/** The handler: mysql_real_connect() calls it for a host name made by driverHost(). */
MYSQL *connectTo(MYSQL *mysql, const char *host, const char *user, const char *password, const char *database,
                 unsigned port, const char *socket, unsigned long flags)
{
    Settings settings;
    const QByteArray name = read(host, settings).toUtf8();
    apply(mysql, settings);
    // Otherwise "localhost" would mean a socket, but a certificate may be issued to this name.
    const unsigned protocol = MYSQL_PROTOCOL_TCP;
    mysql_options(mysql, MYSQL_OPT_PROTOCOL, &protocol);
    return mysql_real_connect(mysql, name.constData(), user, password, database, port, socket, flags);
}

/** The library calls this before each command, and continues unless it returns -1. */
int keepConnection(MYSQL *, enum_server_command, const char *, size_t, my_bool, void *)
{
    return 0;
}

/** A new session would lack the settings of the old one. */
my_bool neverReconnect(MYSQL *)
{
    return 1;
}

st_mysql_client_plugin *handler()
{
    static ConnectionHandler plugin = [] {
        ConnectionHandler made{};
        made.type = kConnectionHandler;
        made.interface_version = kInterface;
        made.name = kHandler;
        made.author = "Lockkeeper";
        made.desc = "connections whose server's certificate is checked";
        made.version[0] = 1;
        made.license = "GPL";
        made.connect = connectTo;
        made.setConnection = keepConnection;
        made.reconnect = neverReconnect;
        return made;
    }();
    return reinterpret_cast<st_mysql_client_plugin *>(&plugin);
}
} // namespace

QString driverHost(const QString &host, const Settings &settings)
{
    return QLatin1String(kHandler) + QStringLiteral("://") + written(host, settings);
}

base::Result<void> install()
{
    MYSQL *errors = mysql_init(nullptr);
    if (!errors)
        return base::failure(base::ErrorCode::Unknown, QStringLiteral("out of memory"));
    // Registration fails where the handler is registered already. If the lookup fails too, its error says
    // why.
    const bool known = mysql_client_register_plugin(errors, handler()) ||
                       mysql_client_find_plugin(errors, kHandler, kConnectionHandler) == handler();
    const QString why = QString::fromUtf8(mysql_error(errors));
    mysql_close(errors);
    if (!known)
        return base::failure(base::ErrorCode::Unsupported,
                             QStringLiteral("libmariadb doesn't accept a connection handler: %1").arg(why));
    return {};
}

void apply(st_mysql *connection, const Settings &settings)
{
    const auto file = [&](const char *key) { return QFile::encodeName(settings.value(QLatin1String(key))); };
    const bool verifies = settings.value(QStringLiteral("verify")) != QLatin1String("off");
    const QByteArray ca = verifies ? file("ca") : QByteArray(); // given a CA, the library verifies
    // Name the system's authorities, so that one of them must vouch for the certificate. Without any,
    // Connector/C 3.4 accepts an unknown certificate if the password proves the server, and always at
    // 127.0.0.1.
    const QByteArray folder = verifies && ca.isEmpty() ? systemAuthorities() : QByteArray();
    const QByteArray cert = file("cert");
    const QByteArray key = file("key");
    const auto orNull = [](const QByteArray &path) { return path.isEmpty() ? nullptr : path.constData(); };
    mysql_ssl_set(connection, orNull(key), orNull(cert), orNull(ca), orNull(folder), nullptr);
    const my_bool enforce = 1;
    const my_bool verify = verifies ? 1 : 0;
    mysql_options(connection, MYSQL_OPT_SSL_ENFORCE, &enforce);
    mysql_options(connection, MYSQL_OPT_SSL_VERIFY_SERVER_CERT, &verify);
}

} // namespace lockkeeper::stores::sql::mysqltls
