// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/locks/mongodb/mongo_lock_worker.h"

#include "shared/base/text.h"

#include <QUuid>

namespace lockkeeper::stores::mongodb {

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

qint64 numberOf(const bson_t *document, const char *key)
{
    const auto field = fieldOf(document, key);
    return field && BSON_ITER_HOLDS_NUMBER(&*field) ? bson_iter_as_int64(&*field) : 0;
}

} // namespace

MongoLockWorker::MongoLockWorker(SourceSpec spec, Layout layout, QByteArray owner)
    : m_spec(std::move(spec)), m_layout(std::move(layout)), m_owner(std::move(owner))
{
}

base::Result<void> MongoLockWorker::connected()
{
    if (m_client)
        return {};
    const auto uri = uriOf(m_spec);
    if (!uri)
        return tl::unexpected(uri.error());
    bson_error_t error;
    m_client.reset(mongoc_client_new_from_uri_with_error(uri->get(), &error));
    if (!m_client)
        return tl::unexpected(errorOf(error));
    mongoc_client_set_error_api(m_client.get(), MONGOC_ERROR_API_VERSION_2);
    m_collection.reset(mongoc_client_get_collection(m_client.get(), mongoc_uri_get_database(uri->get()),
                                                    m_layout.collection.constData()));
    return {};
}

void MongoLockWorker::drop()
{
    m_collection.reset();
    m_client.reset();
}

base::Error MongoLockWorker::failed(const bson_error_t &error)
{
    if (endsLink(error))
        drop();
    return errorOf(error);
}

void MongoLockWorker::tryAcquire(quint64 request, const QByteArray &name, qint64 ttlUs)
{
    Lease lease{name, m_owner + ':' + QUuid::createUuid().toByteArray(QUuid::Id128), ttlUs, {}};
    const auto attempt = connected().and_then([&] { return acquire(lease); });
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
    if (!QUtf8StringView(lease.name.constData(), lease.name.size()).isValidUtf8())
        return base::failure(ErrorCode::Usage, QStringLiteral("the name of a lock in MongoDB is UTF-8"), {});
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
               QByteArray::number(lease.ttlUs / 1'000) + "]}, \"" + m_layout.holder +
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
    return update(ownDocument(lease).get(), set, true).map([](bool made) {
        return made ? Attempt::Done : Attempt::Held;
    });
}

base::Result<Attempt> MongoLockWorker::renewed(const Lease &lease)
{
    const QByteArray set = m_layout.stays ? '"' + m_layout.expires.name + "\": {\"$add\": [\"$$NOW\", " +
                                                QByteArray::number(lease.ttlUs / 1'000) + "]}"
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
    const Bson options = writeOptions(m_spec, false);
    const bool well =
        mongoc_collection_delete_one(m_collection.get(), own.get(), options.get(), &reply, &error);
    const qint64 count = numberOf(&reply, "deletedCount");
    bson_destroy(&reply);
    if (!well)
        return tl::unexpected(failed(error));
    return count == 1 ? Attempt::Done : Attempt::Lost;
}

base::Result<bool> MongoLockWorker::update(const bson_t *selector, const QByteArray &set, bool upsert)
{
    const Bson pipeline =
        fromJson("{\"0\": {\"$set\": {" + set + "}}}"); // only one may use the server's time
    const Bson options = writeOptions(m_spec, upsert);
    bson_t reply;
    bson_error_t error;
    const bool well = mongoc_collection_update_one(m_collection.get(), selector, pipeline.get(),
                                                   options.get(), &reply, &error);
    const qint64 count = numberOf(&reply, "matchedCount") + numberOf(&reply, "upsertedCount");
    bson_destroy(&reply);
    if (!well && error.code == kDuplicateKey)
        return false;
    if (!well)
        return tl::unexpected(failed(error));
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
    const Owned<mongoc_cursor_t> indexes(
        mongoc_collection_find_indexes_with_opts(m_collection.get(), nullptr));
    const bson_t *index = nullptr;
    while (mongoc_cursor_next(indexes.get(), &index)) {
        bson_iter_t field;
        const auto key = fieldOf(index, "key");
        if (key && bson_iter_recurse(&*key, &field) && bson_iter_next(&field) &&
            m_layout.renewed.name == bson_iter_key(&field) && numberOf(index, "expireAfterSeconds") > 0)
            return numberOf(index, "expireAfterSeconds") * 1'000'000;
    }
    bson_error_t error;
    constexpr uint32_t kNoSuchCollection = 26;
    if (mongoc_cursor_error(indexes.get(), &error) && error.code != kNoSuchCollection)
        return tl::unexpected(failed(error));
    return base::failure(
        ErrorCode::SchemaMismatch,
        QStringLiteral("the collection %1 has no TTL index on %2: its locks would never end")
            .arg(base::displayText(m_layout.collection), base::displayText(m_layout.renewed.name)),
        QStringLiteral("db.%1.createIndex({%2: 1}, {expireAfterSeconds: 120})")
            .arg(base::displayText(m_layout.collection), base::displayText(m_layout.renewed.name)));
}

} // namespace lockkeeper::stores::mongodb
