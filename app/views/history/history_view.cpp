// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/history/history_view.h"

#include "app/filter/query_time.h"
#include "app/presentation/icons.h"
#include "app/presentation/theme.h"
#include "app/replica/replica.h"
#include "app/session/source_names.h"
#include "app/views/history/holds_page.h"
#include "app/views/history/journal_pages.h"
#include "app/views/history/time_bar.h"
#include "app/views/table/ask_export.h"
#include "app/views/table/data_table.h"
#include "app/views/table/gap_delegate.h"
#include "app/views/widgets/field_error.h"
#include "app/views/widgets/filter_edit.h"
#include "app/views/widgets/filter_line.h"
#include "app/views/widgets/live_freeze.h"
#include "app/views/widgets/named.h"
#include "app/views/widgets/plain_label.h"
#include "app/views/widgets/requests.h"
#include "app/views/widgets/state_page.h"
#include "app/views/widgets/wrapped_label.h"
#include "app/words/error_words.h"
#include "shared/base/json_line.h"

#include <QClipboard>
#include <QDateTime>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QJsonDocument>
#include <QLineEdit>
#include <QLocale>
#include <QMenu>
#include <QPushButton>
#include <QScrollBar>
#include <QShortcut>
#include <QStackedWidget>
#include <QTabBar>
#include <QToolButton>
#include <QVBoxLayout>

#include <utility>

namespace lockkeeper::app::views {

using models::HistoryModel;

namespace {

const QHash<int, int> kHistoryWidths{
    {models::TimeColumn, kFineTimeWidth}, {models::WindowColumn, 64},       {models::EventKindColumn, 140},
    {models::EventLockColumn, 240},       {models::EventHolderColumn, 134}, {models::EventWaiterColumn, 134},
    {models::EventTtlColumn, 76},         {models::EventSourceColumn, 104}, {models::SeqColumn, 72},
    {models::EventCommandColumn, 0},      {models::EventByColumn, 220},
};

} // namespace

HistoryView::HistoryView(const ConsoleContext &context, QWidget *parent)
    : View(context, parent),
      m_model(std::make_unique<HistoryModel>(*context.session, *context.replica)),
      m_releases(*context.session),
      m_formatter(context.times),
      m_goToZone(context.times->timeZone())
{
    m_formatter.setReleases(&m_releases);
    m_model->setFormatter(&m_formatter);
    build();
    connectModel();
    retranslate();
    showPhase();
}

HistoryView::~HistoryView()
{
    // The widgets outlive the model and this class, and still scroll while they go.
    m_table->verticalScrollBar()->disconnect(this);
    m_table->selectionModel()->disconnect(this);
    m_freeze->disconnect(this);
    m_model->disconnect(this);
    m_model->setFormatter(nullptr);
}

QString HistoryView::title() const
{
    return tr("History");
}

void HistoryView::build()
{
    m_table = new DataTable(context(), m_model.get(), QStringLiteral("history"), models::EventLockColumn);
    m_table->setDefaultWidths(kHistoryWidths);
    m_table->setSpareColumns({models::EventByColumn, models::SeqColumn, models::EventTtlColumn});
    m_table->setGrowingColumns({models::EventHolderColumn, models::EventByColumn});
    m_table->setItemDelegate(new GapDelegate(
        context().theme, &m_formatter, [this](int row) { return m_model->at(row); }, m_table));
    m_table->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(m_table, &QWidget::customContextMenuRequested, this, &HistoryView::showMenu);
    m_page = new StatePage;
    buildTimeBar();
    auto *rows = new QWidget;
    auto *side = new QHBoxLayout(rows);
    side->setContentsMargins({});
    side->setSpacing(4);
    side->addWidget(m_table, 1);
    side->addWidget(m_timeBar);
    m_rows = rows;
    m_stack = new QStackedWidget;
    m_stack->addWidget(m_rows);
    m_stack->addWidget(m_page);
    m_freeze = new LiveFreeze(this);

    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(8, 8, 8, 4);
    column->setSpacing(8);
    column->addWidget(buildBar());
    m_tabs = named("historyTabs", new QTabBar);
    m_tabs->setDrawBase(false);
    m_tabs->setExpanding(false);
    m_tabs->addTab({});
    m_tabs->addTab({});
    auto *events = new QWidget;
    auto *eventColumn = new QVBoxLayout(events);
    eventColumn->setContentsMargins({});
    eventColumn->setSpacing(4);
    eventColumn->addWidget(m_stack, 1);
    eventColumn->addWidget(buildEventText());
    eventColumn->addWidget(buildFoot());
    m_holds = new HoldsPage(context());
    m_pages = new QStackedWidget;
    m_pages->addWidget(events);
    m_pages->addWidget(m_holds);
    column->addWidget(m_tabs);
    column->addWidget(m_pages, 1);
    setFocusProxy(m_table);
    connect(m_tabs, &QTabBar::currentChanged, this, &HistoryView::showTab);
    connect(m_holds, &HoldsPage::allAsked, this, [this] { m_filter->setFilter({}); });
    connect(m_holds, &HoldsPage::rowsChanged, this, &View::rowsChanged);
    connect(&m_releases, &models::ReleaseLookup::found, this, [this] {
        m_model->reword();
        showEventText();
    });
    connect(m_table->verticalScrollBar(), &QScrollBar::valueChanged, this, &HistoryView::onScrolled);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
        showEventText();
        follow();
        Q_EMIT rowsChanged();
    });
    connect(m_freeze, &LiveFreeze::frozenChanged, this, &HistoryView::follow);
    connect(m_table, &DataTable::activatedRow, this, [this](int row) {
        const events::LockEvent *event = m_model->at(row);
        if (event && !event->isSourceEvent())
            Q_EMIT context().requests->lockAsked(event->key);
    });
}

/** The current event in full, and the ways to its moment. */
QWidget *HistoryView::buildEventText()
{
    m_eventText = named("eventText", new WrappedLabel);
    m_eventText->setSelectable(true);
    m_eventText->setMinimumHeight(2 *
                                  m_eventText->fontMetrics().lineSpacing()); // rows don't move below a press
    m_eventText->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    m_stateAt = named("stateAtEvent", new QPushButton);
    m_around = named("timelineAtEvent", new QPushButton);
    auto *part = new QWidget;
    auto *row = new QHBoxLayout(part);
    row->setContentsMargins({});
    row->setSpacing(8);
    row->addWidget(m_eventText, 1);
    for (QPushButton *button : {m_stateAt, m_around})
        row->addWidget(button, 0, Qt::AlignTop);
    connect(m_stateAt, &QPushButton::clicked, this, [this] {
        if (const events::LockEvent *event = currentEvent())
            Q_EMIT context().requests->stateAtAsked(event->timeUs);
    });
    connect(m_around, &QPushButton::clicked, this, [this] {
        if (const events::LockEvent *event = currentEvent())
            openTimeline(*event);
    });
    connect(context().session, &session::AgentGroup::linkChanged, this, &HistoryView::showEventText);
    return part;
}

void HistoryView::openTimeline(const events::LockEvent &event)
{
    const QList<domain::LockKey> keys =
        event.isSourceEvent() ? QList<domain::LockKey>() : QList<domain::LockKey>{event.key};
    Q_EMIT context().requests->timelineAtAsked(keys, event.timeUs);
}

const events::LockEvent *HistoryView::currentEvent() const
{
    return m_table->selectionModel()->hasSelection() ? m_model->at(m_table->currentIndex().row()) : nullptr;
}

QWidget *HistoryView::buildBar()
{
    auto *line = new FilterLine(context(), filter::QueryScope::History);
    m_filter = line->edit();
    m_goTo = new QLineEdit;
    m_goTo->setFixedWidth(m_goTo->fontMetrics().horizontalAdvance(QStringLiteral("2026-11-20 02:40:13")) +
                          24);
    m_goToError = new FieldError(context().theme, m_goTo);
    m_go = new QPushButton;
    m_new = new QToolButton;
    m_new->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_new->setIcon(presentation::icon(QLatin1String("go-previous")));

    auto *bar = new QWidget;
    auto *row = new QHBoxLayout(bar);
    row->setContentsMargins({});
    row->setSpacing(8);
    row->addWidget(line, 1);
    row->addWidget(m_new);
    row->addWidget(m_goTo);
    row->addWidget(m_go);
    connect(m_filter, &FilterEdit::applied, this, [this](const filter::Query &query) {
        m_model->setQuery(query);
        m_holds->setQuery(query);
        showFoot();
    });
    connect(m_goTo, &QLineEdit::textEdited, this, [this] { m_goToError->tell({}); });
    connect(m_filter, &FilterEdit::left, this, qOverload<>(&QWidget::setFocus));
    connect(m_go, &QPushButton::clicked, this, &HistoryView::goToTyped);
    connect(m_goTo, &QLineEdit::returnPressed, this, &HistoryView::goToTyped);
    connect(m_new, &QToolButton::clicked, this, &HistoryView::goToNewest);
    auto *jump = new QShortcut(QKeySequence(Qt::CTRL | Qt::Key_G), this);
    jump->setContext(Qt::WidgetWithChildrenShortcut);
    connect(jump, &QShortcut::activated, this, [this] {
        m_goTo->setFocus();
        m_goTo->selectAll();
    });
    return bar;
}

void HistoryView::setGoTo(qint64 us)
{
    m_goTo->setText(context().times->at(us).toString(QStringLiteral("yyyy-MM-dd HH:mm:ss")));
}

/** Rewords the typed time in another zone, so that it keeps naming the same moment. */
void HistoryView::restateGoTo()
{
    const filter::QueryClock now{context().nowUs(), context().times->timeZone()};
    const QString text = m_goTo->text().trimmed();
    const auto meant = filter::parseQueryTime(text, {now.nowUs, std::exchange(m_goToZone, now.zone)});
    if (meant && meant != filter::parseQueryTime(text, now))
        setGoTo(*meant);
}

void HistoryView::goToTyped()
{
    const auto at =
        filter::parseQueryTime(m_goTo->text().trimmed(), {context().nowUs(), context().times->timeZone()});
    if (at) {
        m_model->goTo(*at);
        return;
    }
    m_goToError->tell(
        tr("“%1” isn't a time. Write 21:20, yesterday 21:20, 2026-11-20 21:20 or -15m.").arg(m_goTo->text()));
}

QWidget *HistoryView::buildFoot()
{
    m_foot = new PlainLabel;
    m_foot->setMuted(true);
    m_progress = new PlainLabel;
    m_cancel = new QPushButton;
    m_cancel->setFlat(true);
    auto *foot = new QWidget;
    auto *row = new QHBoxLayout(foot);
    row->setContentsMargins(4, 0, 4, 0);
    row->addWidget(m_foot, 1);
    row->addWidget(m_progress);
    row->addWidget(m_cancel);
    keepSpace(m_cancel);
    connect(m_cancel, &QPushButton::clicked, this, [this] {
        if (m_model->phase() == HistoryModel::LoadPhase::Loading)
            m_model->cancel();
        else if (m_model->isHalted())
            readOn();
        else
            goToNewest();
    });
    return foot;
}

void HistoryView::connectModel()
{
    connect(m_model.get(), &HistoryModel::phaseChanged, this, &HistoryView::showPhase);
    connect(m_model.get(), &HistoryModel::searchedOn, this, &HistoryView::showReading);
    connect(m_model.get(), &HistoryModel::newCountChanged, this, &HistoryView::showFoot);
    const auto counted = [this] {
        showPhase();
        showTimeBarLater();
        Q_EMIT rowsChanged();
    };
    connect(m_model.get(), &QAbstractItemModel::rowsInserted, this,
            [this, counted](const QModelIndex &, int first, int last) {
                if (first == 0)
                    keepTop(last - first + 1);
                counted();
            });
    connect(m_model.get(), &QAbstractItemModel::rowsRemoved, this,
            [this, counted](const QModelIndex &, int first, int last) {
                if (first == 0)
                    keepTop(first - last - 1);
                counted();
            });
    connect(m_model.get(), &QAbstractItemModel::modelReset, this, counted);
    connect(m_model.get(), &QAbstractItemModel::modelReset, this, &HistoryView::follow);
    connect(m_model.get(), &QAbstractItemModel::modelReset, this, &HistoryView::askOldest);
    connect(m_model.get(), &QAbstractItemModel::modelReset, this, &HistoryView::showEventText); // of none
    connect(context().times, &words::TimeFormat::changed, this, [this] {
        m_model->reword();
        restateGoTo();
    });
    connect(context().theme, &presentation::Theme::changed, this, [this] { m_model->reword(); });
    connect(context().replica, &replica::Replica::offlineChanged, this, &HistoryView::showFoot);
    connect(context().replica, &replica::Replica::reset, this, [this] {
        if (m_asked && m_model->rowCount() == 0)
            m_model->reload();
    });
}

void HistoryView::activate()
{
    if (!m_asked) {
        m_asked = true;
        setGoTo(context().nowUs());
        m_model->reload();
    }
}

void HistoryView::hideEvent(QHideEvent *event)
{
    View::hideEvent(event);
    follow();
}

void HistoryView::showEvent(QShowEvent *event)
{
    View::showEvent(event);
    if (std::exchange(m_followed, false))
        m_model->setTailing(true);
    showFoot();
}

void HistoryView::refresh()
{
    if (onHolds())
        return m_holds->refresh();
    goToNewest();
}

void HistoryView::goToNewest()
{
    // Without an agent, the rows that were read stay.
    if (m_model->rowCount() > 0 && context().session->link() != session::LinkState::Live) {
        Q_EMIT context().requests->messageCame(tr("No agent is connected: this is what was read before."));
        return;
    }
    m_model->reload();
    m_table->scrollToTop();
}

void HistoryView::onScrolled()
{
    follow();
    prefetch();
    showTimeBarLater();
}

/**
 * Lets new events in only while the view is visible and the operator neither reads nor uses the other rows.
 */
void HistoryView::follow()
{
    if (!isVisible()) {
        m_followed = m_followed || m_model->isTailing();
        m_model->setTailing(false);
        return;
    }
    const QScrollBar *bar = m_table->verticalScrollBar();
    m_model->setTailing(bar->value() == bar->minimum() && !m_model->hasNewer() && !m_freeze->isFrozen() &&
                        !m_table->selectionModel()->hasSelection());
    showFoot();
}

void HistoryView::prefetch()
{
    const int first = m_table->rowAt(0);
    if (first < 0)
        return;
    const int last = m_table->rowAt(m_table->viewport()->height() - 1);
    m_model->prefetch(first, last < 0 ? m_model->rowCount() - 1 : last);
}

/** `rows` rows were added above those in sight, or removed: keeps the visible rows in place. */
void HistoryView::keepTop(int rows)
{
    if (m_model->isTailing() || m_model->rowCount() <= rows)
        return;
    m_table->doItemsLayout(); // the scroll bar's range with the new rows
    m_table->verticalScrollBar()->setValue(m_table->verticalScrollBar()->value() + rows);
}

/** The state of the reading, or how far back the search is if nothing has matched for a while. */
QString HistoryView::readingText() const
{
    const auto searchedTo = m_model->searchedBackTo();
    return searchedTo
               ? tr("Searched back to %1…").arg(context().times->nearTime(*searchedTo, context().nowUs()))
               : tr("Reading…");
}

void HistoryView::showReading()
{
    if (m_model->phase() == HistoryModel::LoadPhase::Loading)
        m_model->rowCount() > 0 ? m_progress->setText(readingText()) : m_page->setText(readingText());
}

/** Continues a reading that was cancelled. */
void HistoryView::readOn()
{
    if (m_model->canFetchMore({}))
        m_model->fetchMore({});
    else
        m_model->reload();
}

void HistoryView::showPhase()
{
    using Phase = HistoryModel::LoadPhase;
    const bool hasRows = m_model->rowCount() > 0;
    const bool loading = m_model->phase() == Phase::Loading;
    const bool failed = m_model->phase() == Phase::Failed;
    const bool halted = m_model->phase() == Phase::Idle && m_model->isHalted();
    m_cancel->setVisible((loading || failed || halted) && hasRows);
    m_cancel->setText(failed ? tr("Try again") : halted ? tr("Go on") : tr("Cancel"));
    m_progress->setText(!hasRows  ? QString()
                        : failed  ? words::ErrorWords::title(m_model->error().code)
                        : loading ? readingText()
                        : halted  ? tr("Reading was cancelled.")
                                  : QString());
    m_progress->setToolTip(failed ? plainToolTip(words::ErrorWords::line(m_model->error())) : QString());
    m_stack->setCurrentWidget(hasRows ? m_rows : m_page);
    if (hasRows) {
        if (!loading && !failed && !halted)
            prefetch();
    } else if (loading) {
        m_page->showLoading(readingText(), {tr("Cancel"), [this] { m_model->cancel(); }});
    } else if (failed) {
        m_page->showError(m_model->error(), [this] { m_model->reload(); });
    } else if (const auto searchedTo = m_model->searchedBackTo(); halted && searchedTo) {
        m_page->showEmpty(tr("No event matches so far"),
                          tr("Reading was cancelled at %1: older events weren't searched.")
                              .arg(context().times->nearTime(*searchedTo, context().nowUs())),
                          {{tr("Go on"), [this] { readOn(); }}});
    } else if (m_model->hasOlder()) {
        m_page->showEmpty(tr("Nothing was read"), tr("Reading was cancelled."),
                          {{tr("Try again"), [this] { m_model->reload(); }}});
    } else {
        QList<StatePage::Action> ways;
        if (!m_filter->text().isEmpty())
            ways.append({tr("Show all events"), [this] { m_filter->setFilter({}); }});
        m_page->showEmpty(m_filter->text().isEmpty() ? tr("No events yet")
                                                     : tr("No event matches this filter"),
                          m_filter->text().isEmpty() ? tr("The agent has journalled nothing so far.")
                                                     : tr("The filter hides the others."),
                          ways);
    }
    showFoot();
}

void HistoryView::showFoot()
{
    const qint64 fresh = m_model->newCount();
    m_new->setVisible(fresh > 0 && !onHolds());
    m_new->setText(tr("%Ln new", nullptr, int(std::min<qint64>(fresh, 1'000'000'000))));
    if (m_model->estimatedTotal() == 0) {
        m_foot->setText({});
        return;
    }
    const int total = int(std::min<qint64>(m_model->estimatedTotal(), 1'000'000'000));
    QString text = m_filter->text().isEmpty() ? tr("%Ln event(s) in the journal", nullptr, total)
                                              : tr("among about %Ln event(s)", nullptr, total);
    if (m_model->isTailing() && !context().replica->isOffline())
        text = tr("%1, following").arg(text);
    m_foot->setText(text);
}

void HistoryView::showMenu(const QPoint &at)
{
    const QModelIndex index = m_table->indexAt(at);
    const events::LockEvent *event = m_model->at(index.row());
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    if (event && !event->isSourceEvent()) {
        menu->addAction(tr("Show in &Locks"), this,
                        [this, key = event->key] { Q_EMIT context().requests->lockAsked(key); });
        menu->addAction(tr("Only this lock"), this,
                        [this, key = event->key] { Q_EMIT context().requests->historyAsked(key); });
        menu->addAction(tr("&Report…"), this, [this, key = event->key, us = event->timeUs] {
            Q_EMIT context().requests->reportAsked(key, us - kReportMarginUs, us + kReportMarginUs);
        });
        menu->addSeparator();
    }
    menu->addAction(presentation::icon(QLatin1String("edit-copy")), tr("&Copy"), this,
                    [this] { copyText(); });
    menu->addAction(tr("Copy as &JSON"), this, [this] { copyJson(); });
    menu->popup(m_table->viewport()->mapToGlobal(at));
}

bool HistoryView::onHolds() const
{
    return m_tabs->currentIndex() == 1;
}

void HistoryView::showTab()
{
    m_pages->setCurrentIndex(m_tabs->currentIndex());
    setFocusProxy(onHolds() ? m_holds->table() : m_table);
    for (QWidget *ofEvents : QWidgetList{m_goTo, m_go})
        ofEvents->setVisible(!onHolds());
    showFoot();
    Q_EMIT rowsChanged();
}

void HistoryView::showEventText()
{
    const events::LockEvent *event = currentEvent();
    m_eventText->setText(event ? m_formatter.sentence(*event) : QString());
    m_stateAt->setEnabled(event != nullptr);
    m_around->setEnabled(event != nullptr);
}

std::optional<qint64> HistoryView::shownRows() const
{
    return onHolds() ? m_holds->model()->rowCount() : m_model->rowCount();
}

qint64 HistoryView::selectedRows() const
{
    const DataTable *table = onHolds() ? m_holds->table() : m_table;
    return table->selectionModel()->selectedRows().size();
}

void HistoryView::focusFilter()
{
    m_filter->setFocus();
    m_filter->selectAll();
}

void HistoryView::setFilter(const QString &text)
{
    activate();
    m_filter->setFilter(text);
}

TableColumns HistoryView::tableColumns()
{
    return (onHolds() ? m_holds->table() : m_table)->tableColumns();
}

bool HistoryView::copyText()
{
    return (onHolds() ? m_holds->table() : m_table)->copyTsv();
}

bool HistoryView::copyJson()
{
    if (onHolds())
        return false;
    QByteArray lines;
    const QList<int> rows = m_table->selectedRowNumbers();
    for (const int row : rows) {
        const events::LockEvent *event = m_model->at(row);
        if (!event)
            continue;
        events::LockEvent told = *event; // with its agent's name of the source
        const QString agent = context().session->agentOf(event->key.source);
        if (context().session->several())
            told.key.source = session::splitName(event->key.source).source;
        lines += base::compactJson(QJsonDocument(events::toJson(told, agent))) + '\n';
    }
    if (lines.isEmpty())
        return false;
    QGuiApplication::clipboard()->setText(QString::fromUtf8(lines));
    return true;
}

bool HistoryView::exportRows()
{
    if (!canExport())
        return false;
    views::exportRows(context(), this,
                      onHolds() ? QStringLiteral("lockkeeper-holds") : QStringLiteral("lockkeeper-history"),
                      [this](records::FileFormat::Syntax kind) { return exportSource(kind); });
    return true;
}

/** Exports all rows that match the filter, not only those that were scrolled to. */
std::unique_ptr<ExportSource> HistoryView::exportSource(records::FileFormat::Syntax kind) const
{
    if (onHolds())
        return m_holds->exportSource(kind);
    return eventPages(context(), m_model->query(), kind);
}

bool HistoryView::canExport() const
{
    return shownRows().value_or(0) > 0;
}

QVariantMap HistoryView::saveState() const
{
    return {{QStringLiteral("filter"), m_filter->text()}, {QStringLiteral("group"), m_tabs->currentIndex()}};
}

void HistoryView::restoreState(const QVariantMap &state)
{
    m_filter->setFilter(state.value(QStringLiteral("filter")).toString());
    m_tabs->setCurrentIndex(state.value(QStringLiteral("group")).toInt() == 1 ? 1 : 0);
}

void HistoryView::retranslate()
{
    m_filter->setPlaceholderText(tr("Filter: event:expired name:lock* from:-15m"));
    m_filter->setAccessibleName(tr("Filter of the history"));
    m_go->setText(tr("Go to time"));
    m_go->parentWidget()->setMinimumHeight(
        m_go->sizeHint().height()); // nothing below moves while it is hidden
    m_go->setToolTip(tr("Show the events before this time (Ctrl+G)"));
    m_goTo->setAccessibleName(tr("Time to go to"));
    m_goTo->setToolTip(tr("21:20, yesterday 21:20, 2026-11-20 21:20 or -15m"));
    m_tabs->setTabText(0, tr("Events"));
    m_tabs->setTabText(1, tr("Holds"));
    m_table->setAccessibleName(tr("Events, newest first"));
    m_stateAt->setText(tr("State at this time"));
    m_around->setText(tr("Timeline around it"));
    showEventText();
    m_timeBar->setAccessibleName(tr("Time of the journal, with the density of the events read so far"));
    m_new->setToolTip(tr("Back to the newest events"));
    m_model->reword();
    showPhase();
}

} // namespace lockkeeper::app::views
