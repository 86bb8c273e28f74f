// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/alerts/alerts_view.h"

#include "app/models/seconds.h"
#include "app/presentation/theme.h"
#include "app/session/agent_group.h"
#include "app/views/alerts/alert_panel.h"
#include "app/views/alerts/alerts_table.h"
#include "app/views/alerts/phase_chips.h"
#include "app/views/alerts/receivers_panel.h"
#include "app/views/table/list_page.h"
#include "app/views/widgets/banner_area.h"
#include "app/views/widgets/live_freeze.h"
#include "app/words/error_words.h"
#include "shared/base/text.h"

#include <QHBoxLayout>
#include <QMenu>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>
#include <numeric>

namespace lockkeeper::app::views {

using domain::AlertPhase;

namespace {
constexpr int kAskEverySeconds = 10; ///< for the receivers: their changes aren't sent
constexpr int kFootShare = 10'000;   ///< more than there is: both parts get the same
const QByteArray kUnreadAlerts = QByteArrayLiteral("alerts");
const QString kHiddenPhases = QStringLiteral("hidden");
} // namespace

AlertsView::AlertsView(const ConsoleContext &context, QWidget *parent)
    : ListView(context, parent), m_model(*context.alerts), m_formatter(context.times)
{
    m_model.setFormatter(&m_formatter);
    build();
    connect(context.alerts, &replica::AlertBoard::changed, this, &AlertsView::look);
    connect(context.session, &session::AgentGroup::linkChanged, this, &AlertsView::showState);
    connect(context.times, &words::TimeFormat::changed, this, &AlertsView::showState);
    connect(&m_second, &QTimer::timeout, this, &AlertsView::second);
    models::startSeconds(m_second);
    retranslate();
}

AlertsView::~AlertsView()
{
    destroy({m_list});
}

QString AlertsView::title() const
{
    return tr("Alerts");
}

std::optional<qint64> AlertsView::count() const
{
    const int active = context().alerts->activeCount();
    return active > 0 ? std::optional<qint64>(active) : std::nullopt;
}

void AlertsView::build()
{
    m_chips = new PhaseChips(context().theme);
    m_chips->setShown(m_model.shown());
    m_table = new AlertsTable(context(), &m_model);
    m_panel = new AlertPanel(context());
    m_receivers = new ReceiversPanel(context());
    auto *foot = new QSplitter(Qt::Horizontal);
    foot->addWidget(m_panel);
    foot->addWidget(m_receivers);
    foot->setChildrenCollapsible(false);
    foot->setSizes({kFootShare, kFootShare});
    m_list = new ListPage(context(), m_table);
    m_list->setReading({}, [this] { refresh(); });
    m_list->setDetail(foot, id(), {3, 2}, true);
    m_list->setExport(QStringLiteral("lockkeeper-alerts"));
    m_list->setMenu([this](QMenu *menu, int) { m_panel->fillMenu(menu); });
    setList(m_list);
    auto *bar = new QHBoxLayout;
    bar->addWidget(m_chips);
    bar->addStretch();
    QVBoxLayout *column = addColumn();
    column->addLayout(bar);
    column->addWidget(m_list, 1);
    m_freeze = new LiveFreeze(this);
    connect(m_freeze, &LiveFreeze::frozenChanged, this, [this](bool frozen) {
        if (!frozen)
            look();
    });
    connect(m_chips, &PhaseChips::toggled, this, &AlertsView::showPhase);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            [this] { m_panel->show(m_table->selectedAlerts()); });
    connect(m_table, &DataTable::activatedRow, this, [this](int row) {
        if (const models::AlertRow *one = m_model.at(row))
            AlertActions(context()).open(*one);
    });
}

void AlertsView::activate()
{
    look();
    if (m_table->selectedRowNumbers().isEmpty() && m_model.rowCount() > 0)
        m_table->select(m_model.at(0)->alert.id);
    refresh();
}

void AlertsView::refresh()
{
    m_secondsToAsk = kAskEverySeconds;
    context().alerts->refresh();
}

/** A snooze ends by the clock alone. */
void AlertsView::second()
{
    if (!isVisible()) {
        if (m_count != count()) {
            m_count = count();
            Q_EMIT countChanged();
        }
        return;
    }
    look();
    if (--m_secondsToAsk <= 0)
        refresh();
}

void AlertsView::look()
{
    if (m_count != count()) {
        m_count = count();
        Q_EMIT countChanged();
    }
    if (!isVisible())
        return;
    m_model.refresh(!m_freeze->isFrozen());
    m_chips->setCounts(m_model.counts());
    m_panel->show(m_table->selectedAlerts());
    m_receivers->refresh();
    showState();
}

void AlertsView::showState()
{
    showErrors();
    const auto &counts = m_model.counts();
    const qint64 hidden = std::accumulate(counts.cbegin(), counts.cend(), qint64(0));
    if (hidden == 0)
        return showMissing();
    m_list->showState({}, {counts.at(std::size_t(AlertPhase::Active)) > 0 ? tr("All alerts are hidden")
                                                                          : tr("No alert is active"),
                           tr("%n alert(s) are hidden.", nullptr, int(hidden)),
                           {{tr("Show them"), [this] {
                                 for (std::size_t i = 0; i < models::kAlertPhaseCount; ++i)
                                     showPhase(AlertPhase(i), true);
                             }}}});
}

/** No agent has reported an alert. */
void AlertsView::showMissing()
{
    ListReading reading{true};
    for (const replica::AgentAlerts &agent : context().alerts->agents()) {
        reading.isLoading = reading.isLoading && !agent.isKnown;
        reading.error = agent.error.cause.isEmpty() ? reading.error : agent.error;
    }
    const session::AgentGroup *agents = context().session;
    if (!reading.isLoading)
        reading.error = {};
    else if (!reading.error.cause.isEmpty())
        reading.isLoading = false;
    const bool isWaiting = reading.isLoading && agents->link() == session::LinkState::Waiting;
    m_list->showState(isWaiting ? ListReading() : reading,
                      {tr("No alert"), tr("The agent's rules have fired nothing within the last day.")});
    if (isWaiting)
        m_list->page()->showError(
            agents->lastError(), [this] { context().session->retryNow(); },
            tr("The agent can't be reached: %1").arg(words::ErrorWords::cause(agents->lastError())));
}

/** An agent whose alerts were read before and couldn't be read again, or that left some out. */
void AlertsView::showErrors()
{
    const auto &agents = context().alerts->agents();
    for (auto agent = agents.cbegin(); agent != agents.cend(); ++agent) {
        if (agent->error.cause.isEmpty() || agent->awaySinceUs || m_model.rowCount() == 0)
            continue;
        const QString why = words::ErrorWords::line(agent->error);
        m_list->banners()->showBanner({kUnreadAlerts, presentation::BannerKind::Warning,
                                       agent.key().isEmpty()
                                           ? tr("Couldn't read the alerts: %1").arg(why)
                                           : tr("Couldn't read the alerts of %1: %2", "agent, cause")
                                                 .arg(base::displayText(agent.key()), why),
                                       tr("Try again"), [this] { refresh(); }, false});
        return;
    }
    const bool more =
        std::any_of(agents.cbegin(), agents.cend(), [](const auto &agent) { return agent.more; });
    if (more)
        m_list->banners()->showBanner(
            {kUnreadAlerts,
             presentation::BannerKind::Info,
             tr("There are too many alerts to show. Older ones that are over are left out."),
             {},
             {},
             false});
    else
        m_list->banners()->removeBanner(kUnreadAlerts);
}

void AlertsView::showPhase(AlertPhase phase, bool shown)
{
    m_model.setShown(phase, shown);
    m_chips->setShown(m_model.shown());
    showState();
}

void AlertsView::setFilter(const QString &id)
{
    const domain::Alert *alert = context().alerts->find(id.toUtf8());
    if (!alert)
        return;
    const AlertPhase phase = context().alerts->phase(*alert);
    if (!m_model.shown().at(std::size_t(phase)))
        showPhase(phase, true);
    m_model.refresh(true);
    m_table->select(id.toUtf8());
}

QVariantMap AlertsView::saveState() const
{
    QVariantList hidden;
    for (std::size_t i = 0; i < models::kAlertPhaseCount; ++i) {
        if (!m_model.shown().at(i))
            hidden.append(QString::fromLatin1(domain::alertPhaseName(AlertPhase(i))));
    }
    return {{kHiddenPhases, hidden}};
}

void AlertsView::restoreState(const QVariantMap &state)
{
    if (!state.contains(kHiddenPhases))
        return;
    const QStringList hidden = state.value(kHiddenPhases).toStringList();
    for (std::size_t i = 0; i < models::kAlertPhaseCount; ++i)
        showPhase(AlertPhase(i),
                  !hidden.contains(QString::fromLatin1(domain::alertPhaseName(AlertPhase(i)))));
}

void AlertsView::retranslate()
{
    m_table->setAccessibleName(tr("Alerts, the most urgent first"));
    showState();
}

} // namespace lockkeeper::app::views
