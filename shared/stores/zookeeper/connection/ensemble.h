// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/result.h"
#include "shared/stores/host_list.h"
#include "shared/stores/source_spec.h"

namespace lockkeeper::stores::zookeeper {

/** An entry of a znode's access list. */
struct ZnodeGrant
{
    QByteArray scheme; ///< "world", "digest", "ip", …
    QByteArray id;     ///< "anyone", "user:hash", …
    int rights = 0;    ///< ZooKeeper's bits: 1 read, 2 write, 4 create, 8 delete, 16 admin

    bool operator==(const ZnodeGrant &) const = default;
};

/** Where a zookeeper:// URL leads. */
struct Ensemble
{
    QList<Host> servers;      ///< each with its port, in the configured order
    QByteArray chroot;        ///< "/app"; empty: the whole tree
    QByteArray login;         ///< "user:password" of the digest scheme; empty: none
    QList<ZnodeGrant> grants; ///< for created znodes, beside all rights for the login
    qint64 connectTimeoutMs = 5'000;
    qint64 answerTimeoutMs = 5'000;
    qint64 sessionTimeoutMs = 0; ///< requested from the server; 0: ten seconds
};

/** Reads "world:anyone:r,digest:lockkeeper:HASH=:rd", as zkCli.sh's setAcl takes it. */
base::Result<QList<ZnodeGrant>> grantsOf(const QString &text);

/**
 * Reads `zookeeper://[user@]h1[:2181],h2[:2181][/chroot][?acl=GRANTS]`; a usage Error for anything else, and
 * Unsupported for TLS, which Debian's client library is built without.
 */
base::Result<Ensemble> ensembleOf(const SourceSpec &spec);

} // namespace lockkeeper::stores::zookeeper
