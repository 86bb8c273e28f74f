// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/config/forwards.h"

#include "shared/base/text.h"
#include "shared/stores/secret.h"

#include <QHash>
#include <QHostAddress>
#include <QUrlQuery>

#include <algorithm>
#include <toml++/toml.h>

namespace lockkeeper::agent::config {

using base::displayText;
using lockkeeper::config::Problems;
using lockkeeper::config::suggestion;
using lockkeeper::config::TableReader;
using lockkeeper::config::words;

namespace {

const QString kUrlRemedy =
    QStringLiteral("Write for example \"postgresql://dc1@hub.example.com/lockkeeper?sslmode=verify-full\".");
const QStringList kTlsModes = words("verify-full verify-ca require prefer allow disable");

/** The parameters of a connection URI (PostgreSQL's manual, "Parameter Key Words"), without secrets and
 * without those that the agent sets. */
const QStringList kParameters = words(
    "host hostaddr port dbname user sslmode sslrootcert sslcert sslkey sslcrl sslcrldir sslsni "
    "sslnegotiation "
    "ssl_min_protocol_version ssl_max_protocol_version channel_binding require_auth gssencmode krbsrvname "
    "gsslib target_session_attrs load_balance_hosts connect_timeout keepalives keepalives_idle "
    "keepalives_interval keepalives_count tcp_user_timeout options passfile service");

/** The parts of "postgresql://USER@HOST:PORT,HOST/DATABASE?KEY=VALUE". QUrl knows no list of hosts. */
struct ConnectionUri
{
    QString scheme;
    QString user; ///< with the password, if somebody wrote one
    QStringList hosts;
    QString database;
    QUrlQuery parameters;

    explicit ConnectionUri(const QString &text)
    {
        scheme = text.section(QStringLiteral("://"), 0, 0);
        const QString rest = text.section(QStringLiteral("://"), 1);
        parameters = QUrlQuery(rest.section(QLatin1Char('?'), 1));
        const QString place = rest.section(QLatin1Char('?'), 0, 0);
        QString authority = place.section(QLatin1Char('/'), 0, 0);
        database = place.section(QLatin1Char('/'), 1);
        if (const qsizetype at = authority.lastIndexOf(QLatin1Char('@')); at >= 0) {
            user = authority.left(at);
            authority.remove(0, at + 1);
        }
        for (const QString &host : authority.split(QLatin1Char(','), Qt::SkipEmptyParts))
            hosts.append(withoutPort(QUrl::fromPercentEncoding(host.toUtf8())));
        for (const QString &host : valueOf("host").split(QLatin1Char(','), Qt::SkipEmptyParts))
            hosts.append(host);
        if (database.isEmpty())
            database = valueOf("dbname");
    }

    QString valueOf(const char *key) const
    {
        return parameters.queryItemValue(QLatin1String(key), QUrl::FullyDecoded);
    }

    /** True if no byte of the connection leaves this machine. */
    bool isLocal() const
    {
        return std::all_of(hosts.cbegin(), hosts.cend(), [](const QString &host) {
            return host.startsWith(QLatin1Char('/')) || host.startsWith(QLatin1Char('@')) ||
                   host == QLatin1String("localhost") || QHostAddress(host).isLoopback();
        });
    }

private:
    static QString withoutPort(const QString &host)
    {
        if (host.startsWith(QLatin1Char('[')))
            return host.mid(1, host.indexOf(QLatin1Char(']')) - 1);
        return host.section(QLatin1Char(':'), 0, 0);
    }
};

class ForwardReader
{
public:
    ForwardReader(const TableReader &reader, QString folder) : m_reader(reader), m_folder(std::move(folder))
    {
    }

    ForwardSettings read() const
    {
        ForwardSettings forward;
        const QString url = m_reader.string("url");
        const ConnectionUri uri(url);
        if (!m_reader.has("url"))
            m_reader.problem("url", QStringLiteral("a [[forward]] has no \"url\""), kUrlRemedy);
        else if (check(url, uri))
            forward.url = url.toUtf8();
        forward.name = m_reader.string("name", defaultName(uri));
        if (!forward.url.isEmpty() || m_reader.has("name"))
            checkName(forward.name);
        forward.password = password();
        forward.keepMib = int(m_reader.integer("keep_mib", 1'024, {1, 1'048'576}));
        return forward;
    }

private:
    static QString defaultName(const ConnectionUri &uri)
    {
        const QString host = uri.hosts.value(0);
        return host.isEmpty() || host.startsWith(QLatin1Char('/')) ? uri.database : host;
    }

    void checkName(const QString &name) const
    {
        if (name.isEmpty() || name.size() > 64 || displayText(name) != name)
            m_reader.problem(
                "name",
                QStringLiteral("%1 has to be 1 to 64 visible characters").arg(m_reader.nameOf("name")),
                QStringLiteral("Give each [[forward]] a short, unique name."));
    }

    bool check(const QString &url, const ConnectionUri &uri) const
    {
        const QStringList schemes = words("postgresql postgres");
        if (uri.user.contains(QLatin1Char(':')) || uri.parameters.hasQueryItem(QStringLiteral("password")) ||
            uri.parameters.hasQueryItem(QStringLiteral("sslpassword")))
            return fault(QStringLiteral("it contains a password"),
                         QStringLiteral("Take it out, and add password = \"env:NAME\" or \"file:PATH\"."));
        if (displayText(url) != url || url.contains(QLatin1Char(' ')) || !url.contains(QLatin1String("://")))
            return fault(QStringLiteral("it isn't a URL"), kUrlRemedy);
        if (!schemes.contains(uri.scheme))
            return fault(QStringLiteral("\"%1\" isn't a hub's database").arg(uri.scheme),
                         suggestion(uri.scheme, schemes));
        if (uri.database.isEmpty())
            return fault(QStringLiteral("it names no database"), kUrlRemedy);
        for (const auto &[key, value] : uri.parameters.queryItems()) {
            if (!kParameters.contains(key))
                return fault(QStringLiteral("it has an unknown parameter \"%1\"").arg(key),
                             suggestion(key, kParameters));
        }
        return checkTls(uri);
    }

    /** libpq's default, "prefer", falls back to a connection that anybody on the way can read and change. */
    bool checkTls(const ConnectionUri &uri) const
    {
        const QString mode = uri.valueOf("sslmode");
        if (mode.isEmpty() && !uri.isLocal() && !uri.parameters.hasQueryItem(QStringLiteral("service")))
            return fault(QStringLiteral("it doesn't say how the connection is protected"),
                         QStringLiteral("Add ?sslmode=verify-full, and sslrootcert=FILE or system."));
        if (!mode.isEmpty() && !kTlsModes.contains(mode))
            return fault(QStringLiteral("sslmode has no \"%1\"").arg(mode), suggestion(mode, kTlsModes));
        return true;
    }

    bool fault(const QString &cause, const QString &remedy) const
    {
        m_reader.problem("url", QStringLiteral("%1: %2").arg(m_reader.nameOf("url"), cause), remedy);
        return false;
    }

    QByteArray password() const
    {
        if (!m_reader.has("password"))
            return {};
        const auto resolved =
            stores::resolveSecret(m_reader.string("password", QStringLiteral("env:")), m_folder);
        if (resolved && !resolved->contains('\0'))
            return *resolved;
        m_reader.problem("password",
                         QStringLiteral("%1: %2").arg(m_reader.nameOf("password"),
                                                      resolved ? QStringLiteral("the secret contains NUL")
                                                               : resolved.error().cause),
                         resolved ? QString() : resolved.error().remedy);
        return {};
    }

    const TableReader &m_reader;
    QString m_folder;
};

} // namespace

QList<ForwardSettings> readForwards(const TableReader &file, const QString &folder, Problems &problems)
{
    QList<ForwardSettings> forwards;
    QHash<QString, int> lines;
    for (const toml::table *table : file.tables("forward")) {
        const TableReader reader(*table, QStringLiteral("[[forward]]"), words("name url password keep_mib"),
                                 problems);
        forwards.append(ForwardReader(reader, folder).read());
        const QString &name = forwards.last().name;
        if (lines.contains(name) && !name.isEmpty())
            reader.problem("name",
                           QStringLiteral("the name \"%1\" is taken by the [[forward]] at line %2")
                               .arg(displayText(name))
                               .arg(lines.value(name)),
                           QStringLiteral("Give each [[forward]] a unique name."));
        lines.insert(name, reader.line());
    }
    return forwards;
}

} // namespace lockkeeper::agent::config
