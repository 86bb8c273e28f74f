// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/redlock/node.h"

#include "shared/base/clock.h"

#include <algorithm>
#include <utility>

namespace lockkeeper::stores::redis {

using base::Error;
using base::ErrorCode;

namespace {

constexpr int kFirstRetryMs = 250;
constexpr int kLastRetryMs = 5'000;

qint64 nowUs()
{
    return base::SystemClock().monotonicUs();
}

} // namespace

Node::Node(QByteArray address, std::unique_ptr<Store> store, QObject *parent)
    : QObject(parent), m_address(std::move(address)), m_store(std::move(store))
{
    m_retry.setSingleShot(true);
    connect(&m_retry, &QTimer::timeout, this, [this] { m_store->open(); });
    Store *node = m_store.get();
    connect(node, &Store::opened, this, &Node::onOpened);
    connect(node, &Store::failed, this, &Node::onFailed);
    connect(node, &Store::pageRead, this, &Node::onPage);
    connect(node, &Store::passEnded, this, &Node::onPassEnded);
    connect(node, &Store::lensRead, this, [this](const QList<domain::Finding> &findings) {
        m_findings = findings;
        Q_EMIT findingsRead();
    });
    connect(node, &Store::inspected, this, [this](const Inspection &inspection) {
        if (const auto done = m_inspections.take(inspection.request))
            done(inspection);
    });
    connect(node, &Store::released, this, [this](const ReleaseReport &report) {
        if (const auto done = m_releases.take(report.command))
            done(report);
    });
}

template <typename Call> void Node::later(Call call)
{
    QMetaObject::invokeMethod(this, std::move(call), Qt::QueuedConnection);
}

void Node::open()
{
    if (m_up)
        return;
    m_settled = false;
    if (m_wanted && !m_retry.isActive())
        return; // an attempt is under way
    m_wanted = true;
    m_retry.stop();
    m_store->open();
}

void Node::close()
{
    m_wanted = false;
    m_retry.stop();
    m_store->close();
    onFailed({ErrorCode::Cancelled, QStringLiteral("the connection was closed"), {}});
    m_attempts = 0;
}

void Node::onOpened(const ServerInfo &info)
{
    m_info = info;
    m_up = true;
    m_attempts = 0;
    m_error = {};
    // Its clock, before anything is dated by it.
    look({}, [this](bool read, const QList<Observation> &) {
        if (read)
            Q_EMIT changed();
    });
}

void Node::onFailed(const Error &error)
{
    m_up = false;
    m_settled = true;
    m_error = error;
    ++m_attempts;
    for (const quint64 request : m_looks.keys())
        answerLook(request, false);
    if (m_passRequest != 0)
        onPassEnded({m_passRequest, false, 0, 0, 0, error});
    if (m_wanted) {
        const int wait = std::min(kLastRetryMs, kFirstRetryMs << std::min(m_attempts - 1, 5));
        m_retry.start(wait);
    }
    Q_EMIT changed();
}

void Node::look(const QList<Subject> &subjects, LookDone done)
{
    const quint64 request = ++m_request;
    m_looks.insert(request, {subjects, {}, nowUs(), std::move(done)});
    if (m_up)
        m_store->look(request, subjects);
    else
        later([this, request] { answerLook(request, false); });
}

void Node::onPage(const Page &page)
{
    if (page.request == m_passRequest && m_passRequest != 0) {
        if (m_page)
            m_page(page);
        return;
    }
    const auto it = m_looks.find(page.request);
    if (it == m_looks.end())
        return;
    if (page.endedUs > 0)
        m_clock.read(page.beganUs, page.endedUs, it->sentUs, nowUs());
    const bool empty = page.locks.isEmpty();
    it->locks += page.locks;
    // A page without any lock is all there will be where something was asked: it couldn't be read.
    if (it->locks.size() >= it->subjects.size())
        answerLook(page.request, page.endedUs > 0);
    else if (empty)
        answerLook(page.request, false);
}

void Node::answerLook(quint64 request, bool read)
{
    const auto it = m_looks.find(request);
    if (it == m_looks.end())
        return;
    Look look = std::move(*it);
    m_looks.erase(it);
    if (!read) {
        look.done(false, {});
        return;
    }
    // Pages may come in another order than that of the question.
    QHash<Subject, Observation> found;
    for (const Observation &lock : std::as_const(look.locks))
        found.insert({lock.set, lock.name}, lock);
    QList<Observation> inOrder;
    for (const Subject &subject : std::as_const(look.subjects)) {
        const auto lock = found.constFind(subject);
        if (lock != found.cend())
            inOrder.append(*lock);
    }
    look.done(inOrder.size() == look.subjects.size(), inOrder);
}

void Node::inspect(const Subject &subject, InspectDone done)
{
    const quint64 request = ++m_request;
    m_inspections.insert(request, std::move(done));
    m_store->inspect(request, subject);
}

void Node::release(const ReleaseOrder &order, ReleaseDone done)
{
    ReleaseOrder own = order;
    own.command += '#' + QByteArray::number(++m_request);
    m_releases.insert(own.command, std::move(done));
    m_store->release(own);
}

void Node::pass(PageTaken page, PassDone done)
{
    m_page = std::move(page);
    m_passDone = std::move(done);
    m_passRequest = ++m_request;
    m_store->pass(m_passRequest);
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
