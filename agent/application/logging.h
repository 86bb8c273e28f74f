// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace lockkeeper::agent::application {

/**
 * Sends the log to standard error: one line per message, "level category message", with control characters
 * escaped. Under journald (JOURNAL_STREAM is set) each line begins with its priority as "<4>". `level` is
 * debug, info, warning or error.
 */
void installLogging(const QString &level);

/** A line as the handler writes it, without its end. No priority if `priority` is negative. */
QByteArray logLine(int priority, const char *level, const char *category, const QString &message);

} // namespace lockkeeper::agent::application
