// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/result.h"
#include "shared/stores/source_spec.h"

#include <QHash>
#include <QStringList>

namespace lockkeeper::stores::sql {

/** What a preset asks of a column. */
enum class ColumnNeed : quint8 {
    Text = 0, ///< char, varchar, text or their binary forms
    Time,     ///< timestamp, datetime, or an integer with a unit
};

/** One column of a preset, under the mapping's key ("expires_at"). */
struct ColumnPreset
{
    QByteArray key;
    QString column; ///< as applications name it
    ColumnNeed need = ColumnNeed::Text;
    bool unique = false;  ///< has to have a unique index of its own
    bool written = false; ///< a break writes it
};

/**
 * A table layout as data: which table and columns, and which file of statements speaks to it. Read from
 * resources/schemes; a new layout of a known protocol is a new file and no code.
 */
struct TablePreset
{
    QByteArray scheme;
    QString statements; ///< the file under resources/sql/store/mysql, without ".sql"
    QStringList tables; ///< tried in this order where the configuration names none
    QList<ColumnPreset> columns;
};

/** Reads one preset's JSON. An error names what is wrong with it. */
base::Result<TablePreset> parsePreset(const QByteArray &json);

/** The preset of a lock scheme, from the program's resources. */
base::Result<TablePreset> presetOf(const QByteArray &scheme);

/** `preset` with the names of the configuration; refuses names that can't be identifiers. */
base::Result<TablePreset> mapped(TablePreset preset, const TableMapping &mapping);

/** The text of a preset's statements, from the program's resources. */
base::Result<QByteArray> statementText(const TablePreset &preset);

} // namespace lockkeeper::stores::sql
