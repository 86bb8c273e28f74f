// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/tables/row_cells.h"

#include <QSqlQuery>

namespace lockkeeper::stores::sql {

namespace {
bool isInteger(int type)
{
    return type == QMetaType::LongLong || type == QMetaType::ULongLong || type == QMetaType::Int ||
           type == QMetaType::UInt || type == QMetaType::Short || type == QMetaType::UShort ||
           type == QMetaType::Char || type == QMetaType::SChar || type == QMetaType::UChar;
}
} // namespace

const RowCells &QueryCells::read(const QSqlQuery &rows, int columns, int usual)
{
    m_values.resize(size_t(columns));
    m_bytes.resize(size_t(columns));
    m_cells.assign(size_t(columns), RowCell());
    for (int i = 0; i < usual; ++i) {
        const QVariant &value = m_values[size_t(i)] = rows.value(i);
        RowCell &cell = m_cells[size_t(i)];
        if (value.isNull()) {
            usual = columns;
            continue;
        }
        if (isInteger(value.typeId())) {
            cell.number = value.toLongLong();
            continue;
        }
        const bool isBytes = value.typeId() == QMetaType::QByteArray;
        const QByteArray &bytes = isBytes ? *static_cast<const QByteArray *>(value.constData())
                                          : m_bytes[size_t(i)] = value.toByteArray();
        cell.data = bytes.constData(); // never null: empty isn't NULL
        cell.size = bytes.size();
    }
    return m_cells;
}

} // namespace lockkeeper::stores::sql
