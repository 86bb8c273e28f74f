// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/protocol/messages.h"

namespace lockkeeper::app::timeline {

/** What a lane stands for, whatever page it comes with. */
struct LaneId
{
    std::optional<domain::LockKey> key;
    QString source;
    QByteArray holder;

    bool operator==(const LaneId &) const = default;
};
LaneId idOf(const protocol::TimelineLane &lane);

/**
 * The operator's order over the agent's ranking: pinned lanes first, then those that were dragged where they
 * were put, then the rest as ranked. Lanes that a page doesn't have keep their place for the next one. Pure.
 */
class LaneOrder
{
public:
    bool isPinned(const LaneId &lane) const { return m_pinned.contains(lane); }
    const QList<LaneId> &pinned() const { return m_pinned; }
    void setPinned(const LaneId &lane, bool pinned);
    /** Puts the lane that is shown at `from` at `to`; `shown` is what arrange() gave, and the order from then
     * on. A lane doesn't leave the pinned ones, nor come among them. */
    void move(const QList<LaneId> &shown, qsizetype from, qsizetype to);
    /** Another kind of lanes: nothing of it is known. */
    void clear();

    /** Indices into `ranked` in the order to show. */
    QList<qsizetype> arrange(const QList<LaneId> &ranked) const;

private:
    QList<LaneId> m_pinned;
    QList<LaneId> m_moved; ///< the whole order once something was dragged
};

} // namespace lockkeeper::app::timeline
