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

#define LOCKKEEPER_CONSTRUCTOR(message, number) template Message::Message(message);
LOCKKEEPER_MESSAGES(LOCKKEEPER_CONSTRUCTOR)
#undef LOCKKEEPER_CONSTRUCTOR

} // namespace lockkeeper::protocol
