// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/discover/discovery.h"
#include "shared/stores/discover/table_facts.h"

#include <optional>

namespace lockkeeper::stores::discover {

/** The words of a column that says whether its row is held, as the rows spell them. */
struct FlagWords
{
    QString held;
    QString free;
};

/** The two words, where the values are of one known pair each; nothing where another value is among them. */
std::optional<FlagWords> flagWords(const QStringList &values);

/** True where the rows must be read to learn a text flag's words. */
bool awaitsFlagWords(const Candidate &candidate);

/** Adds to the judgement the words that its rows, or its type, have shown, or why they aren't known. */
void readFlagWords(Candidate &candidate, const TableFacts &table, const TableSample &sample);

} // namespace lockkeeper::stores::discover
