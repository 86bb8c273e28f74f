// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/answer_times.h"
#include "shared/stores/local_clock.h"
#include "shared/stores/zookeeper/reading/walk.h"

#include <QSet>
#include <QTimer>

namespace lockkeeper::stores::zookeeper {

/**
 * Reads a znode again when the watch on its children has fired. The same reading sets the watch again, so
 * that no change falls between the two; the list's version shows how many changes there were. A pass of
 * walk() that watches sets the first watches. While nothing happens, a periodic sync proves it: ZooKeeper
 * reports everything in order.
 */
class ZnodeWatcher : public QObject
{
    Q_OBJECT

public:
    /** A znode that changed in [sinceUs, untilUs]. */
    struct ZnodeChange
    {
        Znode znode;
        qint64 sinceUs = 0;
        qint64 untilUs = 0;
        qint32 changes = 1; ///< of its list of children
        bool wasLock = false;
    };

    ZnodeWatcher(ZookeeperLink &link, Tree &tree, const LocalClock &clock, AnswerTimes &times,
                 qint64 proofMs);

    void begin();
    void end();

Q_SIGNALS:
    void changed(const lockkeeper::stores::zookeeper::ZnodeWatcher::ZnodeChange &change);
    /** Everything up to this time was reported. */
    void proven(qint64 untilUs);
    /** A znode that was reported as changed can't be read: its state isn't known any more. */
    void failed(const lockkeeper::base::Error &error);

private:
    void mark(const QByteArray &path);
    void read();
    void readOne(const QByteArray &path);
    void prove();

    ZookeeperLink &m_link;
    Tree &m_tree;
    const LocalClock &m_clock;
    AnswerTimes &m_times;
    QHash<QByteArray, qint64> m_marked; ///< paths to be read, and since when they may have changed
    QSet<QByteArray> m_reading;
    QTimer m_read;
    QTimer m_proof;
    qint64 m_provenUs = 0;
    bool m_on = false;
};

} // namespace lockkeeper::stores::zookeeper
