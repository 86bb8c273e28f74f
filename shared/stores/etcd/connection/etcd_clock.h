// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/local_clock.h"

namespace lockkeeper::stores::etcd {

/** etcd tells no time, only what a lease has left. */
using EtcdClock = LocalClock;

} // namespace lockkeeper::stores::etcd
