// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/models/alerts_model.h"
#include "app/views/table/data_table.h"

namespace lockkeeper::app::views {

/**
 * The table of the alerts. A severity is a badge: full for an active alert, pale for an alert that somebody
 * has taken or that is over. An alert whose agent is away is muted. GUI thread.
 */
class AlertsTable : public DataTable
{
    Q_OBJECT

public:
    /** `model` isn't owned. */
    AlertsTable(const ConsoleContext &context, models::AlertsModel *model, QWidget *parent = nullptr);

    QList<models::AlertRow> selectedAlerts() const;
    void select(const QByteArray &id);

private:
    models::AlertsModel *m_model;
};

} // namespace lockkeeper::app::views
