// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/protocol/messages.h"

#include <optional>

namespace lockkeeper::protocol {

/**
 * How the numbers of an enumeration are read. A strict enumeration refuses numbers past the last known one; a
 * lenient enumeration reads them as a value that claims nothing. Only enumerations that describe something
 * may be lenient, because a receiver must understand what is requested.
 */
template <typename E> struct Enum;

template <typename E, E Last> struct StrictEnum
{
    static std::optional<E> from(quint64 number)
    {
        return number <= quint64(Last) ? std::optional(E(number)) : std::nullopt;
    }
};

template <typename E, E Last, E Otherwise> struct LenientEnum
{
    static std::optional<E> from(quint64 number) { return number <= quint64(Last) ? E(number) : Otherwise; }
};

template <> struct Enum<events::EventKind> : StrictEnum<events::EventKind, events::kLastKind>
{
};
template <> struct Enum<domain::Because> : StrictEnum<domain::Because, domain::Because::Stuck>
{
};
template <> struct Enum<TimelineLanes> : StrictEnum<TimelineLanes, TimelineLanes::Source>
{
};
template <> struct Enum<domain::Link> : StrictEnum<domain::Link, domain::Link::Down>
{
};
template <>
struct Enum<domain::ObservationMode> : StrictEnum<domain::ObservationMode, domain::ObservationMode::Push>
{
};
template <>
struct Enum<domain::StuckReason> : StrictEnum<domain::StuckReason, domain::StuckReason::HolderGone>
{
};
template <>
struct Enum<domain::ApprovalRequest::ApprovalState>
    : LenientEnum<domain::ApprovalRequest::ApprovalState, domain::ApprovalRequest::ApprovalState::Ended,
                  domain::ApprovalRequest::ApprovalState::Ended>
{
};
template <>
struct Enum<domain::AlertCondition> : StrictEnum<domain::AlertCondition, domain::kLastAlertCondition>
{
};
template <>
struct Enum<domain::AlertSeverity>
    : LenientEnum<domain::AlertSeverity, domain::AlertSeverity::Critical, domain::AlertSeverity::Critical>
{
};
template <>
struct Enum<AlertAction::AlertVerb> : StrictEnum<AlertAction::AlertVerb, AlertAction::AlertVerb::Wake>
{
};
template <>
struct Enum<domain::AdviceCode>
    : LenientEnum<domain::AdviceCode, domain::kLastAdviceCode, domain::AdviceCode::Unknown>
{
};
template <>
struct Enum<domain::AdviceConfidence>
    : LenientEnum<domain::AdviceConfidence, domain::AdviceConfidence::Certain,
                  domain::AdviceConfidence::Possible>
{
};
template <>
struct Enum<domain::HolderVerdict>
    : LenientEnum<domain::HolderVerdict, domain::HolderVerdict::Dead, domain::HolderVerdict::Unknown>
{
};
template <>
struct Enum<domain::LivenessMethod> : StrictEnum<domain::LivenessMethod, domain::LivenessMethod::Process>
{
};
template <>
struct Enum<domain::HolderEvidence>
    : LenientEnum<domain::HolderEvidence, domain::kLastHolderEvidence, domain::HolderEvidence::Other>
{
};
template <>
struct Enum<domain::ContentionRanking>
    : StrictEnum<domain::ContentionRanking, domain::ContentionRanking::Statement>
{
};
template <> struct Enum<domain::Role> : LenientEnum<domain::Role, domain::Role::Admin, domain::Role::Viewer>
{
};
template <>
struct Enum<domain::Phase> : LenientEnum<domain::Phase, domain::Phase::Unknown, domain::Phase::Unknown>
{
};
template <>
struct Enum<domain::ExpiryKind>
    : LenientEnum<domain::ExpiryKind, domain::ExpiryKind::At, domain::ExpiryKind::Unknown>
{
};
template <>
struct Enum<domain::Evidence>
    : LenientEnum<domain::Evidence, domain::Evidence::Notification, domain::Evidence::None>
{
};
template <>
struct Enum<domain::ReleaseSafety>
    : LenientEnum<domain::ReleaseSafety, domain::ReleaseSafety::Unsafe, domain::ReleaseSafety::Off>
{
};
template <>
struct Enum<domain::ReleaseOff>
    : LenientEnum<domain::ReleaseOff, domain::ReleaseOff::Past, domain::ReleaseOff::Unsupported>
{
};
template <>
struct Enum<domain::NodeHolds>
    : LenientEnum<domain::NodeHolds, domain::NodeHolds::Unreadable, domain::NodeHolds::Unreachable>
{
};
template <>
struct Enum<domain::ProbeEnd>
    : LenientEnum<domain::ProbeEnd, domain::ProbeEnd::Behind, domain::ProbeEnd::Behind>
{
};
template <>
struct Enum<domain::Outcome> : LenientEnum<domain::Outcome, domain::kLastOutcome, domain::Outcome::Unknown>
{
};
template <>
struct Enum<domain::discovery::ReasonCode>
    : LenientEnum<domain::discovery::ReasonCode, domain::discovery::ReasonCode::ZnodeNumbered,
                  domain::discovery::ReasonCode::Other>
{
};
template <>
struct Enum<domain::discovery::Missing>
    : LenientEnum<domain::discovery::Missing, domain::discovery::Missing::KeyShape,
                  domain::discovery::Missing::Support>
{
};
template <>
struct Enum<domain::Severity>
    : LenientEnum<domain::Severity, domain::Severity::Danger, domain::Severity::Notice>
{
};

} // namespace lockkeeper::protocol
