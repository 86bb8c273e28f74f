// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/alerts/engine/alert_engine.h"
#include "agent/alerts/storage/outbox.h"
#include "agent/config/config.h"
#include "agent/release/holder_knowledge.h"
#include "agent/release/release_rules.h"
#include "agent/release/source_port.h"
#include "shared/base/clock.h"
#include "shared/domain/sight.h"
#include "shared/protocol/messages.h"

#include <QHash>
#include <QObject>
#include <QThread>
#include <QTimer>

#include <functional>
#include <memory>

namespace lockkeeper::agent::requests {

class AlertWorker;

/**
 * The agent's alerts: feeds the engine with what the sources show, keeps the alerts durable, has them
 * delivered, and answers those who ask. Lives in the main thread. The store and the deliveries have
 * their own thread, so that a slow disk or receiver delays nobody.
 *
 * An alert is durable before a receiver or a client sees it. The cursor, the last event that was considered,
 * is saved with it: after a crash the next start considers the events that follow, each once.
 */
class AlertCenter : public QObject
{
    Q_OBJECT

public:
    struct AlertContext
    {
        release::SourceDirectory &sources;
        const base::Clock &clock;
        std::function<alerts::AgentHealth()> health;
        std::function<bool()> isStandby;        ///< then another agent sends the alerts
        release::HolderKnowledgeOf holder = {}; ///< for the detail of alerts about locks
    };
    struct AlertTotals
    {
        QHash<domain::AlertSeverity, qint64> active;
        quint64 fired = 0; ///< since the agent's start
        qint64 receiversFailing = 0;
        qint64 waiting = 0; ///< deliveries
    };
    using Done = std::function<void(const base::Result<void> &)>;
    struct SeenAlerts
    {
        QList<domain::Alert> list;
        bool more = false; ///< some were left out
    };

    explicit AlertCenter(AlertContext context, QObject *parent = nullptr);
    ~AlertCenter() override;

    /** Opens the store and takes the alerts of the run before. Returns the cursor; empty: a new store. */
    base::Result<std::optional<quint64>> open(const config::Config &config);
    /** Begins to fire and deliver. Call it after the events since the cursor were taken. */
    void start();
    void configure(const config::Config &config);
    /** Takes the events that followed the cursor before the agent's start. */
    void takePast(const QList<events::LockEvent> &events);
    /** Takes events as they are published, in order. */
    void take(const QList<events::LockEvent> &events);
    /** Takes states that changed without an event. */
    void show(const QList<domain::LockState> &locks, const QList<domain::LockKey> &removed);
    /** The tables changed without events: shows them all again. */
    void showTables();
    /** Ends the deliveries; what is undelivered stays in the store. Blocks for two seconds at most. */
    void close();

    /** Whether a user with this sight may see the alert. */
    static bool isSeen(const domain::Alert &alert, const domain::Sight &sight);
    /** Not over, or over for at most a day; newest first. Of more than 5,000, those that are over are left
     * out first. */
    SeenAlerts alerts(const domain::Sight &sight) const;
    QList<protocol::AlertReceiver> receivers() const { return m_receivers; }
    qint64 nowUs() const { return m_context.clock.wallUs(); }
    /** An alert that the asker can't see is answered like one that doesn't exist. */
    void act(const protocol::AlertAction &action, const release::Asker &asker, const domain::Sight &sight,
             const Done &done);
    void test(const QString &receiver, const Done &done);
    AlertTotals totals() const;

Q_SIGNALS:
    /** An alert fired, ended or was acknowledged or snoozed, and this is durable. */
    void changed(const lockkeeper::domain::Alert &alert);

private:
    struct TableWalk
    {
        quint32 place = 0;
        bool isDone = false;
    };

    void step();
    void walkTables();
    void showSources();
    void publish();
    void save(QList<domain::Alert> changes);
    QList<alerts::Notice> noticesOf(const domain::Alert &alert) const;
    std::optional<base::Error> refusalOf(const protocol::AlertAction &action, const release::Asker &asker,
                                         const domain::Sight &sight) const;
    QList<alerts::Notice> actionNotices(const domain::Alert &alert) const;
    QStringList receiversOf(const domain::Alert &alert) const;
    std::optional<qint64> quietUntilUs(const domain::Alert &alert) const;
    void addLiveness(domain::Alert &alert) const;
    void notifyLate();
    void forgetReceivers();
    void forgetOld();
    void soon();

    AlertContext m_context;
    config::Config m_config;
    alerts::AlertEngine m_engine;
    QThread m_thread;
    std::unique_ptr<AlertWorker> m_worker; ///< lives in m_thread
    QTimer m_step;
    QTimer m_walk;
    qint64 m_steppedUs = 0; ///< monotonic
    qint64 m_steppedWallUs = 0;
    bool m_started = false;
    quint64 m_cursor = 0;
    quint64 m_firedCount = 0;
    QHash<QByteArray, domain::Alert> m_alerts; ///< by id
    QHash<QString, TableWalk> m_walks;         ///< by source
    QHash<QString, qint64> m_graphs;           ///< by source: the end of the last graph shown
    QList<protocol::AlertReceiver> m_receivers;
};

} // namespace lockkeeper::agent::requests
