// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/protocol/messages.h"

namespace lockkeeper::app::timeline {

/** Identifies a lane, independent of the page. */
struct LaneId
{
    std::optional<domain::LockKey> key;
    QString source;
    QByteArray holder;

    bool operator==(const LaneId &) const = default;
};
LaneId idOf(const protocol::TimelineLane &lane);

/**
 * The operator's order, applied to the agent's ranking: pinned lanes first, then dragged lanes where the
 * operator put them, then the others as ranked. Lanes that a page lacks keep their place for the next page.
 * Pure.
 */
class LaneOrder
{
public:
    bool isPinned(const LaneId &lane) const { return m_pinned.contains(lane); }
    const QList<LaneId> &pinned() const { return m_pinned; }
    void setPinned(const LaneId &lane, bool pinned);
    /**
     * Moves the lane shown at `from` to `to`; `shown` is the result of arrange(), and the order from then on.
     * A lane can't move into or out of the pinned lanes.
     */
    void move(const QList<LaneId> &shown, qsizetype from, qsizetype to);
    /** Resets the order, for another kind of lanes. */
    void clear();

    /** Indices into `ranked` in display order. */
    QList<qsizetype> arrange(const QList<LaneId> &ranked) const;

private:
    QList<LaneId> m_pinned;
    QList<LaneId> m_moved; ///< the whole order, once a lane was dragged
};

} // namespace lockkeeper::app::timeline
