// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/locks/mongodb/mongo_lock_worker.h"

#include "shared/base/text.h"

#include <QUuid>

namespace lockkeeper::locks::mongodb {

using base::ErrorCode;

namespace {

constexpr uint32_t kDuplicateKey = 11'000;

void appendText(bson_t *to, const QByteArray &key, const QByteArray &text)
{
    bson_append_utf8(to, key.constData(), int(key.size()), text.constData(), int(text.size()));
}

Bson writeOptions(const SourceSpec &spec, bool upsert)
{
    Bson options = fromJson("{\"writeConcern\": {\"w\": \"majority\", \"wtimeout\": " +
                            QByteArray::number(spec.statementTimeoutMs) + "}}");
    if (upsert)
        bson_append_bool(options.get(), "upsert", -1, true);
    return options;
}

} // namespace

MongoLockWorker::MongoLockWorker(const SourceSpec &spec, Layout layout, QByteArray owner)
    : m_link(spec), m_layout(std::move(layout)), m_owner(std::move(owner))
{
}

base::Result<void> MongoLockWorker::connected()
{
    if (m_link.isUp())
        return {};
    drop();
    if (const auto made = m_link.open(); !made)
        return made;
    m_collection.reset(mongoc_client_get_collection(m_link.client(), m_link.database().constData(),
                                                    m_layout.collection.constData()));
    return {};
}

void MongoLockWorker::drop()
{
    m_collection.reset();
    m_link.close();
}

void MongoLockWorker::tryAcquire(quint64 request, const Lease &wanted)
{
    Lease lease = wanted;
    if (lease.token.isEmpty())
        lease.token = m_owner + ':' + QUuid::createUuid().toByteArray(QUuid::Id128);
    m_sent = false;
    const auto attempt = connected().and_then([&] { return acquire(lease); });
    if (!attempt && !m_sent)
        lease.token.clear(); // nothing was taken
    answer(request, attempt, lease);
}

void MongoLockWorker::renew(quint64 request, const Lease &lease, qint64 ttlUs)
{
    Lease longer = lease;
    if (m_layout.stays)
        longer.ttlUs = ttlUs;
    answer(request, connected().and_then([&] { return renewed(longer); }), longer);
}

void MongoLockWorker::release(quint64 request, const Lease &lease)
{
    answer(request, connected().and_then([&] { return released(lease); }), lease);
}

base::Result<Attempt> MongoLockWorker::acquire(Lease &lease)
{
    if (lease.ttlUs < 1'000)
        return base::failure(ErrorCode::Usage, QStringLiteral("a lease lasts at least one millisecond"), {});
    for (const QByteArray &text : {lease.name, lease.token}) {
        if (!QUtf8StringView(text.constData(), text.size()).isValidUtf8())
            return base::failure(ErrorCode::Usage,
                                 QStringLiteral("names and holders of locks in MongoDB are UTF-8"), {});
    }
    QByteArray set = '"' + m_layout.acquired.name + "\": \"$$NOW\"";
    if (!m_layout.stays) {
        const auto length = lengthUs();
        if (!length)
            return tl::unexpected(length.error());
        lease.ttlUs = *length;
        set += ", \"" + m_layout.renewed.name + "\": \"$$NOW\"";
    } else {
        const Bson token = newBson();
        appendText(token.get(), "$literal", lease.token);
        set += ", \"" + m_layout.expires.name + "\": {\"$add\": [\"$$NOW\", " +
               QByteArray::number((lease.ttlUs + 999) / 1'000) + "]}, \"" + m_layout.holder +
               "\": " + jsonOf(token.get());
        // One that is there and free; where a document has to be made the server takes no condition.
        const Bson free = newBson();
        appendText(free.get(), "_id", lease.name);
        const Bson past = fromJson("{\"$lte\": [\"$" + m_layout.expires.name + "\", \"$$NOW\"]}");
        bson_append_document(free.get(), "$expr", -1, past.get());
        const auto taken = update(free.get(), set, false);
        if (!taken || *taken)
            return taken.map([](bool) { return Attempt::Done; });
    }
    // No document is like that: what this finds free is made, and a holder's own isn't taken again.
    const Bson absent = ownDocument(lease);
    const Bson without = fromJson("{\"$exists\": false}");
    bson_append_document(absent.get(), m_layout.acquired.name.constData(), -1, without.get());
    return update(absent.get(), set, true).map([](bool made) {
        return made ? Attempt::Done : Attempt::Held;
    });
}

base::Result<Attempt> MongoLockWorker::renewed(const Lease &lease)
{
    const QByteArray set = m_layout.stays ? '"' + m_layout.expires.name + "\": {\"$add\": [\"$$NOW\", " +
                                                QByteArray::number((lease.ttlUs + 999) / 1'000) + "]}"
                                          : '"' + m_layout.renewed.name + "\": \"$$NOW\"";
    return update(ownDocument(lease, "$gt").get(), set, false).map([](bool found) {
        return found ? Attempt::Done : Attempt::Lost;
    });
}

base::Result<Attempt> MongoLockWorker::released(const Lease &lease)
{
    const Bson own = ownDocument(lease, "$gt");
    if (m_layout.stays)
        return update(own.get(), '"' + m_layout.expires.name + "\": \"$$NOW\"", false).map([](bool found) {
            return found ? Attempt::Done : Attempt::Lost;
        });
    bson_t reply;
    bson_error_t error;
    const Bson options = writeOptions(m_link.spec(), false);
    const bool well =
        mongoc_collection_delete_one(m_collection.get(), own.get(), options.get(), &reply, &error);
    const qint64 count = numberOf(&reply, "deletedCount");
    bson_destroy(&reply);
    if (!well)
        return tl::unexpected(m_link.noted(error));
    return count == 1 ? Attempt::Done : Attempt::Lost;
}

base::Result<bool> MongoLockWorker::update(const bson_t *selector, const QByteArray &set, bool upsert)
{
    const Bson pipeline =
        fromJson("{\"0\": {\"$set\": {" + set + "}}}"); // only one may use the server's time
    const Bson options = writeOptions(m_link.spec(), upsert);
    bson_t reply;
    bson_error_t error;
    m_sent = true;
    const bool well = mongoc_collection_update_one(m_collection.get(), selector, pipeline.get(),
                                                   options.get(), &reply, &error);
    const qint64 count = numberOf(&reply, upsert ? "upsertedCount" : "matchedCount");
    bson_destroy(&reply);
    if (!well && error.code == kDuplicateKey)
        return false;
    if (!well)
        return tl::unexpected(m_link.noted(error));
    return count == 1;
}

Bson MongoLockWorker::ownDocument(const Lease &lease, const char *condition) const
{
    Bson selector = newBson();
    appendText(selector.get(), "_id", lease.name);
    appendText(selector.get(), m_layout.holder, lease.token);
    if (m_layout.stays && condition != nullptr) {
        const Bson ahead =
            fromJson(QByteArray("{\"") + condition + "\": [\"$" + m_layout.expires.name + "\", \"$$NOW\"]}");
        bson_append_document(selector.get(), "$expr", -1, ahead.get());
    }
    return selector;
}

base::Result<qint64> MongoLockWorker::lengthUs()
{
    const auto catalogue = catalogueOf(m_link, m_layout);
    if (!catalogue)
        return tl::unexpected(catalogue.error());
    if (const qint64 us = catalogue->ttlUs.value(m_layout.renewed.name); us > 0)
        return us;
    return base::failure(
        ErrorCode::SchemaMismatch,
        QStringLiteral("the collection %1 has no TTL index on %2: its locks would never end")
            .arg(base::displayText(m_layout.collection), base::displayText(m_layout.renewed.name)),
        QStringLiteral("db.%1.createIndex({%2: 1}, {expireAfterSeconds: 120})")
            .arg(base::displayText(m_layout.collection), base::displayText(m_layout.renewed.name)));
}

} // namespace lockkeeper::locks::mongodb
