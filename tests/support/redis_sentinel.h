// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/redis_server.h"

namespace lockkeeper::tests {

/** A primary called "main", its replica, and one sentinel that watches them, all on loopback. */
class SentinelTrio
{
public:
    ~SentinelTrio() { stopSentinel(); }

    /**
     * Starts all three; the replica is in step when it returns. `sentinelPassword`: the password that the
     * sentinel requires.
     */
    bool start(const QByteArray &sentinelPassword = {});
    bool startSentinel();
    void stopSentinel();

    /** redis+sentinel://127.0.0.1:DEAD,127.0.0.1:PORT/main: the first one in the list doesn't exist. */
    QUrl url(const QString &name = QStringLiteral("main"), const QString &query = {}) const;
    /** Sends a command to the sentinel; its answer's text. */
    QByteArray ask(const QByteArrayList &command) const;
    /** Asks the sentinel for a failover; true where it obeys, and for a while it doesn't know the replica
     * yet. */
    bool failOver();

    RedisServer m_one;
    RedisServer m_two;

private:
    QTemporaryDir m_folder;
    QProcess m_sentinel;
    QByteArray m_password;
    quint16 m_port = 0;
};

} // namespace lockkeeper::tests
