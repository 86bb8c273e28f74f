// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/mongodb/reading/collections.h"

#include "shared/base/text.h"
#include "shared/stores/mongodb/connection/mongo_link.h"

#include <algorithm>

namespace lockkeeper::stores::mongodb {

namespace {

constexpr qsizetype kMostCollections = 2'000;

/** Names and types of the fields of some documents, and values of times and numbers alone. */
constexpr char kFieldsOfSome[] = R"([{"$limit": 50}, {"$project": {"_id": 0, "fields": {"$map": {
    "input": {"$objectToArray": "$$ROOT"}, "in": {"name": "$$this.k", "type": {"$type": "$$this.v"}, "value":
    {"$cond": [{"$in": [{"$type": "$$this.v"}, ["date", "int", "long"]]}, "$$this.v", null]}}}}}}])";

/** {operation: collection, …, cursor: {}} */
Bson questionOf(const char *operation, const QByteArray &collection, const Bson &more = {})
{
    Bson question = newBson();
    if (collection.isEmpty())
        bson_append_int32(question.get(), operation, -1, 1);
    else
        bson_append_utf8(question.get(), operation, -1, collection.constData(), int(collection.size()));
    if (more)
        bson_concat(question.get(), more.get());
    bson_append_document(question.get(), "cursor", -1, fromJson(R"({"batchSize": 5000})").get());
    return question;
}

/** The documents of the first answer. */
base::Result<QList<QByteArray>> answersTo(MongoLink &link, const Bson &question)
{
    const auto answer = link.ask(link.database().constData(), question.get());
    if (!answer)
        return tl::unexpected(answer.error());
    const Bson cursor = documentOf(answer->get(), "cursor");
    const Bson batch = documentOf(cursor.get(), "firstBatch");
    QList<QByteArray> documents;
    bson_iter_t each;
    for (bson_iter_init(&each, batch.get()); bson_iter_next(&each);)
        documents.append(bytesOf(documentOf(each).get()));
    return documents;
}

QByteArray textIn(const bson_t *document, const char *name)
{
    const BsonField field = fieldOf(document, name);
    return field ? textOf(*field) : QByteArray();
}

void takeField(CollectionFacts &facts, const bson_t *told)
{
    const QByteArray name = textIn(told, "name");
    const QByteArray type = textIn(told, "type");
    auto field = std::find_if(facts.fields.begin(), facts.fields.end(),
                              [&name](const FieldFacts &known) { return known.name == name; });
    if (field == facts.fields.end())
        field = facts.fields.insert(facts.fields.end(), {name, {}, facts.documents == 0, {}, {}});
    if (type == "null")
        field->always = false;
    else if (!field->types.contains(type))
        field->types.append(type);
    if (const BsonField value = fieldOf(told, "value"); value && type == "date")
        field->timesUs.append(bson_iter_date_time(&*value) * 1'000);
    else if (value && (type == "int" || type == "long"))
        field->numbers.append(bson_iter_as_int64(&*value));
}

base::Result<void> readFields(MongoLink &link, CollectionFacts &facts)
{
    const Bson pipeline = newBson();
    bson_append_array(pipeline.get(), "pipeline", -1, fromJson(kFieldsOfSome).get());
    const auto documents = answersTo(link, questionOf("aggregate", facts.name, pipeline));
    if (!documents)
        return tl::unexpected(documents.error());
    for (const QByteArray &bytes : *documents) {
        const Bson document = fromBytes(bytes);
        const Bson fields = documentOf(document.get(), "fields");
        QByteArrayList here;
        bson_iter_t each;
        for (bson_iter_init(&each, fields.get()); bson_iter_next(&each);) {
            const Bson told = documentOf(each);
            here.append(textIn(told.get(), "name"));
            takeField(facts, told.get());
        }
        for (FieldFacts &field : facts.fields)
            field.always = field.always && here.contains(field.name);
        ++facts.documents;
    }
    return {};
}

base::Result<void> readIndexes(MongoLink &link, CollectionFacts &facts)
{
    const auto indexes = answersTo(link, questionOf("listIndexes", facts.name));
    if (!indexes)
        return tl::unexpected(indexes.error());
    for (const QByteArray &bytes : *indexes) {
        const Bson index = fromBytes(bytes);
        const Bson key = documentOf(index.get(), "key");
        QByteArrayList fields;
        bson_iter_t each;
        for (bson_iter_init(&each, key.get()); bson_iter_next(&each);)
            fields.append(bson_iter_key(&each));
        if (fields == QByteArrayList{"_id"} || fieldOf(index.get(), "partialFilterExpression"))
            continue;
        const BsonField unique = fieldOf(index.get(), "unique");
        if (unique && bson_iter_as_bool(&*unique))
            facts.uniqueKeys.append(fields);
        if (const BsonField after = fieldOf(index.get(), "expireAfterSeconds"); after && fields.size() == 1)
            facts.ttlUs.insert(fields.constFirst(), bson_iter_as_int64(&*after) * 1'000'000);
    }
    return {};
}

} // namespace

base::Result<DatabaseFacts> readCollections(const SourceSpec &spec,
                                            const std::function<bool(qint64, qint64)> &goOn)
{
    MongoLink link(spec);
    if (const auto made = link.open(); !made)
        return tl::unexpected(made.error());
    DatabaseFacts facts;
    const auto build = link.ask("admin", command("buildInfo").get());
    const auto now = link.now();
    if (!build || !now)
        return tl::unexpected(build ? now.error() : build.error());
    facts.server = QStringLiteral("MongoDB ") + base::displayText(textIn(build->get(), "version"));
    facts.database = link.database();
    facts.nowUs = *now;
    const auto collections =
        answersTo(link, questionOf("listCollections", {},
                                   fromJson(R"({"filter": {"type": "collection"}, "nameOnly": true,
                                                "authorizedCollections": true})")));
    if (!collections)
        return tl::unexpected(collections.error());
    QByteArrayList names;
    for (const QByteArray &bytes : *collections) {
        const QByteArray name = textIn(fromBytes(bytes).get(), "name");
        if (!name.startsWith("system."))
            names.append(name);
    }
    std::sort(names.begin(), names.end());
    facts.allSeen = names.size() <= kMostCollections;
    names = names.first(std::min(names.size(), kMostCollections));
    for (const QByteArray &name : std::as_const(names)) {
        if (!goOn(facts.collections.size(), names.size()))
            return base::failure(base::ErrorCode::Cancelled, QStringLiteral("cancelled"), {});
        CollectionFacts collection;
        collection.name = name;
        // An unreadable collection is no reason to hide the others.
        if (!readFields(link, collection) || !readIndexes(link, collection)) {
            if (link.lost())
                return tl::unexpected(*link.lost());
        }
        facts.collections.append(collection);
    }
    return facts;
}

} // namespace lockkeeper::stores::mongodb
