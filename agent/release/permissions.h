// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/domain/grants.h"
#include "shared/protocol/messages.h"

#include <optional>

namespace lockkeeper::agent::release {

/** The messages that only an agent sends. */
using FromAgent =
    std::variant<protocol::LoginNeeded, protocol::Welcome, protocol::Subscribed, protocol::SnapshotPage,
                 protocol::EventBatch, protocol::StateBatch, protocol::EventPage, protocol::HoldPage,
                 protocol::AuditPage, protocol::Inspected, protocol::ReleaseResult, protocol::Done,
                 protocol::Status, protocol::ChainsPage, protocol::ContentionPage, protocol::TimelinePage,
                 protocol::WaitingPage, protocol::ProbeResult, protocol::DiscoverResult, protocol::Identified,
                 protocol::ApprovalsPage, protocol::ApprovalChanged, protocol::AlertsPage,
                 protocol::AlertChanged, protocol::AdvicePage, protocol::HolderChecksPage, protocol::Failed>;

/** `M` is one of the alternatives of the variant `Messages`. */
template <typename M, typename Messages>
concept OneOf = protocol::kIsOneOf<M, Messages>;

using domain::Permission;
using domain::Role;

/** The permission that a request needs; empty if the message isn't a client's request. */
std::optional<Permission> requiredPermission(const protocol::Message &message);

/** Returns an error unless `grants` allow the request on its source and lock. */
std::optional<base::Error> refusalOf(const protocol::Message &message, const domain::Grants &grants);

/** The id of a request, to answer it; 0 if the message has none. */
quint64 requestId(const protocol::Message &message);

} // namespace lockkeeper::agent::release
