// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/live_table.h"
#include "app/cli/table.h"

namespace lockkeeper::app::cli {

/**
 * The listings as tables for people, and for awk: our texts in a cell are one word, and no cell before the
 * last is empty. Store text is escaped; times are in the user's zone, named in the header. `±`: windowText().
 */
Table locksTable(const QList<domain::LockState> &locks, const LiveTable &table, qint64 wallUs);
Table eventsTable(const QList<events::LockEvent> &events);
Table holdsTable(const QList<protocol::Hold> &holds);
Table auditTable(const QList<domain::AuditEntry> &entries);
Table sourcesTable(const protocol::Status &status);

/**
 * The lines above a table of the past: its moment, and the sources that weren't observed then; `prefix`
 * precedes their names.
 */
QString momentText(qint64 atUs, const QList<domain::SourceState> &sources, const QString &onlySource,
                   const QString &prefix = {});
/** Its two parts, with their line ends. */
QString momentLine(qint64 atUs);
QString unseenLines(const QList<domain::SourceState> &sources, const QString &onlySource,
                    const QString &prefix);

/** One event as `watch` prints it: time with zone, event, source, lock, owner and details. */
QString eventLine(const events::LockEvent &event);

/** The word for a state, and the SGR parameters of its colour. */
QString conditionText(domain::Condition condition);
QString conditionCode(domain::Condition condition);

} // namespace lockkeeper::app::cli
