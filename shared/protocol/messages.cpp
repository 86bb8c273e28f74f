// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/protocol/messages.h"

#include <utility>

namespace lockkeeper::protocol {

Message::Message() = default;

template <typename M>
    requires kIsOneOf<M, AnyMessage>
Message::Message(M message) : AnyMessage(std::in_place_type<M>, std::move(message))
{
}

Message::Message(const Message &other) = default;
Message::Message(Message &&other) noexcept = default;
Message &Message::operator=(const Message &other) = default;
Message &Message::operator=(Message &&other) noexcept = default;
Message::~Message() = default;

bool Message::operator==(const Message &other) const
{
    return static_cast<const AnyMessage &>(*this) == static_cast<const AnyMessage &>(other);
}

template Message::Message(Hello);
template Message::Message(Welcome);
template Message::Message(Goodbye);
template Message::Message(Ping);
template Message::Message(Pong);
template Message::Message(Subscribe);
template Message::Message(Subscribed);
template Message::Message(SnapshotPage);
template Message::Message(EventBatch);
template Message::Message(StateBatch);
template Message::Message(LocksQuery);
template Message::Message(HistoryQuery);
template Message::Message(EventPage);
template Message::Message(HoldsQuery);
template Message::Message(HoldPage);
template Message::Message(AuditQuery);
template Message::Message(AuditPage);
template Message::Message(Inspect);
template Message::Message(Inspected);
template Message::Message(ForceRelease);
template Message::Message(ReleaseResult);
template Message::Message(ReadNow);
template Message::Message(Done);
template Message::Message(StatusQuery);
template Message::Message(Status);
template Message::Message(Cancel);
template Message::Message(Failed);
template Message::Message(ChainsQuery);
template Message::Message(ChainsPage);
template Message::Message(ContentionQuery);
template Message::Message(ContentionPage);
template Message::Message(WaitingQuery);
template Message::Message(WaitingPage);
template Message::Message(ProbeRequest);
template Message::Message(ProbeResult);
template Message::Message(TimelineQuery);
template Message::Message(TimelinePage);
template Message::Message(LoginNeeded);
template Message::Message(Login);
template Message::Message(WhoAmI);
template Message::Message(Identified);
template Message::Message(ApprovalsQuery);
template Message::Message(ApprovalsPage);
template Message::Message(Decision);
template Message::Message(ApprovalChanged);
template Message::Message(DiscoverRequest);
template Message::Message(DiscoverResult);

} // namespace lockkeeper::protocol
