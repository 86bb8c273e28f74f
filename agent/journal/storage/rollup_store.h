// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/journal/storage/sqlite_connection.h"

#include <QMap>

#include <array>
#include <limits>

namespace lockkeeper::agent::journal {

inline constexpr qint64 kMinuteUs = 60'000'000;
inline constexpr qint64 kHourUs = 60 * kMinuteUs;
inline constexpr qint64 kDayUs = 24 * kHourUs;

/** The greatest multiple of `lengthUs` up to the moment; before 1970 too. */
constexpr qint64 floorTo(qint64 timeUs, qint64 lengthUs)
{
    const qint64 rest = timeUs % lengthUs;
    return timeUs - (rest < 0 ? rest + lengthUs : rest);
}

/** The least multiple of `lengthUs` from the moment on. */
constexpr qint64 ceilTo(qint64 timeUs, qint64 lengthUs)
{
    const qint64 floor = floorTo(timeUs, lengthUs);
    return floor == timeUs ? floor : floor + lengthUs;
}

/**
 * Adds up ended holds and waits by hour and by day for each lock and each source, and events by minute. It
 * follows the writer in small steps up to a watermark by the stores' clocks. Holds and waits that end behind
 * the watermark are in no sum yet. If one ends before the watermark later, because the clock of its store is
 * behind another, it is added within the transaction that ends it. So each hold is in the sums once, or in
 * none and behind the watermark, whenever the agent is killed. A journal of an older version starts without a
 * watermark.
 */
class RollupStore
{
public:
    static constexpr qint64 kNever = std::numeric_limits<qint64>::min();

    explicit RollupStore(SqliteConnection &connection) : m_connection(connection) {}

    /** Reads how far the sums reach; called after a rollback too. */
    bool reload();
    /** Called within the transaction that closes the row. */
    bool holdEnded(qint64 holdId, qint64 toUs)
    {
        return toUs >= m_untilUs || addRow("rollup_hold", holdId, false);
    }
    bool waitEnded(qint64 waitId, qint64 toUs)
    {
        return toUs >= m_untilUs || addRow("rollup_wait", waitId, true);
    }
    /** Called last in that transaction. */
    bool write();

    /** Starts to add everything that has ended by `nowUs`, the agent's wall clock; continues until isDone().
     */
    void start(qint64 nowUs);
    bool isDone() const { return m_spansDone && m_eventsDone; }
    /** Runs one step, in transactions that it begins and ends itself. */
    bool step();

    qint64 untilUs() const { return m_untilUs; }
    qint64 eventSeq() const { return m_seq; }

private:
    /** The columns of rollup_hours from `holds` on. */
    enum RollupColumn : quint8 { Holds, Held, Waits, Waited, Forced, Expired, Takeovers, Columns };
    struct Sum
    {
        std::array<qint64, Columns> values{};
        std::array<qint64, 2> first{}; ///< hold, wait; 0: none
        std::array<qint64, 2> last{};
    };
    using Sums = QMap<std::pair<qint64, qint64>, Sum>; ///< by time and lock

    bool addRow(const char *statement, qint64 id, bool ofWait);
    bool addRows(const char *statement, qint64 untilUs, bool ofWait);
    bool add(const SqliteStatement &row, bool ofWait);
    static void addEnd(Sum &sum, qint64 id, bool ofWait, int end);
    bool writeSums(const char *unit, Sums &sums);
    bool rollSpans();
    bool rollEvents();
    bool inTransaction(bool (RollupStore::*work)());

    SqliteConnection &m_connection;
    qint64 m_untilUs = kNever;
    qint64 m_seq = 0;
    qint64 m_targetUs = kNever;
    bool m_spansDone = true;
    bool m_eventsDone = true;
    Sums m_hours;
    Sums m_days;
};

} // namespace lockkeeper::agent::journal
