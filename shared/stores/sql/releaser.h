// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/sql/lock_table.h"
#include "shared/stores/sql/row_release.h"

namespace lockkeeper::stores::sql {

/**
 * The guarded release of one row. Reads the row, compares it with the guard, and then sends one UPDATE
 * that names everything the guard holds and the deadline just read: the server decides atomically. No row
 * changed means that nothing was written, so that a lease which was only renewed in between is read and
 * tried again, a bounded number of times.
 */
class Releaser
{
public:
    Releaser(LockTable &table, const ServerFacts &facts, const ReleaseSeams &seams);

    ReleaseResult run(const ReleaseOrder &order, JobStage &stage);

private:
    using Verdict = RowRelease::Verdict;

    Verdict refusedAtOnce(const ReleaseOrder &order) const;
    Verdict judged(const ReleaseOrder &order, const RowReading &reading) const;
    Values guardValues(const ReleaseOrder &order, const RowReading &reading) const;

    LockTable &m_table;
    const ServerFacts &m_facts;
    const ReleaseSeams &m_seams;
};

} // namespace lockkeeper::stores::sql
