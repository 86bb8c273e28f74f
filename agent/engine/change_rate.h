// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArrayView>

#include <array>
#include <optional>

namespace lockkeeper::agent::engine {

/**
 * How much a version grew from `before` to `after`; both are whole numbers as text, of any length. 0 if it
 * hasn't grown (a decrease is a reset, not an increment). Empty if either isn't such a number.
 */
std::optional<quint64> increase(QByteArrayView before, QByteArrayView after);

/**
 * Increments of a version over a sliding minute, in steps of five seconds. Only increments between two
 * readings within one minute of each other count: after a longer silence they have no date. Times are by the
 * store's clock, in microseconds.
 */
class ChangeRate
{
public:
    /** Takes a reading; `before` is the version at the last reading. */
    void read(QByteArrayView before, QByteArrayView after, qint64 timeUs);
    /** Increments in the last minute; empty unless the last two readings were comparable. */
    std::optional<quint32> perMinute() const;

private:
    static constexpr qint64 kStepUs = 5'000'000;
    static constexpr qint64 kSteps = 12;

    void moveTo(qint64 step);

    std::array<quint32, size_t(kSteps)> m_counts{};
    qint64 m_step = 0;
    qint64 m_lastUs = 0; ///< 0: no reading yet
    bool m_known = false;
};

} // namespace lockkeeper::agent::engine
