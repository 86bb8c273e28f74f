// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/connection/errors.h"

#include "shared/base/text.h"
#include "shared/stores/redis/connection/acl_rules.h"
#include "shared/stores/redis/connection/resp.h"

#include <algorithm>
#include <array>
#include <utility>

namespace lockkeeper::stores::redis {

using base::ErrorCode;

namespace {

constexpr std::array<std::pair<const char *, ErrorCode>, 17> kCodes{{
    {"CLUSTERDOWN", ErrorCode::Unreachable},
    {"WRONGPASS", ErrorCode::Authentication},
    {"NOAUTH", ErrorCode::Authentication},
    {"NOPERM", ErrorCode::PermissionDenied},
    {"DENIED", ErrorCode::PermissionDenied},
    {"LOADING", ErrorCode::Loading},
    {"READONLY", ErrorCode::ReadOnly},
    {"MASTERDOWN", ErrorCode::Unreachable},
    {"BUSY", ErrorCode::Busy},
    {"TRYAGAIN", ErrorCode::Busy},
    {"OOM", ErrorCode::Storage},
    {"MISCONF", ErrorCode::Storage},
    {"NOREPLICAS", ErrorCode::Storage},
    {"MOVED", ErrorCode::Unsupported},
    {"ASK", ErrorCode::Unsupported},
    {"CROSSSLOT", ErrorCode::Unsupported},
    {"WRONGTYPE", ErrorCode::SchemaMismatch},
}};

ErrorCode codeOf(QByteArrayView message)
{
    const qsizetype space = message.indexOf(' ');
    const QByteArrayView word = space < 0 ? message : message.first(space);
    for (const auto &[name, code] : kCodes) {
        if (word == QByteArrayView(name))
            return code;
    }
    // Before Redis 7, the error of a command in a script stands in the middle of the message.
    if (message.startsWith("ERR Error running script")) {
        for (const auto &[name, code] : kCodes) {
            if (message.contains(QByteArray(": -") + name + ' '))
                return code;
        }
    }
    // Redis reports a right that a script lacks under the plain code ERR.
    if (message.contains("The user executing the script") || message.contains("ACL failure in script"))
        return ErrorCode::PermissionDenied;
    return message.contains("max number of clients") ? ErrorCode::Unreachable : ErrorCode::Unsupported;
}

QString permissionRemedy(QByteArrayView message, const AclSubject &asker, RightPurpose purpose)
{
    const QByteArray command = deniedCommand(message);
    if (!command.isEmpty())
        return aclStatement(asker, QByteArray("+") + command);
    const QByteArray keys = keyRule(asker, purpose);
    if (message.startsWith("NOPERM") && message.contains("key") && !keys.isEmpty())
        return aclStatement(asker, keys);
    return aclStatement(asker, rulesOf(asker, purpose));
}

/** A word as redis-cli reads it: in quotes where it has bytes that don't stand for themselves. */
QString shellWord(QByteArrayView word)
{
    const QString shown = base::displayText(word);
    const auto isPlain = [](QChar c) {
        return c != QLatin1Char('"') && c != QLatin1Char('\'') && c != QLatin1Char('\\');
    };
    if (shown.toUtf8() == word && std::all_of(shown.begin(), shown.end(), isPlain))
        return shown;
    QString quoted;
    for (const char c : word) {
        if (c == '"' || c == '\\')
            quoted += QLatin1Char('\\');
        const auto byte = uchar(c);
        quoted += byte >= 0x20 && byte < 0x7f ? QString(QLatin1Char(c))
                                              : QStringLiteral("\\x%1").arg(byte, 2, 16, QLatin1Char('0'));
    }
    return QLatin1Char('"') + quoted + QLatin1Char('"');
}

QString remedyOf(ErrorCode code, QByteArrayView message, const AclSubject &asker, RightPurpose purpose)
{
    switch (code) {
    case ErrorCode::Authentication:
        return QStringLiteral("Check the source's user and password.");
    case ErrorCode::PermissionDenied:
        if (message.startsWith("DENIED"))
            return QStringLiteral("Set a password on the server, or connect over its unix socket.");
        return permissionRemedy(message, asker, purpose);
    case ErrorCode::ReadOnly:
        return QStringLiteral("Connect the source to the primary.");
    case ErrorCode::SchemaMismatch:
        return QStringLiteral("Narrow the lock set's match to the keys that are locks.");
    default:
        return lacksCommand(message)
                   ? QStringLiteral("The server has no such command: it was renamed or disabled "
                                    "(rename-command), or a proxy doesn't support it.")
                   : QString();
    }
}

} // namespace

bool lacksCommand(QByteArrayView message)
{
    const QByteArray text = message.toByteArray().toLower();
    const auto says = [&text](const char *words) { return text.contains(words); };
    return text.startsWith("err") && (says("unknown command") || says("unknown redis command") ||
                                      says("unsupported command") || says("not support"));
}

bool refusesCommand(const redisReply *reply)
{
    return isError(reply, "NOPERM") || (isError(reply) && lacksCommand(bytesOf(reply)));
}

QString aclStatement(const AclSubject &asker, QByteArrayView rules)
{
    const QByteArray user = asker.user.isEmpty() ? QByteArray("default") : asker.user;
    QString statement = QStringLiteral("ACL SETUSER ") + shellWord(user);
    for (const QByteArray &rule : rules.toByteArray().split(' '))
        statement += QLatin1Char(' ') + shellWord(rule);
    return statement;
}

QByteArray keyRule(const AclSubject &asker, RightPurpose purpose)
{
    if (asker.keys.isEmpty())
        return {};
    // A rule can't have a space in it, nor NUL.
    return (purpose == RightPurpose::Observe && asker.readPatterns ? QByteArray("%R~") : QByteArray("~")) +
           QByteArray(asker.keys).replace(' ', '?').replace('\0', '?');
}

QByteArray rulesOf(const AclSubject &asker, RightPurpose purpose)
{
    const bool toBreak = purpose == RightPurpose::Break;
    const QByteArray &ofScheme = toBreak ? asker.breakRules : asker.observeRules;
    QByteArray rules = !ofScheme.isEmpty() ? ofScheme : toBreak ? kBreakRules : kObserveRules;
    if (!asker.readPatterns)
        rules.replace("%R~", "~").replace("+pexpiretime", "+pttl");
    const QByteArray keys = keyRule(asker, purpose);
    return keys.isEmpty() ? rules : keys + ' ' + rules;
}

// "… has no permissions to run the 'client|setname' command"
QByteArray deniedCommand(QByteArrayView message)
{
    const QByteArrayView before("to run the '");
    const qsizetype at = message.indexOf(before);
    if (at < 0)
        return {};
    const QByteArrayView rest = message.sliced(at + before.size());
    const qsizetype quote = rest.indexOf('\'');
    return quote < 0 ? QByteArray() : rest.first(quote).toByteArray().toLower();
}

base::Error errorOf(QByteArrayView message, const AclSubject &asker, RightPurpose purpose)
{
    const ErrorCode code = codeOf(message);
    return {code, base::displayText(message), remedyOf(code, message, asker, purpose)};
}

base::Error errorOf(const redisReply *reply, const AclSubject &asker, RightPurpose purpose)
{
    if (isError(reply))
        return errorOf(bytesOf(reply), asker, purpose);
    return {ErrorCode::Protocol, QStringLiteral("the server sent an answer of an unexpected type"), {}};
}

} // namespace lockkeeper::stores::redis
