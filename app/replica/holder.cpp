// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/replica/holder.h"

#include <QRegularExpression>

#include <algorithm>

namespace lockkeeper::app::replica {

namespace {

bool isOfConnection(const domain::LockState &state)
{
    return state.session || domain::isConnectionScheme(state.key.scheme);
}

bool isDigits(QByteArrayView text)
{
    return !text.isEmpty() &&
           std::all_of(text.cbegin(), text.cend(), [](char c) { return c >= '0' && c <= '9'; });
}

/** Each machine has these names for itself. */
QByteArray withoutOwnNames(const QByteArray &host)
{
    return host == "localhost" || host == "::1" || host.startsWith("127.") ? QByteArray() : host;
}

/** The host of "10.2.3.4:4711" and of "[fe80::1]:4711". */
QByteArray withoutPort(const QByteArray &client)
{
    const qsizetype colon = client.lastIndexOf(':');
    if (colon <= 0 || !isDigits(QByteArrayView(client).sliced(colon + 1)))
        return client;
    const QByteArray host = client.left(colon);
    if (host.startsWith('[') && host.endsWith(']'))
        return host.mid(1, host.size() - 2);
    return host.contains(':') ? client : host;
}

bool isSameName(const HolderId &holder, const QString &source, const QByteArray &name)
{
    return name == holder.owner && (holder.source.isEmpty() || holder.source == source);
}

} // namespace

bool isRandomToken(const QString &text)
{
    static const QRegularExpression hex(QStringLiteral("^[0-9a-fA-F-]{16,}$"));
    static const QRegularExpression base64(QStringLiteral("^[0-9A-Za-z+/=_-]{20,}$"));
    static const QRegularExpression digit(QStringLiteral("[0-9]"));
    static const QRegularExpression upper(QStringLiteral("[A-Z]"));
    if (hex.match(text).hasMatch())
        return true;
    return base64.match(text).hasMatch() && digit.match(text).hasMatch() && upper.match(text).hasMatch();
}

QByteArray hostOf(const QByteArray &owner)
{
    const qsizetype at = owner.lastIndexOf('@');
    if (at < 0)
        return {};
    const QByteArray rest = owner.mid(at + 1);
    const auto end = std::find_if(rest.cbegin(), rest.cend(),
                                  [](char c) { return c == ':' || c == '#' || c == '/' || c == '|'; });
    return withoutOwnNames(rest.left(end - rest.cbegin()));
}

HolderId holderOf(const domain::LockState &state)
{
    if (!state.isHeld() || !state.ownerKnown)
        return {};
    HolderId holder{state.owner, {}, hostOf(state.owner)};
    if (isOfConnection(state))
        holder.source = state.key.source;
    if (state.session && holder.owner.isEmpty())
        holder.owner = state.session->id;
    if (state.session && !state.session->client.isEmpty())
        holder.host = withoutOwnNames(withoutPort(state.session->client));
    return holder;
}

HolderId holderNamed(const QByteArray &owner, const QString &source)
{
    return {owner, isDigits(owner) ? source : QString(), hostOf(owner)};
}

bool isHeldBy(const HolderId &holder, HolderReach reach, const domain::LockState &state)
{
    const HolderId other = holderOf(state);
    if (holder.isEmpty() || other.isEmpty())
        return false;
    if (reach == HolderReach::Host && !holder.host.isEmpty() && other.host == holder.host)
        return true;
    return isSameName(holder, state.key.source, other.owner) && other.source == holder.source;
}

bool isWaiter(const HolderId &holder, HolderReach reach, const domain::LockState &state,
              const domain::Waiter &waiter)
{
    if (holder.isEmpty() || waiter.id.isEmpty())
        return false;
    if (reach == HolderReach::Host && !holder.host.isEmpty() && hostOf(waiter.id) == holder.host)
        return true;
    return isSameName(holder, state.key.source, waiter.id) &&
           holder.source.isEmpty() != isOfConnection(state);
}

std::optional<qint64> waitingCausedUs(const domain::LockState &state, qint64 nowUs)
{
    if (!state.waitersVisible)
        return {};
    qint64 sum = 0;
    for (const domain::Waiter &waiter : state.waiters)
        sum += waiter.sinceUs ? std::max<qint64>(0, nowUs - *waiter.sinceUs) : 0;
    return sum;
}

} // namespace lockkeeper::app::replica
