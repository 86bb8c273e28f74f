// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/journal/storage/connection.h"

namespace lockkeeper::agent::journal {

/** The newest schema that this build knows: the number of the last file NNNN_*.sql. */
int newestSchema();

/**
 * Brings the file to newestSchema(). Each step is a transaction that includes its number in schema_version,
 * so that an interrupted migration resumes where it stopped. Rejects a file of a newer build, or of a build
 * before the first release, with Unsupported and leaves it untouched.
 */
base::Result<void> migrate(Connection &connection);

} // namespace lockkeeper::agent::journal
