// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/models/alerts_model.h"
#include "app/views/widgets/console_context.h"

#include <QCoreApplication>

namespace lockkeeper::app::views {

/** Decides which actions the user may apply to alerts, and applies them. GUI thread. */
class AlertActions
{
    Q_DECLARE_TR_FUNCTIONS(AlertActions)

public:
    using Verb = protocol::AlertAction::AlertVerb;

    static constexpr std::array<qint64, 3> kSnoozeMinutes{15, 60, 240};

    /** True if the verb can be applied to at least one of the alerts; otherwise `reason` says why not. */
    struct Possibility
    {
        bool possible = false;
        QString reason;
    };

    explicit AlertActions(const ConsoleContext &context) : m_context(context) {}

    Possibility of(const QList<models::AlertRow> &rows, Verb verb) const;
    /** Applies the verb to all alerts that it can be applied to. A refusal is a message in the status bar. */
    void run(const QList<models::AlertRow> &rows, Verb verb, qint64 forUs, QObject *context) const;
    /** Opens the alert's lock; without a lock, its source. */
    void open(const models::AlertRow &row) const;

private:
    QString whyNot(const models::AlertRow &row, Verb verb) const;
    bool may(const domain::Alert &alert) const;
    QString done(Verb verb, int count) const;

    ConsoleContext m_context;
};

} // namespace lockkeeper::app::views
