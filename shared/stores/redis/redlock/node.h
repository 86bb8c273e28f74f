// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/redis/redis_store.h"
#include "shared/stores/redis/redlock/node_clock.h"

#include <QHash>
#include <QTimer>

#include <functional>
#include <memory>
#include <optional>

namespace lockkeeper::stores::redis {

/**
 * One of the independent servers of a Redlock source: a Store of its own that reads the keys by scheme
 * redis.token, asked by callbacks, and connected again by itself. Every question is answered once, after the
 * asker has returned, also while the node is down. Where the source has push it names the locks that have
 * changed, and reads none of them. In the thread that made it.
 */
class Node : public QObject
{
    Q_OBJECT

public:
    using LookDone = std::function<void(bool read, const QList<Observation> &locks)>;
    using InspectDone = std::function<void(const Inspection &)>;
    using ReleaseDone = std::function<void(const ReleaseReport &)>;
    using PageTaken = std::function<void(const Page &)>;
    using PassDone = std::function<void(const PassEnd &)>;

    Node(QByteArray address, std::unique_ptr<RedisStore> store, QObject *parent = nullptr);

    /** Connects, and keeps trying; now, where it was waiting for its next attempt. */
    void open();
    void close();
    /** It can be asked, and its clock is known. */
    bool isUp() const { return m_up && m_clock.isKnown(); }
    /** It is up, or an attempt has failed since open() was called last. */
    bool isSettled() const { return isUp() || m_settled; }
    const QByteArray &address() const { return m_address; }
    /** What the server said last, also while it is down. */
    const ServerInfo &info() const { return m_info; }
    /** Why it is down. */
    const base::Error &error() const { return m_error; }
    /** What endangers locks on this node, as it was read last. */
    const QList<domain::Finding> &findings() const { return m_findings; }
    const NodeClock &clock() const { return m_clock; }
    /** Whether it tells of changes; empty while it is down, and where it isn't asked to. */
    const std::optional<PushState> &push() const { return m_push; }
    /** All changes up to this time of its clock were named; 0: not known. */
    qint64 toldUntilUs() const { return m_store->tracker().toldUntilUs({}); }

    /** `locks` in the order of `subjects`, by this node's clock; `read` false: it can't be asked. */
    void look(const QList<Subject> &subjects, LookDone done);
    void inspect(const Subject &subject, const InspectDone &done);
    void release(const ReleaseOrder &order, const ReleaseDone &done);
    /** One at a time. */
    void pass(PageTaken page, PassDone done);
    /** See Store::setPaused(). */
    void setPaused(bool paused) { m_store->setPaused(paused); }

Q_SIGNALS:
    /** It went up or down, or an attempt failed. */
    void changed();
    void findingsRead();
    void namesChanged(const QList<lockkeeper::stores::Subject> &locks);
    /** A database was emptied: names can't tell. */
    void everythingChanged();
    void pushStateChanged();
    /** toldUntilUs() has moved on; about once a second. */
    void toldUntil();

private:
    struct Look
    {
        qsizetype count = 0;
        qint64 sentUs = 0;
        LookDone done;
    };

    void onOpened(const ServerInfo &info);
    void readClock(int times);
    void onFailed(const base::Error &error);
    void onPage(const Page &page);
    void onPassEnded(const PassEnd &end);
    void takeLook(quint64 request, const KeyPage &page);

    QByteArray m_address;
    std::unique_ptr<RedisStore> m_store;
    NodeClock m_clock;
    std::optional<PushState> m_push;
    ServerInfo m_info;
    base::Error m_error;
    QList<domain::Finding> m_findings;
    QTimer m_retry;
    int m_attempts = 0; ///< that failed since it was up
    bool m_up = false;
    bool m_wanted = false;
    bool m_settled = false;
    quint64 m_request = 0;
    quint64 m_passRequest = 0; ///< 0: none under way
    QHash<quint64, Look> m_looks;
    QHash<quint64, InspectDone> m_inspections;
    QHash<QByteArray, ReleaseDone> m_releases;
    PageTaken m_page;
    PassDone m_passDone;
};

} // namespace lockkeeper::stores::redis
