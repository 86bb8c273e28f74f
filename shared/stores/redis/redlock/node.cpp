// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/redlock/node.h"

#include "shared/base/clock.h"
#include "shared/stores/redis/reading/key_reader.h"

#include <algorithm>
#include <utility>

namespace lockkeeper::stores::redis {

using base::Error;
using base::ErrorCode;

namespace {

constexpr int kFirstRetryMs = 250;
constexpr int kLastRetryMs = 5'000;
constexpr int kClockReadings = 8; ///< the quickest reading is the most exact

qint64 nowUs()
{
    return base::SystemClock().monotonicUs();
}

} // namespace

Node::Node(const QByteArray &at, std::unique_ptr<RedisStore> server, QObject *parent) : QObject(parent)
{
    address = at;
    store = std::move(server);
    m_retry.setSingleShot(true);
    connect(&m_retry, &QTimer::timeout, this, [this] { store->open(); });
    Store *node = store.get();
    connect(node, &Store::opened, this, &Node::onOpened);
    connect(node, &Store::failed, this, &Node::onFailed);
    connect(node, &Store::pageTold, this, &Node::toldUntil);
    store->tracker().onlyNames([this](const QList<Subject> &locks) { Q_EMIT namesChanged(locks); });
    connect(node, &Store::pushed, this, &Node::everythingChanged);
}

void Node::open()
{
    if (m_linked)
        return;
    opening = true;
    if (m_wanted && !m_retry.isActive())
        return; // an attempt is under way
    m_wanted = true;
    m_retry.stop();
    store->open();
}

void Node::close()
{
    m_wanted = false;
    m_retry.stop();
    store->close();
    onFailed({ErrorCode::Cancelled, QStringLiteral("the connection was closed"), {}});
    m_attempts = 0;
}

void Node::onOpened(const ServerInfo &found)
{
    info = found;
    if (const auto why = m_objection ? m_objection() : std::nullopt) {
        store->close();
        onFailed(*why);
        return;
    }
    m_linked = true;
    error = {};
    readClock(kClockReadings);
}

/** Called before anything is dated by this clock. */
void Node::readClock(int times)
{
    readPoints({}, [this, times](bool read, const QList<Observation> &) {
        if (read && times > 1) {
            readClock(times - 1);
        } else if (read) {
            up = true;
            opening = false;
            m_attempts = 0;
            Q_EMIT changed();
        } else if (m_linked && m_wanted) { // the link has ended, or a right is missing
            store->close();
            onFailed(Error(error));
        }
    });
}

void Node::onFailed(const Error &why)
{
    m_linked = up = opening = false;
    error = why;
    push.reset();
    ++m_attempts;
    if (m_wanted) {
        const int wait = std::min(kLastRetryMs, kFirstRetryMs << std::min(m_attempts - 1, 5));
        m_retry.start(wait);
    }
    Q_EMIT changed();
}

void Node::readPoints(const QList<Subject> &subjects, PointsRead done)
{
    const auto take = [this, count = subjects.size(), sentUs = nowUs(),
                       done = std::move(done)](const KeyPage &page) {
        if (!page.error) {
            m_clock.read(page.beganUs, page.endedUs, sentUs, nowUs());
            lead.read(page.endedUs, base::SystemClock().wallUs());
        } else if (m_linked && !up) {
            error = *page.error;
        }
        const bool read = m_linked && !page.error && page.locks.size() == count;
        done(read, read ? page.locks : QList<Observation>());
    };
    store->read(subjects, false, false, take);
}

} // namespace lockkeeper::stores::redis
