// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/advice/advice_view.h"

#include "app/views/table/data_table.h"
#include "app/views/table/list_page.h"
#include "app/views/widgets/named.h"
#include "app/views/widgets/requests.h"
#include "app/views/widgets/wrapped_label.h"
#include "app/words/advice_formatter.h"
#include "app/words/error_words.h"
#include "shared/base/clock.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLocale>
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

RowSubject subjectOfAdvice(const domain::Advice &advice)
{
    if (!advice.isOfLock())
        return {};
    return {advice.other.name.isEmpty() ? QList<domain::LockKey>{advice.lock}
                                        : QList<domain::LockKey>{advice.lock, advice.other}};
}

} // namespace

AdviceView::AdviceView(const ConsoleContext &context, QWidget *parent)
    : ListView(context, parent), m_model(std::make_unique<AdviceModel>(*context.session))
{
    m_model->setFormatter(&m_formatter);
    build();
    connect(m_model.get(), &AdviceModel::stateChanged, this, &AdviceView::showState);
    retranslate();
}

AdviceView::~AdviceView()
{
    destroy({m_list});
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
    auto *table =
        new DataTable(context(), m_model.get(), QStringLiteral("advice"), models::AdviceEvidenceColumn);
    table->setDefaultWidths(kAdviceWidths);
    table->setSpareColumns({models::AdviceSourceColumn, models::AdviceChangeColumn});
    table->setSortable();
    m_list = new ListPage(context(), table);
    m_list->setReading([this] { m_model->cancel(); }, [this] { refresh(); });
    m_list->setExport(QStringLiteral("lockkeeper-advice"));
    m_list->setSubject([this](int row) { return subjectOfAdvice(*m_model->at(row)); });
    m_selected = named("selected", new WrappedLabel);
    m_list->addBelow(m_selected);
    setList(m_list);
    auto *bar = new QHBoxLayout;
    bar->addWidget(m_range);
    bar->addWidget(m_note, 1);
    QVBoxLayout *column = addColumn();
    column->addLayout(bar);
    column->addWidget(m_list, 1);
    connect(m_range, &QComboBox::activated, this, &AdviceView::refresh);
    connect(table, &DataTable::activatedRow, this, &AdviceView::openLock);
    connect(table->selectionModel(), &QItemSelectionModel::selectionChanged, this, &AdviceView::showSelected);
}

void AdviceView::refresh()
{
    const qint64 nowUs = context().clock->wallUs();
    m_model->ask(nowUs - kAdviceRangesUs.at(size_t(std::max(0, m_range->currentIndex()))), nowUs);
}

void AdviceView::showState()
{
    const base::Error &error = m_model->error();
    const bool isBlank = m_model->page().holds == 0;
    m_list->showState(
        {m_model->isLoading(),
         error,
         {},
         tr("Couldn't read the advice again: %1").arg(words::ErrorWords::line(error))},
        {isBlank ? tr("No evidence yet") : tr("No advice"),
         isBlank ? tr("The journal has no holds in this range of time.")
                 : tr("The holds of this range show no fault. That doesn't prove that there is none: each "
                      "rule needs a minimum of evidence.")});
    showNote();
    showSelected();
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
    const QList<int> rows = m_list->table()->selectedRowNumbers();
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
    m_list->table()->setAccessibleName(tr("Advice, the surest first"));
    showState();
}

} // namespace lockkeeper::app::views
