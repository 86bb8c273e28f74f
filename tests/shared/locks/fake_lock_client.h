// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/locks/lock_client.h"

#include <QHash>
#include <QList>

#include <algorithm>
#include <limits>

namespace lockkeeper::tests {

/** Locks in memory, without a clock: a lock stays held until it is released or broken. */
struct FakeLocks
{
    struct Held
    {
        QByteArray token;
        int depth = 1;
    };
    QHash<QByteArray, Held> held;
    QHash<QByteArray, quint64> fencing;
    int commands = 0;

    void breakLock(const QByteArray &name) { held.remove(name); }
};

/** A scheme whose store is FakeLocks; answers in the next turn of the event loop, or on demand. */
class FakeLockClient final : public locks::LockClient
{
    Q_OBJECT

public:
    FakeLockClient(FakeLocks &store, locks::Traits traits) : m_store(store), m_traits(traits) {}

    locks::Traits traits() const override { return m_traits; }

    void tryAcquire(const locks::Lease &wanted, Done done) override
    {
        ask(
            [this, wanted] {
                locks::Lease lease = wanted;
                if (lease.token.isEmpty())
                    lease.token = "token-" + QByteArray::number(++m_tokens);
                lease.ttlUs = std::min(lease.ttlUs, grantsUs);
                const auto found = m_store.held.find(wanted.name);
                const bool again =
                    m_traits.reenters && found != m_store.held.end() && found->token == lease.token;
                if (found != m_store.held.end() && !again)
                    return locks::AttemptResult{locks::Attempt::Held, {}, {}, freeInUs};
                if (again)
                    ++found->depth;
                else
                    m_store.held.insert(wanted.name, {lease.token, 1});
                if (m_traits.fencing)
                    lease.fencing = QByteArray::number(++m_store.fencing[wanted.name]);
                return locks::AttemptResult{locks::Attempt::Done, lease};
            },
            std::move(done), wanted);
    }

    void renew(const locks::Lease &lease, qint64 ttlUs, Done done) override
    {
        ++renewals;
        ask(
            [this, lease, ttlUs] {
                if (m_store.held.value(lease.name).token != lease.token)
                    return locks::AttemptResult{locks::Attempt::Lost};
                locks::Lease renewed = lease;
                renewed.ttlUs = std::min(ttlUs, grantsUs);
                if (renewalProves)
                    m_store.held[lease.name].token = renewed.token += '+';
                return locks::AttemptResult{locks::Attempt::Done, renewed};
            },
            [this, done = std::move(done)](const locks::AttemptResult &result) {
                done(result);
                ++answeredRenewals;
            },
            {});
    }

    void release(const locks::Lease &lease, Done done) override
    {
        ask(
            [this, lease] {
                const auto found = m_store.held.find(lease.name);
                if (found == m_store.held.end() || found->token != lease.token)
                    return locks::AttemptResult{locks::Attempt::Lost};
                if (--found->depth == 0) {
                    m_store.held.erase(found);
                    for (FakeLockClient *client : std::as_const(others)) {
                        if (client->m_wakes.contains(lease.name))
                            client->m_wakes.value(lease.name)();
                    }
                }
                return locks::AttemptResult{locks::Attempt::Done};
            },
            std::move(done), {});
    }

    void subscribe(const QByteArray &name, Wake wake) override
    {
        m_wakes.insert(name, wake);
        QMetaObject::invokeMethod(this, wake, Qt::QueuedConnection);
    }
    void unsubscribe(const QByteArray &name) override { m_wakes.remove(name); }

    void announce(const QByteArray &name, const QList<locks::AnnouncedWaiter> &waiters, qint64,
                  Done done) override
    {
        ++announcements;
        if (!announceTrouble) {
            for (const locks::AnnouncedWaiter &waiter : waiters)
                announced.insert(waiter.id, name);
        }
        QMetaObject::invokeMethod(
            this, [done = std::move(done), this] { done({.error = announceTrouble}); }, Qt::QueuedConnection);
    }
    void forget(const QByteArray &, const QByteArray &id) override { announced.remove(id); }

    /** While true, the client holds back all answers, but still carries out the requests. */
    void setSilent(bool silent)
    {
        m_silent = silent;
        if (!silent) {
            for (const auto &answer : std::exchange(m_owed, {}))
                QMetaObject::invokeMethod(this, answer, Qt::QueuedConnection);
        }
    }

    std::optional<base::Error> trouble; ///< every request fails with it
    bool troubleAfter = false;          ///< … but is carried out
    bool renewalProves = false;         ///< each renewal makes another token
    qint64 freeInUs = -1;
    qint64 grantsUs = std::numeric_limits<qint64>::max(); ///< at most, whatever is asked for
    int renewals = 0;
    int answeredRenewals = 0; ///< the lock has taken the answers, too
    int announcements = 0;
    QHash<QByteArray, QByteArray> announced; ///< waiter → its lock
    std::optional<base::Error> announceTrouble;
    QList<FakeLockClient *> others; ///< notified of releases; may include this client

private:
    void ask(const std::function<locks::AttemptResult()> &act, Done done, const locks::Lease &wanted)
    {
        ++m_store.commands;
        locks::AttemptResult result;
        if (!trouble || troubleAfter)
            result = act();
        if (trouble) {
            const locks::Lease lease = result.lease.token.isEmpty() ? wanted : result.lease;
            result = {locks::Attempt::Held, lease, trouble};
        }
        const auto answer = [done = std::move(done), result] { done(result); };
        if (m_silent)
            m_owed.append(answer);
        else
            QMetaObject::invokeMethod(this, answer, Qt::QueuedConnection);
    }

    FakeLocks &m_store;
    locks::Traits m_traits;
    QHash<QByteArray, Wake> m_wakes;
    QList<std::function<void()>> m_owed;
    bool m_silent = false;
    int m_tokens = 0;
};

} // namespace lockkeeper::tests
