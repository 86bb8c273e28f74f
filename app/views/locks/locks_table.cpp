// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/locks/locks_table.h"

#include "app/presentation/icons.h"
#include "app/presentation/lock_formatter.h"
#include "app/views/locks/column_layout.h"
#include "app/views/locks/lock_delegate.h"
#include "app/views/table/table_style.h"
#include "app/views/widgets/plain_label.h"

#include <QContextMenuEvent>
#include <QHeaderView>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>

namespace lockkeeper::app::views {

namespace {

constexpr int kMarkWidth = 3;

/** In narrow columns, *Alive* and *Release* have an icon instead of their title. */
class LocksHeader final : public QHeaderView
{
public:
    explicit LocksHeader(QWidget *parent) : QHeaderView(Qt::Horizontal, parent)
    {
        setSectionsClickable(true);
        setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    }

protected:
    void initStyleOptionForIndex(QStyleOptionHeader *option, int column) const override
    {
        QHeaderView::initStyleOptionForIndex(option, column);
        if (!iconOf(column).isEmpty())
            option->text.clear();
    }

    void paintSection(QPainter *painter, const QRect &rect, int column) const override
    {
        painter->save();
        QHeaderView::paintSection(painter, rect, column);
        painter->restore();
        const QString icon = iconOf(column);
        if (icon.isEmpty())
            return;
        constexpr int size = 14;
        const QRect sorted = rect.adjusted(0, 0, sortIndicatorSection() == column ? -6 : 0, 0);
        painter->drawPixmap(
            sorted.left() + (sorted.width() - size) / 2, rect.top() + (rect.height() - size) / 2,
            presentation::iconPixmap(icon, palette().color(QPalette::ButtonText), size, devicePixelRatioF()));
    }

private:
    QString iconOf(int column) const
    {
        if (sectionSize(column) >= ColumnLayout::kIconOnly)
            return {};
        return column == models::AliveColumn     ? QStringLiteral("alive-renewed")
               : column == models::ReleaseColumn ? QStringLiteral("force-release")
                                                 : QString();
    }
};

} // namespace

LocksTable::LocksTable(models::LocksProxy *proxy, const presentation::Theme *theme,
                       const presentation::LockFormatter *formatter, QWidget *parent)
    : QTreeView(parent),
      m_proxy(proxy),
      m_theme(theme),
      m_delegate(new LockDelegate(proxy, theme, formatter, this)),
      m_anchor(this)
{
    // Connect before the selection model does: the rows that it then drops aren't the operator's choice.
    connect(proxy, &QAbstractItemModel::layoutAboutToBeChanged, this, &LocksTable::rememberAnchor);
    connect(proxy, &QAbstractItemModel::rowsAboutToBeInserted, this, &LocksTable::rememberAnchor);
    connect(proxy, &QAbstractItemModel::rowsAboutToBeRemoved, this, &LocksTable::rememberAnchor);
    connect(proxy, &QAbstractItemModel::modelAboutToBeReset, this, &LocksTable::rememberAnchor);
    setModel(proxy);
    setItemDelegate(m_delegate);
    setRootIsDecorated(false);
    setItemsExpandable(false);
    setIndentation(0);
    setUniformRowHeights(true);
    setAlternatingRowColors(true);
    setAllColumnsShowFocus(true);
    setSelectionMode(QAbstractItemView::ExtendedSelection);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setVerticalScrollMode(QAbstractItemView::ScrollPerItem);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    setTextElideMode(Qt::ElideMiddle);
    setFrameShape(QFrame::StyledPanel);
    setFont(presentation::digitFont(font()));
    setUpHeader();
    connect(proxy, &QAbstractItemModel::layoutChanged, this, &LocksTable::restoreAnchor);
    connect(proxy, &QAbstractItemModel::rowsInserted, this, &LocksTable::restoreAnchor);
    connect(proxy, &QAbstractItemModel::rowsRemoved, this, &LocksTable::restoreAnchor);
    connect(proxy, &QAbstractItemModel::modelReset, this, &LocksTable::restoreAnchor);
    connect(this, &QTreeView::activated, this, [this](const QModelIndex &index) {
        if (const models::LockRow *row = m_proxy->lockAt(index.row()))
            Q_EMIT activatedLock(row->lock.key());
        else
            toggleGroup(index.row());
    });
    connect(theme, &presentation::Theme::changed, viewport(), qOverload<>(&QWidget::update));
}

void LocksTable::setUpHeader()
{
    auto *style = new TableStyle;
    style->setParent(this);
    setHeader(new LocksHeader(this));
    header()->setStyle(style);
    header()->setHighlightSections(false);
    header()->setSortIndicatorClearable(true);
    header()->setSortIndicator(-1, Qt::AscendingOrder);
    header()->setContextMenuPolicy(Qt::CustomContextMenu);
    setSortingEnabled(true);
}

void LocksTable::setRowHeight(int height)
{
    m_delegate->setRowHeight(height);
    scheduleDelayedItemsLayout();
}

void LocksTable::setMarks(bool rowMarks, bool tints)
{
    m_rowMarks = rowMarks;
    m_tints = tints;
    viewport()->update();
}

void LocksTable::rememberAnchor()
{
    if (m_rearranging)
        return;
    m_rearranging = true;
    m_anchor.remember();
    Q_EMIT aboutToRearrange();
}

void LocksTable::restoreAnchor()
{
    if (!m_rearranging)
        return;
    m_rearranging = false;
    // When the current row leaves, the view makes a neighbour current and scrolls to it. Undo the scrolling.
    executeDelayedItemsLayout();
    m_anchor.restore();
    Q_EMIT rearranged();
}

void LocksTable::dataChanged(const QModelIndex &topLeft, const QModelIndex &bottomRight,
                             const QList<int> &roles)
{
    const int top = verticalScrollBar()->value();
    const int first = std::max(topLeft.row(), top);
    const int last = std::min(bottomRight.row(), top + viewport()->height() / m_delegate->rowHeight());
    if (first <= last)
        QTreeView::dataChanged(topLeft.siblingAtRow(first), bottomRight.siblingAtRow(last), roles);
}

void LocksTable::drawRow(QPainter *painter, const QStyleOptionViewItem &option,
                         const QModelIndex &index) const
{
    if (const models::LockGroup *group = m_proxy->groupAt(index.row())) {
        drawGroup(painter, option, *group);
        return;
    }
    const models::LockRow *row = m_proxy->lockAt(index.row());
    QStyleOptionViewItem own = option;
    if (row && m_tints && !row->gone) {
        const bool alternate = index.row() % 2 == 1;
        const QColor base = palette().color(alternate ? QPalette::AlternateBase : QPalette::Base);
        if (const auto tint = presentation::rowTint(m_theme->scheme(), row->badge, base)) {
            own.palette.setColor(QPalette::Base, *tint);
            own.palette.setColor(QPalette::AlternateBase, *tint);
            painter->fillRect(option.rect, *tint);
        }
    }
    QTreeView::drawRow(painter, own, index);
    const bool past = row && row->lock.peek().release.why == domain::ReleaseOff::Past;
    if (past || (row && m_rowMarks && m_proxy->source().changedRecently(*row)))
        painter->fillRect(QRect(option.rect.topLeft(), QSize(kMarkWidth, option.rect.height())),
                          m_theme->badge(past ? replica::Badge::Unknown : row->badge).border);
}

void LocksTable::drawGroup(QPainter *painter, const QStyleOptionViewItem &option,
                           const models::LockGroup &group) const
{
    const QColor ground = palette().color(QPalette::Window);
    painter->fillRect(option.rect, ground);
    const QColor ink = palette().color(QPalette::WindowText);
    constexpr int icon = 12;
    const QRect &rect = option.rect;
    const QString arrow = group.collapsed ? QStringLiteral("go-next") : QStringLiteral("go-down");
    painter->drawPixmap(rect.left() + 6, rect.top() + (rect.height() - icon) / 2,
                        presentation::iconPixmap(arrow, ink, icon, devicePixelRatioF()));
    painter->drawPixmap(
        rect.left() + 24, rect.top() + (rect.height() - 14) / 2,
        presentation::iconPixmap(presentation::badgeIconName(group.worst), ink, 14, devicePixelRatioF()));
    QFont bold = font();
    bold.setBold(true);
    painter->setFont(bold);
    painter->setPen(ink);
    const QRect words(rect.left() + 44, rect.top(), viewport()->width() - 52, rect.height());
    painter->drawText(words, int(Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine),
                      QFontMetrics(bold).elidedText(presentation::LockFormatter::groupText(group),
                                                    Qt::ElideMiddle, words.width()));
}

void LocksTable::toggleGroup(int row)
{
    if (const models::LockGroup *group = m_proxy->groupAt(row)) {
        const QByteArray key = group->key;
        m_proxy->setCollapsed(key, !group->collapsed);
    }
}

void LocksTable::keyPressEvent(QKeyEvent *event)
{
    const models::LockGroup *group = m_proxy->groupAt(currentIndex().row());
    if (group && (event->key() == Qt::Key_Left || event->key() == Qt::Key_Right)) {
        const QByteArray key = group->key;
        m_proxy->setCollapsed(key, event->key() == Qt::Key_Left);
        return;
    }
    QTreeView::keyPressEvent(event);
}

void LocksTable::mousePressEvent(QMouseEvent *event)
{
    const QModelIndex index = indexAt(event->pos());
    if (event->button() == Qt::LeftButton && index.isValid() && m_proxy->groupAt(index.row())) {
        toggleGroup(index.row());
        return;
    }
    QTreeView::mousePressEvent(event);
}

void LocksTable::contextMenuEvent(QContextMenuEvent *event)
{
    QPoint place = event->globalPos();
    if (event->reason() == QContextMenuEvent::Keyboard && currentIndex().isValid())
        place = viewport()->mapToGlobal(visualRect(currentIndex()).bottomLeft());
    Q_EMIT menuAsked(place);
}

bool LocksTable::viewportEvent(QEvent *event)
{
    return showPlainToolTip(this, event) || QTreeView::viewportEvent(event);
}

void LocksTable::resizeEvent(QResizeEvent *event)
{
    QTreeView::resizeEvent(event);
    Q_EMIT resized();
}

} // namespace lockkeeper::app::views
