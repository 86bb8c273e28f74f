// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/redlock/node_pushes.h"

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
    m_begun = m_on = m_stated = m_gathering = false;
    for (QTimer *timer : {&m_pump, &m_lateTimer, &m_loss})
        timer->stop();
    m_waiting.clear();
    m_reading.clear();
    m_queue.clear();
    m_late.clear();
    m_marks.clear();
    m_shown.clear();
    m_rests.clear();
    m_restsByTime.clear();
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
            const Memory::Known known = m_memory.of(subject);
            lock.mark = ++m_lastMark;
            lock.before = known.standing;
            lock.holder = known.token;
            m_marks.insert(lock.mark);
            if (const Rest rest = m_rests.take(subject); rest.untilMs > m_clock.elapsed())
                lock.stir = rest.stir;
        }
        lock.waited = false;
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
    const qint64 leastUs = toldUs();
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
    push.sinceUs = sinceUs;
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
        locks.append(m_queue.front());
        m_queue.pop_front();
        m_reading.insert(locks.constLast(), m_waiting.take(locks.constLast()));
    }
    m_budget.spend(locks.size() * kCommandsALock);
    m_gathering = true;
    auto run = std::make_shared<Gather>(m_nodes, m_memory, 0, locks);
    run->start(
        [this, link = m_link](const Page &page) {
            if (link == m_link)
                takePage(page);
        },
        [this, link = m_link] {
            if (link == m_link)
                endReading();
        });
}

void NodePushes::takePage(const Page &page)
{
    if (page.endedUs <= 0)
        return; // they are asked for again
    QList<Change> changes;
    Page read{kUnasked, page.beganUs, page.endedUs, {}};
    for (const Observation &now : page.locks) {
        const Subject subject{now.set, now.name};
        Waiting lock = m_reading.take(subject);
        const bool toldAgain = m_waiting.contains(subject);
        if (mustWait(lock, m_memory.of(subject).standing, toldAgain)) {
            putBack(subject, std::move(lock), !toldAgain);
            continue;
        }
        tell(lock, now, page, changes);
        keepRest(subject, lock, now);
        read.locks.append(now);
        m_marks.erase(lock.mark);
    }
    if (m_on && !changes.isEmpty())
        Q_EMIT pushed({changes, {}});
    else if (!read.locks.isEmpty())
        Q_EMIT pageRead(read);
    callTold();
}

/** A client is on its way from node to node, or what was there is gone and its nodes are still to say when.
 */
bool NodePushes::mustWait(const Waiting &lock, Standing now, bool toldAgain) const
{
    if (now == Standing::Held || now == Standing::Unreadable || lock.turns >= kMostTurns)
        return false;
    if (toldAgain)
        return true;
    const bool begun = lock.before != Standing::Held && now != Standing::Absent;
    return (begun || lock.stir.isOpen()) && !lock.waited;
}

void NodePushes::putBack(const Subject &subject, Waiting lock, bool wait)
{
    ++lock.turns;
    lock.waited = wait;
    lock.queued = false;
    if (!wait) { // told again: it is in the queue
        const Waiting later = m_waiting.take(subject);
        lock.stir.append(later.stir);
        lock.queued = later.queued;
        m_marks.erase(later.mark);
    } else {
        lock.untilMs = m_clock.elapsed() + kRest.count();
        m_late.emplace_back(lock.untilMs, subject);
        if (!m_lateTimer.isActive())
            m_lateTimer.start(kRest);
    }
    m_waiting.insert(subject, lock);
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

void NodePushes::tell(const Waiting &lock, const Observation &now, const Page &page,
                      QList<Change> &changes) const
{
    const qint64 sinceUs = std::clamp<qint64>(lock.stir.sinceUs(), 0, page.beganUs);
    QList<QByteArray> besides = toldBesides(lock, now);
    const QList<BriefHold> brief = lock.stir.briefHolds(m_nodes.quorum(), besides);
    for (const BriefHold &hold : brief) {
        Change change;
        change.lock.set = now.set;
        change.lock.name = now.name;
        change.lock.held = true;
        change.lock.owner = change.lock.token = change.lock.identity = hold.token;
        change.timeUs = std::clamp(hold.atUs, sinceUs, page.endedUs - 1);
        change.windowUs = change.timeUs - sinceUs;
        changes.append(change);
        besides.append(hold.token);
    }
    Change change;
    change.lock = now;
    change.timeUs = page.endedUs;
    change.windowUs = page.endedUs - sinceUs;
    const qint64 untold = qint64(lock.stir.told()) - 1 - brief.size();
    change.coalesced = quint32(std::max<qint64>(0, untold));
    const bool more = brief.isEmpty() && lock.stir.mayHaveHeld(m_nodes.quorum(), besides);
    change.unseen = change.unproven = more && !now.held && now.flaw == Flaw::None;
    if (change.unseen)
        change.windowUs = page.endedUs - std::clamp<qint64>(lock.stir.restSinceUs(), 0, page.beganUs);
    else if (more)
        change.coalesced = std::max<quint32>(change.coalesced, 1); // as the rest was told before
    changes.append(change);
}

/** Whose tokens are no news: who held it before and who does now. */
QList<QByteArray> NodePushes::toldBesides(const Waiting &lock, const Observation &now) const
{
    QList<QByteArray> tokens{lock.holder};
    if (now.held)
        tokens.append(now.token);
    return tokens;
}

/** A hold that was soon over is told by one node after the other, and by the last of them after it was read.
 */
void NodePushes::keepRest(const Subject &subject, const Waiting &lock, const Observation &now)
{
    const qint64 nowMs = m_clock.elapsed();
    while (!m_restsByTime.empty() && m_restsByTime.front().first <= nowMs) {
        const auto rest = m_rests.constFind(m_restsByTime.front().second);
        if (rest != m_rests.cend() && rest->untilMs <= nowMs)
            m_rests.erase(rest);
        m_restsByTime.pop_front();
    }
    const QList<QByteArray> besides = toldBesides(lock, now);
    if (now.held || lock.stir.mayHaveHeld(m_nodes.quorum(), besides))
        return;
    Stir rest = lock.stir.rest(besides);
    if (rest.isEmpty())
        return;
    if (const auto later = m_waiting.find(subject); later != m_waiting.end()) {
        rest.append(later->stir);
        later->stir = rest;
        return;
    }
    const qint64 untilMs = nowMs + kRest.count();
    m_rests.insert(subject, {rest, untilMs});
    m_restsByTime.emplace_back(untilMs, subject);
}

void NodePushes::endReading()
{
    m_gathering = false;
    // Too few nodes answered: the source is down in a moment, or they are back.
    for (const auto &[subject, lock] : std::exchange(m_reading, {}).asKeyValueRange())
        putBack(subject, lock, !m_waiting.contains(subject));
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
