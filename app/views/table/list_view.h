// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/filter/query.h"
#include "app/views/widgets/view.h"

class QBoxLayout;
class QVBoxLayout;

namespace lockkeeper::app::views {

class FilterEdit;
class FilterLine;
class ListPage;

/**
 * A view of lists, one of which is in front: it counts, copies and exports that list's rows. One filter
 * serves all its lists, and is kept between runs. GUI thread.
 */
class ListView : public View
{
    Q_OBJECT

public:
    using View::View;

    std::optional<qint64> shownRows() const override;
    qint64 selectedRows() const override;
    TableColumns tableColumns() override;
    bool copyText() override;
    bool copyJson() override;
    bool exportRows() override;
    bool canExport() const override;
    void focusFilter() override;
    void setFilter(const QString &text) override;
    QVariantMap saveState() const override;
    void restoreState(const QVariantMap &state) override;

    ListPage *list() const { return m_list; } ///< the one in front

protected:
    /** The view's parts stand in this column, from top to bottom. */
    QVBoxLayout *addColumn();
    /** Adds the filter to the layout; setPlaceholderText() and setAccessibleName() are up to the view. */
    FilterLine *addFilter(QBoxLayout *layout, filter::QueryScope scope);
    FilterEdit *filterEdit() const;
    /** Brings a list to the front; it isn't owned here. */
    void setList(ListPage *list);
    /** Call it before the models and formatters of these lists are destroyed. */
    void destroy(const QList<ListPage *> &lists);

private:
    ListPage *m_list = nullptr;
    FilterLine *m_filter = nullptr;
};

} // namespace lockkeeper::app::views
