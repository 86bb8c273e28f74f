// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/etcd/connection/gateway.h"

#include <QHash>
#include <QTimer>

namespace lockkeeper::locks::etcd {

/**
 * Notifies any number of waiters when their keys are deleted. One watch covers all their queues, because each
 * watch of the gateway occupies a connection. If the watch ends, for any reason, all waiters are notified and
 * must read their keys again. Runs in the event loop of the thread that made it.
 */
class DeletionWatch final : public QObject
{
    Q_OBJECT

public:
    using Gone = std::function<void()>;

    DeletionWatch(stores::etcd::Endpoints endpoints, const QByteArray &password);

    /** Calls `gone` once, asynchronously, when `key` may have been deleted. `key` must begin with `prefix`
     * and have existed at `revision`. */
    void await(const void *who, const QByteArray &prefix, const QByteArray &key, qint64 revision, Gone gone);
    void forget(const void *who) { m_awaited.remove(who); }
    /** To be called when a key below the prefix was deleted, but its deletion wasn't reported. If the report
     * doesn't arrive soon, the connection may be silently dead: all waiters are notified, and the watch
     * restarts at the next member. */
    void mistrust(const QByteArray &prefix);

private:
    struct Awaited
    {
        QByteArray prefix;
        QByteArray key;
        Gone gone;
    };

    void follow();
    void take(const QJsonObject &line);
    void tellAll();

    stores::etcd::Gateway m_gateway;
    QHash<const void *, Awaited> m_awaited;
    QHash<QByteArray, qint64> m_told; ///< by watched prefix: deletions up to this revision were reported
    quint64 m_stream = 0;             ///< the current watch; messages of earlier ones are ignored
    bool m_stale = false;             ///< a new prefix isn't watched yet
};

} // namespace lockkeeper::locks::etcd
