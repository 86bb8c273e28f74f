// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/contention/contention_view.h"

#include "app/presentation/time_format.h"
#include "app/presentation/words.h"
#include "app/views/common/plain_label.h"
#include "app/views/common/requests.h"
#include "app/views/common/state_page.h"
#include "app/views/tables/ask_export.h"
#include "app/views/tables/data_table.h"
#include "shared/base/clock.h"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace lockkeeper::app::views {

namespace {
constexpr qint64 kHourUs = 3'600'000'000;
const QHash<int, int> kWidths{
    {models::ContentionWaitingColumn, 72},   {models::ContentionWaitsColumn, 50},
    {models::ContentionWaitTimeColumn, 116}, {models::ContentionHoldTimeColumn, 116},
    {models::ContentionHandoverColumn, 116}, {models::ContentionHeldColumn, 108},
    {models::ContentionChangesColumn, 84},   {models::ContentionForcedColumn, 54},
    {models::ContentionSourceColumn, 90},    {models::ContentionObservedColumn, 70},
};
} // namespace

std::pair<qint64, qint64> boundsOf(ContentionRange range, const QDateTime &now)
{
    const qint64 nowUs = now.toMSecsSinceEpoch() * 1000;
    switch (range) {
    case ContentionRange::Hour:
        break;
    case ContentionRange::Day:
        return {nowUs - 24 * kHourUs, nowUs};
    case ContentionRange::Week:
        return {nowUs - 7 * 24 * kHourUs, nowUs};
    case ContentionRange::LastNight: {
        QDateTime to = now;
        to.setTime(QTime(8, 0));
        QDateTime from = to.addDays(-1);
        from.setTime(QTime(22, 0));
        // Before eight, and past ten at night, the present night counts.
        if (now.time() >= QTime(22, 0)) {
            from = from.addDays(1);
            to = to.addDays(1);
        }
        return {from.toMSecsSinceEpoch() * 1000, std::min(nowUs, to.toMSecsSinceEpoch() * 1000)};
    }
    }
    return {nowUs - kHourUs, nowUs};
}

ContentionView::ContentionView(const ConsoleContext &context, QWidget *parent)
    : View(context, parent), m_model(*context.session)
{
    m_model.setWording(&m_wording);
    build();
    connect(&m_model, &models::ContentionModel::stateChanged, this, &ContentionView::showState);
    connect(&m_model, &QAbstractItemModel::modelReset, this, [this] { Q_EMIT rowsChanged(); });
    connect(context.session, &session::AgentSession::linkChanged, this, [this] {
        Q_EMIT availableChanged();
        if (View::context().session->link() == session::LinkState::Live && m_model.rowCount() == 0)
            refresh();
    });
    retranslate();
}

ContentionView::~ContentionView()
{
    // The widgets outlive the model and this class, and select otherwise while they go.
    m_table->selectionModel()->disconnect(this);
    m_model.disconnect(this);
    m_model.setWording(nullptr);
}

QString ContentionView::title() const
{
    return tr("Contention");
}

bool ContentionView::isAvailable() const
{
    return context().session->welcome().features.contains(QLatin1String(protocol::kFeatureContention));
}

void ContentionView::build()
{
    m_range = new QComboBox;
    m_range->setObjectName(QStringLiteral("range"));
    m_observed = new PlainLabel;
    m_observed->setObjectName(QStringLiteral("observed"));
    m_table = new DataTable(context(), &m_model, QStringLiteral("contention"), models::ContentionLockColumn);
    m_table->setObjectName(QStringLiteral("contention"));
    m_table->setDefaultWidths(kWidths);
    m_table->horizontalHeader()->setSortIndicatorClearable(true);
    m_table->horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
    m_table->setSortingEnabled(true);
    m_page = new StatePage;
    m_stack = new QStackedWidget;
    m_stack->addWidget(m_table);
    m_stack->addWidget(m_page);
    m_note = new PlainLabel;
    m_note->setMuted(true);
    auto *bar = new QHBoxLayout;
    bar->addWidget(m_range);
    bar->addSpacing(8);
    bar->addWidget(m_observed, 1);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(8, 8, 8, 8);
    column->setSpacing(8);
    column->addLayout(bar);
    column->addWidget(m_stack, 1);
    column->addWidget(m_note);
    connect(m_range, &QComboBox::currentIndexChanged, this, &ContentionView::refresh);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            [this] { Q_EMIT rowsChanged(); });
    connect(m_table, &DataTable::activatedRow, this, [this](int row) {
        if (const domain::Contention *contention = m_model.at(row))
            Q_EMIT context().requests->historyAsked(contention->key);
    });
}

void ContentionView::activate()
{
    refresh();
}

void ContentionView::refresh()
{
    if (!isVisible() || !isAvailable() || m_range->currentIndex() < 0)
        return;
    const QDateTime utc = QDateTime::fromMSecsSinceEpoch(context().clock->wallUs() / 1000, Qt::UTC);
    const bool isUtc = context().times->zone() == presentation::Zone::Utc;
    const auto [from, to] =
        boundsOf(ContentionRange(m_range->currentIndex()), isUtc ? utc : utc.toLocalTime());
    m_model.ask(from, to);
}

QString ContentionView::observedText() const
{
    double least = 1;
    double most = 0;
    for (int row = 0; row < m_model.rowCount(); ++row) {
        const double share =
            double(m_model.at(row)->observedUs) / double(std::max<qint64>(1, m_model.rangeUs()));
        least = std::min(least, share);
        most = std::max(most, share);
    }
    using presentation::ContentionWording;
    const QString low = ContentionWording::percent(least);
    const QString high = ContentionWording::percent(most);
    return low == high ? tr("Observed %1 of this range").arg(low)
                       : tr("Observed %1 to %2 of this range, by source").arg(low, high);
}

void ContentionView::showState()
{
    const base::Error &error = m_model.error();
    const bool any = m_model.rowCount() > 0;
    bool blind = false;
    for (int row = 0; row < m_model.rowCount(); ++row)
        blind = blind || !m_model.at(row)->waitersVisible;
    m_observed->setText(any ? observedText() : QString());
    m_note->setVisible(any && blind);
    if (any && error.cause.isEmpty()) {
        m_stack->setCurrentWidget(m_table);
        return;
    }
    if (m_model.isLoading())
        m_page->showLoading(tr("Reading…"), {tr("Cancel"), [this] { m_model.cancel(); }});
    else if (!error.cause.isEmpty())
        m_page->showError(presentation::Words::error(error.code), error.line(), error.line(),
                          {tr("Try again"), [this] { refresh(); }});
    else
        m_page->showEmpty(
            tr("No contention in this range"),
            tr("No lock was waited for or changed hands in this time, as far as it was observed."));
    m_stack->setCurrentWidget(m_page);
}

std::optional<qint64> ContentionView::shownRows() const
{
    return m_model.rowCount();
}

qint64 ContentionView::selectedRows() const
{
    return m_table->selectionModel()->selectedRows().size();
}

bool ContentionView::copyText()
{
    return m_table->copyTsv();
}

bool ContentionView::exportRows()
{
    if (!canExport())
        return false;
    exportCsv(context(), this, QStringLiteral("lockkeeper-contention.csv"), m_table->rows(true));
    return true;
}

bool ContentionView::canExport() const
{
    return m_model.rowCount() > 0;
}

QVariantMap ContentionView::saveState() const
{
    return {{QStringLiteral("range"), m_range->currentIndex()}};
}

void ContentionView::restoreState(const QVariantMap &state)
{
    const int range = state.value(QStringLiteral("range"), 0).toInt();
    if (range >= 0 && range < m_range->count())
        m_range->setCurrentIndex(range);
}

void ContentionView::retranslate()
{
    const QSignalBlocker quiet(m_range);
    const int range = std::max(0, m_range->currentIndex());
    m_range->clear();
    m_range->addItems({tr("Last hour"), tr("Last night, 22–08"), tr("Last 24 hours"), tr("Last 7 days")});
    m_range->setCurrentIndex(range);
    m_range->setAccessibleName(tr("Range"));
    m_table->setAccessibleName(tr("Locks by waiting"));
    m_note->setText(
        tr("?: waiters not visible in this scheme. How fast and how often the lock changes hands is all "
           "that is known."));
    m_model.reword();
    showState();
}

void ContentionView::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
        Q_EMIT titleChanged();
    }
    View::changeEvent(event);
}

} // namespace lockkeeper::app::views
