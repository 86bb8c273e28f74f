// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/agents/look_command.h"
#include "app/cli/commands/act_command.h"
#include "app/cli/lock_name.h"
#include "app/cli/table.h"
#include "app/cli/times.h"
#include "app/records/alert_records.h"
#include "app/records/records.h"
#include "app/words/error_words.h"

#include <CLI/CLI.hpp>
#include <algorithm>

namespace lockkeeper::app::cli {

using namespace records;

using base::ErrorCode;
using domain::Alert;
using domain::AlertPhase;
using protocol::AlertAction;

namespace {

constexpr quint64 kListAlerts = 1;
constexpr quint64 kActOnAlert = 2;
constexpr quint64 kListAgain = 3;
constexpr qsizetype kShownId = 8;
constexpr qsizetype kLeastId = 4;
constexpr qint64 kLongestSnoozeUs = 7 * 24 * base::kHourUs;

/** The word after `alerts`, in the order of kAlertVerbs. */
enum class AlertVerbWord : quint8 { List = 0, Acknowledge, Snooze, Wake, Test };
const std::vector<std::string> kAlertVerbs{"list", "ack", "snooze", "wake", "test"};

struct AlertsOptions
{
    AlertVerbWord verb = AlertVerbWord::List;
    QString subject; ///< ID, AGENT/ID, RECEIVER or AGENT/RECEIVER
    std::optional<qint64> forUs;
    bool all = false;
    bool receivers = false;
};

/** The alerts that an abbreviated id may mean; those that are over only if no other alert has that id. */
QList<Alert> alertsWithId(const QList<Alert> &alerts, const QString &id)
{
    QList<Alert> found;
    for (const Alert &alert : alerts) {
        if (alert.id == id.toLatin1())
            return {alert};
        if (id.size() >= kLeastId && alert.id.startsWith(id.toLatin1()))
            found.append(alert);
    }
    const auto isOver = [](const Alert &alert) { return alert.isResolved(); };
    if (!std::all_of(found.cbegin(), found.cend(), isOver))
        found.removeIf(isOver);
    return found;
}

QString levelText(domain::AlertCondition condition, const std::optional<qint64> &level)
{
    const AlertUnit unit = alertUnit(condition);
    if (!level || unit == AlertUnit::None)
        return dash();
    switch (unit) {
    case AlertUnit::Duration:
        return durationText(*level);
    case AlertUnit::Times:
        return thousandthsText(*level, unit) + QLatin1Char('x');
    case AlertUnit::Share:
        return thousandthsText(*level, unit) + QLatin1Char('%');
    default:
        return QString::number(*level);
    }
}

QString personText(const Alert &alert, AlertPhase phase)
{
    const QString by = phase == AlertPhase::Snoozed ? alert.snoozedBy : alert.acknowledgedBy;
    return by.isEmpty() ? dash() : base::displayText(by);
}

Table alertsTable(const QList<Alert> &alerts, qint64 agentWallUs)
{
    using Align = Table::Align;
    Table table({{QStringLiteral("ID"), Align::Left, false, int(kShownId), 0},
                 {QStringLiteral("SEVERITY"), Align::Left, false, 8, 0},
                 {QStringLiteral("PHASE"), Align::Left, false, 8, 0},
                 {QStringLiteral("RULE"), Align::Left, false, 8, 0},
                 {QStringLiteral("CONDITION"), Align::Left, false, 8, 4},
                 {QStringLiteral("SOURCE"), Align::Left, false, 8, 1},
                 {QStringLiteral("LOCK"), Align::Left, true, 16, 0},
                 {QStringLiteral("HOLDER"), Align::Left, true, 10, 3},
                 {QStringLiteral("LASTS"), Align::Right, false, 6, 0},
                 {QStringLiteral("FIRED(%1)").arg(zoneName(agentWallUs)), Align::Left, false, 23, 5},
                 {QStringLiteral("VALUE"), Align::Right, false, 5, 0},
                 {QStringLiteral("THRESHOLD"), Align::Right, false, 9, 2},
                 {QStringLiteral("BY"), Align::Left, false, 4, 0}});
    for (const Alert &alert : alerts) {
        const AlertPhase phase = domain::alertPhase(alert, agentWallUs);
        const QString colour = phase != AlertPhase::Active                         ? QString()
                               : alert.severity == domain::AlertSeverity::Critical ? QStringLiteral("31;1")
                               : alert.severity == domain::AlertSeverity::Warning  ? QStringLiteral("33")
                                                                                   : QString();
        table.add({latin(alert.id.left(kShownId)), latin(domain::alertSeverityName(alert.severity)),
                   latin(domain::alertPhaseName(phase)), base::displayText(alert.rule),
                   latin(domain::alertConditionName(alert.condition)),
                   alert.source.isEmpty() ? dash() : base::displayText(alert.source),
                   alert.isOfLock() ? lockName(alert.lock) : dash(),
                   alert.holder.isEmpty() ? dash() : base::displayText(alert.holder),
                   durationText(alert.resolvedUs.value_or(agentWallUs) - alert.sinceUs),
                   timeText(alert.firedUs), levelText(alert.condition, alert.value),
                   levelText(alert.condition, alert.threshold), personText(alert, phase)},
                  colour);
    }
    return table;
}

Table receiversTable(const QList<protocol::AlertReceiver> &receivers, qint64 agentWallUs)
{
    using Align = Table::Align;
    const QString zone = zoneName(agentWallUs);
    Table table({{QStringLiteral("NAME"), Align::Left, false, 8, 0},
                 {QStringLiteral("TYPE"), Align::Left, false, 8, 0},
                 {QStringLiteral("DELIVERED(%1)").arg(zone), Align::Left, false, 23, 1},
                 {QStringLiteral("FAILS_SINCE(%1)").arg(zone), Align::Left, false, 23, 0},
                 {QStringLiteral("WAITING"), Align::Right, false, 7, 0},
                 {QStringLiteral("CAUSE"), Align::Left, true, 12, 0}});
    for (const protocol::AlertReceiver &receiver : receivers)
        table.add({base::displayText(receiver.name), base::displayText(receiver.type),
                   timeText(receiver.deliveredUs), timeText(receiver.failingSinceUs),
                   QString::number(receiver.waiting),
                   receiver.error.cause.isEmpty() ? dash() : base::displayText(receiver.error.cause)});
    return table;
}

class AlertsCommand final : public Command
{
    Q_OBJECT

public:
    using Command::Command;

protected:
    void connected(const protocol::Welcome &) override { send(protocol::AlertsQuery{kListAlerts}); }
    void received(const protocol::Message &message) override
    {
        if (const auto *page = std::get_if<protocol::AlertsPage>(&message)) {
            context().part->alerts = *page;
            finish(Exit::Done);
        }
    }
};

/** The list of the alerts, or of their receivers. */
class AlertsLook final : public LookSpec
{
    Q_DECLARE_TR_FUNCTIONS(lockkeeper::app::cli)

public:
    explicit AlertsLook(AlertsOptions options = {}) : m_options(std::move(options)) {}

    Summary summary() const override { return {}; }
    std::unique_ptr<Command> make(Context &context) const override
    {
        return std::make_unique<AlertsCommand>(context);
    }
    void print(Listing &listing) const override;

private:
    void printAlerts(Listing &listing) const;
    static void printReceivers(Listing &listing);
    static void noteFailingReceivers(Listing &listing);

    AlertsOptions m_options;
};

void AlertsLook::print(Listing &listing) const
{
    if (m_options.receivers)
        printReceivers(listing);
    else
        printAlerts(listing);
}

void AlertsLook::printAlerts(Listing &listing) const
{
    const auto listOf = [all = m_options.all](const AgentPart &part) {
        Answers<Alert> answers{part.alerts.alerts, false};
        answers.list.removeIf([all](const Alert &alert) { return !all && alert.isResolved(); });
        return answers;
    };
    const auto later = [](const Alert &a, const Alert &b) { return a.firedUs > b.firedUs; };
    const auto merged =
        listing.merge<Alert>(listing.answered(), listOf, later, std::numeric_limits<qsizetype>::max());
    for (const Merged<Alert> &one : merged.list) {
        const qint64 nowUs = listing.part(one.agent).alerts.nowUs;
        if (listing.isJson())
            listing.context().out.write(jsonLine(
                alertObject(one.item, domain::alertPhase(one.item, nowUs), listing.label(one.agent))));
        else
            listing.add(alertsTable({one.item}, nowUs), listing.label(one.agent));
    }
    if (listing.isJson())
        return;
    listing.show(m_options.all ? tr("no alert, and none within the last day") : tr("no alert"));
    const QList<qsizetype> agents = listing.answered();
    const bool more = std::any_of(agents.cbegin(), agents.cend(),
                                  [&listing](qsizetype agent) { return listing.part(agent).alerts.more; });
    if (more)
        listing.context().out.note(
            tr("there are too many alerts to list; older ones that are over are left out"));
    noteFailingReceivers(listing);
}

/** A receiver that fails delivers no alert, so a short list may not be the whole truth elsewhere. */
void AlertsLook::noteFailingReceivers(Listing &listing)
{
    for (const qsizetype i : listing.answered()) {
        for (const protocol::AlertReceiver &receiver : listing.part(i).alerts.receivers) {
            if (receiver.failingSinceUs)
                listing.context().out.note(listing.prefix(i, QLatin1String(": ")) +
                                           tr("receiver %1 has failed since %2: %3")
                                               .arg(base::displayText(receiver.name),
                                                    timeText(receiver.failingSinceUs),
                                                    words::ErrorWords::line(receiver.error).trimmed()));
        }
    }
}

void AlertsLook::printReceivers(Listing &listing)
{
    for (const qsizetype i : listing.answered()) {
        const protocol::AlertsPage &page = listing.part(i).alerts;
        if (!listing.isJson())
            listing.add(receiversTable(page.receivers, page.nowUs), listing.label(i));
        for (const protocol::AlertReceiver &receiver : page.receivers) {
            if (listing.isJson())
                listing.context().out.write(jsonLine(receiverObject(receiver, listing.label(i))));
        }
    }
    if (!listing.isJson())
        listing.show(tr("no receiver is configured"));
}

/** Acknowledges, snoozes or wakes the one alert that has the id. */
class AlertCommand final : public Command
{
    Q_OBJECT

public:
    AlertCommand(AlertsOptions options, QString id, Context &context)
        : Command(context), m_options(std::move(options)), m_id(std::move(id))
    {
    }

protected:
    void connected(const protocol::Welcome &) override { send(protocol::AlertsQuery{kListAlerts}); }
    void received(const protocol::Message &message) override;

private:
    void choose(const protocol::AlertsPage &page);
    QString sentence() const;
    void printObject(const protocol::AlertsPage &page);

    AlertsOptions m_options;
    QString m_id;
    Alert m_alert;
    qint64 m_nowUs = 0;
};

void AlertCommand::received(const protocol::Message &message)
{
    if (const auto *page = std::get_if<protocol::AlertsPage>(&message)) {
        if (page->id == kListAgain)
            printObject(*page);
        else
            choose(*page);
    } else if (std::holds_alternative<protocol::Done>(message)) {
        context().out.done(int(Exit::Done));
        if (context().json)
            return send(protocol::AlertsQuery{kListAgain}); // the alert as it is now
        context().out.text(sentence() + QLatin1Char('\n'));
        finish(Exit::Done);
    }
}

void AlertCommand::choose(const protocol::AlertsPage &page)
{
    const QList<Alert> found = alertsWithId(page.alerts, m_id);
    if (found.size() != 1) {
        QStringList ids;
        for (const Alert &alert : found)
            ids.append(latin(alert.id));
        return fail(found.isEmpty()
                        ? base::Error{ErrorCode::Usage, tr("no alert has the id '%1'").arg(m_id),
                                      tr("'lockkeeperctl alerts' lists them; an id may be shortened to %1 "
                                         "characters")
                                          .arg(kLeastId)}
                        : base::Error{ErrorCode::Usage,
                                      tr("several alerts have an id that begins with '%1'").arg(m_id),
                                      tr("Use one of: %1").arg(ids.join(QStringLiteral(" | ")))});
    }
    m_alert = found.constFirst();
    m_nowUs = page.nowUs;
    const auto verb = m_options.verb == AlertVerbWord::Snooze ? AlertAction::AlertVerb::Snooze
                      : m_options.verb == AlertVerbWord::Wake ? AlertAction::AlertVerb::Wake
                                                              : AlertAction::AlertVerb::Acknowledge;
    send(AlertAction{kActOnAlert, m_alert.id, verb, m_options.forUs.value_or(0)});
}

QString AlertCommand::sentence() const
{
    const QString subject = m_alert.isOfLock()         ? lockName(m_alert.lock)
                            : m_alert.source.isEmpty() ? agent()
                                                       : base::displayText(m_alert.source);
    const QString rule = base::displayText(m_alert.rule);
    switch (m_options.verb) {
    case AlertVerbWord::Snooze:
        return tr("Snoozed until %1: %2, %3.")
            .arg(timeText(m_nowUs + m_options.forUs.value_or(0)), rule, subject);
    case AlertVerbWord::Wake:
        return tr("The snooze has ended: %1, %2.").arg(rule, subject);
    default:
        return tr("Acknowledged: %1, %2.").arg(rule, subject);
    }
}

void AlertCommand::printObject(const protocol::AlertsPage &page)
{
    const QList<Alert> found = alertsWithId(page.alerts, latin(m_alert.id));
    const Alert now = found.isEmpty() ? m_alert : found.constFirst();
    context().out.write(jsonLine(alertObject(now, domain::alertPhase(now, page.nowUs), agent())));
    finish(Exit::Done);
}

/** Sends a test message to one receiver, and waits for the delivery. */
class ReceiverTestCommand final : public Command
{
    Q_OBJECT

public:
    ReceiverTestCommand(QString receiver, Context &context)
        : Command(context), m_receiver(std::move(receiver))
    {
    }

protected:
    void connected(const protocol::Welcome &) override
    {
        send(protocol::ReceiverTest{kActOnAlert, m_receiver});
    }
    void received(const protocol::Message &message) override;

private:
    QString m_receiver;
};

void ReceiverTestCommand::received(const protocol::Message &message)
{
    if (!std::holds_alternative<protocol::Done>(message))
        return;
    context().out.done(int(Exit::Done));
    if (context().json)
        context().out.write(jsonLine({{QStringLiteral("name"), m_receiver},
                                      {QStringLiteral("agent"), agent()},
                                      {QStringLiteral("delivered"), true}}));
    else
        context().out.text(tr("A test message was delivered to %1.").arg(base::displayText(m_receiver)) +
                           QLatin1Char('\n'));
    finish(Exit::Done);
}

/** The verbs that act on one alert or one receiver, at the agent that has it. */
class AlertsAct final : public ActSpec
{
    Q_DECLARE_TR_FUNCTIONS(lockkeeper::app::cli)

public:
    explicit AlertsAct(AlertsOptions options) : m_options(std::move(options)) {}

    Summary summary() const override { return {}; }
    QString target() const override { return m_options.subject; }
    bool namesAgent() const override { return m_options.subject.contains(QLatin1Char('/')); }
    std::unique_ptr<CommandSpec> question() const override { return std::make_unique<AlertsLook>(); }
    Choice choose(const FanOut &agents) const override;
    std::unique_ptr<Command> makeAt(Context &context, const QString &subject) const override
    {
        if (m_options.verb == AlertVerbWord::Test)
            return std::make_unique<ReceiverTestCommand>(subject, context);
        return std::make_unique<AlertCommand>(m_options, subject, context);
    }

private:
    QStringList subjectsAt(const AgentPart &part) const;

    AlertsOptions m_options;
};

/** The ids or receivers there that the subject may mean. */
QStringList AlertsAct::subjectsAt(const AgentPart &part) const
{
    QStringList found;
    if (m_options.verb == AlertVerbWord::Test) {
        for (const protocol::AlertReceiver &receiver : part.alerts.receivers) {
            if (receiver.name == m_options.subject)
                found.append(receiver.name);
        }
        return found;
    }
    for (const Alert &alert : alertsWithId(part.alerts.alerts, m_options.subject))
        found.append(latin(alert.id));
    return found;
}

ActSpec::Choice AlertsAct::choose(const FanOut &agents) const
{
    const QString shown = base::displayText(m_options.subject);
    if (namesAgent())
        return {{},
                tr("no agent is called '%1'").arg(shown.left(shown.indexOf(QLatin1Char('/')))),
                tr("'lockkeeperctl alerts' names the agents")};
    QList<qsizetype> having;
    QStringList candidates;
    for (qsizetype i = 0; i < agents.count(); ++i) {
        for (const QString &subject : agents.hasAnswered(i) ? subjectsAt(agents.part(i)) : QStringList()) {
            having.append(i);
            candidates.append(pathTo(agents, i, subject));
        }
    }
    if (having.size() == 1)
        return {having.constFirst(), {}, {}};
    if (!having.isEmpty())
        return {{}, tr("several agents or alerts have '%1'").arg(shown), oneOf(candidates)};
    if (m_options.verb == AlertVerbWord::Test)
        return {{},
                tr("no agent has a receiver named '%1'").arg(shown),
                tr("'lockkeeperctl alerts --receivers' lists them")};
    return {
        {}, tr("no agent has an alert with the id '%1'").arg(shown), tr("'lockkeeperctl alerts' lists them")};
}

class AlertsSpec final : public CommandSpec, public WithOptions<AlertsOptions>
{
    Q_DECLARE_TR_FUNCTIONS(lockkeeper::app::cli)

public:
    Summary summary() const override
    {
        return {"alerts", tr("list, acknowledge and snooze alerts, and test their receivers"), "alerts",
                "alerts snooze 5f1c --for 4h"};
    }
    void declare(Arguments &arguments) override;
    void check(Arguments &arguments) override;
    std::unique_ptr<Command> make(Context &context) const override
    {
        return isList() ? AlertsLook(options).make(context) : AlertsAct(options).make(context);
    }
    std::unique_ptr<Task> task(std::vector<NamedAgent> &agents) const override
    {
        m_look = std::make_unique<AlertsLook>(options);
        m_act = std::make_unique<AlertsAct>(options);
        return isList() ? m_look->task(agents) : m_act->task(agents);
    }

private:
    bool isList() const { return options.verb == AlertVerbWord::List; }

    // The task refers to its spec, which this object keeps for it.
    mutable std::unique_ptr<AlertsLook> m_look;
    mutable std::unique_ptr<AlertsAct> m_act;
};

void AlertsSpec::declare(Arguments &arguments)
{
    arguments.choice(
        "VERB", kAlertVerbs, [this](std::size_t index) { options.verb = AlertVerbWord(index); },
        help("list (default), ack, snooze or wake an alert, or test a receiver"));
    arguments.text("ID", options.subject,
                   help("the alert, as the list shows it (unique first characters suffice); for test: a "
                        "receiver"));
    arguments.duration("--for", options.forUs, help("snooze: how long: 15m, 4h, at most 7d"),
                       kLongestSnoozeUs);
    arguments.flag("--all", options.all, help("list: also alerts that ended within the last day"));
    arguments.flag("--receivers", options.receivers, help("list: the receivers instead of the alerts"));
}

void AlertsSpec::check(Arguments &arguments)
{
    const bool snoozes = options.verb == AlertVerbWord::Snooze;
    if (isList() != options.subject.isEmpty())
        arguments.blame("ID", isList() ? tr("a list takes no id")
                              : options.verb == AlertVerbWord::Test
                                  ? tr("the receiver is missing: alerts test RECEIVER")
                                  : tr("the alert is missing: alerts VERB ID"));
    else if (snoozes && options.forUs.value_or(0) <= 0)
        arguments.blame("--for", tr("a snooze has an end"), tr("Add --for 4h"));
    else if (!snoozes && options.forUs)
        arguments.blame("--for", tr("only a snooze has a length"));
    else if (!isList() && (options.all || options.receivers))
        arguments.blame(options.all ? "--all" : "--receivers", tr("only a list takes this option"));
    else if (options.all && options.receivers)
        arguments.blame("--all", tr("--receivers lists no alerts"));
}

} // namespace

std::unique_ptr<CommandSpec> alertsCommand()
{
    return std::make_unique<AlertsSpec>();
}

} // namespace lockkeeper::app::cli

#include "alerts_command.moc"
