// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/result.h"
#include "shared/domain/source_state.h"
#include "shared/stores/redis/connection/handshake.h"
#include "shared/stores/redis/schemes/key_scheme.h"
#include "shared/stores/source_spec.h"

#include <functional>

namespace lockkeeper::stores::redis {

class RedisConnection;

/** The rights of this user, by needs: scan, pexpiretime (pttl), time, info, release, and the commands of the
 * configured schemes (getrange, strlen, type, …). */
struct ProbedRights
{
    QList<domain::Access> access;
    bool exactDeadlines = true; ///< PEXPIRETIME exists and is allowed
    base::Error warning;        ///< code not Unknown: something is missing that observing can do without
};

/**
 * Tries every command that this source needs in a way that changes nothing: reads go to a key that fits each
 * set's pattern, the scripts' rights are asked inside a script. One round trip. `done` is called once
 * unless the connection is destroyed; a link lost meanwhile is an error.
 */
void probeRights(RedisConnection &connection, const SourceSpec &spec, const KeySchemes &schemes,
                 const RedisFacts &facts, std::function<void(const base::Result<ProbedRights> &)> done);

/** The statement with all rules that observing this source takes, after `more`; for a server that refused
 * before they could be tried. */
QString observeStatement(const SourceSpec &spec, const KeySchemes &schemes, const QByteArray &user,
                         const QByteArray &more);

/** A name that fits the glob `pattern`: "lock:*" gives "lock:". */
QByteArray sampleOf(QByteArrayView pattern);

} // namespace lockkeeper::stores::redis
