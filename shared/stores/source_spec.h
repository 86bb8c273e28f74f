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

/** The force-releases that the configuration allows. */
enum class BreakMode : quint8 {
    Guarded = 0, ///< the default: only with a guard
    Never,
    Unsafe, ///< also rows that carry no identity at all
};

/** The locks of a set that the reaper releases. */
enum class ReaperMode : quint8 {
    Off = 0,
    Expired,
    Stuck, ///< as the store shows it; not on the word of a liveness probe
    Dead,  ///< a liveness probe found the holder dead
};

/** The policy that force-releases automatically. */
struct ReaperPolicy
{
    ReaperMode mode = ReaperMode::Off;
    qint64 delayUs = 60'000'000; ///< after the lock became expired or stuck
    int mostAMinute = 10;
    bool dryRun = false; ///< only journals what it would do

    bool operator==(const ReaperPolicy &) const = default;
};

using domain::discovery::TableMapping;

/** The force-releases of a lock set that need a second person. */
enum class ApprovalMode : quint8 {
    Never = 0,
    Live, ///< of a lock within its lease that isn't stuck
    Always,
};

/** The client library that writes a redis.semaphore's permits, and so their layout. */
enum class Permits : quint8 {
    RedisSemaphore = 0, ///< a sorted set; the score is when it was refreshed
    Redisson,           ///< … the deadline, and a counter has the rest
    Symfony,            ///< … the deadline; an additional member marks an exclusive holder
    Sidekiq,            ///< a hash; the field is the job, its value when it took the lock
    Huey,               ///< the hash of all results; fields called ….lock.… are locks
};
/** Looks up the configuration's word ("refreshed"). */
std::optional<Permits> permitsNamed(QByteArrayView word);
/** The permits are fields of a hash; they expire only with the hash, if at all. */
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
    bool expectHeld = false; ///< held for ever by design: alerts on absence and change, never on duration
    BreakMode breakMode = BreakMode::Guarded;
    ReaperPolicy reaper;
    ApprovalMode approval = ApprovalMode::Never;
    QString preset;     ///< by which layout; empty: the scheme's own, or the mapping alone
    TableMapping table; ///< SQL table schemes only
    qint64 atLeastUs =
        0; ///< sql.shedlock: minimum time between acquisition and release by this program's client
    /** Every waiter registers beside the locks, as this program's own client does. */
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
    bool push = false;                     ///< receive change notifications where the store can send them
    qint64 pushCommandsPerSecond = 50'000; ///< to read the locks that were reported as changed
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
