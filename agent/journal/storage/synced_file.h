// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/journal/storage/sqlite_connection.h"

namespace lockkeeper::agent::journal {

/** Opens a small database for writing, or creates it. Every commit is synced (synchronous = FULL). */
bool openSynced(SqliteConnection &connection, const QString &path);

/** Reads the whole file. False: error() has the damage, as Corrupt, or why the file can't be read. */
bool isIntact(SqliteConnection &connection);

/** The suffix for the name of a damaged file that is set aside: ".corrupt-20261130T094824000". */
QString corruptSuffix(qint64 nowUs);

} // namespace lockkeeper::agent::journal
