// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/models/raw_model.h"
#include "app/views/table/export_source.h"
#include "app/views/widgets/view.h"

class QSplitter;

namespace lockkeeper::app::views {

class DataTable;

/** Keeps the view's splitter as the operator left it, also between runs, until the layout is reset. */
void keepSplitter(QSplitter *splitter, settings::Settings *settings, const QByteArray &view);

/**
 * A view whose rows are those of one table over one model: it counts, copies and exports them. A derived
 * class names them once with setRows(), and calls letGoOfRows() in its destructor. GUI thread.
 */
class RowsView : public View
{
    Q_OBJECT

public:
    using View::View;

    std::optional<qint64> shownRows() const override;
    qint64 selectedRows() const override;
    TableColumns tableColumns() override;
    bool copyText() override;
    bool exportRows() override;
    bool canExport() const override;

protected:
    /** The source of an export; by default the model's rows. */
    virtual std::unique_ptr<ExportSource> exportSource(records::FileFormat::Syntax kind) const;
    /** Neither is owned here. `fileName`: the default name of an export, without a suffix. */
    void setRows(DataTable *table, models::RawModel *model, const QString &fileName);
    /**
     * Call it before model and formatter are destroyed: the widgets outlive them, and still change their
     * selection then.
     */
    void letGoOfRows();

private:
    DataTable *m_rows = nullptr;
    models::RawModel *m_rowModel = nullptr;
    QString m_fileName;
};

} // namespace lockkeeper::app::views
