// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/history/history_view.h"

#include "app/filter/query_time.h"
#include "app/presentation/icons.h"
#include "app/presentation/theme.h"
#include "app/replica/replica.h"
#include "app/views/history/holds_page.h"
#include "app/views/history/journal_pages.h"
#include "app/views/history/time_bar.h"
#include "app/views/table/data_table.h"
#include "app/views/table/gap_delegate.h"
#include "app/views/widgets/field_error.h"
#include "app/views/widgets/filter_edit.h"
#include "app/views/widgets/filter_line.h"
#include "app/views/widgets/live_freeze.h"
#include "app/views/widgets/named.h"
#include "app/views/widgets/plain_label.h"
#include "app/views/widgets/requests.h"
#include "app/views/widgets/wrapped_label.h"
#include "app/words/error_words.h"

#include <QDateTime>
#include <QHBoxLayout>
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

RowSubject subjectOfEvent(const events::LockEvent &event)
{
    if (event.isSourceEvent())
        return {};
    return {{event.key}, events::Interval{event.timeUs, event.timeUs}, false};
}

} // namespace

HistoryView::HistoryView(const ConsoleContext &context, QWidget *parent)
    : ListView(context, parent),
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
    // The table still scrolls while it goes.
    m_events->table()->verticalScrollBar()->disconnect(this);
    m_events->table()->selectionModel()->disconnect(this);
    m_freeze->disconnect(this);
    m_model->disconnect(this);
    destroy({m_events});
}

QString HistoryView::title() const
{
    return tr("History");
}

void HistoryView::build()
{
    buildEvents();
    m_holds = new HoldsPage(context());
    m_pages = new QStackedWidget;
    m_pages->addWidget(m_events);
    m_pages->addWidget(m_holds);
    QVBoxLayout *column = addColumn();
    column->addWidget(buildBar());
    buildTabs();
    column->addWidget(m_tabs);
    column->addWidget(m_pages, 1);
    setList(m_events);
    m_freeze = new LiveFreeze(this);
    connect(m_freeze, &LiveFreeze::frozenChanged, this, &HistoryView::follow);
    connect(m_holds, &HoldsPage::allAsked, this, [this] { filterEdit()->setFilter({}); });
    connect(&m_releases, &models::ReleaseLookup::found, this, [this] {
        m_model->reword();
        showEventText();
    });
}

void HistoryView::buildTabs()
{
    m_tabs = named("historyTabs", new QTabBar);
    m_tabs->setDrawBase(false);
    m_tabs->setExpanding(false);
    m_tabs->addTab({});
    m_tabs->addTab({});
    connect(m_tabs, &QTabBar::currentChanged, this, &HistoryView::showTab);
}

void HistoryView::buildEvents()
{
    auto *table = new DataTable(context(), m_model.get(), QStringLiteral("history"), models::EventLockColumn);
    table->setDefaultWidths(kHistoryWidths);
    table->setSpareColumns({models::EventByColumn, models::SeqColumn, models::EventTtlColumn});
    table->setGrowingColumns({models::EventHolderColumn, models::EventByColumn});
    table->setItemDelegate(new GapDelegate(
        context().theme, &m_formatter, [this](int row) { return m_model->at(row); }, table));
    m_events = new ListPage(context(), table);
    buildTimeBar();
    m_events->addBeside(m_timeBar);
    m_events->addBelow(buildEventText());
    buildFoot();
    m_events->setReading([this] { m_model->cancel(); }, [this] { m_model->reload(); });
    m_events->setExport(
        QStringLiteral("lockkeeper-history"), // all that match the filter, not only what was scrolled to
        [this](records::FileFormat::Syntax kind) { return eventPages(context(), m_model->query(), kind); });
    m_events->setSubject([this](int row) { return subjectOfEvent(*m_model->at(row)); });
    m_events->setMenu([this](QMenu *menu, int row) {
        const events::LockEvent *event = m_model->at(row);
        if (!event->isSourceEvent())
            menu->addAction(tr("&Only this lock"), this,
                            [this, key = event->key] { Q_EMIT context().requests->historyAsked(key); });
    });
    connect(table->verticalScrollBar(), &QScrollBar::valueChanged, this, &HistoryView::onScrolled);
    connect(table->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
        showEventText();
        follow();
    });
    connect(table, &DataTable::activatedRow, this, [this](int row) {
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
    return m_events->table()->selectionModel()->hasSelection()
               ? m_model->at(m_events->table()->currentIndex().row())
               : nullptr;
}

QWidget *HistoryView::buildBar()
{
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
    const FilterLine *filter = addFilter(row, filter::QueryScope::History);
    row->addWidget(m_new);
    row->addWidget(m_goTo);
    row->addWidget(m_go);
    connect(filter, &FilterLine::applied, this, [this](const filter::Query &query) {
        m_model->setQuery(query);
        m_holds->setQuery(query);
        showFoot();
    });
    connect(m_goTo, &QLineEdit::textEdited, this, [this] { m_goToError->tell({}); });
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

void HistoryView::buildFoot()
{
    m_progress = new PlainLabel;
    m_cancel = new QPushButton;
    m_cancel->setFlat(true);
    keepSpace(m_cancel);
    m_events->addToFoot(m_progress);
    m_events->addToFoot(m_cancel);
    connect(m_cancel, &QPushButton::clicked, this, [this] {
        if (m_model->phase() == HistoryModel::LoadPhase::Loading)
            m_model->cancel();
        else if (m_model->isHalted())
            readOn();
        else
            goToNewest();
    });
}

void HistoryView::connectModel()
{
    connect(m_model.get(), &HistoryModel::phaseChanged, this, &HistoryView::showPhase);
    connect(m_model.get(), &HistoryModel::searchedOn, this, &HistoryView::showReading);
    connect(m_model.get(), &HistoryModel::newCountChanged, this, &HistoryView::showFoot);
    const auto counted = [this] {
        showPhase();
        showTimeBarLater();
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
    connect(context().times, &words::TimeFormat::changed, this, &HistoryView::restateGoTo);
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
    ListView::hideEvent(event);
    follow();
}

void HistoryView::showEvent(QShowEvent *event)
{
    ListView::showEvent(event);
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
    m_events->table()->scrollToTop();
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
    const QScrollBar *bar = m_events->table()->verticalScrollBar();
    m_model->setTailing(bar->value() == bar->minimum() && !m_model->hasNewer() && !m_freeze->isFrozen() &&
                        !m_events->table()->selectionModel()->hasSelection());
    showFoot();
}

void HistoryView::prefetch()
{
    const int first = m_events->table()->rowAt(0);
    if (first < 0)
        return;
    const int last = m_events->table()->rowAt(m_events->table()->viewport()->height() - 1);
    m_model->prefetch(first, last < 0 ? m_model->rowCount() - 1 : last);
}

/** `rows` rows were added above those in sight, or removed: keeps the visible rows in place. */
void HistoryView::keepTop(int rows)
{
    if (m_model->isTailing() || m_model->rowCount() <= rows)
        return;
    m_events->table()->doItemsLayout(); // the scroll bar's range with the new rows
    m_events->table()->verticalScrollBar()->setValue(m_events->table()->verticalScrollBar()->value() + rows);
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
        m_model->rowCount() > 0 ? m_progress->setText(readingText()) : showPhase();
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
    ListReading reading{loading, {}, readingText()};
    if (failed && !hasRows) // the foot names an error below rows
        reading.error = m_model->error();
    else if (!loading && m_model->hasOlder() && !(halted && m_model->searchedBackTo()))
        reading.error.code = base::ErrorCode::Cancelled;
    m_events->showState(reading, emptyText());
    if (hasRows && !loading && !failed && !halted)
        prefetch();
    showFoot();
}

EmptyList HistoryView::emptyText()
{
    const auto searchedTo = m_model->searchedBackTo();
    if (m_model->isHalted() && searchedTo)
        return {tr("No event matches so far"),
                tr("Reading was cancelled at %1: older events weren't searched.")
                    .arg(context().times->nearTime(*searchedTo, context().nowUs())),
                {{tr("Go on"), [this] { readOn(); }}}};
    if (filterEdit()->text().isEmpty())
        return {tr("No events yet"), tr("The agent has journalled nothing so far.")};
    return {tr("No event matches this filter"),
            tr("The filter hides the others."),
            {{tr("Show all events"), [this] { filterEdit()->setFilter({}); }}}};
}

void HistoryView::showFoot()
{
    const qint64 fresh = m_model->newCount();
    m_new->setVisible(fresh > 0 && !onHolds());
    m_new->setText(tr("%Ln new", nullptr, int(std::min<qint64>(fresh, 1'000'000'000))));
    if (m_model->estimatedTotal() == 0) {
        m_events->setNote({});
        return;
    }
    const int total = int(std::min<qint64>(m_model->estimatedTotal(), 1'000'000'000));
    QString text = filterEdit()->text().isEmpty() ? tr("%Ln event(s) in the journal", nullptr, total)
                                                  : tr("among about %Ln event(s)", nullptr, total);
    if (m_model->isTailing() && !context().replica->isOffline())
        text = tr("%1, following").arg(text);
    m_events->setNote({text});
}

bool HistoryView::onHolds() const
{
    return m_tabs->currentIndex() == 1;
}

void HistoryView::showTab()
{
    m_pages->setCurrentIndex(m_tabs->currentIndex());
    setList(onHolds() ? m_holds->list() : m_events);
    for (QWidget *ofEvents : QWidgetList{m_goTo, m_go})
        ofEvents->setVisible(!onHolds());
    showFoot();
}

void HistoryView::showEventText()
{
    const events::LockEvent *event = currentEvent();
    m_eventText->setText(event ? m_formatter.sentence(*event) : QString());
    m_stateAt->setEnabled(event != nullptr);
    m_around->setEnabled(event != nullptr);
}

void HistoryView::setFilter(const QString &text)
{
    activate();
    filterEdit()->setFilter(text);
}

QVariantMap HistoryView::saveState() const
{
    QVariantMap state = ListView::saveState();
    state.insert(QStringLiteral("group"), m_tabs->currentIndex());
    return state;
}

void HistoryView::restoreState(const QVariantMap &state)
{
    ListView::restoreState(state);
    m_tabs->setCurrentIndex(state.value(QStringLiteral("group")).toInt() == 1 ? 1 : 0);
}

void HistoryView::retranslate()
{
    filterEdit()->setPlaceholderText(tr("Filter: event:expired name:lock* from:-15m"));
    filterEdit()->setAccessibleName(tr("Filter of the history"));
    m_go->setText(tr("Go to time"));
    m_go->parentWidget()->setMinimumHeight(
        m_go->sizeHint().height()); // nothing below moves while it is hidden
    m_go->setToolTip(tr("Show the events before this time (Ctrl+G)"));
    m_goTo->setAccessibleName(tr("Time to go to"));
    m_goTo->setToolTip(tr("21:20, yesterday 21:20, 2026-11-20 21:20 or -15m"));
    m_tabs->setTabText(0, tr("Events"));
    m_tabs->setTabText(1, tr("Holds"));
    m_events->table()->setAccessibleName(tr("Events, newest first"));
    m_stateAt->setText(tr("State at this time"));
    m_around->setText(tr("Timeline around it"));
    showEventText();
    m_timeBar->setAccessibleName(tr("Time of the journal, with the density of the events read so far"));
    m_new->setToolTip(tr("Back to the newest events"));
    showPhase();
}

} // namespace lockkeeper::app::views
