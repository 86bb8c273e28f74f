// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/overview/past_reader.h"

#include "shared/base/clock.h"

#include <memory>
#include <utility>

namespace lockkeeper::app::views {

using overview::kHours;

namespace {
constexpr int kAuditPage = 200; ///< entries; the audit contains probes, too
constexpr qint64 kDayUs = 24 * base::kHourUs;
} // namespace

PastReader::PastReader(session::AgentGroup &session, QObject *parent) : QObject(parent), m_session(session)
{
    connect(&session, &session::AgentGroup::agentChanged, this, &PastReader::clear);
}

void PastReader::clear()
{
    ++m_round;
    for (const quint64 id : std::exchange(m_requests, {}))
        m_session.cancel(id);
    m_costs = {};
    m_seen = {};
    m_breaks.reset();
    m_error = {};
    m_askedAtUs = 0;
    Q_EMIT changed();
}

void PastReader::took(quint64 id, const base::Error *error)
{
    m_requests.removeOne(id);
    if (error)
        m_error = *error;
    Q_EMIT changed();
}

void PastReader::ask(qint64 nowUs)
{
    ++m_round;
    for (const quint64 id : std::exchange(m_requests, {}))
        m_session.cancel(id);
    m_askedAtUs = nowUs;
    m_error = {};
    // The id of a request is known only after sending it.
    const auto ask = [this](const auto &send, auto &place) {
        const auto id = std::make_shared<quint64>(0);
        *id = send([this, id, round = m_round, &place](const auto &page) {
            if (round != m_round)
                return;
            if (page)
                place = *page;
            took(*id, page ? nullptr : &page.error());
        });
        m_requests.append(*id);
    };
    const auto hours = overview::hoursBefore(nowUs);
    for (std::size_t i = 0; i < kHours; ++i) {
        protocol::ContentionQuery costs;
        costs.fromUs = hours.at(i).fromUs;
        costs.toUs = hours.at(i).toUs;
        costs.limit = overview::kMostRanked;
        costs.sums = true;
        const int slices = i == 0 ? overview::kMinutes : 0;
        const protocol::WaitingQuery waiting{0, hours.at(i).fromUs, hours.at(i).toUs, slices};
        ask([&](const auto &answer) { return m_session.waiting(waiting, this, answer); }, m_seen.at(i));
        ask([&](const auto &answer) { return m_session.ask(costs, this, answer); }, m_costs.at(i));
    }
    protocol::AuditQuery audit;
    audit.limit = kAuditPage;
    const auto id = std::make_shared<quint64>(0);
    *id = m_session.audit(audit, this, [this, id, nowUs, round = m_round](const auto &page) {
        if (round != m_round)
            return;
        if (page)
            m_breaks = overview::breaksOf(*page, nowUs - kDayUs);
        took(*id, page ? nullptr : &page.error());
    });
    m_requests.append(*id);
    Q_EMIT changed();
}

std::optional<overview::Hour> PastReader::hour(std::size_t hour) const
{
    const auto &costs = m_costs.at(hour);
    const auto &seen = m_seen.at(hour);
    if (!costs || !seen)
        return std::nullopt;
    return overview::hourOf(*costs, *seen);
}

} // namespace lockkeeper::app::views
