// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/base/text.h"
#include "shared/stores/sql/binlog/watched_set.h"

#include <QStringDecoder>

#include <algorithm>
#include <array>

namespace lockkeeper::stores::sql::binlog {

namespace {
/** The columns of the statement [row], in the statement's order. */
QStringList columnsOf(const ResolvedTable &table, const RowLayout &layout)
{
    QStringList columns;
    for (const Column &column : table.names)
        columns.append(column.name);
    for (const RowField &field : layout.fields)
        columns.append(table.column(field.key).name);
    return columns;
}

/** MySQL's latin1: Windows code page 1252, and Latin 1 where that has no character. */
QByteArray fromLatin1(const QByteArray &bytes)
{
    static constexpr std::array<char16_t, 32> kAbove127{
        0x20ac, 0x81,   0x201a, 0x192,  0x201e, 0x2026, 0x2020, 0x2021, 0x2c6,  0x2030, 0x160,
        0x2039, 0x152,  0x8d,   0x17d,  0x8f,   0x90,   0x2018, 0x2019, 0x201c, 0x201d, 0x2022,
        0x2013, 0x2014, 0x2dc,  0x2122, 0x161,  0x203a, 0x153,  0x9d,   0x17e,  0x178};
    QString text = QString::fromLatin1(bytes);
    for (QChar &c : text) {
        if (c.unicode() >= 0x80 && c.unicode() < 0xa0)
            c = kAbove127[c.unicode() - 0x80];
    }
    return text.toUtf8();
}

/** The server writes both its ucs2 and its utf16 with the high byte first. */
QByteArray fromUtf16(const QByteArray &bytes)
{
    QStringDecoder decode(QStringConverter::Utf16BE, QStringConverter::Flag::ConvertInitialBom);
    return QString(decode(bytes)).toUtf8();
}

bool isUtf16(const Column &column)
{
    return column.charset == "ucs2" || column.charset == "utf16";
}

/** The text as a scan reads it. */
QByteArray textOf(const Column &column, const Cell &cell)
{
    const QByteArray text = cell.text();
    if (!column.isForeign() || text.isEmpty())
        return text;
    return isUtf16(column) ? fromUtf16(text) : fromLatin1(text);
}

QByteArray nameOf(const ResolvedTable &table, const QList<Cell> &values)
{
    if (table.names.isEmpty())
        return table.name.toUtf8();
    QList<QByteArray> parts;
    for (qsizetype i = 0; i < table.names.size(); ++i)
        parts.append(textOf(table.names.at(i), values.at(i)));
    return joinedName(parts);
}
} // namespace

bool isDecoded(const Column &column)
{
    return !column.isForeign() || column.charset == "latin1" || isUtf16(column);
}

WatchedSet watchedMapped(const ResolvedTable &table, const RowLayout &layout, const RowRules &rules,
                         quint16 set, const QByteArray &match, const QByteArray &hidden)
{
    WatchedSet watched{set, match, table.database, table.name, columnsOf(table, layout), {}, {}, {}};
    const auto own = std::make_shared<const RowRules>(rules);
    watched.takes = [match, hidden](const QByteArray &name) {
        return base::globMatches(match, name) && (hidden.isEmpty() || !base::globMatches(hidden, name));
    };
    const RowField *status = layout.field("status");
    if (table.filtersStatus && status)
        watched.isLock = [column = table.column("status"),
                          at = table.names.size() + (status - layout.fields.constData()),
                          held = table.heldValue.toUtf8()](const QList<Cell> &values) {
            return textOf(column, values.at(at)) == held && values.at(at).kind != Cell::CellType::Null;
        };
    watched.observe = [table, layout, own, set](const QList<Cell> &values, qint64 nowUs) {
        MappedRow row;
        row.name = nameOf(table, values);
        for (qsizetype i = 0; i < layout.fields.size(); ++i) {
            const Cell &cell = values.at(table.names.size() + i);
            const RowField &field = layout.fields.at(i);
            if (field.isTime)
                row.times[size_t(field.column)] = cell.rawTime();
            else
                row.values[size_t(field.column)] = textOf(table.column(field.key), cell);
        }
        Observation lock = own->observation(row, nowUs);
        lock.set = set;
        const bool nameless = table.names.size() > 1 &&
                              std::any_of(values.cbegin(), values.cbegin() + table.names.size(),
                                          [](const Cell &cell) { return cell.kind == Cell::CellType::Null; });
        if (nameless) { // see TableSet::readNameless()
            lock.identity.clear();
            lock.flaw = lock.flaw == Flaw::None ? Flaw::NullIdentity : lock.flaw;
        }
        return lock;
    };
    return watched;
}

} // namespace lockkeeper::stores::sql::binlog
