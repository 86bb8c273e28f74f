// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/connection/redirect.h"

#include "shared/stores/redis/connection/hash_slot.h"

#include <QList>

namespace lockkeeper::stores::redis {

std::optional<Redirect> redirectOf(QByteArrayView message)
{
    const QList<QByteArray> words = message.toByteArray().split(' ');
    if (words.size() != 3 || (words.at(0) != "MOVED" && words.at(0) != "ASK"))
        return std::nullopt;
    Redirect redirect;
    redirect.ask = words.at(0) == "ASK";
    bool slotOk = false;
    bool portOk = false;
    redirect.slot = words.at(1).toUShort(&slotOk);
    const qsizetype colon = words.at(2).lastIndexOf(':'); // an IPv6 address has no brackets here
    redirect.port = words.at(2).mid(colon + 1).toUShort(&portOk);
    redirect.host = QString::fromUtf8(words.at(2).left(qMax<qsizetype>(0, colon)));
    if (!slotOk || redirect.slot >= kHashSlots || colon < 0 || !portOk || redirect.port == 0)
        return std::nullopt;
    return redirect;
}

bool sendsElsewhere(QByteArrayView message)
{
    return message.startsWith("MOVED ") || message.startsWith("ASK ") || message.startsWith("TRYAGAIN");
}

} // namespace lockkeeper::stores::redis
