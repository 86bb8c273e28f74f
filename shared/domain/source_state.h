// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/error.h"
#include "shared/domain/finding.h"
#include "shared/domain/lock_state.h"

#include <QList>

#include <algorithm>

namespace lockkeeper::domain {

/** Whether a source is being observed. */
enum class Link : quint8 {
    Connecting = 0,
    Up,
    Down,    ///< `error` gives the reason; the agent tries again at `retryWallUs`
    Standby, ///< this agent is standby, and `error` names the agent that observes the source
};

/** How the agent learns of changes. */
enum class ObservationMode : quint8 { Poll = 0, Push };

/** One thing that the agent may or may not do at a source. */
struct Access
{
    QByteArray need; ///< stable code: "observe:shedlock", "break:shedlock", "scan", …
    bool granted = false;
    bool forBreaking = false; ///< needed to force-release, not to observe
    QString remedy;           ///< statement or ACL rule that grants it, if missing

    bool operator==(const Access &) const = default;
};

/** The number of a source's locks in each phase; stuck locks are also counted separately. */
struct Counts
{
    qint64 total = 0;
    qint64 held = 0;
    qint64 free = 0;
    qint64 expired = 0;
    qint64 stuck = 0;
    qint64 contended = 0;

    /** For a source that the user sees only in part: the visible locks haven't been counted. */
    static Counts untold() { return {-1, -1, -1, -1, -1, -1}; }
    bool areTold() const { return total >= 0; }
    bool operator==(const Counts &) const = default;
};

/** The health of one source. Times with "wall" are by the agent's clock, others by the store's. */
struct SourceState
{
    QString name;
    QByteArray store; ///< "redis", "mysql"
    QString address;  ///< without credentials
    Link link = Link::Connecting;
    qint64 sinceWallUs = 0; ///< when this link state began
    TimeUs lastSeenUs;      ///< last whole observation, the store's clock
    TimeUs lastSeenWallUs;  ///< the same moment by the agent's clock
    TimeUs gapSinceUs;      ///< set while a gap is open: the last observation before it
    TimeUs retryWallUs;     ///< next attempt, while Down
    ObservationMode mode = ObservationMode::Poll;
    qint64 pollMs = 0;        ///< configured interval
    qint64 passUs = 0;        ///< duration of the last whole scan
    qint64 clockOffsetUs = 0; ///< store − agent
    qint64 clockUncertaintyUs = 0;
    QString server;      ///< product and version
    QByteArray instance; ///< run id or server uuid and start time
    Counts counts;
    QList<QByteArray> schemes;
    QList<Access> access;
    QList<Finding> findings; ///< conditions that endanger locks in this store
    base::Error error;       ///< the reason while Down, or a warning while Up (code not Unknown)

    /**
     * How long a source may go without a whole observation before its locks count as unknown: 5 s, or two
     * polls and the scan, if that is longer. Microseconds.
     */
    qint64 patienceUs() const { return std::max<qint64>(5'000'000, 2 * pollMs * 1000 + passUs); }
    bool operator==(const SourceState &) const = default;
};

QByteArrayView linkName(Link link);

} // namespace lockkeeper::domain
