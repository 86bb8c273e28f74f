// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/overview/attention_model.h"
#include "app/presentation/theme.h"
#include "app/views/overview/attention_formatter.h"
#include "app/views/table/data_table.h"

class QMenu;

namespace lockkeeper::app::views {

/**
 * The locks that need attention, worst first. The shared selection and the table's selection follow each
 * other by lock. When the selected lock leaves the list, no other lock is selected. GUI thread.
 */
class AttentionTable : public DataTable
{
    Q_OBJECT

public:
    /** `model` isn't owned. */
    AttentionTable(const ConsoleContext &context, overview::AttentionModel *model, QWidget *parent = nullptr);

    /** Takes order and membership from `locks`. */
    void arrange(const QList<overview::Attention> &locks);
    /** The window's Lock menu; not owned. */
    void setContextMenu(QMenu *menu) { m_menu = menu; }

Q_SIGNALS:
    void opened(const lockkeeper::domain::LockKey &key);

protected:
    void contextMenuEvent(QContextMenuEvent *event) override;

private:
    void fromTable();
    void toTable();

    ConsoleContext m_context;
    overview::AttentionModel *m_model;
    QMenu *m_menu = nullptr;
    bool m_syncing = false;
};

} // namespace lockkeeper::app::views
