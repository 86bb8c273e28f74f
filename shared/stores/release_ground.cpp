// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/release_ground.h"

namespace lockkeeper::stores {

using base::ErrorCode;

namespace {

Refusal refused(ErrorCode code, const QString &cause, const QString &remedy = {})
{
    return {domain::Outcome::Refused, {code, cause, remedy}};
}

} // namespace

std::optional<Refusal> refusalOf(const ReleaseOrder &order, const SourceSpec &spec,
                                 const ReleaseGround &ground)
{
    const domain::Guard &guard = order.guard;
    if (order.set >= spec.locks.size())
        return Refusal{domain::Outcome::Refused, noSuchSet()};
    const LockSet &set = spec.locks.at(order.set);
    if (set.breakMode == BreakMode::Never)
        return refused(ErrorCode::PermissionDenied,
                       QStringLiteral("the configuration says break = \"never\""));
    if (ground.wholeGuard && guard.identity.isEmpty())
        return refused(ErrorCode::Unsupported, QStringLiteral("the lock has no identity to guard with"));
    const auto name = subjectNameOf(ground.place, guard.key);
    if (!name || keyOf(spec.name, set.scheme, ground.place, *name) != guard.key)
        return refused(ErrorCode::Usage, QStringLiteral("the guard belongs to another lock set"));
    if (ground.instance.isEmpty() || guard.instance != ground.instance)
        return ground.otherRun;
    if (ground.wholeGuard && order.checkFreshness && guard.freshness.isEmpty())
        return refused(ErrorCode::Unsupported,
                       QStringLiteral("the guard doesn't contain the deadline that was read"));
    if (ground.replica)
        return refused(ErrorCode::ReadOnly, QStringLiteral("the server is a replica"),
                       QStringLiteral("Connect the source to the primary."));
    return std::nullopt;
}

domain::Guard guardOf(const SourceSpec &spec, const QByteArray &place, const QByteArray &instance,
                      const Observation &lock)
{
    return {keyOf(spec.name, spec.locks.at(lock.set).scheme, place, lock.name), instance, lock.identity,
            lock.freshness};
}

} // namespace lockkeeper::stores
