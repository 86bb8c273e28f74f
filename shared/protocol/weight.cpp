// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/protocol/weight.h"

namespace lockkeeper::protocol {

namespace {

constexpr qint64 kFlatState = 220;
constexpr qint64 kFlatEvent = 160;

qint64 keyWeight(const domain::LockKey &key)
{
    return key.name.size() + key.source.size() + key.place.size() + key.scheme.size();
}

qint64 detailWeight(const QJsonObject &detail)
{
    // "previous" holds an owner, which can be long; other values are short.
    qint64 bytes = 0;
    for (auto it = detail.begin(); it != detail.end(); ++it)
        bytes += it.key().size() + (it->isString() ? it->toString().size() : 8);
    return bytes;
}

} // namespace

qint64 weightOf(const domain::LockState &state)
{
    qint64 bytes = kFlatState + keyWeight(state.key) + state.owner.size() + state.token.size() +
                   state.fencing.size() + state.guard.size();
    for (const domain::Waiter &waiter : state.waiters)
        bytes += 16 + waiter.id.size() + waiter.detail.size();
    if (state.session) {
        const domain::Session &s = *state.session;
        bytes += 64 + s.id.size() + s.user.size() + s.client.size() + s.program.size() +
                 s.transaction.size() + s.statement.size();
    }
    return bytes;
}

qint64 weightOf(const events::LockEvent &event)
{
    return kFlatEvent + keyWeight(event.key) + event.owner.size() +
           event.waiter.value_or(QByteArray()).size() + detailWeight(event.detail) +
           (event.after ? weightOf(*event.after) : 0);
}

qint64 weightOf(const Hold &hold)
{
    return kFlatEvent + keyWeight(hold.key) + hold.owner.size() + hold.by.size() + hold.reason.size() +
           9 * hold.renewalsUs.size();
}

qint64 weightOf(const Wait &wait)
{
    return kFlatEvent + keyWeight(wait.key) + wait.waiter.size();
}

qint64 weightOf(const domain::AuditEntry &entry)
{
    return kFlatEvent + keyWeight(entry.key) + entry.holder.size() + entry.reason.size() +
           entry.detail.size() + entry.guard.size();
}

qint64 weightOf(const domain::discovery::Candidate &candidate)
{
    const auto mappingWeight = [](const domain::discovery::TableMapping &m) {
        qint64 bytes = m.table.size() + m.heldValue.size() + m.freeValue.size() + 20 * m.units.size();
        for (const QString &name : m.name)
            bytes += 3 + name.size();
        for (const QString *column : {&m.id, &m.holder, &m.acquiredAt, &m.renewedAt, &m.expiresAt, &m.timeout,
                                      &m.count, &m.version, &m.request, &m.status})
            bytes += 3 + column->size();
        return bytes;
    };
    qint64 bytes = kFlatEvent + candidate.schema.size() + candidate.table.size() + candidate.match.size() +
                   mappingWeight(candidate.mapping) + mappingWeight(candidate.config) +
                   candidate.refusal.cause.size() + candidate.refusal.remedy.size();
    for (const domain::discovery::Reason &reason : candidate.reasons)
        bytes += 16 + reason.column.size() + reason.value.size();
    for (const domain::discovery::Setting &setting : candidate.settings)
        bytes += 8 + setting.key.size() + setting.value.size();
    for (const domain::Access &access : candidate.access)
        bytes += 12 + access.need.size() + access.remedy.size();
    return bytes;
}

} // namespace lockkeeper::protocol
