// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/journal/query/query_context.h"
#include "agent/journal/storage/hold_rows.h"
#include "shared/protocol/messages.h"

namespace lockkeeper::agent::journal {

class PageLimit;

/** Questions about holds; a page holds what the time allowed, with `more`. See QueryContext. */
class HoldQueries
{
public:
    explicit HoldQueries(QueryContext &context) : m_context(context) {}

    base::Result<protocol::HoldPage> holds(const protocol::HoldsQuery &query);

private:
    base::Result<bool> holdSlice(Statement &statement, SeqRange slice, const protocol::HoldsQuery &query,
                                 const QueryContext::LockIds &locks, PageLimit &room,
                                 protocol::HoldPage &page);

    QueryContext &m_context;
};

} // namespace lockkeeper::agent::journal
