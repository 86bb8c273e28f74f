// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/events/lock_event.h"

namespace lockkeeper::events {

/**
 * Appends the event object as one line with its end: the bytes that a QJsonDocument of toJson() would give in
 * its compact form, without the objects in between. For streams of many events. Thread-safe but for `out`.
 */
void appendLine(QByteArray &out, const LockEvent &event, const QString &agent);

} // namespace lockkeeper::events
