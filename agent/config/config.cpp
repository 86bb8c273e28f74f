// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/config/config.h"

#include "agent/config/access_rules.h"
#include "agent/config/alert_rules.h"
#include "agent/config/election.h"
#include "agent/config/forwards.h"
#include "agent/config/liveness_rules.h"
#include "agent/config/receivers.h"
#include "shared/base/text.h"
#include "shared/config/sources.h"
#include "shared/config/toml_file.h"
#include "shared/transport/address.h"

#include <QDir>
#include <QFileInfo>
#include <QHostAddress>
#include <QSysInfo>

#include <algorithm>
#include <toml++/toml.h>

namespace lockkeeper::agent::config {

using base::displayText;
using lockkeeper::config::words;

namespace {

/** A top-level table of the file; an empty table if it is absent. */
const toml::table *section(const toml::table &root, const char *key, Problems &problems)
{
    static const toml::table empty;
    const toml::node *node = root.get(key);
    if (!node)
        return &empty;
    if (const toml::table *table = node->as_table())
        return table;
    problems.add(int(node->source().begin.line),
                 QStringLiteral("\"%1\" has to be a table").arg(QLatin1String(key)),
                 QStringLiteral("Write it as [%1].").arg(QLatin1String(key)));
    return &empty;
}

void checkListen(const TableReader &reader, const QStringList &addresses)
{
    const QString of = reader.nameOf("listen");
    if (addresses.isEmpty())
        reader.problem("listen", QStringLiteral("%1 is empty: no client could connect").arg(of),
                       QStringLiteral("Write listen = [\"local:lockkeeper.sock\"]."));
    for (const QString &address : addresses) {
        if (address.startsWith(QLatin1String("local:")) && address.size() > 6)
            continue;
        const auto parsed = transport::parseAddress(address, QStringLiteral("/"));
        if (!parsed)
            reader.problem(
                "listen", QStringLiteral("%1: %2").arg(of, parsed.error().cause),
                QStringLiteral("Write \"local:NAME\", \"local:/PATH\" or \"tls://ADDRESS:PORT\"."));
        else if (!parsed->isTls)
            reader.problem("listen",
                           QStringLiteral("%1: no server can listen on %2").arg(of, displayText(address)),
                           QStringLiteral("Clients come by ssh:// to a local socket, \"local:NAME\"."));
        else if (QHostAddress(parsed->host).isNull())
            reader.problem(
                "listen",
                QStringLiteral("%1: %2 is not a number of this machine's").arg(of, displayText(address)),
                QStringLiteral("Write \"tls://0.0.0.0:7420\", \"tls://[::]:7420\" or one address."));
    }
}

/** Runs after the sources were read: [agent] may name one of them. */
void readAgent(const toml::table &table, const QString &folder, Problems &problems, Config &config)
{
    const TableReader reader(table, QStringLiteral("[agent]"),
                             words("name data_dir listen metrics") + electionKeys(), problems);
    config.name = reader.string("name", QSysInfo::machineHostName());
    if (config.name.isEmpty() || config.name.size() > 64 || displayText(config.name) != config.name)
        reader.problem("name",
                       QStringLiteral("%1 has to be 1 to 64 visible characters").arg(reader.nameOf("name")));
    config.dataDir =
        QDir::cleanPath(QDir(folder).absoluteFilePath(reader.string("data_dir", QStringLiteral("."))));
    config.listen = reader.strings("listen", {QStringLiteral("local:lockkeeper.sock")});
    checkListen(reader, config.listen);
    config.metrics = reader.string("metrics");
    const auto metrics = parseMetricsAddress(config.metrics);
    if (!config.metrics.isEmpty() && !metrics)
        reader.problem(
            "metrics",
            QStringLiteral("%1: %2").arg(reader.nameOf("metrics"), displayText(metrics.error().cause)),
            metrics.error().remedy);
    config.election = readElection(reader, config.sources);
}

void readTls(const toml::table &table, Problems &problems, Config &config)
{
    const TableReader reader(table, QStringLiteral("[tls]"), words("certificate key client_ca login"),
                             problems);
    const auto path = [&config](const QString &given) {
        return given.isEmpty() ? QString() : QDir::cleanPath(QDir(config.dataDir).absoluteFilePath(given));
    };
    TlsSettings &tls = config.tls;
    tls.certificate = path(reader.string("certificate", QStringLiteral("agent.crt")));
    tls.key = path(reader.string("key", QStringLiteral("agent.key")));
    tls.clientCa = path(reader.string("client_ca"));
    tls.users = path(QStringLiteral("users.toml"));
    const QString login = reader.string("login", QStringLiteral("users"));
    if (login.startsWith(QLatin1String("pam:")) && login.size() > 4) {
        tls.login = TlsSettings::LoginMethod::Pam;
        tls.pamService = login.mid(4);
        if (tls.pamService.contains(QLatin1Char('/')) && !tls.pamService.startsWith(QLatin1Char('/')))
            reader.problem("login",
                           QStringLiteral("%1: a service of PAM is a name or an absolute path")
                               .arg(reader.nameOf("login")),
                           QStringLiteral("Write \"pam:lockkeeper\"."));
    } else if (login == QLatin1String("certificate")) {
        tls.login = TlsSettings::LoginMethod::Certificate;
        if (tls.clientCa.isEmpty())
            reader.problem("login",
                           QStringLiteral("%1 is \"certificate\", but no certificates are accepted")
                               .arg(reader.nameOf("login")),
                           QStringLiteral("Write client_ca = \"FILE\" as well."));
    } else if (login != QLatin1String("users")) {
        reader.problem("login",
                       QStringLiteral("%1 has no \"%2\"").arg(reader.nameOf("login"), displayText(login)),
                       QStringLiteral("Write \"users\", \"pam:SERVICE\" or \"certificate\"."));
    }
}

void readJournal(const toml::table &table, Problems &problems, Config &config)
{
    const TableReader reader(table, QStringLiteral("[journal]"),
                             words("url keep_days keep_rollups_days keep_mib audit_key"), problems);
    const QString url = reader.string("url", QStringLiteral("sqlite:journal.db"));
    const QString path = url.mid(url.indexOf(QLatin1Char(':')) + 1);
    if (url.startsWith(QLatin1String("postgresql:")) || url.startsWith(QLatin1String("mysql:")))
        reader.problem("url",
                       QStringLiteral("%1: a journal on a server is not available in this version")
                           .arg(reader.nameOf("url")),
                       QStringLiteral("Write \"sqlite:PATH\"."));
    else if (!url.startsWith(QLatin1String("sqlite:")) || path.isEmpty() ||
             path.startsWith(QLatin1String("//")))
        reader.problem("url", QStringLiteral("%1 is not a journal's address").arg(reader.nameOf("url")),
                       QStringLiteral("Write \"sqlite:PATH\", relative to data_dir or absolute."));
    config.journalPath = QDir::cleanPath(QDir(config.dataDir).absoluteFilePath(path));
    config.auditKey = QDir::cleanPath(
        QDir(config.dataDir).absoluteFilePath(reader.string("audit_key", QStringLiteral("audit.key"))));
    config.keepDays = int(reader.integer("keep_days", 30, {1, 36'500}));
    config.keepRollupsDays = int(reader.integer("keep_rollups_days", 366, {1, 36'500}));
    config.keepMib = int(reader.integer("keep_mib", 4'096, {16, 1'048'576}));
}

} // namespace

bool servesTls(const Config &config)
{
    return std::any_of(config.listen.cbegin(), config.listen.cend(),
                       [](const QString &address) { return address.startsWith(QLatin1String("tls://")); });
}

base::Result<MetricsAddress> parseMetricsAddress(const QString &text)
{
    const qsizetype colon = text.lastIndexOf(QLatin1Char(':'));
    bool ok = false;
    const uint port = text.mid(colon + 1).toUInt(&ok);
    QString host = text.left(std::max<qsizetype>(colon, 0));
    if (host.startsWith(QLatin1Char('[')) && host.endsWith(QLatin1Char(']')))
        host = host.mid(1, host.size() - 2);
    const QHostAddress address(host == QLatin1String("localhost") ? QStringLiteral("127.0.0.1") : host);
    if (!ok || port > 65'535 || address.isNull())
        return base::failure(base::ErrorCode::Usage, QStringLiteral("%1 is not ADDRESS:PORT").arg(text),
                             QStringLiteral("Write for example \"127.0.0.1:9720\"."));
    if (!address.isLoopback())
        return base::failure(
            base::ErrorCode::PermissionDenied,
            QStringLiteral("%1 is not a loopback address, and the endpoint has no login").arg(host),
            QStringLiteral("Use 127.0.0.1 and a proxy with a login in front of it."));
    return MetricsAddress{address, quint16(port)};
}

Outcome parse(const QByteArray &text, const QString &path)
{
    const auto root = lockkeeper::config::parseToml(text, path);
    if (!root)
        return tl::unexpected(QList<Problem>{root.error()});
    Problems problems{path, {}};
    const QString folder = QFileInfo(path).absolutePath();
    Config config;
    config.file = path;
    const TableReader reader(*root, QStringLiteral("the file"),
                             words("agent journal source tls access alerts alert receiver liveness forward"),
                             problems);
    config.sources = lockkeeper::config::readSources(reader, folder, problems);
    readAgent(*section(*root, "agent", problems), folder, problems, config);
    readTls(*section(*root, "tls", problems), problems, config);
    readJournal(*section(*root, "journal", problems), problems, config);
    for (const toml::table *table : reader.tables("access"))
        config.access.append(readAccess(*table, config.sources, problems));
    config.receivers = readReceivers(reader, folder, problems);
    QStringList receivers;
    for (const ReceiverSettings &receiver : std::as_const(config.receivers))
        receivers.append(receiver.name);
    config.alerts = readAlerts(*section(*root, "alerts", problems), reader.tables("alert"), config.sources,
                               receivers, problems);
    config.liveness = readLiveness(reader.tables("liveness"), config.sources, problems);
    config.forwards = readForwards(reader, folder, problems);
    if (problems.list.isEmpty())
        return config;
    return tl::unexpected(problems.sorted());
}

Outcome read(const QString &path)
{
    const auto text = lockkeeper::config::readFile(path);
    if (!text)
        return tl::unexpected(QList<Problem>{text.error()});
    return parse(*text, path);
}

int lineOfLockSet(const QByteArray &text, const QString &source, int set)
{
    const auto root = lockkeeper::config::parseToml(text, {});
    if (!root)
        return 0;
    const toml::array *sources = root->get_as<toml::array>("source");
    for (size_t i = 0; sources && i < sources->size(); ++i) {
        const toml::table *table = sources->get(i)->as_table();
        const auto *name = table ? table->get_as<std::string>("name") : nullptr;
        if (!name || QString::fromStdString(name->get()) != source)
            continue;
        const toml::array *sets = table->get_as<toml::array>("locks");
        if (sets && set >= 0 && size_t(set) < sets->size())
            return int(sets->get(size_t(set))->source().begin.line);
    }
    return 0;
}

} // namespace lockkeeper::agent::config
