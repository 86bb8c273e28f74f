// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/sql/sets/mapped_table.h"

#include <optional>

namespace lockkeeper::stores::sql {

/**
 * The guarded release of one row of a mapped table: reads it, compares it with the guard, and then sends one
 * DELETE or UPDATE that names every column of the mapping. The values of the identity come from the guard,
 * and so do those of its freshness where that counts. All other values are those just read, so that the
 * server finds the row only with the deadline that was judged. If no row was changed, nothing was written:
 * the releaser reads and judges the row again, a bounded number of times.
 */
class MappedReleaser
{
public:
    MappedReleaser(MappedTable &table, const ServerFacts &facts, BreakMode mode, const ReleaseSeams &seams)
        : m_table(table), m_facts(facts), m_mode(mode), m_seams(seams)
    {
    }

    ReleaseAttempt run(const ReleaseOrder &order, JobStage &stage);

private:
    using Verdict = std::optional<ReleaseAttempt>;

    Verdict refusedAtOnce(const ReleaseOrder &order) const;
    Verdict judged(const ReleaseOrder &order, const MappedReading &reading) const;
    /** Empty: no row was changed. */
    Verdict write(const ReleaseOrder &order, JobStage &stage, const base::Result<Values> &values,
                  qint64 nowUs) const;
    base::Result<Values> guardValues(const ReleaseOrder &order, const MappedReading &reading) const;
    bool isUnsafe(const ReleaseOrder &order) const { return order.guard.identity.isEmpty(); }
    bool isFresh(const ReleaseOrder &order) const
    {
        return order.checkFreshness || m_table.rules().alwaysFresh();
    }

    MappedTable &m_table;
    const ServerFacts &m_facts;
    BreakMode m_mode;
    const ReleaseSeams &m_seams;
};

} // namespace lockkeeper::stores::sql
