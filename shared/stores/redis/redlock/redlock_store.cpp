// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/redlock/redlock_store.h"

#include "shared/stores/redis/connection/log.h"
#include "shared/stores/redis/redlock/nodes_scan.h"
#include "shared/stores/redis/redlock/release_run.h"
#include "shared/stores/release_ground.h"

#include <algorithm>
#include <chrono>

namespace lockkeeper::stores::redis {

using namespace std::chrono_literals;
using base::Error;
using base::ErrorCode;
using domain::Outcome;

namespace {
constexpr auto kGrace = 500ms;
}

RedlockStore::RedlockStore(SourceSpec spec, QByteArray place, std::vector<std::unique_ptr<Node>> nodes,
                           QObject *parent)
    : CompositeStore(spec.push, parent),
      m_spec(std::move(spec)),
      m_place(std::move(place)),
      m_nodes(std::move(nodes)),
      m_push(*this, m_nodes, m_memory, m_spec.pushCommandsPerSecond)
{
    connect(&m_push, &RedlockPush::pushed, this, &Store::pushed);
    connect(&m_push, &RedlockPush::pageTold, this, &Store::pageTold);
    for (qsizetype i = 0; i < m_nodes.size(); ++i) {
        add(m_nodes.at(i));
        m_nodes.at(i).setObjection([this, i] { return m_nodes.sameServer(m_nodes.at(i)); });
        connect(&m_nodes.at(i), &Node::changed, this, &RedlockStore::onNodeChanged);
        connect(&m_nodes.at(i), &Node::toldUntil, this,
                [this] { tellWatermark(m_push.toldUs() - m_nodes.slackUs()); });
    }
    m_grace.setSingleShot(true);
    connect(&m_grace, &QTimer::timeout, this, [this] {
        if (m_state == OpenState::Opening && upCount() >= m_nodes.quorum())
            announce();
    });
}

RedlockStore::~RedlockStore()
{
    // Signals of nodes that are being destroyed have no receiver.
    m_push.disconnect(this);
    for (qsizetype i = 0; i < m_nodes.size(); ++i) {
        m_nodes.at(i).disconnect(this);
        m_nodes.at(i).store->disconnect(this);
    }
}

void RedlockStore::open()
{
    m_state = OpenState::Opening;
    m_grace.stop();
    for (qsizetype i = 0; i < m_nodes.size(); ++i)
        m_nodes.at(i).open();
    later([this] { onNodeChanged(); }); // they may be up already
}

void RedlockStore::close()
{
    m_state = OpenState::Closed;
    m_grace.stop();
    loseScan({ErrorCode::Cancelled, QStringLiteral("the connection was closed"), {}});
    m_push.end();
    endGathering();
    for (qsizetype i = 0; i < m_nodes.size(); ++i)
        m_nodes.at(i).close();
}

void RedlockStore::onNodeChanged()
{
    if (m_state == OpenState::Closed)
        return;
    const bool enough = upCount() >= m_nodes.quorum();
    if (m_state == OpenState::Open) {
        if (!enough) {
            giveUp();
            return;
        }
        const bool wasPushed = isPushed();
        const bool moved = tellShards();
        if (moved)
            tellPush();
        // A scan shows the locks that hinge on these nodes. If a node has never reported its changes, the
        // time since when they may have changed is unknown.
        const bool known =
            std::ranges::all_of(members(), [](const Member *node) { return node->toldUs > 0; });
        if (moved && wasPushed && isPushed())
            everything(known ? untoldSinceUs() : 0);
        tellFindings();
        return;
    }
    if (enough && isSettled())
        announce();
    else if (enough && !m_grace.isActive())
        m_grace.start(kGrace);
    else if (isSettled() && !enough)
        giveUp();
}

void RedlockStore::announce()
{
    m_grace.stop();
    m_nodes.setClock();
    m_state = OpenState::Open;
    m_away.clear();
    Q_EMIT opened(infoOfAll());
    if (m_state != OpenState::Open)
        return;
    m_push.begin();
    beginGathering();
    tellShards();
}

ServerInfo RedlockStore::infoOfAll() const
{
    ServerInfo info = merged(upCount() - m_nodes.quorum());
    info.instance = m_nodes.instance();
    info.places = QList<QByteArray>(m_spec.locks.size(), m_place);
    qsizetype writable = 0;
    for (qsizetype i = 0; i < m_nodes.size(); ++i) {
        const Node &node = m_nodes.at(i);
        NodeInfo &own = info.nodes.emplaceBack();
        own = {node.address, node.up, node.info.server, node.info.readOnly, node.error, {}};
        std::ranges::copy_if(node.info.access, std::back_inserter(own.missing), std::logical_not<>(),
                             &domain::Access::granted);
        writable += node.up && !node.info.readOnly ? 1 : 0;
    }
    info.readOnly = writable < m_nodes.quorum();
    info.server += QStringLiteral(", %1 nodes").arg(m_nodes.size());
    return info;
}

void RedlockStore::everything(qint64 sinceUs)
{
    m_push.everything(sinceUs);
}

qint64 RedlockStore::sourceUs(const Member &node, qint64 us) const
{
    const qint64 at = m_nodes.sourceUs(static_cast<const Node &>(node), us);
    return at <= m_nodes.nowUs() ? at : 0; // a clock that was set back has proven nothing yet
}

/** Reports lost and returned nodes as gaps; the others continue. True if there are any. */
bool RedlockStore::tellShards()
{
    bool any = false;
    for (qsizetype i = 0; i < m_nodes.size() && m_state == OpenState::Open; ++i) {
        const Node &node = m_nodes.at(i);
        if (node.up != m_away.contains(i))
            continue;
        any = true;
        if (node.up)
            m_away.remove(i);
        else
            m_away.insert(i);
        ShardState part;
        part.node = node.address;
        part.up = node.up;
        part.error = node.error;
        Q_EMIT shardChanged(part);
    }
    return any;
}

void RedlockStore::giveUp()
{
    m_grace.stop();
    m_state = OpenState::Closed;
    const Error error = noQuorumError(m_nodes);
    loseScan(error);
    m_push.end();
    endGathering();
    Q_EMIT failed(error);
}

void RedlockStore::loseScan(const Error &error)
{
    if (const auto scan = std::exchange(m_scan, nullptr))
        scan->lose(error);
}

void RedlockStore::gather(const QList<Subject> &subjects, PageTaken page, Gather::Done done)
{
    auto run = std::make_shared<Gather>(m_nodes, m_memory, subjects);
    const auto take = [this, page = std::move(page)](const Page &read) {
        if (read.endedUs > 0)
            page(m_nodes.widened(read));
    };
    run->start(take, std::move(done));
}

void RedlockStore::scan(PageTaken page, ScanEnded done)
{
    if (m_state != OpenState::Open) {
        later([this, done = std::move(done)] { done({false, 0, 0, 0, noQuorumError(m_nodes)}); });
        return;
    }
    m_nodes.setClock();
    const auto look = [this, page = std::move(page)](const QList<Subject> &subjects, Gather::Done read) {
        const auto take = [scan = std::weak_ptr(m_scan), page](const Page &one) {
            if (const auto current = scan.lock(); current && !current->isOver())
                page(one);
        };
        gather(subjects, take, std::move(read));
    };
    const auto report = [this, done = std::move(done)](const ScanEnd &end) {
        m_scan.reset();
        // The changes from before the end of the scan come first.
        m_push.whenTold([done, end] { done(end); });
    };
    m_scan = std::make_shared<NodesScan>(m_nodes, m_spec.locks.size(), look, report);
    m_scan->start();
}

void RedlockStore::readPoints(const QList<Subject> &subjects, PageTaken page, PointsRead done)
{
    if (m_state != OpenState::Open) {
        later(std::move(done));
        return;
    }
    const qsizetype pageSize = std::max(1, m_spec.pageSize);
    const auto left =
        std::make_shared<qsizetype>(std::max<qsizetype>(1, (subjects.size() + pageSize - 1) / pageSize));
    for (qsizetype at = 0; at == 0 || at < subjects.size(); at += pageSize)
        gather(subjects.mid(at, pageSize), page, [left, done] {
            if (--*left == 0)
                done();
        });
}

void RedlockStore::inspect(const Subject &subject, Inspected done)
{
    const bool known = subject.set < m_spec.locks.size();
    if (m_state != OpenState::Open || !known) {
        const Error why = known ? noQuorumError(m_nodes) : noSuchSet();
        later([done, subject, why] { done(absent(subject, why)); });
        return;
    }
    const auto answers = std::make_shared<QList<Inspection>>(m_nodes.size());
    const auto pending = std::make_shared<qsizetype>(m_nodes.size());
    for (qsizetype i = 0; i < m_nodes.size(); ++i)
        m_nodes.at(i).store->inspect(subject,
                                     [this, answers, pending, i, subject, done](const Inspection &own) {
                                         (*answers)[i] = own;
                                         if (--*pending == 0)
                                             done(inspectionOf(subject, *answers));
                                     });
}

Inspection RedlockStore::inspectionOf(const Subject &subject, const QList<Inspection> &answers) const
{
    Inspection answer;
    answer.storeUs = m_nodes.nowUs();
    QList<NodeReading> readings;
    for (qsizetype i = 0; i < m_nodes.size(); ++i)
        readings.append(m_nodes.readingOf(i, answers.at(i).error ? nullptr : &answers.at(i).lock));
    const MergedLock merged = m_memory.merged(subject, readings, answer.storeUs);
    answer.lock = merged.lock;
    if (std::ranges::count(readings, true, &NodeReading::reachable) < m_nodes.quorum())
        answer.error = noQuorumError(m_nodes);
    else if (merged.lock.present)
        answer.guard = guardOf(m_spec, m_place, m_nodes.instance(), merged.lock);
    return answer;
}

void RedlockStore::release(const ReleaseOrder &order, Released done)
{
    ReleaseGround ground;
    ground.place = m_place;
    ground.instance = m_nodes.instance();
    ground.otherRun.error = {
        ErrorCode::Usage, QStringLiteral("the guard belongs to another set of nodes"), {}};
    auto refusal = refusalOf(order, m_spec, ground);
    if (!refusal && m_state != OpenState::Open)
        refusal = Refusal{Outcome::Unreachable, noQuorumError(m_nodes)};
    if (refusal) {
        later([done, report = refusal->report()] { done(report); });
        return;
    }
    auto run = std::make_shared<ReleaseRun>(m_nodes, order, m_place);
    run->start([this, done](const ReleaseReport &answer) { later([done, answer] { done(answer); }); });
}

} // namespace lockkeeper::stores::redis
