// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/sql/catalogue/time_columns.h"
#include "shared/stores/sql/tables/row_identity.h"
#include "shared/stores/sql/tables/row_layout.h"
#include "shared/stores/store.h"

#include <array>

namespace lockkeeper::stores::sql {

/** One row of a mapped table as it was read. Values are null for NULL and for what isn't mapped. */
struct MappedRow
{
    QByteArray name;
    std::array<QByteArray, kRowKeys> values; ///< the columns that are no times, by RowKey
    std::array<RawTime, kRowKeys> times;     ///< the others

    /** Copies the values that only point at a row's bytes. */
    void keep();

    const QByteArray &value(RowKey key) const { return values[size_t(key)]; }
    const RawTime &time(RowKey key) const { return times[size_t(key)]; }
};

/** The protocols that tables follow. */
enum class Protocol : quint8 { Insert = 0, Lease, Reentrant, Version, ShedLock };

/** The protocol of "sql.insert" and so on; empty for another scheme. */
std::optional<Protocol> protocolOf(QByteArrayView scheme);

/**
 * Interprets the rows of one table by its protocol (schemes.md). Pure; one instance for one table, in one
 * thread. Held rows past their deadline stay held, with a deadline in the past. An invalid time is Unknown
 * and never expired. A status that is neither the held nor the free value is Malformed: the row is neither
 * held nor free. A free row has the identity of its last acquisition if it still shows it, and none if the
 * client's release wiped it out. Where the application's own clocks wrote the times, a deadline counts as
 * passed only after another kClientSkewUs, and no beginning is read from a column.
 *
 * ShedLock's rows are held while `lock_until` is ahead of the store's clock. They stay when they are free,
 * with the identity of the last acquisition and with the deadline, which the client's release has set to that
 * moment.
 */
class RowRules
{
public:
    static constexpr qint64 kClientSkewUs = 300'000'000;

    RowRules(const ResolvedTable &table, const SourceSpec &spec, const LockSet &set, Protocol protocol);

    /** Everything but Observation::set; `nowUs` is the store's clock in the statement that read the row. */
    Observation observation(const MappedRow &row, qint64 nowUs) const;
    /** The same into a processed observation, whose buffers are reused. */
    void observe(Observation &lock, const MappedRow &row, qint64 nowUs) const;

    /**
     * The time until which a ShedLock row counts as held: the deadline, the later one in the hour that
     * repeats. Far in the future for a time past year 9000. 0 for other invalid times: ShedLock's clients
     * would take such a row.
     */
    qint64 heldUntilUs(const MappedRow &row) const;
    /** The values of every column of the guard as read, for the write that follows. */
    QList<SeenValue> seenValues(const MappedRow &row) const;
    /** The time column of a key, which has to be mapped. */
    const TimeColumn &time(QByteArrayView key) const;
    Protocol protocol() const { return m_protocol; }
    /**
     * The text that the table's clients leave in a column of a free row (ColumnWrite::AsFree): null for NULL.
     * It is the text of the free rows that were seen. Without any, it is NULL where a holder's column allows
     * that.
     */
    QByteArray freeText(RowKey key) const;
    /** True where the guard always includes its freshness: the scheme's break names it (sql.reentrant). */
    bool alwaysFresh() const { return m_protocol == Protocol::Reentrant; }

private:
    struct RowDeadline
    {
        domain::ExpiryKind kind = domain::ExpiryKind::None;
        TimeSpan span;
        bool nonsense = false;
    };

    /** A column of the guard. */
    struct GuardColumn
    {
        RowKey key = RowKey::Id;
        QByteArray name;
        bool isTime = false;
        bool identifies = false;
        bool freshens = false;
        bool ascends = false;     ///< the server counts it up: no two rows ever have the same
        bool freesByNull = false; ///< a client's release writes NULL: a row with NULL is free
        bool nullable = false;
    };

    /** Fills in everything, for a row without long values. */
    void observeWhole(Observation &lock, const MappedRow &row, qint64 nowUs) const;
    bool hasLong(const MappedRow &row) const;
    bool has(RowKey key) const { return m_has[size_t(key)]; }
    const TimeColumn &timeOf(RowKey key) const { return *m_times[size_t(key)]; }
    enum class RowStanding : quint8 { Free = 0, Held, Unknown };

    RowStanding standing(const MappedRow &row, qint64 nowUs) const;
    RowStanding statusSays(const MappedRow &row) const;
    bool leaseIsFree(const MappedRow &row, qint64 nowUs) const;
    /** Remembers the values of a free row for freeText(). */
    void noteFree(const MappedRow &row) const;
    /** True for a free row in which nothing of its last acquisition is left. */
    bool namesNobody(const MappedRow &row) const;
    RowDeadline deadline(const MappedRow &row) const;
    RowDeadline deadlineOf(const MappedRow &row, RowKey key, qint64 afterUs) const;
    /** Microseconds; empty for NULL; negative for nonsense. */
    std::optional<qint64> timeoutUs(const MappedRow &row) const;
    void setOwner(Observation &lock, const MappedRow &row) const;
    void setGuard(Observation &lock, const MappedRow &row, QByteArray identity, QByteArray freshness) const;
    void setTimes(Observation &lock, const MappedRow &row) const;
    bool isIdentity(RowKey key) const;
    /** True where no column that must identify the acquisition is NULL. */
    bool tellsIdentity(const MappedRow &row) const;
    SeenValue seen(const MappedRow &row, const GuardColumn &column) const;
    /** Sets the facts that distinguish this acquisition from the holder's next one. */
    void setUniqueness(Observation &lock, const MappedRow &row) const;
    /** Appends seen() to `out`, encoded as by encodedValues(); true where the value isn't empty. */
    bool appendSeen(QByteArray &out, const MappedRow &row, const GuardColumn &column) const;

    Protocol m_protocol;
    std::optional<qint64> m_leaseUs;
    qint64 m_graceUs;
    bool m_clientClock;
    QByteArray m_heldValue;
    bool m_otherIsHeld;     ///< every status but the free one means held
    QByteArray m_freeValue; ///< null: NULL is free
    qint64 m_timeoutUnitUs = 1;
    bool m_mayBeLong = false; ///< a column's texts may have more than kLongestValue bytes
    std::array<bool, kRowKeys> m_has{};
    std::array<std::optional<TimeColumn>, kRowKeys> m_times;
    QList<GuardColumn> m_columns;                     ///< every column of the mapping, in its order
    mutable std::array<bool, kRowKeys> m_freeNull{};  ///< a free row was seen with NULL there …
    mutable std::array<bool, kRowKeys> m_freeEmpty{}; ///< … with an empty text
};

} // namespace lockkeeper::stores::sql
