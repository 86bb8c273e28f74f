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

/** Whether the rows have to be read to know what a text flag's words are. */
bool awaitsFlagWords(const Candidate &candidate);

/** The judgement with the words that its rows, or its type, have shown; else why they aren't known. */
void readFlagWords(Candidate &candidate, const TableFacts &table, const Sample &sample);

} // namespace lockkeeper::stores::discover
