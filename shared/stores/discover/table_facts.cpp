// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/discover/table_facts.h"

#include <utility>

namespace lockkeeper::stores::discover {

ValueKind kindOf(const QString &dataType, int length)
{
    using K = ValueKind;
    // MySQL and MariaDB (information_schema's DATA_TYPE), PostgreSQL (pg_type), SQLite (any word at all).
    static const QHash<QString, K> known = [] {
        const std::pair<K, const char *> words[] = {
            {K::Text, "char varchar tinytext text mediumtext longtext enum character,varying character nchar "
                      "nvarchar clob uuid name citext varchar2 string bpchar enum"},
            {K::Bytes, "binary varbinary tinyblob blob mediumblob longblob bytea"},
            {K::Integer, "smallint mediumint int integer bigint int2 int4 int8 serial bigserial year"},
            {K::Decimal, "decimal numeric float double real money double,precision float4 float8"},
            {K::Boolean, "boolean bool"},
            {K::Instant, "timestamp timestamp,with,time,zone timestamptz"},
            {K::Calendar, "datetime timestamp,without,time,zone"}};
        QHash<QString, K> table;
        for (const auto &[kind, list] : words) {
            for (const QString &word : QString::fromLatin1(list).split(QLatin1Char(' ')))
                table.insert(QString(word).replace(QLatin1Char(','), QLatin1Char(' ')), kind);
        }
        return table;
    }();
    const QString word = dataType.trimmed().toLower();
    if (word == QLatin1String("tinyint"))
        return length == 1 ? K::Boolean : K::Integer;
    if (word == QLatin1String("bit"))
        return length <= 1 ? K::Boolean : K::Other;
    return known.value(word, K::Other);
}

} // namespace lockkeeper::stores::discover
