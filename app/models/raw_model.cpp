// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/models/raw_model.h"

#include <algorithm>

namespace lockkeeper::app::models {

void RawModel::setFormatter(const Formatter *formatter)
{
    m_formatter = formatter;
    reword();
}

void RawModel::reword()
{
    const int rows = rowCount();
    const int columns = columnCount();
    if (columns == 0)
        return;
    Q_EMIT headerDataChanged(Qt::Horizontal, 0, columns - 1);
    if (rows > 0)
        Q_EMIT dataChanged(index(0, 0), index(rows - 1, columns - 1));
}

int RawModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : rows();
}

int RawModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_columns.size());
}

QVariant RawModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const QVariant cell = m_formatter && role < Qt::UserRole ? m_formatter->cell(index, role) : QVariant();
    return role == kWholeRole && !cell.isValid() ? data(index) : cell;
}

QVariant RawModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    return m_formatter && role < Qt::UserRole ? m_formatter->header(section, role) : QVariant();
}

QByteArray RawModel::columnName(int column) const
{
    return column >= 0 && column < columnCount() ? m_columns[size_t(column)] : QByteArray();
}

int RawModel::columnFromName(const QByteArray &name) const
{
    for (int column = 0; column < columnCount(); ++column) {
        if (columnName(column) == name)
            return column;
    }
    return -1;
}

QJsonObject RawModel::record(int row) const
{
    QJsonObject record;
    for (int column = 0; column < columnCount(); ++column)
        record.insert(QLatin1String(columnName(column)), index(row, column).data(kWholeRole).toString());
    return record;
}

QStringList RawModel::recordColumns() const
{
    QStringList names;
    for (int column = 0; column < columnCount(); ++column)
        names.append(QLatin1String(columnName(column)));
    return names;
}

void RawModel::announceRows(QList<int> &rows)
{
    std::sort(rows.begin(), rows.end());
    const int last = columnCount() - 1;
    for (qsizetype i = 0; i < rows.size();) {
        qsizetype end = i + 1;
        while (end < rows.size() && rows[end] <= rows[end - 1] + 1)
            ++end;
        Q_EMIT dataChanged(index(rows[i], 0), index(rows[end - 1], last));
        i = end;
    }
}

} // namespace lockkeeper::app::models
