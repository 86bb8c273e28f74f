// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/timeline/timeline_view.h"

#include "app/models/seconds.h"
#include "app/presentation/icons.h"
#include "app/replica/replica.h"
#include "app/replica/selection.h"
#include "app/views/table/data_table.h"
#include "app/views/table/list_page.h"
#include "app/views/timeline/timeline_canvas.h"
#include "app/views/timeline/timeline_legend.h"
#include "app/views/timeline/timeline_strip.h"
#include "app/views/widgets/filter_edit.h"
#include "app/views/widgets/filter_line.h"
#include "app/views/widgets/named.h"
#include "app/views/widgets/plain_label.h"
#include "app/views/widgets/requests.h"
#include "app/views/widgets/state_page.h"
#include "app/views/widgets/wrapped_label.h"
#include "app/words/error_words.h"
#include "shared/base/clock.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QPushButton>
#include <QScrollBar>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace lockkeeper::app::views {

using base::kHourUs;
using timeline::Hit;
using timeline::LaneId;
using timeline::TimeRange;

namespace {
constexpr int kAgainMs = 1000; ///< between two readings because of events
constexpr int kSlowMs = 150;
const QHash<int, int> kBarWidths{{timeline::BarKindColumn, 72},
                                 {timeline::BarWhoColumn, 150},
                                 {timeline::BarFromColumn, kTimeWidth - 22},
                                 {timeline::BarToColumn, kTimeWidth},
                                 {timeline::BarLengthColumn, 92},
                                 {timeline::BarEndColumn, 110},
                                 {timeline::BarRenewalsColumn, 80},
                                 {timeline::BarSourceColumn, 110}};
} // namespace

TimelineView::TimelineView(const ConsoleContext &context, QWidget *parent)
    : ListView(context, parent),
      m_words(context.times),
      m_reader(*context.session, *context.clock),
      m_range(TimeRange{context.nowUs() - kHourUs, context.nowUs()})
{
    m_model.setFormatter(&m_words);
    m_again.setSingleShot(true);
    m_again.setInterval(kAgainMs);
    m_slow.setSingleShot(true);
    m_slow.setInterval(kSlowMs);
    build();
    connectCanvas();
    connectState();
    retranslate();
    tick();
    showState();
}

TimelineView::~TimelineView()
{
    destroy({m_list});
}

QString TimelineView::title() const
{
    return tr("Timeline");
}

QWidget *TimelineView::buildBar()
{
    m_lanes = named("lanes", new QComboBox);
    const auto tool = [](const char *icon) {
        auto *button = new QToolButton;
        button->setIcon(presentation::icon(QLatin1String(icon)));
        button->setMinimumSize(24, 24);
        return button;
    };
    m_zoomOut = named("zoomOut", tool("zoom-out"));
    m_zoomIn = tool("zoom-in");
    m_back = tool("go-previous");
    m_fit = new QPushButton(presentation::icon(QLatin1String("zoom-fit-best")), {});
    m_follow = named("follow", new QPushButton);
    m_follow->setCheckable(true);
    m_asTable = named("asTable", new QPushButton);
    m_asTable->setCheckable(true);
    m_shown = named("shownRange", new ElidedLabel);
    auto *bar = new QWidget;
    auto *row = new QHBoxLayout(bar);
    row->setContentsMargins({});
    row->setSpacing(4);
    row->addWidget(m_lanes);
    row->addSpacing(8);
    for (QWidget *widget : QWidgetList{m_zoomOut, m_zoomIn, m_back, m_fit, m_follow})
        row->addWidget(widget);
    row->addSpacing(8);
    row->addWidget(m_shown, 1);
    row->addWidget(m_asTable);
    return bar;
}

/**
 * Builds the state at the pointer or the mark, and the buttons for the brush. Nothing moves when they change.
 */
QWidget *TimelineView::buildFoot()
{
    m_moment = named("moment", new ElidedLabel);
    m_stateAt = named("stateAt", new QPushButton);
    m_brushBar = named("brushBar", new QWidget);
    auto *brush = new QHBoxLayout(m_brushBar);
    brush->setContentsMargins({});
    brush->setSpacing(4);
    m_brushZoom = new QPushButton(presentation::icon(QLatin1String("zoom-in")), {});
    m_brushHistory = new QPushButton(presentation::icon(QLatin1String("view-history")), {});
    m_brushContention = new QPushButton(presentation::icon(QLatin1String("view-contention")), {});
    for (QPushButton *button : {m_brushZoom, m_brushHistory, m_brushContention})
        brush->addWidget(button);
    auto *foot = new QWidget;
    auto *row = new QHBoxLayout(foot);
    row->setContentsMargins({});
    row->setSpacing(8);
    row->addWidget(m_moment, 1);
    row->addWidget(m_brushBar);
    row->addWidget(m_stateAt);
    foot->setMinimumHeight(m_stateAt->sizeHint().height());
    return foot;
}

void TimelineView::build()
{
    QWidget *bar = buildBar();
    m_canvas = named("timeline", new TimelineCanvas(context().theme, &m_words));
    m_legend = named("legend", new TimelineLegend(context().theme));
    m_strip = new TimelineStrip(context().theme, TimelineCanvas::kNames);
    auto *table = named(
        "bars", new DataTable(context(), &m_model, QStringLiteral("timeline"), timeline::BarLaneColumn));
    table->setDefaultWidths(kBarWidths);
    table->setSpareColumns({timeline::BarRenewalsColumn, timeline::BarSourceColumn, timeline::BarEndColumn,
                            timeline::BarToColumn});
    table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_list = new ListPage(context(), table);
    m_list->setExport(QStringLiteral("lockkeeper-timeline"));
    m_list->setSubject([this](int row) {
        const auto key = m_model.keyOf(*m_model.at(row));
        return key ? RowSubject{{*key}} : RowSubject();
    });
    setList(m_list);
    m_page = new StatePage;
    m_stack = new QStackedWidget;
    m_stack->addWidget(m_canvas);
    m_stack->addWidget(m_list);
    m_stack->addWidget(m_page);
    m_note = named("note", new WrappedLabel);
    m_note->setMuted(true);
    QVBoxLayout *column = addColumn();
    m_filter = addFilter(column, filter::QueryScope::History);
    column->addWidget(bar);
    column->addWidget(m_stack, 1);
    column->addWidget(m_legend);
    column->addWidget(m_strip);
    column->addWidget(buildFoot());
    column->addWidget(m_note);
    setFocusProxy(m_canvas);
}

void TimelineView::connectCanvas()
{
    using Canvas = TimelineCanvas;
    connect(m_canvas, &Canvas::zoomAsked, this, [this](double factor, qint64 aroundUs) {
        m_range.zoom(factor, aroundUs);
        showRange();
    });
    connect(m_canvas, &Canvas::panAsked, this, [this](qint64 byUs) {
        m_range.pan(byUs);
        showRange();
    });
    connect(m_canvas, &Canvas::fitAsked, m_fit, &QPushButton::click);
    connect(m_canvas, &Canvas::followAsked, m_follow, &QPushButton::click);
    connect(m_canvas, &Canvas::backAsked, m_back, &QToolButton::click);
    connect(m_canvas, &Canvas::enterPressed, this, [this] {
        if (m_canvas->brush())
            m_brushZoom->click();
        else if (m_canvas->current().lane >= 0)
            Q_EMIT detailAsked();
    });
    connect(m_canvas, &Canvas::brushChanged, this, &TimelineView::showBrush);
    connect(m_canvas, &Canvas::markChanged, this, [this] {
        showMoment();
        if (const auto mark = m_canvas->mark())
            Q_EMIT context().requests->markMoved(*mark);
    });
    connect(m_canvas, &Canvas::currentChanged, this, &TimelineView::select);
    connect(m_canvas, &Canvas::menuAsked, this, &TimelineView::showMenu);
    connect(m_canvas, &Canvas::resized, this, &TimelineView::showRange);
    connect(m_canvas, &Canvas::hovered, this, [this](const std::optional<qint64> &us, qsizetype lane) {
        m_hoverUs = us;
        m_hoverLane = lane;
        showMoment();
    });
    connect(m_canvas, &Canvas::laneMoved, this, [this](qsizetype from, qsizetype to) {
        QList<LaneId> shown;
        for (const protocol::TimelineLane &lane : m_canvas->chart().lanes)
            shown.append(timeline::idOf(lane));
        m_order.move(shown, from, to);
        m_rankAgain = true;
        showChart();
    });
    connect(m_zoomIn, &QToolButton::clicked, this, [this] {
        m_range.zoom(0.5, m_range.range().fromUs + m_range.range().lengthUs() / 2);
        showRange();
    });
    connect(m_zoomOut, &QToolButton::clicked, this, [this] {
        m_range.zoom(2, m_range.range().fromUs + m_range.range().lengthUs() / 2);
        showRange();
    });
    connect(m_back, &QToolButton::clicked, this, [this] {
        m_range.goBack();
        m_rankAgain = true;
        showRange();
    });
    connect(m_fit, &QPushButton::clicked, this, [this] {
        m_range.fit();
        m_rankAgain = true;
        showRange();
    });
    connect(m_follow, &QPushButton::clicked, this, [this] {
        m_range.setFollowing(m_follow->isChecked());
        tick();
        showRange();
    });
    connect(m_strip, &TimelineStrip::centreAsked, this, [this](qint64 us) {
        m_range.pan(us - m_range.range().fromUs - m_range.range().lengthUs() / 2);
        m_rankAgain = true;
        showRange();
    });
    connect(m_brushZoom, &QPushButton::clicked, this, [this] {
        if (const auto brush = m_canvas->brush()) {
            m_canvas->setBrush(std::nullopt);
            moveRange(*brush);
        }
    });
    connect(m_brushHistory, &QPushButton::clicked, this, [this] {
        if (const auto brush = m_canvas->brush())
            askHistory(*brush);
    });
    connect(m_brushContention, &QPushButton::clicked, this, [this] {
        if (const auto brush = m_canvas->brush())
            Q_EMIT context().requests->rangeAsked("contention", {}, brush->fromUs, brush->toUs);
    });
    connect(m_stateAt, &QPushButton::clicked, this, [this] {
        if (const auto mark = m_canvas->mark())
            Q_EMIT context().requests->stateAtAsked(*mark);
    });
    connect(m_asTable, &QPushButton::clicked, this, [this] {
        setFocusProxy(m_asTable->isChecked() ? static_cast<QWidget *>(m_list) : m_canvas);
        showState();
        Q_EMIT rowsChanged();
    });
    connect(m_list->table()->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex &row) {
                const timeline::BarRow *bar = m_model.at(row.row());
                const auto key = bar ? m_model.keyOf(*bar) : std::nullopt;
                if (m_stack->currentWidget() == m_list && key)
                    context().selection->selectOne(*key);
                Q_EMIT rowsChanged();
            });
    connect(m_list->table(), &DataTable::activatedRow, this, &TimelineView::detailAsked);
}

void TimelineView::connectState()
{
    const ConsoleContext &parts = context();
    connect(m_lanes, &QComboBox::currentIndexChanged, this, [this] {
        m_order.clear();
        if (choice() == LaneChoice::Selected && m_chosen.isEmpty())
            m_chosen = View::context().selection->keys();
        applyLanes(true);
    });
    connect(m_filter, &FilterLine::applied, this, [this](const filter::Query &query) {
        QStringList sources;
        for (const domain::SourceState &source : View::context().replica->sources())
            sources.append(source.name);
        m_filtered = timeline::laneFilter(query, sources, m_seen.nowUs);
        applyLanes(true);
        if (m_filtered.range)
            moveRange(*m_filtered.range);
    });
    connect(&m_reader, &timeline::TimelineReader::changed, this, &TimelineView::showChart);
    connect(&m_reader, &timeline::TimelineReader::stripChanged, this, &TimelineView::showStrip);
    connect(&m_reader, &timeline::TimelineReader::stateChanged, this, [this] {
        if (m_rankAgain && !m_reader.isLoading())
            showChart(); // the same chart as before, in the agent's order
        showState();
    });
    connect(&m_again, &QTimer::timeout, this, [this] {
        if (isVisible())
            m_reader.refresh();
    });
    connect(&m_slow, &QTimer::timeout, this, &TimelineView::showBrush);
    connect(&m_second, &QTimer::timeout, this, &TimelineView::tick);
    models::startSeconds(m_second);
    connect(parts.replica, &replica::Replica::events, this, &TimelineView::takeEvents);
    connect(parts.replica, &replica::Replica::offlineChanged, this, &TimelineView::tick);
    connect(parts.selection, &replica::Selection::changed, this, [this] {
        const QList<domain::LockKey> keys = View::context().selection->keys();
        if (m_selecting || keys.isEmpty())
            return;
        const bool others = std::any_of(keys.cbegin(), keys.cend(), [this](const domain::LockKey &key) {
            return !m_chosen.contains(key);
        });
        if (others) {
            m_chosen = keys;
            if (choice() == LaneChoice::Selected)
                applyLanes(true);
        }
        if (const auto &key = View::context().selection->current())
            m_canvas->chooseLane({*key, {}, {}});
    });
    connect(parts.times, &words::TimeFormat::changed, this, [this] {
        m_canvas->setSeen(m_seen); // the header's times
        showRange();
        showStrip();
    });
    connect(parts.session, &session::AgentGroup::agentChanged, this, [this] {
        m_order.clear();
        m_chosen.clear();
        m_range.reopen();
        m_reader.clear();
        m_canvas->setMark(std::nullopt);
        m_canvas->setBrush(std::nullopt);
    });
    connect(parts.session, &session::AgentGroup::linkChanged, this, [this] {
        if (View::context().session->link() == session::LinkState::Live)
            refresh();
        else
            showState();
    });
}

LaneChoice TimelineView::choice() const
{
    return LaneChoice(std::max(0, m_lanes->currentIndex()));
}

void TimelineView::applyLanes(bool rankAgain)
{
    timeline::LaneFilter filter = m_filtered;
    filter.range.reset(); // the shown range is a separate setting
    switch (choice()) {
    case LaneChoice::Locks:
        filter.lanes.by = protocol::TimelineLanes::Lock;
        break;
    case LaneChoice::Holders:
        filter.lanes.by = protocol::TimelineLanes::Holder;
        break;
    case LaneChoice::Sources:
        filter.lanes.by = protocol::TimelineLanes::Source;
        break;
    case LaneChoice::Selected:
        filter = {};
        filter.lanes.keys = m_chosen;
        filter.lanes.exactly = true;
        break;
    }
    m_filter->setEnabled(choice() != LaneChoice::Selected);
    m_rankAgain = m_rankAgain || rankAgain;
    m_reader.setFilter(filter);
    showState();
}

timeline::SeenUntil TimelineView::seenUntil() const
{
    const replica::Replica &replica = *context().replica;
    timeline::SeenUntil seen;
    seen.nowUs = context().nowUs();
    for (const domain::SourceState &source : replica.sources()) {
        const qint64 until =
            replica.isStale(source.name) ? replica.lastSeenUs(source.name) : replica.storeNowUs(source.name);
        seen.sources.insert(source.name, until);
        seen.nowUs = std::max(seen.nowUs, until);
    }
    return seen;
}

/** The clock advances: open bars grow, and a following range moves. Nothing changes while paused. */
void TimelineView::tick()
{
    if (context().replica->isPaused())
        return;
    m_seen = seenUntil();
    m_range.setLimits(m_reader.firstUs(), m_seen.nowUs);
    const bool moved = m_range.follow(m_seen.nowUs, m_canvas->axisWidth());
    if (!isVisible())
        return;
    m_canvas->setSeen(m_seen);
    if (moved)
        showRange();
    showMoment();
}

void TimelineView::takeEvents(const QList<events::LockEvent> &)
{
    // The last reading only covers the time until then: read again to include later events.
    const bool showsNow = m_range.range().toUs >= m_seen.nowUs - kAgainMs * 1000;
    if (isVisible() && showsNow && !m_again.isActive() && m_reader.hasRead())
        m_again.start();
}

void TimelineView::activate()
{
    tick();
    showRange();
    if (m_reader.hasRead())
        m_reader.refresh();
}

void TimelineView::showEvent(QShowEvent *event)
{
    ListView::showEvent(event);
    tick();
    showRange();
}

void TimelineView::refresh()
{
    m_rankAgain = true;
    if (isVisible())
        m_reader.refresh();
}

void TimelineView::moveRange(const TimeRange &range)
{
    m_range.show(range);
    m_rankAgain = true;
    showRange();
}

void TimelineView::showRange()
{
    m_canvas->setRange(m_range.range());
    m_strip->setWindow(m_range.range());
    m_follow->setChecked(m_range.isFollowing());
    m_back->setEnabled(m_range.canGoBack());
    showBrush();
    if (isVisible())
        m_reader.show(m_range.range(), m_canvas->axisWidth(), m_seen.nowUs);
    if (m_asTable->isChecked())
        m_model.show(m_canvas->chart(), m_range.range(), m_seen);
    showMoment();
}

/** Lanes keep their order while time passes; they are ranked again when the operator asks for other lanes. */
void TimelineView::showChart()
{
    timeline::Chart chart = m_reader.chart();
    QList<LaneId> ranked;
    for (const protocol::TimelineLane &lane : std::as_const(chart.lanes))
        ranked.append(timeline::idOf(lane));
    QList<qsizetype> order = m_order.arrange(ranked);
    if (!m_rankAgain) {
        QList<LaneId> before;
        for (const protocol::TimelineLane &lane : m_canvas->chart().lanes)
            before.append(timeline::idOf(lane));
        const auto place = [&](qsizetype index) {
            const qsizetype at = before.indexOf(ranked.at(index));
            return at < 0 ? before.size() : at;
        };
        std::stable_sort(order.begin(), order.end(),
                         [&place](qsizetype a, qsizetype b) { return place(a) < place(b); });
    }
    m_rankAgain = m_rankAgain && !m_reader.hasRead();
    QList<protocol::TimelineLane> lanes;
    for (const qsizetype index : std::as_const(order))
        lanes.append(chart.lanes.at(index));
    chart.lanes = lanes;
    m_range.setLimits(m_reader.firstUs(), m_seen.nowUs);
    const bool opened = m_reader.hasRead() && m_range.open(lanes.isEmpty());
    m_canvas->setChart(chart, m_order.pinned());
    if (const auto &key = context().selection->current())
        m_canvas->chooseLane({*key, {}, {}});
    if (m_asTable->isChecked())
        m_model.show(m_canvas->chart(), m_range.range(), m_seen);
    if (opened) {
        m_rankAgain = true;
        showRange();
    }
    showMoment();
    Q_EMIT rowsChanged();
}

void TimelineView::showState()
{
    const base::Error &error = m_reader.error();
    const bool loading = m_reader.isLoading();
    const bool any = !m_reader.chart().lanes.isEmpty();
    if (loading != m_wasLoading)
        loading ? m_slow.start() : m_slow.stop();
    m_wasLoading = loading;
    showBrush();
    QStringList notes;
    if (any && !error.cause.isEmpty())
        notes.append(tr("Not read again: %1").arg(words::ErrorWords::line(error)));
    if (any && m_reader.chart().more)
        notes.append(tr("These %n lane(s) are those that were waited for most; there are more.", nullptr,
                        int(m_reader.chart().lanes.size())));
    if (m_filtered.leftOut && choice() != LaneChoice::Selected)
        notes.append(tr("Bars don't have events, waiters, TTLs and commands: these terms are ignored."));
    m_note->setText(notes.join(QLatin1Char('\n')));
    m_note->setVisible(!notes.isEmpty());
    if (any) {
        const bool table = m_asTable->isChecked();
        if (table)
            m_model.show(m_canvas->chart(), m_range.range(), m_seen);
        m_list->showState({}, {tr("Nothing was held in this time, as far as it was observed"), {}});
        m_stack->setCurrentWidget(table ? static_cast<QWidget *>(m_list) : m_canvas);
        m_legend->setVisible(!table);
        return;
    }
    if (!error.cause.isEmpty())
        m_page->showError(error, [this] { m_reader.refresh(); });
    else if (loading)
        m_page->showLoading(tr("Reading…"), {tr("Cancel"), [this] { m_reader.cancel(); }});
    else if (!m_reader.hasRead())
        m_page->showEmpty(tr("Nothing was read"), tr("Reading was cancelled, or no agent is connected."),
                          {{tr("Try again"), [this] { m_reader.refresh(); }}});
    else if (choice() == LaneChoice::Selected)
        m_page->showEmpty(
            m_chosen.isEmpty() ? tr("No lock is selected")
                               : tr("Nothing is known of these locks in this time"),
            m_chosen.isEmpty() ? tr("Select one in Locks and press Ctrl+T.") : QString(),
            {{tr("Show the locks that were waited for most"), [this] { m_lanes->setCurrentIndex(0); }}});
    else if (!m_filter->edit()->text().isEmpty())
        m_page->showEmpty(tr("No lane matches this filter"),
                          tr("Among the locks that were held or waited for in this time."),
                          {{tr("Show all"), [this] { setFilter({}); }}});
    else
        m_page->showEmpty(tr("Nothing was held in this time, as far as it was observed"),
                          m_reader.firstUs() > 0
                              ? tr("The journal reaches back to %1.")
                                    .arg(m_words.exactTime(m_reader.firstUs(), m_seen.nowUs))
                              : tr("The agent has journalled nothing so far."),
                          {{tr("Show the whole journal"), [this] { m_fit->click(); }}});
    m_stack->setCurrentWidget(m_page);
    m_legend->hide();
}

void TimelineView::showStrip()
{
    const TimeRange &range = m_reader.stripRange();
    m_strip->setDensity(range, m_reader.strip(),
                        range.isEmpty() ? QString() : tr("Journal since %1").arg(m_words.date(range.fromUs)));
}

void TimelineView::showMoment()
{
    const auto &mark = m_canvas->mark();
    m_stateAt->setEnabled(mark.has_value());
    const std::optional<qint64> us = m_hoverUs ? m_hoverUs : mark;
    if (!us) {
        m_moment->setText(tr("Point at a moment to see what was true then; click to keep it."));
        return;
    }
    const qsizetype lane = m_hoverUs ? m_hoverLane : m_canvas->current().lane;
    const QString what =
        m_words.moment(m_canvas->chart(), lane, momentOf(m_canvas->chart(), lane, *us, m_seen));
    const QString when = m_words.exactTime(*us, m_seen.nowUs);
    m_moment->setText(what.isEmpty() ? when : when + QStringLiteral(" · ") + what);
}

void TimelineView::showBrush()
{
    const auto &brush = m_canvas->brush();
    m_brushBar->setVisible(brush.has_value());
    const TimeRange &range = brush ? *brush : m_range.range();
    const QString brief = m_words.shortRange(range, m_seen.nowUs);
    QString shown = brush ? tr("Selected: %1").arg(brief) : brief;
    if (m_reader.isLoading() && !m_slow.isActive())
        shown += QStringLiteral(" · ") + tr("reading…");
    m_shown->setText(shown);
    for (QWidget *widget : QWidgetList{m_shown, m_brushBar})
        widget->setToolTip(m_words.range(range));
}

bool TimelineView::showsLock(const domain::LockKey &key) const
{
    const auto &lanes = m_canvas->chart().lanes;
    return std::any_of(lanes.cbegin(), lanes.cend(), [&key](const protocol::TimelineLane &lane) {
        return lane.key == key || std::any_of(lane.holds.cbegin(), lane.holds.cend(),
                                              [&key](const protocol::Hold &hold) { return hold.key == key; });
    });
}

std::optional<qint64> TimelineView::shownRows() const
{
    return m_asTable->isChecked() ? ListView::shownRows() : m_canvas->chart().lanes.size();
}

qint64 TimelineView::selectedRows() const
{
    return m_asTable->isChecked() ? ListView::selectedRows() : m_canvas->current().lane >= 0 ? 1 : 0;
}

std::optional<domain::LockKey> TimelineView::lockOf(const Hit &hit) const
{
    if (hit.lane < 0 || hit.lane >= m_canvas->chart().lanes.size())
        return std::nullopt;
    const protocol::TimelineLane &lane = m_canvas->chart().lanes.at(hit.lane);
    if (hit.on == Hit::On::Hold)
        return lane.holds.at(hit.index).key;
    if (hit.on == Hit::On::Wait)
        return lane.waits.at(hit.index).key;
    return lane.key;
}

/** The lock of the bar fills the detail dock. */
void TimelineView::select()
{
    m_selecting = true;
    if (const auto key = lockOf(m_canvas->current()))
        context().selection->selectOne(*key);
    m_selecting = false;
    showMoment();
    Q_EMIT rowsChanged();
}

void TimelineView::showLocks(const QList<domain::LockKey> &keys)
{
    m_chosen = keys;
    if (choice() == LaneChoice::Selected)
        applyLanes(true);
    else
        m_lanes->setCurrentIndex(int(LaneChoice::Selected));
}

void TimelineView::lookAt(qint64 us)
{
    constexpr qint64 kAroundUs = 300'000'000;
    moveRange({us - kAroundUs, us + kAroundUs});
    m_canvas->setMark(us);
}

void TimelineView::togglePin(const LaneId &lane)
{
    m_order.setPinned(lane, !m_order.isPinned(lane));
    QList<domain::LockKey> pins;
    for (const LaneId &pin : m_order.pinned()) {
        if (pin.key)
            pins.append(*pin.key);
    }
    m_reader.setPins(pins);
    m_rankAgain = true;
    showChart();
}

void TimelineView::setFilter(const QString &text)
{
    if (choice() == LaneChoice::Selected)
        m_lanes->setCurrentIndex(int(LaneChoice::Locks));
    m_filter->edit()->setFilter(text);
}

QVariantMap TimelineView::saveState() const
{
    const auto kept = choice() == LaneChoice::Selected ? LaneChoice::Locks : choice();
    return {{QStringLiteral("group"), int(kept)},
            {QStringLiteral("range"), m_range.chosenLengthUs()},
            {QStringLiteral("filter"), m_filter->edit()->text()}};
}

void TimelineView::restoreState(const QVariantMap &state)
{
    // Restore the length of the range, but end the range now: the operator doesn't continue at the time of
    // another run.
    const qint64 lengthUs = state.value(QStringLiteral("range")).toLongLong();
    if (lengthUs >= timeline::kShortestRangeUs && lengthUs <= timeline::kLongestRangeUs) {
        m_range = timeline::ViewRange({m_range.range().toUs - lengthUs, m_range.range().toUs});
        showRange();
    }
    const int kept = state.value(QStringLiteral("group")).toInt();
    if (kept >= 0 && kept < int(LaneChoice::Selected))
        m_lanes->setCurrentIndex(kept);
    m_filter->edit()->setFilter(state.value(QStringLiteral("filter")).toString());
}

void TimelineView::retranslate()
{
    const QSignalBlocker quiet(m_lanes);
    const int lanes = std::max(0, m_lanes->currentIndex());
    m_lanes->clear();
    m_lanes->addItems({tr("Locks waited for most"), tr("Holders"), tr("Sources"), tr("Selected locks")});
    m_lanes->setCurrentIndex(lanes);
    m_lanes->setAccessibleName(tr("Lanes"));
    m_zoomIn->setToolTip(tr("Zoom in (+)"));
    m_zoomOut->setToolTip(tr("Zoom out (−)"));
    m_back->setToolTip(tr("Back to what was shown before (Backspace)"));
    for (QToolButton *button : {m_zoomIn, m_zoomOut, m_back})
        button->setAccessibleName(button->toolTip());
    m_fit->setText(tr("Fit"));
    m_fit->setToolTip(tr("Show the whole journal (0)"));
    m_follow->setText(tr("Follow now"));
    m_follow->setToolTip(tr("Follow the current time (L)"));
    m_asTable->setText(tr("As a table"));
    m_asTable->setToolTip(tr("The same bars as rows, to read, to copy and to export"));
    m_stateAt->setText(tr("State at this time"));
    m_stateAt->setToolTip(tr("All locks as they were at the moment that is marked"));
    m_brushZoom->setText(tr("Zoom"));
    m_brushHistory->setText(tr("History"));
    m_brushContention->setText(tr("Contention"));
    m_filter->edit()->setPlaceholderText(tr("Filter: name, or holder:x source:y from:-6h to:-5h"));
    m_filter->edit()->setAccessibleName(tr("Filter of the lanes"));
    m_canvas->setAccessibleName(
        tr("Timeline of holds and waits; arrow keys move, Shift+arrows step from event "
           "to event"));
    m_strip->setAccessibleName(tr("The whole journal, with the density of its events"));
    m_list->table()->setAccessibleName(tr("Holds, waits and gaps that are shown"));
    showBrush();
    showRange();
    showStrip();
    showState();
}

} // namespace lockkeeper::app::views
