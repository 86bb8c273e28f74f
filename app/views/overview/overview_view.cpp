// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/overview/overview_view.h"

#include "app/filter/query_time.h"
#include "app/models/seconds.h"
#include "app/overview/overview_formatter.h"
#include "app/presentation/theme.h"
#include "app/session/agent_group.h"
#include "app/settings/settings.h"
#include "app/views/overview/attention_table.h"
#include "app/views/overview/costs_panel.h"
#include "app/views/overview/figure_tile.h"
#include "app/views/overview/fired_list.h"
#include "app/views/overview/source_strip.h"
#include "app/views/overview/verdict_band.h"
#include "app/views/overview/waiting_panel.h"
#include "app/views/widgets/banner_area.h"
#include "app/views/widgets/link_button.h"
#include "app/views/widgets/live_freeze.h"
#include "app/views/widgets/named.h"
#include "app/views/widgets/plain_label.h"
#include "app/views/widgets/requests.h"
#include "app/views/widgets/state_page.h"
#include "app/words/durations.h"
#include "app/words/error_words.h"
#include "app/words/time_format.h"
#include "shared/base/clock.h"
#include "shared/base/text.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLocale>
#include <QScrollArea>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <cstdlib>

namespace lockkeeper::app::views {

using filter::queryTime;
using overview::OverviewFormatter;
using replica::Badge;
using words::Durations;

namespace {

constexpr int kLeastWidth = 772; ///< of the narrowest window, beside the navigation and a scroll bar
constexpr int kLeastRows = 6;
constexpr int kRoomForAlerts = 760; ///< px of height that the parts and a list of alerts take
constexpr int kSlowMs = 150;
constexpr qint64 kPastEveryUs = 60 * base::kSecondUs;
const QByteArray kUnread = QByteArrayLiteral("unread");

QLabel *heading()
{
    auto *label = new PlainLabel;
    label->setBold();
    return label;
}

} // namespace

OverviewView::OverviewView(const ConsoleContext &context, QWidget *parent)
    : View(context, parent), m_live(*context.replica), m_formatter(context.times), m_past(*context.session)
{
    m_model.setFormatter(&m_formatter);
    build();
    connect(&m_second, &QTimer::timeout, this, &OverviewView::second);
    connect(&m_tick, &QTimer::timeout, this, [this] { m_due = true; });
    m_tick.start(context.settings->tickMs());
    models::startSeconds(m_second);
    connect(context.settings, &settings::Settings::changed, this,
            [this] { m_tick.start(View::context().settings->tickMs()); });
    const auto now = [this] { look(true); };
    connect(context.replica, &replica::Replica::reset, this, now);
    connect(context.replica, &replica::Replica::offlineChanged, this, now);
    connect(context.replica, &replica::Replica::pauseChanged, this, now);
    connect(context.replica, &replica::Replica::reset, this, &OverviewView::updatePage);
    connect(context.replica, &replica::Replica::offlineChanged, this, &OverviewView::updatePage);
    connect(context.replica, &replica::Replica::sourcesChanged, this, &OverviewView::updatePage);
    connect(context.session, &session::AgentGroup::linkChanged, this, &OverviewView::updatePage);
    connect(context.times, &words::TimeFormat::changed, this, &OverviewView::retranslate);
    connectPast();
    retranslate();
}

void OverviewView::connectPast()
{
    connect(&m_past, &PastReader::changed, this, &OverviewView::showPast);
    m_slow.setSingleShot(true);
    m_slow.setInterval(kSlowMs);
    connect(&m_slow, &QTimer::timeout, this, &OverviewView::showPast);
    Requests *requests = context().requests;
    connect(m_waiting, &WaitingPanel::nowAsked, this, [this] { openLocks(QStringLiteral("waiters>0")); });
    connect(m_waiting, &WaitingPanel::minuteAsked, this, [requests](events::Interval span) {
        Q_EMIT requests->viewAsked(QByteArrayLiteral("history"),
                                   QStringLiteral("from:%1 to:%2 event:wait_start,wait_end")
                                       .arg(queryTime(span.fromUs), queryTime(span.toUs + 999)));
    });
    const auto rank = [requests](const QString &filter, events::Interval range) {
        Q_EMIT requests->rangeAsked(QByteArrayLiteral("contention"), filter, range.fromUs, range.toUs);
    };
    connect(m_waiting, &WaitingPanel::hourAsked, this, [rank](events::Interval hour) { rank({}, hour); });
    connect(m_costs, &CostsPanel::rankingAsked, this, rank);
    connect(m_costs, &CostsPanel::auditAsked, this, [requests](const QString &filter) {
        Q_EMIT requests->viewAsked(QByteArrayLiteral("audit"), filter);
    });
}

OverviewView::~OverviewView()
{
    m_table->setModel(nullptr); // the model is destroyed before its widgets
    m_model.setFormatter(nullptr);
}

QString OverviewView::title() const
{
    return tr("Overview");
}

void OverviewView::build()
{
    m_verdict = new VerdictBand(context().theme);
    m_sourcesTitle = heading();
    m_sources = new SourceStrip(context());
    connect(m_sources, &SourceStrip::sourceAsked, this, [this](const QString &source) {
        Q_EMIT context().requests->viewAsked(QByteArrayLiteral("sources"), source);
    });
    auto *content = new QWidget;
    content->setMinimumWidth(kLeastWidth);
    auto *column = new QVBoxLayout(content);
    column->setContentsMargins(8, 8, 8, 8);
    column->setSpacing(12);
    column->addWidget(m_verdict);
    column->addWidget(buildTiles());
    m_fired = new FiredList(context());
    column->addWidget(m_fired);
    auto *middle = new QHBoxLayout;
    middle->setSpacing(16);
    middle->addWidget(buildAttention(), 2);
    m_waiting = new WaitingPanel(context(), m_past);
    middle->addWidget(m_waiting, 1);
    column->addLayout(middle, 1);
    m_costs = new CostsPanel(context(), m_past);
    column->addWidget(m_costs);
    auto *sources = new QVBoxLayout;
    sources->setSpacing(4);
    sources->addWidget(m_sourcesTitle);
    sources->addWidget(m_sources);
    column->addLayout(sources);
    auto *scroll = new QScrollArea;
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setWidget(content);
    m_page = new StatePage;
    m_stack = new QStackedWidget;
    m_stack->addWidget(scroll);
    m_stack->addWidget(m_page);
    auto *outer = new QVBoxLayout(this);
    outer->setContentsMargins({});
    outer->setSpacing(0);
    outer->addWidget(m_stack);
    m_banner = new BannerArea(context().theme);
    outer->addWidget(m_banner);
    m_freeze = new LiveFreeze(this);
    connect(m_freeze, &LiveFreeze::frozenChanged, this, [this](bool frozen) {
        if (!frozen)
            look(false);
    });
    setFocusProxy(m_table);
}

QWidget *OverviewView::buildTiles()
{
    constexpr int kApart = 16; ///< px more between the sources' tile and those of locks
    auto *tiles = new QWidget;
    auto *grid = new QGridLayout(tiles);
    grid->setContentsMargins({});
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(2);
    grid->setColumnMinimumWidth(1, kApart - 8);
    m_sourceTilesTitle = named("sourceTiles", new PlainLabel);
    m_lockTilesTitle = named("lockTiles", new PlainLabel);
    for (PlainLabel *title : {m_sourceTilesTitle, m_lockTilesTitle})
        title->setMuted(true);
    grid->addWidget(m_sourceTilesTitle, 0, 0);
    grid->addWidget(m_lockTilesTitle, 0, 2, 1, int(kTiles) - 1);
    for (std::size_t i = 0; i < kTiles; ++i) {
        m_tiles.at(i) = new FigureTile(context().theme);
        const int column = i == UnseenTile ? 0 : int(i) + 1;
        grid->addWidget(m_tiles.at(i), 1, column);
        grid->setColumnStretch(column, 1);
        connect(m_tiles.at(i), &QAbstractButton::clicked, this, [this, i] { openTile(int(i)); });
    }
    return tiles;
}

QWidget *OverviewView::buildAttention()
{
    m_attentionTitle = heading();
    m_table = new AttentionTable(context(), &m_model);
    m_table->setMinimumHeight((kLeastRows + 1) * DataTable::rowHeight(context()));
    connect(m_table, &AttentionTable::opened, this, &OverviewView::openLock);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, &View::rowsChanged);
    m_calm = new PlainLabel;
    m_calm->setMuted(true);
    m_calm->setAlignment(Qt::AlignCenter);
    m_calm->setFrameStyle(QFrame::StyledPanel);
    m_calm->setAutoFillBackground(true);
    m_calm->setBackgroundRole(QPalette::Base);
    m_attentionStack = new QStackedWidget;
    m_attentionStack->addWidget(m_table);
    m_attentionStack->addWidget(m_calm);
    m_more = new LinkButton;
    keepSpace(m_more);
    connect(m_more, &QPushButton::clicked, this,
            [this] { openLocks(QStringLiteral("state:unknown,stuck,expired,contended")); });
    auto *head = new QHBoxLayout;
    head->addWidget(m_attentionTitle, 1);
    head->addWidget(m_more);
    auto *part = new QWidget;
    auto *column = new QVBoxLayout(part);
    column->setContentsMargins({});
    column->setSpacing(4);
    column->addLayout(head);
    column->addWidget(m_attentionStack, 1);
    return part;
}

void OverviewView::setContextMenu(QMenu *menu)
{
    m_table->setContextMenu(menu);
}

bool OverviewView::showsLock(const domain::LockKey &key) const
{
    return m_model.rowOf(key) >= 0;
}

qint64 OverviewView::selectedRows() const
{
    return m_table->selectedRowNumbers().size();
}

bool OverviewView::copyText()
{
    return m_table->copyTsv();
}

void OverviewView::activate()
{
    look(true);
    askPast();
}

void OverviewView::showEvent(QShowEvent *event)
{
    View::showEvent(event);
    look(true);
}

void OverviewView::second()
{
    if (context().replica->isPaused())
        return;
    look(false);
    askPast();
}

/** Reads once a minute while the view is visible. */
void OverviewView::askPast()
{
    const qint64 ageUs = std::abs(agentNowUs() - m_past.askedAtUs());
    if (!isVisible() || ageUs < kPastEveryUs || m_past.isReading())
        return;
    if (!context().replica->isOffline())
        refresh();
    else if (ageUs > 3 * kPastEveryUs)
        showPast(); // labels it as an older hour; after midnight with the date
}

qint64 OverviewView::agentNowUs() const
{
    return m_live.agentWallUs().value_or(context().clock->wallUs());
}

void OverviewView::refresh()
{
    m_slow.start();
    m_past.ask(agentNowUs());
}

void OverviewView::showPast()
{
    const bool slow = m_past.isReading() && !m_slow.isActive();
    const qint64 ageUs = agentNowUs() - m_past.askedAtUs();
    const bool old = m_past.askedAtUs() > 0 && ageUs > 3 * kPastEveryUs; // the last hour has moved on
    m_waiting->refresh(slow, old);
    m_costs->refresh(slow, old);
    SourceStrip::Gaps gaps;
    const auto &seen = m_past.seen(0);
    if (seen) {
        for (const protocol::SourceWaiting &source : seen->sources + seen->copies)
            gaps.insert(source.source, source.gaps);
    }
    m_sources->setGaps(seen ? events::Interval{seen->fromUs, seen->toUs} : events::Interval(), gaps);
    const base::Error &error = m_past.error();
    if (error.cause.isEmpty() || context().replica->isOffline())
        m_banner->removeBanner(kUnread);
    else
        m_banner->showBanner({kUnread, presentation::BannerKind::Warning,
                              tr("Couldn't read the last hour: %1").arg(words::ErrorWords::line(error)),
                              tr("Try again"), [this] { refresh(); }, false});
}

void OverviewView::look(bool tick)
{
    if (!isVisible())
        return;
    m_overview = m_live.now();
    // The first rows needn't wait for the tick: they can't push other rows away.
    const bool first = m_model.rowCount() == 0 || m_sources->chips().isEmpty();
    const bool arrange = (tick || m_due || first) && !m_freeze->isFrozen();
    if (arrange) {
        m_due = false;
        m_table->arrange(m_overview.attention);
        m_fired->refresh(height() < kRoomForAlerts);
    }
    m_model.revalue([this](const domain::LockKey &key) { return m_live.find(key); });
    m_sources->refresh(arrange);
    m_attentionStack->setCurrentWidget(m_model.rowCount() > 0 ? static_cast<QWidget *>(m_table) : m_calm);
    m_calm->setText(m_overview.unseen.isEmpty() ? tr("No lock needs attention")
                    : isAnySeen()               ? tr("No observed lock needs attention")
                                                : tr("No source is observed now"));
    showVerdict();
    showTiles();
    m_waiting->setNow(waitingNow());
    m_more->setVisible(m_overview.moreAttention > 0);
    m_more->setText(tr("and %1 more", "locks").arg(m_overview.moreAttention));
    if (arrange)
        Q_EMIT rowsChanged();
}

void OverviewView::showVerdict()
{
    if (context().replica->isOffline()) {
        m_verdict->show(tr("The agent can't be reached: nothing is known of this moment"), Badge::Unknown);
        return;
    }
    m_verdict->show(OverviewFormatter::verdict(m_overview, agentNowUs(),
                                               [](qint64 us) { return Durations::inSentence(us); }),
                    VerdictBand::worstOf(m_overview));
}

/** The number of waiters on the sources that the last hour covers; empty if one of them isn't seen. */
std::optional<qint64> OverviewView::waitingNow() const
{
    const QStringList left = m_past.seen(0) ? overview::blindOf(*m_past.seen(0)) : QStringList();
    const QList<overview::UnseenSource> &unseen = m_overview.unseen;
    const bool known = m_overview.sources > unseen.size() &&
                       std::all_of(unseen.cbegin(), unseen.cend(),
                                   [&left](const auto &source) { return left.contains(source.name); });
    return known ? std::optional(m_overview.waiting) : std::nullopt;
}

bool OverviewView::isAnySeen() const
{
    return m_overview.unseen.size() < m_overview.sources || m_overview.unseen.isEmpty();
}

void OverviewView::showTiles()
{
    const bool known = isAnySeen();
    const auto show = [this, known](Tile tile, qint64 count, const QString &word, Badge badge,
                                    const QString &what) {
        const bool counted = known || tile == UnseenTile;
        m_tiles.at(tile)->show(counted ? QLocale().toString(count) : Durations::unknown(), word,
                               count > 0 ? std::optional(badge) : std::nullopt, what);
    };
    show(UnseenTile, m_overview.unseen.size(), tr("not seen", "sources"), Badge::Unknown, tr("Open Sources"));
    show(HeldTile, m_overview.held, tr("held", "locks"), Badge::Held, tr("Open the locks that are held"));
    show(UnreadableTile, m_overview.unreadable, tr("unreadable", "locks"), Badge::Unknown,
         tr("Open the locks of which nothing certain is known"));
    show(StuckTile, m_overview.stuck, tr("stuck", "locks"), Badge::Stuck, tr("Open the stuck locks"));
    show(ExpiredTile, m_overview.expired, tr("expired", "locks"), Badge::Expired,
         tr("Open the expired locks"));
    show(ContendedTile, m_overview.contended, tr("contended", "locks"), Badge::Contended,
         tr("Open the locks that have waiters"));
    show(WaitingTile, m_overview.waiting, tr("waiting", "who"), Badge::Contended,
         tr("Open the locks that have waiters"));
    const auto longest = m_overview.longestWaitUs;
    m_tiles.at(LongestTile)
        ->show(longest ? Durations::text(*longest)
               : known ? Durations::notApplicable()
                       : Durations::unknown(),
               tr("longest wait"), longest ? std::optional(Badge::Contended) : std::nullopt,
               longest ? tr("Open %1").arg(base::displayText(m_overview.longest.name)) : QString());
}

void OverviewView::openTile(int tile)
{
    switch (Tile(tile)) {
    case UnseenTile:
        Q_EMIT context().requests->viewAsked(QByteArrayLiteral("sources"),
                                             m_overview.unseen.isEmpty() ? QString()
                                                                         : m_overview.unseen.first().name);
        break;
    case HeldTile:
        return openLocks(QStringLiteral("state:held,expiring,contended,expired,stuck"));
    case UnreadableTile:
        return openLocks(QStringLiteral("state:unknown"));
    case StuckTile:
        return openLocks(QStringLiteral("state:stuck"));
    case ExpiredTile:
        return openLocks(QStringLiteral("state:expired"));
    case ContendedTile:
        return openLocks(QStringLiteral("state:contended"));
    case WaitingTile:
        return openLocks(QStringLiteral("waiters>0"));
    case LongestTile:
        if (m_overview.longestWaitUs)
            openLock(m_overview.longest);
        break;
    }
}

void OverviewView::openLocks(const QString &filter)
{
    Q_EMIT context().requests->viewAsked(QByteArrayLiteral("locks"), filter);
}

/** Opens the lock among locks of its kind, which are as bad. */
void OverviewView::openLock(const domain::LockKey &key)
{
    const auto one = m_live.find(key);
    if (one && one->badge != Badge::Releasing)
        openLocks(QStringLiteral("state:") + QString::fromLatin1(replica::badgeName(one->badge)));
    else
        openLocks(filter::filterFor(key));
    Q_EMIT context().requests->lockAsked(key);
}

void OverviewView::updatePage()
{
    const session::AgentGroup *session = context().session;
    const bool nothingKnown = context().replica->locks().isEmpty() && context().replica->sources().isEmpty();
    if (!nothingKnown) {
        m_stack->setCurrentIndex(0);
        return;
    }
    if (!context().replica->isOffline()) {
        m_page->showEmpty(tr("No source is configured"),
                          tr("The agent's configuration names no store to watch."),
                          {{tr("Show sources"), [this] {
                                Q_EMIT context().requests->viewAsked(QByteArrayLiteral("sources"), {});
                            }}});
    } else if (session->link() == session::LinkState::Waiting) {
        const base::Error error = session->lastError();
        m_page->showError(
            error, [this] { context().session->retryNow(); },
            tr("The agent can't be reached: %1").arg(words::ErrorWords::cause(error)));
    } else {
        m_page->showLoading(tr("Reading…"));
    }
    m_stack->setCurrentWidget(m_page);
}

void OverviewView::retranslate()
{
    m_attentionTitle->setText(tr("Needs attention"));
    m_sourceTilesTitle->setText(tr("Sources"));
    m_lockTilesTitle->setText(tr("Locks of the observed sources"));
    m_sourcesTitle->setText(tr("Sources and when they were seen, last hour"));
    m_table->setAccessibleName(tr("Locks that need a look, worst first"));
    m_model.reword();
    updatePage();
    showPast();
    look(true);
}

} // namespace lockkeeper::app::views
