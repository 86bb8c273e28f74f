// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

namespace lockkeeper::stores::redis {

/**
 * How far a node's clock is from this process's monotonic clock, from readings of it that lie between two of
 * ours. The published offset stays the same while readings don't contradict it, so that a deadline of the
 * node doesn't seem to move from one look to the next. Microseconds; pure.
 */
class NodeClock
{
public:
    /** The node's clock showed `beganUs` and then `endedUs`, both between `sentUs` and `receivedUs` of ours.
     */
    void read(qint64 beganUs, qint64 endedUs, qint64 sentUs, qint64 receivedUs);
    bool isKnown() const { return m_known; }
    /** The node's clock less ours … */
    qint64 offsetUs() const { return m_offsetUs; }
    /** … and by how much that may be wrong, either way. */
    qint64 uncertaintyUs() const { return m_uncertaintyUs; }

private:
    void publish();

    qint64 m_lowUs = 0; ///< the offset is in [low, high], as of m_readUs
    qint64 m_highUs = 0;
    qint64 m_readUs = 0;
    qint64 m_offsetUs = 0;
    qint64 m_uncertaintyUs = 0;
    bool m_known = false;
};

} // namespace lockkeeper::stores::redis
