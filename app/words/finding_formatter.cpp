// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/words/finding_formatter.h"

#include "shared/base/text.h"
#include "shared/domain/sight.h"

#include <QLocale>

#include <cstdlib>

namespace lockkeeper::app::words {

using base::displayText;
using domain::Finding;
using domain::Severity;

namespace {

QString number(const Finding &finding)
{
    return QLocale().toString(finding.value.toLongLong());
}

bool is(const Finding &finding, const char *code)
{
    return finding.code == code;
}

} // namespace

QString FindingFormatter::severity(Severity severity)
{
    switch (severity) {
    case Severity::Danger:
        return tr("Danger", "severity");
    case Severity::Warning:
        return tr("Warning", "severity");
    case Severity::Notice:
        break;
    }
    return tr("Notice", "severity");
}

QString FindingFormatter::duration(qint64 seconds)
{
    constexpr qint64 kMinute = 60;
    constexpr qint64 kHour = 60 * kMinute;
    constexpr qint64 kDay = 24 * kHour;
    if (seconds < 2 * kMinute)
        return tr("%1 s").arg(seconds);
    if (seconds < 2 * kHour)
        return tr("%1 min").arg(seconds / kMinute);
    return seconds < 2 * kDay ? tr("%1 h").arg(seconds / kHour) : tr("%1 days").arg(seconds / kDay);
}

QString FindingFormatter::memory(const Finding &finding, const QString &when)
{
    if (is(finding, "eviction_policy")) {
        const QString policy = displayText(finding.value);
        return finding.severity == Severity::Notice
                   ? tr("No memory limit is set. With one, the policy %1 would evict locks.").arg(policy)
                   : tr("Locks may be evicted when memory runs short: the policy is %1.").arg(policy);
    }
    if (finding.severity == Severity::Danger)
        return when.isEmpty()
                   ? tr("Keys are being evicted: %1 since the server's start. Locks may be among them.")
                         .arg(number(finding))
                   : tr("Keys are being evicted: %1 since the server's start, more at %2. Locks may be among "
                        "them.")
                         .arg(number(finding), when);
    return tr("Keys evicted since the server's start: %1. Locks may have been among them.")
        .arg(number(finding));
}

QString FindingFormatter::persistence(const Finding &finding)
{
    if (is(finding, "no_persistence"))
        return tr("Nothing is saved to disk: a restart of the server loses every lock.");
    if (is(finding, "save_failed"))
        return finding.value == "aof" ? tr("Couldn't write the append-only file.")
                                      : tr("Couldn't write the last snapshot.");
    const qint64 seconds = finding.value.toLongLong();
    return seconds > 0
               ? tr("No append-only file, and changes that no snapshot has for %1: a crash takes the locks "
                    "back to it.")
                     .arg(duration(seconds))
               : tr("No append-only file: a crash takes the locks back to the last snapshot.");
}

QString FindingFormatter::replication(const Finding &finding)
{
    const qint64 value = finding.value.toLongLong();
    if (is(finding, "replica_silent"))
        return tr("A replica hasn't answered for %1: a failover to it may lose locks.").arg(duration(value));
    if (is(finding, "replica_behind"))
        return tr("A replica is %1 behind: a failover to it may lose locks.")
            .arg(QLocale().formattedDataSize(value, 1));
    if (is(finding, "replica_syncing"))
        return tr("Replicas that are still being given the data: %1.").arg(number(finding));
    if (is(finding, "replica_link_down"))
        return tr("This server is a replica and has been without its master for %1: what it shows may be "
                  "old.")
            .arg(duration(value));
    return replica(finding);
}

/** The text for a source that is a replica. Without a value, the age of its data is unknown. */
QString FindingFormatter::replica(const Finding &finding)
{
    const QString old = duration(finding.value.toLongLong());
    const bool known = !finding.value.isEmpty();
    if (is(finding, "replica_stalled"))
        return known ? tr("This server is a replica and applies no changes at present: its data is %1 old. "
                          "Leases that have expired since may have been renewed at the primary.")
                           .arg(old)
                     : tr("This server is a replica and applies no changes at present: the age of its data "
                          "is unknown.");
    if (!known)
        return tr("This server is a replica, and its delay behind its primary is unknown: a lease that has "
                  "expired here may have been renewed there.");
    return is(finding, "replica_lag")
               ? tr("This server is a replica and may be %1 behind its primary: a lease that has expired "
                    "here may have been renewed there.")
                     .arg(old)
               : tr("This server is a replica, at most %1 behind its primary. Locks can be released only "
                    "there.")
                     .arg(old);
}

QString FindingFormatter::clock(const Finding &finding)
{
    const qint64 us = finding.value.toLongLong();
    const QString amount = QLocale().toString(double(std::abs(us)) / 1e6, 'f', 1);
    return us > 0 ? tr("The store's clock is %1 s ahead of the agent's.").arg(amount)
                  : tr("The store's clock is %1 s behind the agent's.").arg(amount);
}

/**
 * The finding's value is the configured lease, the observed lease, and the name of the lock set, separated by
 * spaces.
 */
QString FindingFormatter::lease(const Finding &finding)
{
    const QByteArray &value = finding.value;
    const qsizetype first = value.indexOf(' ');
    const qsizetype second = value.indexOf(' ', first + 1);
    if (first < 0 || second < 0)
        return tr("%1: %2", "code, value").arg(displayText(finding.code), displayText(value));
    return tr("Permits of %1 last %2, longer than the lease of %3 that the configuration gives them.")
        .arg(displayText(value.sliced(second + 1)), displayText(value.sliced(first + 1, second - first - 1)),
             displayText(value.first(first)));
}

/** The finding's value is the lease, the round trip, and the lock, separated by spaces; in milliseconds. */
QString FindingFormatter::shortLease(const Finding &finding)
{
    const qsizetype first = finding.value.indexOf(' ');
    const qsizetype second = finding.value.indexOf(' ', first + 1);
    if (first < 0 || second < 0)
        return tr("%1: %2", "code, value").arg(displayText(finding.code), displayText(finding.value));
    return tr("%1's holder has a %2 ms lease or session, less than three %3 ms round trips: a late reply can "
              "lose the lock.")
        .arg(displayText(finding.value.sliced(second + 1)), displayText(finding.value.first(first)),
             displayText(finding.value.sliced(first + 1, second - first - 1)));
}

QString FindingFormatter::observed(const Finding &finding, const QString &when)
{
    if (is(finding, "no_expiry"))
        return tr("Held locks without an expiry: %1. Nothing ends them when their holder dies.")
            .arg(number(finding));
    if (is(finding, "restarts"))
        return tr("Restarts of the server, or changes to another one, since the agent's start: %1. Last "
                  "noticed at %2.")
            .arg(number(finding), when);
    if (is(finding, "node_unreachable"))
        return tr("The node %1 can't be reached: locks that depend on it are unknown.")
            .arg(displayText(finding.value));
    if (is(finding, "node_polled"))
        return tr("The node %1 doesn't send changes: the source is polled.").arg(displayText(finding.value));
    if (is(finding, "held_reads"))
        return tr("Most polls read only what is held, by an index: %1.").arg(displayText(finding.value));
    if (is(finding, "long_names"))
        return tr("Rows of %1 aren't shown: their names are longer than 64 KiB.")
            .arg(displayText(finding.value));
    if (is(finding, "lease_short"))
        return lease(finding);
    if (is(finding, domain::kPartialView))
        return tr("Your role covers only some of its locks, so risks aren't shown.");
    if (is(finding, "client_clock"))
        return tr("A clock of the applications is off by at least %1 s.")
            .arg(QLocale().toString(double(std::abs(finding.value.toLongLong())) / 1e6, 'f', 1));
    if (is(finding, "standalone"))
        return tr("A single server without a replica set: nothing replaces it when it fails, and its changes "
                  "can't be followed.");
    if (is(finding, "majority_behind"))
        return tr("The replica set's majority is %1 behind its primary: what it hasn't confirmed isn't "
                  "shown, and a "
                  "failover may lose it.")
            .arg(duration(finding.value.toLongLong()));
    if (is(finding, "ttl_overdue"))
        return tr("Documents that the server should have removed more than five minutes ago: %1. Clients "
                  "can't acquire these locks until they are removed.")
            .arg(number(finding));
    if (is(finding, "no_leader"))
        return tr("The servers have no majority: %1 knows of no leader. Clients can't acquire or release "
                  "locks, and the state shown may be out of date.")
            .arg(displayText(finding.value));
    if (is(finding, "single_member"))
        return tr("A single server: nothing replaces it when it fails.");
    if (is(finding, "short_lease"))
        return shortLease(finding);
    if (is(finding, "watch_lag"))
        return tr("Change notifications came up to %1 late, last at %2.")
            .arg(duration(finding.value.toLongLong()), when);
    if (is(finding, "lens_blind"))
        return tr("%1 is not permitted: eviction, persistence and replicas can't be seen.")
            .arg(displayText(finding.value));
    return tr("%1: %2", "code, value").arg(displayText(finding.code), displayText(finding.value));
}

QString FindingFormatter::text(const Finding &finding, const QString &when)
{
    const QString words = ofStore(finding, when);
    return finding.node.isEmpty() ? words : displayText(finding.node) + QStringLiteral(": ") + words;
}

QString FindingFormatter::ofStore(const Finding &finding, const QString &when)
{
    if (is(finding, "eviction_policy") || is(finding, "evicted_keys"))
        return memory(finding, when);
    if (is(finding, "no_persistence") || is(finding, "snapshots_only") || is(finding, "save_failed"))
        return persistence(finding);
    if (is(finding, domain::kPartUnseen))
        return tr("%1 isn't seen: what happens to locks there isn't known.").arg(displayText(finding.value));
    if (finding.code.startsWith("replica"))
        return replication(finding);
    return is(finding, "clock_offset") ? clock(finding) : observed(finding, when);
}

QString FindingFormatter::advice(const Finding &finding)
{
    if (is(finding, "eviction_policy") || is(finding, "evicted_keys"))
        return tr("Set maxmemory-policy noeviction, or keep locks in a separate server.");
    if (is(finding, "no_persistence") || is(finding, "snapshots_only"))
        return tr("Set appendonly yes where a restart must not lose locks.");
    if (is(finding, "save_failed"))
        return tr("Check the server's log and its free disk space.");
    if (is(finding, "replica_lag"))
        return tr("Let the agent's user see the lag (PostgreSQL: pg_monitor, MariaDB: SLAVE MONITOR, MySQL: "
                  "REPLICATION CLIENT), or connect the source to the primary.");
    if (is(finding, "replica_stalled"))
        return tr("Resume the replication, or connect the source to the primary.");
    if (is(finding, "replica_silent") || is(finding, "replica_behind") || is(finding, "replica_link_down"))
        return tr("Check the link between the servers and the load of the replica.");
    if (is(finding, "clock_offset"))
        return tr("Correct one of the clocks. Times shown follow the store's clock.");
    if (is(finding, "client_clock"))
        return tr("Keep the clocks of the applications' hosts in step.");
    if (is(finding, "no_expiry"))
        return tr("Look for code that sets a key and its expiry in two steps.");
    if (is(finding, "lease_short"))
        return tr("Set “lease” of this lock set to the lockTimeout that its clients have.");
    if (is(finding, "lens_blind"))
        return tr("Grant the agent's user +info.");
    if (is(finding, "standalone"))
        return tr("Make it a replica set: one of a single server is enough for its changes to be followed.");
    if (is(finding, "no_leader"))
        return tr("Bring back as many servers as make a majority.");
    if (is(finding, "single_member"))
        return tr("Three servers go on serving when one of them is lost.");
    if (is(finding, "short_lease"))
        return tr("Use a longer lease or session for its clients, or move them closer to the store.");
    if (is(finding, "watch_lag"))
        return tr("Check the load of the store's servers and the link to them.");
    if (is(finding, "majority_behind"))
        return tr("Check the members of the replica set and the links between them.");
    if (is(finding, "ttl_overdue"))
        return tr("Check ttlMonitorEnabled and the load of the primary.");
    return {};
}

} // namespace lockkeeper::app::words
