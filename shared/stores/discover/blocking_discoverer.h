// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/discover/verified_discoverer.h"

#include <QPointer>
#include <QThread>

#include <atomic>
#include <functional>
#include <memory>

namespace lockkeeper::stores::discover {

/** The judgements of one scan, not yet verified. */
struct Scanned
{
    Discovery discovery;
    QList<Candidate> candidates;

    bool operator==(const Scanned &) const = default;
};
using Progress = std::function<void(qint64 done, qint64 total)>;
/** Blocks. `stop` is set from another thread, and checked between two requests. */
using Scan = std::function<base::Result<Scanned>(const SourceSpec &spec, const Progress &progress,
                                                 const std::atomic_bool &stop)>;

/** A scan reports through these signals, from its own thread. */
class ScanReport : public QObject
{
    Q_OBJECT

Q_SIGNALS:
    void progressed(qint64 done, qint64 total);
    void ended(const lockkeeper::base::Result<lockkeeper::stores::discover::Scanned> &scanned);
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
    QPointer<QThread> m_thread; ///< to wait for; deletes itself when it has ended
};

} // namespace lockkeeper::stores::discover
