// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/commands/outcome_writer.h"

#include <utility>

namespace lockkeeper::agent::commands {

void OutcomeWriter::write(qint64 auditId, domain::Outcome outcome, const QString &detail, const Done &done)
{
    m_audit.end(auditId, outcome, detail,
                [list = std::weak_ptr(m_refused), entry = Refused{auditId, outcome, detail},
                 done](const base::Result<void> &written) {
                    const auto refused = list.lock();
                    if (!refused)
                        return;
                    if (!written)
                        refused->append(entry);
                    done(written);
                });
}

void OutcomeWriter::retry()
{
    const QList<Refused> waiting = std::exchange(*m_refused, {});
    for (const Refused &entry : waiting)
        write(entry.auditId, entry.outcome, entry.detail, [](const base::Result<void> &) {});
}

} // namespace lockkeeper::agent::commands
