// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/redis/connection/redis_connection.h"
#include "shared/stores/source_spec.h"

namespace lockkeeper::stores::redis {

/** The sentinels that know where a primary is. */
struct SentinelGroup
{
    QList<Endpoint> sentinels;
    QByteArray name;     ///< of the primary, as the sentinels call it
    QByteArray password; ///< of the sentinels; their user is in each endpoint
    Endpoint primary;    ///< how to connect to it, except its address
};

/**
 * Reads
 * `redis+sentinel://[user@]host[:port][,host[:port]…]/NAME[/db][?sentinel_user=U&sentinel_password=REF]`; REF
 * is a reference (env:NAME, file:/PATH). With any tls_* key both the sentinels and the primary are spoken to
 * by TLS.
 */
base::Result<SentinelGroup> sentinelGroupOf(const SourceSpec &spec);

/**
 * Asks sentinels in turn where the primary is, and stays with the first that knows. Its +switch-master and a
 * question every few seconds show when the primary is another. Protocol: redis.io, "Guidelines for Redis
 * clients with support for Redis Sentinel".
 */
class SentinelGuide : public QObject
{
    Q_OBJECT

public:
    explicit SentinelGuide(SentinelGroup group, QObject *parent = nullptr);

    /** Answers found() or notFound(), once each sentinel had its turn. */
    void find();
    /** Asks no more, and emits nothing. */
    void stop();
    /** The server at the reported address isn't the primary, or can't be found: another sentinel is asked
     * next, as this one may be cut off from the others. */
    void mistrust();
    const SentinelGroup &group() const { return m_group; }

Q_SIGNALS:
    void found(const lockkeeper::stores::redis::Endpoint &primary);
    void notFound(const lockkeeper::base::Error &error);
    /** After found(): the primary is somewhere else now, in words. */
    void moved(const QString &words);

private:
    void openNext();
    void dropLink();
    void ask();
    void takeAddress(const redisReply *reply);
    void refused(const redisReply *reply);
    void fail(base::Error error);
    void takeMessage(const redisReply *reply);
    void takeLoss(const base::Error &error);
    void tell(const QString &host, quint16 port);

    SentinelGroup m_group;
    std::unique_ptr<RedisConnection> m_link;
    QTimer m_again;
    qsizetype m_at = 0;    ///< whose turn it is
    qsizetype m_tried = 0; ///< since find()
    bool m_finding = false;
    QString m_host; ///< as reported last; empty: not yet
    quint16 m_port = 0;
};

} // namespace lockkeeper::stores::redis
