// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/store.h"

namespace lockkeeper::stores {

/** A Store for `spec`, or why there can be none (an unknown URL scheme, a lock scheme of another store). */
base::Result<std::unique_ptr<Store>> makeStore(const SourceSpec &spec);

/** True where a lock scheme exists and belongs to that kind of store; "redlock" is the kind of a redlock://
 * URL, whose nodes only one scheme reads. */
bool isSchemeOf(QByteArrayView scheme, QByteArrayView storeKind);

/** The ids of every scheme that this build speaks. */
QList<QByteArray> schemes();

/** The kind of store that the URL names, where every set's scheme belongs to it. */
base::Result<QByteArray> checkedKind(const SourceSpec &spec, const QList<LockSet> &sets);

} // namespace lockkeeper::stores
