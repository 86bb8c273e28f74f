// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/filter/query.h"
#include "app/presentation/hold_formatter.h"
#include "app/views/widgets/console_context.h"
#include "app/views/widgets/translated.h"

#include <QWidget>

namespace lockkeeper::app::views {

class DataTable;
class ListPage;

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
    ListPage *list() const { return m_list; }
    DataTable *table() const;
    models::HoldsModel *model() { return &m_model; }

Q_SIGNALS:
    /** The user asks for all holds, without the filter. */
    void allAsked();

protected:
    void showEvent(QShowEvent *event) override;

private:
    void retranslate() final;
    void showState();

    ConsoleContext m_context;
    models::HoldsModel m_model;
    presentation::HoldFormatter m_formatter;
    filter::Query m_query{filter::QueryScope::History, {}};
    bool m_stale = true; ///< the filter has changed, or nothing was read yet
    ListPage *m_list;
};

} // namespace lockkeeper::app::views
