// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/cluster_store.h"

#include "shared/stores/redis/cluster_parts.h"
#include "shared/stores/redis/log.h"

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
constexpr auto kAskSoon = 300ms;

Error nodeDown()
{
    return {ErrorCode::Unreachable,
            QStringLiteral("the node of the cluster that has this lock can't be reached"),
            {}};
}

/** The node has run nothing and names another one. */
bool sendsElsewhere(const Error &error)
{
    return error.cause.startsWith(QLatin1String("MOVED ")) || error.cause.startsWith(QLatin1String("ASK ")) ||
           error.cause.startsWith(QLatin1String("TRYAGAIN"));
}

} // namespace

ClusterStore::ClusterStore(SourceSpec spec, QList<Endpoint> seeds, Make make, QObject *parent)
    : Store(parent),
      m_spec(std::move(spec)),
      m_seeds(std::move(seeds)),
      m_make(std::move(make)),
      m_schemes(schemesOf(m_spec)),
      m_guide(m_spec.password),
      m_view(std::make_shared<std::array<QByteArray, kHashSlots>>())
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

/** Answers that need nothing from a server still come after the asker has returned. */
template <typename Call> void ClusterStore::later(Call call)
{
    QMetaObject::invokeMethod(this, std::move(call), Qt::QueuedConnection);
}

void ClusterStore::open()
{
    close();
    m_opening = true;
    askMap();
}

void ClusterStore::close()
{
    ++m_opened;
    m_opening = m_open = false;
    m_refresh.stop();
    m_guide.stop();
    m_pass.reset();
    m_blind.clear();
    while (!m_parts.empty())
        dropPart(m_parts.back().get());
}

void ClusterStore::giveUp(Error error)
{
    close();
    later([this, error, opening = m_opened] { // after what was owed
        if (opening == m_opened)
            Q_EMIT failed(error);
    });
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
}

/** A primary that is up and gave all its slots to others that were primaries before has given its keys with
 * them; one whose place a new primary has taken was failed over, even where its link still stands. */
void ClusterStore::noteMoves(const ClusterMap &map)
{
    QSet<QByteArray> known;
    for (const auto &part : m_parts)
        known.insert(part->node.id);
    QHash<const ClusterPart *, bool> given;
    for (size_t slot = 0; slot < m_owner.size(); ++slot) {
        const bool served = map.owner[slot] >= 0 && known.contains(map.nodes.at(map.owner[slot]).id);
        if (m_owner[slot] != nullptr)
            given[m_owner[slot]] = given.value(m_owner[slot], true) && served;
    }
    for (auto it = given.cbegin(); it != given.cend(); ++it) {
        if (it.value() && it.key()->up)
            m_left.insert(it.key()->info.instance);
    }
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
        m_parts.push_back(std::move(part));
        it = std::prev(m_parts.end());
        ClusterPart *raw = it->get();
        Store *store = raw->store.get();
        connect(store, &Store::opened, this, [this, raw](const ServerInfo &info) { partOpened(raw, info); });
        connect(store, &Store::failed, this, [this, raw](const Error &error) { partFailed(raw, error); });
        connect(store, &Store::pageRead, this, &Store::pageRead);
        connect(store, &Store::passEnded, this, [this, raw](const PassEnd &end) { partPassEnded(raw, end); });
        connect(store, &Store::inspected, this, [this](Inspection inspection) {
            if (inspection.error && sendsElsewhere(*inspection.error))
                askSoon(kAskSoon);
            Q_EMIT inspected(inspection);
        });
        connect(store, &Store::released, this, [this](ReleaseReport report) {
            if (sendsElsewhere(report.error)) {
                report.error.remedy =
                    QStringLiteral("Its slot is moving to another node: look at the lock again.");
                askSoon(kAskSoon);
            }
            Q_EMIT released(report);
        });
    }
    ClusterPart &part = **it;
    part.node = node;
    if (!part.up && !part.opening) {
        part.opening = true;
        part.store->open();
    }
}

void ClusterStore::dropPart(ClusterPart *part)
{
    if (m_pass) {
        m_pass->waiting.remove(part);
        m_pass->whole.remove(part);
        std::replace(m_pass->owner.begin(), m_pass->owner.end(), part, static_cast<ClusterPart *>(nullptr));
    }
    std::replace(m_owner.begin(), m_owner.end(), part, static_cast<ClusterPart *>(nullptr));
    const auto it =
        std::find_if(m_parts.begin(), m_parts.end(), [part](const auto &any) { return any.get() == part; });
    Store *store = part->store.release();
    disconnect(store, &Store::opened, this, nullptr);
    disconnect(store, &Store::failed, this, nullptr);
    disconnect(store, &Store::passEnded, this, nullptr);
    store->close();
    store->deleteLater(); // what it owes is on its way still
    m_parts.erase(it);
    if (m_pass)
        finishPassIfDone();
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
    part->error = error;
    if (m_opening) {
        openIfSettled();
        return;
    }
    qCInfo(lcRedis).noquote() << "cluster:" << error.line();
    askSoon(wasUp ? kAskSoon : 1'000ms);
    const bool anyUp = std::any_of(m_parts.cbegin(), m_parts.cend(), [](const auto &any) { return any->up; });
    if (!anyUp)
        giveUp(error);
    else
        tellDown(*part, error);
}

/** Once each node of the first map is up or has failed. */
void ClusterStore::openIfSettled()
{
    const auto opening = [](const auto &part) { return part->opening; };
    const auto up = [](const auto &part) { return part->up; };
    if (std::any_of(m_parts.cbegin(), m_parts.cend(), opening))
        return;
    if (std::none_of(m_parts.cbegin(), m_parts.cend(), up)) {
        giveUp(m_parts.front()->error);
        return;
    }
    m_opening = false;
    m_open = true;
    updateView();
    Q_EMIT opened(merged());
    for (const auto &part : m_parts) {
        if (m_open && !part->up) {
            tellDown(*part, part->error);
            askSoon(1s);
        }
    }
    tellChanges();
}

void ClusterStore::tellDown(const ClusterPart &part, const Error &error)
{
    const QBitArray bits = slotsOf(&part);
    if (bits.count(true) == 0)
        return;
    m_blind[part.address()] = bits;
    Q_EMIT partChanged(
        {part.address(), part.node.ranges, false, false, false, error, coverOf(bits, m_schemes)});
}

/** After a change of the map or of a node: who came back without its locks, and what is seen again. */
void ClusterStore::tellChanges()
{
    if (!m_open)
        return;
    updateView();
    for (const auto &part : m_parts) {
        if (part->up)
            noteRun(part.get());
    }
    QBitArray seen(kHashSlots);
    for (int slot = 0; slot < kHashSlots; ++slot)
        seen.setBit(slot, m_owner[size_t(slot)] != nullptr && m_owner[size_t(slot)]->up);
    for (const QByteArray &address : m_blind.keys()) {
        if ((m_blind.value(address) & ~seen).count(true) != 0)
            continue;
        m_blind.remove(address);
        Q_EMIT partChanged({address, {}, true, false, false, {}, {}});
    }
}

/** A slot whose server is another run than before, and whose former one is gone, may have lost its keys. */
void ClusterStore::noteRun(ClusterPart *part)
{
    const QByteArray &run = part->info.instance;
    const auto isAlive = [this](const QByteArray &other) {
        return std::any_of(m_parts.cbegin(), m_parts.cend(),
                           [&other](const auto &any) { return any->up && any->info.instance == other; });
    };
    QBitArray lost(kHashSlots);
    bool failover = false;
    for (size_t slot = 0; slot < m_owner.size(); ++slot) {
        if (m_owner[slot] != part || m_run[slot] == run)
            continue;
        const QByteArray before = std::exchange(m_run[slot], run);
        if (before.isEmpty() || isAlive(before) || m_left.contains(before))
            continue; // moved, with its keys
        lost.setBit(qsizetype(slot));
        failover = failover || m_nodeOfRun.value(before) != part->node.id;
    }
    if (lost.count(true) > 0)
        Q_EMIT partChanged(
            {part->address(), part->node.ranges, true, true, failover, {}, coverOf(lost, m_schemes)});
}

void ClusterStore::updateView()
{
    for (size_t slot = 0; slot < m_owner.size(); ++slot) {
        if (m_owner[slot] != nullptr && !m_owner[slot]->info.instance.isEmpty())
            (*m_view)[slot] = m_owner[slot]->info.instance;
    }
}

quint16 ClusterStore::slotOf(const Subject &subject) const
{
    return hashSlotOf(m_schemes->at(subject.set)->keyOf(subject.name));
}

QBitArray ClusterStore::slotsOf(const ClusterPart *part) const
{
    QBitArray bits(kHashSlots);
    for (size_t slot = 0; slot < m_owner.size(); ++slot)
        bits.setBit(qsizetype(slot), m_owner[slot] == part);
    return bits;
}

ServerInfo ClusterStore::merged() const
{
    ServerInfo info;
    for (const auto &part : m_parts) {
        if (!part->up)
            continue;
        if (info.store.isEmpty()) {
            info = part->info;
            continue;
        }
        for (domain::Access &access : info.access) {
            for (const domain::Access &other : part->info.access) {
                if (other.need == access.need && access.granted && !other.granted)
                    access = other;
            }
        }
        if (info.warning.cause.isEmpty())
            info.warning = part->info.warning;
    }
    info.server = QStringLiteral("%1, cluster of %2 primaries").arg(info.server).arg(m_parts.size());
    info.instance = QByteArrayLiteral("cluster");
    info.instanceOf = [view = m_view, schemes = m_schemes](const Subject &subject) {
        return (*view)[hashSlotOf(schemes->at(subject.set)->keyOf(subject.name))];
    };
    return info;
}

void ClusterStore::pass(quint64 request)
{
    m_pass = std::make_unique<ClusterPass>();
    m_pass->end.request = request;
    m_pass->owner = m_owner;
    for (const auto &part : m_parts) {
        if (m_open && part->up)
            m_pass->waiting.insert(part.get());
    }
    if (m_pass->waiting.isEmpty()) {
        m_pass->end.error = nodeDown();
        later([this] { finishPassIfDone(); });
        return;
    }
    const QSet<ClusterPart *> waiting = m_pass->waiting;
    for (ClusterPart *part : waiting)
        part->store->pass(request);
}

void ClusterStore::partPassEnded(ClusterPart *part, const PassEnd &end)
{
    if (!m_pass || end.request != m_pass->end.request || !m_pass->waiting.remove(part))
        return;
    PassEnd &whole = m_pass->end;
    whole.scanned += end.scanned;
    if (end.complete) {
        whole.beganUs = whole.complete ? std::min(whole.beganUs, end.beganUs) : end.beganUs;
        whole.endedUs = std::max(whole.endedUs, end.endedUs);
        whole.complete = true;
        m_pass->whole.insert(part);
        if (end.covers)
            m_pass->covers.append(end.covers);
    } else {
        whole.error = end.error;
    }
    finishPassIfDone();
}

/** Covered is what the same node had all the time, and read to its end. */
void ClusterStore::finishPassIfDone()
{
    if (!m_pass || !m_pass->waiting.isEmpty())
        return;
    const std::unique_ptr<ClusterPass> pass = std::move(m_pass);
    QBitArray covered(kHashSlots);
    for (size_t slot = 0; slot < m_owner.size(); ++slot)
        covered.setBit(qsizetype(slot), m_owner[slot] != nullptr && m_owner[slot] == pass->owner[slot] &&
                                            pass->whole.contains(m_owner[slot]));
    if (pass->end.complete && (covered.count(true) < kHashSlots || !pass->covers.isEmpty()))
        pass->end.covers = [inSlot = coverOf(covered, m_schemes), parts = pass->covers](const Subject &lock) {
            return inSlot(lock) && std::all_of(parts.cbegin(), parts.cend(),
                                               [&lock](const auto &part) { return part(lock); });
        };
    Q_EMIT passEnded(pass->end);
}

void ClusterStore::look(quint64 request, const QList<Subject> &subjects)
{
    QHash<ClusterPart *, QList<Subject>> byPart;
    bool astray = false;
    for (const Subject &subject : subjects) {
        ClusterPart *part = m_open ? m_owner[slotOf(subject)] : nullptr;
        if (part != nullptr && part->up)
            byPart[part].append(subject);
        else
            astray = true;
    }
    for (auto it = byPart.cbegin(); it != byPart.cend(); ++it)
        it.key()->store->look(request, it.value());
    if (astray)
        later([this, request] { Q_EMIT pageRead({request, 0, 0, {}}); });
}

void ClusterStore::inspect(quint64 request, const Subject &subject)
{
    const bool known = subject.set < m_spec.locks.size();
    ClusterPart *part = known && m_open ? m_owner[slotOf(subject)] : nullptr;
    if (part != nullptr) {
        part->store->inspect(request, subject); // answers for itself where it is down
        return;
    }
    Inspection answer;
    answer.request = request;
    answer.lock.set = subject.set;
    answer.lock.name = subject.name;
    answer.lock.present = false;
    answer.error = known ? nodeDown() : Error{ErrorCode::NotFound, QStringLiteral("no such lock set"), {}};
    later([this, answer] { Q_EMIT inspected(answer); });
}

void ClusterStore::release(const ReleaseOrder &order)
{
    ReleaseReport report;
    report.command = order.command;
    report.outcome = domain::Outcome::Unreachable;
    report.error = nodeDown();
    if (order.set >= m_spec.locks.size()) {
        report.outcome = domain::Outcome::Refused;
        report.error = {ErrorCode::NotFound, QStringLiteral("no such lock set"), {}};
    } else if (m_open) {
        const QByteArray place = setPlaceIn(QByteArrayLiteral("db0"), *m_schemes->at(order.set));
        const auto name = subjectNameOf(place, order.guard.key);
        ClusterPart *part = m_owner[slotOf({order.set, name.value_or(order.guard.key.name)})];
        if (part != nullptr) {
            part->store->release(order);
            return;
        }
    }
    later([this, report] { Q_EMIT released(report); });
}

} // namespace lockkeeper::stores::redis
