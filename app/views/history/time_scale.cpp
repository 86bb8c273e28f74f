// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/history/time_scale.h"

#include <algorithm>

namespace lockkeeper::app::views {

int TimeScale::yOf(qint64 timeUs) const
{
    if (!isValid())
        return 0;
    const double share = double(newestUs - timeUs) / double(newestUs - oldestUs);
    return int(std::clamp(share * height, 0.0, double(height - 1)));
}

qint64 TimeScale::timeOf(int y) const
{
    if (!isValid())
        return newestUs;
    const double share = (std::clamp(y, 0, height - 1) + 0.5) / height;
    return newestUs - qint64(share * double(newestUs - oldestUs));
}

QList<int> TimeScale::density(const QList<qint64> &times, int step) const
{
    if (!isValid() || step < 1)
        return {};
    QList<int> counts((height + step - 1) / step, 0);
    for (const qint64 time : times) {
        if (time >= oldestUs && time <= newestUs)
            ++counts[yOf(time) / step];
    }
    return counts;
}

} // namespace lockkeeper::app::views
