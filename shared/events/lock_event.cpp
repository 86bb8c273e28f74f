// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/events/lock_event.h"

#include "shared/base/text.h"

#include <array>

namespace lockkeeper::events {

namespace {

constexpr std::array<const char *, 16> kKinds{"acquired",   "renewed",        "released",   "expired",
                                              "taken_over", "wait_start",     "wait_end",   "stuck",
                                              "unstuck",    "force_released", "gap_opened", "gap_closed",
                                              "source_up",  "source_down",    "lost",       "changed"};

QJsonValue optionalNumber(const std::optional<qint64> &value)
{
    return value ? QJsonValue(*value) : QJsonValue();
}

QJsonValue optionalText(QByteArrayView bytes)
{
    return bytes.isEmpty() ? QJsonValue() : QJsonValue(base::textOf(bytes));
}

} // namespace

QByteArrayView kindName(EventKind kind)
{
    return kKinds.at(size_t(kind));
}

std::optional<EventKind> kindFromName(QByteArrayView name)
{
    for (size_t i = 0; i < kKinds.size(); ++i) {
        if (name == QByteArrayView(kKinds[i]))
            return EventKind(i);
    }
    return std::nullopt;
}

QJsonObject toJson(const LockEvent &event, const QString &agent)
{
    const bool ofLock = !event.isSourceEvent();
    return QJsonObject{
        {QStringLiteral("seq"), event.seq ? QJsonValue(qint64(event.seq)) : QJsonValue()},
        {QStringLiteral("agent"), agent},
        {QStringLiteral("source"), event.key.source},
        {QStringLiteral("store"), QString::fromLatin1(event.store)},
        {QStringLiteral("scheme"), optionalText(event.key.scheme)},
        {QStringLiteral("place"), optionalText(event.key.place)},
        {QStringLiteral("lock"), ofLock ? QJsonValue(base::textOf(event.key.name)) : QJsonValue()},
        {QStringLiteral("event"), QString::fromLatin1(kindName(event.kind).toByteArray())},
        {QStringLiteral("owner"), ofLock && event.ownerKnown && !event.owner.isEmpty()
                                      ? QJsonValue(base::textOf(event.owner))
                                      : QJsonValue()},
        {QStringLiteral("t_us"), event.timeUs},
        {QStringLiteral("window_us"), event.windowUs},
        {QStringLiteral("observed_us"), event.observedUs},
        {QStringLiteral("ttl_ms"), optionalNumber(event.ttlMs)},
        {QStringLiteral("expires_us"), optionalNumber(event.expiresUs)},
        {QStringLiteral("waiter"), event.waiter ? QJsonValue(base::textOf(*event.waiter)) : QJsonValue()},
        {QStringLiteral("command"), optionalText(event.command)},
        {QStringLiteral("detail"), event.detail.toJson()},
    };
}

} // namespace lockkeeper::events
