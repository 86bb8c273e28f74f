// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/etcd/connection/gateway.h"

#include <QHash>
#include <QTimer>

namespace lockkeeper::locks::etcd {

using namespace stores::etcd;

/**
 * Tells when keys are deleted, for as many as wait, by one watch over all their queues: each watch of the
 * gateway keeps a connection. A watch that ends, for whatever reason, tells everybody: what they wait for is
 * to be read again. On the event loop of the thread that made it.
 */
class DeletionWatch final : public QObject
{
    Q_OBJECT

public:
    using Gone = std::function<void()>;

    DeletionWatch(Endpoints endpoints, const QByteArray &password);

    /** Calls `gone` once, later: `key`, which begins with `prefix` and was there at `revision`, may be gone.
     */
    void await(const void *who, const QByteArray &prefix, const QByteArray &key, qint64 revision, Gone gone);
    void forget(const void *who) { m_awaited.remove(who); }
    /** A key below the prefix is gone of which it hasn't told. Where it doesn't soon, its connection may be
     * dead without a word: everybody looks, and it begins anew, at the next member. */
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

    Gateway m_gateway;
    QHash<const void *, Awaited> m_awaited;
    QHash<QByteArray, qint64> m_told; ///< by the prefixes that are watched: everything up to this revision
    quint64 m_stream = 0;             ///< what an earlier watch says doesn't count
    bool m_stale = false;             ///< a prefix came that isn't watched yet
};

} // namespace lockkeeper::locks::etcd
