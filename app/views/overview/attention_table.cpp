// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/overview/attention_table.h"

#include "app/replica/selection.h"
#include "app/views/widgets/badge.h"

#include <QContextMenuEvent>
#include <QMenu>
#include <QPainter>
#include <QScrollBar>
#include <QStyledItemDelegate>

namespace lockkeeper::app::views {

using overview::AttentionModel;

namespace {

const QHash<int, int> kAttentionWidths{
    {overview::AttentionStateColumn, 116}, {overview::AttentionWhereColumn, 156},
    {overview::AttentionWhyColumn, 120},   {overview::AttentionSinceColumn, 112},
    {overview::AttentionForColumn, 88},    {overview::AttentionWaitingColumn, 68},
};

/** Paints badges for the states, and mutes locks that no longer need attention. */
class AttentionDelegate final : public QStyledItemDelegate
{
public:
    AttentionDelegate(const AttentionModel *model, const presentation::Theme *theme, QObject *parent)
        : QStyledItemDelegate(parent), m_model(model), m_theme(theme)
    {
    }

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        const bool badged = index.column() == overview::AttentionStateColumn;
        QStyledItemDelegate::paint(painter, option, index);
        if (!badged)
            return;
        const auto badge = m_model->at(index.row())->badge;
        const int height = std::min(option.rect.height() - 4, badgeSize().height());
        const QRect place(option.rect.left() + 4, option.rect.top() + (option.rect.height() - height) / 2,
                          std::min(badgeSize().width(), option.rect.width() - 8), height);
        painter->save();
        painter->setOpacity(m_model->isSettled(index.row()) ? 0.5 : 1.0);
        paintBadge(painter, place, badge, m_theme->badge(badge), option.font,
                   painter->device()->devicePixelRatioF());
        painter->restore();
    }

protected:
    void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override
    {
        QStyledItemDelegate::initStyleOption(option, index);
        if (index.column() == overview::AttentionStateColumn)
            option->text.clear(); // the badge says it
        if (!m_model->isSettled(index.row()))
            return;
        option->font.setItalic(true);
        option->palette.setColor(QPalette::Text, m_theme->muted());
    }

private:
    const AttentionModel *m_model;
    const presentation::Theme *m_theme;
};

} // namespace

AttentionTable::AttentionTable(const ConsoleContext &context, AttentionModel *model, QWidget *parent)
    : DataTable(context, model, QStringLiteral("attention"), overview::AttentionLockColumn, parent),
      m_context(context),
      m_model(model)
{
    setItemDelegate(new AttentionDelegate(model, context.theme, this));
    setSelectionMode(QAbstractItemView::SingleSelection);
    setDefaultWidths(kAttentionWidths);
    setSpareColumns({overview::AttentionSinceColumn});
    setGrowingColumns({overview::AttentionWhereColumn, overview::AttentionWhyColumn});
    connect(this, &DataTable::activatedRow, this, [this](int row) {
        if (const overview::Attention *one = m_model->at(row))
            Q_EMIT opened(one->lock.key);
    });
    connect(selectionModel(), &QItemSelectionModel::selectionChanged, this, &AttentionTable::fromTable);
    connect(context.selection, &replica::Selection::changed, this, &AttentionTable::toTable);
    connect(context.theme, &presentation::Theme::changed, viewport(), qOverload<>(&QWidget::update));
}

void AttentionTable::arrange(const QList<overview::Attention> &locks)
{
    m_syncing = true; // a row that leaves hands the selection to its neighbour
    m_model->arrange(locks);
    m_syncing = false;
    toTable();
}

void AttentionTable::fromTable()
{
    const overview::Attention *one = m_model->at(selectedRowNumbers().value(0, -1));
    if (m_syncing || !one)
        return;
    m_syncing = true;
    m_context.selection->selectOne(one->lock.key);
    m_syncing = false;
}

void AttentionTable::toTable()
{
    if (m_syncing)
        return;
    m_syncing = true;
    const auto current = m_context.selection->current();
    const int row = current ? m_model->rowOf(*current) : -1;
    const int place = verticalScrollBar()->value();
    if (row < 0)
        selectionModel()->clear();
    else if (!selectionModel()->isRowSelected(row, {}))
        selectionModel()->setCurrentIndex(m_model->index(row, 0),
                                          QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    verticalScrollBar()->setValue(place);
    m_syncing = false;
}

void AttentionTable::contextMenuEvent(QContextMenuEvent *event)
{
    const QPoint at = event->reason() == QContextMenuEvent::Keyboard
                          ? viewport()->mapToGlobal(visualRect(currentIndex()).bottomLeft())
                          : event->globalPos();
    if (m_menu && !selectedRowNumbers().isEmpty())
        m_menu->popup(at);
}

} // namespace lockkeeper::app::views
