// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/notify/alert_watch.h"

#include "app/models/seconds.h"
#include "app/presentation/alert_formatter.h"
#include "app/replica/alert_board.h"
#include "app/session/agent_group.h"
#include "app/settings/settings.h"
#include "app/views/widgets/requests.h"
#include "app/words/alert_description.h"

#include <utility>

namespace lockkeeper::app::views {

using presentation::AlertFormatter;

namespace {
constexpr qsizetype kNamedAlerts = 3; ///< in one notification
}

AlertWatch::AlertWatch(const ConsoleContext &context, Notify notify, QObject *parent)
    : QObject(parent), m_context(context), m_notify(std::move(notify)), m_news(*context.clock)
{
    connect(context.alerts, &replica::AlertBoard::fired, this,
            [this](const domain::Alert &alert) { m_news.take(alert); });
    connect(context.alerts, &replica::AlertBoard::changed, this, &AlertWatch::dropTaken);
    connect(context.session, &session::AgentGroup::agentChanged, this, [this] { m_news.forget(); });
    connect(&m_second, &QTimer::timeout, this, &AlertWatch::check);
    models::startSeconds(m_second);
}

void AlertWatch::dropTaken()
{
    for (const QByteArray &id : m_news.waiting()) {
        const domain::Alert *alert = m_context.alerts->find(id);
        if (!alert || m_context.alerts->phase(*alert) != domain::AlertPhase::Active)
            m_news.drop(id);
    }
}

void AlertWatch::check()
{
    const QList<FiredAlert> due = m_news.takeDue();
    if (due.isEmpty() || !m_context.settings->value(settings::Key::AttentionNews).toBool())
        return;
    const QString worst = QString::fromUtf8(due.first().alert.id);
    m_notify(titleOf(due), textOf(due), [requests = m_context.requests, worst] {
        Q_EMIT requests->viewAsked(QByteArrayLiteral("alerts"), worst);
    });
}

QString AlertWatch::titleOf(const QList<FiredAlert> &alerts) const
{
    if (alerts.size() > 1)
        return tr("%n alert(s) have fired", nullptr, int(alerts.size()));
    const domain::Alert &alert = alerts.first().alert;
    return tr("%1: %2", "severity, condition")
        .arg(words::AlertDescription::severity(alert.severity),
             words::AlertDescription::condition(alert.condition));
}

QString AlertWatch::textOf(const QList<FiredAlert> &alerts) const
{
    QStringList lines;
    for (const FiredAlert &fired : alerts.first(std::min(alerts.size(), kNamedAlerts))) {
        const QString sentence =
            words::AlertDescription::sentence(fired.alert, m_context.session->agentOf(fired.alert.source));
        lines.append(fired.firings > AlertNews::kFlaps
                         ? tr("%1 It has fired %n time(s) within ten minutes. Its next alerts stay silent.",
                              "sentence, count", fired.firings)
                               .arg(sentence)
                         : sentence);
    }
    if (alerts.size() > kNamedAlerts)
        lines.append(tr("And %n more.", "alerts", int(alerts.size() - kNamedAlerts)));
    return lines.join(QLatin1Char('\n'));
}

} // namespace lockkeeper::app::views
