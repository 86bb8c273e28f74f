// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/redlock/node_pushes.h"

#include <QPointer>

#include <algorithm>
#include <utility>

namespace lockkeeper::stores::redis {

using namespace std::chrono_literals;

namespace {

constexpr quint64 kUnasked = ~quint64(0); ///< of pages that nobody asked for
constexpr qsizetype kPage = 256;          ///< locks in one reading
constexpr qint64 kCommandsALock = 4;      ///< at each node: two, and what isn't settled is read again
constexpr int kMostTurns = 8;
/** A client that goes from node to node has reached the next one by then. */
constexpr auto kRest = 100ms;
/** A node that dies loses one connection before the other. */
constexpr auto kLossKnown = 300ms;
/** What a node that hangs has still to tell isn't waited for any longer. */
constexpr auto kToldBy = 500ms;

} // namespace

NodePushes::NodePushes(NodeSet &nodes, Memory &memory, const SourceSpec &spec, QObject *parent)
    : QObject(parent),
      m_nodes(nodes),
      m_memory(memory),
      m_spec(spec),
      m_budget(std::max<qint64>(1, spec.pushCommandsPerSecond / 2))
{
    m_clock.start();
    for (qsizetype i = 0; i < m_nodes.size(); ++i) {
        connect(&m_nodes.at(i), &Node::pushed, this, [this, i](const Push &push) { take(i, push); });
        connect(&m_nodes.at(i), &Node::pushStateChanged, this, [this, i] { takeState(i); });
        connect(&m_nodes.at(i), &Node::toldUntil, this, [this, i](qint64 us) { takeToldUntil(i, us); });
    }
    for (QTimer *timer : {&m_pump, &m_lateTimer, &m_loss})
        timer->setSingleShot(true);
    m_pump.setTimerType(Qt::PreciseTimer);
    connect(&m_pump, &QTimer::timeout, this, &NodePushes::pump);
    connect(&m_lateTimer, &QTimer::timeout, this, &NodePushes::queueLate);
    connect(&m_loss, &QTimer::timeout, this, &NodePushes::tellState);
}

void NodePushes::begin()
{
    end();
    if (!m_spec.push)
        return;
    m_begun = true;
    for (qsizetype i = 0; i < m_nodes.size(); ++i) {
        if (m_nodes.at(i).isUp())
            m_up.insert(i);
    }
    tellState();
}

void NodePushes::end()
{
    ++m_link;
    m_begun = m_on = m_stated = m_gathering = m_gathered = false;
    m_pages = 0;
    for (QTimer *timer : {&m_pump, &m_lateTimer, &m_loss})
        timer->stop();
    m_waiting.clear();
    m_reading.clear();
    m_queue.clear();
    m_late.clear();
    m_marks.clear();
    m_shown.clear();
    m_rests.clear();
    m_toldUs.clear();
    m_up.clear();
    m_telling.clear();
    m_lost.clear();
    callTold();
}

void NodePushes::take(qsizetype node, const Push &push)
{
    if (!m_begun)
        return;
    for (const Change &change : push.changes) {
        const Subject subject{change.lock.set, change.lock.name};
        Waiting &lock = m_waiting[subject];
        if (lock.mark == 0) {
            lock.mark = ++m_lastMark;
            lock.before = m_memory.of(subject).before();
            lock.stir = m_rests.take(subject, m_nodes.quorum(), m_clock.elapsed());
            m_marks.insert(lock.mark);
        }
        lock.waited = false;
        lock.untilMs = 0;
        const qint64 sinceUs = change.timeUs - change.windowUs;
        const bool wasThere = noteShown(node, change);
        lock.stir.note({node, change.lock.present ? change.lock.identity : QByteArray(),
                        sinceUs > 0 ? m_nodes.sourceUs(node, sinceUs) : 0,
                        m_nodes.sourceUs(node, change.timeUs, true), change.coalesced + 1,
                        change.unseen && !wasThere});
        queue(subject);
    }
    if (push.everything)
        everything(std::min(toldUs(), m_nodes.sourceUs(node, push.sinceUs)));
    pump();
}

/** True where something was there before, by what the node has told or by what it was last seen to show. */
bool NodePushes::noteShown(qsizetype node, const Change &change)
{
    const Subject subject{change.lock.set, change.lock.name};
    const auto bit = quint16(1u << node);
    const quint16 told = m_shown.value(subject);
    const quint16 now = change.lock.present ? told | bit : told & quint16(~bit);
    if (now != 0)
        m_shown.insert(subject, now);
    else
        m_shown.remove(subject);
    return ((told | m_memory.of(subject).there) & bit) != 0;
}

void NodePushes::queue(const Subject &lock)
{
    if (std::exchange(m_waiting[lock].queued, true))
        return;
    m_queue.push_back(lock);
}

void NodePushes::takeState(qsizetype node)
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
void NodePushes::tellState()
{
    if (!m_begun)
        return;
    PushState state;
    state.on = true;
    bool lost = false;
    QSet<qsizetype> telling;
    for (qsizetype i = 0; i < m_nodes.size(); ++i) {
        const std::optional<PushState> &own = m_nodes.at(i).push();
        if (!m_up.contains(i))
            continue;
        if (own && own->on) {
            telling.insert(i);
            continue;
        }
        lost = lost || m_telling.contains(i);
        if (state.on && own) {
            state.why = own->why;
            state.why.cause = QStringLiteral("the node %1 doesn't tell of changes: %2")
                                  .arg(QString::fromUtf8(m_nodes.at(i).address()), own->why.cause);
            state.toldUntilUs = own->toldUntilUs > 0 ? m_nodes.sourceUs(i, own->toldUntilUs) : 0;
        }
        state.on = false;
    }
    m_telling = telling;
    m_lost.clear();
    if (std::exchange(m_stated, true) && state.on == m_on)
        return;
    state.blind = state.on || (m_on && lost);
    m_on = state.on;
    Q_EMIT stateChanged(state);
}

void NodePushes::nodesChanged()
{
    if (!m_begun)
        return;
    const qint64 sinceUs = toldUs();
    QSet<qsizetype> up;
    for (qsizetype i = 0; i < m_nodes.size(); ++i) {
        if (m_nodes.at(i).isUp())
            up.insert(i);
        else
            m_toldUs.remove(i);
    }
    if (std::exchange(m_up, up) == up)
        return;
    m_telling.intersect(up);
    m_lost.removeIf([&up](const auto &lost) { return !up.contains(lost.key()); });
    const bool wasOn = m_on;
    tellState();
    m_shown.clear(); // a node that is away doesn't tell what goes
    if (m_on && wasOn)
        everything(sinceUs); // what the others tell is whole; what hinges on these a pass shows
}

void NodePushes::takeToldUntil(qsizetype node, qint64 us)
{
    if (!m_begun)
        return;
    m_toldUs.insert(node, m_nodes.sourceUs(node, us));
    const qint64 leastUs = toldUs() - m_nodes.slackUs();
    if (m_on && leastUs > 0)
        Q_EMIT pageRead({0, leastUs, leastUs, {}});
}

/** All up to this time of the source's clock was told by every node, and passed on; 0: not known. */
qint64 NodePushes::toldUs() const
{
    qint64 leastUs = std::numeric_limits<qint64>::max();
    for (const qsizetype node : m_up)
        leastUs = std::min(leastUs, m_toldUs.value(node));
    for (const auto *locks : {&m_waiting, &m_reading}) {
        for (const Waiting &lock : *locks)
            leastUs = std::min(leastUs, lock.stir.sinceUs());
    }
    return m_up.isEmpty() ? 0 : leastUs;
}

void NodePushes::everything(qint64 sinceUs)
{
    Push push;
    push.everything = true;
    push.sinceUs = std::max<qint64>(0, sinceUs - m_nodes.slackUs());
    if (m_on)
        Q_EMIT pushed(push);
}

/** One reading at a time: answers about one lock never overtake each other. */
void NodePushes::pump()
{
    if (!m_begun || m_gathering || m_queue.empty())
        return;
    const qint64 nowUs = m_clock.nsecsElapsed() / 1'000;
    const qint64 affordable = m_budget.left(nowUs) / kCommandsALock;
    if (affordable < 1) {
        m_pump.start(std::chrono::milliseconds(m_budget.waitUs(kPage * kCommandsALock, nowUs) / 1'000 + 1));
        return;
    }
    QList<Subject> locks;
    while (!m_queue.empty() && locks.size() < std::min<qint64>(affordable, kPage)) {
        const Subject subject = m_queue.front();
        m_queue.pop_front();
        Waiting &lock = m_waiting[subject];
        lock.queued = false;
        if (lock.untilMs > m_clock.elapsed())
            continue;
        locks.append(subject);
        m_reading.insert(subject, m_waiting.take(subject));
    }
    if (locks.isEmpty())
        return;
    m_budget.spend(locks.size() * kCommandsALock);
    m_gathering = true;
    m_gathered = false;
    auto run = std::make_shared<Gather>(m_nodes, m_memory, 0, locks);
    run->start(
        [this, link = m_link](const Page &page) {
            if (link == m_link)
                takePage(page);
        },
        [this, link = m_link] {
            if (link == m_link) {
                m_gathered = true;
                endReading();
            }
        });
}

/** Of what it shows the nodes may still have to tell. */
void NodePushes::takePage(const Page &page)
{
    if (page.endedUs <= 0)
        return; // they are asked for again
    QList<Standing> standings;
    for (const Observation &now : page.locks)
        standings.append(m_memory.of({now.set, now.name}).standing);
    ++m_pages;
    const auto nodes = std::make_shared<int>(1);
    const auto settleOnce = [guard = QPointer<NodePushes>(this), nodes, page, standings, link = m_link] {
        if (std::exchange(*nodes, 0) != 0 && !guard.isNull() && link == guard->m_link)
            guard->settle(page, standings);
    };
    const auto told = [nodes, settleOnce] {
        if (*nodes == 1)
            settleOnce();
        else if (*nodes > 1)
            --*nodes;
    };
    for (qsizetype i = 0; i < m_nodes.size(); ++i) {
        if (!m_nodes.at(i).isUp())
            continue;
        ++*nodes;
        m_nodes.at(i).whenTold(told);
    }
    told();
    if (*nodes > 0)
        QTimer::singleShot(kToldBy, this, settleOnce);
}

void NodePushes::settle(const Page &page, const QList<Standing> &standings)
{
    --m_pages;
    QList<Change> changes;
    Page read{kUnasked, page.beganUs, page.endedUs, {}};
    for (qsizetype i = 0; i < page.locks.size(); ++i) {
        const Observation &now = page.locks.at(i);
        const Subject subject{now.set, now.name};
        Waiting lock = m_reading.take(subject);
        Stir later = m_waiting.value(subject).stir;
        const Stir after = takeAfter(later, now, page.beganUs);
        lock.stir.append(later);
        Waiting whole = lock;
        whole.stir.append(after);
        if (mustWait(whole, standings.at(i), !after.isEmpty())) {
            putBack(subject, std::move(whole), after.isEmpty());
            continue;
        }
        Telling telling =
            tellingOf(lock.stir, lock.before, now, page.beganUs, page.endedUs, m_nodes.quorum());
        for (Change &change : telling.changes) {
            change.timeUs += m_nodes.slackUs();
            change.windowUs += 2 * m_nodes.slackUs();
        }
        changes += telling.changes;
        telling.rest.append(after);
        keep(subject, telling.rest, page.beganUs);
        read.locks.append(now);
        m_marks.erase(lock.mark);
    }
    if (m_on && !changes.isEmpty())
        Q_EMIT pushed({changes, {}});
    else if (!read.locks.isEmpty())
        Q_EMIT pageRead(m_nodes.widened(read));
    callTold();
    endReading();
}

/** Of what was told of a lock that was read this alone is still to be told of. */
void NodePushes::keep(const Subject &subject, const Stir &rest, qint64 readSinceUs)
{
    const auto later = m_waiting.find(subject);
    if (later == m_waiting.end()) {
        m_rests.keep(subject, rest, m_clock.elapsed());
        return;
    }
    later->stir = rest;
    later->stir.readSince(readSinceUs);
    later->before = m_memory.of(subject).before();
}

/** A client is on its way from node to node, or what was there is gone and its nodes are still to say when.
 */
bool NodePushes::mustWait(const Waiting &lock, Standing now, bool toldAgain)
{
    if (now == Standing::Held || now == Standing::Unreadable || lock.turns >= kMostTurns)
        return false;
    if (toldAgain)
        return true;
    const bool begun = lock.before.standing != Standing::Held && now != Standing::Absent;
    return (begun || lock.stir.isOpen()) && !lock.waited;
}

/** With all that was told of it meanwhile. */
void NodePushes::putBack(const Subject &subject, Waiting lock, bool wait)
{
    const Waiting later = m_waiting.take(subject);
    m_marks.erase(later.mark);
    ++lock.turns;
    lock.waited = wait;
    lock.queued = later.queued;
    lock.untilMs = wait ? m_clock.elapsed() + kRest.count() : 0;
    m_waiting.insert(subject, lock);
    if (!wait) {
        queue(subject);
        return;
    }
    m_late.emplace_back(lock.untilMs, subject);
    if (!m_lateTimer.isActive())
        m_lateTimer.start(kRest);
}

void NodePushes::queueLate()
{
    const qint64 nowMs = m_clock.elapsed();
    while (!m_late.empty() && m_late.front().first <= nowMs) {
        const Subject subject = m_late.front().second;
        m_late.pop_front();
        const auto lock = m_waiting.constFind(subject);
        if (lock != m_waiting.cend() && lock->untilMs <= nowMs)
            queue(subject);
    }
    if (!m_late.empty())
        m_lateTimer.start(int(std::max<qint64>(1, m_late.front().first - nowMs)));
    pump();
}

void NodePushes::endReading()
{
    if (!m_gathered || m_pages > 0)
        return;
    m_gathering = m_gathered = false;
    // Too few nodes answered: the source is down in a moment, or they are back.
    for (auto [subject, lock] : std::exchange(m_reading, {}).asKeyValueRange()) {
        const auto later = m_waiting.constFind(subject);
        const bool toldAgain = later != m_waiting.cend();
        if (toldAgain)
            lock.stir.append(later->stir);
        putBack(subject, lock, !toldAgain);
    }
    pump();
}

void NodePushes::whenTold(std::function<void()> then)
{
    m_told.emplace_back(m_lastMark, std::move(then));
    callTold();
}

void NodePushes::callTold()
{
    while (!m_told.empty() && (m_marks.empty() || *m_marks.begin() > m_told.front().first)) {
        const auto then = std::move(m_told.front().second);
        m_told.pop_front();
        then();
    }
}

} // namespace lockkeeper::stores::redis
