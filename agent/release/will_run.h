// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/release/ticket_box.h"
#include "shared/stores/source_spec.h"

namespace lockkeeper::agent::release {

/**
 * The operation that a release based on this reading runs in the store, as one line for an operator, with
 * control characters escaped. It names only columns and fields that were read. A value is shown as the store
 * wrote it, a key's time as a date.
 */
QString willRun(const LockReading &reading, const stores::LockSet &set, QByteArrayView store = {});

} // namespace lockkeeper::agent::release
