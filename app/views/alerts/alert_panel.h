// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/presentation/alert_formatter.h"
#include "app/views/alerts/alert_actions.h"
#include "app/views/widgets/fact_grid.h"
#include "app/views/widgets/translated.h"

#include <QWidget>

#include <functional>

class QMenu;
class QPushButton;

namespace lockkeeper::app::views {

class PlainLabel;

/**
 * The selected alerts: one in a sentence with all its facts, several by their number. The actions stand below
 * them; a disabled action's reason stands beside it. GUI thread.
 */
class AlertPanel : public Translated<QWidget>
{
    Q_OBJECT

public:
    explicit AlertPanel(const ConsoleContext &context, QWidget *parent = nullptr);

    void show(const QList<models::AlertRow> &rows);
    /** The same actions for the table's menu; the menu's owner is the caller. */
    void fillMenu(QMenu *menu);
    /** The shown texts. */
    QString text() const;

private:
    void build();
    void retranslate() final;
    void refresh();
    static QString probedHolder(const domain::Alert &alert, const std::function<QString(qint64)> &at);
    QList<Fact> facts(const models::AlertRow &row) const;
    void refreshButtons();
    void snooze(qint64 minutes);
    QString snoozeText(qint64 minutes) const;
    void askReport();
    void run(AlertActions::Verb verb, qint64 forUs = 0);

    ConsoleContext m_context;
    AlertActions m_actions;
    presentation::AlertFormatter m_formatter;
    QList<models::AlertRow> m_rows;
    PlainLabel *m_title = nullptr;
    FactGrid *m_facts = nullptr;
    PlainLabel *m_reason = nullptr;
    QPushButton *m_acknowledge = nullptr;
    QPushButton *m_snooze = nullptr;
    QPushButton *m_wake = nullptr;
    QPushButton *m_open = nullptr;
    QPushButton *m_report = nullptr;
    QPushButton *m_copy = nullptr;
    QMenu *m_lengths = nullptr;
};

} // namespace lockkeeper::app::views
