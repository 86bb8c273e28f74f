// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/alerts/alerts_table.h"

#include "app/presentation/alert_formatter.h"
#include "app/presentation/icons.h"
#include "app/presentation/theme.h"
#include "app/words/alert_description.h"

#include <QPainter>
#include <QStyledItemDelegate>

#include <algorithm>

namespace lockkeeper::app::views {

using domain::AlertPhase;
using models::AlertRow;
using models::AlertsModel;
using presentation::AlertFormatter;
using words::AlertDescription;

namespace {

const QHash<int, int> kAlertWidths{
    {models::AlertSeverityColumn, 104},     {models::AlertConditionColumn, 140},
    {models::AlertHolderColumn, 116},       {models::AlertLastsColumn, 84},
    {models::AlertFiredColumn, kTimeWidth}, {models::AlertPhaseColumn, 172},
    {models::AlertPersonColumn, 80},        {models::AlertValueColumn, 148},
    {models::AlertSourceColumn, 0},         {models::AlertRuleColumn, 0},
    {models::AlertSinceColumn, 0},
};

/** Paints the severities as badges, and mutes rows that aren't current. */
class AlertDelegate final : public QStyledItemDelegate
{
public:
    AlertDelegate(const AlertsModel *model, const presentation::Theme *theme, QObject *parent)
        : QStyledItemDelegate(parent), m_model(model), m_theme(theme)
    {
    }

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        QStyledItemDelegate::paint(painter, option, index);
        const AlertRow *row = m_model->at(index.row());
        if (row && index.column() == models::AlertSeverityColumn)
            paintSeverity(painter, option, *row);
    }

protected:
    void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override
    {
        QStyledItemDelegate::initStyleOption(option, index);
        if (index.column() == models::AlertSeverityColumn)
            option->text.clear(); // the badge says it
        const AlertRow *row = m_model->at(index.row());
        if (!row || (row->phase != AlertPhase::Resolved && !row->awaySinceUs))
            return;
        option->font.setItalic(row->awaySinceUs.has_value());
        option->palette.setColor(QPalette::Text, m_theme->muted());
    }

private:
    void paintSeverity(QPainter *painter, const QStyleOptionViewItem &option, const AlertRow &row) const
    {
        constexpr int kIcon = 14;
        const bool active = row.phase == AlertPhase::Active && !row.awaySinceUs;
        const auto colours = m_theme->badge(active ? AlertFormatter::severityBadge(row.alert.severity)
                                                   : presentation::Badge::Free);
        const int height = std::min(option.rect.height() - 4, presentation::zoomed(20));
        const QRect badge(option.rect.left() + 4, option.rect.top() + (option.rect.height() - height) / 2,
                          option.rect.width() - 8, height);
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(colours.border);
        painter->setBrush(colours.fill);
        painter->drawRoundedRect(QRectF(badge).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
        painter->drawPixmap(badge.left() + 5, badge.top() + (badge.height() - kIcon + 1) / 2,
                            presentation::iconPixmap(AlertFormatter::severityIcon(row.alert.severity),
                                                     colours.ink, kIcon,
                                                     painter->device()->devicePixelRatioF()));
        painter->setPen(colours.ink);
        painter->setFont(option.font);
        const QRect words = badge.adjusted(5 + kIcon + 4, 0, -4, 0);
        painter->drawText(
            words, int(Qt::AlignVCenter | Qt::AlignLeft),
            QFontMetrics(option.font)
                .elidedText(AlertDescription::severity(row.alert.severity), Qt::ElideRight, words.width()));
        painter->restore();
    }

    const AlertsModel *m_model;
    const presentation::Theme *m_theme;
};

} // namespace

AlertsTable::AlertsTable(const ConsoleContext &context, AlertsModel *model, QWidget *parent)
    : DataTable(context, model, QStringLiteral("alerts"), models::AlertSubjectColumn, parent), m_model(model)
{
    setItemDelegate(new AlertDelegate(model, context.theme, this));
    setDefaultWidths(kAlertWidths);
    setSpareColumns({models::AlertPersonColumn, models::AlertHolderColumn});
    setGrowingColumns({models::AlertHolderColumn, models::AlertConditionColumn, models::AlertValueColumn});
    setSortable();
    setContextMenuPolicy(Qt::CustomContextMenu);
    connect(context.theme, &presentation::Theme::changed, viewport(), qOverload<>(&QWidget::update));
}

QList<AlertRow> AlertsTable::selectedAlerts() const
{
    QList<AlertRow> rows;
    for (const int row : selectedRowNumbers()) {
        if (const AlertRow *one = m_model->at(row))
            rows.append(*one);
    }
    return rows;
}

void AlertsTable::select(const QByteArray &id)
{
    const int row = m_model->rowOf(id);
    if (row < 0)
        return;
    selectionModel()->setCurrentIndex(m_model->index(row, 0),
                                      QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    scrollTo(m_model->index(row, 0));
}

} // namespace lockkeeper::app::views
