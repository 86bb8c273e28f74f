// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/advice/evidence.h"
#include "agent/journal/query/query_context.h"
#include "agent/journal/storage/hold_rows.h"
#include "shared/protocol/messages.h"

#include <QHash>
#include <QSet>

namespace lockkeeper::agent::journal {

/**
 * Reads the evidence for advice: the newest holds of a range of time, and the waits behind them. It reads a
 * bounded number of rows and stops early if the time of the question runs out; `isCut()` then says so. For
 * one question. See QueryContext.
 */
class EvidenceReader
{
public:
    static constexpr qsizetype kMostHolds = 50'000;
    static constexpr qsizetype kMostWaits = 50'000;
    static constexpr qsizetype kMostLocks = 5'000;

    /** Only these locks, and of them only those of `source`, unless it is empty. */
    EvidenceReader(QueryContext &context, const QueryContext::LockIds &wanted, QString source,
                   Interval range);

    base::Result<void> read();
    QList<advice::LockEvidence> takeLocks(); ///< ordered by their keys
    qint64 holds() const { return m_holds; }
    bool isCut() const { return m_isCut; }
    qint64 firstUs() const { return m_firstUs; } ///< beginning of the first hold that was read

private:
    /** The first states of a lock show its traits; the rest need not be decoded. */
    static constexpr int kDecodedStates = 3;
    struct LockInReading
    {
        advice::LockEvidence evidence;
        int decoded = 0;
    };

    bool isFull() const;
    base::Result<void> readEnded();
    base::Result<void> readOpen();
    base::Result<void> readWaits();
    base::Result<void> visit(SqliteStatement &rows);
    base::Result<LockInReading *> lockOf(qint64 lockId);
    base::Result<void> addBeginning(SqliteStatement &rows, LockInReading &lock, advice::EvidenceHold &hold);
    void addWait(const SqliteStatement &row);

    QueryContext &m_context;
    bool m_all;
    QSet<qint64> m_wanted;
    QList<qint64> m_few; ///< the wanted locks, if an index finds them
    QString m_source;
    Interval m_range;
    QHash<qint64, LockInReading> m_locks;
    QSet<qint64> m_others;    ///< locks of other sources
    QSet<qint64> m_open;      ///< open holds that were read
    QSet<QByteArray> m_texts; ///< each owner and statement in memory only once
    qint64 m_holds = 0;
    qint64 m_waits = 0;
    qint64 m_firstUs;
    bool m_isCut = false;
};

} // namespace lockkeeper::agent::journal
