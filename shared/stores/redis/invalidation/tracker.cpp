// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/invalidation/tracker.h"

#include <algorithm>
#include <utility>

namespace lockkeeper::stores::redis::push {

using namespace std::chrono_literals;

namespace {
constexpr qsizetype kPage = 256;            ///< keys in one read: others' questions don't wait long
constexpr int kPagesUnderWay = 2;           ///< of full ones: one in the server, one on its way
constexpr qsizetype kMostWaiting = 500'000; ///< keys; more are everything
constexpr qint64 kProofPatienceNs = 1'000'000;
constexpr qint64 kSeenEveryUs = 1'000'000;
} // namespace

std::chrono::milliseconds proofPauseMs(qint64 quietMs)
{
    return std::chrono::milliseconds(std::clamp<qint64>(quietMs / 10, 100, 2'000));
}

void Tracker::hear(const Notification &what)
{
    if (!m_state.on)
        return;
    if (proofPauseMs(m_sinceTold.restart()) > proofPauseMs(0))
        m_idle.start(proofPauseMs(0));
    const qint64 sinceUs = m_barrier.provenUs();
    if (what.kind == Notification::NotificationKind::Everything) {
        everything(sinceUs);
        return;
    }
    QList<Subject> names;
    for (const QByteArrayView view : what.keys) {
        const QList<quint16> sets = setsOf(m_spec, *m_mode.schemes, view);
        const bool own = !sets.isEmpty();
        const QByteArray key = own ? view.toByteArray() : lockBeside(m_spec, *m_mode.schemes, view);
        if (what.kind == Notification::NotificationKind::Event) {
            if (own && !m_names)
                m_changed.note(key, what.event);
        } else if (m_names) {
            for (const quint16 set : sets)
                names.append({set, key});
        } else if (!key.isEmpty()) {
            m_changed.mark(key, sinceUs, own);
            for (QSet<QByteArray> &look : m_changedDuringLook)
                look.insert(key);
        }
    }
    if (!names.isEmpty())
        m_names(names);
    if (m_changed.waiting() > kMostWaiting)
        everything(m_changed.openSinceUs(sinceUs));
}

void Tracker::everything(qint64 sinceUs)
{
    m_changed.clear();
    m_members.clear();
    Push push;
    push.everything = true;
    push.sinceUs = sinceUs;
    Q_EMIT pushed(push);
    m_changed.callRead();
}

/**
 * Reads wait for all notifications that have come together, and for the proof that the last read triggered.
 * So a lone change is read at once. Many changes are read together, each time with a proof in between.
 */
bool Tracker::mayRead() const
{
    if (!m_state.on || m_changed.waiting() == 0)
        return false;
    if (m_pages > 0)
        return m_pages < kPagesUnderWay && m_changed.waiting() >= kPage;
    return !m_barrier.isUnderWay() || m_sincePage.nsecsElapsed() > kProofPatienceNs ||
           m_changed.waiting() >= kPage;
}

/** Looks and point reads take turns: neither waits for all of the other. */
void Tracker::pump()
{
    while (true) {
        const bool may = mayRead();
        if (!may && m_waitingLooks.empty())
            break;
        const bool look = !m_waitingLooks.empty() && (m_lookNext || !may);
        const qint64 nowUs = m_clock.nsecsElapsed() / 1000;
        const qint64 affordable = (m_budget.left(nowUs) - 2) / m_commandsAKey;
        if (affordable < 1) {
            const qint64 page =
                std::min<qint64>(look ? kPage : m_changed.waiting(), kPage) * m_commandsAKey + 2;
            m_pump.start(std::chrono::milliseconds(m_budget.waitUs(page, nowUs) / 1000 + 1));
            return;
        }
        m_lookNext = !look;
        if (look)
            sendLook();
        else if (!readBack(std::min<qint64>(affordable, kPage)))
            return;
    }
    // The proof may never come.
    if (m_state.on && m_pages == 0 && m_changed.waiting() > 0 && !m_pump.isActive())
        m_pump.start(2ms);
}

bool Tracker::readBack(qsizetype most)
{
    const QList<ChangedKey> keys = m_changed.take(most);
    QList<Observation> questions = questionsOf(keys, m_spec, *m_mode.schemes);
    // Pay before sending; the page settles the actual number of commands when it comes.
    const qint64 paid = questions.size() * m_commandsAKey + 2;
    m_budget.spend(paid);
    const bool sent =
        readKeys(m_data, m_mode, std::move(questions), [this, keys, paid, link = m_links](KeyPage &page) {
            m_budget.spend(page.commands - paid);
            if (isCurrent(link))
                takePage(keys, page);
        });
    if (!sent)
        m_budget.spend(-paid);
    m_pages += sent ? 1 : 0;
    m_sincePage.restart();
    return sent;
}

void Tracker::takePage(const QList<ChangedKey> &keys, KeyPage &page)
{
    --m_pages;
    if (page.error) {
        // A broken link reports itself. Any other error leaves these keys unread: a gap, and no guess.
        if (m_data.isOpen())
            m_subscriber.fail(*page.error);
        return;
    }
    QList<QByteArray> elsewhere;
    for (const Elsewhere &key : std::as_const(page.elsewhere))
        elsewhere.append(key.lock.name);
    if (!elsewhere.isEmpty())
        Q_EMIT misplaced(elsewhere);
    Push push;
    push.changes = changesOf(keys, page, m_mode, m_oneDatabase, m_members);
    for (const ChangedKey &key : keys)
        m_changed.answered(key.key, page.endedUs);
    Q_EMIT pushed(push);
    // Windows are as narrow as proofs are frequent.
    m_budget.spend(2);
    m_barrier.timeRead(page.endedUs);
    m_changed.callRead();
    pump();
}

bool Tracker::readPoints(QList<Observation> locks, const ReadMode &mode, std::function<void(KeyPage &)> done)
{
    if (!m_state.on)
        return readKeys(m_data, mode, std::move(locks), std::move(done));
    if (!m_data.isOpen())
        return false;
    m_waitingLooks.push_back({std::move(locks), mode, std::move(done)});
    pump();
    return true;
}

QByteArray Tracker::keyOf(const Observation &lock) const
{
    return schemeFor(m_mode, lock.set).keyOf(lock.name).toByteArray();
}

/** A deadline that has passed is behind the watermark by the time of the read, which dates what it finds
 * gone. The answer waits until all notifications from before it have come. */
void Tracker::sendLook()
{
    const TrackedLook look = std::move(m_waitingLooks.front());
    m_waitingLooks.pop_front();
    m_budget.spend(look.locks.size() * m_commandsAKey + 4); // with the proof before it
    m_barrier.whenProvenNow([this, look] {
        const quint64 id = ++m_lookId;
        QSet<QByteArray> &changed = m_changedDuringLook[id];
        for (const Observation &lock : look.locks) {
            if (const QByteArray key = keyOf(lock); m_changed.isOpen(key))
                changed.insert(key);
        }
        const auto take = [this, id, done = look.done](KeyPage &page) {
            m_barrier.whenProven(page.error ? 0 : page.endedUs, [this, id, page, done]() mutable {
                const QSet<QByteArray> meanwhile = m_changedDuringLook.take(id);
                page.locks.removeIf([&](const Observation &lock) { return meanwhile.contains(keyOf(lock)); });
                done(page);
            });
        };
        if (readKeys(m_data, look.mode, look.locks, take))
            return;
        KeyPage none;
        none.error = m_data.failure();
        take(none);
    });
}

void Tracker::whenTold(qint64 us, std::function<void()> then)
{
    if (!m_state.on) {
        then();
        return;
    }
    m_barrier.whenProven(us, [this, then = std::move(then)]() mutable {
        m_changed.whenRead(std::move(then));
        m_changed.callRead();
    });
}

void Tracker::shown(const QList<Observation> &locks)
{
    for (const Observation &lock : locks) {
        if (m_state.on && lock.present && schemeFor(m_mode, lock.set).manyPerKey())
            m_members[{lock.set, keyOf(lock)}].insert(lock.name);
    }
}

void Tracker::onProven(qint64 us)
{
    m_changed.proven(us);
    us = m_changed.openSinceUs(us);
    if (us - m_seenUs < kSeenEveryUs && us >= m_seenUs)
        return;
    m_seenUs = us;
    Q_EMIT seen(us);
}

} // namespace lockkeeper::stores::redis::push
