// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/models/raw_model.h"
#include "app/state/query.h"
#include "app/views/table/export_source.h"
#include "app/views/widgets/console_context.h"

namespace lockkeeper::app::views {

/** The columns of a table that an export writes, and their words. */
struct ExportTable
{
    const models::Formatter *formatter; ///< not owned
    QList<int> columns;
    ExportColumns names;
};

/**
 * All events of the journal that match `query`, newest first, without those that came after the first page.
 */
std::unique_ptr<ExportSource> eventPages(const ConsoleContext &context, const state::Query &query,
                                         const ExportTable &table);
/** The same for holds. */
std::unique_ptr<ExportSource> holdPages(const ConsoleContext &context, const state::Query &query,
                                        const ExportTable &table);

} // namespace lockkeeper::app::views
