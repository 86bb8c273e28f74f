// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/sql/sessions/kill.h"
#include "shared/stores/sql/sessions/session_board.h"
#include "shared/stores/sql/sets/set_reader.h"

namespace lockkeeper::stores::sql {

/**
 * A lock set of sql.row or sql.advisory: locks that belong to connections of the server. A break ends the
 * holder's connection, by killGuarded(). If an observation disappears, nobody holds
 * the lock.
 */
class SessionSet final : public SetReader
{
public:
    static base::Result<std::unique_ptr<SetReader>> open(const SetContext &context);

    QByteArray place() const override { return m_filter.place; }
    QList<domain::Access> access() override;
    base::Error warning() const override;
    base::Result<void> beginScan() override;
    void rewind() override;
    base::Result<void> beginRange(const ReadSize &size) override;
    SetPage page(QList<Observation> spare) override;
    base::Result<SetReading> one(const QByteArray &name) override;
    base::Result<SetReading> oneAnew(const QByteArray &name) override;
    ReleaseAttempt release(const ReleaseOrder &order, JobStage &stage) override;
    std::optional<domain::WaitGraph> graph() const override;

private:
    using Verdict = std::optional<ReleaseAttempt>;

    SessionSet(const SetContext &context, std::shared_ptr<SessionBoard> board, PictureFilter filter);
    base::Result<SetReading> shown(const QByteArray &name) const;
    Verdict judged(const ReleaseOrder &order, const Observation &seen) const;
    ReleaseAttempt dryRun(const KillTarget &target);
    ReleaseAttempt confirmed(const KillTarget &target);
    QString killGrant() const;

    SqlConnection &m_connection;
    const ServerFacts &m_facts;
    const ReleaseSeams &m_seams;
    QString m_source;
    std::shared_ptr<SessionBoard> m_board;
    PictureFilter m_filter;
    QByteArray m_scheme;
    QList<Observation> m_locks; ///< of the scan
    qsizetype m_next = 0;
    int m_pageSize = 0;
};

} // namespace lockkeeper::stores::sql
