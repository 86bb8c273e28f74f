// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/discover/discovery.h"
#include "shared/stores/discover/value_shape.h"

#include <optional>

namespace lockkeeper::stores::discover {

/** LockJson, HolderJson or Json; Unknown where the text is neither an object nor a list. */
Shape jsonShape(QByteArrayView value);

/**
 * What the configuration has to say of locks whose values are objects like `value`: which field is the owner,
 * which the state, and what it says while the lock is held, where they aren't those of redis.json itself.
 * Empty where a state is there that nobody knows to be held or idle, or no owner.
 */
std::optional<QList<Setting>> jsonSettings(QByteArrayView value);

} // namespace lockkeeper::stores::discover
