// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"
#include "app/cli/live_table.h"
#include "app/cli/table.h"
#include "app/overview/overview.h"
#include "app/overview/past.h"

namespace lockkeeper::app::cli {

/** Shows on one screen whether anything is wrong now, like the console's Overview. */
class OverviewCommand final : public Command
{
    Q_OBJECT

public:
    OverviewCommand(const OverviewOptions &, Context &context);

protected:
    void connected(const protocol::Welcome &welcome) override;
    void received(const protocol::Message &message) override;

private:
    /** Called once the agent's clock is known: the hours are counted by that clock. */
    void ask();
    bool hasAll() const;
    void conclude();
    overview::Hour hour(std::size_t number) const;
    void print(const overview::Overview &overview);
    void printChains();
    void printPast();
    void show(const QString &title, const Table &table);
    QString waitingLine() const;
    QString gapLines() const;
    Table hoursTable() const;
    QJsonObject object(const overview::Overview &overview) const;
    void addChains(QJsonObject &object) const;
    QJsonObject hourObject(const overview::Hour &hour) const;
    QJsonArray waitersArray() const;
    QJsonArray gapsArray() const;

    LiveTable m_table;
    std::optional<protocol::Status> m_status;
    bool m_tableRead = false;
    std::array<std::optional<protocol::ContentionPage>, overview::kHours> m_costs;
    std::array<std::optional<protocol::WaitingPage>, overview::kHours> m_seen;
    std::optional<overview::Breaks> m_breaks;
    std::optional<QList<domain::WaitGraph>> m_graphs;
};

} // namespace lockkeeper::app::cli
