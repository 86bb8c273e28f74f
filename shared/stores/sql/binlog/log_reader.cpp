// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/binlog/log_reader.h"

#include "shared/stores/sql/binlog/event_parts.h"

#include <algorithm>

namespace lockkeeper::stores::sql::binlog {

using base::ErrorCode;
using base::failure;
using LogEvent = LogItem::LogEvent;

namespace {
constexpr qsizetype kHeader = 19;
constexpr qsizetype kChecksum = 4;
constexpr quint16 kArtificial = 0x20;
constexpr quint64 kMostColumns = 4096;
/** A flag of MySQL's binlog_row_value_options. PartialUpdateRows has them before each after-image. */
constexpr quint64 kPartialJson = 1;

auto garbled(const char *what)
{
    return failure(ErrorCode::Protocol,
                   QStringLiteral("the binary log can't be read: ") + QLatin1String(what));
}
} // namespace

void LogReader::setTables(QList<TableShape> tables)
{
    m_tables = std::move(tables);
    m_mapped.clear();
}

base::Result<QByteArrayView> LogReader::body(QByteArrayView event, Header &header)
{
    ByteReader reader(event);
    header.seconds = quint32(reader.little(4));
    header.type = quint8(reader.little(1));
    reader.skip(4); // the server's id
    const quint64 length = reader.little(4);
    header.end = quint32(reader.little(4));
    header.flags = quint16(reader.little(2));
    if (!reader.ok() || length != quint64(event.size()))
        return garbled("an event's length is wrong");
    // The server sends an artificial rotation first, before any description announces checksums.
    const bool madeUp = header.type == Rotate && (header.flags & kArtificial) != 0;
    const bool described = header.type == FormatDescription;
    if (event.size() < kHeader + kChecksum)
        return event.sliced(kHeader);
    const bool fits =
        checksum(event.chopped(kChecksum)) == ByteReader(event.last(kChecksum)).little(kChecksum);
    // A description ends with the checksum algorithm and four bytes, which are unused without checksums.
    if (described && !fits && event.at(event.size() - kChecksum - 1) == 0)
        return event.chopped(kChecksum).sliced(kHeader);
    if (madeUp || described)
        return fits ? event.chopped(kChecksum).sliced(kHeader) : event.sliced(kHeader);
    if (!m_checksums)
        return event.sliced(kHeader);
    if (!fits)
        return garbled("an event's checksum is wrong");
    return event.chopped(kChecksum).sliced(kHeader);
}

base::Result<LogItem> LogReader::read(QByteArrayView event)
{
    Header header;
    const auto inner = body(event, header);
    if (!inner)
        return tl::unexpected(inner.error());
    LogItem item;
    item.seconds = header.seconds;
    auto result = dispatch(header, *inner, std::move(item));
    // Artificial events have no place; a rotation has set its own. The header has only the low 32 bits of a
    // place, and one transaction may take a file past 4 GiB. An event has at most 1 GiB.
    if (result && header.type != Rotate && header.type != Heartbeat && header.end != 0 &&
        (header.flags & kArtificial) == 0)
        m_place.offset += qint32(header.end - quint32(m_place.offset));
    return result;
}

base::Result<LogItem> LogReader::dispatch(const Header &header, QByteArrayView body, LogItem item)
{
    if (header.type == Rotate)
        return rotate(body, std::move(item));
    if (header.type == FormatDescription)
        return describe(header, body, std::move(item));
    if (header.type == Heartbeat || header.type == Heartbeat2)
        return item;
    if (!m_described)
        return garbled("it doesn't begin with its description");
    switch (header.type) {
    case Query:
    case QueryCompressed:
        return query(body, header.type == QueryCompressed, std::move(item));
    case TableMap:
        return mapTable(body, std::move(item));
    case Xid:
        item.kind = LogEvent::Commit;
        m_mapped.clear();
        return item;
    case XaPrepare:
        // MySQL logs XA COMMIT … ONE PHASE as this event with a mark: visible at once.
        item.kind = isOnePhase(body) ? LogEvent::Commit : LogEvent::Prepare;
        item.text = preparedXid(body);
        m_mapped.clear();
        return item;
    case MariaGtid: {
        ByteReader reader(body);
        reader.skip(8 + 4);
        item.kind = LogEvent::Begin;
        item.numbered = true;
        item.withCommit = (reader.little(1) & 0x01) == 0; // FL_STANDALONE
        return reader.ok() ? base::Result<LogItem>(item) : garbled("a transaction's number");
    }
    case Gtid:
    case AnonymousGtid:
    case TaggedGtid:
        item.kind = LogEvent::Begin;
        item.numbered = true;
        item.commitUs = header.type == TaggedGtid ? 0 : commitTimeUs(body);
        return item;
    case TransactionPayload:
        return enter(body, std::move(item));
    case Incident:
        item.kind = LogEvent::Incident;
        return item;
    case StartEncryption:
        return item; // the server decrypts for us
    default:
        return isRows(header.type) ? rows(header.type, body, std::move(item)) : item;
    }
}

base::Result<LogItem> LogReader::enter(QByteArrayView body, LogItem item)
{
    if (const auto begun = m_payload.begin(body); begun) {
        m_inside = true;
        m_payloadEnded = false;
        return item;
    } else if (begun.error().code != ErrorCode::TooLarge) {
        return tl::unexpected(begun.error());
    } else {
        item.kind = LogEvent::TooLarge;
        item.text = begun.error().cause.toUtf8();
        return item;
    }
}

base::Result<LogItem> LogReader::readInner()
{
    LogItem item;
    const auto event = m_payload.next();
    m_inside = event && !event->isEmpty();
    if (!event && event.error().code == ErrorCode::TooLarge) {
        item.kind = LogEvent::TooLarge;
        item.text = event.error().cause.toUtf8();
        m_mapped.clear();
        return item;
    }
    if (!event)
        return tl::unexpected(event.error());
    if (event->isEmpty())
        return m_payloadEnded ? base::Result<LogItem>(item) : garbled("a transaction without its end");
    ByteReader reader(*event); // without a checksum; its place isn't one in the file
    Header header;
    header.seconds = quint32(reader.little(4));
    header.type = quint8(reader.little(1));
    if (m_payloadEnded || !isOfATransaction(header.type))
        return garbled("a compressed transaction");
    item.seconds = header.seconds;
    auto result = dispatch(header, event->sliced(kHeader), std::move(item));
    m_payloadEnded = result && (result->kind == LogEvent::Commit || result->kind == LogEvent::Rollback ||
                                result->kind == LogEvent::Prepare);
    return result;
}

base::Result<LogItem> LogReader::describe(const Header &header, QByteArrayView body, LogItem item)
{
    ByteReader reader(body);
    const quint64 version = reader.little(2);
    reader.skip(50); // the server's version
    reader.skip(4);  // its creation time; 0 where reading begins later in the file
    const quint64 headerLength = reader.little(1);
    const QByteArrayView lengths = reader.rest();
    if (!reader.ok() || version != 4 || headerLength != quint64(kHeader) || lengths.isEmpty())
        return garbled("an unknown version of it");
    const quint8 algorithm = quint8(lengths.back());
    if (algorithm > 1)
        return garbled("an unknown checksum");
    m_checksums = algorithm == 1;
    m_described = true;
    m_fileStamp = header.seconds;
    m_mapped.clear();
    item.kind = LogEvent::Described;
    return item;
}

base::Result<LogItem> LogReader::rotate(QByteArrayView body, LogItem item)
{
    ByteReader reader(body);
    const quint64 offset = reader.little(8);
    const QByteArray file = reader.rest().toByteArray();
    if (!reader.ok() || file.isEmpty() || file.contains('\0') || file.contains('|'))
        return garbled("a file's name");
    item.kind = LogEvent::Rotate;
    m_place = {file, offset};
    m_mapped.clear();
    return item;
}

base::Result<LogItem> LogReader::query(QByteArrayView body, bool compressed, LogItem item)
{
    ByteReader reader(body);
    reader.skip(4 + 4); // connection, duration
    const quint64 databaseSize = reader.little(1);
    reader.skip(2); // error
    reader.skip(reader.little(2));
    item.database = reader.take(databaseSize).toByteArray();
    reader.skip(1);
    const QByteArrayView rest = reader.rest();
    if (!reader.ok())
        return garbled("a statement");
    if (compressed) {
        const auto text = uncompressed(rest);
        if (!text)
            return garbled("a compressed statement");
        item.text = *text;
    } else {
        item.text = rest.toByteArray();
    }
    item.kind = kindOfStatement(item.text);
    item.withCommit = item.kind == LogEvent::Begin;
    if (item.kind == LogEvent::Commit || item.kind == LogEvent::Rollback)
        m_mapped.clear();
    return item;
}

base::Result<LogItem> LogReader::mapTable(QByteArrayView body, LogItem item)
{
    ByteReader reader(body);
    const quint64 id = reader.little(6);
    reader.skip(2);
    const QByteArrayView database = reader.take(reader.little(1));
    reader.skip(1);
    const QByteArrayView name = reader.take(reader.little(1));
    reader.skip(1);
    Mapped mapped;
    for (qsizetype i = 0; i < m_tables.size(); ++i) {
        if (m_tables.at(i).database == database && m_tables.at(i).name == name)
            mapped.table = int(i);
    }
    if (!reader.ok())
        return garbled("a table's name");
    if (mapped.table < 0) {
        m_mapped.insert(id, mapped);
        return item;
    }
    const quint64 count = reader.packed();
    const QByteArrayView types = reader.take(count);
    ByteReader meta(reader.take(reader.packed()));
    if (!reader.ok() || count > kMostColumns)
        return garbled("a table's columns");
    for (const char type : types)
        mapped.formats.append(readFormat(quint8(type), meta));
    const TableShape &shape = m_tables.at(mapped.table);
    bool fits = meta.ok() && mapped.formats.size() == shape.columns.size();
    for (qsizetype i = 0; fits && i < shape.columns.size(); ++i)
        fits = !shape.columns.at(i).facts.wanted || canBe(shape.columns.at(i).dataType, mapped.formats.at(i));
    if (!fits)
        return failure(
            ErrorCode::SchemaMismatch,
            QStringLiteral("the columns of \"%1\" differ from the catalogue").arg(QString::fromUtf8(name)));
    m_mapped.insert(id, mapped);
    return item;
}

base::Result<LogItem> LogReader::rows(quint8 type, QByteArrayView body, LogItem item)
{
    ByteReader reader(body);
    const quint64 id = reader.little(6);
    reader.skip(2);
    if (isSecondVersion(type)) {
        const quint64 extra = reader.little(2);
        reader.skip(extra < 2 ? ~quint64(0) : extra - 2);
    }
    if (!reader.ok())
        return garbled("a row");
    const auto it = m_mapped.constFind(id);
    if (it == m_mapped.constEnd() || it->table < 0)
        return item; // of an unwatched table, or the dummy that ends a statement
    item.kind = LogEvent::Rows;
    item.table = quint64(it->table);
    const auto read = readRows(*it, type, reader, item);
    if (!read)
        return tl::unexpected(read.error());
    return item;
}

base::Result<void> LogReader::readRows(const Mapped &mapped, quint8 type, ByteReader &reader, LogItem &item)
{
    const quint64 count = reader.packed();
    if (count != quint64(mapped.formats.size()))
        return garbled("a row's columns");
    const QByteArrayView first = reader.take((count + 7) / 8);
    const QByteArrayView second = isUpdate(type) ? reader.take((count + 7) / 8) : first;
    const auto json = std::count_if(mapped.formats.cbegin(), mapped.formats.cend(), isJson);
    QByteArray inflated;
    if (isCompressedRows(type)) {
        const auto text = uncompressed(reader.rest());
        if (!text)
            return garbled("compressed rows");
        inflated = *text;
        reader = ByteReader(inflated);
    }
    while (reader.ok() && reader.left() > 0) {
        RowChange change;
        auto image = readImage(mapped, first, reader);
        if (!image)
            return tl::unexpected(image.error());
        (isWrite(type) ? change.after : change.before) = *std::move(image);
        if (type == PartialUpdateRows && (reader.packed() & kPartialJson) != 0)
            reader.skip(quint64(json + 7) / 8); // bitmap: which JSON columns are partial
        if (isUpdate(type)) {
            auto after = readImage(mapped, second, reader);
            if (!after)
                return tl::unexpected(after.error());
            change.after = *std::move(after);
        }
        item.rows.append(std::move(change));
    }
    return reader.ok() ? base::Result<void>() : garbled("a row");
}

base::Result<QList<Cell>> LogReader::readImage(const Mapped &mapped, QByteArrayView present,
                                               ByteReader &reader) const
{
    const QList<ShapeColumn> &columns = m_tables.at(mapped.table).columns;
    const auto isSet = [](QByteArrayView bits, qsizetype i) {
        return i / 8 < bits.size() && (quint8(bits[i / 8]) >> (i % 8) & 1) != 0;
    };
    qsizetype held = 0;
    for (qsizetype i = 0; i < columns.size(); ++i)
        held += isSet(present, i);
    const QByteArrayView nulls = reader.take(quint64(held + 7) / 8);
    QList<Cell> cells(columns.size());
    qsizetype at = 0;
    for (qsizetype i = 0; i < columns.size() && reader.ok(); ++i) {
        if (!isSet(present, i))
            continue;
        const bool isNull = isSet(nulls, at++);
        if (isNull)
            cells[i].kind = Cell::CellType::Null;
        else
            cells[i] = readCell(mapped.formats.at(i), columns.at(i).facts, reader);
    }
    if (!reader.ok() || held == 0)
        return garbled("a row's values");
    return cells;
}

} // namespace lockkeeper::stores::sql::binlog
