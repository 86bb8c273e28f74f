// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/release/ticket_box.h"

#include "shared/base/random_id.h"

namespace lockkeeper::agent::release {

namespace {
constexpr qsizetype kMaxTickets = 256;
} // namespace

QByteArray TicketBox::keep(LockReading reading)
{
    const QByteArray ticket = base::randomId();
    while (m_readings.size() >= kMaxTickets) {
        m_readings.remove(m_order.front());
        m_order.pop_front();
    }
    m_readings.emplace(ticket, std::move(reading));
    m_order.push_back(ticket);
    return ticket;
}

std::optional<LockReading> TicketBox::find(const QByteArray &ticket) const
{
    const auto it = m_readings.constFind(ticket);
    if (it == m_readings.cend())
        return std::nullopt;
    return *it;
}

} // namespace lockkeeper::agent::release
