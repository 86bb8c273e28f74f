// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QByteArrayView>
#include <QList>

#include <optional>

namespace lockkeeper::stores::redis {

/** One command as MONITOR tells it. */
struct MonitorLine
{
    qint64 timeUs = 0; ///< the server's clock
    int database = 0;
    QByteArray client;       ///< address and port, or "unix:PATH"; "lua": called by the script before it
    QList<QByteArray> words; ///< the command and its arguments, byte for byte; at least one

    bool isOfScript() const { return client == "lua"; }
    bool operator==(const MonitorLine &) const = default;
};

/**
 * Reads `1339518083.107412 [0 127.0.0.1:60866] "get" "a\x00b"` (the status line without its '+'; Redis,
 * "MONITOR"; escapes as sdscatrepr() writes them). Empty where it is anything else: half a line, an unknown
 * escape, bytes that should have been escaped. Safe on hostile bytes.
 */
std::optional<MonitorLine> readMonitorLine(QByteArrayView line);

} // namespace lockkeeper::stores::redis
