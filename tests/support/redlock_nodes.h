// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/source_spec.h"
#include "tests/support/redis_server.h"

#include <memory>
#include <vector>

namespace lockkeeper::tests {

/** Independent private servers on loopback ports, as a Redlock has them. */
class RedlockNodes
{
public:
    /** Starts `count` of them. `clocks`: by how many seconds those of the first ones are off. */
    bool start(int count, const QStringList &arguments = {}, const QList<int> &clocks = {});
    RedisServer &at(int index) { return *m_servers.at(size_t(index)); }
    int size() const { return int(m_servers.size()); }

    /** redlock://127.0.0.1:…,…/0 */
    QUrl url() const;
    /** The first one, again under another name, and the second one. */
    QUrl urlOfTwice() const;
    QByteArray address(int index) const;
    /** A source of one redis.redlock set that matches `match`. */
    stores::SourceSpec spec(const QByteArray &match = "lock:*") const;

    /** `SET key token PX ttl` on those nodes; a `ttlMs` of 0: without an end. True where each said OK. */
    bool set(const QList<int> &nodes, const QByteArray &key, const QByteArray &token, qint64 ttlMs = 60'000);
    void remove(const QList<int> &nodes, const QByteArray &key);
    /** Each node's value, or "-". */
    QByteArray values(const QByteArray &key);
    void clear();
    static QList<int> all(int count = 5);

private:
    std::vector<std::unique_ptr<RedisServer>> m_servers;
};

} // namespace lockkeeper::tests
