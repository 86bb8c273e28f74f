// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/forward/forwarder.h"

#include <map>

namespace lockkeeper::agent::forward {

/** For retention, before the first answer of a hub: it may lack every event. */
QList<journal::UnforwardedEvents> unforwardedAtStart(const QList<config::ForwardSettings> &forwards);

/**
 * Forwards the journal to each configured hub, in one thread for each, so that a hub that hangs delays no
 * other. Reports to the journal what the hubs lack, which retention keeps for them. Lives in the journal's
 * thread. The destructor ends within 2 s.
 */
class Forwarding : public QObject
{
    Q_OBJECT

public:
    using SinkMaker = std::function<std::unique_ptr<hub::HubSink>(const config::ForwardSettings &)>;

    /** `journal` and `clock` must outlive this; the journal is open. */
    Forwarding(ForwardingSender sender, SinkMaker makeSink, journal::Journal &journal,
               const base::Clock &clock, QObject *parent = nullptr);
    ~Forwarding() override;

    /** Replaces the hubs. Unchanged ones go on. */
    void apply(const QList<config::ForwardSettings> &forwards);
    /** By their order in the configuration. */
    QList<ForwardState> states() const;

private:
    void noteUnforwarded();

    const ForwardingSender m_sender;
    const SinkMaker m_makeSink;
    journal::Journal &m_journal;
    const base::Clock &m_clock;
    QStringList m_order;
    std::map<QString, std::unique_ptr<Forwarder>> m_forwarders; ///< by name
    QList<journal::UnforwardedEvents> m_noted;
    QTimer m_noting;
};

} // namespace lockkeeper::agent::forward
