// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/zookeeper/connection/zookeeper_link.h"

namespace lockkeeper::tests {

/** A session that puts znodes where a test wants them, and waits for each answer. */
class QueueClient
{
public:
    /** `sessionMs`: the time-out that is asked for; 0: the usual one. */
    explicit QueueClient(const QUrl &url, const QByteArray &password = {}, qint64 sessionMs = 0);

    bool isOpen() const { return m_link.isOpen(); }
    /** "0x1000…" */
    QByteArray session() const;
    /** A znode that ends with this session, under the next number behind `path`; its whole name. */
    QByteArray place(const QByteArray &path, const QByteArray &data = {});
    /** Makes `count` such znodes, with all requests sent at once; false if one is missing. */
    bool crowd(const QByteArray &path, int count);
    bool make(const QByteArray &path);
    /** Removes the znode, whatever its version. */
    bool remove(const QByteArray &path);
    /** Removes all znodes below `path`, except the server's own; false if one stays. */
    bool clear(const QByteArray &path = "/");
    stores::zookeeper::Reply get(const QByteArray &path);
    stores::zookeeper::Reply children(const QByteArray &path);
    void close() { m_link.close(); }

private:
    stores::zookeeper::Reply wait(const std::function<void(stores::zookeeper::ZookeeperLink::Done)> &ask);

    stores::zookeeper::ZookeeperLink m_link;
};

} // namespace lockkeeper::tests
