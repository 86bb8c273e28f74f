// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/agents/fan_out.h"
#include "app/cli/agents/merge.h"
#include "app/cli/table.h"

#include <QCoreApplication>
#include <QJsonObject>

namespace lockkeeper::app::cli {

/**
 * The answers of the agents as one listing. With several agents, tables get a column AGENT and objects a
 * member "agent". Agents that haven't answered in full are left out.
 */
class MergedListings
{
    Q_DECLARE_TR_FUNCTIONS(lockkeeper::app::cli::MergedListings)

public:
    MergedListings(const FanOut &agents, Context &context) : m_agents(agents), m_context(context) {}

    void status();
    void locks(const LocksOptions &options);
    void holds(const HoldsOptions &options);
    void audit(const AuditOptions &options);
    void contention(const ContentionOptions &options);
    void approvals();
    /** The output for the events in this order, each with its agent. */
    QByteArray events(const QList<Merged<events::LockEvent>> &list) const;

    /** The rows of locks() as objects, one after the other. */
    void eachLock(const LocksOptions &options, const std::function<void(const QJsonObject &)> &take);

private:
    struct ShownLocks
    {
        qsizetype agent = 0;
        qint64 wallUs = 0; ///< by that agent's clock
        QList<domain::LockState> locks;
        QList<QStringList> also; ///< for each lock, the other agents that see it
    };
    QList<ShownLocks> shownLocks(const LocksOptions &options) const;
    QByteArray lines(const ShownLocks &own, const LocksOptions &options) const;
    QList<qsizetype> answered() const;
    QString label(qsizetype agent) const;
    QString prefix(qsizetype agent, QLatin1String separator) const;
    QJsonObject named(QJsonObject object, qsizetype agent) const;
    std::optional<QStringList> othersOf(const ShownLocks &own, qsizetype lock) const;
    void addRows(std::optional<Table> &all, Table rows, const QString &agent) const;
    void show(const std::optional<Table> &table, const QString &nothing);

    const FanOut &m_agents;
    Context &m_context;
};

} // namespace lockkeeper::app::cli
