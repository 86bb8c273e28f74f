// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/discover/table_facts.h"
#include "shared/stores/sql/catalogue/preset.h"

#include <optional>

namespace lockkeeper::stores::discover {

/** A layout that applications are known to use. */
using Layout = sql::TablePreset;
/** All its columns; those without a key have no part, and have to be there. */
QList<sql::ColumnPreset> columnsOf(const Layout &layout);

/** Every layout that this build speaks, in the presets' order. */
QList<Layout> knownLayouts();

/** Those of them that a database with these tables may have. */
QList<Layout> layoutsAmong(const QList<Layout> &layouts, const QStringList &tables);

/** A layout that a table fits by its columns, and perhaps by its name as well. */
struct LayoutMatch
{
    const Layout *layout = nullptr;
    bool named = false; ///< the table is called as the layout says
    QStringList also;   ///< presets that fit as well: the table alone can't tell them apart
};

/**
 * The layout that explains most of the table's columns, all of its own needed ones being there with fitting
 * types, and none left over that has a plain part in locking. Under another name it has to explain every
 * column but remarks, and at least three.
 */
std::optional<LayoutMatch> bestLayout(const TableFacts &table, const QList<Layout> &layouts);

} // namespace lockkeeper::stores::discover
