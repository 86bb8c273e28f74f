// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/error.h"
#include "shared/domain/finding.h"
#include "shared/stores/store.h"

#include <QByteArray>
#include <QList>
#include <QTimer>

#include <optional>

namespace lockkeeper::stores::redis {

class RedisConnection;

/** A replica as INFO of its master shows it. */
struct ReplicaFacts
{
    bool online = false;    ///< false: it is still being given the data set
    qint64 silentS = 0;     ///< seconds since it was last heard
    qint64 behindBytes = 0; ///< of the replication stream that it hasn't confirmed
};

/** Facts from INFO that bear on the safety of locks; empty where this server doesn't show them. */
struct HealthFacts
{
    QByteArray runId;
    qint64 nowUs = 0; ///< the server's clock; 0: not known
    QByteArray policy;
    std::optional<qint64> maxMemory;
    std::optional<qint64> evicted;
    std::optional<bool> appendOnly;
    std::optional<qint64> unsaved; ///< changes since the last snapshot
    std::optional<qint64> savedS;  ///< the last snapshot, or the start, seconds since the epoch
    bool snapshotFailed = false;
    bool appendFailed = false;
    bool replica = false;
    bool masterLinkUp = true; ///< of a replica
    qint64 masterSilentS = 0;
    std::optional<qint64> masterHeardS; ///< seconds since its master was heard last
    QList<ReplicaFacts> replicas;
};

/** Reads the answer of INFO: unknown lines are skipped. */
HealthFacts healthFactsOf(QByteArrayView info);

/** A replica applies at once each write that it hears of: it has all from before its master spoke last. */
Standing standingOf(const HealthFacts &facts);

/**
 * Turns readings into findings, and remembers values that mean something only in two readings together. Pure.
 * The codes are listed in PROTOCOL.md.
 */
class HealthJudge
{
public:
    /** `save`: what CONFIG GET save answered; empty: not known. */
    QList<domain::Finding> judge(const HealthFacts &facts, const std::optional<QByteArray> &save);

private:
    void memory(const HealthFacts &facts);
    void persistence(const HealthFacts &facts, const std::optional<QByteArray> &save);
    void replication(const HealthFacts &facts);
    void add(const char *code, domain::Severity severity, const QByteArray &value,
             std::optional<qint64> whenUs = std::nullopt);

    QList<domain::Finding> m_found;
    QByteArray m_runId;
    qint64 m_evicted = 0;
    std::optional<qint64> m_evictedUs; ///< when their number was last seen to have grown
};

/** Adds what the server `node` of several shows: of each kind the worst stays, with the first three servers
 * that show it as badly. */
void addWorst(QList<domain::Finding> &all, const QList<domain::Finding> &own, const QByteArray &node);

/**
 * Looks at a server's INFO now and then over a connection that others use too: one command each time, and
 * once a connection `CONFIG GET save`, which may be forbidden. Ends by itself when the link does.
 */
class HealthCheck : public QObject
{
    Q_OBJECT

public:
    static constexpr int kEveryMs = 15'000;
    static constexpr int kReplicaEveryMs = 1'000;

    /** The connection isn't owned. */
    explicit HealthCheck(RedisConnection &connection, QObject *parent = nullptr);

    /** The link is up, and logged in: begins. */
    void start(int everyMs = kEveryMs);
    void stop();

Q_SIGNALS:
    /** Everything that is known, every time. */
    void read(const QList<lockkeeper::domain::Finding> &findings);
    /** For a replica, before its findings: how old its data may be. */
    void standingRead(const lockkeeper::stores::Standing &standing);

private:
    void askSave();
    void look();

    RedisConnection &m_connection;
    HealthJudge m_judge;
    QTimer m_timer;
    std::optional<QByteArray> m_save;
    quint64 m_epoch = 0; ///< answers of an earlier link are ignored
};

} // namespace lockkeeper::stores::redis
