// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/filter/query.h"
#include "app/views/table/export_source.h"
#include "app/views/widgets/console_context.h"

namespace lockkeeper::app::views {

/**
 * All events of the journal that match `query`, newest first, without those that came after the first page.
 */
std::unique_ptr<ExportSource> eventPages(const ConsoleContext &context, const filter::Query &query,
                                         records::FileFormat::Syntax kind);
/** The same for holds. */
std::unique_ptr<ExportSource> holdPages(const ConsoleContext &context, const filter::Query &query,
                                        records::FileFormat::Syntax kind);

} // namespace lockkeeper::app::views
