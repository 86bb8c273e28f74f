// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/hub/hub_batch.h"

#include <QSet>

namespace lockkeeper::agent::hub {

/** 9999-12-31, counted in days since 1970 like the days below. */
inline constexpr qint64 kLastDay = 2'932'896;

/** The UTC days of the batch's rows, at most 400 between 1970 and 9999. The default partition takes others.
 */
QSet<qint64> daysOf(const HubBatch &batch);
/** The days as the text of PostgreSQL's date[]. */
QByteArray dateArray(const QSet<qint64> &days);

} // namespace lockkeeper::agent::hub
