// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/locks/sql/wait_breaker.h"

#include "shared/stores/end_thread.h"

namespace lockkeeper::locks::sql {

using namespace stores::sql;
using namespace stores;

namespace {
constexpr unsigned long kBreakAgainMs = 50;
}

void WaitBreakerWorker::end(const ServerWait &wait, int tries, const std::function<void()> &done)
{
    for (int i = 0; i < tries; ++i) {
        if (i > 0)
            QThread::msleep(kBreakAgainMs);
        const qint64 session = wait.id;
        if (session == 0 || (!m_connection.isOpen() && !m_connection.open(m_spec)))
            break;
        const bool postgres = m_connection.dialect() == Dialect::PostgreSql;
        const QString statement =
            postgres ? QStringLiteral("SELECT pg_cancel_backend(%1)") : QStringLiteral("KILL QUERY %1");
        if (!m_connection.query(statement.arg(session)))
            m_connection.close(); // the caller tries again
    }
    Q_EMIT ended(done);
}

WaitBreaker::WaitBreaker(SourceSpec spec) : m_spec(std::move(spec)) {}

WaitBreaker::~WaitBreaker()
{
    if (m_thread == nullptr)
        return;
    m_worker->disconnect(this);
    endThread(m_thread);
}

void WaitBreaker::end(std::shared_ptr<const ServerWait> wait, int tries, std::function<void()> done)
{
    if (m_thread == nullptr) {
        m_thread = new QThread;
        m_worker = new WaitBreakerWorker(m_spec);
        m_worker->moveToThread(m_thread);
        connect(m_thread, &QThread::finished, m_worker, &QObject::deleteLater);
        connect(m_worker, &WaitBreakerWorker::ended, this, [](const std::function<void()> &ended) {
            if (ended)
                ended();
        });
        m_thread->start();
    }
    QMetaObject::invokeMethod(
        m_worker,
        [worker = m_worker, wait = std::move(wait), tries, done = std::move(done)] {
            worker->end(*wait, tries, done);
        },
        Qt::QueuedConnection);
}

} // namespace lockkeeper::locks::sql
