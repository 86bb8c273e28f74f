// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/store.h"

namespace lockkeeper::stores::redis {

/** What `from` says of locks, pushes and releases, `to` says too; not opened() and failed(), nor what ends a
 * pass or a release: those a composite judges first. */
inline void relay(Store &from, Store &to)
{
    QObject::connect(&from, &Store::pageRead, &to, &Store::pageRead);
    QObject::connect(&from, &Store::inspected, &to, &Store::inspected);
    QObject::connect(&from, &Store::pushed, &to, &Store::pushed);
    QObject::connect(&from, &Store::pushStateChanged, &to, &Store::pushStateChanged);
    QObject::connect(&from, &Store::probed, &to, &Store::probed);
    QObject::connect(&from, &Store::lensRead, &to, &Store::lensRead);
}

} // namespace lockkeeper::stores::redis
