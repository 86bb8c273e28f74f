// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/result.h"

#include <QByteArray>
#include <QObject>

namespace lockkeeper::stores {

/** One acquisition of a lock by this program: what renew() and release() need to prove it. */
struct Lease
{
    QByteArray name;
    QByteArray token; ///< proves ownership; random for each acquisition
    qint64 ttlUs = 0;
    QByteArray proof; ///< the store's own encoding of what else pins the acquisition
};

/** How an attempt on a lock ended. */
enum class Attempt : quint8 {
    Done = 0, ///< acquired, renewed or released
    Held,     ///< tryAcquire: somebody else holds it
    Lost,     ///< renew, release: it isn't ours any more
};

struct AttemptResult
{
    quint64 request = 0;
    Attempt attempt = Attempt::Held;
    Lease lease;                      ///< after Done of tryAcquire and renew
    std::optional<base::Error> error; ///< nothing is known of the attempt beyond this
};

/**
 * The lock library's side of one store: takes, renews and releases locks as the scheme's own
 * clients do. Lives in one thread and answers each request once, there, in order. One instance holds
 * one connection, opened on first use and again after a failure.
 */
class LockClient : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;

    /** Takes the lock for `ttlUs` where it is free. */
    virtual void tryAcquire(quint64 request, const QByteArray &name, qint64 ttlUs) = 0;
    /** Moves the deadline to `ttlUs` from now where the lease is still ours. */
    virtual void renew(quint64 request, const Lease &lease, qint64 ttlUs) = 0;
    /** Gives the lock back where the lease is still ours. */
    virtual void release(quint64 request, const Lease &lease) = 0;

Q_SIGNALS:
    void answered(const lockkeeper::stores::AttemptResult &result);
};

} // namespace lockkeeper::stores
