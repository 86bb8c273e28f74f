// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/schemes/json_scheme.h"

#include "shared/stores/redis/schemes/deadline.h"
#include "shared/stores/redis/schemes/json_fields.h"

namespace lockkeeper::stores::redis {

using base::ErrorCode;
using base::failure;

namespace {

bool isText(const JsonField &field)
{
    return field.kind == JsonField::Text || field.kind == JsonField::Scalar;
}

/** Nobody holds the lock, and its key stays; its deadline doesn't matter. There is nothing to break. */
void setIdle(Observation &lock)
{
    lock.held = false;
    lock.identity.clear();
    lock.expiry = domain::ExpiryKind::None;
}

} // namespace

JsonScheme::JsonScheme(KeyLayout layout, Script release)
    : TokenScheme(std::move(release)), m_layout(std::move(layout))
{
}

void JsonScheme::explain(Observation &lock) const
{
    if (lock.flaw == Flaw::Truncated)
        setUnreadable(lock, Flaw::Truncated); // its beginning isn't the owner
    const bool refused = lock.off == domain::ReleaseOff::NotPermitted;
    if (refused || lock.flaw == Flaw::WrongType || lock.flaw == Flaw::Truncated ||
        lock.flaw == Flaw::Malformed)
        return;
    const QByteArray value = std::exchange(lock.identity, {});
    const auto fields = readJsonFields(value, {m_layout.ownerField, m_layout.stateField});
    const auto says = [&fields](const QByteArray &what) {
        return isText(fields->at(1)) && fields->at(1).text == what;
    };
    const bool idle = fields && !m_layout.stateField.isEmpty() && says(m_layout.idleValue);
    if (!fields || (!idle && !m_layout.stateField.isEmpty() && !says(m_layout.heldValue))) {
        setUnreadable(lock, Flaw::Malformed);
        return;
    }
    const JsonField &owner = fields->at(0);
    lock.ownerKnown = isText(owner) && !owner.text.isEmpty();
    lock.owner = lock.ownerKnown ? owner.text : QByteArray();
    lock.token = lock.owner;
    lock.freshness = joinedFreshness(lock.freshness, value);
    if (lock.ownerKnown)
        lock.identity = owner.text;
    else if (lock.flaw == Flaw::None && !idle)
        lock.flaw = Flaw::NullIdentity;
    if (idle)
        setIdle(lock);
}

base::Result<ReleaseCall> JsonScheme::releaseCall(const ReleaseOrder &order, QByteArrayView name) const
{
    const auto parts = splitFreshness(order.guard.freshness);
    if (!parts || parts->always.isEmpty())
        return failure(ErrorCode::Unsupported,
                       QStringLiteral("the guard doesn't contain the value that was read"));
    return ReleaseCall{
        {name.toByteArray()},
        QList<QByteArray>{parts->always, order.checkFreshness ? parts->deadline : QByteArray("")} +
            flagsOf(order)};
}

} // namespace lockkeeper::stores::redis
