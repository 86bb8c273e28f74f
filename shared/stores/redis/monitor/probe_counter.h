// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/store.h"

#include <QHash>
#include <QSet>

#include <optional>

namespace lockkeeper::stores::redis {

/** One command, read from a line of MONITOR. */
struct MonitorLine
{
    qint64 timeUs = 0; ///< the server's clock
    int database = 0;
    QByteArray client;       ///< address and port, or "unix:PATH"; "lua": called by the script before it
    QList<QByteArray> words; ///< the command and its arguments, byte for byte; at least one

    bool isOfScript() const { return client == "lua"; }
};

/**
 * Reads `1339518083.107412 [0 127.0.0.1:60866] "get" "a\x00b"` (the status line without its '+'; escapes as
 * sdscatrepr() writes them). Empty where it is anything else. Safe on hostile bytes.
 */
std::optional<MonitorLine> readMonitorLine(QByteArrayView line);

/** The most attempts first, and no more counts than a report may have. */
void keepMost(ProbeReport &report);

/**
 * Counts the attempts to take locks in a server's MONITOR output, for each lock and client. It counts SET …
 * NX and SETNX, called directly or by a script. It also counts scripts that check with EXISTS whether the key
 * exists before they set it (Redisson, node-redlock). MONITOR shows no replies, so the counts don't say which
 * attempts failed. Values are not kept. Pure.
 */
class ProbeCounter
{
public:
    /** `patterns`: globs of the lock sets. */
    ProbeCounter(int database, QList<QByteArray> patterns)
        : m_database(database), m_patterns(std::move(patterns))
    {
    }

    /** One line of MONITOR, without the '+'. */
    void take(QByteArrayView line);
    /** The report so far, without its counts. */
    const ProbeReport &told() const { return m_told; }
    ProbeReport report() const;

private:
    void attempt(const QByteArray &key);

    int m_database;
    QList<QByteArray> m_patterns;
    ProbeReport m_told;
    QHash<std::pair<QByteArray, QByteArray>, qint64> m_attempts; ///< by lock and client
    QByteArray m_client;         ///< the sender of the current command or script
    QSet<QByteArray> m_inScript; ///< keys that the current script has been counted for
};

} // namespace lockkeeper::stores::redis
