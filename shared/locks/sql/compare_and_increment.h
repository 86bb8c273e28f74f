// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/result.h"

#include <QByteArray>

#include <functional>

namespace lockkeeper::locks {

class LockClient;

namespace sql {

/** What is done with the version that was read, before it is counted up; false: it isn't. */
using VersionWork = std::function<bool(const QByteArray &version)>;
/** The version that was written: it grows with each success, and serves as a fencing token. */
using VersionDone = std::function<void(const base::Result<QByteArray> &)>;

/**
 * sql.version: reads the version of a row, lets `work` (which may be empty) do what rests on it, and counts
 * it up where nobody else has meanwhile; else all over again, `retries` times at most, and then Busy. An
 * error after the write was sent isn't tried again: nobody knows whether it was done. `client` has to outlive
 * it.
 */
void compareAndIncrement(LockClient &client, const QByteArray &name, int retries, VersionWork work,
                         VersionDone done);

} // namespace sql
} // namespace lockkeeper::locks
