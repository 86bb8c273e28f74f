// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/store.h"

namespace lockkeeper::stores::sql {

/** Makes an observation as good as new, but that its name, owner and token, empty now, keep their memory. */
void resetObservation(Observation &lock);

/** A deep copy into memory that is there already, if nobody shares it; null of null. */
void copyBytes(QByteArray &out, const QByteArray &bytes);

} // namespace lockkeeper::stores::sql
