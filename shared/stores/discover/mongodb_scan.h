// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/discover/blocking_discoverer.h"
#include "shared/stores/mongodb/reading/collections.h"

namespace lockkeeper::stores::discover {

/** Judges a collection as a table: its fields are the columns, its unique indexes the keys. A pure function.
 */
Candidate judgeCollection(const mongodb::CollectionFacts &collection, qint64 nowUs);

/** Looks through the collections of the URL's database, and judges. */
base::Result<Scanned> scanMongodb(const SourceSpec &spec, const Progress &progress,
                                  const std::atomic_bool &stop);

} // namespace lockkeeper::stores::discover
