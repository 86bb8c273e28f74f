// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/redis/key_hold.h"
#include "shared/stores/redis/monitor_line.h"
#include "shared/stores/store.h"

#include <QHash>

namespace lockkeeper::stores::redis {

/** Which commands a probe is about. */
struct ProbeScope
{
    int database = 0;
    QList<QByteArray> patterns; ///< globs of the lock sets
};

/**
 * Follows the commands of a server's clients, as MONITOR tells them, and counts attempts to take locks: SET …
 * NX and SETNX, called directly or by a script, and scripts that ask by EXISTS whether the key is there
 * before they set it. MONITOR tells no answers: whether an attempt failed is simulated from all that happened
 * to the key. That is sure from the moment on at which the key's state became sure (it was set or deleted
 * whatever was before), and counted as uncertain until then. Evictions aren't told. Values are not kept.
 * Pure.
 */
class ProbeCounter
{
public:
    ProbeCounter(ProbeScope scope, const QList<HeldLock> &held);

    /** One line of MONITOR, without the '+'. */
    void take(QByteArrayView line);
    /** After the last line. */
    void finish() { endScript(); }

    qint64 lines() const { return m_lines; }
    qint64 unreadable() const { return m_unreadable; }
    /** The server's time in the last line; 0: none yet. */
    qint64 timeUs() const { return m_nowUs; }
    /** The most failures first. */
    QList<ProbeCount> counts() const;

private:
    using Words = QList<QByteArray>;
    struct Script
    {
        bool running = false;
        QByteArray client;
        struct Asked
        {
            bool set = false;
            bool toldRest = false; ///< PTTL followed: how the lock's client learns how long to wait
        };
        QHash<QByteArray, Asked> asked; ///< keys that it asked for by EXISTS
    };

    void follow(const MonitorLine &line);
    void followKey(const QByteArray &name, const Words &words);
    void set(const Words &words);
    void expire(const QByteArray &name, const Words &words);
    void attempt(const QByteArray &key, qint64 ttlUs);
    void count(const QByteArray &key, const QByteArray &client, bool failed, bool sure);
    void noteInScript(const QByteArray &name, const Words &words);
    void blurAll(const Words &words);
    void startScript(const QByteArray &client);
    void endScript();
    bool isLock(const QByteArray &key) const;
    KeyHold &hold(const QByteArray &key);

    ProbeScope m_scope;
    QHash<QByteArray, KeyHold> m_keys;
    KeyHold m_others; ///< of keys that no command has named yet
    QHash<std::pair<QByteArray, QByteArray>, ProbeCount> m_counts;
    Script m_script;
    QByteArray m_client; ///< of the line under way
    qint64 m_nowUs = 0;
    qint64 m_lines = 0;
    qint64 m_unreadable = 0;
};

} // namespace lockkeeper::stores::redis
