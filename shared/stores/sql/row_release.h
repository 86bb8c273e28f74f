// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/sql/table_set.h"

#include <optional>

namespace lockkeeper::stores::sql {

/**
 * The guarded release of one row, whatever its layout: it is read and judged, and then one statement is sent
 * that names all that the guard holds; the server decides. No row changed means that nothing was written: the
 * row is read and judged again, a bounded number of times.
 */
class RowRelease
{
public:
    using Verdict = std::optional<ReleaseResult>;

    RowRelease(TableSet &table, const ServerFacts &facts, const ReleaseSeams &seams)
        : m_table(table), m_facts(facts), m_seams(seams)
    {
    }

    /** `read` gives a Result of a Reading, `judge` a Verdict of it, and `values` a Result of what to bind. */
    template <typename Read, typename Judge, typename ValuesOf>
    ReleaseResult run(const ReleaseOrder &order, JobStage &stage, const Read &read, const Judge &judge,
                      const ValuesOf &values) const
    {
        for (int i = 0; i < kMostTries; ++i) {
            const auto reading = read();
            if (!reading)
                return releaseFailedBefore(order, reading.error(), m_table.breakGrant());
            if (auto verdict = judge(*reading))
                return *verdict;
            if (m_seams.beforeWrite)
                m_seams.beforeWrite();
            if (auto verdict = write(order, stage, values(*reading), reading->nowUs))
                return *verdict;
        }
        return gaveUp(order);
    }

private:
    static constexpr int kMostTries = 5;

    /** Empty: no row was changed. */
    Verdict write(const ReleaseOrder &order, JobStage &stage, const base::Result<Values> &values,
                  qint64 nowUs) const;
    static ReleaseResult gaveUp(const ReleaseOrder &order);

    TableSet &m_table;
    const ServerFacts &m_facts;
    const ReleaseSeams &m_seams;
};

} // namespace lockkeeper::stores::sql
