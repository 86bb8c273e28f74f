// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/forward/forwarding.h"

#include <chrono>

namespace lockkeeper::agent::forward {

using namespace std::chrono_literals;

namespace {
constexpr auto kNoteEvery = 10s; ///< retention runs once a minute
constexpr int kEndMs = 2'000;
} // namespace

QList<journal::UnforwardedEvents> unforwardedAtStart(const QList<config::ForwardSettings> &forwards)
{
    QList<journal::UnforwardedEvents> unforwarded;
    for (const config::ForwardSettings &forward : forwards)
        unforwarded.append({0, forward.keepMib});
    return unforwarded;
}

Forwarding::Forwarding(ForwardingSender sender, SinkMaker makeSink, journal::Journal &journal,
                       const base::Clock &clock, QObject *parent)
    : QObject(parent),
      m_sender(std::move(sender)),
      m_makeSink(std::move(makeSink)),
      m_journal(journal),
      m_clock(clock)
{
    connect(&m_journal, &journal::Journal::committed, this, [this](const QList<events::LockEvent> &events) {
        for (const auto &[name, forwarder] : m_forwarders)
            forwarder->take(events);
    });
    connect(&m_noting, &QTimer::timeout, this, &Forwarding::noteUnforwarded);
    m_noting.start(kNoteEvery);
}

Forwarding::~Forwarding()
{
    const QDeadlineTimer deadline(kEndMs);
    for (const auto &[name, forwarder] : m_forwarders)
        forwarder->stop(deadline);
}

void Forwarding::apply(const QList<config::ForwardSettings> &forwards)
{
    std::map<QString, std::unique_ptr<Forwarder>> before;
    before.swap(m_forwarders);
    m_order.clear();
    for (const config::ForwardSettings &settings : forwards) {
        m_order.append(settings.name);
        const auto same = before.find(settings.name);
        if (same != before.end() && same->second->settings() == settings)
            m_forwarders.insert(before.extract(same));
    }
    for (const auto &[name, forwarder] : before)
        forwarder->stop(QDeadlineTimer(0));
    before.clear();
    for (const config::ForwardSettings &settings : forwards) {
        if (m_forwarders.count(settings.name) != 0)
            continue;
        auto forwarder =
            std::make_unique<Forwarder>(settings, m_sender, m_makeSink(settings), m_journal, m_clock);
        forwarder->start();
        m_forwarders[settings.name] = std::move(forwarder);
    }
    noteUnforwarded();
}

QList<ForwardState> Forwarding::states() const
{
    QList<ForwardState> states;
    for (const QString &name : m_order)
        states.append(m_forwarders.at(name)->state());
    return states;
}

void Forwarding::noteUnforwarded()
{
    QList<journal::UnforwardedEvents> unforwarded;
    for (const auto &[name, forwarder] : m_forwarders) {
        const auto watermark = forwarder->state().watermark;
        unforwarded.append({quint64(watermark ? watermark->lastSeq : 0), forwarder->settings().keepMib});
    }
    if (std::exchange(m_noted, unforwarded) != unforwarded)
        m_journal.setUnforwarded(unforwarded);
}

} // namespace lockkeeper::agent::forward
