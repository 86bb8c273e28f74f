// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/tables/row_cells.h"

#include <QSqlQuery>
#include <QVariant>

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
    m_bytes.resize(size_t(columns));
    m_cells.resize(size_t(columns));
    for (RowCell &cell : m_cells) {
        cell.data = nullptr; // each member by itself: copies of a whole cell stall the processor
        cell.size = 0;
        cell.number.reset();
    }
    for (int i = 0; i < usual; ++i) {
        QVariant value = rows.value(i);
        const int type = value.typeId();
        RowCell &cell = m_cells[size_t(i)];
        if (value.isNull()) {
            usual = columns;
        } else if (isInteger(type)) {
            cell.number = value.toLongLong();
        } else {
            QByteArray &bytes = m_bytes[size_t(i)];
            if (type == QMetaType::QByteArray)
                bytes.swap(*static_cast<QByteArray *>(value.data()));
            else
                bytes = value.toByteArray();
            cell.data = bytes.constData(); // never null: empty isn't NULL
            cell.size = bytes.size();
        }
    }
    return m_cells;
}

} // namespace lockkeeper::stores::sql
