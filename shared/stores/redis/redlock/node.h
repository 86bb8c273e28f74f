// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/redis/composite/composite_store.h"
#include "shared/stores/redis/redlock/node_clock.h"

#include <QTimer>

#include <functional>
#include <memory>

namespace lockkeeper::stores::redis {

/**
 * One of the independent servers of a Redlock source. Its store reads the keys by scheme redis.token. The
 * node takes questions with callbacks, and reconnects by itself. Every question is answered once, after the
 * caller has returned, also while the node is down. Where the source has push, the node names the locks that
 * have changed, and reads none of them. Lives in the thread that made it.
 */
class Node : public QObject, public Member
{
    Q_OBJECT

public:
    using PointsRead = std::function<void(bool read, const QList<Observation> &locks)>;

    Node(const QByteArray &at, std::unique_ptr<RedisStore> server, QObject *parent = nullptr);

    /** Called when the node's link is made; returns why the node may not be used. */
    void setObjection(std::function<std::optional<base::Error>()> objection)
    {
        m_objection = std::move(objection);
    }
    /** Connects, and keeps trying. A node that was waiting for its next attempt connects now. */
    void open();
    void close();
    /** The node is connected; its clock may not be known yet. */
    bool isConnected() const { return m_linked; }
    /** It is up, or will be in a moment: it has answered already. */
    bool isLinked() const { return m_linked && m_clock.isKnown(); }
    const NodeClock &clock() const { return m_clock; }

    /** `locks` in the order of `subjects`, by this node's clock; `read` false: it can't be asked. */
    void readPoints(const QList<Subject> &subjects, PointsRead done);

Q_SIGNALS:
    /** It went up or down, or an attempt failed. */
    void changed();
    void namesChanged(const QList<lockkeeper::stores::Subject> &locks);
    /** A database was emptied: names can't express that. */
    void everythingChanged();
    /** The node has announced up to when its changes are reported, about once a second. */
    void toldUntil();

private:
    void onOpened(const ServerInfo &found);
    void readClock(int times);
    void onFailed(const base::Error &why);

    std::function<std::optional<base::Error>()> m_objection;
    NodeClock m_clock;
    QTimer m_retry;
    int m_attempts = 0;    ///< that failed since it was up
    bool m_linked = false; ///< it is up once its clock is known, too
    bool m_wanted = false;
};

} // namespace lockkeeper::stores::redis
