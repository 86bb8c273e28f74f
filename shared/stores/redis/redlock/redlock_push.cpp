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
constexpr qint64 kCommandsALock = 4; ///< at each node: two, and an unsettled lock is read again

QByteArray keyFor(const Subject &lock)
{
    return QByteArray::number(lock.set) + ' ' + lock.name;
}

Subject lockOf(const QByteArray &key)
{
    const qsizetype space = key.indexOf(' ');
    return {key.first(space).toUShort(), key.sliced(space + 1)};
}

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
    m_changed.clear();
    m_reading = false;
    m_changed.callRead();
}

void RedlockPush::mark(const QList<Subject> &locks)
{
    if (!m_begun)
        return;
    const qint64 sinceUs = m_store.watermarkUs();
    for (const Subject &lock : locks)
        m_changed.mark(keyFor(lock), sinceUs);
    if (m_changed.waiting() > kMostWaiting)
        everything(toldUs());
    pump();
}

void RedlockPush::everything(qint64 sinceUs)
{
    if (!m_begun)
        return;
    Push push;
    push.everything = true;
    push.sinceUs = std::max<qint64>(0, sinceUs - m_nodes.slackUs());
    m_changed.clear();
    if (m_store.isPushed())
        Q_EMIT pushed(push);
    m_changed.callRead();
}

/** One reading at a time: answers about one lock never overtake each other. */
void RedlockPush::pump()
{
    if (!m_begun || m_reading || m_changed.waiting() == 0)
        return;
    const qint64 nowUs = m_clock.nsecsElapsed() / 1'000;
    const qint64 affordable = std::min<qint64>(m_budget.left(nowUs) / kCommandsALock, kPage);
    if (affordable < 1)
        m_pump.start(std::chrono::milliseconds(m_budget.waitUs(kPage * kCommandsALock, nowUs) / 1'000 + 1));
    else
        read(m_changed.take(affordable));
}

void RedlockPush::read(const QList<push::ChangedKey> &keys)
{
    m_reading = true;
    m_budget.spend(keys.size() * kCommandsALock);
    const auto unread = std::make_shared<QHash<Subject, qint64>>(); // changed after this time
    for (const push::ChangedKey &key : keys)
        unread->insert(lockOf(key.key), key.sinceUs);
    auto run = std::make_shared<Gather>(m_nodes, m_memory, unread->keys());
    run->start(
        [this, unread, link = m_link](const Page &page) {
            if (link == m_link && page.endedUs > 0)
                takePage(*unread, page);
        },
        [this, unread, keys, link = m_link] {
            if (link == m_link)
                endReading(keys, unread->isEmpty());
        });
}

void RedlockPush::takePage(QHash<Subject, qint64> &unread, const Page &page)
{
    Push push;
    for (const Observation &now : page.locks) {
        const qint64 sinceUs = std::clamp<qint64>(unread.take({now.set, now.name}), 0, page.beganUs);
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

void RedlockPush::endReading(const QList<push::ChangedKey> &keys, bool whole)
{
    // Without a majority the source is down in a moment; where it isn't, these are still to be read.
    if (!whole)
        everything(toldUs());
    for (const push::ChangedKey &key : keys)
        m_changed.answered(key.key, 0);
    m_changed.proven(0); // a reading of several nodes says nothing of notifications that came before it
    m_reading = false;
    m_changed.callRead();
    pump();
}

void RedlockPush::whenTold(std::function<void()> then)
{
    m_changed.whenRead(std::move(then));
    m_changed.callRead();
}

} // namespace lockkeeper::stores::redis
