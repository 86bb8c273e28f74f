// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/hub/pg_errors.h"

#include "shared/base/text.h"

#include <QRegularExpression>

namespace lockkeeper::agent::hub {

using base::ErrorCode;

namespace {

struct StateCode
{
    const char *prefix; ///< of a SQLSTATE; the longer ones first
    ErrorCode code;
};
constexpr StateCode kCodes[] = {
    {"LK001", ErrorCode::ReadOnly},
    {"LK", ErrorCode::Usage},
    {"42501", ErrorCode::PermissionDenied},
    {"25006", ErrorCode::Unreachable}, // a standby server: its primary may come back
    {"57P03", ErrorCode::Loading},
    {"57014", ErrorCode::Timeout},
    {"57P", ErrorCode::ConnectionLost},
    {"25P03", ErrorCode::ConnectionLost},
    {"08", ErrorCode::ConnectionLost},
    {"28", ErrorCode::Authentication},
    {"3D", ErrorCode::NotFound},
    {"3F", ErrorCode::Unsupported},
    {"42P01", ErrorCode::Unsupported},
    {"42883", ErrorCode::Unsupported},
    {"55P03", ErrorCode::Busy},
    {"40", ErrorCode::Busy},
    {"53300", ErrorCode::Unreachable},
    {"53", ErrorCode::Storage},
    {"58", ErrorCode::Storage},
    {"0A", ErrorCode::Unsupported},
    {"XX", ErrorCode::Corrupt},
};

QString remedyOf(const QByteArray &state)
{
    if (state == "3F000" || state == "42P01" || state == "42883")
        return QStringLiteral("Install or update the schema: lockkeeper-agent hub --init URL");
    if (state == "25006")
        return QStringLiteral("Name the primary server, or all servers with target_session_attrs=read-write");
    return {};
}

} // namespace

base::Error pgError(const QByteArray &state, const QByteArray &message, const QByteArray &hint)
{
    base::Error error;
    for (const StateCode &known : kCodes) {
        if (state.startsWith(known.prefix)) {
            error.code = known.code;
            break;
        }
    }
    error.cause = base::textOf(message.trimmed());
    error.remedy = hint.isEmpty() ? remedyOf(state) : base::textOf(hint.trimmed());
    return error;
}

base::Error pgConnectError(const QByteArray &message)
{
    static const QRegularExpression kState(QStringLiteral("(?:FATAL|ERROR): +([0-9A-Z]{5}): "));
    QString text = base::textOf(message);
    text.remove(QRegularExpression(QStringLiteral("\\s*LOCATION: .*"))); // in the server's source
    const QRegularExpressionMatch match = kState.match(text);
    if (!match.hasMatch())
        return {ErrorCode::Unreachable, text.simplified(), {}};
    const QByteArray state = match.captured(1).toLatin1();
    text.remove(match.captured(1) + QStringLiteral(": "));
    base::Error error = pgError(state, text.simplified().toUtf8());
    if (error.code == ErrorCode::ConnectionLost)
        error.code = ErrorCode::Unreachable;
    return error;
}

} // namespace lockkeeper::agent::hub
