// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/sql_errors.h"

#include "shared/base/text.h"

#include <QSqlError>

#include <algorithm>
#include <array>

namespace lockkeeper::stores::sql {

using base::ErrorCode;

namespace {
struct Meaning
{
    int number;
    ErrorCode code;
    const char *remedy;
};

// Numbers of the MySQL and MariaDB error references; 2000 to 2061 are the client library's.
constexpr std::array<Meaning, 38> kMeanings{{
    {1036, ErrorCode::ReadOnly, ""},
    {1040, ErrorCode::Unreachable, "Raise max_connections, or wait."},
    {1044, ErrorCode::PermissionDenied, "GRANT SELECT on the lock tables of this database to this account."},
    {1045, ErrorCode::Authentication, "Check the user and the password of this source."},
    {1049, ErrorCode::NotFound, "Check the database in the source's url."},
    {1051, ErrorCode::SchemaMismatch, ""},
    {1053, ErrorCode::ConnectionLost, ""},
    {1054, ErrorCode::SchemaMismatch, ""},
    {1080, ErrorCode::ConnectionLost, ""},
    {1105, ErrorCode::Unknown, ""},
    {1129, ErrorCode::Unreachable, "Run: FLUSH HOSTS;"},
    {1130, ErrorCode::Authentication, "Create an account for this host."},
    {1142, ErrorCode::PermissionDenied, ""},
    {1143, ErrorCode::PermissionDenied, ""},
    {1146, ErrorCode::SchemaMismatch, ""},
    {1152, ErrorCode::ConnectionLost, ""},
    {1158, ErrorCode::ConnectionLost, ""},
    {1159, ErrorCode::ConnectionLost, ""},
    {1160, ErrorCode::ConnectionLost, ""},
    {1161, ErrorCode::ConnectionLost, ""},
    {1203, ErrorCode::Unreachable, "Raise max_user_connections, or wait."},
    {1205, ErrorCode::Busy, ""},
    {1213, ErrorCode::Busy, ""},
    {1227, ErrorCode::PermissionDenied, ""},
    {1290, ErrorCode::ReadOnly, ""},
    {1317, ErrorCode::Timeout, ""},
    {1412, ErrorCode::SchemaMismatch, ""},
    {1524, ErrorCode::Authentication, ""},
    {1698, ErrorCode::Authentication, "Check the user and the password of this source."},
    {1792, ErrorCode::ReadOnly, ""},
    {1820, ErrorCode::Authentication, "Set a new password for this account."},
    {1836, ErrorCode::ReadOnly, ""},
    {1862, ErrorCode::Authentication, "Set a new password for this account."},
    {1927, ErrorCode::ConnectionLost, ""},
    {1969, ErrorCode::Timeout, ""},
    {3024, ErrorCode::Timeout, ""},
    {3118, ErrorCode::Authentication, "Unlock the account."},
    {4031, ErrorCode::ConnectionLost, ""},
}};

ErrorCode clientCode(int number)
{
    switch (number) {
    case 2002: // no such socket
    case 2003: // connection refused
    case 2005: // unknown host
    case 2007:
    case 2009:
    case 2026: // TLS
        return ErrorCode::Unreachable;
    case 2059: // authentication plugin
    case 2061:
        return ErrorCode::Authentication;
    case 2027: // malformed packet
        return ErrorCode::Protocol;
    default:
        return ErrorCode::ConnectionLost;
    }
}
} // namespace

base::Error errorOf(int number, const QString &text)
{
    const QString cause = QStringLiteral("%1 (error %2)").arg(base::singleLine(text.trimmed())).arg(number);
    if (number >= 2000 && number < 3000)
        return {clientCode(number), cause, {}};
    const auto it = std::find_if(kMeanings.begin(), kMeanings.end(),
                                 [&](const Meaning &m) { return m.number == number; });
    if (it == kMeanings.end())
        return {ErrorCode::Unknown, cause, {}};
    return {it->code, cause, QString::fromLatin1(it->remedy)};
}

base::Error errorOf(const QSqlError &error)
{
    QString text = error.databaseText();
    if (text.isEmpty())
        text = error.driverText();
    bool known = false;
    const int number = error.nativeErrorCode().toInt(&known);
    return known ? errorOf(number, text) : base::Error{ErrorCode::ConnectionLost, base::singleLine(text), {}};
}

bool isServerRefusal(int number)
{
    return number >= 1000 && (number < 2000 || number >= 3000) && !isLinkLost(errorOf(number, {}).code);
}

bool isLinkLost(ErrorCode code)
{
    return code == ErrorCode::ConnectionLost || code == ErrorCode::Unreachable || code == ErrorCode::Protocol;
}

} // namespace lockkeeper::stores::sql
