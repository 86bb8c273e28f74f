// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/base/error.h"

#include "shared/base/text.h"

#include <array>
#include <utility>

namespace lockkeeper::base {

namespace {
constexpr std::array<std::pair<ErrorCode, const char *>, 20> kNames{{
    {ErrorCode::Unknown, "unknown"},
    {ErrorCode::Usage, "usage"},
    {ErrorCode::NotFound, "not_found"},
    {ErrorCode::Ambiguous, "ambiguous"},
    {ErrorCode::Unreachable, "unreachable"},
    {ErrorCode::Authentication, "authentication"},
    {ErrorCode::PermissionDenied, "permission_denied"},
    {ErrorCode::ReadOnly, "read_only"},
    {ErrorCode::Loading, "loading"},
    {ErrorCode::Timeout, "timeout"},
    {ErrorCode::ConnectionLost, "connection_lost"},
    {ErrorCode::Protocol, "protocol"},
    {ErrorCode::TooLarge, "too_large"},
    {ErrorCode::Unsupported, "unsupported"},
    {ErrorCode::SchemaMismatch, "schema_mismatch"},
    {ErrorCode::Busy, "busy"},
    {ErrorCode::Storage, "storage"},
    {ErrorCode::Corrupt, "corrupt"},
    {ErrorCode::Cancelled, "cancelled"},
    {ErrorCode::Shutdown, "shutdown"},
}};
} // namespace

bool isTransient(ErrorCode code)
{
    switch (code) {
    case ErrorCode::Unreachable:
    case ErrorCode::Loading:
    case ErrorCode::Timeout:
    case ErrorCode::ConnectionLost:
    case ErrorCode::Busy:
    case ErrorCode::Storage:
        return true;
    default:
        return false;
    }
}

QByteArrayView errorName(ErrorCode code)
{
    for (const auto &[value, name] : kNames) {
        if (value == code)
            return name;
    }
    return "unknown";
}

ErrorCode errorFromName(QByteArrayView name)
{
    for (const auto &[value, text] : kNames) {
        if (name == QByteArrayView(text))
            return value;
    }
    return ErrorCode::Unknown;
}

QString Error::line() const
{
    const QString what = singleLine(cause);
    const QString help = singleLine(remedy);
    if (what.isEmpty() || help.isEmpty())
        return what + help;
    const bool isClosed = QStringLiteral(".:!?。：！？").contains(what.back());
    constexpr char16_t kFirstWide = 0x2E80; // Chinese has a full-width stop, and no space after it
    if (what.back() >= QChar(kFirstWide) || help.front() >= QChar(kFirstWide))
        return what + (isClosed ? QString() : QStringLiteral("。")) + help;
    return what + QLatin1String(isClosed ? " " : ". ") + help;
}

} // namespace lockkeeper::base
