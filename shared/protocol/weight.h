// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/protocol/messages.h"

namespace lockkeeper::protocol {

/** Limit for the total weight of the items in one page of an answer, in bytes; well below kMaxFrame. */
inline constexpr qint64 kPageWeight = qint64(kMaxFrame) / 2;

/**
 * The approximate size on the wire in bytes: of all fields that fields() visits, the length of the texts and
 * a constant for each. At least the size of a LockState. For the types of rows that weight.cpp lists.
 */
template <typename T> qint64 weightOf(const T &item);

} // namespace lockkeeper::protocol
