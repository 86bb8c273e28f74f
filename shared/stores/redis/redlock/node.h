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
 * One of the independent servers of a Redlock source: a Store of its own that reads the keys by scheme
 * redis.token, asked by callbacks, and connected again by itself. Every question is answered once, after the
 * asker has returned, also while the node is down. Where the source has push it names the locks that have
 * changed, and reads none of them. In the thread that made it.
 */
class Node : public QObject, public Member
{
    Q_OBJECT

public:
    using PointsRead = std::function<void(bool read, const QList<Observation> &locks)>;

    Node(const QByteArray &at, std::unique_ptr<RedisStore> server, QObject *parent = nullptr);

    /** Asked when its link is made: why it may not be used. */
    void setObjection(std::function<std::optional<base::Error>()> objection)
    {
        m_objection = std::move(objection);
    }
    /** Connects, and keeps trying; now, where it was waiting for its next attempt. */
    void open();
    void close();
    /** It is connected, and its clock perhaps not known yet. */
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
    /** A database was emptied: names can't tell. */
    void everythingChanged();
    /** It says until when it has told its changes, about once a second. */
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
