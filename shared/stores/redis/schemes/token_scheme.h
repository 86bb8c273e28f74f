// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/redis/schemes/key_scheme.h"

namespace lockkeeper::stores::redis {

/**
 * Scheme redis.token: a string key is a lock, its value the holder. Asked by GETRANGE and the deadline, and
 * again with STRLEN where a value may be cut or gone. Protocol: SET NX PX, compare-and-delete by Lua
 * (redis.io, "Distributed locks with Redis"). Value and deadline aren't read atomically: a key that changes
 * hands between the two can show the old holder with the new deadline, which no guard then fits.
 */
class TokenScheme : public KeyScheme
{
public:
    /** `wakes`: KeyPreset::wakes. */
    explicit TokenScheme(Script release, QByteArray wakes = {});

    int ask(CommandBatch &batch, const Observation &lock, const KeyReading &reading,
            const ReadMode &mode) const override;
    void take(Observation &lock, KeyReading &reading, int index, const redisReply *reply,
              PageReading &page) const override;
    base::Result<ReleaseCall> releaseCall(const ReleaseOrder &order, QByteArrayView name) const override;
    QList<RightQuestion> rights(const QByteArray &key) const override;
    QByteArray breakRules() const override;
    QByteArray wakeRules() const override;

private:
    QByteArray m_wakes;
};

/**
 * The lists and channels on which waiting clients sleep, as their client's own unlock notifies them. Spring
 * Integration's RedisLockRegistry (PUB_SUB_LOCK) uses "REGISTRY-channel:KEY", its first versions
 * "REGISTRY-channel". The end of the registry's name in "REGISTRY:PATH" is ambiguous, as both may have
 * colons.
 */
QList<QByteArray> sleepersOf(QByteArrayView wakes, const QByteArray &name);

} // namespace lockkeeper::stores::redis
