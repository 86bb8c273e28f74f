// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/config/sources.h"

#include "shared/base/text.h"
#include "shared/stores/host_list.h"
#include "shared/stores/redis/redlock/redlock_stores.h"
#include "shared/stores/secret.h"

#include <QDir>
#include <QTimeZone>
#include <QUrlQuery>

#include <toml++/toml.h>

namespace lockkeeper::config {

using base::displayText;

namespace {

const QStringList kKeys =
    words("name url password poll_ms max_reads_per_s reconcile_ms push push_commands_per_second binlog probe "
          "renewals time_zone clock connect_timeout_ms statement_timeout_ms page_size tls_ca tls_cert "
          "tls_key tls_verify locks");

const QStringList kUrls =
    words("redis rediss redis+unix mysql mysql+unix postgresql sqlite redis+sentinel redis+cluster redlock "
          "etcd etcds zookeeper mongodb mongodb+srv");

const QStringList kTlsUrls =
    words("rediss redis+sentinel redis+cluster redlock mysql postgresql etcds mongodb mongodb+srv");

/** True if the URL names a database, or needs none: Redis numbers its databases and has a default. */
bool namesDatabase(const QUrl &url)
{
    if (url.scheme() == QLatin1String("mysql") || url.scheme() == QLatin1String("postgresql") ||
        url.scheme().startsWith(QLatin1String("mongodb")))
        return url.path().size() > 1;
    if (url.scheme() == QLatin1String("sqlite"))
        return !url.path().isEmpty();
    return url.scheme() != QLatin1String("mysql+unix") || QUrlQuery(url).hasQueryItem(QStringLiteral("db"));
}

bool hasPassword(const QUrl &url)
{
    return !url.password().isEmpty() || QUrlQuery(url).hasQueryItem(QStringLiteral("password"));
}

base::Result<void> checkNodes(const QUrl &url)
{
    if (!stores::isRedlock(url))
        return {};
    const auto nodes = stores::redis::nodeUrlsOf(url, false);
    if (!nodes)
        return tl::unexpected(nodes.error());
    return {};
}

QUrl readUrl(const TableReader &reader)
{
    const QString text = reader.string("url");
    const QString of = reader.nameOf("url");
    if (text.isEmpty()) {
        reader.problem("url", QStringLiteral("%1 is missing").arg(of),
                       QStringLiteral("Write for example url = \"redis://127.0.0.1:6379/0\"."));
        return {};
    }
    const QUrl url = stores::urlOf(text);
    const QString scheme = text.section(QLatin1Char(':'), 0, 0);
    if (!url.isValid() || url.scheme().isEmpty())
        reader.problem(
            "url", QStringLiteral("%1 is not a URL").arg(of),
            QStringLiteral("Write for example redis://HOST:PORT/0 or mysql://USER@HOST:PORT/DATABASE."));
    else if (hasPassword(url))
        reader.problem("url", QStringLiteral("%1 contains a password").arg(of),
                       QStringLiteral("Take it out and add password = \"env:NAME\" or \"file:PATH\"."));
    else if (!kUrls.contains(scheme))
        reader.problem("url",
                       QStringLiteral("%1: \"%2\" is not a kind of store").arg(of, displayText(scheme)),
                       suggestion(scheme, kUrls));
    else if (!namesDatabase(url))
        reader.problem(
            "url", QStringLiteral("%1 names no database").arg(of),
            QStringLiteral("Write mysql://USER@HOST:PORT/DATABASE, mysql+unix:///PATH?db=DATABASE, "
                           "postgresql://USER@HOST:PORT/DATABASE, mongodb://HOST:PORT/DATABASE "
                           "or sqlite:/PATH."));
    else if (const auto nodes = checkNodes(url); !nodes)
        reader.problem("url", QStringLiteral("%1: %2").arg(of, nodes.error().cause), nodes.error().remedy);
    else
        return url;
    return {};
}

QByteArray readPassword(const TableReader &reader, const QString &folder)
{
    if (!reader.has("password"))
        return {};
    const auto secret = stores::resolveSecret(reader.string("password", QStringLiteral("env:")), folder);
    if (secret)
        return *secret;
    reader.problem("password", QStringLiteral("%1: %2").arg(reader.nameOf("password"), secret.error().cause),
                   secret.error().remedy);
    return {};
}

QByteArray readZone(const TableReader &reader)
{
    const QString zone = reader.string("time_zone", QStringLiteral("UTC"));
    if (QTimeZone::isTimeZoneIdAvailable(zone.toLatin1()))
        return zone.toLatin1();
    QStringList known;
    for (const QByteArray &id : QTimeZone::availableTimeZoneIds())
        known.append(QString::fromLatin1(id));
    const QString near = suggestion(zone, known);
    reader.problem(
        "time_zone",
        QStringLiteral("%1: \"%2\" is not a time zone").arg(reader.nameOf("time_zone"), displayText(zone)),
        near.startsWith(QLatin1String("Did"))
            ? near
            : QStringLiteral("Write an IANA name: \"UTC\", \"Asia/Shanghai\"."));
    return "UTC";
}

/** Reads the options for pushed changes, with the limit on the load that they may cause. */
void readPush(const TableReader &reader, stores::SourceSpec &spec)
{
    spec.push = reader.boolean("push", false);
    spec.pushCommandsPerSecond = reader.integer("push_commands_per_second", 50'000, {1'000, 10'000'000});
    const QString kind = spec.url.scheme();
    const bool isPushing = kind.startsWith(QLatin1String("redis")) || kind == QLatin1String("redlock") ||
                           kind.startsWith(QLatin1String("etcd")) || kind == QLatin1String("zookeeper") ||
                           kind.startsWith(QLatin1String("mongodb"));
    if (spec.push && !spec.url.isEmpty() && !isPushing) {
        const bool mysql = kind.startsWith(QLatin1String("mysql"));
        reader.problem(
            "push", QStringLiteral("%1 is for Redis, MongoDB, etcd and ZooKeeper").arg(reader.nameOf("push")),
            mysql ? QStringLiteral("Write binlog = true instead.")
                  : QStringLiteral("Remove it: the source is polled every poll_ms."));
    }
    if (reader.has("push_commands_per_second") && !spec.push)
        reader.problem("push_commands_per_second",
                       QStringLiteral("%1 has no effect without push = true")
                           .arg(reader.nameOf("push_commands_per_second")),
                       QStringLiteral("Remove it, or add push = true."));
}

/** Reads the options for the binary log: its use, and the interval of the scans that find missed changes. */
void readBinlog(const TableReader &reader, stores::SourceSpec &spec)
{
    spec.binlog = reader.boolean("binlog", false);
    spec.reconcileMs = reader.integer("reconcile_ms", 60'000, {1'000, 86'400'000});
    const bool isServer = spec.url.scheme().startsWith(QLatin1String("mysql")) ||
                          spec.url.scheme().startsWith(QLatin1String("postgresql"));
    if (reader.has("reconcile_ms") && !spec.binlog && !spec.push && !isServer) // tables may be read in part
        reader.problem(
            "reconcile_ms",
            QStringLiteral("%1 has no effect without push or binlog").arg(reader.nameOf("reconcile_ms")),
            QStringLiteral("Remove it: the source is polled every poll_ms."));
    if (!spec.binlog)
        return;
    if (!spec.url.scheme().startsWith(QLatin1String("mysql")))
        reader.problem("binlog", QStringLiteral("%1 is for MySQL and MariaDB").arg(reader.nameOf("binlog")),
                       QStringLiteral("Remove it: the source is polled every poll_ms."));
}

/** Reports lock sets whose locks aren't rows. The binary log doesn't contain them, so they must be polled. */
void checkBinlogSets(const TableReader &reader, const stores::SourceSpec &spec)
{
    for (const stores::LockSet &set : spec.locks) {
        if (spec.binlog && (set.scheme == "sql.row" || set.scheme == "sql.advisory"))
            reader.problem("binlog",
                           QStringLiteral("%1: the locks of %2 aren't in the binary log")
                               .arg(reader.nameOf("binlog"), QString::fromLatin1(set.scheme)),
                           QStringLiteral("Give them a separate [[source]], without binlog."));
    }
}

void readTls(const TableReader &reader, stores::SourceSpec &spec, const QString &folder)
{
    for (const char *key : {"tls_ca", "tls_cert", "tls_key"}) {
        if (reader.has(key))
            spec.tls.insert(QLatin1String(key + 4), QDir(folder).absoluteFilePath(reader.string(key)));
    }
    if (reader.has("tls_verify"))
        spec.tls.insert(QStringLiteral("verify"), reader.choice("tls_verify", words("full ca off")));
    const QString scheme = spec.url.scheme();
    if (!spec.tls.isEmpty() && !kTlsUrls.contains(scheme) && !spec.url.isEmpty())
        reader.problem(
            "tls_verify", QStringLiteral("TLS doesn't apply to %1").arg(scheme),
            scheme == QLatin1String("etcd")
                ? QStringLiteral("Write etcds:// for TLS, or remove the keys that begin with tls_.")
            : scheme == QLatin1String("zookeeper")
                ? QStringLiteral("ZooKeeper's client library is built without TLS: remove the keys that "
                                 "begin with tls_, and use a tunnel.")
            : scheme == QLatin1String("redis")
                ? QStringLiteral("Write rediss:// for TLS, or remove the keys that begin with tls_.")
                : QStringLiteral("Remove the keys that begin with tls_."));
}

void readProbe(const TableReader &reader, stores::SourceSpec &spec)
{
    spec.probe = reader.boolean("probe", false);
    const QString scheme = spec.url.scheme();
    if (spec.probe && !scheme.isEmpty() && !scheme.startsWith(QLatin1String("redis")))
        reader.problem(
            "probe", QStringLiteral("%1: %2 can't be probed").arg(reader.nameOf("probe"), scheme),
            QStringLiteral("Remove it; for a Redlock, probe one node through a separate [[source]]."));
}

} // namespace

stores::SourceSpec readSource(const toml::table &table, const QString &folder, Problems &problems)
{
    const TableReader reader(table, QStringLiteral("[[source]]"), kKeys, problems);
    stores::SourceSpec spec;
    spec.name = reader.string("name");
    if (spec.name.isEmpty() || spec.name.size() > 64 || displayText(spec.name) != spec.name)
        reader.problem("name",
                       QStringLiteral("%1 has to be 1 to 64 visible characters").arg(reader.nameOf("name")),
                       QStringLiteral("Give each source a short, unique name."));
    spec.url = readUrl(reader);
    spec.password = readPassword(reader, folder);
    spec.pollMs = reader.integer("poll_ms", 500, {10, 3'600'000});
    spec.maxReadsPerSecond = reader.integer("max_reads_per_s", 0, {1, 10'000'000});
    readPush(reader, spec);
    readBinlog(reader, spec);
    spec.journalRenewals = reader.choice("renewals", words("state all")) == QLatin1String("all");
    spec.timeZone = readZone(reader);
    spec.clientClock = reader.choice("clock", words("store client")) == QLatin1String("client");
    spec.connectTimeoutMs = reader.integer("connect_timeout_ms", 5'000, {100, 600'000});
    spec.statementTimeoutMs = reader.integer("statement_timeout_ms", 5'000, {100, 600'000});

    readProbe(reader, spec);
    readTls(reader, spec, folder);

    const auto kind = stores::storeKind(spec.url);
    // MongoDB sends 5,000 documents in 5 ms, and fewer pages save a fifth of the time. etcd needs large
    // pages, because for each page it walks over all remaining keys.
    const bool isMongo = kind && *kind == "mongodb";
    const bool isEtcd = kind && *kind == "etcd";
    spec.pageSize = int(reader.integer("page_size", isEtcd ? 10'000 : isMongo ? 5'000 : 1'000, {1, 100'000}));
    const QList<const toml::table *> sets = reader.tables("locks");
    if (sets.isEmpty())
        reader.problem("locks",
                       QStringLiteral("the source \"%1\" has no lock set").arg(displayText(spec.name)),
                       QStringLiteral("Add [[source.locks]] with a scheme."));
    const QByteArray family =
        stores::isRedlock(spec.url) ? QByteArray("redlock") : kind.value_or(QByteArray());
    for (const toml::table *set : sets)
        spec.locks.append(readLockSet(*set, family, problems));
    settleOverlaps(sets, spec.locks, problems);
    checkBinlogSets(reader, spec);
    return spec;
}

QList<stores::SourceSpec> readSources(const TableReader &root, const QString &folder, Problems &problems)
{
    QList<stores::SourceSpec> sources;
    QHash<QString, int> lines;
    const QList<const toml::table *> tables = root.tables("source");
    for (const toml::table *table : tables) {
        stores::SourceSpec spec = readSource(*table, folder, problems);
        const toml::node *name = table->get("name");
        const int line = int((name ? name : static_cast<const toml::node *>(table))->source().begin.line);
        if (!spec.name.isEmpty() && lines.contains(spec.name))
            problems.add(line,
                         QStringLiteral("the name \"%1\" is taken by the source at line %2")
                             .arg(displayText(spec.name))
                             .arg(lines.value(spec.name)),
                         QStringLiteral("Give each source a unique name."));
        else
            lines.insert(spec.name, line);
        sources.append(std::move(spec));
    }
    compareSources(tables, sources, problems);
    if (!root.has("source"))
        problems.add(0, QStringLiteral("there is no [[source]], so there is nothing to watch"),
                     QStringLiteral("Add one with a name, a url and [[source.locks]]."));
    return sources;
}

} // namespace lockkeeper::config
