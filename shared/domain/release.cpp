// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/domain/release.h"

#include "shared/domain/approval.h"

#include <array>

namespace lockkeeper::domain {

namespace {

constexpr std::array<const char *, 3> kBecause{"operator", "expired", "stuck"};
constexpr std::array<const char *, 16> kOutcome{
    "released", "holder_changed", "already_free",  "refused", "unreachable",       "partial",
    "unknown",  "pending",        "would_release", "probed",  "awaiting_approval", "rejected",
    "ended",    "logged_in",      "discovered",    "accepted"};

template <typename E, typename Names> std::optional<E> fromName(const Names &names, QByteArrayView name)
{
    for (size_t i = 0; i < names.size(); ++i) {
        if (name == QByteArrayView(names[i]))
            return E(i);
    }
    return std::nullopt;
}

} // namespace

QByteArrayView approvalStateName(ApprovalRequest::ApprovalState state)
{
    constexpr std::array<const char *, 4> names{"open", "approved", "rejected", "ended"};
    return names.at(size_t(state));
}

QByteArrayView becauseName(Because value)
{
    return kBecause.at(size_t(value));
}

std::optional<Because> becauseFromName(QByteArrayView name)
{
    return fromName<Because>(kBecause, name);
}

QByteArrayView outcomeName(Outcome value)
{
    return kOutcome.at(size_t(value));
}

std::optional<Outcome> outcomeFromName(QByteArrayView name)
{
    return fromName<Outcome>(kOutcome, name);
}

} // namespace lockkeeper::domain
