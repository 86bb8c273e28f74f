// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/connection/sql_errors.h"

#include "shared/base/text.h"

#include <QSqlError>
#include <QStringList>

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

// Numbers from the MySQL and MariaDB error references; the client library has 2000 to 2061.
constexpr std::array<Meaning, 40> kMeanings{{
    {1036, ErrorCode::ReadOnly, ""},
    {1040, ErrorCode::Unreachable, "Raise max_connections, or wait."},
    {1044, ErrorCode::PermissionDenied, "GRANT SELECT on the lock tables of this database to this account."},
    {1045, ErrorCode::Authentication, "Check the user and the password of this source."},
    {1049, ErrorCode::NotFound, "Check the database in the source's url."},
    {1051, ErrorCode::SchemaMismatch, ""},
    {1053, ErrorCode::ConnectionLost, ""},
    {1054, ErrorCode::SchemaMismatch, ""},
    {1080, ErrorCode::ConnectionLost, ""},
    {1095, ErrorCode::PermissionDenied, ""},
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
    {2020, ErrorCode::TooLarge, ""},
    {3024, ErrorCode::Timeout, ""},
    {3118, ErrorCode::Authentication, "Unlock the account."},
    {4031, ErrorCode::ConnectionLost, ""},
}};

struct StateMeaning
{
    const char *state; ///< SQLSTATE or its prefix
    ErrorCode code;
    const char *remedy;
};

// PostgreSQL's error codes, longer prefixes first.
constexpr std::array<StateMeaning, 19> kStates{{
    {"25006", ErrorCode::ReadOnly, ""},
    {"28", ErrorCode::Authentication, "Check the user and the password of this source."},
    {"3D000", ErrorCode::NotFound, "Check the database in the source's url."},
    {"3F000", ErrorCode::SchemaMismatch, ""},
    {"40001", ErrorCode::Busy, ""},
    {"40P01", ErrorCode::Busy, ""},
    {"42501", ErrorCode::PermissionDenied, ""},
    {"42703", ErrorCode::SchemaMismatch, ""},
    {"42804", ErrorCode::SchemaMismatch, ""},
    {"42883", ErrorCode::SchemaMismatch, ""},
    {"42P01", ErrorCode::SchemaMismatch, ""},
    {"0A000", ErrorCode::SchemaMismatch, ""}, // cached plan must not change result type
    {"53300", ErrorCode::Unreachable, "Raise max_connections, or wait."},
    {"55P03", ErrorCode::Busy, ""},
    {"57014", ErrorCode::Timeout, ""},
    {"57P03", ErrorCode::Unreachable, ""},
    {"57P", ErrorCode::ConnectionLost, ""},
    {"08", ErrorCode::ConnectionLost, ""},
    {"26000", ErrorCode::ConnectionLost, ""}, // the prepared statement belongs to another session
}};

ErrorCode clientCode(int number)
{
    switch (number) {
    case 2002: // no such socket
    case 2003: // connection refused
    case 2005: // unknown host
    case 2007:
    case 2009:
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

/** Joins a server's text of several lines. */
QString oneLine(const QString &text)
{
    QStringList lines;
    for (const QString &line : text.split(QLatin1Char('\n'), Qt::SkipEmptyParts)) {
        if (!line.trimmed().isEmpty())
            lines.append(line.trimmed());
    }
    return base::singleLine(lines.join(QStringLiteral("; ")));
}

/** libpq gives no SQLSTATE for a failed connection: only the server's text shows a rejected login. */
bool isRefusedLogin(const QString &text)
{
    static const std::array<QLatin1String, 5> words{
        QLatin1String("authentication failed"), QLatin1String("no password supplied"),
        QLatin1String("no pg_hba.conf entry"), QLatin1String("is not permitted to log in"),
        QLatin1String("role \"")};
    return std::any_of(words.begin(), words.end(),
                       [&text](QLatin1String word) { return text.contains(word); });
}

/** The error for a SQLSTATE of PostgreSQL. An empty one is from the client library: the link is gone. */
base::Error postgresqlErrorOf(const QString &state, const QString &text)
{
    const QString cause = oneLine(text);
    if (state.isEmpty() && isRefusedLogin(text))
        return {ErrorCode::Authentication, QStringLiteral("the login was rejected: %1").arg(cause),
                QStringLiteral("Check the user and the password of this source, and pg_hba.conf.")};
    if (state.isEmpty())
        return {ErrorCode::ConnectionLost, cause, {}};
    const auto it = std::find_if(kStates.begin(), kStates.end(), [&](const StateMeaning &meaning) {
        return state.startsWith(QLatin1String(meaning.state));
    });
    const QString told = QStringLiteral("%1 (SQLSTATE %2)").arg(cause, base::singleLine(state));
    if (it == kStates.end())
        return {ErrorCode::Unknown, told, {}};
    return {it->code, told, QString::fromLatin1(it->remedy)};
}

/** The error for an extended result code of SQLite. */
base::Error sqliteErrorOf(int code, const QString &text)
{
    const QString cause = QStringLiteral("%1 (SQLite error %2)").arg(oneLine(text)).arg(code);
    switch (code & 0xff) {
    case 1: // no such table or column, or a statement that this version doesn't know
        return {ErrorCode::SchemaMismatch, cause, {}};
    case 3:
    case 23:
        return {ErrorCode::PermissionDenied, cause, {}};
    case 5:
    case 6:
        return {ErrorCode::Busy, cause, {}};
    case 8:
        return {ErrorCode::ReadOnly, cause, {}};
    case 10:
    case 11:
    case 26:
        return {ErrorCode::Corrupt, cause, {}};
    case 14:
        return {ErrorCode::Unreachable, cause, {}};
    default:
        return {ErrorCode::Unknown, cause, {}};
    }
}
} // namespace

base::Error errorOf(int number, const QString &text)
{
    const QString cause = QStringLiteral("%1 (error %2)").arg(oneLine(text)).arg(number);
    if (number == 2026)
        return {ErrorCode::Unreachable, cause,
                QStringLiteral("Check tls_ca, and that the certificate is for the host in the url.")};
    if (number >= 2000 && number < 3000)
        return {clientCode(number), cause, {}};
    const auto it = std::find_if(kMeanings.begin(), kMeanings.end(),
                                 [&](const Meaning &m) { return m.number == number; });
    if (it == kMeanings.end())
        return {ErrorCode::Unknown, cause, {}};
    return {it->code, cause, QString::fromLatin1(it->remedy)};
}

bool isServerRefusal(int number)
{
    return number >= 1000 && (number < 2000 || number >= 3000) && !isLinkLost(errorOf(number, {}).code);
}

base::Error errorOf(const QSqlError &error, Dialect dialect)
{
    QString text = error.databaseText();
    if (text.isEmpty())
        text = error.driverText();
    if (dialect == Dialect::PostgreSql)
        return postgresqlErrorOf(error.nativeErrorCode(), text);
    bool known = false;
    const int number = error.nativeErrorCode().toInt(&known);
    if (!known)
        return base::Error{ErrorCode::ConnectionLost, oneLine(text), {}};
    return dialect == Dialect::Sqlite ? sqliteErrorOf(number, text) : errorOf(number, text);
}

bool isServerRefusal(const QSqlError &error, Dialect dialect)
{
    const QString code = error.nativeErrorCode();
    switch (dialect) {
    case Dialect::PostgreSql: // class 08: connection failed; 57P: session ended; 40003: completion unknown
        return !code.isEmpty() && !code.startsWith(QLatin1String("08")) &&
               !code.startsWith(QLatin1String("57P")) && code != QLatin1String("40003");
    case Dialect::Sqlite: // a failing disk may have written before
        return !code.isEmpty() && (code.toInt() & 0xff) != 10;
    case Dialect::MySql:
        break;
    }
    return isServerRefusal(code.toInt());
}

bool isDuplicateKey(const QSqlError &error, Dialect dialect)
{
    const QString code = error.nativeErrorCode();
    switch (dialect) {
    case Dialect::PostgreSql:
        return code == QLatin1String("23505");
    case Dialect::Sqlite:
        return code == QLatin1String("1555") || code == QLatin1String("2067");
    case Dialect::MySql:
        break;
    }
    return code == QLatin1String("1062");
}

bool isLinkLost(ErrorCode code)
{
    return code == ErrorCode::ConnectionLost || code == ErrorCode::Unreachable || code == ErrorCode::Protocol;
}

} // namespace lockkeeper::stores::sql
