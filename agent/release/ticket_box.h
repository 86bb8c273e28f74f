// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/domain/guard.h"
#include "shared/domain/lock_state.h"

#include <QHash>

#include <deque>
#include <optional>

namespace lockkeeper::agent::release {

inline constexpr qint64 kReadingValidUs = 5'000'000; ///< how long a reading may be used for a release

/** One fresh reading of a lock. An operator sees it, and it guards the release. */
struct LockReading
{
    domain::Guard guard;
    domain::LockState state;
    quint16 set = 0;
    bool present = false;
    qint64 storeUs = 0;                           ///< time of the reading, by the store's clock
    qint64 monotonicUs = 0;                       ///< time of its arrival, by the agent's monotonic clock
    quint64 link = 0;                             ///< SourcePort::link() at that moment
    QHash<QByteArray, QByteArray> freeTexts = {}; ///< see `stores::Inspection`
};

/**
 * The readings of one session, each under an unguessable ticket. At most 256 (a bulk release's preview); the
 * oldest goes first. Within its time a ticket allows any number of attempts: the acquisition that it pins can
 * be released only once.
 */
class TicketBox
{
public:
    /** Keeps a reading and returns its ticket: 16 random bytes as hex. */
    QByteArray keep(LockReading reading);
    /** The reading of a known ticket, however old. */
    std::optional<LockReading> find(const QByteArray &ticket) const;
    qsizetype size() const { return m_readings.size(); }

private:
    QHash<QByteArray, LockReading> m_readings;
    std::deque<QByteArray> m_order;
};

} // namespace lockkeeper::agent::release
