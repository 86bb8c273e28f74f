// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/connection/identifiers.h"

#include "shared/base/text.h"

#include <algorithm>

namespace lockkeeper::stores::sql {

using base::ErrorCode;
using base::failure;

namespace {
constexpr qsizetype kLongestIdentifier = 64;

QString refusalOf(const QString &name)
{
    if (name.isEmpty())
        return QStringLiteral("is empty");
    if (name.size() > kLongestIdentifier)
        return QStringLiteral("is longer than 64 characters");
    if (name.endsWith(QLatin1Char(' ')))
        return QStringLiteral("ends with a space");
    if (name.contains(QLatin1Char('`')))
        return QStringLiteral("contains a backtick");
    const auto isControl = [](QChar c) { return c.unicode() < 0x20 || c.unicode() == 0x7f; };
    if (std::any_of(name.begin(), name.end(), isControl))
        return QStringLiteral("contains a control character");
    return {};
}
} // namespace

base::Result<void> checkIdentifier(const QString &name, const QString &what)
{
    const QString refusal = refusalOf(name);
    if (refusal.isEmpty())
        return {};
    return failure(ErrorCode::SchemaMismatch,
                   QStringLiteral("%1 \"%2\" %3").arg(what, base::displayText(name), refusal),
                   QStringLiteral("Write the name as the catalogue has it, without quotes."));
}

QString quotedIdentifier(const QString &name, Dialect dialect)
{
    const QChar quote = QLatin1Char(dialect == Dialect::MySql ? '`' : '"');
    QString inside = name;
    inside.replace(quote, QString(2, quote));
    return quote + inside + quote;
}

QString readableIdentifier(const QString &name, Dialect dialect)
{
    const bool folds = dialect == Dialect::PostgreSql; // what isn't quoted to small letters
    const auto isPlain = [folds](QChar c) {
        const ushort u = c.unicode();
        return (u >= 'a' && u <= 'z') || (!folds && u >= 'A' && u <= 'Z') || (u >= '0' && u <= '9') ||
               u == '_';
    };
    const bool plain =
        !name.isEmpty() && !name.at(0).isDigit() && std::all_of(name.begin(), name.end(), isPlain);
    return plain ? name : quotedIdentifier(name, dialect);
}

QString quotedAccount(const QString &currentUser)
{
    const auto quoted = [](QString part) {
        part.replace(QLatin1Char('\\'), QLatin1String("\\\\"))
            .replace(QLatin1Char('\''), QLatin1String("''"));
        return QLatin1Char('\'') + part + QLatin1Char('\'');
    };
    const qsizetype at = currentUser.lastIndexOf(QLatin1Char('@'));
    if (at < 0)
        return quoted(currentUser);
    return quoted(currentUser.first(at)) + QLatin1Char('@') + quoted(currentUser.sliced(at + 1));
}

} // namespace lockkeeper::stores::sql
