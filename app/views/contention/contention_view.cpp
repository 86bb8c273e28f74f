// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/contention/contention_view.h"

#include "app/filter/history_filter.h"
#include "app/filter/query_time.h"
#include "app/views/contention/blockers_panel.h"
#include "app/views/contention/contention_panel.h"
#include "app/views/contention/range_bar.h"
#include "app/views/table/data_table.h"
#include "app/views/widgets/filter_edit.h"
#include "app/views/widgets/filter_line.h"
#include "app/views/widgets/named.h"
#include "app/views/widgets/plain_label.h"
#include "app/views/widgets/requests.h"
#include "app/words/error_words.h"
#include "app/words/time_format.h"
#include "shared/base/clock.h"
#include "shared/base/text.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QMenu>
#include <QPainter>
#include <QScrollArea>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <cstdlib>

namespace lockkeeper::app::views {

using base::kHourUs;
using filter::queryTime;

namespace {
constexpr int kRankingHeight = 240; ///< px that the other parts need first: a few rows, the filter, the notes
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
/** Of a lock's row; a group and a waiter have their own ways. */
RowSubject subjectOfRanked(const models::ContentionModel &model, int row)
{
    const bool isLock = model.grouping() != models::ContentionGrouping::Waiter && model.locksIn(row) == 0;
    return isLock ? RowSubject{{model.at(row)->key}, {}, false} : RowSubject();
}

QString withoutTimes(const QString &filter)
{
    return filter::withoutFields(filter, filter::QueryScope::Ranking,
                                 {filter::QueryField::From, filter::QueryField::To});
}
} // namespace

ContentionView::ContentionView(const ConsoleContext &context, QWidget *parent)
    : ListView(context, parent), m_model(*context.session)
{
    m_model.setFormatter(&m_formatter);
    build();
    connect(&m_model, &models::ContentionModel::stateChanged, this, &ContentionView::showState);
    connect(&m_model, &QAbstractItemModel::modelReset, this, &ContentionView::select);
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
    destroy({m_ranking});
}

QString ContentionView::title() const
{
    return tr("Contention");
}

QWidget *ContentionView::buildBar()
{
    m_range = new RangeBar(context());
    m_observed = named("observed", new PlainLabel);
    auto *widget = new QWidget;
    auto *bar = new QHBoxLayout(widget);
    bar->setContentsMargins({});
    bar->addWidget(m_range);
    m_group = named("group", new QComboBox);
    bar->addWidget(m_group);
    bar->addSpacing(8);
    bar->addWidget(m_observed, 1);
    connect(m_group, &QComboBox::currentIndexChanged, this, [this] {
        chooseRanking();
        refresh(); // groups need more locks than a list
    });
    connect(m_range, &RangeBar::typedDropped, this,
            [this] { setFilter(withoutTimes(filterEdit()->text())); });
    connect(m_range, &RangeBar::changed, this, &ContentionView::refresh);
    return widget;
}

void ContentionView::build()
{
    buildRanking();
    m_blockers = new BlockersPanel(context());
    models::BlockersModel *model = m_blockers->model();
    m_blockers->list()->setReading([model] { model->cancel(); }, [this] { refresh(); });
    connect(model, &models::BlockersModel::stateChanged, this, &ContentionView::showState);
    connect(context().session, &session::AgentGroup::agentChanged, model, &models::BlockersModel::clear);
    m_stack = new QStackedWidget;
    m_stack->addWidget(m_ranking);
    m_stack->addWidget(m_blockers);
    QVBoxLayout *column = addColumn();
    const FilterLine *filter = addFilter(column, filter::QueryScope::Ranking);
    column->addWidget(buildBar());
    column->addWidget(m_stack, 1);
    connect(filter, &FilterLine::applied, this, [this](const filter::Query &query) {
        const filter::Query rest = takeRange(query);
        m_model.setQuery(rest);
        m_blockers->model()->setQuery(rest);
        refresh();
    });
}

void ContentionView::buildRanking()
{
    auto *table =
        new DataTable(context(), &m_model, QStringLiteral("contention"), models::ContentionLockColumn);
    table->setDefaultWidths(kContentionWidths);
    table->setSpareColumns(kSpare);
    table->setSelectionMode(QAbstractItemView::SingleSelection);
    table->setSortable();
    m_panel = new ContentionPanel(context());
    m_panel->installEventFilter(this);
    m_course = new QScrollArea;
    m_course->setWidget(m_panel);
    m_course->setWidgetResizable(true);
    m_course->setFrameShape(QFrame::NoFrame);
    m_course->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_ranking = new ListPage(context(), table);
    m_ranking->setReading([this] { m_model.cancel(); }, [this] { refresh(); });
    m_ranking->setDetail(m_course, id(), {3, 2});
    m_ranking->setExport(QStringLiteral("lockkeeper-contention"));
    m_ranking->setSubject([this](int row) { return subjectOfRanked(m_model, row); });
    m_ranking->setMenu([this](QMenu *menu, int row) { fillMenu(menu, row); });
    setList(m_ranking);
    connect(table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            &ContentionView::showCourse);
    connect(table, &DataTable::activatedRow, this, &ContentionView::open);
    connect(m_panel, &ContentionPanel::spanAsked, this,
            [this](const domain::LockKey &key, events::Interval span) { askHistory(key, span); });
}

/** The box and the fields show the range that the filter names; the rest of the filter selects locks. */
filter::Query ContentionView::takeRange(const filter::Query &query)
{
    const protocol::HistoryQuery asked = filter::historyFilter(query).query;
    m_range->forgetTyped();
    if (!asked.fromUs && !asked.toUs)
        return query;
    const qint64 toUs = asked.toUs.value_or(context().nowUs());
    m_range->showTyped({asked.fromUs.value_or(toUs - kHourUs), toUs});
    return filter::withoutTimes(query, asked);
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
    DataTable *rows = list()->table();
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

void ContentionView::fillMenu(QMenu *menu, int row)
{
    const domain::Contention *contention = m_model.at(row);
    const domain::LockKey key = contention->key;
    const events::Interval range{m_model.fromUs(), m_model.toUs()};
    if (m_model.grouping() == models::ContentionGrouping::Waiter) {
        menu->addAction(tr("&Waits in this range"), this, [this, key, range] { askWaits(key, range); });
    } else if (m_model.locksIn(row) > 0) {
        menu->addAction(tr("&Its locks"), this, [this, key] { showGroup(key); });
    } else {
        menu->addAction(tr("&History in this range"), this, [this, key, range] { askHistory(key, range); });
        QAction *waits = menu->addAction(tr("&Waits in this range"), this, [this, key, range] {
            askHistory(key, range, QStringLiteral(" event:wait_start,wait_end"));
        });
        waits->setEnabled(contention->waitersVisible);
    }
}

/** A range that is the last hour becomes the moving range "last hour". */
void ContentionView::setRange(qint64 fromUs, qint64 toUs)
{
    const qint64 nowUs = context().nowUs();
    const QString others = withoutTimes(filterEdit()->text());
    if (toUs - fromUs == kHourUs && std::abs(nowUs - toUs) < kHourUs / 12) {
        setFilter(others);
        m_range->setRange(ContentionRange::Hour);
        refresh();
        return;
    }
    setFilter(
        (others + QStringLiteral(" from:%1 to:%2").arg(queryTime(fromUs), queryTime(toUs + 999))).trimmed());
}

void ContentionView::refresh()
{
    if (!isVisible())
        return;
    const auto [from, to] = m_range->interval();
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

void ContentionView::chooseRanking()
{
    if (blockerRanking()) {
        m_model.cancel();
        m_blockers->model()->clear(); // holders aren't statements
        m_stack->setCurrentWidget(m_blockers);
        setList(m_blockers->list());
    } else {
        m_blockers->model()->cancel();
        m_stack->setCurrentWidget(m_ranking);
        setList(m_ranking);
        m_model.setGrouping(models::ContentionGrouping(std::max(0, m_group->currentIndex())));
    }
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
        m_ranking->table()->selectRow(wanted); // its course follows
    else
        m_panel->clear();
}

void ContentionView::showCourse()
{
    const domain::Contention *contention = m_model.at(m_ranking->table()->currentIndex().row());
    if (!contention)
        return m_panel->clear();
    m_selected = contention->key;
    if (m_model.locksIn(m_ranking->table()->currentIndex().row()) > 0)
        return m_panel->clear();
    m_panel->show(*contention, {m_model.fromUs(), m_model.toUs()});
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

/** Names the range of the old rows: the box and the fields may show another range by now. */
QString ContentionView::unreadText(const base::Error &error, events::Interval range) const
{
    const words::TimeFormat &times = *context().times;
    const auto [fromUs, toUs] = range;
    return tr("Not read again: %1. The data shown are of %2 – %3 %4.", "cause, time, time, zone")
        .arg(words::ErrorWords::line(error), times.dateTime(fromUs), times.nearTime(toUs, fromUs),
             times.zoneText(toUs));
}

void ContentionView::showBlockers()
{
    models::BlockersModel &model = *m_blockers->model();
    const bool any = model.rowCount() > 0;
    m_blockers->retranslate();
    m_observed->setText(any ? observedText() : QString());
    m_blockers->list()->setNote(any || model.unattributedUs() > 0 ? m_blockers->notes() : QStringList());
    m_blockers->list()->showState(
        {model.isLoading(), model.error(), {}, unreadText(model.error(), {model.fromUs(), model.toUs()})},
        emptyText(model.hasRead()));
}

void ContentionView::showState()
{
    if (blockerRanking())
        return showBlockers();
    const bool any = m_model.rowCount() > 0;
    m_observed->setText(any ? observedText() : QString());
    m_ranking->setNote(any ? notes() : QStringList());
    m_ranking->showState({m_model.isLoading(),
                          m_model.error(),
                          {},
                          unreadText(m_model.error(), {m_model.fromUs(), m_model.toUs()})},
                         emptyText(m_model.hasRead()));
}

QStringList ContentionView::notes() const
{
    bool blind = false;
    for (int row = 0; row < m_model.rowCount(); ++row)
        blind = blind || !m_model.at(row)->waitersVisible;
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
    return notes;
}

EmptyList ContentionView::emptyText(bool hasRead)
{
    if (!hasRead)
        return {tr("Nothing was read"),
                tr("Reading was cancelled, or no agent is connected."),
                {{tr("Try again"), [this] { refresh(); }}}};
    if (m_model.isFiltered())
        return {tr("No lock matches this filter"),
                tr("Among the locks with waits or hand-overs in this range."),
                {{tr("Show all locks"), [this] { setFilter({}); }}}};
    if (blockerRanking())
        return {
            tr("No waiting that somebody caused"),
            tr("No client is known to have held a lock while others waited for it, as far as this time was "
               "observed.")};
    return {tr("No contention in this range"),
            tr("No lock was waited for or changed hands in this time, as far as it was observed.")};
}

QVariantMap ContentionView::saveState() const
{
    QVariantMap state = ListView::saveState();
    state.insert(QStringLiteral("range"), m_range->saved());
    state.insert(QStringLiteral("group"), m_group->currentIndex());
    return state;
}

void ContentionView::restoreState(const QVariantMap &state)
{
    m_range->restore(state.value(QStringLiteral("range")).toString());
    const int group = state.value(QStringLiteral("group"), 0).toInt();
    if (group >= 0 && group < m_group->count())
        m_group->setCurrentIndex(group);
    ListView::restoreState(state);
}

void ContentionView::retranslate()
{
    m_range->retranslate();
    showGroups();
    filterEdit()->setPlaceholderText(tr("Filter: name, or source:x place:app.stock from:-6h to:-5h"));
    filterEdit()->setAccessibleName(tr("Filter of the ranking"));
    m_ranking->table()->setAccessibleName(tr("Locks by waiting"));
    m_blockers->retranslate();
    showState();
}

void ContentionView::showGroups()
{
    const QSignalBlocker still(m_group);
    const int group = std::max(0, m_group->currentIndex());
    m_group->clear();
    m_group->addItems({tr("Each lock"), tr("By table or place"), tr("By source"), tr("By waiter"),
                       tr("By holder"), tr("By statement")});
    m_group->setCurrentIndex(std::min(group, m_group->count() - 1));
    m_group->setAccessibleName(tr("Group"));
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
