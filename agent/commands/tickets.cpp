// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/commands/tickets.h"

#include <QRandomGenerator>

#include <array>

namespace lockkeeper::agent::commands {

namespace {
constexpr qsizetype kMaxTickets = 256;
} // namespace

QByteArray TicketBox::keep(Reading reading)
{
    std::array<quint32, 4> words{};
    QRandomGenerator::system()->fillRange(words.data(), qsizetype(words.size()));
    const QByteArray ticket =
        QByteArray(reinterpret_cast<const char *>(words.data()), qsizetype(sizeof words)).toHex();
    while (m_readings.size() >= kMaxTickets) {
        m_readings.remove(m_order.front());
        m_order.pop_front();
    }
    m_readings.emplace(ticket, std::move(reading));
    m_order.push_back(ticket);
    return ticket;
}

std::optional<Reading> TicketBox::find(const QByteArray &ticket) const
{
    const auto it = m_readings.constFind(ticket);
    if (it == m_readings.cend())
        return std::nullopt;
    return *it;
}

} // namespace lockkeeper::agent::commands
