// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/lock_client.h"
#include "shared/stores/store.h"

namespace lockkeeper::stores {

/** A Store for `spec`, or why there can be none (an unknown URL scheme, a lock scheme of another store). */
base::Result<std::unique_ptr<Store>> makeStore(const SourceSpec &spec);

/**
 * A LockClient for the lock set `set` of `spec`. `owner` is what schemes with a holder column write there
 * (application, host, process); schemes without one ignore it.
 */
base::Result<std::unique_ptr<LockClient>> makeLockClient(const SourceSpec &spec, const LockSet &set,
                                                         const QByteArray &owner);

/** True where a lock scheme exists and belongs to that kind of store; "redlock" is the kind of a redlock://
 * URL, whose nodes only one scheme reads. */
bool isSchemeOf(QByteArrayView scheme, QByteArrayView storeKind);

/** The ids of every scheme that this build speaks. */
QList<QByteArray> schemes();

} // namespace lockkeeper::stores
