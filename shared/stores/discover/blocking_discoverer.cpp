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
    return spec;
}
} // namespace

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
    const auto report = std::make_shared<ScanReport>();
    connect(report.get(), &ScanReport::progressed, this, &Discoverer::progressed);
    connect(report.get(), &ScanReport::ended, this, [this](const base::Result<Scanned> &scanned) {
        if (!scanned) {
            end(scanned.error());
        } else if (!isOver()) {
            discovery() = scanned->discovery;
            verify(scanned->candidates);
        }
    });
    m_thread = QThread::create([report, scan = m_scan, spec = spec(), stop = m_stop] {
        const auto progress = [&report](qint64 done, qint64 total) {
            Q_EMIT report->progressed(done, total);
        };
        Q_EMIT report->ended(scan(spec, progress, *stop));
    });
    m_thread->setObjectName(QStringLiteral("discover"));
    connect(m_thread, &QThread::finished, m_thread, &QObject::deleteLater);
    m_thread->start();
}

} // namespace lockkeeper::stores::discover
