// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/mongodb/connection/mongo_link.h"
#include "shared/stores/mongodb/reading/layout.h"

#include <QHash>

namespace lockkeeper::stores::mongodb {

/** A TTL index over some of the documents. */
struct PartialTtl
{
    qint64 afterUs = 0;
    QByteArray filter; ///< its partialFilterExpression, as BSON (PartialFilter)

    bool operator==(const PartialTtl &) const = default;
};

/** The properties of a collection that the server's catalogue shows. */
struct CollectionCatalogue
{
    QHash<QByteArray, qint64> ttlUs; ///< by field: how long after its date the server removes a document
    QHash<QByteArray, PartialTtl> partialTtl; ///< the same for indexes over some documents, by field
    bool uniqueName = false;                  ///< no two documents have the same name
    bool absent = false;                      ///< the collection doesn't exist yet

    bool operator==(const CollectionCatalogue &) const = default;
};

/** The fields that the filters of partial TTL indexes name. */
QList<QByteArray> filterFields(const CollectionCatalogue &catalogue);

/** Asks for the indexes of the layout's collection. */
base::Result<CollectionCatalogue> catalogueOf(MongoLink &link, const Layout &layout);

} // namespace lockkeeper::stores::mongodb
