// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/table.h"
#include "shared/protocol/messages.h"

#include <QJsonObject>

namespace lockkeeper::app::cli {

/** One object per lock and client. */
QJsonObject probeObject(const domain::ProbeCount &count, const QString &source);
/** The last line: the basis of the counts. */
QJsonObject probeSummary(const protocol::ProbeResult &result, const QString &source);
Table probeTable(const protocol::ProbeResult &result);

} // namespace lockkeeper::app::cli
