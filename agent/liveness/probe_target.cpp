// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/liveness/probe_target.h"

#include "agent/liveness/address_policy.h"

#include <QStringDecoder>

#include <algorithm>

namespace lockkeeper::agent::liveness {

using config::LivenessRule;
using config::TemplatePiece;
using domain::HolderEvidence;
using domain::LivenessMethod;

namespace {

constexpr qsizetype kLongestHolder = 1'024;
constexpr qsizetype kLongestText = 253; ///< of a group, as of a host's name
constexpr int kMostPort = 65'535;

/** A template with the holder's groups. */
struct FilledText
{
    QString text;
    bool isWholeGroup = false; ///< the host consists of groups alone
};

bool isSafe(const QString &text)
{
    static const QRegularExpression allowed(QStringLiteral("\\A[A-Za-z0-9._:][A-Za-z0-9._:-]*\\z"));
    return text.size() <= kLongestText && allowed.match(text).hasMatch() &&
           text.count(QLatin1Char('.')) < text.size();
}

bool isIpv6(const QString &text)
{
    return text.contains(QLatin1Char(':')) && QHostAddress(text).protocol() == QAbstractSocket::IPv6Protocol;
}

/** The text with its groups; nullopt: a group is missing or holds a forbidden character. */
std::optional<QString> fill(const QString &pattern, const QRegularExpressionMatch &match, bool isAddress)
{
    const auto pieces = config::templatePieces(pattern);
    if (!pieces)
        return std::nullopt;
    QString text;
    for (const TemplatePiece &piece : *pieces) {
        if (!piece.isGroup) {
            text += piece.text;
            continue;
        }
        const QString value = match.captured(piece.text);
        if (!isSafe(value))
            return std::nullopt;
        const bool needsBrackets = isAddress && isIpv6(value) && !text.endsWith(QLatin1Char('['));
        text += needsBrackets ? QLatin1Char('[') + value + QLatin1Char(']') : value;
    }
    return text;
}

/** The template's host is one group, so that the asked host is what the holder's text names. */
bool isHostFromHolder(const QString &pattern)
{
    static const QRegularExpression host(
        QStringLiteral("\\A(https?://)?\\[?\\{\\w+\\}\\]?(:(\\d+|\\{\\w+\\}))?(/.*)?\\z"));
    return host.match(pattern).hasMatch();
}

/** Splits "10.0.0.7:8080", "[::1]:8080" and "pod.shop:8080"; with `isPortOptional` also "10.0.0.7". */
bool splitAddress(const QString &text, bool isPortOptional, ProbeTarget &target)
{
    static const QRegularExpression address(
        QStringLiteral("\\A(?:\\[([0-9A-Fa-f:.]+)\\]|([A-Za-z0-9._-]+))(?::([0-9]{1,5}))?\\z"));
    const auto match = address.match(text);
    if (!match.hasMatch() || (!match.hasCaptured(3) && !isPortOptional))
        return false;
    target.host = match.captured(match.capturedLength(1) > 0 ? 1 : 2);
    const int port = match.captured(3).toInt();
    target.port = quint16(port);
    return port <= kMostPort && (port > 0 || !match.hasCaptured(3));
}

bool splitUrl(const QString &text, ProbeTarget &target)
{
    target.url = QUrl(text, QUrl::StrictMode);
    const bool isTls = target.url.scheme() == QLatin1String("https");
    target.host = target.url.host();
    target.port = quint16(target.url.port(isTls ? 443 : 80));
    return target.url.isValid() && !target.host.isEmpty() && target.url.userInfo().isEmpty() &&
           target.port != 0;
}

bool isDnsName(const QString &text)
{
    static const QRegularExpression name(QStringLiteral("\\A[a-z0-9]([-a-z0-9.]*[a-z0-9])?\\z"));
    return text.size() <= kLongestText && name.match(text).hasMatch();
}

/** An address among a command's arguments is checked like one that the agent itself would ask. */
bool namesForbiddenAddress(const QString &argument, const ProbeTarget &target)
{
    if (!argument.contains(QLatin1Char('.')) && !argument.contains(QLatin1Char(':')))
        return false;
    ProbeTarget split;
    const QString host = isIpv6(argument)                      ? argument
                         : splitAddress(argument, true, split) ? split.host
                                                               : QString();
    const QHostAddress address(host);
    return !address.isNull() && !mayProbe(address, target.allow);
}

HolderEvidence buildAddress(const QString &pattern, const QString &text, ProbeTarget &target)
{
    const bool isHttp = target.method == LivenessMethod::Http;
    if (isHttp ? !splitUrl(text, target)
               : !splitAddress(text, target.method == LivenessMethod::Redis, target))
        return HolderEvidence::NoMatch;
    const QHostAddress address(target.host);
    target.isHolderAddress = !address.isNull() && isHostFromHolder(pattern);
    return address.isNull() || mayProbe(address, target.allow) ? HolderEvidence::Other
                                                               : HolderEvidence::TargetRefused;
}

/** Fills the target in; returns Other, or why there is none. */
HolderEvidence build(const LivenessRule &rule, const QRegularExpressionMatch &match,
                     const QStringList &thisHost, ProbeTarget &target)
{
    const bool isAddress = rule.method == LivenessMethod::Tcp || rule.method == LivenessMethod::Http ||
                           rule.method == LivenessMethod::Redis;
    QStringList texts;
    for (const QString &part : rule.parts) {
        const auto text = fill(part, match, isAddress);
        if (!text)
            return HolderEvidence::NoMatch;
        texts.append(*text);
    }
    const QLatin1Char between(rule.method == LivenessMethod::Kubernetes ? '/' : ' ');
    target.shown = texts.join(between).toUtf8();
    if (isAddress)
        return buildAddress(rule.parts.value(0), texts.value(0), target);
    if (rule.method == LivenessMethod::Command) {
        target.command = texts;
        const bool isForbidden = std::any_of(texts.cbegin() + 1, texts.cend(), [&target](const QString &one) {
            return namesForbiddenAddress(one, target);
        });
        return isForbidden ? HolderEvidence::TargetRefused : HolderEvidence::Other;
    }
    if (rule.method == LivenessMethod::Kubernetes) {
        target.nameSpace = texts.value(0);
        target.pod = texts.value(1);
        return isDnsName(target.nameSpace) && isDnsName(target.pod) ? HolderEvidence::Other
                                                                    : HolderEvidence::NoMatch;
    }
    bool isNumber = false;
    target.pid = texts.value(0).toLongLong(&isNumber);
    const bool isHere = thisHost.contains(match.captured(QStringLiteral("host")), Qt::CaseInsensitive);
    return isNumber && target.pid > 0 && target.pid <= std::numeric_limits<qint32>::max() && isHere
               ? HolderEvidence::Other
               : HolderEvidence::NoMatch;
}

} // namespace

TargetFinder::TargetFinder(QList<LivenessRule> rules, QStringList thisHost) : m_thisHost(std::move(thisHost))
{
    m_rules.reserve(size_t(rules.size()));
    for (const LivenessRule &rule : std::as_const(rules))
        m_rules.push_back({rule, QRegularExpression(config::boundedPattern(rule))});
}

bool TargetFinder::concerns(const domain::LockKey &key) const
{
    return std::any_of(m_rules.cbegin(), m_rules.cend(),
                       [&key](const CompiledRule &one) { return one.rule.fits(key); });
}

TargetChoice TargetFinder::choose(const domain::LockKey &key, const QByteArray &holder) const
{
    TargetChoice choice;
    QStringDecoder decode(QStringDecoder::Utf8, QStringDecoder::Flag::Stateless);
    const QString text = holder.size() <= kLongestHolder ? QString(decode(holder)) : QString();
    for (const CompiledRule &one : m_rules) {
        if (!one.rule.fits(key))
            continue;
        choice.why = HolderEvidence::NoMatch;
        if (text.isEmpty() || decode.hasError())
            continue;
        const auto match = one.holder.match(text);
        if (!match.hasMatch())
            continue;
        ProbeTarget target;
        target.method = one.rule.method;
        target.timeoutUs = one.rule.timeoutUs;
        target.allow = one.rule.allow;
        target.kubeconfig = one.rule.kubeconfig;
        choice.rule = &one.rule;
        choice.why = build(one.rule, match, m_thisHost, target);
        choice.shown = target.shown;
        if (choice.why == HolderEvidence::Other)
            choice.target = target;
        return choice;
    }
    return choice;
}

} // namespace lockkeeper::agent::liveness
