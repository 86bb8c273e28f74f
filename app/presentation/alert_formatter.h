// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/models/alerts_model.h"
#include "app/presentation/colours.h"
#include "app/words/time_format.h"

#include <QCoreApplication>

namespace lockkeeper::app::presentation {

/** The texts for the cells of alerts. Plain text, never markup. */
class AlertFormatter : public models::Formatter
{
    Q_DECLARE_TR_FUNCTIONS(AlertFormatter)

public:
    /** `times` isn't owned. */
    explicit AlertFormatter(const words::TimeFormat *times) : m_times(times) {}

    QVariant cell(const QModelIndex &index, int role) const override;
    QVariant header(int column, int role) const override;

    static QString severityIcon(domain::AlertSeverity severity);
    /** The colours of the severity are those of a lock's state: red, amber, blue. */
    static Badge severityBadge(domain::AlertSeverity severity);
    /** The state of one alert in a few words: "Snoozed until 04:15"; "Not known since 02:51:13". */
    QString state(const models::AlertRow &row) const;

private:
    static QString person(const models::AlertRow &row);
    QString text(const models::AlertRow &row, int column) const;
    QString toolTip(const models::AlertRow &row, int column) const;

    const words::TimeFormat *m_times;
};

/** The texts for the receivers' cells. */
class ReceiverFormatter : public models::Formatter
{
    Q_DECLARE_TR_FUNCTIONS(ReceiverFormatter)

public:
    explicit ReceiverFormatter(const words::TimeFormat *times) : m_times(times) {}

    QVariant cell(const QModelIndex &index, int role) const override;
    QVariant header(int column, int role) const override;

    static QString type(const QByteArray &code);

private:
    static QString state(const models::ReceiverRow &row);
    QString text(const models::ReceiverRow &row, int column) const;

    const words::TimeFormat *m_times;
};

} // namespace lockkeeper::app::presentation
