// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/models/blockers_model.h"
#include "app/presentation/blocker_formatter.h"
#include "app/views/widgets/console_context.h"

#include <QCoreApplication>
#include <QWidget>

class QMenu;

namespace lockkeeper::app::views {

class DataTable;
class ListPage;

/**
 * The table of Contention by holder or by statement, with its words about what the rows leave open. A
 * double-click opens the Holder view. GUI thread.
 */
class BlockersPanel : public QWidget
{
    Q_OBJECT

public:
    explicit BlockersPanel(const ConsoleContext &context, QWidget *parent = nullptr);
    ~BlockersPanel() override;

    models::BlockersModel *model() { return &m_model; }
    ListPage *list() const { return m_list; }
    DataTable *table() const;
    /** Sentences for the line below the table. */
    QStringList notes() const;
    void retranslate();

private:
    void open(int row);
    void fillMenu(QMenu *menu, int row);

    ConsoleContext m_context;
    models::BlockersModel m_model;
    presentation::BlockerFormatter m_formatter{&m_model};
    ListPage *m_list;
};

} // namespace lockkeeper::app::views
