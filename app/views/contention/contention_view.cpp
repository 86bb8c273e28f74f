// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/contention/contention_view.h"

#include "app/filter/history_filter.h"
#include "app/filter/query_time.h"
#include "app/presentation/icons.h"
#include "app/views/contention/blockers_panel.h"
#include "app/views/contention/contention_panel.h"
#include "app/views/table/data_table.h"
#include "app/views/widgets/banner_area.h"
#include "app/views/widgets/calendar_dress.h"
#include "app/views/widgets/filter_edit.h"
#include "app/views/widgets/filter_line.h"
#include "app/views/widgets/named.h"
#include "app/views/widgets/plain_label.h"
#include "app/views/widgets/requests.h"
#include "app/views/widgets/state_page.h"
#include "app/views/widgets/wrapped_label.h"
#include "app/words/error_words.h"
#include "app/words/time_format.h"
#include "shared/base/clock.h"
#include "shared/base/text.h"

#include <QCalendarWidget>
#include <QComboBox>
#include <QDateTimeEdit>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QMenu>
#include <QPainter>
#include <QScrollArea>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <cstdlib>

namespace lockkeeper::app::views {

using base::kHourUs;
using filter::queryTime;

namespace {
constexpr qint64 kMinuteUs = 60'000'000;
constexpr int kRankingHeight = 240; ///< px that the other parts need first: a few rows, the filter, the notes
const QByteArray kStaleRanking = QByteArrayLiteral("stale");
const QHash<int, int> kContentionWidths{
    {models::ContentionWaitingColumn, 84},   {models::ContentionWaitsColumn, 72},
    {models::ContentionWaitTimeColumn, 136}, {models::ContentionHoldTimeColumn, 136},
    {models::ContentionHandoverColumn, 148}, {models::ContentionHeldColumn, 136},
    {models::ContentionChangesColumn, 100},  {models::ContentionBeforeColumn, 92},
    {models::ContentionForcedColumn, 72},    {models::ContentionSourceColumn, 116},
    {models::ContentionObservedColumn, 84},
};
const QList<int> kSpare{models::ContentionObservedColumn, models::ContentionForcedColumn,
                        models::ContentionSourceColumn,   models::ContentionWaitsColumn,
                        models::ContentionHoldTimeColumn, models::ContentionBeforeColumn};
QString withoutTimes(const QString &filter)
{
    return filter::withoutFields(filter, filter::QueryScope::Ranking,
                                 {filter::QueryField::From, filter::QueryField::To});
}
} // namespace

std::pair<qint64, qint64> boundsOf(ContentionRange range, const QDateTime &now)
{
    const qint64 nowUs = now.toMSecsSinceEpoch() * 1000;
    switch (range) {
    case ContentionRange::Hour:
        break;
    case ContentionRange::Day:
    case ContentionRange::Custom:
        return {nowUs - 24 * kHourUs, nowUs};
    case ContentionRange::Week:
        return {nowUs - 7 * 24 * kHourUs, nowUs};
    case ContentionRange::LastNight: {
        QDateTime to = now;
        to.setTime(QTime(8, 0));
        QDateTime from = to.addDays(-1);
        from.setTime(QTime(22, 0));
        // Between 22:00 and 8:00 the present night counts.
        if (now.time() >= QTime(22, 0)) {
            from = from.addDays(1);
            to = to.addDays(1);
        }
        return {from.toMSecsSinceEpoch() * 1000, std::min(nowUs, to.toMSecsSinceEpoch() * 1000)};
    }
    }
    return {nowUs - kHourUs, nowUs};
}

qint64 stepFor(qint64 rangeUs)
{
    if (rangeUs <= 2 * kHourUs)
        return 5 * kMinuteUs;
    if (rangeUs < 24 * kHourUs)
        return 30 * kMinuteUs;
    if (rangeUs <= 14 * 24 * kHourUs)
        return kHourUs;
    constexpr qint64 kMostSlices = 400;
    const qint64 days = rangeUs / (24 * kHourUs) + 1;
    return 24 * kHourUs * (days / kMostSlices + 1);
}

ContentionView::ContentionView(const ConsoleContext &context, QWidget *parent)
    : RowsView(context, parent), m_model(*context.session)
{
    m_model.setFormatter(&m_formatter);
    build();
    connect(&m_model, &models::ContentionModel::stateChanged, this, &ContentionView::showState);
    connect(&m_model, &QAbstractItemModel::modelReset, this, [this] {
        select();
        Q_EMIT rowsChanged();
    });
    connect(context.times, &words::TimeFormat::changed, this, &ContentionView::showZone);
    connect(context.session, &session::AgentGroup::agentChanged, &m_model, &models::ContentionModel::clear);
    connect(context.session, &session::AgentGroup::linkChanged, this, [this] {
        const models::BlockersModel &blockers = *m_blockers->model();
        const bool lacks = blockerRanking() ? blockers.rowCount() == 0 || !blockers.error().cause.isEmpty()
                                            : m_model.rowCount() == 0 || !m_model.error().cause.isEmpty();
        if (View::context().session->link() == session::LinkState::Live && lacks)
            refresh();
    });
    retranslate();
}

ContentionView::~ContentionView()
{
    m_blockers->model()->disconnect(this);
    m_blockers->table()->selectionModel()->disconnect(this);
    setRows(m_table, &m_model, QStringLiteral("lockkeeper-contention"));
    letGoOfRows();
}

QString ContentionView::title() const
{
    return tr("Contention");
}

QWidget *ContentionView::buildBar()
{
    m_range = named("range", new QComboBox);
    m_from = named("from", new QDateTimeEdit);
    m_to = named("to", new QDateTimeEdit);
    m_observed = named("observed", new PlainLabel);
    auto *widget = new QWidget;
    auto *bar = new QHBoxLayout(widget);
    bar->setContentsMargins({});
    bar->addWidget(m_range);
    for (QDateTimeEdit *edit : {m_from, m_to}) {
        edit->setCalendarPopup(true);
        dressCalendar(edit->calendarWidget(), context().theme);
        edit->hide();
        bar->addWidget(edit);
        connect(edit, &QDateTimeEdit::editingFinished, this, [this] {
            if (m_typed && *m_typed != editedRange())
                dropTyped();
            refresh();
        });
    }
    m_group = named("group", new QComboBox);
    bar->addWidget(m_group);
    bar->addSpacing(8);
    bar->addWidget(m_observed, 1);
    connect(m_group, &QComboBox::currentIndexChanged, this, [this] {
        chooseRanking();
        refresh(); // groups need more locks than a list
    });
    connect(m_range, &QComboBox::currentIndexChanged, this, [this] {
        dropTyped();
        chooseRange();
    });
    return widget;
}

void ContentionView::build()
{
    QWidget *bar = buildBar();
    m_filter = new FilterLine(context(), filter::QueryScope::Ranking);
    m_table = new DataTable(context(), &m_model, QStringLiteral("contention"), models::ContentionLockColumn);
    m_table->setDefaultWidths(kContentionWidths);
    setRows(m_table, &m_model, QStringLiteral("lockkeeper-contention"));
    m_table->setSpareColumns(kSpare);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setSortable();
    m_panel = new ContentionPanel(context());
    m_panel->installEventFilter(this);
    m_page = new StatePage;
    m_split = new QSplitter(Qt::Vertical);
    m_split->addWidget(m_table);
    m_course = new QScrollArea;
    m_course->setWidget(m_panel);
    m_course->setWidgetResizable(true);
    m_course->setFrameShape(QFrame::NoFrame);
    m_course->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_split->addWidget(m_course);
    m_split->setStretchFactor(0, 3);
    m_split->setStretchFactor(1, 2);
    m_split->setChildrenCollapsible(false);
    keepSplitter(m_split, context().settings, id());
    m_stack = new QStackedWidget;
    m_stack->addWidget(m_split);
    m_stack->addWidget(m_page);
    m_blockers = new BlockersPanel(context());
    m_stack->addWidget(m_blockers);
    m_banner = new BannerArea(context().theme);
    m_note = new WrappedLabel;
    m_note->setMuted(true);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(8, 8, 8, 8);
    column->setSpacing(8);
    column->addWidget(m_filter);
    column->addWidget(bar);
    column->addWidget(m_stack, 1);
    column->addWidget(m_note);
    column->addWidget(m_banner); // below the rows, so that a banner doesn't move them
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this] {
        showCourse();
        Q_EMIT rowsChanged();
    });
    connect(m_table, &DataTable::activatedRow, this, &ContentionView::open);
    m_table->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(m_table, &QWidget::customContextMenuRequested, this, &ContentionView::showMenu);
    connect(m_blockers->model(), &models::BlockersModel::stateChanged, this, &ContentionView::showState);
    connect(m_blockers->model(), &QAbstractItemModel::modelReset, this, [this] { Q_EMIT rowsChanged(); });
    connect(m_blockers->table()->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            [this] { Q_EMIT rowsChanged(); });
    connect(m_blockers, &BlockersPanel::copyAsked, this, [this] { copyText(); });
    connect(context().session, &session::AgentGroup::agentChanged, m_blockers->model(),
            &models::BlockersModel::clear);
    connect(m_panel, &ContentionPanel::spanAsked, this,
            [this](const domain::LockKey &key, events::Interval span) { askHistory(key, span); });
    connect(m_filter->edit(), &FilterEdit::left, m_table, qOverload<>(&QWidget::setFocus));
    connect(m_filter, &FilterLine::applied, this, [this](const filter::Query &query) {
        const filter::Query rest = takeRange(query);
        m_model.setQuery(rest);
        m_blockers->model()->setQuery(rest);
        refresh();
    });
}

/** The box and the fields show the range that the filter names; the rest of the filter selects locks. */
filter::Query ContentionView::takeRange(const filter::Query &query)
{
    const protocol::HistoryQuery asked = filter::historyFilter(query).query;
    m_typed.reset();
    if (!asked.fromUs && !asked.toUs)
        return query;
    const qint64 toUs = asked.toUs.value_or(context().nowUs());
    m_typed = {asked.fromUs.value_or(toUs - kHourUs), toUs};
    const QSignalBlocker quiet(m_range);
    m_range->setCurrentIndex(int(ContentionRange::Custom));
    m_from->setDateTime(QDateTime::fromMSecsSinceEpoch(m_typed->fromUs / 1000, m_from->timeSpec()));
    m_to->setDateTime(QDateTime::fromMSecsSinceEpoch(m_typed->toUs / 1000, m_to->timeSpec()));
    m_typed = editedRange();
    showZone();
    m_from->show();
    m_to->show();
    filter::Query rest = query;
    rest.clauses.removeIf([&asked](const QList<filter::QueryTerm> &clause) {
        const filter::QueryTerm &term = clause.first();
        const auto &taken = term.field == filter::QueryField::From ? asked.fromUs : asked.toUs;
        const bool isTime = term.field == filter::QueryField::From || term.field == filter::QueryField::To;
        return isTime && clause.size() == 1 && !term.negated && term.values.size() == 1 &&
               term.values.first().number == taken;
    });
    return rest;
}

/** The user chose another range than the filter names. */
void ContentionView::dropTyped()
{
    if (!m_typed)
        return;
    m_typed.reset();
    setFilter(withoutTimes(m_filter->edit()->text()));
}

events::Interval ContentionView::editedRange() const
{
    return {m_from->dateTime().toMSecsSinceEpoch() * 1000, m_to->dateTime().toMSecsSinceEpoch() * 1000};
}

/** The events of a lock in that time: what they are read for is the range that is shown here. */
void ContentionView::askHistory(const domain::LockKey &key, events::Interval span, const QString &more)
{
    Q_EMIT context().requests->viewAsked(
        QByteArrayLiteral("history"),
        filter::filterFor(key) +
            QStringLiteral(" from:%1 to:%2%3").arg(queryTime(span.fromUs), queryTime(span.toUs + 999), more));
}

/** Asks the History view for the waits of `waiter` in that time. */
void ContentionView::askWaits(const domain::LockKey &waiter, events::Interval span)
{
    Q_EMIT context().requests->viewAsked(
        QByteArrayLiteral("history"),
        QStringLiteral("source:=%1 waiter:=%2 from:%3 to:%4 event:wait_start,wait_end")
            .arg(filter::quoteWord(waiter.source), filter::quoteWord(base::textOf(waiter.name)),
                 queryTime(span.fromUs), queryTime(span.toUs + 999)));
}

/** Shows the locks of a group one by one. */
void ContentionView::showGroup(const domain::LockKey &key)
{
    QString filter = QStringLiteral("source:=") + filter::quoteWord(key.source);
    if (!key.place.isEmpty()) // of a table and its indexes
        filter += QStringLiteral(" place:=%1,%1/*").arg(filter::quoteWord(base::textOf(key.place)));
    m_group->setCurrentIndex(int(models::ContentionGrouping::None));
    setFilter(filter);
}

/** The ranking as far as it is in sight, and below it the selected lock's charts. */
std::optional<ViewPicture> ContentionView::picture() const
{
    const bool ofBlockers = blockerRanking().has_value();
    DataTable *rows = ofBlockers ? m_blockers->table() : m_table;
    if (rows->model()->rowCount() == 0)
        return std::nullopt;
    const QSize ranking = rows->size();
    const QSize course = m_selected && !ofBlockers ? m_panel->size() : QSize();
    return ViewPicture{
        tr("Contention – %1", "agent").arg(base::displayText(context().session->welcome().agent)),
        ofBlockers ? context().times->wholeRange(m_blockers->model()->fromUs(), m_blockers->model()->toUs())
                   : context().times->wholeRange(m_model.fromUs(), m_model.toUs()),
        QStringLiteral("lockkeeper-contention"),
        QSize(std::max(ranking.width(), course.width()), ranking.height() + course.height()),
        [table = rows, panel = m_panel, ranking, course](QPainter &painter) {
            table->render(&painter);
            if (course.isEmpty())
                return;
            painter.translate(0, ranking.height());
            panel->render(&painter);
        }};
}

void ContentionView::open(int row)
{
    const domain::Contention *contention = m_model.at(row);
    if (!contention)
        return;
    if (m_model.grouping() == models::ContentionGrouping::Waiter)
        askWaits(contention->key, {m_model.fromUs(), m_model.toUs()});
    else if (m_model.locksIn(row) > 0)
        showGroup(domain::LockKey(contention->key));
    else
        askHistory(contention->key, {m_model.fromUs(), m_model.toUs()});
}

void ContentionView::showMenu(const QPoint &at)
{
    const int row = m_table->indexAt(at).row();
    const domain::Contention *contention = m_model.at(row);
    if (!contention)
        return;
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const domain::LockKey key = contention->key;
    const events::Interval range{m_model.fromUs(), m_model.toUs()};
    if (m_model.grouping() == models::ContentionGrouping::Waiter) {
        menu->addAction(tr("&Waits in this range"), this, [this, key, range] { askWaits(key, range); });
    } else if (m_model.locksIn(row) > 0) {
        menu->addAction(tr("&Its locks"), this, [this, key] { showGroup(key); });
    } else {
        menu->addAction(tr("Show in &Locks"), this,
                        [this, key] { Q_EMIT context().requests->lockAsked(key); });
        menu->addAction(tr("&History in this range"), this, [this, key, range] { askHistory(key, range); });
        QAction *waits = menu->addAction(tr("&Waits in this range"), this, [this, key, range] {
            askHistory(key, range, QStringLiteral(" event:wait_start,wait_end"));
        });
        waits->setEnabled(contention->waitersVisible);
    }
    menu->addSeparator();
    menu->addAction(presentation::icon(QLatin1String("edit-copy")), tr("&Copy"), this,
                    [this] { copyText(); });
    menu->popup(m_table->viewport()->mapToGlobal(at));
}

void ContentionView::focusFilter()
{
    m_filter->edit()->setFocus();
    m_filter->edit()->selectAll();
}

void ContentionView::setFilter(const QString &text)
{
    m_filter->edit()->setFilter(text);
}

/** A range that is the last hour becomes the moving range "last hour". */
void ContentionView::setRange(qint64 fromUs, qint64 toUs)
{
    const qint64 nowUs = context().nowUs();
    const QString others = withoutTimes(m_filter->edit()->text());
    if (toUs - fromUs == kHourUs && std::abs(nowUs - toUs) < 5 * kMinuteUs) {
        setFilter(others);
        m_range->setCurrentIndex(int(ContentionRange::Hour));
        refresh();
        return;
    }
    setFilter(
        (others + QStringLiteral(" from:%1 to:%2").arg(queryTime(fromUs), queryTime(toUs + 999))).trimmed());
}

void ContentionView::activate()
{
    refresh();
}

void ContentionView::chooseRange()
{
    const bool custom = m_range->currentIndex() == int(ContentionRange::Custom);
    m_from->setVisible(custom);
    m_to->setVisible(custom);
    if (custom && m_from->dateTime() == m_to->dateTime())
        showZone();
    refresh();
}

/** The user types the ends in the displayed zone, which the fields name. */
void ContentionView::showZone()
{
    const bool utc = context().times->zone() == words::Zone::Utc;
    const QString zone = context().times->zoneText(context().nowUs());
    const bool chosen = m_from->dateTime() != m_to->dateTime();
    const auto [from, to] = chosen
                                ? std::pair(editedRange().fromUs, editedRange().toUs)
                                : boundsOf(ContentionRange::Custom, context().times->at(context().nowUs()));
    for (const auto &[edit, us] : {std::pair<QDateTimeEdit *, qint64>{m_from, from}, {m_to, to}}) {
        edit->setTimeSpec(utc ? Qt::UTC : Qt::LocalTime);
        edit->setDisplayFormat(QStringLiteral("yyyy-MM-dd HH:mm '%1'").arg(zone));
        edit->setDateTime(QDateTime::fromMSecsSinceEpoch(us / 1000, utc ? Qt::UTC : Qt::LocalTime));
    }
}

void ContentionView::refresh()
{
    if (!isVisible() || m_range->currentIndex() < 0)
        return;
    const auto range = ContentionRange(m_range->currentIndex());
    auto [from, to] = boundsOf(range, context().times->at(context().nowUs()));
    if (range == ContentionRange::Custom) {
        from = editedRange().fromUs;
        to = m_typed ? m_typed->toUs : std::max(from + kMinuteUs, editedRange().toUs);
    }
    if (const auto ranking = blockerRanking())
        m_blockers->model()->ask(*ranking, from, to);
    else
        m_model.ask(from, to);
}

std::optional<domain::ContentionRanking> ContentionView::blockerRanking() const
{
    switch (m_group->currentIndex() - int(models::ContentionGrouping::Waiter)) {
    case 1:
        return domain::ContentionRanking::Holder;
    case 2:
        return domain::ContentionRanking::Statement;
    default:
        return std::nullopt;
    }
}

/** The rows to count, copy and export are those of the table in sight. */
void ContentionView::chooseRanking()
{
    if (blockerRanking()) {
        m_model.cancel();
        m_blockers->model()->clear(); // holders aren't statements
        setRows(m_blockers->table(), m_blockers->model(), QStringLiteral("lockkeeper-blockers"));
    } else {
        m_blockers->model()->cancel();
        setRows(m_table, &m_model, QStringLiteral("lockkeeper-contention"));
        m_model.setGrouping(models::ContentionGrouping(std::max(0, m_group->currentIndex())));
    }
    Q_EMIT rowsChanged();
}

/** Selects the lock that was selected before, or else the lock that cost most. */
void ContentionView::select()
{
    int wanted = m_model.rowCount() > 0 ? 0 : -1;
    for (int row = 0; row < m_model.rowCount(); ++row) {
        if (m_selected && m_model.at(row)->key == *m_selected)
            wanted = row;
    }
    if (wanted >= 0)
        m_table->selectRow(wanted); // its course follows
    else
        m_panel->clear();
}

void ContentionView::showCourse()
{
    const domain::Contention *contention = m_model.at(m_table->currentIndex().row());
    if (!contention)
        return m_panel->clear();
    m_selected = contention->key;
    if (m_model.locksIn(m_table->currentIndex().row()) > 0)
        return m_panel->clear();
    m_panel->show(*contention, {m_model.fromUs(), m_model.toUs()}, stepFor(m_model.rangeUs()));
}

QString ContentionView::observedText() const
{
    double least = 1;
    double most = 0;
    const auto add = [&](qint64 observedUs, qint64 rangeUs) {
        const double share = double(observedUs) / double(std::max<qint64>(1, rangeUs));
        least = std::min(least, share);
        most = std::max(most, share);
    };
    const models::BlockersModel &blockers = *m_blockers->model();
    for (int row = 0; blockerRanking() && row < blockers.rowCount(); ++row)
        add(blockers.at(row)->observedUs, blockers.toUs() - blockers.fromUs());
    for (int row = 0; !blockerRanking() && row < m_model.rowCount(); ++row)
        add(m_model.at(row)->observedUs, m_model.rangeUs());
    using presentation::ContentionFormatter;
    const QString low = ContentionFormatter::percent(least);
    const QString high = ContentionFormatter::percent(most);
    return low == high ? tr("Observed %1 of this range").arg(low)
                       : tr("Observed %1 to %2 of this range, by source").arg(low, high);
}

/**
 * If the ranking can't be read again, the last ranking stays and names its range: the box and the fields may
 * show another range by now.
 */
void ContentionView::showStale(const base::Error &error, DataTable *table, events::Interval range)
{
    const bool stale = table->model()->rowCount() > 0 && !error.cause.isEmpty();
    table->setStale(stale);
    if (!stale)
        return m_banner->removeBanner(kStaleRanking);
    const words::TimeFormat &times = *context().times;
    const auto [fromUs, toUs] = range;
    m_banner->showBanner(
        {kStaleRanking, presentation::BannerKind::Warning,
         tr("Not read again: %1. The data shown are of %2 – %3 %4.", "cause, time, time, zone")
             .arg(words::ErrorWords::line(error), times.dateTime(fromUs), times.nearTime(toUs, fromUs),
                  times.zoneText(toUs)),
         tr("Try again"), [this] { refresh(); }, false});
}

void ContentionView::showBlockers()
{
    models::BlockersModel &model = *m_blockers->model();
    const bool any = model.rowCount() > 0;
    m_blockers->retranslate();
    m_observed->setText(any ? observedText() : QString());
    const QStringList notes = m_blockers->notes();
    m_note->setText(notes.join(QLatin1Char('\n')));
    m_note->setVisible(!notes.isEmpty() && (any || model.unattributedUs() > 0));
    showStale(model.error(), m_blockers->table(), {model.fromUs(), model.toUs()});
    if (any)
        m_stack->setCurrentWidget(m_blockers);
    else
        showPage(model.error(), model.isLoading(), model.hasRead());
}

void ContentionView::showState()
{
    if (blockerRanking())
        return showBlockers();
    const base::Error &error = m_model.error();
    const bool any = m_model.rowCount() > 0;
    bool blind = false;
    for (int row = 0; row < m_model.rowCount(); ++row)
        blind = blind || !m_model.at(row)->waitersVisible;
    m_observed->setText(any ? observedText() : QString());
    QStringList notes;
    if (m_model.filterIsCut())
        notes.append(tr("By waiter, one name in the filter counts alone: its other terms are left out."));
    if (m_model.hasMore() && m_model.grouping() == models::ContentionGrouping::Waiter)
        notes.append(
            tr("These are the %n that waited longest; there are more.", nullptr, int(m_model.readLocks())));
    else if (m_model.hasMore())
        notes.append(tr("Showing the %n locks with the most waiting.", nullptr, int(m_model.readLocks())));
    if (blind)
        notes.append(tr("?: this scheme doesn't show waiters, only how fast and how often the lock changes "
                        "hands; beside \"vs. before\": not enough data in the previous period."));
    m_note->setText(notes.join(QLatin1Char('\n')));
    m_note->setVisible(any && !notes.isEmpty());
    showStale(error, m_table, {m_model.fromUs(), m_model.toUs()});
    if (any)
        m_stack->setCurrentWidget(m_split);
    else
        showPage(error, m_model.isLoading(), m_model.hasRead());
}

/** In place of a ranking without rows. */
void ContentionView::showPage(const base::Error &error, bool isLoading, bool hasRead)
{
    if (isLoading)
        m_page->showLoading(tr("Reading…"), {tr("Cancel"), [this] {
                                                 m_model.cancel();
                                                 m_blockers->model()->cancel();
                                             }});
    else if (!error.cause.isEmpty())
        m_page->showError(error, [this] { refresh(); });
    else if (!hasRead)
        m_page->showEmpty(tr("Nothing was read"), tr("Reading was cancelled, or no agent is connected."),
                          {{tr("Try again"), [this] { refresh(); }}});
    else if (m_model.isFiltered())
        m_page->showEmpty(tr("No lock matches this filter"),
                          tr("Among the locks with waits or hand-overs in this range."),
                          {{tr("Show all locks"), [this] { setFilter({}); }}});
    else if (blockerRanking())
        m_page->showEmpty(
            tr("No waiting that somebody caused"),
            tr("No client is known to have held a lock while others waited for it, as far as this "
               "time was observed."));
    else
        m_page->showEmpty(
            tr("No contention in this range"),
            tr("No lock was waited for or changed hands in this time, as far as it was observed."));
    m_stack->setCurrentWidget(m_page);
}

QVariantMap ContentionView::saveState() const
{
    QString range = QString::number(m_range->currentIndex());
    if (m_range->currentIndex() == int(ContentionRange::Custom))
        range += QStringLiteral(" %1 %2").arg(queryTime(editedRange().fromUs), queryTime(editedRange().toUs));
    return {{QStringLiteral("range"), range},
            {QStringLiteral("group"), m_group->currentIndex()},
            {QStringLiteral("filter"), m_filter->edit()->text()}};
}

void ContentionView::restoreState(const QVariantMap &state)
{
    const QStringList kept = state.value(QStringLiteral("range")).toString().split(QLatin1Char(' '));
    const QDateTime from = QDateTime::fromString(kept.value(1), Qt::ISODateWithMs);
    const QDateTime to = QDateTime::fromString(kept.value(2), Qt::ISODateWithMs);
    if (from.isValid() && to.isValid()) {
        m_from->setDateTime(from.toTimeSpec(m_from->timeSpec()));
        m_to->setDateTime(to.toTimeSpec(m_to->timeSpec()));
        showZone();
    }
    const int range = kept.first().toInt();
    if (range >= 0 && range < m_range->count())
        m_range->setCurrentIndex(range);
    const int group = state.value(QStringLiteral("group"), 0).toInt();
    if (group >= 0 && group < m_group->count())
        m_group->setCurrentIndex(group);
    setFilter(state.value(QStringLiteral("filter")).toString());
}

void ContentionView::retranslate()
{
    for (const QDateTimeEdit *edit : {m_from, m_to})
        edit->calendarWidget()->setLocale(QLocale());
    const QSignalBlocker quiet(m_range);
    const int range = std::max(0, m_range->currentIndex());
    m_range->clear();
    m_range->addItems(
        {tr("Last hour"), tr("Last night, 22–08"), tr("Last 24 hours"), tr("Last 7 days"), tr("From – to")});
    m_range->setCurrentIndex(range);
    m_range->setAccessibleName(tr("Range"));
    const QSignalBlocker still(m_group);
    const int group = std::max(0, m_group->currentIndex());
    m_group->clear();
    m_group->addItems({tr("Each lock"), tr("By table or place"), tr("By source"), tr("By waiter"),
                       tr("By holder"), tr("By statement")});
    m_group->setCurrentIndex(std::min(group, m_group->count() - 1));
    m_group->setAccessibleName(tr("Group"));
    m_filter->edit()->setPlaceholderText(tr("Filter: name, or source:x place:app.stock from:-6h to:-5h"));
    m_filter->edit()->setAccessibleName(tr("Filter of the ranking"));
    m_from->setAccessibleName(tr("Beginning of the range"));
    m_to->setAccessibleName(tr("End of the range"));
    m_table->setAccessibleName(tr("Locks by waiting"));
    m_model.reword();
    m_blockers->retranslate();
    showState();
}

void ContentionView::resizeEvent(QResizeEvent *event)
{
    View::resizeEvent(event);
    fitCourse();
}

bool ContentionView::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_panel && event->type() == QEvent::LayoutRequest)
        fitCourse(); // the days of the heat map are others
    return View::eventFilter(watched, event);
}

/** Shows the charts and the heat map whole. In a low window they scroll, so that the ranking keeps its rows.
 */
void ContentionView::fitCourse()
{
    const int wanted = m_panel->minimumSizeHint().height();
    m_course->setMinimumHeight(std::max(height() / 3, std::min(wanted, height() - kRankingHeight)));
}

} // namespace lockkeeper::app::views
