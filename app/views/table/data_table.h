// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/models/raw_model.h"
#include "app/views/table/export_source.h"
#include "app/views/widgets/console_context.h"
#include "app/views/widgets/table_columns.h"

#include <QHash>
#include <QTableView>

#include <limits>

namespace lockkeeper::app::views {

/**
 * As a default width: the width of the longest time, as times are shown. A value n below kTimeWidth adds n
 * pixels.
 */
constexpr int kTimeWidth = -1;
constexpr int kFineTimeWidth = std::numeric_limits<int>::min(); ///< the same with milliseconds

/**
 * A read-only table over a RawModel, the same in every view: rows of the chosen density, one column that
 * stretches, columns remembered by name, Ctrl+C as TSV. Owns neither the model nor anything of the context.
 * GUI thread.
 */
class DataTable : public QTableView
{
    Q_OBJECT

public:
    /** `id` is the key of the columns in the settings, and the name of the object. `stretched` takes the
     * width that is left. */
    DataTable(const ConsoleContext &context, models::RawModel *model, const QString &id, int stretched,
              QWidget *parent = nullptr);

    /** Widths in pixels where the operator has chosen none; 0 hides a column. Restores the columns. */
    void setDefaultWidths(const QHash<int, int> &widths);
    /**
     * Columns that give way, in this order, while the table is too narrow for all columns. Once the operator
     * has chosen columns, the chosen columns stay.
     */
    void setSpareColumns(const QList<int> &columns);
    /** Columns that get the spare width of a wide window, in this order, up to twice their own width. */
    void setGrowingColumns(const QList<int> &columns);
    /** A click on a title sorts, the third one restores the model's own order; kept between runs. */
    void setSortable();
    /**
     * The rows couldn't be read again: draws them in muted italics, like unobserved locks in the table of
     * locks.
     */
    void setStale(bool stale);
    bool isStale() const { return m_stale; }

    models::RawModel *rawModel() const { return m_rawModel; }
    TableColumns tableColumns();
    QList<int> shownColumns() const; ///< in their order
    /** The shown columns of the selected rows on the clipboard, below their titles; false where none is
     * selected. */
    bool copyTsv() const;
    QList<int> selectedRowNumbers() const;

    static int rowHeight(const ConsoleContext &context);

Q_SIGNALS:
    void activatedRow(int row);

protected:
    /** Tool tips show the store's text as it is, never as markup. */
    bool viewportEvent(QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void initViewItemOption(QStyleOptionViewItem *option) const override;

private:
    QStringList titles(const QList<int> &columns) const;
    void rescale();
    void zoomDefaults();
    void measureTimes();
    void keep(bool columns = true);
    void resetColumns(); ///< as at a first start; the order of the rows, too
    void fit();
    void spare();
    int widthOfOthers() const;
    void setColumnShown(int column, bool shown);

    ConsoleContext m_context;
    models::RawModel *m_rawModel;
    QString m_id;
    int m_stretched;
    QHash<int, int> m_given; ///< the widths given to setDefaultWidths()
    QHash<int, int> m_defaults;
    int m_zoom; ///< of the columns' present widths, in per cent
    QList<int> m_spare;
    QList<int> m_growing;
    bool m_chosen = false; ///< the operator has chosen columns
    bool m_stale = false;
    bool m_busy = false;
};

} // namespace lockkeeper::app::views
