// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/journal/storage/records.h"
#include "shared/base/result.h"

namespace lockkeeper::agent::journal {

/**
 * `lockkeeper-agent audit accept`: an operator accepts an audit that isn't the one that was written. A signed
 * entry records who accepted it, why, and with which fault. Returns that fault. Errors: Busy while an agent
 * runs, Usage if there is no fault, PermissionDenied for another user than the journal's. Blocks.
 */
base::Result<base::Error> acceptAudit(const JournalOptions &options, const QString &reason, qint64 nowUs);

} // namespace lockkeeper::agent::journal
