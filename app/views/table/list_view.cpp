// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/table/list_view.h"

#include "app/views/table/data_table.h"
#include "app/views/table/list_page.h"
#include "app/views/widgets/filter_edit.h"
#include "app/views/widgets/filter_line.h"

#include <QVBoxLayout>

namespace lockkeeper::app::views {

namespace {
const QString kFilterState = QStringLiteral("filter");
}

QVBoxLayout *ListView::addColumn()
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(8, 8, 8, 8);
    column->setSpacing(8);
    return column;
}

FilterLine *ListView::addFilter(QBoxLayout *layout, filter::QueryScope scope)
{
    m_filter = new FilterLine(context(), scope);
    layout->addWidget(m_filter);
    connect(m_filter->edit(), &FilterEdit::left, this, qOverload<>(&QWidget::setFocus));
    return m_filter;
}

FilterEdit *ListView::filterEdit() const
{
    return m_filter->edit();
}

void ListView::setList(ListPage *list)
{
    if (m_list)
        disconnect(m_list, &ListPage::rowsChanged, this, &View::rowsChanged);
    m_list = list;
    setFocusProxy(list->table());
    connect(m_list, &ListPage::rowsChanged, this, &View::rowsChanged);
    Q_EMIT rowsChanged();
}

void ListView::destroy(const QList<ListPage *> &lists)
{
    m_list = nullptr;
    qDeleteAll(lists);
}

std::optional<qint64> ListView::shownRows() const
{
    return m_list ? std::optional(m_list->rowCount()) : std::nullopt;
}

qint64 ListView::selectedRows() const
{
    return m_list ? m_list->selectedRows() : 0;
}

TableColumns ListView::tableColumns()
{
    return m_list->isVisible() ? m_list->table()->tableColumns() : TableColumns();
}

bool ListView::copyText()
{
    return m_list->table()->copyTsv();
}

bool ListView::copyJson()
{
    return m_list->copyJson();
}

bool ListView::exportRows()
{
    return m_list->exportRows();
}

bool ListView::canExport() const
{
    return shownRows().value_or(0) > 0;
}

void ListView::focusFilter()
{
    if (!m_filter)
        return;
    m_filter->edit()->setFocus();
    m_filter->edit()->selectAll();
}

void ListView::setFilter(const QString &text)
{
    if (m_filter)
        m_filter->edit()->setFilter(text);
}

QVariantMap ListView::saveState() const
{
    return m_filter ? QVariantMap{{kFilterState, m_filter->edit()->text()}} : QVariantMap();
}

void ListView::restoreState(const QVariantMap &state)
{
    if (m_filter)
        m_filter->edit()->setFilter(state.value(kFilterState).toString());
}

} // namespace lockkeeper::app::views
