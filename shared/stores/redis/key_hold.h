// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

#include <limits>

namespace lockkeeper::stores::redis {

/**
 * Until when a key is there, as far as a stream of commands tells: surely, likely, and perhaps
 * (sure ≤ likely ≤ perhaps). Times by the server's clock. The likely one decides where nothing is sure. Pure.
 */
class KeyHold
{
public:
    static constexpr qint64 kForever = std::numeric_limits<qint64>::max();
    static constexpr qint64 kNever = std::numeric_limits<qint64>::min();
    /** The moment in a line of MONITOR and the one from which the server counts a lease differ by less. */
    static constexpr qint64 kSlackUs = 2'000;

    enum class Taken : quint8 {
        No = 0,      ///< the key was there: the attempt failed
        Yes,         ///< it wasn't
        ProbablyNo,  ///< as far as it is known …
        ProbablyYes, ///< … but it isn't sure
    };

    /** Nothing is known. */
    KeyHold() = default;
    /** Absent for certain. */
    static KeyHold absent() { return KeyHold(kNever, kNever, kNever); }
    /** As somebody saw it a while ago: there until `untilUs`. */
    static KeyHold seen(qint64 untilUs) { return KeyHold(kNever, untilUs, kForever); }

    bool isSurelyThere(qint64 atUs) const { return atUs < m_sure; }
    bool isSurelyAbsent(qint64 atUs) const { return atUs >= m_perhaps; }
    bool isLikelyThere(qint64 atUs) const { return atUs < m_likely; }

    /** An attempt that sets the key only where it is absent, for `ttlUs` (kForever: for good). */
    Taken tryTake(qint64 atUs, qint64 ttlUs);
    /** It is there from now on, whatever was before. */
    void put(qint64 atUs, qint64 ttlUs);
    /** Set only where it is there already. */
    void putIfThere(qint64 atUs, qint64 ttlUs);
    void remove() { *this = absent(); }
    /** Another lease, where the key is there. */
    void expireIn(qint64 atUs, qint64 ttlUs);
    /** Something happened to it that can't be followed. */
    void blur() { *this = KeyHold(kNever, m_likely, kForever); }

private:
    KeyHold(qint64 sure, qint64 likely, qint64 perhaps) : m_sure(sure), m_likely(likely), m_perhaps(perhaps)
    {
    }

    qint64 m_sure = kNever;
    qint64 m_likely = kNever;
    qint64 m_perhaps = kForever;
};

} // namespace lockkeeper::stores::redis
