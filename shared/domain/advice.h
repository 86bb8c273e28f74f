// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/domain/lock_key.h"

#include <QByteArray>
#include <QJsonObject>

#include <optional>

namespace lockkeeper::domain {

/** The subject of an advice. The names by adviceCodeName() are stable: scripts and documents use them. */
enum class AdviceCode : quint8 {
    Unknown = 0,       ///< from a newer agent
    LeaseTooShort,     ///< holds nearly last as long as the lease, or longer
    LeaseTooLong,      ///< a dead holder's lease made others wait
    RenewalTooLate,    ///< after one missed renewal the lease is over
    PollsTooSlowly,    ///< the lock stays free although a client waits for it
    PollsTooFast,      ///< many clients race for each hand-over: a herd
    UnusuallyLongHold, ///< several times as long as the lock's other holds
    NeverContended,    ///< only one holder, and nobody ever waited
    NoExpiry,          ///< if its holder dies, it stays held
    OppositeOrders,    ///< two locks are taken in both orders: a deadlock to come
    ClientClockOff,    ///< applications write times by a wrong clock
    ChainHeadStatement ///< one statement at the head of the waiting chains
};

inline constexpr AdviceCode kLastAdviceCode = AdviceCode::ChainHeadStatement;

/** How sure the evidence makes it. */
enum class AdviceConfidence : quint8 {
    Possible = 0, ///< the least evidence that counts
    Likely,
    Certain, ///< it has happened in the observed time
};

/**
 * One change that the evidence of a range of time recommends for a lock, a pair of locks or a source. Made
 * only by the agent. Times are by the source's clock, in microseconds since the epoch.
 */
struct Advice
{
    AdviceCode code = AdviceCode::Unknown;
    AdviceConfidence confidence = AdviceConfidence::Possible;
    LockKey lock;         ///< empty name: about the source
    LockKey other;        ///< OppositeOrders: the second lock; otherwise empty
    QByteArray holder;    ///< of an unusually long hold; empty: not known
    QByteArray statement; ///< at the head of the chains, as the server shows it; untrusted
    /** Whole numbers by stable keys, documented in PROTOCOL.md. The key's end names the unit: "_us" is
     * microseconds, "_permille" thousandths, anything else a count. */
    QJsonObject figures;
    std::optional<qint64> ttlUs; ///< the proposed length of the lease
    qint64 fromUs = 0;           ///< the evidence begins …
    qint64 toUs = 0;             ///< … and ends

    bool isOfLock() const { return !lock.name.isEmpty(); }
    bool operator==(const Advice &) const = default;
};

/** The stable names: "lease_too_short", "likely". */
QByteArrayView adviceCodeName(AdviceCode code);
QByteArrayView adviceConfidenceName(AdviceConfidence confidence);

} // namespace lockkeeper::domain
