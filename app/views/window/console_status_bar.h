// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/models/commands_model.h"
#include "app/views/widgets/translated.h"
#include "app/views/widgets/view.h"

#include <QStatusBar>
#include <QTimer>

class QToolButton;

namespace lockkeeper::app::views {

/**
 * Link, lag, counts, sources, pending commands, role and clock; a click on each opens the counted items. GUI
 * thread.
 */
class ConsoleStatusBar : public Translated<QStatusBar>
{
    Q_OBJECT

public:
    /** `commands` isn't owned. */
    ConsoleStatusBar(const ConsoleContext &context, const models::CommandsModel *commands,
                     QWidget *parent = nullptr);

    /** The view whose rows are counted; null: none. */
    void setView(View *view);
    QString linkText() const;
    QString countsText() const;

Q_SIGNALS:
    void linkClicked();
    void pendingClicked();
    void zoneClicked();

private:
    void retranslate() final { refresh(); }
    QToolButton *addButton(bool right);
    void refresh();
    void refreshLink();
    void refreshRight();
    /** Age of the most out-of-date source, µs; 0: all are observed. */
    qint64 staleUs() const;
    int observedSources() const;

    ConsoleContext m_context;
    const models::CommandsModel *m_commands;
    View *m_view = nullptr;
    QToolButton *m_link;
    QToolButton *m_counts;
    QToolButton *m_sources;
    QToolButton *m_pending;
    QToolButton *m_role;
    QToolButton *m_clock;
    QTimer m_second;
};

} // namespace lockkeeper::app::views
