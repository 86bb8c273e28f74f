// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/redis/schemes/key_scheme.h"
#include "shared/stores/redis/schemes/seen_leases.h"

namespace lockkeeper::stores::redis {

/**
 * Scheme redis.semaphore: a sorted set, or a hash, holds the permits that are out, each a separate lock.
 * These are the layouts (Permits).
 *
 * - redis-semaphore (npm): `semaphore:NAME`, member = the holder's identifier, score = when it was acquired
 *   or refreshed, by the client's clock. It runs out `leaseUs` later. The next client that acquires removes
 *   it. Where the set's own time to live shows a longer lease, that lease counts (SeenLeases).
 * - Redisson's RPermitExpirableSemaphore: `{NAME}:timeout`, member = the permit, score = its deadline. The
 *   string NAME counts the permits that are left.
 * - Symfony's Lock from 5.2 on: the lock's name as it is, member = the holder's token, score = its deadline.
 *   A member `__write__` with the score of the holder excludes other holders.
 * - sidekiq-unique-jobs from 7 on: the hash `uniquejobs:DIGEST:LOCKED`, field = the job, value = when it took
 *   the lock. It ends with the whole hash, if ever. Waiting clients sleep on the list
 *   `uniquejobs:DIGEST:QUEUED`.
 * - huey's lock_task(): a constant in the field `NAME.lock.LOCK` of the hash of results.
 *
 * A subject's name is "MEMBER/KEY", the member encoded by encodedMember(). A name without a member stands for
 * a key that can't be read.
 */
class SemaphoreScheme final : public KeyScheme
{
public:
    SemaphoreScheme(const LockSet &set, const std::optional<Script> &release);

    bool manyPerKey() const override { return true; }
    bool holdsOnlyLocks() const override { return m_permits != Permits::Huey; }
    bool isLock(QByteArrayView key) const override;
    QByteArrayView scanType() const override { return m_fields ? "hash" : "zset"; }
    QByteArrayView keyOf(QByteArrayView subjectName) const override;
    bool readsDeadlines() const override { return !m_deadlineScores; }
    int commandsAKey() const override { return m_deadlineScores ? 3 : 4; }
    QByteArray wakeRules() const override;
    int ask(CommandBatch &batch, const Observation &lock, const KeyReading &reading,
            const ReadMode &mode) const override;
    void take(Observation &lock, KeyReading &reading, int index, const redisReply *reply,
              PageReading &page) const override;
    base::Result<ReleaseCall> releaseCall(const ReleaseOrder &order, QByteArrayView name) const override;
    std::optional<domain::Finding> finding() const override;
    QList<RightQuestion> rights(const QByteArray &key) const override;
    QByteArray observeRules() const override;
    QByteArray breakRules() const override;

private:
    void takeSize(Observation &lock, KeyReading &reading, int index, const redisReply *reply,
                  PageReading &page) const;
    void takeMembers(Observation &lock, KeyReading &reading, const redisReply *reply,
                     PageReading &page) const;
    void takeOfKey(Observation &permit, KeyReading &reading, int index, const redisReply *reply,
                   PageReading &page) const;
    int askEnd(CommandBatch &batch, const QByteArray &key, const ReadMode &mode) const;
    qint64 leaseOf(const QByteArray &key, qint64 newestMs, const redisReply *reply, PageReading &page) const;
    void takeEnd(const QByteArray &key, const KeyReading &reading, const redisReply *reply,
                 PageReading &page) const;
    void setPermit(Observation &permit, const QByteArray &member, const QByteArray &score) const;
    void setField(Observation &permit, const QByteArray &field, const QByteArray &value) const;
    bool isPermit(QByteArrayView member) const;

    QByteArray m_match;
    Permits m_permits;
    bool m_deadlineScores;
    bool m_fields;               ///< of a hash
    mutable SeenLeases m_leases; ///< of the store's thread
};

/** A member as part of a place: all but letters, digits and "-._~:@" as %XX, the empty one as "%". */
QByteArray encodedMember(QByteArrayView member);
QByteArray decodedMember(QByteArrayView encoded);

} // namespace lockkeeper::stores::redis
