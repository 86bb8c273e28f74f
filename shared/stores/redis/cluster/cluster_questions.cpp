// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/cluster/cluster_scan.h"
#include "shared/stores/redis/cluster/cluster_store.h"
#include "shared/stores/redis/monitor/probe_counter.h"

#include <QPointer>

#include <algorithm>
#include <chrono>
#include <utility>

namespace lockkeeper::stores::redis {

using namespace std::chrono_literals;
using base::Error;
using base::ErrorCode;
using domain::Outcome;

namespace {

Error nodeDown()
{
    return {ErrorCode::Unreachable,
            QStringLiteral("the node of the cluster that has this lock can't be reached"),
            {}};
}

/** Adds one node's report to the sum, which lasts from the first node's beginning to the last node's end. */
void addReport(ProbeReport &sum, const ProbeReport &own)
{
    if (own.beganUs > 0) {
        sum.beganUs = sum.beganUs == 0 ? own.beganUs : std::min(sum.beganUs, own.beganUs);
        sum.endedUs = std::max(sum.endedUs, own.endedUs);
    }
    sum.commands += own.commands;
    sum.unreadable += own.unreadable;
    sum.leftOut += own.leftOut;
    sum.end = std::max(sum.end, own.end);
    sum.counts += own.counts;
    if (own.error && !sum.error)
        sum.error = own.error;
}

} // namespace

void ClusterStore::scan(PageTaken page, ScanEnded done)
{
    const auto report = [this, done = std::move(done)](const ScanEnd &end) {
        m_scan.reset();
        done(end);
    };
    const auto scan = std::make_shared<ClusterScan>(m_router, std::move(page), report);
    m_scan = scan;
    if (!m_open || !scan->start())
        later([this, scan] {
            if (m_scan == scan)
                scan->lose(nodeDown());
        });
}

void ClusterStore::readPoints(const QList<Subject> &subjects, PageTaken page, PointsRead done)
{
    const auto take = [page = std::move(page)](const KeyPage &read, const ClusterSpeaker &) {
        page({read.beganUs, read.endedUs, read.locks});
    };
    const auto reading = std::make_shared<ClusterReading>(
        m_router, false, take, [done = std::move(done)](const QList<Subject> &) { done(); });
    reading->wait();
    if (m_open)
        reading->readPoints(subjects);
    later([reading] { reading->settle(); });
}

/** Probes all primaries at once, and divides the permitted number of commands among them. If one of them
 * fails, the report is incomplete, and it drops all counts. */
void ClusterStore::probe(const ProbeOrder &order, Probed done)
{
    const auto report = std::make_shared<ProbeReport>();
    QList<ClusterShard *> up;
    for (const auto &shard : m_router->shards.all()) {
        if (shard->up)
            up.append(shard.get());
        else if (!shard->node.ranges.isEmpty())
            report->error = shard->error;
    }
    if (!m_open || (up.isEmpty() && !report->error))
        report->error = Error{ErrorCode::Unreachable, QStringLiteral("the cluster can't be reached"), {}};
    if (report->error) {
        later([done = std::move(done), report] { done(*report); });
        return;
    }
    const ProbeOrder own{order.forUs, std::max<qint64>(1, order.mostCommands / up.size())};
    const auto take = [report, done = std::move(done),
                       waiting = std::make_shared<qsizetype>(up.size())](const ProbeReport &told) {
        addReport(*report, told);
        if (--*waiting > 0)
            return;
        if (report->error)
            report->counts.clear();
        keepMost(*report);
        done(*report);
    };
    for (const ClusterShard *shard : std::as_const(up))
        shard->store->probe(own, take);
}

void ClusterStore::inspect(const Subject &subject, Inspected done)
{
    const bool known = subject.set < m_spec.locks.size();
    ClusterShard *shard =
        known && m_open ? m_router->shards.owner(m_router->shards.slotOf(subject)) : nullptr;
    if (shard != nullptr) {
        inspectAt(shard, subject, false, 0, done); // while it is down, it answers for itself
        return;
    }
    const Error why = known ? nodeDown() : noSuchSet();
    later([done, subject, why] { done(absent(subject, why)); });
}

void ClusterStore::inspectAt(ClusterShard *shard, const Subject &subject, bool asking, int hops,
                             const Inspected &done)
{
    const auto take = [self = QPointer<ClusterStore>(this), from = shard->speaker(), subject, hops,
                       done](const Inspection &inspection) {
        const auto to = inspection.error ? redirectOf(inspection.error->cause.toUtf8()) : std::nullopt;
        ClusterShard *next = to && !self.isNull() ? self->m_router->followRedirect(to, from, hops) : nullptr;
        if (next != nullptr)
            self->inspectAt(next, subject, to->ask, hops + 1, done);
        else
            done(inspection);
    };
    shard->store->inspectHere(subject, asking, take);
}

/** Asks the server that the lock was seen at, wherever its slot is by now: that server knows where the lock
 * went. */
void ClusterStore::release(const ReleaseOrder &order, Released done)
{
    ReleaseReport report = reportOf(Outcome::Unreachable, nodeDown());
    if (order.set >= m_spec.locks.size()) {
        report = reportOf(Outcome::Refused, noSuchSet());
    } else if (m_open) {
        const ClusterShards &shards = m_router->shards;
        const QByteArray place = setPlaceIn(QByteArrayLiteral("db0"), *shards.schemes()->at(order.set));
        const auto name = subjectNameOf(place, order.guard.key);
        ClusterShard *owner = shards.owner(shards.slotOf({order.set, name.value_or(order.guard.key.name)}));
        ClusterShard *seenAt = shards.find([&order](const ClusterShard &any) {
            return any.up && any.info.instance == order.guard.instance;
        });
        const bool misplaced = seenAt != nullptr && seenAt != owner;
        if (misplaced || owner != nullptr) {
            releaseAt(misplaced ? seenAt : owner, order, misplaced, done);
            return;
        }
    }
    later([done, report] { done(report); });
}

/**
 * If the node has run nothing and names another node, the store doesn't ask the other node: the guard's
 * deadline is by this node's clock, and can't be compared there.
 */
void ClusterStore::releaseAt(ClusterShard *shard, const ReleaseOrder &order, bool asking,
                             const Released &done)
{
    const auto take = [self = QPointer<ClusterStore>(this), done](const ReleaseReport &report) {
        const QByteArray words = report.error.cause.toUtf8();
        ReleaseReport end = report;
        if (report.outcome == Outcome::Refused &&
            (sendsElsewhere(words) || words.contains("access a non local key"))) {
            end.error.remedy = QStringLiteral("Its slot is moving to another node: read the lock again.");
            if (self)
                self->askSoon(0ms);
        }
        done(end);
    };
    shard->store->releaseHere(order, asking, take);
}

} // namespace lockkeeper::stores::redis
