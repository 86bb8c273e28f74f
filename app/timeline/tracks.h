// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QList>

namespace lockkeeper::app::timeline {

/** A bar that occupies a sub-lane while it lasts. */
struct TrackItem
{
    qint64 id = 0; ///< stays the same from page to page
    qint64 fromUs = 0;
    qint64 toUs = 0; ///< exclusive; for an open bar, as far as it is shown
};

/**
 * Puts overlapping bars on sub-lanes below each other. A bar stays on its sub-lane of the last page, so that
 * nothing jumps. Pure.
 */
class Tracks
{
public:
    static constexpr int kMost = 5;

    /** For each of `items`, ordered by beginning: its sub-lane, or −1 if kMost are taken. */
    QList<int> assign(const QList<TrackItem> &items);

private:
    QHash<qint64, int> m_kept;
};

} // namespace lockkeeper::app::timeline
