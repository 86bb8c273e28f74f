// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/table/rows_view.h"

#include "app/settings/settings.h"
#include "app/views/table/ask_export.h"
#include "app/views/table/data_table.h"

#include <QSplitter>

#include <algorithm>

namespace lockkeeper::app::views {

void RowsView::setRows(DataTable *table, models::RawModel *model, const QString &fileName)
{
    m_rows = table;
    setFocusProxy(table);
    m_rowModel = model;
    m_fileName = fileName;
}

void RowsView::letGoOfRows()
{
    m_rows->selectionModel()->disconnect(this);
    m_rowModel->disconnect(this);
    m_rowModel->setFormatter(nullptr);
}

void keepSplitter(QSplitter *splitter, settings::Settings *settings, const QByteArray &view)
{
    const QString name = QString::fromLatin1(view);
    splitter->restoreState(settings->splitter(name));
    QObject::connect(splitter, &QSplitter::splitterMoved, splitter,
                     [=] { settings->setSplitter(name, splitter->saveState()); });
    QObject::connect(settings, &settings::Settings::layoutReset, splitter, [splitter] {
        QList<int> sizes; // the splitter's default sizes
        for (int i = 0; i < splitter->count(); ++i) {
            const QWidget *part = splitter->widget(i);
            const bool isWide = splitter->orientation() == Qt::Horizontal;
            const QSizePolicy policy = part->sizePolicy();
            sizes.append(isWide ? part->sizeHint().width() * std::max(1, policy.horizontalStretch())
                                : part->sizeHint().height() * std::max(1, policy.verticalStretch()));
        }
        splitter->setSizes(sizes);
    });
}

std::optional<qint64> RowsView::shownRows() const
{
    return m_rowModel->rowCount();
}

qint64 RowsView::selectedRows() const
{
    return m_rows->selectionModel()->selectedRows().size();
}

TableColumns RowsView::tableColumns()
{
    return m_rows->isVisible() ? m_rows->tableColumns() : TableColumns();
}

bool RowsView::copyText()
{
    return m_rows->copyTsv();
}

bool RowsView::exportRows()
{
    if (!canExport())
        return false;
    views::exportRows(context(), this, m_fileName,
                      [this](records::FileFormat::Syntax kind) { return exportSource(kind); });
    return true;
}

std::unique_ptr<ExportSource> RowsView::exportSource(records::FileFormat::Syntax kind) const
{
    return std::make_unique<ModelSource>(m_rowModel, kind);
}

bool RowsView::canExport() const
{
    return m_rowModel->rowCount() > 0;
}

} // namespace lockkeeper::app::views
