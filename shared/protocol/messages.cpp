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

/** Names are in hexadecimal, so that no name can contain the end of its line. */
QByteArray OnBehalf::text(const QString &agent, const QString &hub) const
{
    return "lockkeeper-on-behalf-1\nagent " + agent.toUtf8().toHex() + "\nhub " + hub.toUtf8().toHex() +
           "\nuser " + user.toUtf8().toHex() + "\nway " + way.toUtf8().toHex() + "\nissued_us " +
           QByteArray::number(issuedUs) + '\n';
}

#define LOCKKEEPER_CONSTRUCTOR(message, number) template Message::Message(message);
LOCKKEEPER_MESSAGES(LOCKKEEPER_CONSTRUCTOR)
#undef LOCKKEEPER_CONSTRUCTOR

} // namespace lockkeeper::protocol
