// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/discover/table_facts.h"
#include "shared/stores/sql/catalogue/preset.h"

#include <optional>

namespace lockkeeper::stores::discover {

/** A layout that applications are known to use. */
using Layout = sql::TablePreset;
/** All its columns; columns without a key have no part, but must exist. */
QList<sql::ColumnPreset> columnsOf(const Layout &layout);

/** Every layout that this build speaks, in the presets' order. */
QList<Layout> knownLayouts();

/** The layouts among them that a database with these tables may have. */
QList<Layout> layoutsAmong(const QList<Layout> &layouts, const QStringList &tables);

/** A layout that matches a table by its columns, and perhaps also by its name. */
struct LayoutMatch
{
    const Layout *layout = nullptr;
    bool named = false; ///< the table is called as the layout says
    QStringList also;   ///< presets that fit as well: the table alone doesn't distinguish them
};

/**
 * The layout that explains most of the table's columns. All columns that it needs must exist with fitting
 * types, and no unexplained column may have a plain part in locking. For a table with another name, the
 * layout must explain every column but remarks, and at least three.
 */
std::optional<LayoutMatch> bestLayout(const TableFacts &table, const QList<Layout> &layouts);

} // namespace lockkeeper::stores::discover
