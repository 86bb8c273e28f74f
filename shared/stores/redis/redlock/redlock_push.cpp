// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/redlock/redlock_push.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <utility>

namespace lockkeeper::stores::redis {

using namespace std::chrono_literals;

namespace {

constexpr quint64 kUnasked = ~quint64(0); ///< of pages that nobody asked for
constexpr qsizetype kPage = 256;          ///< locks in one reading
constexpr qsizetype kMostWaiting = 500'000;
constexpr qint64 kCommandsALock = 4; ///< at each node: two, and what isn't settled is read again
/** A node that dies loses one connection before the other. */
constexpr auto kLossKnown = 300ms;

} // namespace

RedlockPush::RedlockPush(NodeSet &nodes, Memory &memory, const SourceSpec &spec, QObject *parent)
    : QObject(parent),
      m_nodes(nodes),
      m_memory(memory),
      m_spec(spec),
      m_budget(std::max<qint64>(1, spec.pushCommandsPerSecond))
{
    m_clock.start();
    for (qsizetype i = 0; i < m_nodes.size(); ++i) {
        connect(&m_nodes.at(i), &Node::namesChanged, this, &RedlockPush::mark);
        connect(&m_nodes.at(i), &Node::everythingChanged, this, [this] {
            if (m_begun)
                everything(toldUs());
        });
        connect(&m_nodes.at(i), &Node::pushStateChanged, this, [this, i] { takeState(i); });
        connect(&m_nodes.at(i), &Node::toldUntil, this, &RedlockPush::tellWatermark);
    }
    m_pump.setSingleShot(true);
    m_pump.setTimerType(Qt::PreciseTimer);
    m_loss.setSingleShot(true);
    connect(&m_pump, &QTimer::timeout, this, &RedlockPush::pump);
    connect(&m_loss, &QTimer::timeout, this, [this] { tellState(); });
}

void RedlockPush::begin()
{
    end();
    if (!m_spec.push)
        return;
    m_begun = true;
    m_up = upNodes();
    tellState(true);
}

QSet<qsizetype> RedlockPush::upNodes() const
{
    QSet<qsizetype> up;
    for (qsizetype i = 0; i < m_nodes.size(); ++i) {
        if (m_nodes.at(i).isUp())
            up.insert(i);
    }
    return up;
}

void RedlockPush::end()
{
    ++m_link;
    m_begun = m_on = false;
    m_pump.stop();
    m_loss.stop();
    m_waiting.clear();
    m_reading.clear();
    m_queue.clear();
    m_lost.clear();
    m_batch = 0;
    m_watermarkUs = 0;
    callTold();
}

void RedlockPush::mark(const QList<Subject> &locks)
{
    if (!m_begun)
        return;
    const qint64 sinceUs = watermarkUs();
    for (const Subject &lock : locks) {
        if (m_waiting.contains(lock))
            continue;
        m_waiting.insert(lock, sinceUs);
        m_queue.push_back(lock);
        ++m_marks;
    }
    if (m_queue.size() > size_t(kMostWaiting))
        everything(toldUs());
    pump();
}

/** All nodes that are up have notified of everything up to this time of the source's clock; 0: not known.
 * While one doesn't say, what is known stays. */
qint64 RedlockPush::watermarkUs()
{
    qint64 leastUs = std::numeric_limits<qint64>::max();
    for (const qsizetype node : std::as_const(m_up)) {
        const qint64 us = m_nodes.at(node).toldUntilUs();
        leastUs = std::min(leastUs, us > 0 ? m_nodes.sourceUs(node, us) : 0);
    }
    // A clock that was set back has proven nothing yet.
    if (leastUs > 0 && leastUs <= m_nodes.nowUs())
        m_watermarkUs = leastUs;
    return m_watermarkUs;
}

/** As watermarkUs(), of what was read, too. */
qint64 RedlockPush::toldUs()
{
    qint64 leastUs = watermarkUs();
    if (!m_queue.empty())
        leastUs = std::min(leastUs, m_waiting.value(m_queue.front()));
    return m_reading.isEmpty() ? leastUs : std::min(leastUs, *std::ranges::min_element(m_reading));
}

void RedlockPush::tellWatermark()
{
    const qint64 us = m_on ? toldUs() - m_nodes.slackUs() : 0;
    if (us > 0)
        Q_EMIT pageRead({0, us, us, {}});
}

/** A node was emptied, or what was notified of can't be read: a pass shows what there is. */
void RedlockPush::everything(qint64 sinceUs)
{
    Push push;
    push.everything = true;
    push.sinceUs = std::max<qint64>(0, sinceUs - m_nodes.slackUs());
    m_waiting.clear();
    m_queue.clear();
    if (m_on)
        Q_EMIT pushed(push);
    callTold();
}

/** One reading at a time: answers about one lock never overtake each other. */
void RedlockPush::pump()
{
    if (!m_begun || m_batch > 0 || m_queue.empty())
        return;
    const qint64 nowUs = m_clock.nsecsElapsed() / 1'000;
    const qint64 affordable = std::min<qint64>(m_budget.left(nowUs) / kCommandsALock, kPage);
    if (affordable < 1) {
        m_pump.start(std::chrono::milliseconds(m_budget.waitUs(kPage * kCommandsALock, nowUs) / 1'000 + 1));
        return;
    }
    QList<Subject> locks;
    while (!m_queue.empty() && locks.size() < affordable) {
        const Subject lock = m_queue.front();
        m_queue.pop_front();
        m_reading.insert(lock, m_waiting.take(lock));
        locks.append(lock);
    }
    m_batch = quint64(locks.size());
    m_budget.spend(locks.size() * kCommandsALock);
    auto run = std::make_shared<Gather>(m_nodes, m_memory, kUnasked, locks);
    run->start(
        [this, link = m_link](const Page &page) {
            if (link == m_link && page.endedUs > 0)
                takePage(page);
        },
        [this, link = m_link] {
            if (link == m_link)
                endReading();
        });
}

void RedlockPush::takePage(const Page &page)
{
    Push push;
    for (const Observation &now : page.locks) {
        const qint64 sinceUs = std::clamp<qint64>(m_reading.take({now.set, now.name}), 0, page.beganUs);
        Change &change = push.changes.emplaceBack();
        change.lock = now;
        change.timeUs = page.endedUs + m_nodes.slackUs();
        change.windowUs = change.timeUs - sinceUs + m_nodes.slackUs();
    }
    if (m_on)
        Q_EMIT pushed(push);
    else
        Q_EMIT pageRead(m_nodes.widened(page));
}

void RedlockPush::endReading()
{
    // Without a majority the source is down in a moment; where it isn't, these are still to be read.
    if (!m_reading.isEmpty())
        everything(toldUs());
    m_reading.clear();
    m_batch = 0;
    callTold();
    pump();
}

void RedlockPush::takeState(qsizetype node)
{
    if (!m_begun || !m_up.contains(node) || !m_nodes.at(node).push())
        return; // it isn't up for the source yet
    const PushState state = *m_nodes.at(node).push();
    if (m_on && !state.on && base::isTransient(state.why.code)) {
        m_lost.insert(node, state);
        if (!m_loss.isActive())
            m_loss.start(kLossKnown);
        return;
    }
    if (m_on && state.on && m_lost.contains(node)) { // it may have missed some
        const PushState lost = m_lost.take(node);
        const qint64 untilUs = lost.toldUntilUs > 0 ? m_nodes.sourceUs(node, lost.toldUntilUs) : 0;
        Q_EMIT stateChanged({true, true, lost.why, untilUs});
    }
    tellState();
}

/** After a change of a node's state, or of which are up. */
void RedlockPush::tellState(bool first)
{
    PushState state;
    state.on = true;
    for (const qsizetype i : std::as_const(m_up)) {
        const std::optional<PushState> &own = m_nodes.at(i).push();
        if (own && own->on)
            continue;
        if (own) {
            state.why = own->why;
            state.why.cause = QStringLiteral("the node %1 doesn't tell of changes: %2")
                                  .arg(QString::fromUtf8(m_nodes.at(i).address()), own->why.cause);
            state.toldUntilUs = own->toldUntilUs > 0 ? m_nodes.sourceUs(i, own->toldUntilUs) : 0;
        }
        state.on = false;
    }
    m_lost.clear();
    if (!first && state.on == m_on)
        return;
    state.blind = state.on || m_on;
    m_on = state.on;
    Q_EMIT stateChanged(state);
}

void RedlockPush::nodesChanged()
{
    if (!m_begun)
        return;
    const qint64 sinceUs = toldUs();
    const QSet<qsizetype> up = upNodes();
    if (std::exchange(m_up, up) == up)
        return;
    m_lost.removeIf([&up](const auto &lost) { return !up.contains(lost.key()); });
    const bool wasOn = m_on;
    tellState();
    if (m_on && wasOn)
        everything(sinceUs); // what the others notify of is whole; what hinges on these a pass shows
}

void RedlockPush::whenTold(std::function<void()> then)
{
    m_told.emplace_back(m_marks, std::move(then));
    callTold();
}

void RedlockPush::callTold()
{
    while (!m_told.empty() && m_told.front().first <= m_marks - m_queue.size() - m_batch) {
        const auto then = std::move(m_told.front().second);
        m_told.pop_front();
        then();
    }
}

} // namespace lockkeeper::stores::redis
