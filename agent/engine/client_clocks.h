// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/engine/differ.h"

#include <algorithm>
#include <cstdlib>

namespace lockkeeper::agent::engine {

/**
 * The proven error of the clocks of applications that write their own times. An acquisition between two
 * sightings that dates itself outside of them proves an error of at least that much. A date between them
 * proves nothing, so the result is never too large.
 */
class ClientClocks
{
public:
    /** `columnUs` is the time that an application wrote for an acquisition in [sinceUs, untilUs]. */
    void note(qint64 columnUs, qint64 sinceUs, qint64 untilUs)
    {
        if (sinceUs <= 0)
            return;
        const qint64 aheadUs = std::max<qint64>(0, columnUs - untilUs);
        const qint64 behindUs = std::min<qint64>(0, columnUs + kCoarsestUs - sinceUs);
        const qint64 offUs = aheadUs > 0 ? aheadUs : behindUs;
        if (std::abs(offUs) > std::abs(m_offUs))
            m_offUs = offUs;
    }
    /** The largest proven error, client − store; 0: none. */
    qint64 offUs() const { return m_offUs; }
    void forget() { m_offUs = 0; }

private:
    static constexpr qint64 kCoarsestUs = 1'000'000; ///< a column of whole seconds cuts off up to this much

    qint64 m_offUs = 0;
};

} // namespace lockkeeper::agent::engine
