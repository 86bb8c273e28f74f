// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/discover/queues/etcd_discoverer.h"

#include "shared/stores/discover/queues/queue_patterns.h"
#include "shared/stores/discover/scoring.h"
#include "shared/stores/etcd/reading/queues.h"

#include <algorithm>
#include <utility>

namespace lockkeeper::stores::discover {

namespace {

constexpr qsizetype kPage = 5'000;
constexpr int kQueuePoints = 70;
constexpr int kLeasePoints = 35;

} // namespace

QList<Candidate> judgeKeys(const QList<etcd::KeyValue> &keys)
{
    QList<SeenLock> locks;
    for (const etcd::Queue &queue : etcd::queuesOf(keys))
        locks.append({queue.name, queue.queued, {}});
    QList<Candidate> candidates;
    for (const QueuePattern &pattern : patternsOf(locks)) {
        const Reason queues{ReasonCode::KeyQueue, kQueuePoints, {}, QString::number(pattern.sure)};
        const Reason leased{ReasonCode::KeyLeased, kLeasePoints, {}, {}};
        candidates.append(candidateOf(pattern, "etcd.lease", pattern.sure > 0 ? queues : leased));
    }
    return candidates;
}

base::Result<std::unique_ptr<Discoverer>> EtcdDiscoverer::of(SourceSpec spec)
{
    auto endpoints = etcd::endpointsOf(spec);
    if (!endpoints)
        return tl::unexpected(endpoints.error());
    return std::make_unique<EtcdDiscoverer>(std::move(spec), *std::move(endpoints));
}

EtcdDiscoverer::EtcdDiscoverer(SourceSpec spec, etcd::Endpoints endpoints, qsizetype mostKeys)
    : VerifiedDiscoverer(std::move(spec)),
      m_gateway(std::move(endpoints), this->spec().password),
      m_mostKeys(mostKeys)
{
    m_gateway.setTimeoutMs(this->spec().statementTimeoutMs);
}

void EtcdDiscoverer::start()
{
    discovery().store = "etcd";
    tryMember(m_gateway.members());
}

void EtcdDiscoverer::tryMember(qsizetype left)
{
    m_gateway.ask("maintenance/status", {}, [this, left](const etcd::Answer &answer) {
        if (isOver())
            return;
        if (answer.error && left > 1 && base::isTransient(answer.error->code)) {
            m_gateway.next();
            tryMember(left - 1);
        } else if (answer.error) {
            end(*answer.error);
        } else {
            discovery().server =
                QLatin1String("etcd ") + answer.body.value(QLatin1String("version")).toString();
            readPage(etcd::startOf({}));
        }
    });
}

/** All at one revision, in the order of their keys. */
void EtcdDiscoverer::readPage(const QByteArray &from)
{
    QJsonObject range{{QStringLiteral("key"), etcd::jsonOf(from)},
                      {QStringLiteral("range_end"), etcd::jsonOf(etcd::endOf({}))},
                      {QStringLiteral("limit"), QString::number(std::min(kPage, m_mostKeys))},
                      {QStringLiteral("keys_only"), true}};
    if (m_revision > 0)
        range.insert(QStringLiteral("revision"), etcd::jsonOf(m_revision));
    m_gateway.ask("kv/range", range, [this](const etcd::Answer &answer) {
        if (isOver())
            return;
        if (answer.error && answer.error->code == base::ErrorCode::PermissionDenied) {
            end({base::ErrorCode::PermissionDenied, answer.error->cause,
                 QStringLiteral("Scan as a user who may read all keys, or write the source by hand: scheme = "
                                "\"etcd.lease\" and match.")});
            return;
        }
        if (answer.error) {
            end(*answer.error);
            return;
        }
        m_keys += answer.keys;
        m_revision = etcd::revisionOf(answer.body);
        const bool more = answer.body.value(QLatin1String("more")).toBool() && !answer.keys.isEmpty();
        const qint64 count = etcd::int64Of(answer.body.value(QLatin1String("count")));
        Q_EMIT progressed(m_keys.size(), std::max<qint64>(m_keys.size(), count));
        if (more && m_keys.size() < m_mostKeys) {
            readPage(answer.keys.constLast().key + '\0');
            return;
        }
        discovery().tables = m_keys.size();
        discovery().allSeen = !more;
        verify(judgeKeys(std::exchange(m_keys, {})));
    });
}

} // namespace lockkeeper::stores::discover
