// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArrayView>

#include <array>
#include <optional>

namespace lockkeeper::agent::engine {

/**
 * By how much a version has grown from `before` to `after`: whole numbers as text, of any length. 0 where it
 * hasn't grown (a decrease is a reset, not an increment); empty where one of them isn't such a number.
 */
std::optional<quint64> increase(QByteArrayView before, QByteArrayView after);

/**
 * Increments of a version over a sliding minute, in steps of five seconds. Only what two readings within one
 * minute of each other show is counted: what happened in a longer silence has no date. Times are by the
 * store's clock, microseconds.
 */
class ChangeRate
{
public:
    /** A reading; `before` is the version at the last one. */
    void read(QByteArrayView before, QByteArrayView after, qint64 timeUs);
    /** Increments in the last minute; empty until there were two readings that can be compared. */
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
