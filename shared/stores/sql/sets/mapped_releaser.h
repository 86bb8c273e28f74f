// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/sql/sets/mapped_table.h"

#include <optional>

namespace lockkeeper::stores::sql {

/**
 * The guarded release of one row of a mapped table: reads it, compares it with the guard, and then sends one
 * DELETE or UPDATE that names every column of the mapping. The identity's values are the guard's own, and so
 * are those of its freshness where that counts; the others are those just read, so that the deadline that
 * was judged is the one that the server finds. No row changed means that nothing was written: the row is read
 * and judged again, a bounded number of times.
 */
class MappedReleaser
{
public:
    MappedReleaser(MappedTable &table, const ServerFacts &facts, BreakMode mode, const ReleaseSeams &seams)
        : m_table(table), m_facts(facts), m_mode(mode), m_seams(seams)
    {
    }

    ReleaseResult run(const ReleaseOrder &order, JobStage &stage);

private:
    using Verdict = std::optional<ReleaseResult>;

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
