// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/discover/verification.h"

#include <QPointer>
#include <QThread>

#include <atomic>
#include <functional>
#include <memory>

namespace lockkeeper::stores::discover {

/** What a look has judged, not yet verified. */
struct Scanned
{
    Discovery discovery;
    QList<Candidate> candidates;
};
using Progress = std::function<void(qint64 done, qint64 total)>;
/** Blocks. `stop` is set from another thread, and looked at between two questions. */
using Scan = std::function<base::Result<Scanned>(const SourceSpec &spec, const Progress &progress,
                                                 const std::atomic_bool &stop)>;

/** The blocking half of a BlockingDiscoverer, in a thread of its own. */
class ScanWorker : public QObject
{
    Q_OBJECT

public:
    ScanWorker(SourceSpec spec, Scan scan, std::shared_ptr<std::atomic_bool> stop);
    void run();

Q_SIGNALS:
    void progressed(qint64 done, qint64 total);
    void done(const lockkeeper::stores::discover::Scanned &scanned);
    void failed(const lockkeeper::base::Error &error);

private:
    SourceSpec m_spec;
    Scan m_scan;
    std::shared_ptr<std::atomic_bool> m_stop;
};

/** The Discoverer of stores whose drivers block. */
class BlockingDiscoverer final : public VerifiedDiscoverer
{
    Q_OBJECT

public:
    BlockingDiscoverer(SourceSpec spec, Scan scan);
    ~BlockingDiscoverer() override;

    void start() override;

private:
    void drop() override;

    Scan m_scan;
    std::shared_ptr<std::atomic_bool> m_stop;
    QPointer<QThread> m_thread; ///< to wait for; deletes itself and the worker when it has ended
};

} // namespace lockkeeper::stores::discover
