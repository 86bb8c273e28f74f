// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QList>

namespace lockkeeper::app::timeline {

/** One bar that needs a sub-lane of its own while it lasts. */
struct TrackItem
{
    qint64 id = 0; ///< stays the same from page to page
    qint64 fromUs = 0;
    qint64 toUs = 0; ///< exclusive; of an open one as far as is shown
};

/**
 * Puts bars that overlap on sub-lanes below each other. A bar stays on the sub-lane that it had on the last
 * page, so that nothing jumps while one looks at it. Pure.
 */
class Tracks
{
public:
    static constexpr int kMost = 5;

    /** For each of `items`, by the beginning: its sub-lane, or −1 where kMost are taken. */
    QList<int> assign(const QList<TrackItem> &items);

private:
    QHash<qint64, int> m_kept;
};

} // namespace lockkeeper::app::timeline
