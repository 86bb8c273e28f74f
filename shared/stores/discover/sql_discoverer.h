// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/discover/discoverer.h"
#include "shared/stores/store.h"

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
 * The Discoverer of MySQL, MariaDB, PostgreSQL and SQLite. What the scan proposes is then opened as the agent
 * would open it, one table after the other: so the rights that are missing are the agent's own words, and
 * nothing is proposed that the agent wouldn't take.
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
    void verifyNext();
    void accept(const ServerInfo &info);
    void refuse(const base::Error &error);
    void stopScan();

    SourceSpec m_spec;
    QByteArray m_store;
    std::shared_ptr<std::atomic_bool> m_stop;
    bool m_cancelled = false;
    QThread *m_thread = nullptr; ///< deletes itself and the scan when it has ended
    Discovery m_discovery;
    QList<Candidate> m_candidates;
    qsizetype m_at = -1; ///< the candidate being verified
    std::unique_ptr<Store> m_opened;
};

} // namespace lockkeeper::stores::discover
