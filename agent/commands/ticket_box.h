// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/domain/guard.h"
#include "shared/domain/lock_state.h"

#include <QHash>

#include <deque>
#include <optional>

namespace lockkeeper::agent::commands {

inline constexpr qint64 kReadingValidUs = 5'000'000; ///< a reading, for a release

/** One fresh reading of a lock: what an operator saw and what a release will be guarded with. */
struct Reading
{
    domain::Guard guard;
    domain::LockState state;
    quint16 set = 0;
    bool present = false;
    qint64 storeUs = 0;                           ///< when it was made, by the store's clock
    qint64 monotonicUs = 0;                       ///< when it came in, by the agent's monotonic clock
    quint64 link = 0;                             ///< SourcePort::link() at that moment
    QHash<QByteArray, QByteArray> freeTexts = {}; ///< as of stores::Inspection
};

/**
 * The readings of one session, each under an unguessable ticket. At most 256 (a bulk release's preview); the
 * oldest goes first. A ticket is good for any number of attempts within its time: what it pins can be
 * released only once.
 */
class TicketBox
{
public:
    /** Keeps a reading and gives its ticket: 16 random bytes as hex. */
    QByteArray keep(Reading reading);
    /** The reading, where the ticket is known, however old it is. */
    std::optional<Reading> find(const QByteArray &ticket) const;
    qsizetype size() const { return m_readings.size(); }

private:
    QHash<QByteArray, Reading> m_readings;
    std::deque<QByteArray> m_order;
};

} // namespace lockkeeper::agent::commands
