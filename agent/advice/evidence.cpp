// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/advice/evidence.h"

#include <algorithm>
#include <array>
#include <limits>

namespace lockkeeper::agent::advice {

namespace {

constexpr qint64 kMinuteUs = 60'000'000;
constexpr int kWindowsPerLength = 10;
constexpr qsizetype kShortestToken = 8; ///< characters of a random token

/** Hexadecimal digits, also as a UUID, with letters and numbers among them: neither a word nor a number. */
bool looksRandom(QByteArrayView text)
{
    bool hasDigit = false;
    bool hasLetter = false;
    for (const char c : text) {
        const bool isDigit = c >= '0' && c <= '9';
        const bool isLetter = (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
        if (!isDigit && !isLetter && c != '-')
            return false;
        hasDigit = hasDigit || isDigit;
        hasLetter = hasLetter || isLetter;
    }
    return text.size() >= kShortestToken && hasDigit && hasLetter;
}

} // namespace

QByteArray identityOf(const EvidenceHold &hold)
{
    const QByteArray owner = hold.owner.value_or(QByteArray());
    qsizetype end = owner.size();
    while (end > 0 && !QByteArrayView("#:|/ ").contains(owner.at(end - 1)))
        --end;
    // `end` is behind the last separator
    return end > 1 && looksRandom(QByteArrayView(owner).sliced(end)) ? owner.first(end - 1) : owner;
}

WaitCover::WaitCover(const QList<EvidenceWait> &waits)
{
    qint64 untilUs = std::numeric_limits<qint64>::min();
    for (const EvidenceWait &wait : waits) {
        untilUs = std::max(untilUs, wait.toUs.value_or(std::numeric_limits<qint64>::max()));
        m_fromUs.append(wait.fromUs);
        m_untilUs.append(untilUs);
    }
}

bool WaitCover::covers(qint64 fromUs, qint64 toUs) const
{
    const auto after = std::lower_bound(m_fromUs.cbegin(), m_fromUs.cend(), fromUs);
    const qsizetype before = std::distance(m_fromUs.cbegin(), after);
    return before > 0 && m_untilUs.at(before - 1) >= toUs;
}

qsizetype firstEndingAfter(const QList<EvidenceHold> &holds, qint64 us)
{
    const auto found = std::partition_point(holds.cbegin(), holds.cend(), [us](const EvidenceHold &hold) {
        return hold.toUs && *hold.toUs <= us;
    });
    return std::distance(holds.cbegin(), found);
}

std::optional<qint64> exactLengthUs(const EvidenceHold &hold)
{
    const bool ended = hold.end == EvidenceEnd::Released || hold.end == EvidenceEnd::Expired;
    if (!ended || !hold.toUs || !hold.startSeen || !hold.isObserved)
        return std::nullopt;
    const qint64 lengthUs = *hold.toUs - hold.fromUs;
    if (lengthUs <= 0 || (hold.fromWindowUs + hold.toWindowUs) > lengthUs / kWindowsPerLength)
        return std::nullopt;
    return lengthUs;
}

qint64 percentileOf(const QList<qint64> &sorted, int percent)
{
    return sorted.at((sorted.size() * percent + 99) / 100 - 1);
}

qint64 roundedUpUs(qint64 us)
{
    if (us > kMinuteUs)
        return (us + kMinuteUs - 1) / kMinuteUs * kMinuteUs;
    constexpr std::array<qint64, 6> kTenths{10, 15, 20, 30, 40, 60};
    for (qint64 tenthUs = 100; tenthUs <= kMinuteUs; tenthUs *= 10) {
        for (const qint64 times : kTenths) {
            if (times * tenthUs >= us)
                return times * tenthUs;
        }
    }
    return us;
}

} // namespace lockkeeper::agent::advice
