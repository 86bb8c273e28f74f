// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/discover/discovery.h"
#include "shared/stores/discover/layouts.h"

namespace lockkeeper::stores::discover {

/**
 * Judges one table by its catalogue entry: is it one of the known layouts, or which protocol could its
 * columns carry, and how sure is that. A pure function: the same facts give the same judgement.
 */
Candidate judge(const TableFacts &table, const QList<Layout> &layouts);

/** The columns whose values would make a judgement surer: times, timeouts. */
QStringList columnsToSample(const TableFacts &table, const Candidate &candidate);

/**
 * Refines the judgement by a few rows: units of integers, the zone of calendar times, whether rows outlive
 * their locks.
 */
void refine(Candidate &candidate, const TableFacts &table, const TableSample &sample);

/** Judgements sorted into a Discovery's lists, the surest first and the same order each time. */
void sortInto(Discovery &discovery, QList<Candidate> candidates);

} // namespace lockkeeper::stores::discover
