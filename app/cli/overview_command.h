// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"
#include "app/cli/live_table.h"
#include "app/overview/overview.h"

#include <array>

namespace lockkeeper::app::cli {

/** Whether anything is wrong now, in one screen: the same as the console's Overview. */
class OverviewCommand final : public Command
{
    Q_OBJECT

public:
    OverviewCommand(const OverviewOptions &, Context &context);

protected:
    void connected(const protocol::Welcome &welcome) override;
    void received(const protocol::Message &message) override;

private:
    /** The last hour, and the same hour a day and a week ago. */
    struct Period
    {
        protocol::ContentionPage page;
        qint64 waitedUs = 0;
        qint64 waits = 0;
        qint64 acquisitions = 0;
        qint64 forced = 0;
        qint64 observedUs = 0; ///< the most of any lock: 0 where nobody looked
    };
    void took(protocol::ContentionPage page);
    void conclude();
    void print(const overview::Overview &overview);
    QString periodLine(const QString &name, const Period &period) const;
    QJsonObject object(const overview::Overview &overview) const;
    QJsonValue periodObject(const Period &period) const;

    LiveTable m_table;
    std::optional<protocol::Status> m_status;
    bool m_tableRead = false;
    bool m_ranks = true; ///< the agent can tell contention
    std::array<std::optional<Period>, 3> m_periods;
    std::optional<QList<domain::AuditEntry>> m_breaks;
};

} // namespace lockkeeper::app::cli
