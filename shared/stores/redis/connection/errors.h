// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/error.h"

#include <QByteArray>
#include <QByteArrayView>

struct redisReply;

namespace lockkeeper::stores::redis {

/** The purpose of a missing right; it decides which ACL rule is named. */
enum class RightPurpose : quint8 { Observe, Break, Hold };

/** For the remedies: the ACL user, and the keys in question as an ACL pattern ("lock:*"). */
struct AclSubject
{
    QByteArray user;
    QByteArray keys;
    bool readPatterns = true;     ///< the server knows `%R~pattern` (Redis 7)
    QByteArray observeRules = {}; ///< what else the scheme needs; empty: as redis.token
    QByteArray breakRules = {};
};

/** The statement that grants `rules` to the asker, as redis-cli takes it: `ACL SETUSER lk +scan`. */
QString aclStatement(const AclSubject &asker, QByteArrayView rules);

/** The rule that opens the asker's keys: read only to observe, both ways to break or to hold. Empty where its
 * keys aren't known: no rule opens all of them. */
QByteArray keyRule(const AclSubject &asker, RightPurpose purpose);

/** All rules that `purpose` needs, the keys' first, in the words of the asker's server. */
QByteArray rulesOf(const AclSubject &asker, RightPurpose purpose);

/** The command that a refusal names; empty where the server forbids keys or channels instead. */
QByteArray deniedCommand(QByteArrayView message);

/**
 * Converts an error reply to an Error. The cause is the server's own words; the reply's first word
 * (WRONGPASS, NOPERM, LOADING, READONLY, …) gives the code. For a missing right, the Error names the ACL rule
 * to add.
 */
base::Error errorOf(QByteArrayView message, const AclSubject &asker,
                    RightPurpose purpose = RightPurpose::Observe);
base::Error errorOf(const redisReply *reply, const AclSubject &asker,
                    RightPurpose purpose = RightPurpose::Observe);

/** True for the answer to a command that the server lacks: renamed, switched off, unknown to a proxy. */
bool lacksCommand(QByteArrayView message);
/** … or that the user may not run. */
bool refusesCommand(const redisReply *reply);

} // namespace lockkeeper::stores::redis
