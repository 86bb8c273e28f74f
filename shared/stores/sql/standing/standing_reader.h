// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/sql/catalogue/server_facts.h"
#include "shared/stores/store.h"

#include <QSqlRecord>

namespace lockkeeper::stores::sql {

/** One channel of a MySQL or MariaDB replica, as SHOW REPLICA STATUS shows it. */
struct ChannelStatus
{
    bool runs = false;           ///< it receives and applies
    bool caughtUp = false;       ///< all that was received is applied
    QByteArray received;         ///< grows with what is received
    std::optional<qint64> lateS; ///< Seconds_Behind_Source
};

/** Reads a row of SHOW REPLICA STATUS, in the words of any version. */
ChannelStatus channelStatusOf(const QSqlRecord &row);

/** The transactions of each server in the text of @@gtid_executed. */
QHash<QByteArray, quint64> executedOf(const QString &gtidSet);

/**
 * The time until which a replica of MySQL or MariaDB surely has all that its primary wrote. The server shows
 * no such time while it waits for more. New data that arrives between two readings proves that nothing was
 * missing at the first reading.
 */
class ReplicaProof
{
public:
    /** `nowUs`: time of the reading; `silenceMs`: a link that is silent for longer counts as broken. */
    void take(const ChannelStatus &channel, qint64 nowUs, qint64 silenceMs);
    std::optional<qint64> asOfUs() const { return m_asOfUs; }

private:
    QByteArray m_received;
    qint64 m_readUs = 0;
    std::optional<qint64> m_asOfUs;
};

/** Reads the replication state of a connection's server. It starts over with each connection. */
class StandingReader
{
public:
    /** An error only if the link is lost, or leads to another server than that of `facts`. */
    base::Result<Standing> read(SqlConnection &connection, const ServerFacts &facts);
    void clear() { *this = {}; }

private:
    base::Result<Standing> readPostgreSql(SqlConnection &connection, const ServerFacts &facts);
    base::Result<Standing> readMySql(SqlConnection &connection, const ServerFacts &facts);
    base::Result<void> readChannels(SqlConnection &connection, const ServerFacts &facts, Standing &standing);

    QHash<QByteArray, ReplicaProof> m_channels; ///< by name
    std::optional<bool> m_replica;              ///< as first read
};

} // namespace lockkeeper::stores::sql
