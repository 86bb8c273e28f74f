// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/store/sql_store.h"

#include <chrono>
#include <utility>

namespace lockkeeper::stores::sql {

using namespace std::chrono_literals;
using base::Error;
using base::ErrorCode;

namespace {
/** Interval of clock readings: the clocks drift apart, and the bound of a change's time must follow. */
constexpr auto kClockEvery = 5s;

/** The remedy, or else the cause; without the prefix "Run: ". */
QString remedyOf(const Error &why)
{
    QString remedy = why.remedy.isEmpty() ? why.cause : why.remedy;
    if (remedy.startsWith(QLatin1String("Run: ")))
        remedy = remedy.mid(5);
    return remedy;
}
} // namespace

void SqlStore::connectPush()
{
    connect(&m_push, &binlog::PushLink::stateChanged, this, &SqlStore::onPushState);
    connect(&m_push, &binlog::PushLink::pushed, this, [this](const Push &push) {
        Q_EMIT pushed(push);
        m_push.taken();
    });
    connect(&m_push, &binlog::PushLink::altered, this, &SqlStore::onAltered);
    connect(&m_push, &binlog::PushLink::broken, this, [this] { tell(&SqlWorker::readClock); });
    connect(m_worker, &SqlWorker::watchable, this,
            [this](quint64, const QList<binlog::WatchedSet> &sets) { m_watched = sets; });
    connect(m_worker, &SqlWorker::placeRead, this, [this](quint64 ticket, const binlog::LogPlace &place) {
        if (expects(ticket))
            m_places.insert(ticket, place);
    });
    connect(m_worker, &SqlWorker::clockRead, this,
            [this](qint64 storeUs, qint64 askedUs, const binlog::LogPlace &place) {
                m_push.clock().read(storeUs, askedUs);
                if (place.isNull())
                    return;
                m_push.whenReached(place, [this, storeUs] {
                    if (m_push.isOn())
                        Q_EMIT pageTold({storeUs, storeUs, {}}); // no locks: only the time
                });
            });
    m_clock.setInterval(kClockEvery);
    connect(&m_clock, &QTimer::timeout, this, [this] { tell(&SqlWorker::readClock); });
}

void SqlStore::onOpened(quint64 ticket, const ServerInfo &info)
{
    if (m_questions.remove(ticket) == 0)
        return;
    if (!m_spec.binlog) {
        Q_EMIT opened(info);
        return;
    }
    m_found = info;
    if (m_watched.size() == m_spec.locks.size())
        m_push.open(m_watched, info.instance);
    else
        onPushState({false,
                     false,
                     {ErrorCode::Unsupported,
                      QStringLiteral("not every lock set of this source is in the binary log"),
                      QStringLiteral("Use a separate source for row and advisory locks, without binlog.")}});
}

void SqlStore::onPushState(const PushState &state)
{
    tell([on = state.on](SqlWorker &worker) { worker.setTailed(on); });
    if (state.on)
        m_clock.start();
    else
        m_clock.stop();
    if (m_found) {
        ServerInfo info = *std::exchange(m_found, std::nullopt);
        info.access.append({"push:binlog", state.on, false, state.on ? QString() : remedyOf(state.why)});
        Q_EMIT opened(info);
        for (const ShardState &set : std::exchange(m_early, {}))
            Q_EMIT shardChanged(set);
    }
    Q_EMIT pushStateChanged(state);
}

void SqlStore::onAltered(const Error &why)
{
    // The resolved tables and prepared statements have the old columns: start over.
    if (m_openTicket != 0) {
        const quint64 ticket = m_openTicket;
        tell(&SqlWorker::close);
        onFailed(ticket, {ErrorCode::ConnectionLost, why.cause, {}});
    }
}

void SqlStore::answerLater(quint64 ticket, std::function<void()> answer)
{
    const binlog::LogPlace place = m_places.take(ticket);
    if (place.isNull())
        answer();
    else
        m_push.whenReached(place, std::move(answer));
}

} // namespace lockkeeper::stores::sql
