// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/result.h"
#include "shared/domain/discovery.h"

#include <QByteArray>
#include <QHash>
#include <QList>
#include <QStringList>
#include <QUrl>

#include <optional>

namespace lockkeeper::stores {

/** What the configuration allows. */
enum class BreakMode : quint8 {
    Guarded = 0, ///< the default: only with a guard
    Never,
    Unsafe, ///< also rows that carry no identity at all
};

/** What the reaper does in a lock set. */
enum class ReaperMode : quint8 { Off = 0, Expired, Stuck };

/** The policy that force-releases by itself. */
struct ReaperPolicy
{
    ReaperMode mode = ReaperMode::Off;
    qint64 delayUs = 60'000'000; ///< after the lock became expired or stuck
    int mostAMinute = 10;
    bool dryRun = false; ///< only journals what it would do

    bool operator==(const ReaperPolicy &) const = default;
};

using domain::discovery::TableMapping;

/** Which force-releases of a lock set need a second person. */
enum class ApprovalMode : quint8 {
    Never = 0,
    Live, ///< of a lock within its lease that isn't stuck
    Always,
};

/** Whose permits those of redis.semaphore are, and by that how they are laid out. */
enum class Permits : quint8 {
    RedisSemaphore = 0, ///< a sorted set; the score is when it was refreshed
    Redisson,           ///< … the deadline, and a counter has the rest
    Symfony,            ///< … the deadline; a member of its own marks that it is the only one
    Sidekiq,            ///< a hash; the field is the job, its value when it took the lock
    Huey,               ///< the hash of all results; fields called ….lock.… are locks
};
/** By the configuration's word for it ("refreshed"). */
std::optional<Permits> permitsNamed(QByteArrayView word);
/** The permits are fields of a hash, and end with it if ever. */
constexpr bool areFields(Permits permits)
{
    return permits == Permits::Sidekiq || permits == Permits::Huey;
}

/** How the keys of a Redis lock set are laid out, beyond what their scheme fixes. */
struct KeyLayout
{
    QByteArray ownerField = "owner"; ///< redis.json: the fields of the value …
    QByteArray stateField = "state";
    QByteArray heldValue = "execute"; ///< … and what `stateField` says while the lock is held
    QByteArray idleValue = "wait";
    QByteArray lastSyncField = "lastSync"; ///< the end of the last run; empty: there is none
    qint64 leaseUs = 10'000'000; ///< redis.semaphore: a permit's, where the score is when it was refreshed
    Permits permits = Permits::RedisSemaphore; ///< redis.semaphore
    int limit = 1;                             ///< of a semaphore: permits, for this program's own client
    bool fencing = true; ///< redis.token: this program's own client counts; redis.redisson: every client does
    bool fair = false;   ///< redis.redisson: this program's own client is a fair lock's

    bool operator==(const KeyLayout &) const = default;
};

/** One `[[source.locks]]` of the configuration. */
struct LockSet
{
    QByteArray scheme;      ///< "redis.token", "sql.shedlock"
    QByteArray match = "*"; ///< glob on the name
    qint64 stuckAfterUs = 600'000'000;
    qint64 noExpiryAfterUs = 30'000'000;
    BreakMode breakMode = BreakMode::Guarded;
    ReaperPolicy reaper;
    ApprovalMode approval = ApprovalMode::Never;
    QString preset;     ///< by which layout; empty: the scheme's own, or the mapping alone
    TableMapping table; ///< SQL table schemes only
    qint64 atLeastUs =
        0; ///< sql.shedlock: this program's own client gives nothing back sooner after taking it
    /** Who waits registers beside the locks, as this program's own client does: they are all who wait. */
    bool waitersRegistered = false;
    QList<QByteArray> names; ///< sql.advisory: names to ask for where the server can't list them
    KeyLayout keys;          ///< Redis schemes only

    bool operator==(const LockSet &) const = default;
};

/**
 * One `[[source]]`: where to connect and what to look for. A plain value. `password` is the resolved
 * secret, and never part of `url`, of a log line or of an error.
 */
struct SourceSpec
{
    QString name;
    QUrl url; ///< without a password
    QByteArray password;
    qint64 pollMs = 500;
    QByteArray timeZone = "UTC"; ///< IANA name, of DATETIME columns
    bool clientClock = false;    ///< the application writes its own time, not the database's
    bool journalRenewals = false;
    qint64 connectTimeoutMs = 5'000;
    qint64 statementTimeoutMs = 5'000;
    int pageSize = 1'000;                  ///< keys or rows a page
    bool push = false;                     ///< be told of changes where the store can
    qint64 pushCommandsPerSecond = 50'000; ///< to read what was told to have changed
    bool binlog = false;                   ///< MySQL and MariaDB: read changes from the binary log
    qint64 maxReadsPerSecond = 0;          ///< that clients ask for, in locks; 0: 20 scans' worth
    qint64 reconcileMs = 60'000;           ///< under push, how often a scan proves that nothing was missed
    QHash<QString, QString> tls;           ///< "ca", "cert", "key" (files), "verify" ("full", "ca", "off")
    bool probe = false;                    ///< operators may listen to the commands of the store's clients
    QList<LockSet> locks;

    bool operator==(const SourceSpec &) const = default;
};

/** The kind of store that a URL names: "redis", "mysql", "postgresql", "sqlite", "mongodb", "etcd" or
 * "zookeeper"; a usage Error for any other.
 */
base::Result<QByteArray> storeKind(const QUrl &url);

/** True where the URL names the independent nodes of a Redlock: redis.redlock is its one scheme, and no other
 * store's. */
bool isRedlock(const QUrl &url);

/** The URL for people and logs: no password, control characters escaped. */
QString displayAddress(const QUrl &url);

} // namespace lockkeeper::stores
