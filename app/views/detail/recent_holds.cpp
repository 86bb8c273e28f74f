// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/detail/recent_holds.h"

#include "app/views/widgets/plain_label.h"
#include "app/views/widgets/wrapped_label.h"
#include "app/words/error_words.h"
#include "shared/base/clock.h"
#include "shared/base/text.h"

#include <QHeaderView>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>

namespace lockkeeper::app::views {

namespace {
constexpr int kRow = 20;
constexpr int kLeastHolder = 64; ///< px; in less, no holder is recognisable
constexpr int kCellPadding = 8;
} // namespace

QVariant PlainHolds::cell(const QModelIndex &index, int role) const
{
    const protocol::Hold *hold = models::rowOf<models::HoldsModel>(index);
    if (role == Qt::DisplayRole && index.column() == models::HoldFromColumn && hold) {
        // To the second, unlike History: the dock is narrow.
        const qint64 nowUs = base::SystemClock().wallUs();
        return QString((hold->startSeen ? QString() : QStringLiteral("≤ ")) +
                       times()->nearTime(hold->fromUs, nowUs));
    }
    const QVariant value = HoldFormatter::cell(index, role);
    return role == Qt::ToolTipRole ? QVariant(plainToolTip(value.toString())) : value;
}

RecentHolds::RecentHolds(const ConsoleContext &context, QWidget *parent)
    : Translated(parent),
      m_session(context.session),
      m_formatter(context.times),
      m_model(new models::HoldsModel(*context.session, this)),
      m_heading(new PlainLabel({}, this)),
      m_note(new WrappedLabel({}, this)),
      m_table(new QTreeView(this))
{
    m_model->setFormatter(&m_formatter);
    m_heading->setBold();
    m_note->setMuted(true);
    m_table->setModel(m_model);
    m_table->setRootIsDecorated(false);
    m_table->setUniformRowHeights(true);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setSelectionMode(QAbstractItemView::NoSelection);
    m_table->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_table->setFocusPolicy(Qt::NoFocus);
    m_table->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_table->header()->setStretchLastSection(true);
    for (const int column :
         {models::HoldToColumn, models::HoldWaitedColumn, models::HoldByColumn, models::HoldRenewalsColumn,
          models::HoldLongestGapColumn, models::HoldLockColumn, models::HoldSourceColumn})
        m_table->hideColumn(column);
    m_table->header()->moveSection(m_table->header()->visualIndex(models::HoldOwnerColumn),
                                   m_table->header()->count() - 1);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    layout->addWidget(m_heading);
    layout->addWidget(m_note);
    layout->addWidget(m_table);
    connect(m_model, &models::HoldsModel::stateChanged, this, &RecentHolds::showRows);
    connect(m_model, &QAbstractItemModel::modelReset, this, &RecentHolds::showRows);
    connect(context.times, &words::TimeFormat::changed, m_model, &models::RawModel::reword);
    showRows();
}

RecentHolds::~RecentHolds()
{
    m_model->setFormatter(nullptr);
}

void RecentHolds::setLock(const std::optional<domain::LockKey> &key)
{
    m_model->setLock(key);
    showRows();
}

void RecentHolds::refresh()
{
    m_model->refresh();
}

void RecentHolds::retranslate()
{
    m_model->reword();
    showRows();
}

void RecentHolds::showRows()
{
    m_heading->setText(tr("Last holds"));
    const int rows = m_model->rowCount();
    const base::Error error = m_model->error();
    const bool failed = error.code != base::ErrorCode::Unknown || !error.cause.isEmpty();
    m_table->setVisible(rows > 0);
    m_note->setVisible(rows == 0 || failed);
    if (failed && m_session->link() != session::LinkState::Live)
        m_note->setText(tr("No agent is connected."));
    else if (failed)
        m_note->setText(tr("%1: %2", "what, cause")
                            .arg(words::ErrorWords::title(error.code), base::displayText(error.cause)));
    else
        m_note->setText(m_model->isLoading() ? tr("Reading…") : tr("None in the journal yet."));
    m_table->setFixedHeight(m_table->header()->sizeHint().height() + rows * kRow + 4);
    fit();
}

QString RecentHolds::text() const
{
    QStringList lines{m_heading->text()};
    if (!m_note->isHidden())
        lines.append(m_note->text());
    for (int row = 0; row < m_model->rowCount(); ++row) {
        QStringList cells;
        for (const int column : {models::HoldFromColumn, models::HoldDurationColumn, models::HoldEndColumn,
                                 models::HoldOwnerColumn})
            cells.append(m_model->index(row, column).data(models::kWholeRole).toString());
        lines.append(cells.join(QLatin1Char('\t')));
    }
    return lines.join(QLatin1Char('\n'));
}

/**
 * A narrow dock shows the holders, and then the durations, only in the tool tips. The end of a hold always
 * keeps its column.
 */
void RecentHolds::fit()
{
    int left = width() - widthOf(models::HoldFromColumn) - widthOf(models::HoldEndColumn);
    const int duration = widthOf(models::HoldDurationColumn);
    m_table->setColumnHidden(models::HoldDurationColumn, left < duration);
    left -= duration;
    m_table->setColumnHidden(models::HoldOwnerColumn, left < kLeastHolder);
    m_table->header()->setSectionResizeMode(
        models::HoldEndColumn, left < kLeastHolder ? QHeaderView::Stretch : QHeaderView::ResizeToContents);
}

int RecentHolds::widthOf(int column) const
{
    int width = m_table->header()->sectionSizeHint(column);
    for (int row = 0; row < m_model->rowCount(); ++row) {
        const QString text = m_model->index(row, column).data().toString();
        width = std::max(width, m_table->fontMetrics().horizontalAdvance(text) + kCellPadding);
    }
    return width;
}

void RecentHolds::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    fit();
}

} // namespace lockkeeper::app::views
