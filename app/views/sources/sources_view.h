// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/models/sources_model.h"
#include "app/presentation/source_formatter.h"
#include "app/views/table/list_view.h"
#include "shared/base/result.h"
#include "shared/protocol/messages.h"

#include <QTimer>

class QPushButton;

namespace lockkeeper::app::views {

class PlainLabel;
class SourcePanel;

/**
 * Shows every source's health, rights, clock and lag, and the agent's queue, journal and disk. Refreshes once
 * a second while it is in sight. GUI thread.
 */
class SourcesView : public ListView
{
    Q_OBJECT

public:
    explicit SourcesView(const ConsoleContext &context, QWidget *parent = nullptr);
    ~SourcesView() override;

    QByteArray id() const override { return QByteArrayLiteral("sources"); }
    QString title() const override;
    QString iconName() const override { return QStringLiteral("view-sources"); }
    void activate() override;
    /** Selects a source by its name. */
    void setFilter(const QString &text) override;

private:
    void build();
    void connectModel();
    void showLocks(int row);
    void retranslate() final;
    void look();
    void selectFirst();
    void showSelected();
    void showAgent(const base::Result<protocol::Status> &status);
    /** Shows the button only if the agent can probe, and for a store that reports its clients' attempts. */
    void showProbe(const domain::SourceState *source);
    void probe();
    QString agentText(const protocol::Status &status) const;
    static QString journalText(const base::Error &error);

    models::SourcesModel m_model;
    presentation::SourceFormatter m_formatter;
    ListPage *m_list = nullptr;
    SourcePanel *m_panel = nullptr;
    PlainLabel *m_agent = nullptr;
    QPushButton *m_probe = nullptr;
    QTimer m_second;
    QString m_selected;
    bool m_asking = false;
};

} // namespace lockkeeper::app::views
