// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/redis/schemes/key_scheme.h"

namespace lockkeeper::stores::redis {

/**
 * Scheme redis.redisson: a hash is a lock, its fields its holders with the depth of their re-entry. Redisson
 * writes `uuid:threadId`; ports of it write what they like (`uuid:uuid`). Protocol: the scripts of
 * Redisson 3.x (RedissonLock, RedissonFairLock, RedissonFencedLock, RedissonReadLock, RedissonWriteLock).
 *
 * Identity is the field (of a read-write lock the mode and all fields); the counts are compared by every
 * break as well, but a holder that enters once more hasn't acquired again. A read-write lock that several
 * threads hold can't be broken.
 *
 * Waiters of the fair lock are its queue, in order. Those of other locks only show as subscribers of its
 * channel, a process at a time: a number, no names.
 *
 * The counter of a fenced lock says nothing of a holder who took the plain one. Its token is shown only where
 * all clients of the set are said to take fenced locks (`fenced`) and nobody acquired between two readings of
 * it. The token is left out where its key may not be read.
 */
class RedissonScheme final : public KeyScheme
{
public:
    RedissonScheme(Script release, bool fenced) : KeyScheme(std::move(release)), m_fenced(fenced) {}

    QByteArrayView scanType() const override { return "hash"; }
    QList<QByteArrayView> besidePrefixes() const override
    {
        return {"redisson_lock_queue:", "redisson_lock_timeout:"};
    }
    int commandsAKey() const override { return 12; } // a fair lock with waiters
    int ask(CommandBatch &batch, const Observation &lock, const KeyReading &reading,
            const ReadMode &mode) const override;
    bool isOfLock(const KeyReading &reading, int index) const override;
    void take(Observation &lock, KeyReading &reading, int index, const redisReply *reply,
              PageReading &page) const override;
    void explain(Observation &lock) const override;
    base::Result<ReleaseCall> releaseCall(const ReleaseOrder &order, QByteArrayView name) const override;
    QList<RightQuestion> rights(const QByteArray &key) const override;
    QByteArray observeRules() const override;
    QByteArray breakRules() const override;

private:
    bool m_fenced;
};

} // namespace lockkeeper::stores::redis
