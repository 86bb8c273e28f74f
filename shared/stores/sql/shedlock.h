// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/sql/time_columns.h"
#include "shared/stores/store.h"

namespace lockkeeper::stores::sql {

/** One row as the statement [row] reads it; nothing is kept of its bytes. A null `holder` is NULL. */
struct LockRow
{
    QByteArray name;
    RawTime expiresAt;
    RawTime acquiredAt;
    QByteArray holder;
};

/** What a ShedLock guard's identity holds: the holder's bytes and the text of the time of acquisition. */
struct ShedlockIdentity
{
    QByteArray holder;
    QByteArray acquiredAt;

    /** The holder's length in four bytes, most significant first; the holder; the time's text. */
    QByteArray encoded() const;
    /** Empty where `bytes` weren't made by encoded(). */
    static std::optional<ShedlockIdentity> decoded(const QByteArray &bytes);
    bool operator==(const ShedlockIdentity &) const = default;
};

/**
 * ShedLock's protocol: a row is held while `lock_until` is ahead of the store's clock, and stays when it is
 * free. Pure; one instance reads the rows of one table in one thread.
 */
class ShedlockReader
{
public:
    ShedlockReader(const Table &table, const QTimeZone &zone);

    /** The observation of `row` at `nowUs`, the store's clock in the statement that read it. */
    Observation observation(quint16 set, const LockRow &row, qint64 nowUs) const;
    /** The same over an observation that nobody needs any more: its buffers are written again. */
    void observe(Observation &lock, quint16 set, const LockRow &row, qint64 nowUs) const;

    /**
     * Up to when the row counts as held: the deadline, the later one in the hour that repeats. Far in the
     * future for a time past year 9000, 0 for other nonsense: ShedLock's clients would take such a row.
     */
    qint64 heldUntilUs(const RawTime &expiresAt) const;

    const TimeColumn &expiresAt() const { return m_expiresAt; }
    const TimeColumn &acquiredAt() const { return m_acquiredAt; }

private:
    /** Everything, of a row without long values. */
    void observeWhole(Observation &lock, quint16 set, const LockRow &row, qint64 nowUs) const;

    TimeColumn m_expiresAt;
    TimeColumn m_acquiredAt;
    bool m_fine; ///< acquisitions are dated in milliseconds or finer
};

} // namespace lockkeeper::stores::sql
