// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/result.h"
#include "shared/stores/source_spec.h"

#include <QHash>

#include <functional>

namespace lockkeeper::stores::mongodb {

/** A field of some documents: its name, its types, and of dates and whole numbers the values. */
struct FieldFacts
{
    QByteArray name;
    QByteArrayList types; ///< as $type calls them, each once, without "null"
    bool always = true;   ///< every document has it, with a value
    QList<qint64> numbers;
    QList<qint64> timesUs;
};

/** A collection as its indexes and a few of its documents show it. */
struct CollectionFacts
{
    QByteArray name;
    int documents = 0; ///< that were looked at
    QList<FieldFacts> fields;
    QList<QByteArrayList> uniqueKeys; ///< beside _id
    QHash<QByteArray, qint64> ttlUs;  ///< by field
};

struct DatabaseFacts
{
    QString server; ///< product and version
    QByteArray database;
    qint64 nowUs = 0;    ///< the server's clock
    bool allSeen = true; ///< false: there are more collections
    QList<CollectionFacts> collections;
};

/**
 * Looks at the collections of the URL's database; texts stay at the server. Blocks, for the source's time
 * limits at each question at most; `goOn` is asked between two collections, with how many were looked at.
 * Unsupported where this build has no driver.
 */
base::Result<DatabaseFacts> readCollections(const SourceSpec &spec,
                                            const std::function<bool(qint64 done, qint64 total)> &goOn);

} // namespace lockkeeper::stores::mongodb
