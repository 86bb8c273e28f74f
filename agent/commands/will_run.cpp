// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/commands/release_rules.h"
#include "shared/base/text.h"

namespace lockkeeper::agent::commands {

namespace {

/** A text in quotes; a long one shortened, since the guard itself always compares all of it. */
QString quoted(const QByteArray &bytes)
{
    constexpr qsizetype kShown = 200;
    QString text = base::displayText(bytes.left(kShown));
    text.replace(QLatin1Char('\''), QLatin1String("\\'"));
    if (bytes.size() > kShown)
        text += QStringLiteral("…(%1 bytes)").arg(bytes.size());
    return QLatin1Char('\'') + text + QLatin1Char('\'');
}

QString epoch(const domain::TimeUs &us)
{
    return us ? QStringLiteral("%1 µs").arg(*us) : QStringLiteral("NULL");
}

QString redisText(const domain::LockState &state)
{
    QString conditions =
        QStringLiteral("TYPE %1 = string and GET %1 = %2").arg(quoted(state.key.name), quoted(state.owner));
    if (state.expiry == domain::ExpiryKind::At)
        conditions +=
            QStringLiteral(" [because expired or stuck: and expiry = %1]").arg(epoch(state.expiresUs));
    return QStringLiteral("EVAL (one atomic script): if %1 then DEL %2")
        .arg(conditions, quoted(state.key.name));
}

QString sqlText(const domain::LockState &state)
{
    return QStringLiteral("UPDATE %1 SET lock_until = CURRENT_TIMESTAMP WHERE name = %2 AND locked_by = %3 "
                          "AND locked_at = "
                          "(as read: %4) AND lock_until = (as read: %5), exactly one row")
        .arg(base::displayText(state.key.place), quoted(state.key.name),
             state.ownerKnown ? quoted(state.owner) : QStringLiteral("NULL"), epoch(state.acquiredUs),
             epoch(state.expiresUs));
}

} // namespace

QString willRun(const domain::LockState &state)
{
    return state.key.scheme.startsWith("sql.") ? sqlText(state) : redisText(state);
}

} // namespace lockkeeper::agent::commands
