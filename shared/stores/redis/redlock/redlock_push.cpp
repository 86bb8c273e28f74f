// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/redlock/redlock_push.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace lockkeeper::stores::redis {

namespace {

constexpr qsizetype kPage = 256; ///< locks in one reading
constexpr qsizetype kMostWaiting = 500'000;
constexpr qint64 kCommandsALock = 4; ///< at each node: two, and what isn't settled is read again

} // namespace

RedlockPush::RedlockPush(CompositeStore &store, NodeSet &nodes, Memory &memory, qint64 commandsASecond)
    : m_store(store), m_nodes(nodes), m_memory(memory), m_budget(commandsASecond)
{
    m_clock.start();
    for (qsizetype i = 0; i < m_nodes.size(); ++i) {
        connect(&m_nodes.at(i), &Node::namesChanged, this, &RedlockPush::mark);
        connect(&m_nodes.at(i), &Node::everythingChanged, this, [this] { everything(toldUs()); });
    }
    m_pump.setSingleShot(true);
    m_pump.setTimerType(Qt::PreciseTimer);
    connect(&m_pump, &QTimer::timeout, this, &RedlockPush::pump);
}

void RedlockPush::begin()
{
    end();
    m_begun = true;
}

void RedlockPush::end()
{
    ++m_link;
    m_begun = false;
    m_pump.stop();
    m_waiting.clear();
    m_reading.clear();
    m_queue.clear();
    m_batch = 0;
    callTold();
}

void RedlockPush::mark(const QList<Subject> &locks)
{
    if (!m_begun)
        return;
    const qint64 sinceUs = m_store.watermarkUs();
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

qint64 RedlockPush::toldUs()
{
    qint64 leastUs = m_store.watermarkUs();
    if (!m_queue.empty())
        leastUs = std::min(leastUs, m_waiting.value(m_queue.front()));
    return m_reading.isEmpty() ? leastUs : std::min(leastUs, *std::ranges::min_element(m_reading));
}

void RedlockPush::everything(qint64 sinceUs)
{
    if (!m_begun)
        return;
    Push push;
    push.everything = true;
    push.sinceUs = std::max<qint64>(0, sinceUs - m_nodes.slackUs());
    m_waiting.clear();
    m_queue.clear();
    if (m_store.isPushed())
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
    auto run = std::make_shared<Gather>(m_nodes, m_memory, locks);
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
    if (m_store.isPushed())
        Q_EMIT pushed(push);
    else
        Q_EMIT pageTold(m_nodes.widened(page));
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
