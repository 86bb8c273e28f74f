// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/advice/evidence.h"
#include "agent/journal/query/query_context.h"
#include "shared/protocol/messages.h"

namespace lockkeeper::agent::journal {

/** The agent's present knowledge of a source, which the journal doesn't have. */
struct AdviceSource
{
    qint64 seenUntilUs = 0;             ///< last observation; 0: it isn't observed now
    qint64 lookUs = 0;                  ///< time between two observations of a lock
    std::optional<qint64> clientsOffUs; ///< see advice::SourceEvidence
};

/** Questions about advice. See QueryContext and EvidenceReader. */
class AdviceQueries
{
public:
    using Sources = QHash<QString, AdviceSource>; ///< by name: those that the user sees

    explicit AdviceQueries(QueryContext &context) : m_context(context) {}

    base::Result<protocol::AdvicePage> advice(const protocol::AdviceQuery &query, const Sources &sources);

private:
    base::Result<protocol::AdvicePage> answer(const protocol::AdviceQuery &query, const Sources &sources);
    base::Result<void> addSources(const protocol::AdviceQuery &query, const Sources &sources,
                                  advice::AdviceEvidence &evidence);

    QueryContext &m_context;
};

} // namespace lockkeeper::agent::journal
