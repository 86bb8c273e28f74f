// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/filter/query.h"
#include "app/presentation/hold_formatter.h"
#include "app/views/table/export_source.h"
#include "app/views/widgets/console_context.h"
#include "app/views/widgets/translated.h"

#include <QWidget>

class QStackedWidget;

namespace lockkeeper::app::views {

class DataTable;
class PlainLabel;
class StatePage;

/**
 * Shows the holds: the holder, the lock, from when to when, and how each hold ended. It is the History's
 * second tab and applies the parts of the History's filter that concern holds. Reads when it is shown. GUI
 * thread.
 */
class HoldsPage : public Translated<QWidget>
{
    Q_OBJECT

public:
    explicit HoldsPage(const ConsoleContext &context, QWidget *parent = nullptr);
    ~HoldsPage() override;

    void setQuery(const filter::Query &query);
    void refresh();
    DataTable *table() const { return m_table; }
    models::HoldsModel *model() { return &m_model; }
    std::unique_ptr<ExportSource> exportSource(records::FileFormat::Syntax kind) const;

Q_SIGNALS:
    void rowsChanged();
    /** The user asks for all holds, without the filter. */
    void allAsked();

protected:
    void showEvent(QShowEvent *event) override;

private:
    void retranslate() final;
    void showState();
    void showMenu(const QPoint &at);

    ConsoleContext m_context;
    models::HoldsModel m_model;
    presentation::HoldFormatter m_formatter;
    filter::Query m_query{filter::QueryScope::History, {}};
    bool m_stale = true; ///< the filter has changed, or nothing was read yet
    DataTable *m_table;
    StatePage *m_page;
    QStackedWidget *m_stack;
    PlainLabel *m_note;
};

} // namespace lockkeeper::app::views
