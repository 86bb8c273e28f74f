// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/discover/mongodb_scan.h"

#include "shared/stores/discover/scoring.h"
#include "shared/stores/mongodb/reading/layout.h"

#include <algorithm>

namespace lockkeeper::stores::discover {

namespace {

constexpr char kScheme[] = "mongodb.ttl";

ValueKind kindOfType(const QByteArray &type)
{
    static const QHash<QByteArray, ValueKind> kinds{
        {"string", ValueKind::Text},  {"binData", ValueKind::Bytes},  {"int", ValueKind::Integer},
        {"long", ValueKind::Integer}, {"double", ValueKind::Decimal}, {"decimal", ValueKind::Decimal},
        {"bool", ValueKind::Boolean}, {"date", ValueKind::Instant}};
    return kinds.value(type,
                       ValueKind::Other); // an ObjectId names no lock: it is new in each document
}

TableFacts tableOf(const mongodb::CollectionFacts &collection)
{
    TableFacts table;
    table.name = QString::fromUtf8(collection.name);
    for (const mongodb::FieldFacts &field : collection.fields) {
        ColumnFacts column;
        column.name = QString::fromUtf8(field.name);
        column.typeText = QString::fromLatin1(field.types.join(", "));
        // If documents differ, a text was chosen by people and an ObjectId wasn't.
        column.kind = field.types.contains("string") ? ValueKind::Text
                      : field.types.size() == 1      ? kindOfType(field.types.constFirst())
                                                     : ValueKind::Other;
        column.nullable = !field.always;
        if (field.name != "__v" && field.name != "_class") // Mongoose's and Spring's own, in every collection
            table.columns.append(column);
    }
    table.keys.append(QStringList{QStringLiteral("_id")});
    for (const QByteArrayList &key : collection.uniqueKeys) {
        QStringList fields;
        for (const QByteArray &field : key)
            fields.append(QString::fromUtf8(field));
        table.keys.append(fields);
    }
    return table;
}

QList<Layout> mongodbLayouts()
{
    QList<Layout> layouts;
    for (const QString &preset : mongodb::presetIds()) {
        LockSet set;
        set.preset = preset;
        const auto known = mongodb::layoutOf(set);
        if (!known)
            continue;
        Layout layout;
        layout.id = preset.toLatin1();
        layout.scheme = kScheme;
        layout.tables = {QString::fromUtf8(known->collection)};
        layout.names = {QString::fromUtf8(known->name)};
        // Where the layout has a deadline, the other times may belong to a later version.
        const bool deadline = !known->expires.name.isEmpty();
        const sql::ColumnPreset columns[] = {
            {"holder", QString::fromUtf8(known->holder)},
            {"acquired_at", QString::fromUtf8(known->acquired.name), deadline},
            {"renewed_at", QString::fromUtf8(known->renewed.name), deadline},
            {"expires_at", QString::fromUtf8(known->expires.name)},
            {{}, QString::fromUtf8(known->ended), true}};
        std::copy_if(std::begin(columns), std::end(columns), std::back_inserter(layout.columns),
                     [](const sql::ColumnPreset &column) { return !column.column.isEmpty(); });
        layouts.append(layout);
    }
    return layouts;
}

TableSample sampleOf(const mongodb::CollectionFacts &collection, qint64 nowUs)
{
    TableSample sample;
    sample.nowUs = nowUs;
    sample.rows = collection.documents;
    sample.comeAndGo = true; // documents have no row locks, and so no anchors
    for (const mongodb::FieldFacts &field : collection.fields) {
        const QString name = QString::fromUtf8(field.name);
        if (!field.numbers.isEmpty())
            sample.numbers.insert(name, field.numbers);
        if (!field.timesUs.isEmpty())
            sample.timesUs.insert(name, field.timesUs);
    }
    return sample;
}

/** Translates a table's protocol to documents: acquired by inserting a document, released by deleting it.
 * Any other protocol isn't supported. */
void speak(Candidate &candidate, const mongodb::CollectionFacts &collection)
{
    const bool spoken = candidate.scheme == "sql.insert" && candidate.mapping.name.size() == 1;
    if (!spoken)
        candidate.missing.append(Missing::Support);
    candidate.scheme = kScheme;
    TableMapping mapping;
    mapping.table = candidate.mapping.table;
    mapping.name = candidate.mapping.name;
    mapping.holder = candidate.mapping.holder;
    mapping.acquiredAt = candidate.mapping.acquiredAt;
    mapping.renewedAt = candidate.mapping.renewedAt;
    mapping.expiresAt = candidate.mapping.expiresAt;
    for (const char *key : {"acquired_at", "renewed_at", "expires_at"}) {
        const QString unit = candidate.config.units.value(QLatin1String(key));
        if (!unit.isEmpty())
            mapping.units.insert(QLatin1String(key), unit);
    }
    // Without a deadline field, use a field by which a TTL index removes documents.
    for (auto it = collection.ttlUs.cbegin(); it != collection.ttlUs.cend() && mapping.expiresAt.isEmpty();
         ++it) {
        const QString field = QString::fromUtf8(it.key());
        if (field != mapping.acquiredAt)
            mapping.renewedAt = field;
    }
    candidate.mapping = candidate.config = mapping;
}

} // namespace

Candidate judgeCollection(const mongodb::CollectionFacts &collection, qint64 nowUs)
{
    static const QList<Layout> layouts = mongodbLayouts();
    const TableFacts table = tableOf(collection);
    Candidate candidate = judge(table, layouts);
    if (!candidate.preset.isEmpty())
        return candidate;
    refine(candidate, table, sampleOf(collection, nowUs));
    speak(candidate, collection);
    return candidate;
}

base::Result<Scanned> scanMongodb(const SourceSpec &spec, const Progress &progress,
                                  const std::atomic_bool &stop)
{
    const auto facts = mongodb::readCollections(spec, [&](qint64 done, qint64 total) {
        progress(done, total);
        return !stop;
    });
    if (!facts)
        return tl::unexpected(facts.error());
    Scanned scanned;
    scanned.discovery.store = "mongodb";
    scanned.discovery.server = facts->server;
    scanned.discovery.database = QString::fromUtf8(facts->database);
    scanned.discovery.tables = facts->collections.size();
    scanned.discovery.allSeen = facts->allSeen;
    for (const mongodb::CollectionFacts &collection : facts->collections)
        scanned.candidates.append(judgeCollection(collection, facts->nowUs));
    return scanned;
}

} // namespace lockkeeper::stores::discover
