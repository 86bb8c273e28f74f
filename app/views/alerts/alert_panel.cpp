// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/alerts/alert_panel.h"

#include "app/presentation/icons.h"
#include "app/presentation/theme.h"
#include "app/views/widgets/named.h"
#include "app/views/widgets/plain_label.h"
#include "app/views/widgets/requests.h"
#include "app/views/widgets/wrapped_label.h"
#include "app/words/alert_description.h"
#include "app/words/durations.h"
#include "app/words/holder_words.h"
#include "app/words/lock_text.h"
#include "shared/base/text.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QJsonArray>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

namespace lockkeeper::app::views {

using domain::Alert;
using domain::AlertPhase;
using models::AlertRow;
using presentation::AlertFormatter;
using words::LockText;

namespace {

constexpr qint64 kMinuteUs = 60 * base::kSecondUs;

/** An element of a list of locks in an alert's detail: a name, or an object that has the name. */
QString lockText(const QJsonValue &value)
{
    const QJsonObject object = value.toObject();
    for (const char *member : {"lock", "name"}) {
        if (object.contains(QLatin1String(member)))
            return base::displayText(object.value(QLatin1String(member)).toString());
    }
    return base::displayText(value.toVariant().toString());
}

QString lockList(const QJsonValue &value, const QString &between)
{
    QStringList names;
    for (const QJsonValue &one : value.toArray())
        names.append(lockText(one));
    return names.join(between);
}

} // namespace

AlertPanel::AlertPanel(const ConsoleContext &context, QWidget *parent)
    : Translated(parent), m_context(context), m_actions(context), m_formatter(context.times)
{
    build();
    retranslate();
}

void AlertPanel::build()
{
    m_title = named("alertTitle", new WrappedLabel);
    m_title->setBold();
    m_facts = new FactGrid(104);
    m_reason = named("alertReason", new WrappedLabel);
    m_reason->setMuted(true);
    m_acknowledge = named("acknowledge", new QPushButton);
    m_snooze = named("snooze", new QPushButton);
    m_wake = named("wake", new QPushButton);
    m_open = named("openAlert", new QPushButton);
    m_report = named("reportAlert", new QPushButton);
    m_copy = named("copyAlert", new QPushButton);
    m_lengths = new QMenu(m_snooze);
    for (const qint64 minutes : AlertActions::kSnoozeMinutes)
        connect(m_lengths->addAction(QString()), &QAction::triggered, this,
                [this, minutes] { snooze(minutes); });
    m_snooze->setMenu(m_lengths);
    auto *buttons = new QHBoxLayout;
    buttons->setSpacing(4);
    for (QPushButton *button : {m_acknowledge, m_snooze, m_wake, m_open, m_report, m_copy}) {
        button->setAutoDefault(false);
        buttons->addWidget(button);
    }
    buttons->addStretch();
    auto *content = new QWidget;
    auto *lines = new QVBoxLayout(content);
    lines->setContentsMargins({});
    lines->addWidget(m_facts);
    lines->addStretch();
    auto *area = new QScrollArea;
    area->setFrameShape(QFrame::NoFrame);
    area->setWidgetResizable(true);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setWidget(content);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(4, 8, 8, 0);
    column->setSpacing(6);
    column->addWidget(m_title);
    column->addWidget(area, 1);
    column->addWidget(m_reason);
    column->addLayout(buttons);
    using Verb = AlertActions::Verb;
    connect(m_acknowledge, &QPushButton::clicked, this, [this] { run(Verb::Acknowledge); });
    connect(m_wake, &QPushButton::clicked, this, [this] { run(Verb::Wake); });
    connect(m_open, &QPushButton::clicked, this, [this] {
        if (m_rows.size() == 1)
            m_actions.open(m_rows.first());
    });
    connect(m_report, &QPushButton::clicked, this, &AlertPanel::askReport);
    connect(m_copy, &QPushButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(text()); });
}

void AlertPanel::retranslate()
{
    m_acknowledge->setText(tr("&Acknowledge"));
    m_snooze->setText(tr("&Snooze"));
    m_wake->setText(tr("E&nd the snooze"));
    m_report->setText(tr("&Report…"));
    m_copy->setText(tr("&Copy"));
    for (qsizetype i = 0; i < m_lengths->actions().size(); ++i)
        m_lengths->actions().at(i)->setText(snoozeText(AlertActions::kSnoozeMinutes.at(std::size_t(i))));
    refresh();
}

QString AlertPanel::snoozeText(qint64 minutes) const
{
    return minutes < 60 ? tr("%n minute(s)", nullptr, int(minutes))
                        : tr("%n hour(s)", nullptr, int(minutes / 60));
}

void AlertPanel::show(const QList<AlertRow> &rows)
{
    if (rows == m_rows)
        return;
    m_rows = rows;
    refresh();
}

void AlertPanel::refresh()
{
    refreshButtons();
    m_copy->setEnabled(!m_rows.isEmpty());
    if (m_rows.size() != 1) {
        m_title->setText(m_rows.isEmpty() ? tr("Select an alert to see what it is about.")
                                          : tr("%n alert(s) selected", nullptr, int(m_rows.size())));
        m_facts->setFacts({});
        return;
    }
    m_title->setText(words::AlertDescription::sentence(m_rows.first().alert, m_rows.first().agent));
    m_facts->setFacts(facts(m_rows.first()));
}

/** The verdict of the last liveness probe before the alert was sent; empty: none was made. */
QString AlertPanel::probedHolder(const Alert &alert, const std::function<QString(qint64)> &at)
{
    const QJsonObject liveness = alert.detail.value(QLatin1String("liveness")).toObject();
    const auto text = [&liveness](const char *key) {
        return liveness.value(QLatin1String(key)).toString().toUtf8();
    };
    domain::HolderCheck check;
    check.verdict = domain::holderVerdictFromName(text("verdict")).value_or(domain::HolderVerdict::Unknown);
    check.evidence = domain::holderEvidenceFromName(text("evidence")).value_or(domain::HolderEvidence::Other);
    check.target = text("target");
    if (const QJsonValue number = liveness.value(QLatin1String("number")); number.isDouble())
        check.number = number.toInteger();
    return liveness.isEmpty()
               ? QString()
               : tr("%1: %2, probed at %3", "verdict, evidence, time")
                     .arg(words::HolderWords::verdict(check.verdict), words::HolderWords::evidence(check),
                          at(liveness.value(QLatin1String("checked_us")).toInteger()));
}

QList<Fact> AlertPanel::facts(const AlertRow &row) const
{
    const Alert &alert = row.alert;
    const auto at = [this](qint64 us) {
        return m_context.times->dateTime(us) + QLatin1Char(' ') + m_context.times->zoneText(us);
    };
    const auto byAt = [&at](const QString &who, qint64 us) {
        return tr("by %1, %2", "person, time").arg(base::displayText(who), at(us));
    };
    const auto number = [&alert](const char *key) {
        return alert.detail.contains(QLatin1String(key))
                   ? QString::number(alert.detail.value(QLatin1String(key)).toInteger())
                   : QString();
    };
    const bool hasValue = records::alertUnit(alert.condition) != records::AlertUnit::None && alert.value;
    const bool isSnoozed = row.phase == AlertPhase::Snoozed;
    return {
        {tr("State"), m_formatter.state(row)},
        {tr("Where"), alert.isOfLock() ? LockText::whereabouts(alert.lock) : QString()},
        {tr("Holder"), alert.holder.isEmpty() ? QString() : base::displayText(alert.holder)},
        {tr("Its holder"), probedHolder(alert, at)},
        {tr("Since"), tr("%1, for %2", "time, duration")
                          .arg(at(alert.sinceUs), words::Durations::inSentence(row.lastsUs()))},
        {tr("Fired"), at(alert.firedUs)},
        {tr("Over"), alert.resolvedUs ? at(*alert.resolvedUs) : QString()},
        {tr("Value"), hasValue ? words::AlertDescription::value(alert) : QString()},
        {tr("Cause"), base::displayText(alert.detail.value(QLatin1String("cause")).toString())},
        {tr("Chain"), lockList(alert.detail.value(QLatin1String("chain")), QStringLiteral(" → "))},
        {tr("Sessions"), number("sessions")},
        {tr("Alerts in all"), number("count")},
        {tr("Such as"), lockList(alert.detail.value(QLatin1String("worst")), QStringLiteral(", "))},
        {tr("Fired again"), alert.repeats > 0 ? tr("%n time(s)", nullptr, int(alert.repeats)) : QString()},
        {tr("Acknowledged"),
         alert.acknowledgedUs ? byAt(alert.acknowledgedBy, *alert.acknowledgedUs) : QString()},
        {tr("Snoozed"), isSnoozed ? tr("by %1, until %2", "person, time")
                                        .arg(base::displayText(alert.snoozedBy), at(*alert.snoozedUntilUs))
                                  : QString()},
        {tr("Rule"), base::displayText(alert.rule)},
        {tr("ID"), QString::fromLatin1(alert.id)},
    };
}

void AlertPanel::refreshButtons()
{
    using Verb = AlertActions::Verb;
    const auto acknowledge = m_actions.of(m_rows, Verb::Acknowledge);
    const auto snooze = m_actions.of(m_rows, Verb::Snooze);
    const auto wake = m_actions.of(m_rows, Verb::Wake);
    m_acknowledge->setEnabled(acknowledge.possible);
    m_snooze->setEnabled(snooze.possible);
    m_wake->setEnabled(wake.possible);
    m_wake->setToolTip(plainToolTip(wake.reason));
    const bool one = m_rows.size() == 1;
    m_open->setEnabled(one);
    m_report->setEnabled(one && m_rows.first().alert.isOfLock());
    m_open->setText(one && !m_rows.first().alert.isOfLock() ? tr("Go to the so&urce")
                                                            : tr("Go to the loc&k"));
    const QString reason = snooze.possible ? acknowledge.reason : snooze.reason;
    m_reason->setText(m_rows.isEmpty() ? QString() : reason);
    m_reason->setVisible(!m_reason->text().isEmpty());
}

void AlertPanel::snooze(qint64 minutes)
{
    run(AlertActions::Verb::Snooze, minutes * kMinuteUs);
}

/** The alert's times are by the agent's clock, which dates the range closely enough. */
void AlertPanel::askReport()
{
    if (m_rows.size() != 1 || !m_rows.first().alert.isOfLock())
        return;
    const Alert &alert = m_rows.first().alert;
    Q_EMIT m_context.requests->reportAsked(alert.lock, alert.sinceUs - kReportMarginUs,
                                           alert.resolvedUs.value_or(m_context.nowUs()) + kReportMarginUs);
}

void AlertPanel::run(AlertActions::Verb verb, qint64 forUs)
{
    m_actions.run(m_rows, verb, forUs, this);
}

void AlertPanel::fillMenu(QMenu *menu)
{
    const auto add = [menu](const QPushButton *button) {
        QAction *action = menu->addAction(button->text());
        action->setEnabled(button->isEnabled());
        connect(action, &QAction::triggered, button, &QPushButton::click);
    };
    add(m_acknowledge);
    QMenu *lengths = menu->addMenu(m_snooze->text());
    lengths->setEnabled(m_snooze->isEnabled());
    lengths->addActions(m_lengths->actions());
    add(m_wake);
    menu->addSeparator();
    add(m_open);
    add(m_report);
}

QString AlertPanel::text() const
{
    if (m_rows.size() == 1)
        return m_title->text() + QLatin1Char('\n') + m_facts->text();
    QStringList lines;
    for (const AlertRow &row : m_rows)
        lines.append(tr("%1, %2. %3", "severity, state, sentence")
                         .arg(words::AlertDescription::severity(row.alert.severity), m_formatter.state(row),
                              words::AlertDescription::sentence(row.alert, row.agent)));
    return lines.isEmpty() ? m_title->text() : lines.join(QLatin1Char('\n'));
}

} // namespace lockkeeper::app::views
