// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/models/locks_proxy.h"

#include <QByteArray>
#include <QStringList>

namespace lockkeeper::app::views {

/** The shown cells of `rows` (proxy rows) under their headers, in the given column order. */
QList<QStringList> lockCells(const models::LocksProxy &proxy, const QList<int> &rows,
                             const QList<int> &columns);

/** The locks as a JSON array of objects with the stable names of INTERFACES; times RFC 3339 in UTC. `asOfUs`:
 * of a past moment, which each of them says. */
QByteArray locksToJson(const QList<const models::LockRow *> &rows, const domain::TimeUs &asOfUs = {});

/** All that is known of each lock, one line a lock, for a spreadsheet; `asOfUs` as above. */
QByteArray locksToCsv(const QList<const models::LockRow *> &rows, const domain::TimeUs &asOfUs = {});

} // namespace lockkeeper::app::views
