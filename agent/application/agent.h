// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/access/access_policy.h"
#include "agent/application/data_dir.h"
#include "agent/application/sources.h"
#include "agent/config/config.h"
#include "agent/forward/forwarding.h"
#include "agent/journal/storage/records.h"
#include "agent/login/authenticator.h"
#include "agent/login/server_certificate.h"
#include "agent/metrics/metrics_server.h"
#include "agent/release/reaper.h"
#include "agent/requests/alert_center.h"
#include "agent/requests/liveness_center.h"
#include "agent/server/server.h"

#include <QObject>

#include <memory>
#include <optional>

namespace lockkeeper::agent::application {

/** The journal's path and limits, from the configuration. */
journal::JournalOptions journalOptions(const config::Config &config);

/**
 * The composition root: owns every part, connects them, and destroys them in the order of their dependencies.
 * Lives in the main thread.
 */
class Agent final : public QObject
{
    Q_OBJECT

public:
    /** `makeSink` connects to a hub of the configuration; not needed if it has none. */
    Agent(config::Config config, const base::Clock &clock, Sources::StoreFactory makeStore,
          forward::Forwarding::SinkMaker makeSink = {}, QObject *parent = nullptr);
    ~Agent() override;

    /** Locks the data folder, opens the journal, listens and starts to observe. */
    base::Result<void> start();
    /** Reads the configuration file again. The whole old configuration stays, and the problems are logged, if
     * the file is broken. The same applies if the agent serves over TLS and can't read its certificate, key
     * or users. */
    void reload();
    /** Notifies the clients, waits a moment for pending releases and audit entries, and closes; finished()
     * follows. */
    void shutDown();

    /** Bytes that wait to be sent to clients. */
    qint64 waitingBytes() const { return m_server ? m_server->waitingBytes() : 0; }

Q_SIGNALS:
    void finished();

private:
    protocol::Status status() const;
    QList<metrics::MetricSample> samples() const;
    metrics::HealthReport health() const;
    void apply(const config::Config &wanted);
    /** Returns the keys of [agent] that keep their old value, also in `next`, because the agent can't listen
     * on the new one. */
    QStringList applyListeners(config::Config &next);
    base::Result<void> serveTls(const config::Config &wanted);
    base::Result<void> serveMetrics(const QString &address);
    base::Result<void> openAlerts();
    void startAlerts(quint64 cursor);
    void openLiveness();
    void openForwarding();
    alerts::AgentHealth alertHealth() const;
    void saveProgress();
    void shutDownFurther();
    void finish();

    config::Config m_config;
    const base::Clock &m_clock;
    Sources::StoreFactory m_makeStore;
    forward::Forwarding::SinkMaker m_makeSink;
    DataDir m_dataDir;
    access::AccessPolicy m_policy;
    qint64 m_startedWallUs = 0;
    std::unique_ptr<journal::Journal> m_journal;
    std::unique_ptr<Sources> m_sources;
    std::unique_ptr<forward::Forwarding> m_forwarding;
    std::unique_ptr<server::Publisher> m_publisher;
    std::unique_ptr<release::Releaser> m_releaser;
    std::unique_ptr<requests::Prober> m_prober;
    std::unique_ptr<release::Reaper> m_reaper;
    std::unique_ptr<release::Approvals> m_approvals;
    std::unique_ptr<requests::LivenessCenter> m_liveness;
    std::unique_ptr<requests::AlertCenter> m_alerts;
    std::unique_ptr<requests::DiscoveryRunner> m_discoveries;
    std::unique_ptr<server::LoginRecords> m_logins;
    std::unique_ptr<requests::Dispatcher> m_dispatcher;
    login::Authenticator m_authenticator;
    login::ServerCertificate m_certificate;
    std::unique_ptr<server::Server> m_server;
    std::unique_ptr<metrics::MetricsServer> m_metrics;
    QTimer m_approvalClock;
    QTimer m_progress;
    QTimer m_ending;
    bool m_reloadFailed = false;           ///< the last configuration wasn't applied completely
    std::optional<qint64> m_endingSinceUs; ///< empty: the agent isn't ending
};

} // namespace lockkeeper::agent::application
