// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/health/health_check.h"

#include "shared/stores/redis/connection/handshake.h"
#include "shared/stores/redis/connection/redis_connection.h"

#include <QPointer>

#include <algorithm>
#include <hiredis/hiredis.h>

namespace lockkeeper::stores::redis {

using domain::Finding;
using domain::Severity;

namespace {

constexpr qint64 kSecondUs = 1'000'000;
constexpr qint64 kGrowingUs = 600 * kSecondUs; ///< an eviction counts as happening now for so long
constexpr qint64 kLagS = 5;                    ///< replicas answer once a second
constexpr qint64 kBehindBytes = 1 << 20;
constexpr qint64 kLongUnsavedS = 3'600; ///< the longest of the server's own save points

/** `ip=127.0.0.1,port=6380,state=online,offset=14,lag=1` */
ReplicaFacts replicaOf(const QByteArray &line, qint64 masterOffset)
{
    ReplicaFacts facts;
    for (const QByteArray &pair : line.split(',')) {
        const qsizetype equals = pair.indexOf('=');
        const QByteArray value = pair.mid(equals + 1);
        if (pair.startsWith("state="))
            facts.online = value == "online";
        else if (pair.startsWith("lag="))
            facts.silentS = value.toLongLong();
        else if (pair.startsWith("offset="))
            facts.behindBytes = std::max<qint64>(0, masterOffset - value.toLongLong());
    }
    return facts;
}

std::optional<qint64> numberOf(const QHash<QByteArray, QByteArray> &lines, const char *name)
{
    bool ok = false;
    const qint64 number = lines.value(name).toLongLong(&ok);
    return ok ? std::optional(number) : std::nullopt;
}

} // namespace

HealthFacts healthFactsOf(QByteArrayView info)
{
    const QHash<QByteArray, QByteArray> lines = infoFields(info);
    HealthFacts facts;
    facts.runId = lines.value("run_id");
    facts.nowUs = numberOf(lines, "server_time_usec").value_or(0);
    facts.policy = lines.value("maxmemory_policy");
    facts.maxMemory = numberOf(lines, "maxmemory");
    facts.evicted = numberOf(lines, "evicted_keys");
    if (const auto enabled = numberOf(lines, "aof_enabled"))
        facts.appendOnly = *enabled != 0;
    facts.unsaved = numberOf(lines, "rdb_changes_since_last_save");
    facts.savedS = numberOf(lines, "rdb_last_save_time");
    facts.snapshotFailed = lines.value("rdb_last_bgsave_status", "ok") != "ok";
    facts.appendFailed = lines.value("aof_last_write_status", "ok") != "ok" ||
                         lines.value("aof_last_bgrewrite_status", "ok") != "ok";
    facts.replica = lines.value("role") == "slave";
    facts.masterLinkUp = lines.value("master_link_status", "up") == "up";
    facts.masterSilentS = numberOf(lines, "master_link_down_since_seconds").value_or(0);
    facts.masterHeardS = numberOf(lines, "master_last_io_seconds_ago");
    const qint64 offset = numberOf(lines, "master_repl_offset").value_or(0);
    const qint64 replicas = numberOf(lines, "connected_slaves").value_or(0);
    for (qint64 i = 0; i < std::min<qint64>(replicas, 1'000); ++i) {
        const QByteArray line = lines.value("slave" + QByteArray::number(i));
        if (!line.isEmpty())
            facts.replicas.append(replicaOf(line, offset));
    }
    return facts;
}

Standing standingOf(const HealthFacts &facts)
{
    Standing standing;
    standing.replica = facts.replica;
    standing.stalled = facts.replica && !facts.masterLinkUp;
    const qint64 heardS = facts.masterHeardS.value_or(-1);
    if (facts.replica && facts.masterLinkUp && heardS >= 0 && facts.nowUs > 0)
        standing.asOfUs = facts.nowUs - (heardS + 1) * kSecondUs;
    return standing;
}

void HealthJudge::add(const char *code, Severity severity, const QByteArray &value,
                      std::optional<qint64> whenUs)
{
    m_found.append({code, severity, value, whenUs});
}

QList<Finding> HealthJudge::judge(const HealthFacts &facts, const std::optional<QByteArray> &save)
{
    m_found.clear();
    memory(facts);
    persistence(facts, save);
    replication(facts);
    std::stable_sort(m_found.begin(), m_found.end(),
                     [](const Finding &a, const Finding &b) { return a.severity > b.severity; });
    return m_found;
}

void HealthJudge::memory(const HealthFacts &facts)
{
    // volatile-* takes keys that have a TTL, which is what locks are; allkeys-* takes any.
    const bool evicts = !facts.policy.isEmpty() && facts.policy != "noeviction";
    if (evicts)
        add("eviction_policy", facts.maxMemory.value_or(0) > 0 ? Severity::Warning : Severity::Notice,
            facts.policy);
    if (!facts.evicted)
        return;
    const bool sameRun = !m_runId.isEmpty() && m_runId == facts.runId;
    const bool grew = sameRun && *facts.evicted > m_evicted;
    if (!sameRun)
        m_evictedUs.reset();
    else if (grew && facts.nowUs > 0)
        m_evictedUs = facts.nowUs;
    m_runId = facts.runId;
    m_evicted = *facts.evicted;
    if (m_evicted <= 0)
        return;
    const bool growing = grew || (m_evictedUs && facts.nowUs - *m_evictedUs < kGrowingUs);
    add("evicted_keys", growing ? Severity::Danger : Severity::Warning, QByteArray::number(m_evicted),
        m_evictedUs);
}

void HealthJudge::persistence(const HealthFacts &facts, const std::optional<QByteArray> &save)
{
    const bool append = facts.appendOnly.value_or(false);
    if (facts.appendFailed && append)
        add("save_failed", Severity::Danger, "aof");
    if (facts.snapshotFailed)
        add("save_failed", append ? Severity::Warning : Severity::Danger, "rdb");
    if (!facts.appendOnly || append)
        return;
    if (save && save->trimmed().isEmpty()) {
        add("no_persistence", Severity::Warning, QByteArray::number(facts.unsaved.value_or(0)));
        return;
    }
    const bool pending = facts.unsaved.value_or(0) > 0 && facts.savedS && facts.nowUs > 0;
    const qint64 unsavedS = pending ? std::max<qint64>(0, facts.nowUs / kSecondUs - *facts.savedS) : 0;
    add("snapshots_only", unsavedS > kLongUnsavedS ? Severity::Warning : Severity::Notice,
        QByteArray::number(unsavedS));
}

void HealthJudge::replication(const HealthFacts &facts)
{
    if (facts.replica && !facts.masterLinkUp)
        add("replica_link_down", Severity::Danger, QByteArray::number(facts.masterSilentS));
    qint64 silentS = 0;
    qint64 behind = 0;
    qint64 syncing = 0;
    for (const ReplicaFacts &replica : facts.replicas) {
        silentS = std::max(silentS, replica.online ? replica.silentS : 0);
        behind = std::max(behind, replica.online ? replica.behindBytes : 0);
        syncing += !replica.online;
    }
    if (silentS >= kLagS)
        add("replica_silent", Severity::Warning, QByteArray::number(silentS));
    if (behind >= kBehindBytes)
        add("replica_behind", Severity::Warning, QByteArray::number(behind));
    if (syncing > 0)
        add("replica_syncing", Severity::Notice, QByteArray::number(syncing));
}

HealthCheck::HealthCheck(RedisConnection &connection, QObject *parent)
    : QObject(parent), m_connection(connection)
{
    connect(&m_timer, &QTimer::timeout, this, &HealthCheck::look);
}

void HealthCheck::start(int everyMs)
{
    ++m_epoch;
    m_save.reset();
    m_timer.start(everyMs);
    askSave();
    look();
}

void HealthCheck::stop()
{
    ++m_epoch;
    m_timer.stop();
}

void HealthCheck::askSave()
{
    m_connection.send({"CONFIG", "GET", "save"},
                      [self = QPointer(this), epoch = m_epoch](const redisReply *reply) {
                          if (!self || epoch != self->m_epoch || reply == nullptr ||
                              reply->type != REDIS_REPLY_ARRAY || reply->elements != 2)
                              return; // forbidden or renamed: INFO must suffice
                          self->m_save = bytesOf(reply->element[1]).toByteArray();
                      });
}

void HealthCheck::look()
{
    const auto handler = [self = QPointer(this), epoch = m_epoch](const redisReply *reply) {
        if (!self || epoch != self->m_epoch || reply == nullptr)
            return;
        if (isError(reply, "NOPERM")) {
            self->stop(); // another try would only fill the server's log of refusals
            Q_EMIT self->read({{"lens_blind", Severity::Notice, "INFO"}});
            return;
        }
        if (isError(reply))
            return;
        const HealthFacts facts = healthFactsOf(bytesOf(reply));
        if (facts.replica)
            Q_EMIT self->standingRead(standingOf(facts));
        if (self && epoch == self->m_epoch)
            Q_EMIT self->read(self->m_judge.judge(facts, self->m_save));
    };
    if (!m_connection.send({"INFO"}, handler))
        stop();
}

void addWorst(QList<domain::Finding> &all, const QList<domain::Finding> &own, const QByteArray &node)
{
    constexpr qsizetype kMostNodes = 3;
    for (domain::Finding finding : own) {
        finding.node = node;
        const auto same = std::find_if(all.begin(), all.end(), [&finding](const domain::Finding &any) {
            return any.code == finding.code;
        });
        if (same == all.end())
            all.append(finding);
        else if (finding.severity > same->severity)
            *same = finding;
        else if (finding.severity == same->severity && same->node.count(", ") + 1 < kMostNodes)
            same->node += ", " + node;
    }
}

} // namespace lockkeeper::stores::redis
