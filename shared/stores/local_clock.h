// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/clock.h"

namespace lockkeeper::stores {

/**
 * For stores that report no time: their sources use the agent's clock as it stood when the connection was
 * made, without the steps it took since.
 */
class LocalClock
{
public:
    void start() { m_aheadUs = m_clock.wallUs() - m_clock.monotonicUs(); }
    qint64 nowUs() const { return m_clock.monotonicUs() + m_aheadUs; }

private:
    base::SystemClock m_clock;
    qint64 m_aheadUs = 0;
};

} // namespace lockkeeper::stores
