// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/binlog/event_parts.h"

#include <QtEndian>

#include <algorithm>
#include <zlib.h>

namespace lockkeeper::stores::sql::binlog {

namespace {
constexpr quint64 kMostInflated = 64 << 20;

bool isOneOf(quint8 type, std::initializer_list<quint8> types)
{
    return std::find(types.begin(), types.end(), type) != types.end();
}
} // namespace

bool isWrite(quint8 type)
{
    return isOneOf(type, {WriteRows1, WriteRows2, WriteRowsCompressed1, WriteRowsCompressed2});
}

bool isUpdate(quint8 type)
{
    return isOneOf(
        type, {UpdateRows1, UpdateRows2, PartialUpdateRows, UpdateRowsCompressed1, UpdateRowsCompressed2});
}

bool isRows(quint8 type)
{
    return isWrite(type) || isUpdate(type) ||
           isOneOf(type, {DeleteRows1, DeleteRows2, DeleteRowsCompressed1, DeleteRowsCompressed2});
}

bool isSecondVersion(quint8 type)
{
    return (type >= WriteRows2 && type <= DeleteRows2) || type == PartialUpdateRows ||
           (type >= WriteRowsCompressed2 && type <= DeleteRowsCompressed2);
}

bool isCompressedRows(quint8 type)
{
    return type >= WriteRowsCompressed1 && type <= DeleteRowsCompressed2;
}

bool isOfATransaction(quint8 type)
{
    return !isOneOf(type, {Rotate, FormatDescription, Heartbeat, Heartbeat2, Gtid, AnonymousGtid, TaggedGtid,
                           MariaGtid, TransactionPayload});
}

quint32 checksum(QByteArrayView bytes)
{
    return quint32(crc32_z(0, reinterpret_cast<const Bytef *>(bytes.data()), size_t(bytes.size())));
}

std::optional<QByteArray> uncompressed(QByteArrayView part)
{
    ByteReader reader(part);
    const quint64 head = reader.little(1);
    const quint64 size = reader.big(qsizetype(head & 0x07));
    // The top bit is always set; the next three are the algorithm, of which there is one: zlib.
    if (!reader.ok() || (head & 0x80) == 0 || (head & 0x70) != 0 || size > kMostInflated)
        return std::nullopt;
    QByteArray framed(4, '\0'); // in qUncompress()'s format
    qToBigEndian(quint32(size), framed.data());
    framed += reader.rest();
    const QByteArray plain = qUncompress(framed);
    return quint64(plain.size()) == size ? std::optional(plain) : std::nullopt;
}

qint64 commitTimeUs(QByteArrayView body)
{
    ByteReader reader(body);
    reader.skip(1 + 16 + 8);
    if (reader.little(1) != 2) // logical clock
        return 0;
    reader.skip(16);
    const quint64 stamp = reader.little(7) & ~(quint64(1) << 55); // that bit: another stamp follows
    return reader.ok() ? qint64(stamp) : 0;
}

bool isOnePhase(QByteArrayView body)
{
    return ByteReader(body).little(1) != 0;
}

QByteArray preparedXid(QByteArrayView body)
{
    ByteReader reader(body);
    reader.skip(1);
    const quint64 format = reader.little(4);
    const quint64 global = reader.little(4);
    const quint64 branch = reader.little(4);
    const QByteArray first = reader.take(global).toByteArray().toHex();
    const QByteArray second = reader.take(branch).toByteArray().toHex();
    return reader.ok() ? "X'" + first + "',X'" + second + "'," + QByteArray::number(format) : QByteArray();
}

LogItem::LogEvent kindOfStatement(const QByteArray &text)
{
    const QByteArray start = text.left(16).trimmed().toUpper();
    if (start == "BEGIN")
        return LogItem::LogEvent::Begin;
    if (start == "COMMIT")
        return LogItem::LogEvent::Commit;
    if (start == "ROLLBACK")
        return LogItem::LogEvent::Rollback;
    if (start.startsWith("ROLLBACK TO"))
        return LogItem::LogEvent::PartUndone;
    if (start.startsWith("SAVEPOINT") || start.startsWith("XA START") || start.startsWith("XA END") ||
        start.startsWith("RELEASE "))
        return LogItem::LogEvent::Nothing;
    return LogItem::LogEvent::Statement;
}

} // namespace lockkeeper::stores::sql::binlog
