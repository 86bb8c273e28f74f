// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/catalogue/catalogue.h"

#include <algorithm>
#include <initializer_list>

namespace lockkeeper::stores::sql {

namespace {
bool isOneOf(QStringView type, std::initializer_list<const char *> names)
{
    return std::any_of(names.begin(), names.end(), [&](const char *name) {
        return type.compare(QLatin1String(name), Qt::CaseInsensitive) == 0;
    });
}

ColumnKind mysqlKind(QStringView type)
{
    if (isOneOf(type, {"char", "varchar", "tinytext", "text", "mediumtext", "longtext"}))
        return ColumnKind::Text;
    if (isOneOf(type, {"binary", "varbinary", "tinyblob", "blob", "mediumblob", "longblob"}))
        return ColumnKind::Bytes;
    if (isOneOf(type, {"timestamp"}))
        return ColumnKind::Timestamp;
    if (isOneOf(type, {"datetime"}))
        return ColumnKind::DateTime;
    if (isOneOf(type, {"bigint", "int", "mediumint", "smallint", "tinyint"}))
        return ColumnKind::Epoch;
    if (isOneOf(type, {"bit"}))
        return ColumnKind::Bit;
    if (isOneOf(type, {"decimal", "enum", "uuid", "inet4", "inet6"}))
        return ColumnKind::Opaque;
    return ColumnKind::Other;
}

ColumnKind postgresqlKind(QStringView type)
{
    if (isOneOf(type, {"varchar", "text", "bpchar", "name", "citext"}))
        return ColumnKind::Text;
    if (isOneOf(type, {"timestamptz"}))
        return ColumnKind::Timestamp;
    if (isOneOf(type, {"timestamp"}))
        return ColumnKind::DateTime;
    if (isOneOf(type, {"int8", "int4", "int2"}))
        return ColumnKind::Epoch;
    if (isOneOf(type, {"bool"}))
        return ColumnKind::Boolean;
    if (isOneOf(type, {"uuid", "numeric", "inet", "enum"}))
        return ColumnKind::Opaque;
    return ColumnKind::Other;
}

/** SQLite's rules of affinity, after a check for the usual names of time types. */
ColumnKind sqliteKind(QStringView type)
{
    const auto has = [&](const char *part) {
        return type.contains(QLatin1String(part), Qt::CaseInsensitive);
    };
    if (has("date") || has("time"))
        return ColumnKind::DateTime;
    if (has("int") || has("bool"))
        return ColumnKind::Epoch;
    if (has("char") || has("clob") || has("text"))
        return ColumnKind::Text;
    return has("blob") ? ColumnKind::Bytes : ColumnKind::Opaque;
}
} // namespace

int Column::typeLength() const
{
    return typeText.section(QLatin1Char('('), 1).section(QLatin1Char(')'), 0, 0).toInt();
}

bool Column::isForeign() const
{
    static const QByteArrayList own{"", "utf8", "utf8mb3", "utf8mb4", "ascii", "binary"};
    return kind == ColumnKind::Text && !own.contains(charset);
}

ColumnKind columnKind(QStringView dataType, Dialect dialect)
{
    switch (dialect) {
    case Dialect::PostgreSql:
        return postgresqlKind(dataType);
    case Dialect::Sqlite:
        return sqliteKind(dataType);
    case Dialect::MySql:
        break;
    }
    return mysqlKind(dataType);
}

} // namespace lockkeeper::stores::sql
