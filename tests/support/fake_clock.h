// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/clock.h"

namespace lockkeeper::tests {

/** A clock that moves only when a test says so. */
class FakeClock final : public base::Clock
{
public:
    explicit FakeClock(qint64 wallUs = 1'795'000'000'000'000) : m_wallUs(wallUs) {}
    qint64 monotonicUs() const override { return m_monotonicUs; }
    qint64 wallUs() const override { return m_wallUs; }
    void advanceUs(qint64 us)
    {
        m_monotonicUs += us;
        m_wallUs += us;
    }
    /** Sets the wall clock alone, as an administrator or NTP would. */
    void setWallUs(qint64 us) { m_wallUs = us; }

private:
    qint64 m_monotonicUs = 1'000'000;
    qint64 m_wallUs;
};

} // namespace lockkeeper::tests
