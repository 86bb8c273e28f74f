// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/advice/advice_view.h"

#include "app/presentation/icons.h"
#include "app/presentation/theme.h"
#include "app/views/table/data_table.h"
#include "app/views/widgets/banner_area.h"
#include "app/views/widgets/named.h"
#include "app/views/widgets/requests.h"
#include "app/views/widgets/state_page.h"
#include "app/views/widgets/wrapped_label.h"
#include "app/words/advice_formatter.h"
#include "app/words/error_words.h"
#include "shared/base/clock.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLocale>
#include <QMenu>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <array>

namespace lockkeeper::app::views {

using models::AdviceModel;
using words::AdviceFormatter;

namespace {

constexpr std::array<qint64, 3> kAdviceRangesUs{base::kHourUs, 24 * base::kHourUs, 7 * 24 * base::kHourUs};
constexpr int kDayIndex = 1;
const QHash<int, int> kAdviceWidths{
    {models::AdviceTitleColumn, 150},     {models::AdviceLockColumn, 200},
    {models::AdviceConfidenceColumn, 84}, {models::AdviceEvidenceColumn, 320},
    {models::AdviceChangeColumn, 280},    {models::AdviceSourceColumn, 104},
};
const QByteArray kStaleAdvice = QByteArrayLiteral("stale");

} // namespace

AdviceView::AdviceView(const ConsoleContext &context, QWidget *parent)
    : RowsView(context, parent), m_model(std::make_unique<AdviceModel>(*context.session))
{
    m_model->setFormatter(&m_formatter);
    build();
    connect(m_model.get(), &AdviceModel::stateChanged, this, &AdviceView::showState);
    connect(m_model.get(), &QAbstractItemModel::modelReset, this, [this] { Q_EMIT rowsChanged(); });
    retranslate();
}

AdviceView::~AdviceView()
{
    letGoOfRows();
}

QString AdviceView::title() const
{
    return tr("Advice");
}

void AdviceView::build()
{
    m_range = named("range", new QComboBox);
    m_note = named("note", new WrappedLabel);
    m_note->setMuted(true);
    m_table = new DataTable(context(), m_model.get(), QStringLiteral("advice"), models::AdviceEvidenceColumn);
    m_table->setDefaultWidths(kAdviceWidths);
    m_table->setSpareColumns({models::AdviceSourceColumn, models::AdviceChangeColumn});
    m_table->setSortable();
    m_table->setContextMenuPolicy(Qt::CustomContextMenu);
    setRows(m_table, m_model.get(), QStringLiteral("lockkeeper-advice"));
    m_page = new StatePage;
    m_stack = new QStackedWidget;
    m_stack->addWidget(m_table);
    m_stack->addWidget(m_page);
    m_selected = named("selected", new WrappedLabel);
    m_banner = new BannerArea(context().theme);
    auto *bar = new QHBoxLayout;
    bar->addWidget(m_range);
    bar->addWidget(m_note, 1);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(8, 8, 8, 8);
    column->setSpacing(8);
    column->addLayout(bar);
    column->addWidget(m_stack, 1);
    column->addWidget(m_selected);
    column->addWidget(m_banner); // below the rows, so that a banner doesn't move them
    connect(m_range, &QComboBox::activated, this, &AdviceView::refresh);
    connect(m_table, &QWidget::customContextMenuRequested, this, &AdviceView::showMenu);
    connect(m_table, &DataTable::activatedRow, this, &AdviceView::openLock);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
        showSelected();
        Q_EMIT rowsChanged();
    });
}

void AdviceView::refresh()
{
    const qint64 nowUs = context().clock->wallUs();
    m_model->ask(nowUs - kAdviceRangesUs.at(size_t(std::max(0, m_range->currentIndex()))), nowUs);
}

void AdviceView::showState()
{
    const base::Error &error = m_model->error();
    const bool hasRows = m_model->rowCount() > 0;
    if (hasRows && !error.cause.isEmpty())
        m_banner->showBanner({kStaleAdvice, presentation::BannerKind::Warning,
                              tr("Couldn't read the advice again: %1").arg(words::ErrorWords::line(error)),
                              tr("Try again"), [this] { refresh(); }, false});
    else
        m_banner->removeBanner(kStaleAdvice);
    m_table->setStale(hasRows && !error.cause.isEmpty());
    m_stack->setCurrentWidget(hasRows ? static_cast<QWidget *>(m_table) : m_page);
    if (!hasRows)
        showEmptyPage();
    showNote();
    showSelected();
}

void AdviceView::showEmptyPage()
{
    const base::Error &error = m_model->error();
    if (m_model->isLoading())
        m_page->showLoading(tr("Reading…"), {tr("Cancel"), [this] { m_model->cancel(); }});
    else if (error.code == base::ErrorCode::Cancelled)
        m_page->showEmpty(tr("Nothing was read"), tr("Reading was cancelled."),
                          {{tr("Try again"), [this] { refresh(); }}});
    else if (!error.cause.isEmpty())
        m_page->showError(error, [this] { refresh(); });
    else if (m_model->page().holds == 0)
        m_page->showEmpty(tr("No evidence yet"), tr("The journal has no holds in this range of time."));
    else
        m_page->showEmpty(
            tr("No advice"),
            tr("The holds of this range show no fault. That doesn't prove that there is none: each "
               "rule needs a minimum of evidence."));
}

/** Silence of the rules must not pass for a statement about time that nobody observed. */
void AdviceView::showNote()
{
    const protocol::AdvicePage &page = m_model->page();
    if (!m_model->hasRead()) {
        m_note->setText({});
        return;
    }
    const QLocale locale;
    QString text =
        tr("%1 holds of %2 locks were read").arg(locale.toString(page.holds), locale.toString(page.locks));
    if (page.locks > 0 && page.observedPermille < 990)
        text = tr("%1; only %2 % of the range was observed", "a sentence; number")
                   .arg(text, locale.toString(double(page.observedPermille) / 10, 'f', 1));
    if (page.more)
        text = tr("%1; not everything was read: choose a shorter range", "a sentence").arg(text);
    m_note->setText(text);
}

void AdviceView::showSelected()
{
    const QList<int> rows = m_table->selectedRowNumbers();
    const domain::Advice *advice = rows.size() == 1 ? m_model->at(rows.constFirst()) : nullptr;
    m_selected->setVisible(advice != nullptr);
    if (!advice)
        return;
    m_selected->setText(tr("%1 %2 (%3)", "evidence, change, section of a document")
                            .arg(AdviceFormatter::evidence(*advice), AdviceFormatter::change(*advice),
                                 AdviceFormatter::document(advice->code)));
}

void AdviceView::openLock(int row)
{
    const domain::Advice *advice = m_model->at(row);
    if (advice && advice->isOfLock())
        Q_EMIT context().requests->historyAsked(advice->lock);
}

void AdviceView::showMenu(const QPoint &at)
{
    const domain::Advice *advice = m_model->at(m_table->indexAt(at).row());
    if (!advice)
        return;
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    if (advice->isOfLock()) {
        menu->addAction(tr("Show in &Locks"), this,
                        [this, key = advice->lock] { Q_EMIT context().requests->lockAsked(key); });
        menu->addAction(tr("&History of this lock"), this,
                        [this, key = advice->lock] { Q_EMIT context().requests->historyAsked(key); });
        QList<domain::LockKey> keys{advice->lock};
        if (!advice->other.name.isEmpty())
            keys.append(advice->other);
        menu->addAction(tr("Show in &Timeline"), this,
                        [this, keys] { Q_EMIT context().requests->timelineAsked(keys); });
        menu->addSeparator();
    }
    menu->addAction(presentation::icon(QLatin1String("edit-copy")), tr("&Copy"), this,
                    [this] { copyText(); });
    menu->popup(m_table->viewport()->mapToGlobal(at));
}

QVariantMap AdviceView::saveState() const
{
    return {{QStringLiteral("range"), m_range->currentIndex()}};
}

void AdviceView::restoreState(const QVariantMap &state)
{
    const int range = state.value(QStringLiteral("range"), kDayIndex).toInt();
    m_range->setCurrentIndex(range >= 0 && range < m_range->count() ? range : kDayIndex);
}

void AdviceView::retranslate()
{
    const int range = m_range->currentIndex() < 0 ? kDayIndex : m_range->currentIndex();
    m_range->clear();
    m_range->addItems({tr("Last hour"), tr("Last 24 hours"), tr("Last 7 days")});
    m_range->setCurrentIndex(range);
    m_range->setAccessibleName(tr("Range of time"));
    m_table->setAccessibleName(tr("Advice, the surest first"));
    m_model->reword();
    showState();
}

} // namespace lockkeeper::app::views
