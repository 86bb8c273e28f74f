// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/config/liveness_rules.h"

#include "shared/base/clock.h"
#include "shared/base/text.h"

#include <QFileInfo>
#include <QRegularExpression>
#include <QUrl>

#include <algorithm>
#include <toml++/toml.h>

namespace lockkeeper::agent::config {

using base::displayText;
using base::kSecondUs;
using domain::LivenessMethod;
using lockkeeper::config::Problems;
using lockkeeper::config::TableReader;
using lockkeeper::config::words;

namespace {

constexpr qint64 kLeastTimeoutUs = 100'000;
constexpr qint64 kMostTimeoutUs = 10 * kSecondUs;
constexpr qint64 kMostBudget = 6'000;
constexpr qsizetype kMostName = 64;

QStringList methodNames()
{
    return words("tcp http command kubernetes redis process");
}

QStringList groupsOf(const QString &pattern)
{
    QStringList groups = QRegularExpression(pattern).namedCaptureGroups();
    groups.removeAll(QString());
    return groups;
}

/** Checks each group that the template names. */
void checkTemplate(const TableReader &reader, const char *key, const QString &text, const QStringList &groups)
{
    const auto pieces = templatePieces(text);
    if (!pieces) {
        reader.problem(key, QStringLiteral("%1: %2").arg(reader.nameOf(key), pieces.error().cause),
                       pieces.error().remedy);
        return;
    }
    for (const TemplatePiece &piece : *pieces) {
        if (piece.isGroup && !groups.contains(piece.text))
            reader.problem(key,
                           QStringLiteral("%1: \"holder\" has no group named \"%2\"")
                               .arg(reader.nameOf(key), displayText(piece.text)),
                           groups.isEmpty()
                               ? QStringLiteral("Write (?<%1>…) in \"holder\".").arg(displayText(piece.text))
                               : lockkeeper::config::suggestion(piece.text, groups));
    }
}

void checkSingle(const TableReader &reader, const char *key, const LivenessRule &rule)
{
    const QString text = rule.parts.value(0);
    if (text.isEmpty()) {
        reader.problem(key, QStringLiteral("%1 is empty").arg(reader.nameOf(key)));
        return;
    }
    static const QRegularExpression port(QStringLiteral(":([0-9]{1,5}|\\{[A-Za-z_]\\w*\\})$"));
    if (rule.method == LivenessMethod::Tcp && !port.match(text).hasMatch() &&
        !text.startsWith(QLatin1Char('{')))
        reader.problem(key, QStringLiteral("%1 has no port").arg(reader.nameOf(key)),
                       QStringLiteral("Write for example \"{ip}:8080\"."));
    if (rule.method == LivenessMethod::Http && !text.startsWith(QLatin1String("http://")) &&
        !text.startsWith(QLatin1String("https://")))
        reader.problem(key, QStringLiteral("%1 isn't an http:// or https:// address").arg(reader.nameOf(key)),
                       QStringLiteral("Write for example \"http://{ip}:8080/healthz\"."));
}

void checkCommand(const TableReader &reader, const LivenessRule &rule)
{
    const QString program = rule.parts.value(0);
    if (!QFileInfo(program).isAbsolute() || program.contains(QLatin1Char('{')))
        reader.problem("command",
                       QStringLiteral("%1: the program isn't an absolute path").arg(reader.nameOf("command")),
                       QStringLiteral("Write for example [\"/usr/lib/lockkeeper/probe\", \"{pod}\"]."));
}

void readKubernetes(const toml::table &table, const TableReader &outer, LivenessRule &rule,
                    Problems &problems, const QStringList &groups)
{
    const toml::table *inner = table.get_as<toml::table>("kubernetes");
    if (!inner) {
        outer.problem("kubernetes", QStringLiteral("%1 isn't a table").arg(outer.nameOf("kubernetes")),
                      QStringLiteral("Write { namespace = \"shop\", pod = \"{pod}\" }."));
        return;
    }
    const TableReader reader(*inner, QStringLiteral("kubernetes of [[liveness]]"),
                             words("namespace pod kubeconfig"), problems);
    for (const char *key : {"namespace", "pod"}) {
        const QString text = reader.string(key);
        if (text.isEmpty())
            reader.problem(key, QStringLiteral("%1 is missing").arg(reader.nameOf(key)));
        if (!rule.holder.isEmpty())
            checkTemplate(reader, key, text, groups);
        rule.parts.append(text);
    }
    rule.kubeconfig = reader.string("kubeconfig");
    if (!rule.kubeconfig.isEmpty() && !QFileInfo(rule.kubeconfig).isAbsolute())
        reader.problem("kubeconfig",
                       QStringLiteral("%1 isn't an absolute path").arg(reader.nameOf("kubeconfig")));
}

QString readHolder(const TableReader &reader)
{
    const QString holder = reader.string("holder");
    const QRegularExpression expression(holder);
    if (holder.isEmpty())
        reader.problem("holder", QStringLiteral("%1 is missing").arg(reader.nameOf("holder")),
                       QStringLiteral("Write a regular expression with named groups, such as "
                                      "'(?<pod>[a-z0-9-]+)@(?<ip>[0-9.]+)'."));
    else if (!expression.isValid())
        reader.problem("holder", QStringLiteral("%1 isn't a regular expression: %2 at character %3")
                                     .arg(reader.nameOf("holder"), expression.errorString())
                                     .arg(expression.patternErrorOffset() + 1));
    else
        return holder;
    return {};
}

void readMethod(const toml::table &table, const TableReader &reader, LivenessRule &rule, Problems &problems)
{
    QStringList used;
    for (const QString &name : methodNames()) {
        if (reader.has(name.toLatin1().constData()))
            used.append(name);
    }
    if (used.size() != 1) {
        const QByteArray key = used.value(1).toLatin1();
        reader.problem(key.constData(),
                       used.isEmpty()
                           ? QStringLiteral("the rule \"%1\" has no probe").arg(displayText(rule.name))
                           : QStringLiteral("the rule \"%1\" has several probes: %2")
                                 .arg(displayText(rule.name), used.join(QLatin1String(", "))),
                       QStringLiteral("Write one of: %1.").arg(methodNames().join(QLatin1String(", "))));
        return;
    }
    const QByteArray key = used.constFirst().toLatin1();
    const QStringList groups = groupsOf(rule.holder);
    rule.method = domain::livenessMethodFromName(key).value_or(rule.method);
    if (rule.method == LivenessMethod::Kubernetes) {
        readKubernetes(table, reader, rule, problems, groups);
        return;
    }
    if (rule.method == LivenessMethod::Command) {
        rule.parts = reader.strings("command", {});
        if (table.get_as<toml::array>("command"))
            checkCommand(reader, rule);
    } else {
        rule.parts = {reader.string(key.constData())};
        checkSingle(reader, key.constData(), rule);
    }
    if (rule.holder.isEmpty())
        return; // reported already
    for (const QString &part : std::as_const(rule.parts))
        checkTemplate(reader, key.constData(), part, groups);
    if (rule.method == LivenessMethod::Process && !groups.contains(QLatin1String("host")))
        reader.problem("holder",
                       QStringLiteral("%1 has no group named \"host\": a process on another host could have "
                                      "the same number")
                           .arg(reader.nameOf("holder")),
                       QStringLiteral("Write (?<host>…), which has to match this host's name."));
}

QList<AddressRange> readAllow(const TableReader &reader)
{
    QList<AddressRange> ranges;
    for (const QString &text : reader.strings("allow", {}, true)) {
        const auto parsed = QHostAddress::parseSubnet(text);
        if (parsed.second >= 0)
            ranges.append({parsed.first, parsed.second});
        else
            reader.problem("allow",
                           QStringLiteral("%1: \"%2\" isn't a range of addresses")
                               .arg(reader.nameOf("allow"), displayText(text)),
                           QStringLiteral("Write for example \"127.0.0.0/8\" or \"fe80::/10\"."));
    }
    return ranges;
}

void checkNamedSource(const TableReader &reader, const LivenessRule &rule,
                      const QList<stores::SourceSpec> &sources)
{
    QStringList names;
    for (const stores::SourceSpec &one : sources) {
        names.append(one.name);
        if (base::globMatches(rule.source.toUtf8(), one.name.toUtf8()))
            return;
    }
    if (!sources.isEmpty())
        reader.problem("source",
                       QStringLiteral("%1: no source is named \"%2\"")
                           .arg(reader.nameOf("source"), displayText(rule.source)),
                       lockkeeper::config::suggestion(rule.source, names));
}

} // namespace

bool LivenessRule::fits(const domain::LockKey &key) const
{
    return base::globMatches(source.toUtf8(), key.source.toUtf8()) && base::globMatches(match, key.name);
}

base::Result<QList<TemplatePiece>> templatePieces(const QString &text)
{
    static const QRegularExpression token(QStringLiteral("\\{([A-Za-z_]\\w*)\\}|([^{}]+)"));
    QList<TemplatePiece> pieces;
    qsizetype at = 0;
    while (at < text.size()) {
        const auto match = token.match(text, at, QRegularExpression::NormalMatch,
                                       QRegularExpression::AnchorAtOffsetMatchOption);
        if (!match.hasMatch())
            return base::failure(
                base::ErrorCode::Usage,
                QStringLiteral("\"%1\" has a brace that isn't part of a {group}").arg(displayText(text)),
                QStringLiteral("Write the name of a group of \"holder\": {ip}."));
        const bool isGroup = match.hasCaptured(1);
        pieces.append({match.captured(isGroup ? 1 : 2), isGroup});
        at = match.capturedEnd();
    }
    return pieces;
}

QString boundedPattern(const LivenessRule &rule)
{
    return QStringLiteral("(*NO_JIT)(*LIMIT_MATCH=100000)") +
           QRegularExpression::anchoredPattern(rule.holder);
}

QList<LivenessRule> readLiveness(const QList<const toml::table *> &tables,
                                 const QList<stores::SourceSpec> &sources, Problems &problems)
{
    QList<LivenessRule> rules;
    QStringList seen;
    for (const toml::table *table : tables) {
        const TableReader reader(*table, QStringLiteral("[[liveness]]"),
                                 words("name source match holder timeout every budget allow") + methodNames(),
                                 problems);
        LivenessRule rule;
        rule.name = reader.string("name");
        if (rule.name.isEmpty() || rule.name.size() > kMostName || displayText(rule.name) != rule.name ||
            seen.contains(rule.name)) {
            reader.problem(
                "name",
                seen.contains(rule.name)
                    ? QStringLiteral("two [[liveness]] entries are named \"%1\"").arg(displayText(rule.name))
                    : QStringLiteral("%1 has to be 1 to 64 visible characters").arg(reader.nameOf("name")));
            continue;
        }
        seen.append(rule.name);
        rule.source = reader.string("source", rule.source);
        rule.match = reader.string("match", QString::fromUtf8(rule.match)).toUtf8();
        rule.holder = readHolder(reader);
        readMethod(*table, reader, rule, problems);
        rule.timeoutUs = reader.durationUs("timeout", rule.timeoutUs, {kLeastTimeoutUs, kMostTimeoutUs});
        rule.everyUs = reader.durationUs("every", rule.everyUs, {kSecondUs, base::kHourUs});
        rule.budget = int(reader.integer("budget", rule.budget, {1, kMostBudget}));
        rule.allow = readAllow(reader);
        checkNamedSource(reader, rule, sources);
        rules.append(rule);
    }
    return rules;
}

} // namespace lockkeeper::agent::config
