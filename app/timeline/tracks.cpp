// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/timeline/tracks.h"

#include <algorithm>
#include <array>
#include <map>

namespace lockkeeper::app::timeline {

namespace {

/** The occupied times of one sub-lane, by their beginning. */
class Track
{
public:
    bool take(const TrackItem &item)
    {
        const auto after = m_taken.lower_bound(item.fromUs);
        if (after != m_taken.end() && after->first < std::max(item.toUs, item.fromUs + 1))
            return false;
        if (after != m_taken.begin() && std::prev(after)->second > item.fromUs)
            return false;
        m_taken.emplace(item.fromUs, std::max(item.toUs, item.fromUs + 1));
        return true;
    }

private:
    std::map<qint64, qint64> m_taken;
};

} // namespace

QList<int> Tracks::assign(const QList<TrackItem> &items)
{
    std::array<Track, kMost> tracks;
    QList<int> result(items.size(), -1);
    for (qsizetype i = 0; i < items.size(); ++i) {
        const int kept = m_kept.value(items.at(i).id, -1);
        if (kept >= 0 && tracks.at(size_t(kept)).take(items.at(i)))
            result[i] = kept;
    }
    QHash<qint64, int> now;
    for (qsizetype i = 0; i < items.size(); ++i) {
        for (int track = 0; track < kMost && result.at(i) < 0; ++track) {
            if (tracks.at(size_t(track)).take(items.at(i)))
                result[i] = track;
        }
        if (result.at(i) >= 0)
            now.insert(items.at(i).id, result.at(i));
    }
    m_kept = now;
    return result;
}

} // namespace lockkeeper::app::timeline
