// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/binlog/push_link.h"

#include "shared/stores/end_thread.h"

#include <algorithm>
#include <utility>

namespace lockkeeper::stores::sql::binlog {

using base::Error;

namespace {
constexpr int kFirstRetryMs = 1'000;
constexpr int kLastRetryMs = 30'000;
/** A stream that breaks so often, so soon, and at the same place, isn't broken by the network. */
constexpr int kMostMends = 3;
constexpr qint64 kSoonMs = 30'000;
} // namespace

PushLink::PushLink(const SourceSpec &spec) : m_spec(spec)
{
    m_retry.setSingleShot(true);
    connect(&m_retry, &QTimer::timeout, this, [this] { start(m_last); });
}

PushLink::~PushLink()
{
    end();
}

void PushLink::open(const QList<WatchedSet> &sets, const QByteArray &instance)
{
    close();
    m_sets = sets;
    m_instance = instance;
    start(std::exchange(m_resume, {}));
}

void PushLink::close()
{
    end();
    m_retry.stop();
    m_state = {};
    m_mending = false;
    m_failures = m_mends = 0;
    m_last.clear();
    letGo();
}

void PushLink::start(const QByteArray &resumeAfter)
{
    end();
    m_thread = new QThread;
    m_thread->setObjectName(QStringLiteral("log ") + m_spec.name);
    m_tail = new Tail(m_spec, m_sets, m_clock, m_instance, resumeAfter);
    m_tail->moveToThread(m_thread);
    connect(m_thread, &QThread::started, m_tail, &Tail::run);
    connect(m_thread, &QThread::finished, m_tail, &QObject::deleteLater);
    connect(m_tail, &Tail::began, this, ofPresent(&PushLink::onBegan));
    connect(m_tail, &Tail::pushed, this, ofPresent(&PushLink::onPushed));
    connect(m_tail, &Tail::blind, this, ofPresent(&PushLink::onBlind));
    connect(m_tail, &Tail::altered, this, ofPresent(&PushLink::altered));
    connect(m_tail, &Tail::reached, this, ofPresent(&PushLink::onReached));
    connect(m_tail, &Tail::ended, this, ofPresent(&PushLink::onEnded));
    m_thread->start();
}

void PushLink::end()
{
    if (!m_thread)
        return;
    ++m_run; // ignores signals of the ended tail that are still queued: they belong to an old reading
    m_tail->stop();
    endThread(m_thread);
    m_thread = nullptr;
    m_tail = nullptr;
}

void PushLink::onBegan(bool resumed, const Error &why)
{
    m_failures = 0;
    const bool mended = std::exchange(m_mending, false) && resumed;
    if (!mended) {
        setState({true, !resumed, why});
        letGo(); // the awaited places may be of another log
        return;
    }
    // Callers that wait for a place in the log now wait for the new tail.
    std::deque<PlaceWaiter> waiting = std::exchange(m_waiting, {});
    for (PlaceWaiter &one : waiting)
        whenReached(one.place, std::move(one.then));
}

void PushLink::onPushed(const Push &push)
{
    if (push.position != m_last)
        m_mends = 0;
    m_last = push.position;
    Q_EMIT pushed(push);
}

void PushLink::taken()
{
    if (m_tail)
        m_tail->taken();
}

void PushLink::onEnded(const Error &why)
{
    if (!m_mending && (!m_mended.isValid() || m_mended.hasExpired(kSoonMs)))
        m_mends = 0;
    const bool mayMend =
        m_state.on && !m_last.isEmpty() && m_mends < kMostMends && base::isTransient(why.code);
    if (mayMend) {
        ++m_mends;
        m_mended.start();
        if (std::exchange(m_mending, true))
            m_retry.start(kFirstRetryMs);
        else
            start(m_last);
        Q_EMIT broken();
        return;
    }
    m_mending = false;
    end();
    const int doubled = kFirstRetryMs << std::min(m_failures++, 5);
    m_retry.start(base::isTransient(why.code) ? std::min(doubled, kLastRetryMs) : kLastRetryMs);
    m_last.clear();
    setState({false, m_state.on, why});
}

void PushLink::setState(const PushState &state)
{
    m_state = state;
    Q_EMIT stateChanged(state);
    m_state.blind = false; // it is true of that moment only
    if (!state.on)
        letGo();
}

void PushLink::whenReached(const LogPlace &place, std::function<void()> then)
{
    if (!m_state.on || !m_tail || place.isNull()) {
        then();
        return;
    }
    // Queued behind the changes that the tail has already sent through the same event queue.
    if (!m_mending && m_tail->await(place))
        QMetaObject::invokeMethod(this, std::move(then), Qt::QueuedConnection);
    else
        m_waiting.push_back({place, std::move(then)});
}

void PushLink::onReached(const LogPlace &place)
{
    std::deque<PlaceWaiter> waiting = std::exchange(m_waiting, {});
    for (PlaceWaiter &one : waiting) {
        if (place.isAtLeast(one.place))
            one.then();
        else
            whenReached(one.place, std::move(one.then));
    }
}

void PushLink::letGo()
{
    const std::deque<PlaceWaiter> waiting = std::exchange(m_waiting, {});
    for (const PlaceWaiter &one : waiting)
        one.then();
}

} // namespace lockkeeper::stores::sql::binlog
