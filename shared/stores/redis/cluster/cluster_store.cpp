// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/cluster/cluster_store.h"

#include "shared/stores/redis/cluster/cluster_scan.h"
#include "shared/stores/redis/connection/log.h"
#include "shared/stores/redis/health/access_probe.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace lockkeeper::stores::redis {

using namespace std::chrono_literals;
using base::Error;
using base::ErrorCode;

namespace {

constexpr auto kAskEvery = 5s;

} // namespace

ClusterStore::ClusterStore(SourceSpec spec, QList<Endpoint> seeds, Make make, QObject *parent)
    : CompositeStore(spec.push, parent),
      m_spec(std::move(spec)),
      m_seeds(std::move(seeds)),
      m_make(std::move(make)),
      m_guide(m_spec.password),
      m_router(std::make_shared<ClusterRouter>(
          schemesOf(m_spec), qMax(1, m_spec.pageSize),
          ClusterRouter::Owner{[this](const ShardState &state) { Q_EMIT shardChanged(state); },
                               [this](std::chrono::milliseconds in) { askSoon(in); },
                               [this] { return m_open && isPushed(); }}))
{
    m_refresh.setSingleShot(true);
    connect(&m_refresh, &QTimer::timeout, this, &ClusterStore::askMap);
    connect(&m_guide, &ClusterGuide::answered, this, &ClusterStore::takeMap);
    connect(&m_guide, &ClusterGuide::unanswered, this, [this](const Error &error) {
        if (m_opening)
            giveUp(explained(error));
        else if (m_open)
            m_refresh.start(kAskEvery);
    });
}

ClusterStore::~ClusterStore() = default;

/** For a refusal, the remedy names all rules that are needed, as none of the others could be tried. */
Error ClusterStore::explained(Error error) const
{
    if (error.code == ErrorCode::PermissionDenied)
        error.remedy = observeStatement(m_spec, *schemesOf(m_spec), m_seeds.constFirst().user,
                                        "+cluster|slots +cluster|nodes +asking");
    return error;
}

void ClusterStore::open()
{
    close();
    m_opening = true;
    askMap();
}

void ClusterStore::close()
{
    endGathering();
    m_opening = m_open = false;
    m_refresh.stop();
    m_guide.stop();
    const std::shared_ptr<ClusterScan> scan = std::exchange(m_scan, nullptr);
    if (scan)
        scan->stop();
    m_router->runs.reset();
    m_router->moves.clear();
    while (!m_router->shards.all().empty())
        dropShard(m_router->shards.all().back().get());
    if (scan)
        scan->lose({ErrorCode::Cancelled, QStringLiteral("the connection was closed"), {}});
}

void ClusterStore::giveUp(const Error &error)
{
    const Error why = error; // `error` may be a shard's member
    close();
    failLater(why);
}

/** Never later than the store would ask anyway: repeated calls don't put the question off. */
void ClusterStore::askSoon(std::chrono::milliseconds in)
{
    if (!m_refresh.isActive() || m_refresh.remainingTimeAsDuration() > in)
        m_refresh.start(in);
}

void ClusterStore::askMap()
{
    QList<Endpoint> nodes;
    for (const auto &shard : m_router->shards.all()) {
        if (shard->up)
            nodes.append(shard->endpoint);
    }
    m_guide.ask(nodes + m_seeds);
}

void ClusterStore::takeMap(const ClusterMap &map)
{
    if (!m_opening && !m_open)
        return;
    m_refresh.start(kAskEvery);
    m_access = map.access;
    ClusterShards &shards = m_router->shards;
    m_router->noteMoving(m_router->runs.noteMap(map));
    shards.forgetOwners();
    const auto isGone = [&map](const ClusterShard &shard) {
        return std::ranges::none_of(map.nodes, [&shard](const ClusterNode &node) {
            return node.id == shard.node.id && node.host == shard.node.host && node.port == shard.node.port;
        });
    };
    while (ClusterShard *gone = shards.find(isGone))
        dropShard(gone);
    for (const ClusterNode &node : map.nodes)
        addShard(node);
    shards.setOwners(map);
    if (m_open)
        m_router->runs.tellChanges();
    m_router->moves.tellRest();
    if (!m_router->moves.isEmpty())
        askSoon(1s);
}

/** Opens a new shard, and reopens a lost one. */
void ClusterStore::addShard(const ClusterNode &node)
{
    ClusterShard *shard =
        m_router->shards.find([&node](const ClusterShard &any) { return any.node.id == node.id; });
    if (shard == nullptr) {
        auto made = std::make_unique<ClusterShard>();
        made->endpoint = m_seeds.first();
        made->endpoint.host = node.host;
        made->endpoint.port = node.port;
        made->store = m_make(made->endpoint);
        made->address = made->endpoint.address().toUtf8();
        made->node = node;
        shard = &m_router->shards.add(std::move(made));
        connectShard(shard);
    }
    shard->node = node;
    shard->idle = node.ranges.isEmpty();
    if (!shard->up && !shard->opening) {
        shard->opening = true;
        shard->push.reset();
        shard->store->open();
    }
}

void ClusterStore::connectShard(ClusterShard *raw)
{
    Store *store = raw->store.get();
    connect(store, &Store::opened, this, [this, raw](const ServerInfo &info) { shardOpened(raw, info); });
    connect(store, &Store::failed, this, [this, raw](const Error &error) { shardFailed(raw, error); });
    add(*raw);
    // These signals may arrive after the shard was destroyed.
    quint16 &server = m_servers[raw->node.id];
    if (server == 0)
        server = quint16(m_servers.size());
    raw->server = server;
    const ClusterSpeaker from = raw->speaker();
    connect(store, &Store::pageTold, this, [this, from](const Page &page) {
        m_router->noteClock(from, page.endedUs);
        tellWatermark(watermarkUs());
    });
    connect(store, &Store::pushed, this, [this, from](const Push &push) { takePush(from, push); });
    const auto misplaced = [router = std::weak_ptr(m_router)](const QList<QByteArray> &keys) {
        for (const QByteArray &key : keys) {
            if (const auto current = router.lock())
                current->noteMoving(hashSlotOf(key));
        }
    };
    raw->store->joinCluster({server, misplaced});
}

void ClusterStore::dropShard(ClusterShard *shard)
{
    const std::unique_ptr<ClusterShard> dropped = m_router->shards.take(shard);
    retire(*dropped);
    if (const auto scan = m_scan) // that may end the scan
        scan->drop(shard);
}

void ClusterStore::shardOpened(ClusterShard *shard, const ServerInfo &info)
{
    if (info.readOnly) {
        shard->store->close();
        shardFailed(shard,
                    {ErrorCode::Unreachable,
                     shard->endpoint.address() + QStringLiteral(" is a replica: a failover is under way"),
                     {}});
        return;
    }
    shard->opening = false;
    shard->up = true;
    shard->unread = false;
    shard->findings.clear();
    shard->info = info;
    m_router->runs.opened(*shard);
    if (m_opening)
        openIfSettled();
    else if (m_open)
        m_router->runs.tellChanges();
}

void ClusterStore::shardFailed(ClusterShard *shard, const Error &error)
{
    const bool wasUp = std::exchange(shard->up, false);
    shard->opening = false;
    shard->push.reset();
    shard->error = error;
    if (m_opening) {
        openIfSettled();
        return;
    }
    qCInfo(lcRedis).noquote() << "cluster:" << error.line();
    askSoon(wasUp ? ClusterRouter::kAskSoon : 1'000ms);
    if (upCount() == 0)
        giveUp(error);
    else
        m_router->runs.lost(*shard, error);
    tellFindings();
}

/** The store is open once each node of the first map is up or has failed. */
void ClusterStore::openIfSettled()
{
    if (!isSettled())
        return;
    if (upCount() == 0) {
        giveUp(m_router->shards.all().front()->error);
        return;
    }
    m_opening = false;
    m_open = true;
    m_router->runs.updateView();
    Q_EMIT opened(infoOfAll());
    for (const auto &shard : m_router->shards.all()) {
        if (m_open && !shard->up) {
            m_router->runs.lost(*shard, shard->error);
            askSoon(1s);
        }
    }
    if (m_open)
        m_router->runs.tellChanges();
    if (m_open)
        beginGathering();
}

ServerInfo ClusterStore::infoOfAll() const
{
    ServerInfo info = merged(0);
    info.access += m_access;
    info.server = QStringLiteral("%1, cluster of %2 primaries").arg(info.server).arg(members().size());
    info.instance = QByteArrayLiteral("cluster");
    info.instanceOf = [view = m_router->runs.view(),
                       schemes = m_router->shards.schemes()](const Subject &lock) {
        const QByteArrayView key = schemes->at(lock.set)->keyOf(lock.name);
        const auto at = view->elsewhere.isEmpty() ? view->elsewhere.cend()
                                                  : view->elsewhere.constFind({lock.set, key.toByteArray()});
        return at == view->elsewhere.cend() ? view->bySlot[hashSlotOf(key)] : *at;
    };
    return info;
}

/** Takes a primary's changes only for its own slots, while those don't move. A primary that is away is a gap
 * of its shard, and a scan reads its locks once it is back. */
void ClusterStore::takePush(const ClusterSpeaker &from, const Push &push)
{
    if (!isPushed())
        return; // a scan is to come
    Push own = push;
    own.changes.removeIf([&](const Change &change) {
        const Subject lock{change.lock.set, change.lock.name};
        const quint16 slot = m_router->shards.slotOf(lock);
        if (!m_router->shards.isOwner(from, slot))
            m_router->noteMoving(slot);
        else if (!m_router->moves.isMoving(slot)) {
            m_router->runs.seenAtHome(lock);
            return false;
        }
        return true;
    });
    if (!own.changes.isEmpty() || own.everything)
        Q_EMIT pushed(own);
}

} // namespace lockkeeper::stores::redis
