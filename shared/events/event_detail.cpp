// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/events/event_detail.h"

#include <algorithm>
#include <array>

namespace lockkeeper::events {

namespace {

constexpr std::array<const char *, size_t(kLastCause) + 1> kCauseNames{
    "",           "gap",           "failover",        "restart",    "went_back", "server_restarted", "lost_in_failover",
    "agent_restarted", "reloaded", "standby",         "source_down", "scans_failed", "agent_stalled", "not_configured",
    "journal",    "push_lost",     "slots_moving",    "not_permitted", "set_unread"};
constexpr std::array<const char *, 3> kOutcomeNames{"acquired", "left", "lock_gone"};
constexpr std::array<const char *, 6> kStateNames{"free", "held", "expired", "optimistic", "unknown", "gone"};

/** The number of the value with this name; −1: none. */
template <size_t Count> int numberOf(const std::array<const char *, Count> &names, const QString &name)
{
    for (size_t i = 0; i < Count; ++i) {
        if (name == QLatin1String(names[i]))
            return int(i);
    }
    return -1;
}

/** Calls `visit` with the JSON name of each member and the member, all but the causes. */
template <typename Detail, typename Visit> void visitMembers(Detail &detail, const Visit &visit)
{
    visit("previous", detail.previous);
    visit("last_seen_us", detail.lastSeenUs);
    visit("since_us", detail.sinceUs);
    visit("dropped", detail.dropped);
    visit("coalesced", detail.coalesced);
    visit("node", detail.node);
    visit("slots", detail.slotRanges);
    visit("message", detail.message);
    visit("outcome", detail.outcome);
    visit("state", detail.state);
    visit("reason", detail.reason);
    visit("first_seen", detail.firstSeen);
    visit("came_back", detail.cameBack);
    visit("partial", detail.partial);
    visit("unseen", detail.unseen);
    visit("missed", detail.missed);
}

/** Turns a member into its JSON value; undefined: the object lacks it. */
struct ValueWriter
{
    static QJsonValue of(const std::optional<std::optional<QString>> &value)
    {
        return !value ? QJsonValue(QJsonValue::Undefined) : *value ? QJsonValue(**value) : QJsonValue();
    }
    static QJsonValue of(const std::optional<qint64> &value)
    {
        return value ? QJsonValue(*value) : QJsonValue(QJsonValue::Undefined);
    }
    static QJsonValue of(qint64 value)
    {
        return value != 0 ? QJsonValue(value) : QJsonValue(QJsonValue::Undefined);
    }
    static QJsonValue of(bool value) { return value ? QJsonValue(true) : QJsonValue(QJsonValue::Undefined); }
    static QJsonValue of(const QString &value)
    {
        return value.isEmpty() ? QJsonValue(QJsonValue::Undefined) : QJsonValue(value);
    }
    static QJsonValue of(const std::optional<WaitOutcome> &value)
    {
        return value ? QJsonValue(QLatin1String(kOutcomeNames.at(size_t(*value))))
                     : QJsonValue(QJsonValue::Undefined);
    }
    static QJsonValue of(const std::optional<TableState> &value)
    {
        return value ? QJsonValue(QLatin1String(kStateNames.at(size_t(*value))))
                     : QJsonValue(QJsonValue::Undefined);
    }
    static QJsonValue of(domain::StuckReason value)
    {
        return value == domain::StuckReason::None
                   ? QJsonValue(QJsonValue::Undefined)
                   : QJsonValue(QString::fromLatin1(domain::stuckReasonName(value).toByteArray()));
    }
};

/** Takes a JSON value into a member; false: it isn't a value of that member. */
struct ValueReader
{
    static bool take(const QJsonValue &value, std::optional<std::optional<QString>> &to)
    {
        if (!value.isString() && !value.isNull())
            return false;
        to.emplace(value.isString() ? std::optional<QString>(value.toString()) : std::nullopt);
        return true;
    }
    static bool take(const QJsonValue &value, std::optional<qint64> &to)
    {
        if (value.isDouble())
            to = value.toInteger();
        return value.isDouble();
    }
    static bool take(const QJsonValue &value, qint64 &to)
    {
        to = value.toInteger();
        return value.isDouble() && to != 0;
    }
    static bool take(const QJsonValue &value, bool &to)
    {
        to = value.toBool();
        return to;
    }
    static bool take(const QJsonValue &value, QString &to)
    {
        to = value.toString();
        return !to.isEmpty();
    }
    static bool take(const QJsonValue &value, std::optional<WaitOutcome> &to)
    {
        const int number = numberOf(kOutcomeNames, value.toString());
        if (number >= 0)
            to = WaitOutcome(number);
        return number >= 0;
    }
    static bool take(const QJsonValue &value, std::optional<TableState> &to)
    {
        const int number = numberOf(kStateNames, value.toString());
        if (number >= 0)
            to = TableState(number);
        return number >= 0;
    }
    static bool take(const QJsonValue &value, domain::StuckReason &to)
    {
        const QByteArray name = value.toString().toLatin1();
        for (const auto reason : {domain::StuckReason::NoExpiry, domain::StuckReason::NoSignOfLife,
                                  domain::StuckReason::HolderGone}) {
            if (domain::stuckReasonName(reason) == name)
                to = reason;
        }
        return to != domain::StuckReason::None;
    }
};

const QString kCause = QStringLiteral("cause");
const QString kMayBe = QStringLiteral("may_be");
const QString kReleased = QStringLiteral("released");

/** Takes "cause", which is one of ours or the code of an error. */
bool takeCause(const QString &name, EventDetail &detail)
{
    detail.cause = causeFromName(name);
    if (detail.cause != EventCause::None)
        return true;
    const base::ErrorCode code = base::errorFromName(name.toLatin1());
    if (base::errorName(code) == name.toLatin1())
        detail.error = code;
    return detail.error.has_value();
}

} // namespace

QByteArrayView causeName(EventCause cause)
{
    return kCauseNames.at(size_t(cause));
}

EventCause causeFromName(const QString &name)
{
    return EventCause(std::max(0, numberOf(kCauseNames, name)));
}

QJsonObject EventDetail::toJson() const
{
    QJsonObject object = others;
    visitMembers(*this, [&object](const char *name, const auto &member) {
        const QJsonValue value = ValueWriter::of(member);
        if (!value.isUndefined())
            object.insert(QLatin1String(name), value);
    });
    if (cause != EventCause::None || error)
        object.insert(kCause, causeText());
    if (mayBeReleased)
        object.insert(kMayBe, kReleased);
    return object;
}

EventDetail EventDetail::fromJson(const QJsonObject &object)
{
    EventDetail detail;
    detail.others = object;
    visitMembers(detail, [&](const char *name, auto &member) {
        const auto it = detail.others.find(QLatin1String(name));
        if (it != detail.others.end() && ValueReader::take(*it, member))
            detail.others.erase(it);
    });
    if (takeCause(object.value(kCause).toString(), detail))
        detail.others.remove(kCause);
    detail.mayBeReleased = object.value(kMayBe) == kReleased;
    if (detail.mayBeReleased)
        detail.others.remove(kMayBe);
    return detail;
}

QString EventDetail::causeText() const
{
    if (cause != EventCause::None)
        return QString::fromLatin1(causeName(cause).toByteArray());
    return error ? QString::fromLatin1(base::errorName(*error).toByteArray()) : others.value(kCause).toString();
}

} // namespace lockkeeper::events
