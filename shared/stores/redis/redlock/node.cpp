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
constexpr int kClockReadings = 8; ///< of which the quickest tells most

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
    connect(node, &Store::pageRead, this, &Node::onPage);
    connect(node, &Store::passEnded, this, &Node::onPassEnded);
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
    m_linked = true;
    m_attempts = 0;
    error = {};
    readClock(kClockReadings);
}

/** Before anything is dated by it. */
void Node::readClock(int times)
{
    look({}, [this, times](bool read, const QList<Observation> &) {
        if (read && times > 1) {
            readClock(times - 1);
        } else if (read) {
            up = true;
            opening = false;
            Q_EMIT changed();
        }
    });
}

void Node::onFailed(const Error &why)
{
    m_linked = up = opening = false;
    error = why;
    push.reset();
    ++m_attempts;
    KeyPage lost;
    lost.error = why;
    for (const quint64 request : m_looks.keys())
        takeLook(request, lost);
    if (m_passRequest != 0)
        onPassEnded({m_passRequest, false, 0, 0, 0, why});
    if (m_wanted) {
        const int wait = std::min(kLastRetryMs, kFirstRetryMs << std::min(m_attempts - 1, 5));
        m_retry.start(wait);
    }
    Q_EMIT changed();
}

void Node::look(const QList<Subject> &subjects, LookDone done)
{
    const quint64 request = ++m_request;
    m_looks.insert(request, {subjects.size(), nowUs(), std::move(done)});
    store->read(subjects, false, false, [this, request](KeyPage &page) { takeLook(request, page); });
}

void Node::onPage(const Page &page)
{
    if (page.request == 0)
        Q_EMIT toldUntil();
    else if (page.request == m_passRequest && m_page)
        m_page(page);
}

void Node::takeLook(quint64 request, const KeyPage &page)
{
    if (!m_looks.contains(request))
        return; // answered when the link was lost
    const Look look = m_looks.take(request);
    if (!page.error) {
        m_clock.read(page.beganUs, page.endedUs, look.sentUs, nowUs());
        lead.read(page.endedUs, base::SystemClock().wallUs());
    }
    const bool read = !page.error && page.locks.size() == look.count;
    look.done(read, read ? page.locks : QList<Observation>());
}

void Node::pass(PageTaken page, PassDone done)
{
    m_page = std::move(page);
    m_passDone = std::move(done);
    m_passRequest = ++m_request;
    store->pass(m_passRequest);
}

void Node::onPassEnded(const PassEnd &end)
{
    if (end.request != m_passRequest || m_passRequest == 0)
        return;
    m_passRequest = 0;
    m_page = nullptr;
    if (const PassDone done = std::exchange(m_passDone, nullptr))
        done(end);
}

} // namespace lockkeeper::stores::redis
