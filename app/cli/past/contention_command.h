// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/table.h"
#include "shared/protocol/messages.h"

namespace lockkeeper::app::cli {

Table contentionTable(const protocol::ContentionPage &page);
/** Explains "?"; empty if no lock has it. */
QString blindMark(const QList<domain::Contention> &locks);

} // namespace lockkeeper::app::cli
