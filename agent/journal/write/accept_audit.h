// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/journal/storage/records.h"
#include "shared/base/result.h"

namespace lockkeeper::agent::journal {

/**
 * `lockkeeper-agent audit accept`: an operator goes on with an audit that isn't the one that was written. An
 * entry says who did that, why, and which fault was accepted; it is signed. The fault is returned. Busy while
 * an agent runs, Usage where there is no fault, PermissionDenied for another user than the journal's. Blocks.
 */
base::Result<base::Error> acceptAudit(const Options &options, const QString &reason, qint64 nowUs);

} // namespace lockkeeper::agent::journal
