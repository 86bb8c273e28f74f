// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/discover/discoverer.h"
#include "shared/stores/discover/verification.h"

#include <QThread>

#include <atomic>

namespace lockkeeper::stores::discover {

/**
 * The blocking half: reads the catalogue and a few rows in its own thread, and judges. `stop` may be set from
 * any thread; it is looked at between two statements.
 */
class SqlScan : public QObject
{
    Q_OBJECT

public:
    SqlScan(SourceSpec spec, QByteArray store, std::shared_ptr<std::atomic_bool> stop);
    void run();

Q_SIGNALS:
    void progressed(qint64 done, qint64 total);
    void done(const lockkeeper::stores::discover::Discovery &discovery,
              const QList<lockkeeper::stores::discover::Candidate> &candidates);
    void failed(const lockkeeper::base::Error &error);

private:
    SourceSpec m_spec;
    QByteArray m_store;
    std::shared_ptr<std::atomic_bool> m_stop;
};

/**
 * The Discoverer of MySQL, MariaDB, PostgreSQL and SQLite. What the scan proposes is verified.
 */
class SqlDiscoverer final : public Discoverer
{
    Q_OBJECT

public:
    SqlDiscoverer(SourceSpec spec, QByteArray store);
    ~SqlDiscoverer() override;

    void start() override;
    void cancel() override;

private:
    void verify();
    void stopScan();

    SourceSpec m_spec;
    QByteArray m_store;
    std::shared_ptr<std::atomic_bool> m_stop;
    bool m_cancelled = false;
    QThread *m_thread = nullptr; ///< deletes itself and the scan when it has ended
    Discovery m_discovery;
    QList<Candidate> m_candidates;
    std::unique_ptr<Verification> m_verification;
};

} // namespace lockkeeper::stores::discover
