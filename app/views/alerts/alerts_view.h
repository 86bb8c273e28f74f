// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/models/alerts_model.h"
#include "app/presentation/alert_formatter.h"
#include "app/views/table/list_view.h"

#include <QTimer>

namespace lockkeeper::app::views {

class AlertPanel;
class AlertsTable;
class LiveFreeze;
class PhaseChips;
class ReceiversPanel;

/**
 * The alerts that the agents' rules have fired, with the actions on them and the state of their receivers.
 * The badge counts the active ones. Rows don't move while frozen. GUI thread.
 */
class AlertsView : public ListView
{
    Q_OBJECT

public:
    explicit AlertsView(const ConsoleContext &context, QWidget *parent = nullptr);
    ~AlertsView() override;

    QByteArray id() const override { return QByteArrayLiteral("alerts"); }
    QString title() const override;
    QString iconName() const override { return QStringLiteral("view-alerts"); }
    std::optional<qint64> count() const override;
    void activate() override;
    void refresh() override;
    /** Selects the alert with this id. */
    void setFilter(const QString &id) override;
    QVariantMap saveState() const override;
    void restoreState(const QVariantMap &state) override;

    models::AlertsModel *model() { return &m_model; }
    AlertsTable *table() const { return m_table; }

private:
    void build();
    void retranslate() final;
    void second();
    void look();
    void showState();
    void showErrors();
    void showMissing();
    void showPhase(domain::AlertPhase phase, bool shown);

    models::AlertsModel m_model;
    presentation::AlertFormatter m_formatter;
    PhaseChips *m_chips = nullptr;
    AlertsTable *m_table = nullptr;
    ListPage *m_list = nullptr;
    AlertPanel *m_panel = nullptr;
    ReceiversPanel *m_receivers = nullptr;
    LiveFreeze *m_freeze = nullptr;
    QTimer m_second;
    int m_secondsToAsk = 0; ///< until the receivers' state is asked for again
    std::optional<qint64> m_count;
};

} // namespace lockkeeper::app::views
