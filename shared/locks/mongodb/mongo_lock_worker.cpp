// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/locks/mongodb/mongo_lock_worker.h"

#include "shared/base/text.h"

#include <QCryptographicHash>
#include <QUuid>

namespace lockkeeper::locks::mongodb {

using namespace stores::mongodb;
using namespace stores;
using base::ErrorCode;

namespace {

constexpr uint32_t kDuplicateKey = 11'000;

void appendText(bson_t *to, const QByteArray &key, const QByteArray &text)
{
    bson_append_utf8(to, key.constData(), int(key.size()), text.constData(), int(text.size()));
}

Bson named(const Layout &layout, const QByteArray &name)
{
    Bson selector = newBson();
    appendText(selector.get(), layout.name, name);
    return selector;
}

/** The server's time plus `laterUs`, in the format that the field's own clients write. */
QByteArray momentOf(const TimeField &field, qint64 laterUs = 0)
{
    const QByteArray later = "{\"$add\": [\"$$NOW\", " + QByteArray::number((laterUs + 999) / 1'000) + "]}";
    return field.number ? "{\"$toDouble\": " + later + '}' : later; // a double is JavaScript's number
}

QByteArray member(const TimeField &field, qint64 laterUs = 0)
{
    return '"' + field.name + "\": " + momentOf(field, laterUs);
}

/** The twelve bytes of an ObjectId: those that the token spells, otherwise bytes of the token's hash. */
bson_oid_t idOf(const QByteArray &token)
{
    bson_oid_t id;
    if (bson_oid_is_valid(token.constData(), size_t(token.size())))
        bson_oid_init_from_string(&id, token.constData());
    else
        bson_oid_init_from_data(&id,
                                reinterpret_cast<const uint8_t *>(
                                    QCryptographicHash::hash(token, QCryptographicHash::Sha256).constData()));
    return id;
}

QByteArray newToken(const Layout &layout, const QByteArray &owner)
{
    if (!layout.isHeldById())
        return owner + ':' + QUuid::createUuid().toByteArray(QUuid::Id128);
    bson_oid_t id;
    bson_oid_init(&id, nullptr);
    QByteArray text(25, '\0'); // with the closing NUL
    bson_oid_to_string(&id, text.data());
    text.chop(1);
    return text;
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
        lease.token = newToken(m_layout, m_owner);
    m_sent = false;
    const auto attempt = connected().and_then([&] { return acquire(lease); });
    if (!attempt && !m_sent)
        lease.token.clear(); // nothing was taken
    answer(request, attempt, lease);
}

void MongoLockWorker::renew(quint64 request, const Lease &lease, qint64 ttlUs)
{
    Lease longer = lease;
    if (!m_layout.expires.name.isEmpty())
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
    if (!m_layout.stays) {
        if (const auto checked = checkIndexes(lease); !checked)
            return tl::unexpected(checked.error());
    }
    QByteArrayList set;
    for (const TimeField &field : {m_layout.acquired, m_layout.renewed}) {
        if (!field.name.isEmpty())
            set.append(member(field));
    }
    if (!m_layout.expires.name.isEmpty())
        set.append(member(m_layout.expires, lease.ttlUs));
    if (!m_layout.written.isEmpty())
        set.append(m_layout.written);
    if (m_layout.stays) {
        // First try an existing document that is free: the server accepts no such condition for an upsert.
        const Bson token = newBson();
        appendText(token.get(), "$literal", lease.token);
        const Bson free = named(m_layout, lease.name);
        addDeadline(free.get(), "$lte");
        const auto taken = update(
            free.get(), set + QByteArrayList{'"' + m_layout.holder + "\": " + jsonOf(token.get())}, false);
        if (!taken || *taken)
            return taken.map([](bool) { return Attempt::Done; });
    }
    // No document matches this selector. So the upsert inserts one if the name is free, and never takes the
    // holder's own document again.
    const Bson absent = ownDocument(lease);
    const Bson without = fromJson("{\"$exists\": false}");
    const TimeField &always = m_layout.expires.name.isEmpty() ? m_layout.renewed : m_layout.expires;
    bson_append_document(absent.get(), always.name.constData(), -1, without.get());
    auto made = update(absent.get(), set, true);
    if (made && !*made && m_layout.swept) {
        const Bson past = named(m_layout, lease.name);
        addDeadline(past.get(), "$lt");
        const auto swept = remove(past.get());
        if (!swept)
            return tl::unexpected(swept.error());
        if (*swept)
            made = update(absent.get(), set, true);
    }
    return made.map([](bool done) { return done ? Attempt::Done : Attempt::Held; });
}

base::Result<Attempt> MongoLockWorker::renewed(const Lease &lease)
{
    const Bson own = ownDocument(lease);
    QByteArrayList set;
    if (!m_layout.renewed.name.isEmpty())
        set.append(member(m_layout.renewed));
    if (!m_layout.expires.name.isEmpty()) {
        set.append(member(m_layout.expires, lease.ttlUs));
        addDeadline(own.get(), "$gt");
    }
    return update(own.get(), set, false).map([](bool found) {
        return found ? Attempt::Done : Attempt::Lost;
    });
}

base::Result<Attempt> MongoLockWorker::released(const Lease &lease)
{
    const Bson own = ownDocument(lease);
    if (m_layout.stays)
        addDeadline(own.get(), "$gt");
    const auto done =
        m_layout.stays ? update(own.get(), {member(m_layout.expires)}, false) : remove(own.get());
    return done.map([](bool found) { return found ? Attempt::Done : Attempt::Lost; });
}

base::Result<bool> MongoLockWorker::remove(const bson_t *selector)
{
    bson_t reply;
    bson_error_t error;
    const Bson options = writeOptions(m_link.spec(), false);
    m_sent = true;
    const bool well =
        mongoc_collection_delete_one(m_collection.get(), selector, options.get(), &reply, &error);
    const qint64 count = numberOf(&reply, "deletedCount");
    bson_destroy(&reply);
    if (!well)
        return tl::unexpected(m_link.noted(error));
    return count == 1;
}

base::Result<bool> MongoLockWorker::update(const bson_t *selector, const QByteArrayList &set, bool upsert)
{
    // The array makes this a pipeline: only a pipeline may use the server's time.
    const Bson pipeline = fromJson("{\"0\": {\"$set\": {" + set.join(", ") + "}}}");
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

Bson MongoLockWorker::ownDocument(const Lease &lease) const
{
    Bson selector = named(m_layout, lease.name);
    if (m_layout.isHeldById()) {
        const bson_oid_t id = idOf(lease.token);
        bson_append_oid(selector.get(), "_id", -1, &id);
    } else {
        appendText(selector.get(), m_layout.holder, lease.token);
    }
    return selector;
}

void MongoLockWorker::addDeadline(bson_t *selector, const char *comparison) const
{
    const TimeField &field = m_layout.expires;
    const Bson type = fromJson(field.number ? R"({"$type": "number"})" : R"({"$type": "date"})");
    bson_append_document(selector, field.name.constData(), -1, type.get());
    const Bson compared =
        fromJson(QByteArray("{\"") + comparison + "\": [\"$" + field.name + "\", " + momentOf(field) + "]}");
    bson_append_document(selector, "$expr", -1, compared.get());
}

base::Result<void> MongoLockWorker::checkIndexes(Lease &lease)
{
    const auto catalogue = catalogueOf(m_link, m_layout);
    if (!catalogue)
        return tl::unexpected(catalogue.error());
    const QString collection = base::displayText(m_layout.collection);
    const auto wants = [&](const QString &why, const QByteArray &field, const QString &options) {
        return base::failure(ErrorCode::SchemaMismatch, why.arg(collection, base::displayText(field)),
                             QStringLiteral("db.%1.createIndex({%2: 1}, {%3})")
                                 .arg(collection, base::displayText(field), options));
    };
    if (!catalogue->uniqueName || (m_layout.name != "_id" && catalogue->absent))
        return wants(
            QStringLiteral("the collection %1 has no unique index on %2: two clients could hold one lock"),
            m_layout.name, QStringLiteral("unique: true"));
    const bool renewed = m_layout.expires.name.isEmpty();
    const QByteArray &field = renewed ? m_layout.renewed.name : m_layout.expires.name;
    const auto afterUs = catalogue->ttlUs.constFind(field);
    const bool ends = afterUs != catalogue->ttlUs.cend() && (!renewed || *afterUs > 0);
    if (!ends && !m_layout.swept)
        return wants(QStringLiteral("the collection %1 has no TTL index on %2: its locks would never end"),
                     field, QStringLiteral("expireAfterSeconds: %1").arg(renewed ? 120 : 0));
    if (renewed)
        lease.ttlUs = *afterUs;
    return {};
}

} // namespace lockkeeper::locks::mongodb
