// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/palette/palette_model.h"

namespace lockkeeper::app::views {

void PaletteModel::show(const QList<PaletteEntry> &entries)
{
    beginResetModel();
    m_entries = entries;
    endResetModel();
}

int PaletteModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_entries.size());
}

QVariant PaletteModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    const PaletteEntry &entry = m_entries.at(index.row());
    switch (role) {
    case Qt::DisplayRole:
        return entry.text;
    case Qt::DecorationRole:
        return entry.icon;
    case Qt::AccessibleTextRole: {
        QStringList parts{entry.text, entry.group, entry.keys, entry.reason};
        parts.removeAll(QString());
        return parts.join(QStringLiteral(", "));
    }
    case GroupRole:
        return entry.group;
    case KeysRole:
        return entry.keys;
    case ReasonRole:
        return entry.reason;
    default:
        return {};
    }
}

} // namespace lockkeeper::app::views
