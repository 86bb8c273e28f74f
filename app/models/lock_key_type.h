// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/domain/lock_key.h"

#include <QMetaType>

/** So that a RawModel's KeyRole can carry one. */
Q_DECLARE_METATYPE(lockkeeper::domain::LockKey)
