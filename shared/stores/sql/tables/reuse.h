// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/store.h"

namespace lockkeeper::stores::sql {

/** Resets an observation. Its name, owner and token become empty, but keep their memory. */
void resetObservation(Observation &lock);

/** A deep copy into the existing memory of `out`, if nobody shares it; null for null. */
void copyBytes(QByteArray &out, const QByteArray &bytes);

} // namespace lockkeeper::stores::sql
