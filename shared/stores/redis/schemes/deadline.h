// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/redis/schemes/key_scheme.h"

namespace lockkeeper::stores::redis {

/** "PEXPIRETIME", or "PTTL" where the server doesn't have it. */
QByteArrayView deadlineCommand(const ReadMode &mode);

/**
 * The answer to deadlineCommand() into `lock`: expiry, and as freshness the text that the scripts compare
 * ("-1", "1795212345678"). A time to live becomes a deadline only by settle(). False where it spoils the
 * page.
 */
bool takeDeadline(Observation &lock, const redisReply *reply, PageReading &page);

/** Turns a time to live, read at some time in the page, into a deadline. Redis counts whole milliseconds. */
void settleDeadline(Observation &lock, qint64 beganUs, qint64 endedUs);

/** The key exists, but can't be read as the scheme says; all facts about its holder are dropped. */
void setUnreadable(Observation &lock, Flaw flaw);

/** The same where the server refuses, or lacks, a command that is needed to read the key. */
void setRefused(Observation &lock);

/**
 * A freshness of two parts. The deadline is compared where the order asks for it. The script always compares
 * the other part, though it doesn't identify the acquisition.
 */
QByteArray joinedFreshness(const QByteArray &deadline, QByteArrayView always);
struct FreshnessParts
{
    QByteArray deadline;
    QByteArray always;
};
std::optional<FreshnessParts> splitFreshness(const QByteArray &freshness);

/** The flags that end the arguments of every release script: "must have expired", "dry run". */
QList<QByteArray> flagsOf(const ReleaseOrder &order);

} // namespace lockkeeper::stores::redis
