// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/models/raw_model.h"
#include "app/state/query.h"
#include "app/views/table/export_source.h"
#include "app/views/widgets/console_context.h"

namespace lockkeeper::app::views {

/** What of a table an export writes, and in which words. */
struct ExportTable
{
    const models::Formatter *formatter; ///< not owned
    QList<int> columns;
    ExportColumns names;
};

/** All events of the journal that fit, newest first: what came later than the first page isn't among them. */
std::unique_ptr<ExportSource> eventPages(const ConsoleContext &context, const state::Query &query,
                                         const ExportTable &table);
/** The same of holds. */
std::unique_ptr<ExportSource> holdPages(const ConsoleContext &context, const state::Query &query,
                                        const ExportTable &table);

} // namespace lockkeeper::app::views
