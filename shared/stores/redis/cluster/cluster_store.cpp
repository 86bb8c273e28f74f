// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/cluster/cluster_store.h"

#include "shared/stores/redis/cluster/cluster_parts.h"
#include "shared/stores/redis/connection/log.h"

#include <QPointer>
#include <QSet>

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
      m_schemes(schemesOf(m_spec)),
      m_guide(m_spec.password),
      m_view(std::make_shared<ClusterView>())
{
    m_refresh.setSingleShot(true);
    connect(&m_refresh, &QTimer::timeout, this, &ClusterStore::askMap);
    connect(&m_guide, &ClusterGuide::answered, this, &ClusterStore::takeMap);
    connect(&m_guide, &ClusterGuide::unanswered, this, [this](const Error &error) {
        if (m_opening)
            giveUp(error);
        else if (m_open)
            m_refresh.start(kAskEvery);
    });
}

ClusterStore::~ClusterStore() = default;

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
    m_blind.clear();
    m_moves.clear();
    while (!m_parts.empty())
        dropPart(m_parts.back().get());
    m_probe.reset(); // the nodes' answers are on their way
    if (scan)
        scan->done({false, 0, 0, 0, {ErrorCode::Cancelled, QStringLiteral("the connection was closed"), {}}});
}

void ClusterStore::giveUp(const Error &error)
{
    const Error why = error; // perhaps a part's own
    close();
    failLater(why);
}

/** Never later than it would be asked anyway: many that say so don't put it off. */
void ClusterStore::askSoon(std::chrono::milliseconds in)
{
    if (!m_refresh.isActive() || m_refresh.remainingTimeAsDuration() > in)
        m_refresh.start(in);
}

void ClusterStore::askMap()
{
    QList<Endpoint> nodes;
    for (const auto &part : m_parts) {
        if (part->up)
            nodes.append(part->endpoint);
    }
    m_guide.ask(nodes + m_seeds);
}

void ClusterStore::takeMap(const ClusterMap &map)
{
    if (!m_opening && !m_open)
        return;
    m_refresh.start(kAskEvery);
    const auto isIn = [&map](const ClusterPart &part) {
        return std::any_of(map.nodes.cbegin(), map.nodes.cend(), [&part](const ClusterNode &node) {
            return node.id == part.node.id && node.host == part.node.host && node.port == part.node.port;
        });
    };
    m_access = map.access;
    noteMoves(map);
    m_owner.fill(nullptr);
    for (size_t i = m_parts.size(); i-- > 0;) {
        if (!isIn(*m_parts[i]))
            dropPart(m_parts[i].get());
    }
    for (const ClusterNode &node : map.nodes)
        addPart(node);
    for (size_t slot = 0; slot < map.owner.size(); ++slot) {
        if (map.owner[slot] < 0)
            continue;
        const QByteArray &id = map.nodes.at(map.owner[slot]).id;
        const auto part = std::find_if(m_parts.cbegin(), m_parts.cend(),
                                       [&id](const auto &any) { return any->node.id == id; });
        m_owner[slot] = part->get();
    }
    tellChanges();
    tellRest();
}

/** Opens what is new, and again what was lost. */
void ClusterStore::addPart(const ClusterNode &node)
{
    auto it = std::find_if(m_parts.begin(), m_parts.end(),
                           [&node](const auto &part) { return part->node.id == node.id; });
    if (it == m_parts.end()) {
        auto part = std::make_unique<ClusterPart>();
        part->endpoint = m_seeds.first();
        part->endpoint.host = node.host;
        part->endpoint.port = node.port;
        part->store = m_make(part->endpoint);
        part->address = part->endpoint.address().toUtf8();
        m_parts.push_back(std::move(part));
        it = std::prev(m_parts.end());
        it->get()->node = node;
        connectPart(it->get());
    }
    ClusterPart &part = **it;
    part.node = node;
    part.idle = node.ranges.isEmpty();
    if (!part.up && !part.opening) {
        part.opening = true;
        part.push.reset();
        part.store->open();
    }
}

void ClusterStore::connectPart(ClusterPart *raw)
{
    Store *store = raw->store.get();
    connect(store, &Store::opened, this, [this, raw](const ServerInfo &info) { partOpened(raw, info); });
    connect(store, &Store::failed, this, [this, raw](const Error &error) { partFailed(raw, error); });
    add(*raw);
    // These may come when the part is gone.
    quint16 &server = m_servers[raw->node.id];
    if (server == 0)
        server = quint16(m_servers.size());
    raw->server = server;
    const ClusterSpeaker from = raw->speaker();
    connect(store, &Store::pageTold, this, [this, from](const Page &page) {
        noteClock(from, page.endedUs);
        tellWatermark(watermarkUs());
    });
    connect(store, &Store::pushed, this, [this, from](const Push &push) { takePush(from, push); });
    const QPointer<ClusterStore> guard(this);
    RedisStore::ClusterPlace place;
    place.server = server;
    place.astray = [guard](const QList<QByteArray> &keys) {
        for (const QByteArray &key : keys) {
            if (!guard.isNull())
                guard->noteMoving(hashSlotOf(key));
        }
    };
    raw->store->joinCluster(std::move(place));
}

void ClusterStore::dropPart(ClusterPart *part)
{
    if (m_scan) {
        m_scan->waiting.remove(part);
        m_scan->whole.remove(part);
        std::replace(m_scan->owner.begin(), m_scan->owner.end(), part, static_cast<ClusterPart *>(nullptr));
    }
    std::replace(m_owner.begin(), m_owner.end(), part, static_cast<ClusterPart *>(nullptr));
    const auto it =
        std::find_if(m_parts.begin(), m_parts.end(), [part](const auto &any) { return any.get() == part; });
    retire(*part);
    m_parts.erase(it);
    if (m_scan)
        finishScanIfDone();
}

void ClusterStore::partOpened(ClusterPart *part, const ServerInfo &info)
{
    if (info.readOnly) {
        part->store->close();
        partFailed(part, {ErrorCode::Unreachable,
                          part->endpoint.address() + QStringLiteral(" is a replica: a failover is under way"),
                          {}});
        return;
    }
    part->opening = false;
    part->up = true;
    part->findings.clear();
    part->info = info;
    m_nodeOfRun.insert(info.instance, part->node.id);
    if (m_opening)
        openIfSettled();
    else
        tellChanges();
}

void ClusterStore::partFailed(ClusterPart *part, const Error &error)
{
    const bool wasUp = std::exchange(part->up, false);
    part->opening = false;
    part->push.reset();
    part->error = error;
    if (m_opening) {
        openIfSettled();
        return;
    }
    qCInfo(lcRedis).noquote() << "cluster:" << error.line();
    askSoon(wasUp ? kAskSoon : 1'000ms);
    if (upCount() == 0)
        giveUp(error);
    else
        tellDown(*part, error);
    tellFindings();
}

/** Once each node of the first map is up or has failed. */
void ClusterStore::openIfSettled()
{
    if (!isSettled())
        return;
    if (upCount() == 0) {
        giveUp(m_parts.front()->error);
        return;
    }
    m_opening = false;
    m_open = true;
    updateView();
    Q_EMIT opened(infoOfAll());
    for (const auto &part : m_parts) {
        if (m_open && !part->up) {
            tellDown(*part, part->error);
            askSoon(1s);
        }
    }
    tellChanges();
    if (m_open)
        beginGathering();
}

} // namespace lockkeeper::stores::redis
