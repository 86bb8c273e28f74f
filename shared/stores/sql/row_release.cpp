// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/row_release.h"

namespace lockkeeper::stores::sql {

using base::ErrorCode;
using domain::Outcome;

RowRelease::Verdict RowRelease::write(const ReleaseOrder &order, JobStage &stage,
                                      const base::Result<Values> &values, qint64 nowUs) const
{
    // Preparing the write checks the right to it in MySQL, so that a dry run ends as the release would.
    const auto release = m_table.statement("release");
    if (!release)
        return releaseFailedBefore(order, release.error(), m_table.breakGrant());
    if (order.dryRun && m_facts.readOnly)
        return releaseEnded(order, Outcome::Refused,
                            {ErrorCode::ReadOnly, QStringLiteral("the server is read-only"), {}});
    const auto statement = order.dryRun ? m_table.statement("release_check") : release;
    if (!statement || !values)
        return releaseFailedBefore(order, statement ? values.error() : statement.error(),
                                   m_table.breakGrant());
    if (order.dryRun ? stage.isCancelled() : !stage.beginWriting())
        return releaseEnded(order, Outcome::Unreachable,
                            {ErrorCode::Cancelled, QStringLiteral("called off before it was sent"), {}});
    if (const auto failed = (*statement)->run(*values))
        return order.dryRun ? releaseFailedBefore(order, failed->error, m_table.breakGrant())
                            : releaseFailedWrite(order, *failed, m_table.breakGrant());
    QSqlQuery &rows = (*statement)->rows();
    // What is held differs from what a break writes, so that a row which was found was changed.
    const qint64 count =
        order.dryRun ? (rows.next() ? rows.value(0).toLongLong() : 0) : rows.numRowsAffected();
    (*statement)->finish();
    if (count < 1)
        return std::nullopt;
    ReleaseResult result = releaseEnded(order, Outcome::Released);
    result.report.storeUs = nowUs;
    return result;
}

ReleaseResult RowRelease::gaveUp(const ReleaseOrder &order)
{
    return releaseEnded(order, Outcome::Refused,
                        {ErrorCode::Busy, QStringLiteral("the row changed each time it was read"),
                         QStringLiteral("Try again.")});
}

} // namespace lockkeeper::stores::sql
