// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/chains/chains_tree.h"

#include "app/presentation/chain_formatter.h"
#include "app/presentation/icons.h"
#include "app/views/table/table_style.h"
#include "app/views/widgets/plain_label.h"

#include <QContextMenuEvent>
#include <QHeaderView>
#include <QPainter>
#include <QScrollBar>
#include <QStyledItemDelegate>

#include <algorithm>
#include <utility>

namespace lockkeeper::app::views {

using models::ChainRow;

namespace {

constexpr int kMark = 3;
constexpr int kIcon = 14;
constexpr int kStatementRoom = 200; ///< with less width, statements stand below the tree
constexpr int kMedium = 1440;       ///< windows from here on show clients
constexpr int kWide = 1600;         ///< and from here on the evidence

const QHash<int, int> kChainWidths{{models::ChainConnectionColumn, 168}, {models::ChainLockColumn, 150},
                                   {models::ChainWaitsForColumn, 150},   {models::ChainWaitedColumn, 88},
                                   {models::ChainBlocksColumn, 56},      {models::ChainCausedColumn, 108},
                                   {models::ChainAgeColumn, 112},        {models::ChainClientColumn, 136},
                                   {models::ChainEvidenceColumn, 236}};

/** Draws rows that no longer exist or no longer read faintly, and statements in the fixed font. */
class ChainDelegate final : public QStyledItemDelegate
{
public:
    ChainDelegate(const models::ChainsModel *model, const presentation::Theme *theme, QObject *parent)
        : QStyledItemDelegate(parent), m_model(model), m_theme(theme)
    {
    }
    void setRowHeight(int height) { m_rowHeight = height; }
    QSize sizeHint(const QStyleOptionViewItem &, const QModelIndex &) const override
    {
        return {40, m_rowHeight};
    }

protected:
    void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override
    {
        QStyledItemDelegate::initStyleOption(option, index);
        const bool gone = m_model->isGone(index);
        if (index.column() == models::ChainStatementColumn)
            option->font = presentation::codeFont(option->font);
        option->textElideMode =
            index.column() == models::ChainStatementColumn ? Qt::ElideRight : Qt::ElideMiddle;
        if (!gone && !m_model->isStale(index))
            return;
        option->font.setItalic(true);
        option->palette.setColor(QPalette::Text,
                                 gone ? option->palette.color(QPalette::Disabled, QPalette::Text)
                                      : m_theme->muted());
    }

private:
    const models::ChainsModel *m_model;
    const presentation::Theme *m_theme;
    int m_rowHeight = 24;
};

} // namespace

ChainsTree::ChainsTree(models::ChainsModel *model, const presentation::Theme *theme, QWidget *parent)
    : QTreeView(parent), m_model(model), m_theme(theme), m_anchor(this)
{
    connect(model, &models::ChainsModel::aboutToRearrange, this, &ChainsTree::beforeRearranging);
    setModel(model);
    connect(model, &models::ChainsModel::rearranged, this, &ChainsTree::afterRearranging);
    setItemDelegate(new ChainDelegate(model, theme, this));
    setUniformRowHeights(true);
    setAlternatingRowColors(true);
    setAllColumnsShowFocus(true);
    setRootIsDecorated(true);
    setIndentation(16);
    setExpandsOnDoubleClick(false);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    setFont(presentation::digitFont(font()));
    setUpHeader();
    connect(this, &QTreeView::collapsed, this, [this](const QModelIndex &index) {
        if (const ChainRow *row = m_busy ? nullptr : m_model->at(index))
            m_folded.insert(row->key);
    });
    connect(this, &QTreeView::expanded, this, [this](const QModelIndex &index) {
        if (const ChainRow *row = m_busy ? nullptr : m_model->at(index))
            m_folded.remove(row->key);
    });
    connect(selectionModel(), &QItemSelectionModel::currentChanged, this, &ChainsTree::noteCurrent);
    connect(theme, &presentation::Theme::changed, viewport(), qOverload<>(&QWidget::update));
}

void ChainsTree::setUpHeader()
{
    auto *style = new TableStyle;
    style->setParent(this);
    setStyle(style);
    header()->setStyle(style);
    header()->setHighlightSections(false);
    header()->setStretchLastSection(false);
    header()->setSectionsMovable(true);
    header()->setFirstSectionMovable(false);
    header()->setSortIndicatorClearable(true);
    header()->setSortIndicator(-1, Qt::AscendingOrder);
    setSortingEnabled(true);
    for (auto it = kChainWidths.cbegin(); it != kChainWidths.cend(); ++it)
        header()->resizeSection(it.key(), it.value());
    // The statement column absorbs a change that the operator makes to another column's width.
    connect(header(), &QHeaderView::sectionResized, this, [this](int column) {
        if (m_fitting || column == models::ChainStatementColumn)
            return;
        fit(m_windowWidth);
        Q_EMIT columnsEdited();
    });
    connect(header(), &QHeaderView::sectionMoved, this, [this] {
        if (m_fitting)
            return;
        fit(m_windowWidth);
        Q_EMIT columnsEdited();
    });
    connect(header(), &QHeaderView::sortIndicatorChanged, this, &ChainsTree::columnsEdited);
}

/** Keeps every column as visible: the window's width decides which columns are shown. */
settings::ColumnSettings ChainsTree::columns() const
{
    settings::ColumnSettings kept;
    for (int place = 0; place < models::ChainColumnCount; ++place) {
        const int column = header()->logicalIndex(place);
        const int extra = column == m_widened ? m_widenedBy : 0;
        const bool own = column != models::ChainStatementColumn && !header()->isSectionHidden(column);
        kept.columns.append(
            {models::chainColumnName(column), own ? header()->sectionSize(column) - extra : 0, true});
    }
    if (const int sorted = header()->sortIndicatorSection(); sorted >= 0) {
        kept.sortColumn = models::chainColumnName(sorted);
        kept.descending = header()->sortIndicatorOrder() == Qt::DescendingOrder;
    }
    return kept;
}

void ChainsTree::restore(const settings::ColumnSettings &kept)
{
    m_fitting = true;
    int sorted = -1;
    int place = 0;
    for (const settings::ColumnSetting &one : kept.columns) {
        int column = 0;
        while (column < models::ChainColumnCount && models::chainColumnName(column) != one.name)
            ++column;
        if (column == models::ChainColumnCount)
            continue; // of another version
        header()->moveSection(header()->visualIndex(column), place++);
        if (one.width > 0)
            header()->resizeSection(column, one.width);
        if (one.name == kept.sortColumn)
            sorted = column;
    }
    m_fitting = false;
    sortByColumn(sorted, kept.descending ? Qt::DescendingOrder : Qt::AscendingOrder);
    fit(m_windowWidth);
}

void ChainsTree::resetColumns()
{
    settings::ColumnSettings first;
    for (int column = 0; column < models::ChainColumnCount; ++column)
        first.columns.append({models::chainColumnName(column), kChainWidths.value(column), true});
    m_widenedBy = 0;
    restore(first);
}

void ChainsTree::setRowHeight(int height)
{
    static_cast<ChainDelegate *>(itemDelegate())->setRowHeight(height);
    scheduleDelayedItemsLayout();
}

void ChainsTree::fit(int windowWidth)
{
    m_windowWidth = windowWidth;
    if (m_fitting)
        return;
    m_fitting = true;
    if (m_widened >= 0)
        header()->resizeSection(m_widened, header()->sectionSize(m_widened) - std::exchange(m_widenedBy, 0));
    header()->setSectionHidden(models::ChainClientColumn, windowWidth < kMedium);
    header()->setSectionHidden(models::ChainEvidenceColumn, windowWidth < kWide);
    int others = 0;
    for (int place = 0; place < models::ChainColumnCount; ++place) {
        const int column = header()->logicalIndex(place);
        if (column == models::ChainStatementColumn || header()->isSectionHidden(column))
            continue;
        others += header()->sectionSize(column);
        m_widened = column;
    }
    const int room = viewport()->width() - others;
    const bool shown = room >= kStatementRoom;
    m_widenedBy = shown ? 0 : std::max(0, room);
    if (shown)
        header()->resizeSection(models::ChainStatementColumn, room);
    else // no empty strip beside the last column
        header()->resizeSection(m_widened, header()->sectionSize(m_widened) + m_widenedBy);
    m_fitting = false;
    if (shown == !header()->isSectionHidden(models::ChainStatementColumn))
        return;
    header()->setSectionHidden(models::ChainStatementColumn, !shown);
    Q_EMIT statementRoomChanged();
}

const ChainRow *ChainsTree::chosen() const
{
    return m_model->at(m_model->indexOf(m_chosen));
}

void ChainsTree::choose(const QByteArray &key)
{
    const QModelIndex index = m_model->indexOf(key);
    if (!index.isValid())
        return;
    for (QModelIndex above = index.parent(); above.isValid(); above = above.parent())
        expand(above);
    selectionModel()->setCurrentIndex(index, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    scrollTo(index);
}

void ChainsTree::noteCurrent(const QModelIndex &index)
{
    if (m_busy)
        return;
    const ChainRow *row = m_model->at(index);
    const QByteArray key = row ? row->key : QByteArray();
    if (key == m_chosen)
        return;
    m_chosen = key;
    Q_EMIT chosenChanged();
}

void ChainsTree::beforeRearranging()
{
    m_busy = true;
    m_anchor.remember();
}

void ChainsTree::afterRearranging()
{
    executeDelayedItemsLayout();
    QSet<QByteArray> seen;
    unfold({}, seen);
    m_folded.intersect(seen);
    const QModelIndex chosen = m_model->indexOf(m_chosen);
    if (chosen.isValid()) {
        selectionModel()->setCurrentIndex(chosen,
                                          QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    } else {
        // Otherwise a neighbouring row would become current.
        selectionModel()->clear();
        setCurrentIndex({});
    }
    m_anchor.restore();
    m_busy = false;
    if (!chosen.isValid() && !m_chosen.isEmpty()) {
        m_chosen.clear();
        Q_EMIT chosenChanged();
    }
}

void ChainsTree::unfold(const QModelIndex &parent, QSet<QByteArray> &seen)
{
    for (int i = 0; i < m_model->rowCount(parent); ++i) {
        const QModelIndex index = m_model->index(i, 0, parent);
        const ChainRow *row = m_model->at(index);
        seen.insert(row->key);
        if (m_model->rowCount(index) == 0)
            continue;
        setExpanded(index, !m_folded.contains(row->key));
        unfold(index, seen);
    }
}

void ChainsTree::drawRow(QPainter *painter, const QStyleOptionViewItem &option,
                         const QModelIndex &index) const
{
    const ChainRow *row = m_model->at(index);
    if (row && row->kind != ChainRow::ChainRowKind::Connection)
        drawRemark(painter, option, index, *row);
    else
        QTreeView::drawRow(painter, option, index);
    if (m_past) // the same mark as on a lock of the past
        painter->fillRect(QRect(option.rect.topLeft(), QSize(kMark, option.rect.height())),
                          m_theme->badge(replica::Badge::Unknown).border);
}

/**
 * Draws a sentence over the whole width: as a badge for a table that is locked whole, otherwise as a link.
 */
void ChainsTree::drawRemark(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index,
                            const ChainRow &row) const
{
    const bool chosen = selectionModel()->isSelected(index);
    const bool table = row.kind == ChainRow::ChainRowKind::WholeTable;
    painter->save();
    painter->fillRect(option.rect, chosen ? palette().color(QPalette::Highlight)
                                   : option.features.testFlag(QStyleOptionViewItem::Alternate)
                                       ? palette().color(QPalette::AlternateBase)
                                       : palette().color(QPalette::Base));
    const auto colours = m_theme->banner(presentation::BannerKind::Warning);
    const QColor ink =
        table ? colours.ink : palette().color(chosen ? QPalette::HighlightedText : QPalette::Link);
    QFont words = font();
    words.setUnderline(!table);
    const QString text = presentation::ChainFormatter::remark(row);
    const int left = visualRect(index).left() + 4;
    const int width =
        std::min(QFontMetrics(words).horizontalAdvance(text) + kIcon + 18, viewport()->width() - left - 4);
    const QRect box(left, option.rect.top() + 2, width, option.rect.height() - 4);
    if (table) {
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(Qt::NoPen);
        painter->setBrush(colours.fill);
        painter->drawRoundedRect(box, 3, 3);
    }
    painter->drawPixmap(
        box.left() + 4, box.top() + (box.height() - kIcon) / 2,
        presentation::iconPixmap(table ? QStringLiteral("dialog-warning") : QStringLiteral("go-next"), ink,
                                 kIcon, devicePixelRatioF()));
    const QRect place = box.adjusted(kIcon + 10, 0, -4, 0);
    painter->setFont(words);
    painter->setPen(m_model->isGone(index) ? palette().color(QPalette::Disabled, QPalette::Text) : ink);
    painter->drawText(place, int(Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine),
                      QFontMetrics(words).elidedText(text, Qt::ElideRight, place.width()));
    painter->restore();
}

void ChainsTree::contextMenuEvent(QContextMenuEvent *event)
{
    QPoint place = event->globalPos();
    if (event->reason() == QContextMenuEvent::Keyboard && currentIndex().isValid())
        place = viewport()->mapToGlobal(visualRect(currentIndex()).bottomLeft());
    Q_EMIT menuAsked(place);
}

/** Tool tips show the store's text as it is, never as markup. */
bool ChainsTree::viewportEvent(QEvent *event)
{
    return showPlainToolTip(this, event) || QTreeView::viewportEvent(event);
}

void ChainsTree::resizeEvent(QResizeEvent *event)
{
    QTreeView::resizeEvent(event);
    fit(window()->width());
}

} // namespace lockkeeper::app::views
