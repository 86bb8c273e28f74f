// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/config/alert_rules.h"

#include "shared/base/clock.h"
#include "shared/base/text.h"

#include <algorithm>
#include <cmath>

namespace lockkeeper::agent::config {

using base::displayText;
using base::kSecondUs;
using base::kYearUs;
using domain::AlertCondition;
using lockkeeper::config::TableReader;
using lockkeeper::config::words;

namespace {

constexpr qint64 kMostAlertCount = 1'000'000;
constexpr double kMostRatio = 1'000;
constexpr qint64 kExpectedWithinUs = 60 * kSecondUs; ///< without a holder, for a lock that is held by design

QStringList conditionNames()
{
    QStringList names;
    for (int i = 0; i <= int(domain::kLastAlertCondition); ++i)
        names.append(QString::fromLatin1(domain::alertConditionName(AlertCondition(i))));
    return names;
}

/** A level of the rule in its own unit: µs, a number, or thousandths. */
qint64 readLevel(const TableReader &reader, const char *key, AlertCondition when, qint64 otherwise)
{
    switch (when) {
    case AlertCondition::Waiters:
    case AlertCondition::HolderChanges:
        return reader.integer(key, otherwise, {1, kMostAlertCount});
    case AlertCondition::HeldRatio:
        return std::llround(reader.real(key, double(otherwise) / 1'000, 1, kMostRatio) * 1'000);
    case AlertCondition::LeaseMargin:
        return std::llround(reader.real(key, double(otherwise) / 1'000, 0, 1) * 1'000);
    default:
        return reader.durationUs(key, otherwise, {kSecondUs, kYearUs});
    }
}

void readLevels(const TableReader &reader, AlertRule &rule)
{
    if (!domain::isAlertLevel(rule.when)) {
        for (const char *key : {"threshold", "clear"}) {
            if (reader.has(key))
                reader.problem(
                    key,
                    QStringLiteral("%1: the condition \"%2\" has no level")
                        .arg(reader.nameOf(key), QString::fromLatin1(domain::alertConditionName(rule.when))),
                    QStringLiteral("Remove it."));
        }
        return;
    }
    if (!reader.has("threshold") && rule.threshold == 0) {
        reader.problem("threshold",
                       QStringLiteral("the rule \"%1\" has no \"threshold\"").arg(displayText(rule.name)),
                       QStringLiteral("Write the level at which it fires."));
        return;
    }
    const qint64 before = rule.threshold;
    rule.threshold = readLevel(reader, "threshold", rule.when, rule.threshold);
    const qint64 clear = rule.clear == before ? rule.threshold : rule.clear;
    rule.clear = readLevel(reader, "clear", rule.when, clear);
    const bool firesBelow = rule.when == AlertCondition::LeaseMargin;
    if (firesBelow ? rule.clear < rule.threshold : rule.clear > rule.threshold)
        reader.problem("clear",
                       QStringLiteral("%1 lies beyond the threshold: the alert would end while its "
                                      "condition is true")
                           .arg(reader.nameOf("clear")),
                       QStringLiteral("Write a level on the other side of \"threshold\"."));
}

void readQuiet(const TableReader &reader, AlertRule &rule)
{
    if (!reader.has("quiet"))
        return;
    const auto quiet = parseQuietHours(reader.string("quiet"));
    if (quiet)
        rule.quiet = *quiet;
    else
        reader.problem("quiet", QStringLiteral("%1: %2").arg(reader.nameOf("quiet"), quiet.error().cause),
                       quiet.error().remedy);
}

void checkSource(const TableReader &reader, const AlertRule &rule, const QList<stores::SourceSpec> &sources)
{
    const bool any = std::any_of(sources.cbegin(), sources.cend(), [&rule](const stores::SourceSpec &one) {
        return rule.fitsSource(one.name);
    });
    if (any || sources.isEmpty())
        return;
    QStringList names;
    for (const stores::SourceSpec &one : sources)
        names.append(one.name);
    reader.problem("source",
                   QStringLiteral("%1: no source is named \"%2\"")
                       .arg(reader.nameOf("source"), displayText(rule.source)),
                   lockkeeper::config::suggestion(rule.source, names));
}

AlertRule readRule(const TableReader &reader, AlertRule rule, const QStringList &receivers)
{
    if (reader.has("when") || rule.name.isEmpty())
        rule.when = domain::alertConditionFromName(reader.choice("when", conditionNames()).toLatin1())
                        .value_or(rule.when);
    rule.source = reader.string("source", rule.source);
    rule.match = reader.string("match", QString::fromUtf8(rule.match)).toUtf8();
    if (reader.has("match") && !isOfLock(rule.when))
        reader.problem(
            "match",
            QStringLiteral("%1: the condition \"%2\" isn't about a lock")
                .arg(reader.nameOf("match"), QString::fromLatin1(domain::alertConditionName(rule.when))),
            QStringLiteral("Remove it."));
    rule.forUs = reader.durationUs("for", rule.forUs, {0, kYearUs});
    rule.clearForUs = reader.durationUs("clear_for", rule.clearForUs, {0, kYearUs});
    if (reader.has("severity"))
        rule.severity = domain::alertSeverityFromName(
                            reader.choice("severity", words("warning info critical")).toLatin1())
                            .value_or(rule.severity);
    rule.notify = reader.strings("notify", rule.notify, true);
    for (const QString &name : std::as_const(rule.notify)) {
        if (!receivers.contains(name))
            reader.problem("notify",
                           QStringLiteral("%1: there is no receiver \"%2\"")
                               .arg(reader.nameOf("notify"), displayText(name)),
                           lockkeeper::config::suggestion(name, receivers));
    }
    readQuiet(reader, rule);
    return rule;
}

/** Rules for the locks that are held by design: they alert on absence and on a change of the holder. */
void expectHeld(AlertSettings &settings, const stores::SourceSpec &source, const stores::LockSet &set)
{
    settings.expected.append({source.name, set.scheme, set.match});
    for (const AlertCondition when : {AlertCondition::Absent, AlertCondition::HolderChanges}) {
        const bool isAbsence = when == AlertCondition::Absent;
        AlertRule rule;
        rule.name = QStringLiteral("%1: %2 %3")
                        .arg(QString::fromLatin1(domain::alertConditionName(when)), source.name,
                             displayText(set.match));
        rule.when = when;
        rule.source = source.name;
        rule.match = set.match;
        rule.threshold = rule.clear = isAbsence ? kExpectedWithinUs : 1;
        rule.severity = isAbsence ? domain::AlertSeverity::Critical : domain::AlertSeverity::Warning;
        settings.rules.append(rule);
    }
}

} // namespace

AlertSettings readAlerts(const toml::table &general, const QList<const toml::table *> &tables,
                         const QList<stores::SourceSpec> &sources, const QStringList &receivers,
                         Problems &problems)
{
    const TableReader all(general, QStringLiteral("[alerts]"), words("defaults settle"), problems);
    AlertSettings settings;
    settings.settleUs = all.durationUs("settle", settings.settleUs, {0, base::kHourUs});
    if (all.boolean("defaults", true))
        settings.rules = defaultRules();
    for (const stores::SourceSpec &source : sources) {
        for (const stores::LockSet &set : source.locks) {
            if (set.expectHeld)
                expectHeld(settings, source, set);
        }
    }
    const QList<AlertRule> defaults = settings.rules;
    QStringList seen;
    for (const toml::table *table : tables) {
        const TableReader reader(
            *table, QStringLiteral("[[alert]]"),
            words("name when source match for threshold clear clear_for severity quiet notify enabled"),
            problems);
        const QString name = reader.string("name");
        if (name.isEmpty() || name.size() > 64 || displayText(name) != name || seen.contains(name)) {
            reader.problem(
                "name",
                seen.contains(name)
                    ? QStringLiteral("two [[alert]] entries are named \"%1\"").arg(displayText(name))
                    : QStringLiteral("%1 has to be 1 to 64 visible characters").arg(reader.nameOf("name")));
            continue;
        }
        seen.append(name);
        const auto its = [&name](const AlertRule &rule) { return rule.name == name; };
        const auto standard = std::find_if(defaults.cbegin(), defaults.cend(), its);
        AlertRule rule = readRule(reader, standard == defaults.cend() ? AlertRule() : *standard, receivers);
        rule.name = name;
        readLevels(reader, rule);
        checkSource(reader, rule, sources);
        settings.rules.removeIf(its);
        if (reader.boolean("enabled", true))
            settings.rules.append(rule);
    }
    return settings;
}

QStringList contradictions(const AlertSettings &settings)
{
    QStringList found;
    for (const AlertRule &rule : settings.rules) {
        const bool isVoid = isOfDuration(rule.when) &&
                            std::any_of(settings.expected.cbegin(), settings.expected.cend(),
                                        [&rule](const ExpectedHeld &held) {
                                            return held.source == rule.source && held.match == rule.match;
                                        });
        if (isVoid)
            found.append(QStringLiteral("alert \"%1\" never fires: its locks are held by design "
                                        "(expect = \"held\")")
                             .arg(displayText(rule.name)));
        for (const AlertRule &milder : settings.rules) {
            const bool sameLevel = domain::isAlertLevel(rule.when) && milder.when == rule.when &&
                                   milder.source == rule.source && milder.match == rule.match;
            const bool firesBelow = rule.when == AlertCondition::LeaseMargin;
            const bool firesFirst =
                firesBelow ? rule.threshold > milder.threshold : rule.threshold < milder.threshold;
            if (sameLevel && firesFirst && rule.severity > milder.severity)
                found.append(QStringLiteral("alert \"%1\" fires before \"%2\", although it is more severe")
                                 .arg(displayText(rule.name), displayText(milder.name)));
        }
    }
    return found;
}

} // namespace lockkeeper::agent::config
