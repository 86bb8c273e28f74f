// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/application/finding_text.h"

#include "shared/base/text.h"

#include <algorithm>
#include <array>

namespace lockkeeper::agent::application {

namespace {

/** %1 is the finding's value, in the unit that PROTOCOL.md gives for its code. */
struct Sentence
{
    const char *code;
    const char *text;
};
constexpr std::array kSentences{
    Sentence{"node_unreachable", "the node %1 can't be reached"},
    Sentence{"node_polled", "the node %1 doesn't report changes: the source is polled"},
    Sentence{"eviction_policy", "locks may be evicted when memory runs short: maxmemory-policy is %1"},
    Sentence{"evicted_keys", "%1 keys were evicted since the server's start, possibly locks"},
    Sentence{"replica_silent", "a replica hasn't answered for %1 s: a failover to it may lose locks"},
    Sentence{"replica_behind", "a replica is %1 bytes behind: a failover to it may lose locks"},
    Sentence{"replica_syncing", "replicas that still receive the initial data: %1"},
    Sentence{"replica", "this server is a replica, at most %1 s behind: locks can't be released here"},
    Sentence{"replica_lag", "this server is a replica, and may be behind its primary (seconds: %1)"},
    Sentence{"replica_stalled", "this server is a replica and applies no changes (age in seconds: %1)"},
    Sentence{"replica_link_down", "this server is a replica, without its master for %1 s"},
    Sentence{"part_unseen", "%1 can't be read: its locks aren't shown"},
    Sentence{"no_persistence", "nothing is saved to disk: a restart loses every lock"},
    Sentence{"snapshots_only", "no append-only file: a crash loses the locks since the last snapshot"},
    Sentence{"save_failed", "the last write of the %1 file failed"},
    Sentence{"lens_blind", "%1 isn't permitted: eviction, persistence and replicas can't be checked"},
    Sentence{"clock_offset", "the store's clock differs from the agent's by %1 µs"},
    Sentence{"lease_short",
             "the configured lease is shorter than the clients' (configured, seen, match): %1"},
    Sentence{"client_clock", "the applications' clocks differ from the store's by at least %1 µs"},
    Sentence{"held_reads", "most polls read only the held rows, through an index: %1"},
    Sentence{"long_names", "rows of %1 aren't shown: their names are longer than 64 KiB"},
    Sentence{"standalone", "a single server without a replica set: there is no failover, and no push"},
    Sentence{"majority_behind", "the replica set's majority is %1 s behind its primary"},
    Sentence{"ttl_overdue", "%1 expired documents haven't been removed for five minutes"},
    Sentence{"no_leader", "the servers have no majority: %1 knows of no leader"},
    Sentence{"single_member", "a single server: there is no failover"},
    Sentence{"short_lease", "a lease is shorter than three round trips (lease ms, round trip ms, lock): %1"},
    Sentence{"watch_lag", "change notifications arrive up to %1 s late"},
    Sentence{"no_expiry", "%1 held locks have no expiry: they stay when their holder dies"},
    Sentence{"restarts", "the server was restarted or replaced %1 times since the agent's start"},
    Sentence{"partial_view", "this user sees only some of the source's locks"},
};

} // namespace

QString findingText(const domain::Finding &finding)
{
    const QString code = base::displayText(finding.code);
    const QString value = base::displayText(finding.value);
    const auto *known = std::find_if(kSentences.cbegin(), kSentences.cend(),
                                     [&finding](const Sentence &one) { return finding.code == one.code; });
    QString text = known == kSentences.cend() ? value : QString::fromUtf8(known->text);
    if (text.contains(QLatin1String("%1")))
        text = text.arg(value.isEmpty() ? QStringLiteral("unknown") : value);
    if (!finding.node.isEmpty())
        text.prepend(base::displayText(finding.node) + QStringLiteral(": "));
    return text.isEmpty() ? code : QStringLiteral("%1 (%2)").arg(text, code);
}

} // namespace lockkeeper::agent::application
