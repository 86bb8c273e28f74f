// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/standing/standing_reader.h"

#include "shared/base/clock.h"
#include "shared/stores/sql/connection/sql_errors.h"

#include <QSqlQuery>

#include <algorithm>

namespace lockkeeper::stores::sql {

using base::Error;
using base::ErrorCode;

namespace {

constexpr qint64 kStalledUs = 60 * base::kSecondUs;

Error otherServer()
{
    return {ErrorCode::ConnectionLost, QStringLiteral("another server answers through this connection"),
            QStringLiteral("Use the server's own address instead of a load balancer's.")};
}

QByteArray serverOf(const ServerFacts &facts)
{
    return facts.instance.first(std::max<qsizetype>(0, facts.instance.lastIndexOf(':')));
}

/** The first row, or none where this user may not read it; an error if the link is lost. */
base::Result<QSqlRecord> rowOf(SqlConnection &connection, const QString &sql)
{
    auto rows = connection.query(sql);
    if (!rows && isLinkLost(rows.error().code))
        return tl::unexpected(rows.error());
    return rows && rows->next() ? rows->record() : QSqlRecord();
}

std::optional<qint64> numberIn(const QSqlRecord &row, int column)
{
    return row.isNull(column) ? std::nullopt : std::optional(row.value(column).toLongLong());
}

/**
 * While nothing is written, a primary reports its position only now and then (wal_sender_timeout / 2). The
 * transaction that was replayed last has its time in the log. The later of both times counts. Only pg_monitor
 * may read the former.
 */
const QString kPostgreSqlStanding = QStringLiteral(
    "SELECT CASE WHEN pg_is_in_recovery() THEN 1 ELSE 0 END, "
    "CAST(EXTRACT(EPOCH FROM pg_postmaster_start_time()) * 1000000 AS bigint), "
    "CAST(CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_lsn() END "
    "- CAST('0/0' AS pg_lsn) AS bigint), "
    "CASE WHEN pg_is_in_recovery() THEN '' ELSE substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) END, "
    "CAST(EXTRACT(EPOCH FROM greatest(pg_last_xact_replay_timestamp(), "
    "(SELECT max(last_msg_send_time) FROM pg_catalog.pg_stat_wal_receiver WHERE status = 'streaming' "
    "AND latest_end_lsn <= pg_last_wal_replay_lsn()))) * 1000000 AS bigint), "
    "CASE WHEN NOT pg_is_in_recovery() THEN 0 WHEN pg_is_wal_replay_paused() THEN 1 ELSE 0 END, "
    "(SELECT count(*) FROM pg_catalog.pg_stat_wal_receiver), "
    "CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS bigint)");

int columnOf(const QSqlRecord &row, std::initializer_list<const char *> names)
{
    for (const char *name : names) {
        if (const int at = row.indexOf(QLatin1String(name)); at >= 0)
            return at;
    }
    return -1;
}

QByteArray textOf(const QSqlRecord &row, std::initializer_list<const char *> names)
{
    const int at = columnOf(row, names);
    return at < 0 ? QByteArray() : row.value(at).toString().toUtf8();
}

} // namespace

ChannelStatus channelStatusOf(const QSqlRecord &row)
{
    ChannelStatus channel;
    const QByteArray file = textOf(row, {"Source_Log_File", "Master_Log_File"});
    const QByteArray read = textOf(row, {"Read_Source_Log_Pos", "Read_Master_Log_Pos"});
    channel.runs = textOf(row, {"Replica_IO_Running", "Slave_IO_Running"}) == "Yes" &&
                   textOf(row, {"Replica_SQL_Running", "Slave_SQL_Running"}) == "Yes";
    channel.caughtUp = file == textOf(row, {"Relay_Source_Log_File", "Relay_Master_Log_File"}) &&
                       read == textOf(row, {"Exec_Source_Log_Pos", "Exec_Master_Log_Pos"});
    channel.received =
        file + ':' + read + ':' + textOf(row, {"Slave_received_heartbeats", "Retrieved_Gtid_Set"});
    const int late = columnOf(row, {"Seconds_Behind_Source", "Seconds_Behind_Master"});
    if (late >= 0 && !row.isNull(late))
        channel.lateS = row.value(late).toLongLong();
    return channel;
}

QHash<QByteArray, quint64> executedOf(const QString &gtidSet)
{
    QHash<QByteArray, quint64> executed;
    for (const QString &part : gtidSet.split(QLatin1Char(','), Qt::SkipEmptyParts)) {
        const QStringList pieces = part.trimmed().split(QLatin1Char(':'));
        quint64 &count = executed[pieces.constFirst().toUtf8()];
        for (const QString &piece : pieces.sliced(1)) {
            const quint64 first = piece.section(QLatin1Char('-'), 0, 0).toULongLong();
            const quint64 last = piece.section(QLatin1Char('-'), -1).toULongLong();
            if (first > 0 && last >= first) // otherwise a tag
                count += last - first + 1;
        }
    }
    return executed;
}

void ReplicaProof::take(const ChannelStatus &channel, qint64 nowUs, qint64 silenceMs)
{
    const bool arrived = m_readUs != 0 && channel.received != m_received;
    const auto reach = [this](qint64 us) { m_asOfUs = std::max(m_asOfUs.value_or(us), us); };
    if (channel.runs && channel.caughtUp) {
        reach(nowUs - silenceMs * 1'000);
        if (arrived)
            reach(m_readUs);
    } else if (channel.runs && channel.lateS.value_or(0) > 0) {
        reach(nowUs - (*channel.lateS + 1) * base::kSecondUs);
    }
    m_received = channel.received;
    m_readUs = nowUs;
}

base::Result<Standing> StandingReader::read(SqlConnection &connection, const ServerFacts &facts)
{
    Standing standing;
    standing.server = standing.line = facts.instance;
    if (connection.dialect() == Dialect::Sqlite)
        return standing;
    auto found = connection.dialect() == Dialect::PostgreSql ? readPostgreSql(connection, facts)
                                                             : readMySql(connection, facts);
    if (found && found->replica != m_replica.value_or(found->replica))
        return base::failure(ErrorCode::ConnectionLost,
                             found->replica ? QStringLiteral("the server has become a replica")
                                            : QStringLiteral("the server is no longer a replica"));
    if (found)
        m_replica = found->replica;
    return found;
}

base::Result<Standing> StandingReader::readPostgreSql(SqlConnection &connection, const ServerFacts &facts)
{
    Standing standing;
    standing.server = standing.line = serverOf(facts);
    const auto row = rowOf(connection, kPostgreSqlStanding);
    if (!row)
        return tl::unexpected(row.error());
    if (row->isEmpty()) { // a relative of PostgreSQL that lacks one of these functions
        const auto standby = oneText(connection, QStringLiteral("SELECT CASE WHEN pg_is_in_recovery() "
                                                                "THEN 1 ELSE 0 END"));
        standing.replica = standby && *standby == QLatin1String("1");
        return standing;
    }
    if (row->value(1).toByteArray() != facts.instance.mid(facts.instance.lastIndexOf(':') + 1))
        return tl::unexpected(otherServer());
    standing.replica = row->value(0).toInt() != 0;
    standing.branch = row->value(3).toByteArray();
    if (const auto reached = numberIn(*row, 2))
        standing.reached.insert("wal", quint64(*reached));
    if (!standing.replica)
        return standing;
    standing.asOfUs = numberIn(*row, 4);
    const qint64 nowUs = row->value(7).toLongLong();
    const bool receives = row->value(6).toInt() > 0;
    standing.stalled = row->value(5).toInt() != 0 ||
                       (!receives && (!standing.asOfUs || nowUs - *standing.asOfUs > kStalledUs));
    return standing;
}

base::Result<Standing> StandingReader::readMySql(SqlConnection &connection, const ServerFacts &facts)
{
    Standing standing;
    const bool mariaDb = connection.isMariaDb();
    standing.server = standing.line = serverOf(facts);
    const auto row =
        rowOf(connection, mariaDb ? QStringLiteral("SELECT @@GLOBAL.server_id, VARIABLE_VALUE FROM "
                                                   "information_schema.GLOBAL_STATUS WHERE "
                                                   "VARIABLE_NAME = 'Innodb_lsn_current'")
                                  : QStringLiteral("SELECT @@GLOBAL.server_uuid, @@GLOBAL.gtid_executed"));
    if (!row)
        return tl::unexpected(row.error());
    if (mariaDb && !row->isEmpty()) {
        // server_uid, from 10.10 on, consists of a machine's address and a port: two servers on one machine
        // may share it. Servers that replicate each other differ in server_id.
        standing.server = standing.line = serverOf(facts) + '/' + row->value(0).toByteArray();
        standing.reached.insert("lsn", row->value(1).toULongLong());
    } else if (!row->isEmpty()) {
        if (row->value(0).toByteArray() != standing.server)
            return tl::unexpected(otherServer());
        standing.reached = executedOf(row->value(1).toString());
        // The sets name the transactions of each server: any server has all the transactions in its sets.
        if (!standing.reached.isEmpty())
            standing.line = "gtid";
    }
    if (const auto read = readChannels(connection, facts, standing); !read)
        return tl::unexpected(read.error());
    return standing;
}

base::Result<void> StandingReader::readChannels(SqlConnection &connection, const ServerFacts &facts,
                                                Standing &standing)
{
    const bool mariaDb = connection.isMariaDb();
    auto rows = connection.query(mariaDb ? QStringLiteral("SHOW ALL SLAVES STATUS")
                                         : QStringLiteral("SHOW REPLICA STATUS"));
    if (!rows && !mariaDb && !isLinkLost(rows.error().code))
        rows = connection.query(QStringLiteral("SHOW SLAVE STATUS")); // before 8.0.22
    if (!rows && isLinkLost(rows.error().code))
        return tl::unexpected(rows.error());
    if (!rows) { // not permitted: it is unknown whether a read-only server is a replica
        standing.replica = facts.readOnly;
        return {};
    }
    QList<QSqlRecord> channels;
    while (rows->next())
        channels.append(rows->record());
    if (channels.isEmpty())
        return {};
    const auto now = connection.storeTimeUs();
    const auto silence = rowOf(connection, QStringLiteral("SELECT @@GLOBAL.slave_net_timeout"));
    if (!now || !silence)
        return tl::unexpected(now ? silence.error() : now.error());
    const qint64 silenceMs = silence->isEmpty() ? 60'000 : (silence->value(0).toLongLong() + 1) * 1'000;
    standing.replica = true;
    bool known = true;
    for (const QSqlRecord &row : channels) {
        const ChannelStatus channel = channelStatusOf(row);
        ReplicaProof &proof = m_channels[textOf(row, {"Connection_name", "Channel_Name"})];
        proof.take(channel, *now, silenceMs);
        standing.stalled = standing.stalled || !channel.runs;
        known = known && proof.asOfUs();
        standing.asOfUs = std::min(standing.asOfUs.value_or(*now), proof.asOfUs().value_or(*now));
    }
    if (!known)
        standing.asOfUs.reset();
    return {};
}

} // namespace lockkeeper::stores::sql
