// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/result.h"
#include "shared/stores/sql/binlog/binlog_position.h"
#include "shared/stores/sql/binlog/cells.h"
#include "shared/stores/sql/binlog/payload.h"

#include <QHash>
#include <QList>

namespace lockkeeper::stores::sql::binlog {

/** One column of a watched table, from the catalogue. */
struct ShapeColumn
{
    QString dataType; ///< information_schema's, lower case
    BinlogColumn facts;

    bool operator==(const ShapeColumn &) const = default;
};

/** A table whose changes are wanted, with all its columns in their order. */
struct TableShape
{
    QByteArray database;
    QByteArray name;
    QList<ShapeColumn> columns;

    bool operator==(const TableShape &) const = default;
};

/** A row before and after; empty where there was none. All columns, only wanted ones with a value. */
struct RowChange
{
    QList<Cell> before;
    QList<Cell> after;
};

/** The meaning of one event of the log. */
struct LogItem
{
    enum class LogEvent : quint8 {
        Nothing = 0,
        Begin,      ///< of a transaction
        Rows,       ///< of `table`
        Commit,     ///< the changes since Begin are visible now
        Rollback,   ///< the changes since Begin never took effect
        PartUndone, ///< some of them never took effect: ROLLBACK TO SAVEPOINT
        Incident,   ///< the server has lost events
        Prepare,    ///< of the XA transaction `text`: visible only after its XA COMMIT
        Rotate,     ///< a new file begins
        Statement,  ///< `text`, run in `database`
        Described,  ///< the format of a file: the server reads it for us
        TooLarge,   ///< a transaction is visible, but it wasn't read to its end: `text` says why
    };
    LogEvent kind = LogEvent::Nothing;
    bool numbered = false;   ///< Begin: with a transaction's number; no transaction is open before it
    bool withCommit = false; ///< Begin: a Commit, Rollback or Prepare is sure to end it
    quint32 seconds = 0;     ///< when the statement behind it began, by the server's clock
    qint64 commitUs = 0;     ///< Begin: time of the commit, where the server logs it (MySQL); 0: unknown
    quint64 table = 0;       ///< index of the shape
    QList<RowChange> rows;
    QByteArray database;
    QByteArray text;
};

/**
 * Decodes the events of a replication stream of MariaDB and MySQL, after their own description (MySQL
 * internals manual "Binary Log Events", MariaDB knowledge base "Replication Protocol"). Pure: bytes in,
 * meaning out. The reader decodes the row events of the watched tables (versions 1 and 2, also MariaDB's
 * compressed events and MySQL's partial JSON updates) and skips those of all other tables. A compressed
 * transaction of MySQL is one event that contains many: after it, readInner() returns these one by one, while
 * isInside(). Malformed bytes end in a Protocol error, never in a wrong value: after any error the reader
 * must not be used again.
 */
class LogReader
{
public:
    explicit LogReader(QList<TableShape> tables) : m_tables(std::move(tables)) {}

    /** One event with its header. Unsupported: this build can't follow the log. SchemaMismatch: a watched
     * table isn't as its shape says. */
    base::Result<LogItem> read(QByteArrayView event);
    /** True while the event that was read last contains more; it must stay valid for readInner(). */
    bool isInside() const { return m_inside; }
    base::Result<LogItem> readInner();

    /** The end of the last event that was read. Within a compressed transaction it is already the end of the
     * whole event: reading never begins in the middle of one. */
    const LogPlace &place() const { return m_place; }
    /** The time of the file's first event; 0 before it was seen. */
    quint32 fileStamp() const { return m_fileStamp; }
    void setTables(QList<TableShape> tables);

private:
    struct Header
    {
        quint32 seconds = 0;
        quint8 type = 0;
        quint32 end = 0;
        quint16 flags = 0;
    };
    struct Mapped
    {
        int table = -1; ///< -1: not a watched one
        QList<ColumnFormat> formats;
    };

    base::Result<QByteArrayView> body(QByteArrayView event, Header &header);
    base::Result<LogItem> enter(QByteArrayView body, LogItem item);
    base::Result<LogItem> dispatch(const Header &header, QByteArrayView body, LogItem item);
    base::Result<LogItem> describe(const Header &header, QByteArrayView body, LogItem item);
    base::Result<LogItem> rotate(QByteArrayView body, LogItem item);
    base::Result<LogItem> query(QByteArrayView body, bool compressed, LogItem item);
    base::Result<LogItem> mapTable(QByteArrayView body, LogItem item);
    base::Result<LogItem> rows(quint8 type, QByteArrayView body, LogItem item);
    base::Result<void> readRows(const Mapped &mapped, quint8 type, ByteReader &reader, LogItem &item);
    base::Result<QList<Cell>> readImage(const Mapped &mapped, QByteArrayView present,
                                        ByteReader &reader) const;

    QList<TableShape> m_tables;
    QHash<quint64, Mapped> m_mapped;
    LogPlace m_place;
    quint32 m_fileStamp = 0;
    bool m_checksums = false;
    bool m_described = false;
    Payload m_payload;
    bool m_inside = false;
    bool m_payloadEnded = false; ///< the transaction in it has ended
};

} // namespace lockkeeper::stores::sql::binlog
