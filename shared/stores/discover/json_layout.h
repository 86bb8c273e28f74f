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
 * The settings for locks whose values are objects like `value`: the owner's field, the state's field, and the
 * state while the lock is held, where they differ from those of redis.json itself. Empty where the state
 * isn't known as held or idle, or the owner is missing.
 */
std::optional<QList<Setting>> jsonSettings(QByteArrayView value);

} // namespace lockkeeper::stores::discover
