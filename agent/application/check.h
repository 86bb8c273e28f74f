// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/config/config.h"
#include "agent/election/election_trial.h"
#include "shared/stores/store.h"

#include <QObject>
#include <QSet>
#include <QTextStream>
#include <QTimer>

#include <functional>
#include <memory>

namespace lockkeeper::agent::application {

/**
 * `--check`: opens every source and makes one scan. It prints the locks it can see, what it can break, and
 * the missing rights. The signal finished() carries the exit status: 0 if every source can be observed and,
 * where several agents elect one, this agent can be elected.
 */
class Check : public QObject
{
    Q_OBJECT

public:
    using StoreFactory =
        std::function<base::Result<std::unique_ptr<stores::Store>>(const stores::SourceSpec &)>;

    /** `toml` is the file's text, for line numbers. `out` outlives this. */
    Check(config::Config config, QByteArray toml, StoreFactory makeStore, QTextStream &out,
          QObject *parent = nullptr);
    ~Check() override;

    void start();

Q_SIGNALS:
    void finished(int status);

private:
    void next();
    /** Tries the agents' election if one is configured, and then ends. */
    void tryElection();
    void printAlerts();
    void end();
    void opened(const stores::ServerInfo &info);
    void found(const QList<domain::Finding> &findings);
    void partChanged(const stores::ShardState &part);
    void scanEnded(const stores::ScanEnd &end);
    void fail(const base::Error &error);
    void line(const QString &text);
    /** "FILE:LINE: " of the lock set that a catalogue error is about; otherwise of the source's first set. */
    QString where(const stores::SourceSpec &spec, const base::Error &error) const;

    config::Config m_config;
    QByteArray m_toml;
    StoreFactory m_makeStore;
    QTextStream &m_out;
    std::unique_ptr<stores::Store> m_store;
    std::unique_ptr<election::ElectionTrial> m_trial;
    QTimer m_limit;
    QStringList m_granted;    ///< granted rights of the source; shown once its locks were read
    QSet<QByteArray> m_found; ///< findings of this source that were printed
    qsizetype m_index = -1;
    qint64 m_locks = 0;
    bool m_good = true;
    bool m_isReading = false; ///< a scan is running
};

} // namespace lockkeeper::agent::application
