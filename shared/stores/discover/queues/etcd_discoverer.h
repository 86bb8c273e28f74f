// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/discover/verified_discoverer.h"
#include "shared/stores/etcd/connection/gateway.h"
#include "shared/stores/etcd/connection/wire.h"

namespace lockkeeper::stores::discover {

/** Judges which keys of etcd are locks: queues below one prefix go together, and so do keys under leases. A
 * pure function; it ignores values. */
QList<Candidate> judgeKeys(const QList<etcd::KeyValue> &keys);

/** Looks through one etcd cluster's keys, without their values. Runs on the thread that made it; nothing
 * blocks. */
class EtcdDiscoverer final : public VerifiedDiscoverer
{
    Q_OBJECT

public:
    /** Unsupported where this build leaves etcd out. */
    static base::Result<std::unique_ptr<Discoverer>> of(SourceSpec spec);

    /** At most `mostKeys` are read. */
    EtcdDiscoverer(SourceSpec spec, etcd::Endpoints endpoints, qsizetype mostKeys = 200'000);

    void start() override;

private:
    void tryMember(qsizetype left);
    void readPage(const QByteArray &from);
    void drop() override { m_gateway.abort(); }

    etcd::Gateway m_gateway;
    qsizetype m_mostKeys;
    QList<etcd::KeyValue> m_keys;
    qint64 m_revision = 0; ///< of all pages
};

} // namespace lockkeeper::stores::discover
