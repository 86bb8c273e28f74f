// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/table/data_table.h"

#include "app/presentation/theme.h"
#include "app/settings/settings.h"
#include "app/views/table/columns_menu.h"
#include "app/views/table/table_style.h"
#include "app/views/widgets/plain_label.h"
#include "app/views/widgets/table_text.h"
#include "app/words/time_format.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QHelpEvent>
#include <QToolTip>

#include <algorithm>
#include <utility>

namespace lockkeeper::app::views {

namespace {
constexpr int kCompactRow = 24;
constexpr int kComfortableRow = 28;
constexpr int kStretchedMinimum = 140;
constexpr int kStretchedRoom = 200; ///< with less, a spare column has to give way
constexpr int kColumnMinimum = 40;
} // namespace

DataTable::DataTable(const ConsoleContext &context, models::RawModel *model, const QString &id, int stretched,
                     QWidget *parent)
    : QTableView(parent),
      m_context(context),
      m_rawModel(model),
      m_id(id),
      m_stretched(stretched),
      m_zoom(presentation::zoomed(100))
{
    TableStyle::applyTo(this);
    setObjectName(id);
    setFont(presentation::digitFont(font()));
    setModel(model);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::ExtendedSelection);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setShowGrid(false);
    setAlternatingRowColors(true);
    setWordWrap(false);
    setTextElideMode(Qt::ElideMiddle);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    setTabKeyNavigation(false);
    setCornerButtonEnabled(false);
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    verticalHeader()->setDefaultSectionSize(rowHeight(context));
    horizontalHeader()->setSectionsMovable(true);
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setMinimumSectionSize(kColumnMinimum);
    horizontalHeader()->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(horizontalHeader(), &QHeaderView::customContextMenuRequested, this,
            [this](const QPoint &at) { ColumnsMenu::popup(tableColumns(), at); });
    connect(horizontalHeader(), &QHeaderView::sectionResized, this, [this](int, int, int) { keep(); });
    connect(horizontalHeader(), &QHeaderView::sectionMoved, this, [this](int, int, int) { keep(); });
    connect(this, &QTableView::activated, this,
            [this](const QModelIndex &index) { Q_EMIT activatedRow(index.row()); });
    connect(context.settings, &settings::Settings::changed, this, [this](settings::Key key) {
        if (key == settings::Key::Density)
            verticalHeader()->setDefaultSectionSize(rowHeight(m_context));
    });
    connect(context.theme, &presentation::Theme::changed, this, &DataTable::rescale);
    connect(context.settings, &settings::Settings::layoutReset, this, &DataTable::resetColumns);
    connect(context.times, &words::TimeFormat::changed, this, [this] {
        measureTimes();
        m_busy = true;
        for (auto it = m_given.cbegin(); it != m_given.cend(); ++it) {
            if (it.value() < 0 && !m_chosen && !isColumnHidden(it.key()))
                setColumnWidth(it.key(), m_defaults.value(it.key()));
        }
        m_busy = false;
        fit();
    });
}

int DataTable::rowHeight(const ConsoleContext &context)
{
    return presentation::zoomed(
        context.settings->density() == settings::Density::Comfortable ? kComfortableRow : kCompactRow);
}

/** Rows and columns follow the font zoom, also columns that the operator set. */
void DataTable::rescale()
{
    verticalHeader()->setDefaultSectionSize(rowHeight(m_context));
    const int before = std::exchange(m_zoom, presentation::zoomed(100));
    if (before == m_zoom)
        return;
    m_busy = true;
    for (int column = 0; column < m_rawModel->columnCount(); ++column) {
        if (!isColumnHidden(column))
            setColumnWidth(column, qRound(double(columnWidth(column)) * m_zoom / before));
    }
    m_busy = false;
    zoomDefaults();
    m_chosen ? keep() : fit();
}

void DataTable::zoomDefaults()
{
    for (auto it = m_given.cbegin(); it != m_given.cend(); ++it)
        m_defaults[it.key()] = presentation::zoomed(it.value());
    measureTimes();
}

void DataTable::setDefaultWidths(const QHash<int, int> &widths)
{
    m_given = widths;
    m_defaults = widths;
    zoomDefaults();
    m_busy = true;
    for (auto it = m_defaults.cbegin(); it != m_defaults.cend(); ++it) {
        setColumnHidden(it.key(), it.value() == 0);
        if (it.value() > 0)
            setColumnWidth(it.key(), it.value());
    }
    if (const auto kept = m_context.settings->columns(m_id)) {
        m_chosen = !kept->columns.isEmpty();
        int place = 0;
        for (const settings::ColumnSetting &column : kept->columns) {
            const int number = m_rawModel->columnFromName(column.name);
            if (number < 0)
                continue;
            horizontalHeader()->moveSection(horizontalHeader()->visualIndex(number), place++);
            setColumnHidden(number, !column.visible);
            if (column.width > 0)
                setColumnWidth(number, column.width);
        }
    }
    m_busy = false;
    fit();
}

void DataTable::resetColumns()
{
    m_chosen = false;
    m_busy = true;
    for (int column = 0; column < m_rawModel->columnCount(); ++column) {
        horizontalHeader()->moveSection(horizontalHeader()->visualIndex(column), column);
        setColumnHidden(column, false);
    }
    if (isSortingEnabled())
        sortByColumn(-1, Qt::AscendingOrder);
    setDefaultWidths(QHash<int, int>(m_given));
}

void DataTable::setStale(bool stale)
{
    m_stale = stale;
    viewport()->update();
}

void DataTable::initViewItemOption(QStyleOptionViewItem *option) const
{
    QTableView::initViewItemOption(option);
    if (!m_stale)
        return;
    option->font.setItalic(true);
    option->palette.setColor(QPalette::Text, m_context.theme->muted());
}

void DataTable::measureTimes()
{
    const auto widthOf = [this](const QString &time) {
        return fontMetrics().horizontalAdvance(time) + 3 * TableStyle::kPad;
    };
    const int width = widthOf(m_context.times->longest());
    const int fine = widthOf(m_context.times->longest(true));
    for (auto it = m_given.cbegin(); it != m_given.cend(); ++it) {
        if (it.value() < 0)
            m_defaults[it.key()] = it.value() == kFineTimeWidth ? fine : width + kTimeWidth - it.value();
    }
}

void DataTable::setSortable()
{
    QHeaderView *header = horizontalHeader();
    header->setSortIndicatorClearable(true);
    const settings::ColumnSettings kept =
        m_context.settings->columns(m_id).value_or(settings::ColumnSettings());
    header->setSortIndicator(m_rawModel->columnFromName(kept.sortColumn),
                             kept.descending ? Qt::DescendingOrder : Qt::AscendingOrder);
    setSortingEnabled(true);
    connect(header, &QHeaderView::sortIndicatorChanged, this, [this] { keep(m_chosen); });
}

/** Without `columns`, the columns still come and go with the table's width. */
void DataTable::keep(bool columns)
{
    if (m_busy)
        return;
    m_chosen = columns;
    settings::ColumnSettings kept;
    if (const int sorted = horizontalHeader()->sortIndicatorSection(); isSortingEnabled() && sorted >= 0) {
        kept.sortColumn = m_rawModel->columnName(sorted);
        kept.descending = horizontalHeader()->sortIndicatorOrder() == Qt::DescendingOrder;
    }
    for (int place = 0; columns && place < horizontalHeader()->count(); ++place) {
        const int number = horizontalHeader()->logicalIndex(place);
        const bool hidden = isColumnHidden(number);
        kept.columns.append({m_rawModel->columnName(number),
                             hidden || number == m_stretched ? 0 : columnWidth(number), !hidden});
    }
    m_context.settings->setColumns(m_id, kept);
    fit();
}

void DataTable::setSpareColumns(const QList<int> &columns)
{
    m_spare = columns;
    fit();
}

int DataTable::widthOfOthers() const
{
    int others = 0;
    for (int column = 0; column < m_rawModel->columnCount(); ++column)
        others += column == m_stretched || isColumnHidden(column) ? 0 : columnWidth(column);
    return others;
}

void DataTable::setGrowingColumns(const QList<int> &columns)
{
    m_growing = columns;
    fit();
}

void DataTable::spare()
{
    for (const int column : m_spare + m_growing) {
        setColumnHidden(column, false);
        setColumnWidth(column, m_defaults.value(column, kStretchedMinimum));
    }
    for (const int column : std::as_const(m_spare)) {
        if (widthOfOthers() + kStretchedRoom <= viewport()->width())
            break;
        setColumnHidden(column, true);
    }
    int room = viewport()->width() - widthOfOthers() - 2 * kStretchedRoom;
    for (const int column : std::as_const(m_growing)) {
        const int more = std::clamp(room, 0, isColumnHidden(column) ? 0 : m_defaults.value(column));
        setColumnWidth(column, m_defaults.value(column) + more);
        room -= more;
    }
}

void DataTable::fit()
{
    if (m_busy || isColumnHidden(m_stretched))
        return;
    m_busy = true;
    if (!m_chosen)
        spare();
    setColumnWidth(m_stretched, std::max(kStretchedMinimum, viewport()->width() - widthOfOthers()));
    m_busy = false;
}

bool DataTable::viewportEvent(QEvent *event)
{
    if (event->type() != QEvent::ToolTip)
        return QTableView::viewportEvent(event);
    const auto *help = static_cast<const QHelpEvent *>(event);
    const QModelIndex index = indexAt(help->pos());
    QString text = index.data(Qt::ToolTipRole).toString();
    if (text.isEmpty() && index.isValid() && sizeHintForIndex(index).width() > visualRect(index).width())
        text = index.data().toString(); // the full text of a shortened cell
    QToolTip::showText(help->globalPos(), plainToolTip(text), viewport(), visualRect(index));
    return true;
}

void DataTable::resizeEvent(QResizeEvent *event)
{
    QTableView::resizeEvent(event);
    fit();
}

void DataTable::setColumnShown(int column, bool shown)
{
    setColumnHidden(column, !shown);
    if (shown && columnWidth(column) < kColumnMinimum)
        setColumnWidth(column, std::max(kColumnMinimum, m_defaults.value(column, kStretchedMinimum)));
    keep();
}

TableColumns DataTable::tableColumns()
{
    return {horizontalHeader(), [this](int column) { return column != m_stretched; },
            [this](int column, bool shown) { setColumnShown(column, shown); },
            [this] {
                resetColumns();
                m_context.settings->setColumns(m_id, {});
            }};
}

QList<int> DataTable::selectedRowNumbers() const
{
    QList<int> numbers;
    const QModelIndexList chosen = selectionModel()->selectedRows();
    for (const QModelIndex &index : chosen)
        numbers.append(index.row());
    std::sort(numbers.begin(), numbers.end());
    return numbers;
}

QList<int> DataTable::shownColumns() const
{
    QList<int> columns;
    for (int place = 0; place < horizontalHeader()->count(); ++place) {
        const int column = horizontalHeader()->logicalIndex(place);
        if (!isColumnHidden(column))
            columns.append(column);
    }
    return columns;
}

QStringList DataTable::titles(const QList<int> &columns) const
{
    QStringList titles;
    for (const int column : columns)
        titles.append(m_rawModel->headerData(column, Qt::Horizontal).toString());
    return titles;
}

bool DataTable::copyTsv() const
{
    const QList<int> columns = shownColumns();
    QList<QStringList> table{titles(columns)};
    for (const int row : selectedRowNumbers()) {
        QStringList cells;
        for (const int column : columns)
            cells.append(m_rawModel->index(row, column).data(models::kWholeRole).toString());
        table.append(cells);
    }
    if (table.size() == 1)
        return false;
    QGuiApplication::clipboard()->setText(toTsv(table));
    return true;
}

} // namespace lockkeeper::app::views
