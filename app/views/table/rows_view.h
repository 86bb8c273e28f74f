// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/models/raw_model.h"
#include "app/views/table/export_source.h"
#include "app/views/widgets/view.h"

class QSplitter;

namespace lockkeeper::app::views {

class DataTable;

/** The splitter of that view stands as the operator left it, in other runs as well, until it is reset. */
void keepSplitter(QSplitter *splitter, settings::Settings *settings, const QByteArray &view);

/**
 * A view whose rows are those of one table over one model: it counts, copies and exports them. What derives
 * from it says once which those are, and lets go of them in its destructor. GUI thread.
 */
class RowsView : public View
{
    Q_OBJECT

public:
    using View::View;

    std::optional<qint64> shownRows() const override;
    qint64 selectedRows() const override;
    bool copyText() override;
    bool exportRows() override;
    bool canExport() const override;

protected:
    /** What an export writes: unless told, the model's rows. */
    virtual std::unique_ptr<ExportSource> exportSource(ExportColumns::Format format) const;
    /** Neither is owned here. `fileName`: what an export is called unless told, without a suffix. */
    void setRows(DataTable *table, models::RawModel *model, const QString &fileName);
    /** Before model and formatter go: the widgets outlive them, and select otherwise while they go. */
    void letGoOfRows();

private:
    DataTable *m_rows = nullptr;
    models::RawModel *m_rowModel = nullptr;
    QString m_fileName;
};

} // namespace lockkeeper::app::views
