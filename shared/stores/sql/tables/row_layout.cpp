// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/tables/row_layout.h"

#include "shared/stores/sql/tables/dialect_sql.h"

#include <algorithm>

namespace lockkeeper::stores::sql {

RowKey rowKeyOf(QByteArrayView key)
{
    const qsizetype index = columnKeys().indexOf(key);
    Q_ASSERT(index >= 0 && size_t(index) < kRowKeys);
    return RowKey(index);
}

RowLayout RowLayout::of(const ResolvedTable &table)
{
    Statement unused;
    const DialectSql sql(table, unused);
    RowLayout layout;
    layout.names = int(std::max<qsizetype>(table.names.size(), 1));
    int at = layout.names;
    for (const QByteArray &key : columnKeys()) {
        if (table.has(key))
            layout.fields.append({key, rowKeyOf(key), at++, -1, isTimeKey(key)});
    }
    layout.now = at++;
    for (RowField &field : layout.fields) {
        if (field.isTime && !sql.oddTime(table.column(field.key)).isEmpty())
            field.odd = at++;
    }
    layout.columns = at;
    return layout;
}

const RowField *RowLayout::field(QByteArrayView key) const
{
    const auto it =
        std::find_if(fields.begin(), fields.end(), [&](const RowField &field) { return field.key == key; });
    return it == fields.end() ? nullptr : &*it;
}

} // namespace lockkeeper::stores::sql
