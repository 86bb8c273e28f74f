// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/base/text.h"
#include "shared/config/sources.h"
#include "shared/stores/host_list.h"
#include "shared/stores/set_owners.h"
#include "shared/stores/sql/catalogue/preset.h"
#include "shared/stores/sql/connection/endpoint.h"

#include <QUrlQuery>

#include <algorithm>
#include <toml++/toml.h>

namespace lockkeeper::config {

using base::displayText;
using stores::BreakMode;
using stores::LockSet;
using stores::SourceSpec;

namespace {

/** The location of a source's locks, as far as its URL shows it. Spellings of one address become equal. */
struct SourceAddress
{
    QByteArray kind;
    QStringList hosts; ///< every host that the URL names, or the socket's path
    QString database;
};

int usualPort(const QByteArray &kind)
{
    static const QHash<QByteArray, int> kPorts{
        {"redis", 6379}, {"redis+sentinel", 26379}, {"mysql", 3306}, {"postgresql", 5432}, {"mongodb", 27017},
        {"etcd", 2379},  {"zookeeper", 2181}};
    return kPorts.value(kind);
}

QString normalHost(QString name)
{
    name = name.toLower();
    const bool here = name == QLatin1String("localhost") || name == QLatin1String("::1");
    return here ? QStringLiteral("127.0.0.1") : name;
}

QString databaseOf(const QUrl &url, const QByteArray &kind)
{
    const QUrlQuery query(url);
    const QString path = url.path(QUrl::FullyDecoded).mid(1);
    if (url.scheme().endsWith(QLatin1String("+unix")) && kind != "postgresql")
        return query.queryItemValue(QStringLiteral("db"), QUrl::FullyDecoded);
    const QString schema = query.queryItemValue(QStringLiteral("schema"), QUrl::FullyDecoded);
    return kind == "postgresql"
               ? path + QLatin1Char('/') + (schema.isEmpty() ? QStringLiteral("public") : schema)
               : path;
}

SourceAddress addressOf(const QUrl &url)
{
    SourceAddress address;
    address.kind = stores::storeKind(url).value_or(QByteArray());
    if (url.scheme().startsWith(QLatin1String("redis+sentinel")) || stores::isRedlock(url))
        address.kind = url.scheme().toLatin1();
    address.database = databaseOf(url, address.kind);
    if (address.kind == "redis" && address.database.isEmpty())
        address.database = QLatin1Char('0');
    const QList<stores::Host> hosts = stores::hostsOf(url);
    for (const stores::Host &host : hosts)
        address.hosts.append(
            stores::Host{normalHost(host.name), host.port == 0 ? usualPort(address.kind) : host.port}.text());
    if (!hosts.isEmpty())
        return address;
    const auto endpoint = stores::sql::endpointOf(url);
    if (address.kind == "sqlite")
        address.hosts = QStringList{address.database};
    else if (endpoint && !endpoint->socket.isEmpty())
        address.hosts = QStringList{endpoint->socket + QLatin1Char(':') + QString::number(endpoint->port)};
    else if (url.host().isEmpty())
        address.hosts = QStringList{url.path(QUrl::FullyDecoded)};
    return address;
}

/** `anyDatabase`: ignore the database, because MySQL's advisory locks belong to the server. */
bool isOneServer(const SourceAddress &a, const SourceAddress &b, bool anyDatabase)
{
    return !a.kind.isEmpty() && a.kind == b.kind && (anyDatabase || a.database == b.database) &&
           std::any_of(a.hosts.cbegin(), a.hosts.cend(),
                       [&b](const QString &host) { return b.hosts.contains(host); });
}

/** The tables that the set may use: the configured table, or all tables of its preset. */
QStringList tablesOf(const LockSet &set)
{
    if (!set.table.table.isEmpty())
        return {set.table.table};
    const auto layout = stores::sql::layoutOf(set);
    return layout ? layout->tables : QStringList{QLatin1Char(':') + set.preset};
}

bool takeSameLocks(const LockSet &a, const LockSet &b)
{
    const QStringList tables = tablesOf(a);
    const QStringList others = tablesOf(b);
    const bool one = std::any_of(tables.cbegin(), tables.cend(),
                                 [&others](const QString &table) { return others.contains(table); });
    return !stores::overlapsOf({a, b}, {"a", one ? "a" : "b"}).isEmpty();
}

/** A lock set, its source, and its place in the file. */
struct SharedSet
{
    const SourceSpec &source;
    const LockSet &set;
    const toml::table &table;

    int line(const char *key) const
    {
        const toml::node *node = table.get(key);
        return int((node ? node : static_cast<const toml::node *>(&table))->source().begin.line);
    }
};

void refuseWithout(const SharedSet &strict, const SharedSet &weak, const char *key, const char *value,
                   Problems &problems)
{
    problems.add(weak.line(key),
                 QStringLiteral("%1 = \"%2\" of line %3 would have no effect: the source \"%4\" has the same "
                                "server, and its \"%5\" matches these locks too")
                     .arg(QLatin1String(key), QLatin1String(value))
                     .arg(strict.line(key))
                     .arg(displayText(weak.source.name), displayText(weak.set.match)),
                 QStringLiteral("Write it in both lock sets, or put both into one source."));
}

void compareSets(const SharedSet &a, const SharedSet &b, Problems &problems)
{
    const auto isNever = [](const SharedSet &any) { return any.set.breakMode == BreakMode::Never; };
    if (isNever(a) != isNever(b)) {
        refuseWithout(isNever(a) ? a : b, isNever(a) ? b : a, "break", "never", problems);
    } else if (!isNever(a) && a.set.approval != b.set.approval) {
        const bool first = a.set.approval > b.set.approval;
        const SharedSet &strict = first ? a : b;
        refuseWithout(strict, first ? b : a, "approval",
                      strict.set.approval == stores::ApprovalMode::Always ? "always" : "live", problems);
    }
}

void compareSets(const SourceSpec &a, const toml::table &tableA, const SourceSpec &b,
                 const toml::table &tableB, Problems &problems)
{
    const auto written = [](const toml::table &source, qsizetype set) {
        return source.get("locks")->as_array()->get(size_t(set))->as_table();
    };
    const SourceAddress first = addressOf(a.url);
    const SourceAddress second = addressOf(b.url);
    if (!isOneServer(first, second, true))
        return;
    for (qsizetype i = 0; i < a.locks.size(); ++i) {
        const LockSet &set = a.locks.at(i);
        const bool ofServer = first.kind == "mysql" && set.scheme == "sql.advisory";
        for (qsizetype j = 0; j < b.locks.size(); ++j) {
            if (isOneServer(first, second, ofServer) && takeSameLocks(set, b.locks.at(j)))
                compareSets(SharedSet{a, set, *written(tableA, i)},
                            SharedSet{b, b.locks.at(j), *written(tableB, j)}, problems);
        }
    }
}

} // namespace

void compareSources(const QList<const toml::table *> &tables, const QList<SourceSpec> &sources,
                    Problems &problems)
{
    if (!problems.list.isEmpty())
        return; // a source with mistakes can't be compared
    for (qsizetype i = 0; i < sources.size(); ++i) {
        for (qsizetype j = i + 1; j < sources.size(); ++j)
            compareSets(sources.at(i), *tables.at(i), sources.at(j), *tables.at(j), problems);
    }
}

} // namespace lockkeeper::config
