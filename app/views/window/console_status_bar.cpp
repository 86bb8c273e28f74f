// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/window/console_status_bar.h"

#include "app/models/seconds.h"
#include "app/presentation/icons.h"
#include "app/replica/replica.h"
#include "app/replica/selection.h"
#include "app/session/agent_group.h"
#include "app/views/widgets/plain_label.h"
#include "app/views/widgets/requests.h"
#include "app/words/durations.h"
#include "app/words/time_format.h"
#include "app/words/words.h"
#include "shared/base/text.h"

#include <QLocale>
#include <QToolButton>

#include <algorithm>

namespace lockkeeper::app::views {

using words::Durations;

namespace {

void setText(QToolButton *button, const QString &text)
{
    // An ampersand would become a mnemonic.
    QString shown = text;
    shown.replace(QLatin1Char('&'), QLatin1String("&&"));
    if (button->text() == shown)
        return;
    button->setText(shown);
    button->setAccessibleName(text);
}

} // namespace

ConsoleStatusBar::ConsoleStatusBar(const ConsoleContext &context, const models::CommandsModel *commands,
                                   QWidget *parent)
    : Translated(parent),
      m_context(context),
      m_commands(commands),
      m_link(addButton(false)),
      m_counts(addButton(false)),
      m_sources(addButton(true)),
      m_pending(addButton(true)),
      m_role(addButton(true)),
      m_clock(addButton(true))
{
    const auto open = [this](const char *view) {
        return [this, id = QByteArray(view)] { Q_EMIT m_context.requests->viewAsked(id, {}); };
    };
    connect(m_link, &QToolButton::clicked, this, &ConsoleStatusBar::linkClicked);
    connect(m_counts, &QToolButton::clicked, this, open("locks"));
    connect(m_sources, &QToolButton::clicked, this, open("sources"));
    connect(m_pending, &QToolButton::clicked, this, &ConsoleStatusBar::pendingClicked);
    connect(m_role, &QToolButton::clicked, this, open("audit"));
    connect(m_clock, &QToolButton::clicked, this, &ConsoleStatusBar::zoneClicked);
    connect(context.session, &session::AgentGroup::linkChanged, this, &ConsoleStatusBar::refresh);
    connect(context.session, &session::AgentGroup::grantsChanged, this, &ConsoleStatusBar::refresh);
    connect(context.replica, &replica::Replica::pauseChanged, this, &ConsoleStatusBar::refresh);
    connect(context.replica, &replica::Replica::offlineChanged, this, &ConsoleStatusBar::refresh);
    connect(context.replica, &replica::Replica::sourcesChanged, this, &ConsoleStatusBar::refresh);
    connect(context.times, &words::TimeFormat::changed, this, &ConsoleStatusBar::refresh);
    connect(commands, &models::CommandsModel::pendingCountChanged, this, &ConsoleStatusBar::refresh);
    connect(context.requests, &Requests::messageCame, this,
            [this](const QString &text) { showMessage(text, 6000); });
    connect(&m_second, &QTimer::timeout, this, &ConsoleStatusBar::refresh);
    models::startSeconds(m_second);
    refresh();
}

QToolButton *ConsoleStatusBar::addButton(bool right)
{
    auto *button = new QToolButton(this);
    button->setAutoRaise(true);
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    button->setIconSize(QSize(14, 14));
    button->setMinimumHeight(24);
    button->setFocusPolicy(Qt::TabFocus);
    if (right)
        addPermanentWidget(button);
    else
        addWidget(button);
    return button;
}

void ConsoleStatusBar::setView(View *view)
{
    if (m_view)
        disconnect(m_view, &View::rowsChanged, this, nullptr);
    m_view = view;
    if (view)
        connect(view, &View::rowsChanged, this, &ConsoleStatusBar::refresh);
    refresh();
}

QString ConsoleStatusBar::linkText() const
{
    return m_link->text();
}

QString ConsoleStatusBar::countsText() const
{
    return m_counts->text();
}

qint64 ConsoleStatusBar::staleUs() const
{
    qint64 worst = 0;
    for (const domain::SourceState &source : m_context.replica->sources()) {
        if (!m_context.replica->isStale(source.name) || m_context.replica->isSeenByAnother(source.name))
            continue;
        const qint64 seen = m_context.replica->lastSeenUs(source.name);
        worst = std::max<qint64>(worst, seen > 0 ? m_context.replica->storeNowUs(source.name) - seen : 1);
    }
    return worst;
}

int ConsoleStatusBar::observedSources() const
{
    const auto sources = m_context.replica->sources();
    return int(std::count_if(sources.cbegin(), sources.cend(), [this](const domain::SourceState &source) {
        return !m_context.replica->isStale(source.name) || m_context.replica->isSeenByAnother(source.name);
    }));
}

void ConsoleStatusBar::refreshLink()
{
    const qint64 stale = staleUs();
    QString icon = QStringLiteral("network-online");
    QString text;
    if (m_context.replica->isOffline()) {
        icon = QStringLiteral("network-offline");
        text =
            m_context.session->link() == session::LinkState::Connecting ? tr("Connecting…") : tr("Offline");
    } else if (m_context.replica->isPaused()) {
        icon = QStringLiteral("media-playback-pause");
        text = tr("Paused");
    } else if (stale > 0) {
        icon = QStringLiteral("dialog-warning");
        text = tr("Stale %1").arg(Durations::text(stale));
    } else {
        const qint64 lag = m_context.session->lagUs();
        const QStringList slow = m_context.session->slowAgents();
        const auto all = m_context.session->sessions();
        const auto live = std::count_if(all.cbegin(), all.cend(), [](const session::AgentSession *one) {
            return one->link() == session::LinkState::Live;
        });
        if (!slow.isEmpty())
            text = tr("Waiting for %1…").arg(base::displayText(slow.join(QLatin1String(", "))));
        else if (all.size() > 1)
            text = tr("Live %1/%2", "agents that are connected, of all").arg(live).arg(all.size());
        else
            text = lag >= 0 ? tr("Live %1").arg(Durations::shortText(lag)) : tr("Live");
    }
    if (m_link->property("icon-name").toString() != icon) {
        m_link->setProperty("icon-name", icon);
        m_link->setIcon(presentation::icon(icon));
    }
    setText(m_link, text);
    m_link->setToolTip(tr("The link to the agent and its round trip"));
}

void ConsoleStatusBar::refreshRight()
{
    const auto all = m_context.replica->sources().size();
    setText(m_sources, tr("%1/%n source(s)", "observed, all", int(all)).arg(observedSources()));
    m_sources->setToolTip(tr("Sources that are observed now, of all"));
    const int pending = m_commands->pendingCount();
    const qint64 awaitedUs = m_commands->approvalEndsUs();
    m_pending->setVisible(pending > 0 || awaitedUs > 0);
    const qint64 leftS = std::max<qint64>(0, m_context.session->untilUs(m_commands->firstAwaited().source,
                                                                        awaitedUs, *m_context.clock)) /
                         1'000'000;
    setText(m_pending, pending == 0 && awaitedUs > 0 ? tr("Awaiting approval %1:%2", "minutes, seconds")
                                                           .arg(leftS / 60)
                                                           .arg(leftS % 60, 2, 10, QLatin1Char('0'))
                                                     : tr("%n command(s) under way", nullptr, pending));
    const QString role = m_context.session->welcome().role;
    m_role->setVisible(!role.isEmpty());
    setText(m_role, words::Words::role(role));
    m_role->setToolTip(plainToolTip(words::Words::grants(m_context.session->grants())));
    const qint64 now = m_context.clock->wallUs();
    setText(m_clock,
            tr("%1 %2", "time, zone").arg(m_context.times->time(now), m_context.times->zoneText(now)));
    m_clock->setToolTip(tr("This machine's clock. Click to change the time zone."));
}

void ConsoleStatusBar::refresh()
{
    refreshLink();
    const QLocale plain = QLocale(QLocale::English);
    const auto ofRows = m_view ? m_view->allLocks() : std::nullopt;
    const qint64 locks = ofRows.value_or(m_context.replica->locks().size());
    const QString total = plain.toString(locks); // has separators, which %n lacks
    if (m_view && m_view->shownRows()) {
        const QString text = ofRows ? tr("%1 lock(s), %2 shown, %3 selected", nullptr, int(locks))
                                    : tr("%1 lock(s); in this list %2, selected %3", nullptr, int(locks));
        setText(m_counts, text.arg(total, plain.toString(*m_view->shownRows()),
                                   plain.toString(m_view->selectedRows())));
    } else
        setText(m_counts, tr("%1 lock(s)", nullptr, int(locks)).arg(total));
    refreshRight();
}

} // namespace lockkeeper::app::views
