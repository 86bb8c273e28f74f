// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/config/election.h"

#include "shared/base/clock.h"
#include "shared/base/text.h"

#include <algorithm>

namespace lockkeeper::agent::config {

namespace {

using base::displayText;
using base::kSecondUs;
using lockkeeper::config::suggestion;
using lockkeeper::config::TableReader;
using lockkeeper::config::words;

/** The scheme for an election in a store of this kind, or why an election can't use it. */
base::Result<QByteArray> electionScheme(const stores::SourceSpec &source)
{
    const QString remedy =
        QStringLiteral("Name a source of Redis, MySQL, MariaDB, PostgreSQL, etcd, ZooKeeper or MongoDB.");
    const QByteArray kind = stores::storeKind(source.url).value_or(QByteArray());
    if (stores::isRedlock(source.url))
        return base::failure(
            base::ErrorCode::Unsupported,
            QStringLiteral("a Redlock's lease is safe against neither restarts nor clocks that jump"),
            remedy);
    if (kind == "redis")
        return QByteArrayLiteral("redis.token");
    if (kind == "mysql" || kind == "postgresql")
        return QByteArrayLiteral("sql.advisory");
    if (kind == "etcd")
        return QByteArrayLiteral("etcd.lease");
    if (kind == "zookeeper")
        return QByteArrayLiteral("zookeeper.sequence");
    if (kind == "mongodb")
        return QByteArrayLiteral("mongodb.ttl");
    return base::failure(base::ErrorCode::Unsupported,
                         QStringLiteral("a store of the kind \"%1\" has no leases that expire automatically")
                             .arg(QString::fromLatin1(kind)),
                         remedy);
}

/** Reads the collection that keeps the lock; only MongoDB needs it. */
void readCollection(const TableReader &reader, const QByteArray &scheme, stores::LockSet &set)
{
    const QString collection = reader.string("election_collection");
    const bool isMongo = scheme == "mongodb.ttl";
    if (isMongo == !collection.isEmpty()) {
        set.table.table = collection;
        if (isMongo) // can be taken over at its deadline; other presets wait for the server to remove it
            set.preset = QStringLiteral("mongodb-shedlock");
        return;
    }
    if (isMongo)
        reader.problem(
            "election",
            QStringLiteral("%1: in MongoDB the lock needs a collection").arg(reader.nameOf("election")),
            QStringLiteral("Write election_collection = \"NAME\"."));
    else
        reader.problem("election_collection",
                       QStringLiteral("%1 is for MongoDB alone").arg(reader.nameOf("election_collection")),
                       QStringLiteral("Remove it."));
}

/** A release must end before the lease can expire. The lease is renewed after a third of its TTL, so two
 * thirds are always left. */
void checkTtl(const TableReader &reader, const QList<stores::SourceSpec> &sources, qint64 ttlUs)
{
    for (const stores::SourceSpec &source : sources) {
        if (std::all_of(source.locks.cbegin(), source.locks.cend(),
                        [](const auto &set) { return set.breakMode == stores::BreakMode::Never; }))
            continue;
        const qint64 leastUs = source.statementTimeoutMs * 1'000 * 3 / 2 + kSecondUs / 2;
        if (ttlUs >= leastUs)
            continue;
        reader.problem(
            "election_ttl",
            QStringLiteral(
                "%1: a lease of %2 s leaves too little time for a release in \"%3\", which may take %4 ms")
                .arg(reader.nameOf("election_ttl"))
                .arg(ttlUs / kSecondUs)
                .arg(displayText(source.name))
                .arg(source.statementTimeoutMs),
            QStringLiteral("Write at least \"%1s\", or a shorter statement_timeout_ms.")
                .arg((leastUs + kSecondUs - 1) / kSecondUs));
    }
}

} // namespace

QStringList electionKeys()
{
    return words("election election_lock election_ttl election_collection");
}

std::optional<ElectionSettings> readElection(const TableReader &reader,
                                             const QList<stores::SourceSpec> &sources)
{
    if (!reader.has("election")) {
        for (const char *key : {"election_lock", "election_ttl", "election_collection"}) {
            if (reader.has(key))
                reader.problem(key,
                               QStringLiteral("%1 has no effect without election").arg(reader.nameOf(key)),
                               QStringLiteral("Remove it, or add election = \"SOURCE\"."));
        }
        return std::nullopt;
    }
    ElectionSettings election;
    election.ttlUs = reader.durationUs("election_ttl", 15 * kSecondUs, {3 * kSecondUs, 3'600 * kSecondUs});
    const QString name = reader.string("election");
    const auto found = std::find_if(sources.cbegin(), sources.cend(),
                                    [&name](const auto &source) { return source.name == name; });
    if (found == sources.cend()) {
        QStringList names;
        for (const stores::SourceSpec &source : sources)
            names.append(source.name);
        reader.problem(
            "election",
            QStringLiteral("%1: no source is named \"%2\"").arg(reader.nameOf("election"), displayText(name)),
            suggestion(name, names));
        return std::nullopt;
    }
    const auto scheme = electionScheme(*found);
    if (!scheme) {
        reader.problem("election",
                       QStringLiteral("%1: %2").arg(reader.nameOf("election"), scheme.error().cause),
                       scheme.error().remedy);
        return std::nullopt;
    }
    election.lock =
        reader
            .string("election_lock", *scheme == "zookeeper.sequence" ? QStringLiteral("/lockkeeper/agent")
                                                                     : QStringLiteral("lockkeeper:agent"))
            .toUtf8();
    if (election.lock.isEmpty())
        reader.problem("election_lock", QStringLiteral("%1 is empty").arg(reader.nameOf("election_lock")));
    election.store = *found;
    stores::LockSet set;
    set.scheme = *scheme;
    set.match = election.lock;
    if (*scheme == "sql.advisory")
        set.names = {election.lock};
    readCollection(reader, *scheme, set);
    election.store.locks = {set};
    election.store.push = election.store.binlog = false;
    // So that several attempts to renew fit into one lease.
    election.store.connectTimeoutMs = std::min(found->connectTimeoutMs, election.ttlUs / 4'000);
    election.store.statementTimeoutMs = std::min(found->statementTimeoutMs, election.ttlUs / 4'000);
    checkTtl(reader, sources, election.ttlUs);
    return election;
}

} // namespace lockkeeper::agent::config
