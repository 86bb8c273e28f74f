// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/application/console.h"

#include "app/connections/connection.h"
#include "app/demo/demo.h"
#include "app/private_agent/private_agent.h"
#include "app/views/advice/advice_view.h"
#include "app/views/alerts/alerts_view.h"
#include "app/views/audit/audit_view.h"
#include "app/views/chains/chains_view.h"
#include "app/views/connect/agent_login.h"
#include "app/views/contention/contention_view.h"
#include "app/views/detail/lock_detail.h"
#include "app/views/discover/agent_lookout.h"
#include "app/views/discover/watch_store_dialog.h"
#include "app/views/history/history_view.h"
#include "app/views/holder/holder_view.h"
#include "app/views/locks/locks_view.h"
#include "app/views/notify/alert_watch.h"
#include "app/views/notify/attention_watch.h"
#include "app/views/notify/tray.h"
#include "app/views/overview/overview_view.h"
#include "app/views/past/past_view.h"
#include "app/views/preferences/preferences_dialog.h"
#include "app/views/release/approval_watch.h"
#include "app/views/release/release_controller.h"
#include "app/views/report/report_dialog.h"
#include "app/views/sources/sources_view.h"
#include "app/views/timeline/timeline_view.h"
#include "app/views/widgets/banner_area.h"
#include "app/views/window/main_window.h"
#include "app/views/window/window_actions.h"
#include "shared/base/text.h"
#include "shared/transport/address.h"

#include <QCoreApplication>
#include <QDir>
#include <QLoggingCategory>

#include <algorithm>

namespace lockkeeper::app {

namespace {
Q_LOGGING_CATEGORY(lcConsole, "lockkeeper.console")
const QByteArray kDemoBanner = QByteArrayLiteral("demo");
const QByteArray kPrivateBanner = QByteArrayLiteral("private_agent");
} // namespace

Console::Console(settings::Settings *settings, const base::Clock *clock, const QString &privateFolder,
                 QObject *parent)
    : QObject(parent),
      m_settings(settings),
      m_clock(clock),
      m_session(QStringLiteral("lockkeeper " LOCKKEEPER_VERSION)),
      m_replica(*clock),
      m_alerts(m_session, *clock),
      m_holders(m_session, *clock),
      m_privateAgent(std::make_unique<private_agent::PrivateAgent>(
          privateFolder.isEmpty() ? private_agent::WatchFiles::defaultFolder() : privateFolder))
{
    applySettings();
    m_replica.follow(&m_session);
    build();
    connectRequests();
    connectPrivateAgent();
    QCoreApplication::instance()->installEventFilter(&m_menuKey);
    connect(settings, &settings::Settings::changed, this, &Console::applySettings);
}

Console::~Console()
{
    // Destroy the window first: its widgets refer to all other objects.
    m_window.reset();
}

views::ConsoleContext Console::context()
{
    return {&m_session, &m_replica, &m_selection, m_settings, m_clock,
            &m_theme,   &m_times,   &m_requests,  &m_alerts,  &m_holders};
}

void Console::build()
{
    const views::ConsoleContext parts = context();
    m_window = std::make_unique<views::MainWindow>(parts, &m_commands);
    connect(&m_session, &session::AgentGroup::aboutToOpen, this, &Console::giveCredentials);
    auto *overview = new views::OverviewView(parts);
    overview->setContextMenu(m_window->actions()->lockMenu());
    m_window->addView(overview);
    m_locks = new views::LocksView(parts);
    m_locks->setContextMenu(m_window->actions()->lockMenu());
    m_locks->setAwaited([this](const domain::LockKey &key) -> std::optional<qint64> {
        const qint64 endsUs = m_commands.approvalEndsUs(key);
        return endsUs > 0 ? std::optional(m_session.untilUs(key.source, endsUs, *m_clock)) : std::nullopt;
    });
    m_window->addView(m_locks);
    m_chains = new views::ChainsView(parts);
    m_window->addView(m_chains);
    m_timeline = new views::TimelineView(parts);
    m_window->addView(m_timeline);
    m_window->addView(new views::HistoryView(parts));
    m_window->addView(new views::ContentionView(parts));
    m_window->addView(new views::AlertsView(parts));
    m_window->addView(new views::AdviceView(parts));
    m_window->addView(new views::AuditView(parts));
    m_window->addView(new views::SourcesView(parts));
    m_holder = new views::HolderView(parts);
    m_window->addView(m_holder);
    m_past = new views::PastView(parts, [this](const views::ConsoleContext &past) {
        auto *locks = new views::LocksView(past);
        auto *chains = new views::ChainsView(past);
        connect(locks, &views::LocksView::detailAsked, this, [this] { m_past->showDetail(); });
        connect(chains, &views::ChainsView::detailAsked, this, [this] { m_past->showDetail(); });
        return views::PastView::PastViews{{locks, chains}, new views::LockDetail(past)};
    });
    m_window->addView(m_past);
    m_releases = new views::ReleaseController(parts, &m_commands, m_window.get());
    m_tray = new views::Tray(m_window.get());
    new views::ApprovalWatch(
        parts, &m_commands, m_window->banners(),
        [this](const QString &title, const QString &text) { m_tray->notify(title, text); }, m_window.get());
    const auto notify = [this](const QString &title, const QString &text, std::function<void()> clicked) {
        m_tray->notify(title, text, std::move(clicked));
    };
    new views::AttentionWatch(parts, notify, m_window.get());
    new views::AlertWatch(parts, notify, m_window.get());
    m_tray->setShown(m_settings->value(settings::Key::AttentionNews).toBool());
    connect(m_window.get(), &views::MainWindow::preferencesAsked, this, &Console::openPreferences);
    connect(m_window.get(), &views::MainWindow::connectAsked, this, &Console::openAgent);
    connect(m_window.get(), &views::MainWindow::pastAsked, m_past, &views::PastView::choose);
    connect(m_locks, &views::LocksView::detailAsked, m_window.get(), &views::MainWindow::showDetail);
    connect(m_chains, &views::ChainsView::detailAsked, m_window.get(), &views::MainWindow::showDetail);
    connect(m_timeline, &views::TimelineView::detailAsked, m_window.get(), &views::MainWindow::showDetail);
    m_window->restore();
}

void Console::connectRequests()
{
    connect(&m_requests, &views::Requests::lockAsked, this, [this](const domain::LockKey &key) {
        m_selection.selectOne(key);
        m_window->showView(QByteArrayLiteral("locks"));
        m_window->showDetail();
        m_locks->reveal(key);
    });
    connect(&m_requests, &views::Requests::stateAtAsked, this, [this](qint64 us) {
        m_past->showAt(us);
        m_window->showView(m_past->id());
    });
    connect(&m_requests, &views::Requests::markMoved, m_past, &views::PastView::follow);
    connect(&m_requests, &views::Requests::timelineAsked, this, [this](const QList<domain::LockKey> &keys) {
        m_timeline->showLocks(keys);
        m_window->showView(m_timeline->id());
    });
    connect(&m_requests, &views::Requests::timelineAtAsked, this,
            [this](const QList<domain::LockKey> &keys, qint64 us) {
                if (!keys.isEmpty())
                    m_timeline->showLocks(keys);
                m_window->showView(m_timeline->id());
                m_timeline->lookAt(us);
            });
    connect(&m_requests, &views::Requests::reportAsked, this,
            [this](const domain::LockKey &key, qint64 fromUs, qint64 toUs) {
                auto *dialog = new views::ReportDialog(context(), key, {fromUs, toUs}, m_window.get());
                dialog->setAttribute(Qt::WA_DeleteOnClose);
                dialog->open();
            });
    connect(&m_requests, &views::Requests::holderOfAsked, this, [this](const domain::LockKey &key) {
        m_holder->showHolderOf(key);
        m_window->showView(m_holder->id());
    });
    connect(&m_requests, &views::Requests::holderAsked, this,
            [this](const QString &source, const QByteArray &name) {
                m_holder->showNamed(source, name);
                m_window->showView(m_holder->id());
            });
    connect(&m_requests, &views::Requests::historyAsked, this, [this](const domain::LockKey &key) {
        m_window->showView(QByteArrayLiteral("history"), filter::filterFor(key));
    });
}

void Console::applySettings()
{
    m_language.setLanguage(m_settings->language());
    if (m_privateError && m_window && m_window->banners()->hasBanner(kPrivateBanner))
        privateAgentEnded(*m_privateError); // in the new language
    m_theme.setAppearance(m_settings->appearance());
    m_theme.setFont(m_settings->fontZoom(), m_language.fontFamilies());
    m_times.setZone(m_settings->timeZone());
    m_times.setMilliseconds(m_settings->milliseconds());
    if (m_tray)
        m_tray->setShown(m_settings->value(settings::Key::AttentionNews).toBool());
    m_session.setReconnects(m_settings->reconnect());
}

void Console::openPreferences()
{
    QList<std::pair<QByteArray, QString>> known;
    for (const views::View *view : m_window->views()) {
        if (!view->isPast() && view != m_holder) // both need a choice first
            known.append({view->id(), view->title()});
    }
    auto *dialog = new views::PreferencesDialog(context(), known, m_window.get());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

void Console::openAgent(const QString &address)
{
    const auto connections = connections::resolveConnections(address, QDir::currentPath());
    if (!connections) {
        qCWarning(lcConsole).noquote() << connections.error().line();
        m_window->showStart(address);
        return;
    }
    const bool isDemo = m_demo && address == m_demo->address(); // ends with the console
    if (!isDemo && m_demo)
        forgetDemo();
    if (!isDemo)
        m_settings->setValue(settings::Key::LastAgent, address);
    if (!isDemo && address != m_privateAgent->files().address()) // the wizard finds the private agent
        m_settings->noteAgent(address);
    m_window->hideStart();
    m_connections = *connections;
    QList<transport::Address> addresses;
    for (const connections::Connection &connection : std::as_const(m_connections))
        addresses.append(connection.address);
    m_session.open(addresses);
}

/** Gives each session a login object that prompts for its password. */
void Console::giveCredentials()
{
    const QList<session::AgentSession *> sessions = m_session.sessions();
    m_logins.removeIf([&](views::AgentLogin *login) {
        const bool isOver = !sessions.contains(login->session());
        if (isOver)
            login->deleteLater();
        return isOver;
    });
    for (qsizetype i = 0; i < sessions.size(); ++i) {
        if (i >= m_logins.size())
            m_logins.append(new views::AgentLogin(sessions.at(i), m_window.get()));
        m_logins.at(i)->begin(m_connections.value(i));
    }
}

/** Another agent may now provide the rows of these locks. */
void Console::followSelection()
{
    QList<domain::LockKey> keys = m_selection.keys();
    for (domain::LockKey &key : keys)
        key = m_replica.shownAs(key);
    const auto current = m_selection.current();
    if (keys != m_selection.keys())
        m_selection.select(keys, current ? std::optional(m_replica.shownAs(*current)) : std::nullopt);
}

void Console::connectPrivateAgent()
{
    using private_agent::PrivateAgent;
    connect(m_window.get(), &views::MainWindow::watchStoreAsked, this, &Console::watchStore);
    connect(m_window.get(), &views::MainWindow::demoAsked, this, &Console::startDemo);
    connect(m_window.get(), &views::MainWindow::stopPrivateAsked, this, &Console::stopPrivateAgent);
    connect(m_privateAgent.get(), &PrivateAgent::stateChanged, this, [this] {
        m_window->actions()->setPrivateAgentRuns(m_privateAgent->state() ==
                                                 PrivateAgent::LaunchState::Running);
    });
    connect(m_privateAgent.get(), &PrivateAgent::ready, this, &Console::openAgent);
    connect(&m_session, &session::AgentGroup::agentChanged, &m_selection, &replica::Selection::clear);
    connect(&m_session, &session::AgentGroup::sameStoresChanged, this, &Console::followSelection);
    connect(
        &m_replica, &replica::Replica::changed, this,
        [this](const replica::PackedLockTable &, const QSet<domain::LockKey> &removed) {
            const QList<domain::LockKey> &keys = m_selection.keys();
            const auto isGone = [&removed](const domain::LockKey &key) { return removed.contains(key); };
            if (std::any_of(keys.cbegin(), keys.cend(), isGone)) // later: once the views have the other's row
                QMetaObject::invokeMethod(this, &Console::followSelection, Qt::QueuedConnection);
        });
    connect(m_privateAgent.get(), &PrivateAgent::failed, this, &Console::privateAgentEnded);
}

void Console::watchStore()
{
    auto *dialog = new views::WatchStoreDialog(m_privateAgent.get(), m_window.get());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    QList<discover::LookingAgent> agents;
    for (session::AgentSession *session : m_session.sessions()) {
        if (const auto agent = views::AgentLookout::of(session))
            agents.append(*agent);
    }
    dialog->setAgents(agents);
    connect(dialog, &views::WatchStoreDialog::watching, this, [this](const QString &, bool kept) {
        m_settings->setValue(settings::Key::PrivateAgent,
                             kept ? QStringLiteral("kept") : QStringLiteral("session"));
        m_window->banners()->removeBanner(kPrivateBanner);
        m_window->showView(QByteArrayLiteral("locks")); // that were just found
    });
    dialog->open();
}

demo::Demo *Console::demo()
{
    if (!m_demo) {
        m_demo = std::make_unique<demo::Demo>();
        connect(m_demo.get(), &demo::Demo::ready, this, [this](const QString &address) {
            openAgent(address);
            views::BannerText banner;
            banner.id = kDemoBanner;
            banner.text = tr("Demo data: these locks are made up, in a Redis of this demo alone.");
            banner.action = tr("End the demo");
            banner.run = [this] { endDemo(); };
            m_window->banners()->showBanner(banner);
        });
        connect(m_demo.get(), &demo::Demo::failed, this, [this](const QString &output) {
            views::BannerText banner;
            banner.id = kDemoBanner;
            banner.kind = presentation::BannerKind::Error;
            banner.text = tr("The demo doesn't run: %1").arg(base::displayText(output.trimmed()));
            m_window->banners()->showBanner(banner);
            m_demo->disconnect(this);        // the end of one program may end another
            m_demo.release()->deleteLater(); // it is the sender
        });
    }
    return m_demo.get();
}

void Console::startDemo()
{
    if (!demo()->isRunning())
        m_demo->start();
}

void Console::forgetDemo()
{
    m_window->banners()->removeBanner(kDemoBanner);
    m_demo->disconnect(this);
    m_demo.release()->deleteLater(); // not within the banner's own button
}

void Console::endDemo()
{
    m_session.close();
    forgetDemo();
    m_window->showStart(transport::defaultAddress());
}

void Console::resumePrivateAgent()
{
    m_window->banners()->removeBanner(kPrivateBanner);
    m_privateAgent->resume(m_settings->value(settings::Key::PrivateAgent) == QLatin1String("kept"));
}

void Console::stopPrivateAgent()
{
    m_settings->setValue(settings::Key::PrivateAgent, QStringLiteral("off"));
    const auto address = transport::parseAddress(m_privateAgent->files().address(), QDir::currentPath());
    const bool watched = address && m_session.addresses() == QList{*address};
    if (watched) { // still the same agent
        m_settings->setValue(settings::Key::LastAgent, QString());
        m_session.close();
    }
    m_privateAgent->stop();
    if (watched)
        m_window->showStart(transport::defaultAddress());
}

/** The wizard reports its own failures; this handles an agent that ran, or that should be found again. */
void Console::privateAgentEnded(const base::Error &error)
{
    if (m_window->findChild<views::WatchStoreDialog *>())
        return;
    m_privateError = error;
    views::BannerText banner;
    banner.id = kPrivateBanner;
    banner.kind = presentation::BannerKind::Error;
    banner.text = error.code == base::ErrorCode::NotFound
                      ? tr("The private agent can't be started: lockkeeper-agent isn't installed here.")
                      : tr("The private agent doesn't run. Its log is %1.")
                            .arg(base::displayText(m_privateAgent->files().logFile()));
    banner.action = tr("Start again");
    banner.run = [this] { resumePrivateAgent(); };
    m_window->banners()->showBanner(banner);
}

void Console::start(const QString &address)
{
    const bool isPrivate =
        address == m_privateAgent->files().address() && m_privateAgent->files().isConfigured();
    if (isPrivate)
        m_window->showStart(address); // until it serves
    if (isPrivate)
        resumePrivateAgent();
    else if (!address.isEmpty())
        openAgent(address);
    else
        m_window->showStart(transport::defaultAddress());
}

} // namespace lockkeeper::app
