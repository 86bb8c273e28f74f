// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/engine/change_rate.h"

#include <QByteArray>

#include <algorithm>
#include <limits>

namespace lockkeeper::agent::engine {

namespace {

constexpr quint64 kMost = std::numeric_limits<quint64>::max();
constexpr qsizetype kSafeDigits = 18; ///< always fit into 64 bits

/** A whole number's digits without leading zeros; nullopt: not a whole number. */
std::optional<QByteArrayView> digitsOf(QByteArrayView text)
{
    if (text.isEmpty() || !std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; }))
        return std::nullopt;
    while (text.size() > 1 && text.startsWith('0'))
        text = text.sliced(1);
    return text;
}

} // namespace

std::optional<quint64> increase(QByteArrayView before, QByteArrayView after)
{
    const auto low = digitsOf(before);
    const auto high = digitsOf(after);
    if (!low || !high)
        return std::nullopt;
    if (low->size() > high->size() || (low->size() == high->size() && *low >= *high))
        return 0;
    const QByteArray from = QByteArray(high->size() - low->size(), '0') + low->toByteArray();
    QByteArray rest = high->toByteArray();
    int borrow = 0;
    for (qsizetype i = rest.size() - 1; i >= 0; --i) {
        const int digit = rest.at(i) - from.at(i) - borrow;
        borrow = digit < 0 ? 1 : 0;
        rest[i] = char('0' + digit + 10 * borrow);
    }
    const QByteArrayView digits = *digitsOf(rest);
    return digits.size() > kSafeDigits ? kMost : digits.toByteArray().toULongLong();
}

void ChangeRate::moveTo(qint64 step)
{
    const qint64 passed = step - m_step;
    if (passed < 0 || passed >= kSteps) {
        m_counts.fill(0);
    } else {
        for (qint64 i = 1; i <= passed; ++i)
            m_counts[size_t((m_step + i) % kSteps)] = 0;
    }
    m_step = step;
}

void ChangeRate::read(QByteArrayView before, QByteArrayView after, qint64 timeUs)
{
    const qint64 sinceUs = timeUs - m_lastUs;
    const bool comparable = m_lastUs != 0 && sinceUs >= 0 && sinceUs < kStepUs * kSteps;
    moveTo(timeUs / kStepUs);
    m_lastUs = timeUs;
    const auto grown = increase(before, after);
    m_known = comparable && grown;
    if (!m_known)
        return;
    quint32 &count = m_counts[size_t(m_step % kSteps)];
    count = quint32(std::min<quint64>(quint64(count) + std::min<quint64>(*grown, kMost / 2),
                                      std::numeric_limits<quint32>::max()));
}

std::optional<quint32> ChangeRate::perMinute() const
{
    if (!m_known)
        return std::nullopt;
    quint64 sum = 0;
    for (const quint32 count : m_counts)
        sum += count;
    return quint32(std::min<quint64>(sum, std::numeric_limits<quint32>::max()));
}

} // namespace lockkeeper::agent::engine
