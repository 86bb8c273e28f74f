// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/binlog/log_source.h"

#include "shared/base/clock.h"
#include "shared/stores/sql/catalogue/server_facts.h"
#include "shared/stores/sql/connection/identifiers.h"

#include <QCryptographicHash>

namespace lockkeeper::stores::sql::binlog {

using base::ErrorCode;
using base::failure;

namespace {
base::Result<QByteArray> one(BinlogStream &stream, const QByteArray &sql)
{
    const auto rows = stream.query(sql);
    if (!rows)
        return tl::unexpected(rows.error());
    return rows->isEmpty() ? QByteArray() : rows->constFirst().value(0);
}

base::Result<void> settings(BinlogStream &stream)
{
    const auto rows =
        stream.query("SELECT @@GLOBAL.log_bin, @@GLOBAL.binlog_format, @@GLOBAL.binlog_row_image");
    if (!rows)
        return tl::unexpected(rows.error());
    const BinlogStream::Row row = rows->value(0);
    if (row.value(0) != "1")
        return failure(ErrorCode::Unsupported, QStringLiteral("the server keeps no binary log"),
                       QStringLiteral("Set log_bin in the server's configuration and restart it."));
    if (row.value(1) != "ROW")
        return failure(
            ErrorCode::Unsupported,
            QStringLiteral("binlog_format is %1").arg(QString::fromLatin1(row.value(1))),
            QStringLiteral("Run: SET GLOBAL binlog_format = ROW; and let the applications connect again."));
    if (row.value(2) != "FULL")
        return failure(ErrorCode::Unsupported,
                       QStringLiteral("binlog_row_image is %1").arg(QString::fromLatin1(row.value(2))),
                       QStringLiteral("Run: SET GLOBAL binlog_row_image = FULL;"));
    return {};
}

/** Adds to a missing right the statement that grants it. */
base::Error withGrant(base::Error error, BinlogStream &stream, bool isMariaDb)
{
    if (error.code != ErrorCode::PermissionDenied)
        return error;
    const auto account = one(stream, "SELECT CURRENT_USER()");
    error.remedy =
        QStringLiteral("Run: GRANT REPLICATION SLAVE, %1 ON *.* TO %2;")
            .arg(isMariaDb ? QStringLiteral("BINLOG MONITOR") : QStringLiteral("REPLICATION CLIENT"),
                 quotedAccount(QString::fromUtf8(account.value_or(QByteArray()))));
    return error;
}

/** Without this right the dump still begins. Its first event is then an error without a suitable number. */
base::Result<void> mayRead(BinlogStream &stream, bool isMariaDb)
{
    const auto grants = stream.query("SHOW GRANTS");
    if (!grants)
        return {}; // the stream itself will report a missing right
    for (const BinlogStream::Row &row : *grants) {
        const QByteArray text = row.value(0);
        if (text.contains("REPLICATION SLAVE") || text.startsWith("GRANT ALL PRIVILEGES ON *.*") ||
            text.startsWith("GRANT `") || text.startsWith("SET DEFAULT ROLE"))
            return {}; // a role may grant the right as well
    }
    const base::Error error{
        ErrorCode::PermissionDenied, QStringLiteral("the account may not read the binary log"), {}};
    return tl::unexpected(withGrant(error, stream, isMariaDb));
}

base::Result<void> introduce(BinlogStream &stream, bool isMariaDb)
{
    const QByteArray heartbeat = QByteArray::number(5'000'000'000);
    QByteArray sql = "SET @master_heartbeat_period = " + heartbeat +
                     ", @source_heartbeat_period = " + heartbeat +
                     ", @master_binlog_checksum = 'CRC32', @source_binlog_checksum = 'CRC32'";
    sql +=
        isMariaDb ? ", @mariadb_slave_capability = 4" : ", @slave_uuid = UUID(), @replica_uuid = @slave_uuid";
    const auto set = stream.query(sql);
    return set ? base::Result<void>() : tl::unexpected(set.error());
}

base::Result<QByteArray> serverId(BinlogStream &stream, bool isMariaDb)
{
    if (!isMariaDb)
        return one(stream, "SELECT @@GLOBAL.server_uuid");
    auto id = one(stream, "SELECT @@GLOBAL.server_uid"); // from 10.10 on
    return id ? id
              : one(stream,
                    "SELECT CONCAT(@@GLOBAL.server_id, ':', @@hostname, ':', @@port, ':', @@datadir)");
}

base::Result<LogPlace> logEnd(BinlogStream &stream, bool isMariaDb)
{
    auto rows = stream.query(statusStatement(isMariaDb));
    if (!rows && !isMariaDb && rows.error().code != ErrorCode::PermissionDenied)
        rows = stream.query(statusStatement(true)); // before MySQL 8.2
    if (!rows)
        return tl::unexpected(withGrant(rows.error(), stream, isMariaDb));
    const BinlogStream::Row row = rows->value(0);
    return LogPlace{row.value(0), row.value(1).toULongLong()};
}
} // namespace

QByteArray statusStatement(bool isMariaDb)
{
    return isMariaDb ? "SHOW MASTER STATUS" : "SHOW BINARY LOG STATUS";
}

base::Result<LogFacts> prepareStream(BinlogStream &stream, const SourceSpec &spec, ClockBound &clock,
                                     const QByteArray &instance)
{
    if (const auto open = stream.open(spec); !open)
        return tl::unexpected(open.error());
    const auto version = one(stream, "SELECT VERSION()");
    if (!version)
        return tl::unexpected(version.error());
    LogFacts facts;
    facts.isMariaDb = version->toLower().contains("mariadb");
    if (const auto set = settings(stream); !set)
        return tl::unexpected(set.error());
    if (const auto may = mayRead(stream, facts.isMariaDb); !may)
        return tl::unexpected(may.error());
    auto end = logEnd(stream, facts.isMariaDb);
    if (!end)
        return tl::unexpected(end.error());
    auto id = serverId(stream, facts.isMariaDb);
    if (!id)
        return tl::unexpected(id.error());
    const auto start = one(stream, startStatement(facts.isMariaDb).toUtf8());
    if (!start)
        return tl::unexpected(start.error());
    // Before MariaDB 10.10 an instance has no id.
    if (!instance.isEmpty() && instance != *id + ':' + *start && instance != ':' + *start)
        return failure(ErrorCode::ConnectionLost,
                       QStringLiteral("a second connection leads to another server than the first"),
                       QStringLiteral("Use the server's own address instead of a load balancer's."));
    const qint64 askedUs = base::SystemClock().monotonicUs();
    const auto now = one(stream, "SELECT CAST(UNIX_TIMESTAMP(SYSDATE(6)) * 1000000 AS SIGNED)");
    if (!now)
        return tl::unexpected(now.error());
    clock.read(now->toLongLong(), askedUs);
    if (const auto introduced = introduce(stream, facts.isMariaDb); !introduced)
        return tl::unexpected(introduced.error());
    facts.end = *std::move(end);
    facts.server = *std::move(id);
    return facts;
}

namespace {
struct Found
{
    TableShape shape;
    QList<QByteArray> names;
    QList<QByteArray> definitions;
};

base::Result<Found> readTable(BinlogStream &stream, const QString &database, const QString &table)
{
    const auto rows =
        stream.query("SELECT COLUMN_NAME, DATA_TYPE, COLUMN_TYPE, CHARACTER_SET_NAME, TABLE_NAME FROM "
                     "information_schema.COLUMNS "
                     "WHERE TABLE_SCHEMA = " +
                     stream.quoted(database.toUtf8()) + " AND TABLE_NAME = " + stream.quoted(table.toUtf8()) +
                     " ORDER BY ORDINAL_POSITION");
    if (!rows)
        return tl::unexpected(rows.error());
    Found found{{database.toUtf8(), table.toUtf8(), {}}, {}, {}};
    for (const BinlogStream::Row &row : *rows) {
        if (row.value(4) != table.toUtf8())
            continue;
        ShapeColumn column;
        column.dataType = QString::fromUtf8(row.value(1)).toLower();
        const QByteArray type = row.value(2).toLower();
        column.facts.isUnsigned = type.contains("unsigned");
        if (type.contains("zerofill")) // a scan reads leading zeros, which aren't in the log
            column.dataType += QLatin1String(" zerofill");
        if (column.dataType == QLatin1String("binary"))
            column.facts.paddedTo = type.mid(7, type.indexOf(')') - 7).toInt();
        found.names.append(row.value(0));
        found.definitions.append(row.value(0) + ' ' + type + ' ' + row.value(3) + '\n');
        found.shape.columns.append(column);
    }
    if (found.names.isEmpty())
        return failure(ErrorCode::SchemaMismatch,
                       QStringLiteral("the table \"%1\" no longer exists").arg(table));
    return found;
}
} // namespace

base::Result<Shapes> readShapes(BinlogStream &stream, const QList<WatchedSet> &sets)
{
    Shapes shapes;
    QList<Found> tables;
    QByteArray all;
    QByteArray wanted;
    for (const WatchedSet &set : sets) {
        int index = 0;
        while (index < tables.size() && (tables.at(index).shape.database != set.database.toUtf8() ||
                                         tables.at(index).shape.name != set.table.toUtf8()))
            ++index;
        if (index == tables.size()) {
            auto found = readTable(stream, set.database, set.table);
            if (!found)
                return tl::unexpected(found.error());
            tables.append(*std::move(found));
            all += set.table.toUtf8() + '\n' + tables.constLast().definitions.join();
        }
        QList<int> columns;
        for (const QString &name : set.columns) {
            const auto at = tables.at(index).names.indexOf(name.toUtf8());
            if (at < 0)
                return failure(
                    ErrorCode::SchemaMismatch,
                    QStringLiteral("the table \"%1\" no longer has the column \"%2\"").arg(set.table, name));
            if (!isReadable(tables.at(index).shape.columns.at(at).dataType))
                return failure(
                    ErrorCode::Unsupported,
                    QStringLiteral(
                        "the column \"%1\" of \"%2\" is of a type that isn't read from the log: %3")
                        .arg(name, set.table, tables.at(index).shape.columns.at(at).dataType));
            tables[index].shape.columns[at].facts.wanted = true;
            columns.append(int(at));
            wanted += tables.at(index).definitions.at(at);
        }
        all += set.match + '|' + QByteArray::number(set.set) + '|' +
               set.columns.join(QLatin1Char(',')).toUtf8() + '\n';
        shapes.columns.append(columns);
        shapes.tableOf.append(index);
    }
    for (const Found &found : std::as_const(tables))
        shapes.tables.append(found.shape);
    shapes.digest = QCryptographicHash::hash(all, QCryptographicHash::Sha256).left(12).toHex();
    shapes.wantedDigest = QCryptographicHash::hash(wanted, QCryptographicHash::Sha256).left(12).toHex();
    return shapes;
}

} // namespace lockkeeper::stores::sql::binlog
