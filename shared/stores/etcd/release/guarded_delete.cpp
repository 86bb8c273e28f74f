// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/etcd/release/guarded_delete.h"

#include <QJsonArray>

#include <limits>

namespace lockkeeper::stores::etcd {

namespace {

QJsonObject compared(const QByteArray &key, const char *target, const char *field, qint64 value)
{
    return {{QStringLiteral("key"), jsonOf(key)},
            {QStringLiteral("target"), QLatin1String(target)},
            {QStringLiteral("result"), QStringLiteral("EQUAL")},
            {QLatin1String(field), jsonOf(value)}};
}

QJsonObject rangeOf(const QByteArray &key, const QByteArray &end = {})
{
    QJsonObject range{{QStringLiteral("key"), jsonOf(key)}, {QStringLiteral("limit"), QStringLiteral("1")}};
    if (!end.isEmpty())
        range.insert(QStringLiteral("range_end"), jsonOf(end));
    return {{QStringLiteral("request_range"), range}};
}

QJsonObject deletionOf(const QByteArray &key)
{
    return {{QStringLiteral("request_delete_range"), QJsonObject{{QStringLiteral("key"), jsonOf(key)}}}};
}

} // namespace

std::optional<GuardedDelete> GuardedDelete::of(const domain::Guard &guard, KeyTerm leftOut)
{
    const QByteArray &name = guard.key.name;
    const qsizetype first = guard.identity.indexOf('/');
    const qsizetype second = guard.identity.indexOf('/', first + 1);
    if (first < 1 || second < 0)
        return std::nullopt;
    GuardedDelete order;
    bool create = false;
    bool lease = false;
    bool mod = false;
    order.m_seen.create = guard.identity.first(first).toLongLong(&create);
    order.m_seen.lease = qint64(guard.identity.sliced(first + 1, second - first - 1).toULongLong(&lease, 16));
    order.m_seen.mod = guard.freshness.toLongLong(&mod);
    order.m_seen.key = guard.identity.sliced(second + 1);
    order.m_name = name;
    order.m_leftOut = leftOut;
    const bool ofName = order.m_seen.key == name || order.m_seen.key.startsWith(name + '/');
    // A missing key has the revision 0.
    if (!create || !lease || !mod || order.m_seen.create <= 0 || order.m_seen.mod <= 0 || !ofName)
        return std::nullopt;
    return order;
}

QJsonObject GuardedDelete::transaction(bool dryRun) const
{
    QJsonArray terms;
    if (m_leftOut != KeyTerm::Create)
        terms.append(compared(m_seen.key, "CREATE", "create_revision", m_seen.create));
    if (m_leftOut != KeyTerm::Mod)
        terms.append(compared(m_seen.key, "MOD", "mod_revision", m_seen.mod));
    if (m_leftOut != KeyTerm::Lease)
        terms.append(compared(m_seen.key, "LEASE", "lease", m_seen.lease));
    const QByteArray below = m_name + '/';
    return {{QStringLiteral("compare"), terms},
            {QStringLiteral("success"), QJsonArray{dryRun ? rangeOf(m_seen.key) : deletionOf(m_seen.key)}},
            {QStringLiteral("failure"),
             QJsonArray{m_seen.key == m_name ? rangeOf(m_name) : rangeOf(below, endOf(below))}}};
}

domain::Outcome GuardedDelete::outcomeOf(const QJsonObject &answer) const
{
    if (answer.value(QLatin1String("succeeded")).toBool())
        return domain::Outcome::Released;
    const QJsonArray responses = answer.value(QLatin1String("responses")).toArray();
    for (const QJsonValue &response : responses) {
        const QJsonObject range = response.toObject().value(QLatin1String("response_range")).toObject();
        if (!keysOf(range).isEmpty())
            return domain::Outcome::HolderChanged;
    }
    return domain::Outcome::AlreadyFree;
}

QJsonObject harmlessDelete(const QByteArray &prefix)
{
    const QByteArray key = startOf(prefix);
    return {{QStringLiteral("compare"),
             QJsonArray{compared(key, "CREATE", "create_revision", std::numeric_limits<qint64>::max())}},
            {QStringLiteral("success"), QJsonArray{deletionOf(key)}}};
}

} // namespace lockkeeper::stores::etcd
