// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/discover/table_facts.h"

namespace lockkeeper::tests {

/** A table of tests/data/discover/tables.txt, or of the example of a preset, with the expected result. */
struct CorpusTable
{
    stores::discover::TableFacts facts;
    QStringList primaryKey; ///< of the keys of `facts`; empty: none of them
    bool isLock = false;
    QString preset;    ///< empty: any
    QByteArray scheme; ///< empty: any
};

/** Reads the file and the presets; fails the process on a line that it can't read. */
QList<CorpusTable> corpus();

/** The statement that creates a table of the corpus: "mysql", "postgresql" or "sqlite". */
QString createStatement(const CorpusTable &table, const QByteArray &store);

} // namespace lockkeeper::tests
