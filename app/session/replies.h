// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/result.h"
#include "shared/protocol/messages.h"

#include <functional>
#include <utility>

namespace lockkeeper::app::session {

/** The message that answers a request. Only declarations: Reply reads them. */
protocol::EventPage replyTo(const protocol::HistoryQuery &);
protocol::HoldPage replyTo(const protocol::HoldsQuery &);
protocol::AuditPage replyTo(const protocol::AuditQuery &);
protocol::Inspected replyTo(const protocol::Inspect &);
protocol::Status replyTo(const protocol::StatusQuery &);
protocol::ChainsPage replyTo(const protocol::ChainsQuery &);
protocol::ContentionPage replyTo(const protocol::ContentionQuery &);
protocol::TimelinePage replyTo(const protocol::TimelineQuery &);
protocol::WaitingPage replyTo(const protocol::WaitingQuery &);
protocol::SnapshotPage replyTo(const protocol::LocksQuery &);
protocol::ProbeResult replyTo(const protocol::ProbeRequest &);
protocol::DiscoverResult replyTo(const protocol::DiscoverRequest &);
protocol::Done replyTo(const protocol::ReadNow &);
protocol::ReleaseResult replyTo(const protocol::ForceRelease &);
protocol::ApprovalsPage replyTo(const protocol::ApprovalsQuery &);
protocol::ReleaseResult replyTo(const protocol::Decision &);
protocol::AlertsPage replyTo(const protocol::AlertsQuery &);
protocol::Done replyTo(const protocol::AlertAction &);
protocol::Done replyTo(const protocol::ReceiverTest &);
protocol::AdvicePage replyTo(const protocol::AdviceQuery &);
protocol::HolderChecksPage replyTo(const protocol::HolderChecksQuery &);

template <typename Request> using Reply = decltype(replyTo(std::declval<Request>()));

/** Receives the result of a question: an Error if it failed, was cancelled, or the link broke. */
template <typename T> using Answer = std::function<void(base::Result<T>)>;

} // namespace lockkeeper::app::session
