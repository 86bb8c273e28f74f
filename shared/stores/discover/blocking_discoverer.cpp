// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/discover/blocking_discoverer.h"

#include "shared/stores/discover/scoring.h"

#include <algorithm>
#include <utility>

namespace lockkeeper::stores::discover {

namespace {
constexpr qint64 kStatementLimitMs = 3'000;
constexpr unsigned long kPatienceMs = 500;
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
}

BlockingDiscoverer::BlockingDiscoverer(SourceSpec spec, Scan scan)
    : m_spec(std::move(spec)), m_scan(std::move(scan)), m_stop(std::make_shared<std::atomic_bool>(false))
{
    m_spec.statementTimeoutMs = std::min(m_spec.statementTimeoutMs, kStatementLimitMs);
    m_spec.locks.clear();
}

BlockingDiscoverer::~BlockingDiscoverer()
{
    stopScan();
}

void BlockingDiscoverer::start()
{
    m_thread = new QThread;
    m_thread->setObjectName(QStringLiteral("discover"));
    auto *scan = new ScanWorker(m_spec, m_scan, m_stop);
    scan->moveToThread(m_thread);
    connect(m_thread, &QThread::started, scan, &ScanWorker::run);
    connect(m_thread, &QThread::finished, scan, &QObject::deleteLater);
    connect(scan, &ScanWorker::progressed, this, &Discoverer::progressed);
    connect(scan, &ScanWorker::failed, this, [this](const base::Error &error) {
        if (m_cancelled)
            return;
        stopScan();
        Q_EMIT failed(error);
    });
    connect(scan, &ScanWorker::done, this, [this](const Scanned &scanned) {
        if (m_cancelled)
            return;
        stopScan();
        m_scanned = scanned;
        verify();
    });
    m_thread->start();
}

void BlockingDiscoverer::stopScan()
{
    *m_stop = true;
    QThread *thread = std::exchange(m_thread, nullptr);
    if (!thread)
        return;
    thread->quit();
    // One that is stuck in a dead link ends by itself, within its time limits.
    if (thread->wait(kPatienceMs))
        delete thread;
    else
        connect(thread, &QThread::finished, thread, &QObject::deleteLater);
}

void BlockingDiscoverer::cancel()
{
    *m_stop = true;
    m_cancelled = true;
    if (m_thread) {
        QThread *thread = std::exchange(m_thread, nullptr);
        thread->quit();
        connect(thread, &QThread::finished, thread, &QObject::deleteLater);
        if (thread->isFinished())
            thread->deleteLater();
    }
    if (m_verification)
        m_verification->cancel();
    m_scanned.candidates.clear();
    disconnect(); // no answer follows
}

void BlockingDiscoverer::verify()
{
    m_verification = std::make_unique<Verification>(m_spec);
    connect(m_verification.get(), &Verification::failed, this, &Discoverer::failed);
    connect(m_verification.get(), &Verification::done, this, [this](const QList<Candidate> &candidates) {
        sortInto(m_scanned.discovery, candidates);
        Q_EMIT found(m_scanned.discovery);
    });
    m_verification->start(std::exchange(m_scanned.candidates, {}));
}

} // namespace lockkeeper::stores::discover
