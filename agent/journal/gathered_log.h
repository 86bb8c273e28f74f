// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace lockkeeper::agent::journal {

/**
 * The name, for sqlite3_open_v2(), of the system's files with one difference: what a transaction appends to
 * the write-ahead log goes to the kernel in one call, where SQLite makes two of each page, which is a fifth
 * of what a small commit costs. Nothing that a commit makes visible to others is kept back: the head of the
 * frame that commits takes all before it along. What is kept is dropped where writing it fails; the call that
 * it was written for answers with the error then. For connections of one thread each. Null: out of memory.
 */
const char *gatheringFiles();

} // namespace lockkeeper::agent::journal
