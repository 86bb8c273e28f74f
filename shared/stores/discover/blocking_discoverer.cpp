// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/discover/blocking_discoverer.h"

#include "shared/stores/end_thread.h"

#include <algorithm>
#include <utility>

namespace lockkeeper::stores::discover {

namespace {
constexpr qint64 kStatementLimitMs = 3'000;

SourceSpec scanSpec(SourceSpec spec)
{
    spec.statementTimeoutMs = std::min(spec.statementTimeoutMs, kStatementLimitMs);
    spec.locks.clear();
    return spec;
}
} // namespace

ScanWorker::ScanWorker(SourceSpec spec, Scan scan, std::shared_ptr<std::atomic_bool> stop)
    : m_spec(std::move(spec)), m_scan(std::move(scan)), m_stop(std::move(stop))
{
}

void ScanWorker::run()
{
    const auto scanned = m_scan(
        m_spec, [this](qint64 done, qint64 total) { Q_EMIT progressed(done, total); }, *m_stop);
    if (scanned)
        Q_EMIT done(*scanned);
    else
        Q_EMIT failed(scanned.error());
    thread()->quit();
}

BlockingDiscoverer::BlockingDiscoverer(SourceSpec spec, Scan scan)
    : VerifiedDiscoverer(scanSpec(std::move(spec))),
      m_scan(std::move(scan)),
      m_stop(std::make_shared<std::atomic_bool>(false))
{
}

BlockingDiscoverer::~BlockingDiscoverer()
{
    *m_stop = true;
    if (m_thread)
        endThread(m_thread);
}

/** Nobody waits for a scan that is stuck in a dead link: it ends by itself, within its time limits. */
void BlockingDiscoverer::drop()
{
    *m_stop = true;
    m_thread.clear();
}

void BlockingDiscoverer::start()
{
    m_thread = new QThread;
    m_thread->setObjectName(QStringLiteral("discover"));
    auto *scan = new ScanWorker(spec(), m_scan, m_stop);
    scan->moveToThread(m_thread);
    connect(m_thread, &QThread::started, scan, &ScanWorker::run);
    connect(m_thread, &QThread::finished, scan, &QObject::deleteLater);
    connect(m_thread, &QThread::finished, m_thread, &QObject::deleteLater);
    connect(scan, &ScanWorker::progressed, this, &Discoverer::progressed);
    connect(scan, &ScanWorker::failed, this, &BlockingDiscoverer::end);
    connect(scan, &ScanWorker::done, this, [this](const Scanned &scanned) {
        if (isOver())
            return;
        discovery() = scanned.discovery;
        verify(scanned.candidates);
    });
    m_thread->start();
}

} // namespace lockkeeper::stores::discover
