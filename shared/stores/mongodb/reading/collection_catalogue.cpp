// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/mongodb/reading/collection_catalogue.h"

#include "shared/stores/mongodb/reading/partial_filter.h"

namespace lockkeeper::stores::mongodb {

namespace {

constexpr uint32_t kNoSuchCollection = 26;

/** An index over one field alone. Where it has some documents only, it makes no name unique. */
void takeIndex(CollectionCatalogue &catalogue, const bson_t *index, const QByteArray &nameField)
{
    const auto key = fieldOf(index, "key");
    bson_iter_t field;
    if (!key || !bson_iter_recurse(&*key, &field) || !bson_iter_next(&field))
        return;
    const QByteArray name = bson_iter_key(&field);
    if (bson_iter_next(&field))
        return;
    const auto after = fieldOf(index, "expireAfterSeconds");
    if (const auto filter = fieldOf(index, "partialFilterExpression")) {
        if (after && BSON_ITER_HOLDS_NUMBER(&*after))
            catalogue.partialTtl.insert(
                name, {bson_iter_as_int64(&*after) * 1'000'000, bytesOf(documentOf(*filter).get())});
        return;
    }
    if (after && BSON_ITER_HOLDS_NUMBER(&*after))
        catalogue.ttlUs.insert(name, bson_iter_as_int64(&*after) * 1'000'000);
    const auto unique = fieldOf(index, "unique");
    if (name == nameField && unique && bson_iter_as_bool(&*unique))
        catalogue.uniqueName = true;
}

} // namespace

QList<QByteArray> filterFields(const CollectionCatalogue &catalogue)
{
    QList<QByteArray> fields;
    for (const PartialTtl &index : catalogue.partialTtl)
        fields += PartialFilter(index.filter).fields();
    return fields;
}

base::Result<CollectionCatalogue> catalogueOf(MongoLink &link, const Layout &layout)
{
    if (!link.isUp())
        return base::failure(base::ErrorCode::Unreachable, QStringLiteral("the link to MongoDB is down"), {});
    CollectionCatalogue catalogue;
    catalogue.uniqueName = layout.name == "_id";
    const Owned<mongoc_collection_t> collection(mongoc_client_get_collection(
        link.client(), link.database().constData(), layout.collection.constData()));
    const Owned<mongoc_cursor_t> cursor(mongoc_collection_find_indexes_with_opts(collection.get(), nullptr));
    const bson_t *index = nullptr;
    while (mongoc_cursor_next(cursor.get(), &index))
        takeIndex(catalogue, index, layout.name);
    bson_error_t error;
    if (mongoc_cursor_error(cursor.get(), &error)) {
        if (error.code != kNoSuchCollection)
            return tl::unexpected(link.noted(error));
        catalogue.uniqueName = catalogue.absent = true; // it has no two of a name
    }
    return catalogue;
}

} // namespace lockkeeper::stores::mongodb
