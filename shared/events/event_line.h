// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/events/lock_event.h"

namespace lockkeeper::events {

/**
 * Appends the event as one line of JSON, with its line end. The bytes are those of a compact QJsonDocument of
 * toJson(), but no QJson objects are built. For streams of many events. Thread-safe, apart from `out`.
 */
void appendLine(QByteArray &out, const LockEvent &event, const QString &agent);

} // namespace lockkeeper::events
