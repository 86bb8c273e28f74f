// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "document_client.h"

namespace lockkeeper::tests {

using namespace stores::mongodb;

DocumentClient::DocumentClient(const QUrl &url)
{
    startDriver();
    m_client.reset(mongoc_client_new(url.toEncoded().constData()));
}

QByteArray DocumentClient::run(const QByteArray &command, const char *database) const
{
    const Bson document = fromJson(command);
    if (!document)
        return {};
    bson_t reply;
    bson_error_t error;
    const bool well =
        mongoc_client_command_simple(m_client.get(), database, document.get(), nullptr, &reply, &error);
    const QByteArray json = well ? jsonOf(&reply) : QByteArray();
    if (!well)
        qWarning("%s: %s", command.left(200).constData(), error.message);
    bson_destroy(&reply);
    return json;
}

bool DocumentClient::insert(const QByteArray &collection, const QByteArray &document) const
{
    const Bson parsed = fromJson(document);
    return parsed && insert(collection, parsed.get());
}

bool DocumentClient::insert(const QByteArray &collection, const bson_t *document) const
{
    const Owned<mongoc_collection_t> into(
        mongoc_client_get_collection(m_client.get(), "app", collection.constData()));
    const Bson options = fromJson(R"({"writeConcern": {"w": "majority"}})");
    return mongoc_collection_insert_one(into.get(), document, options.get(), nullptr, nullptr);
}

bool DocumentClient::insertTogether(const QByteArray &collection, const QByteArrayList &documents) const
{
    const Owned<mongoc_collection_t> into(
        mongoc_client_get_collection(m_client.get(), "app", collection.constData()));
    mongoc_client_session_t *session = mongoc_client_start_session(m_client.get(), nullptr, nullptr);
    const Bson options = newBson();
    bool well = session != nullptr && mongoc_client_session_start_transaction(session, nullptr, nullptr) &&
                mongoc_client_session_append(session, options.get(), nullptr);
    for (const QByteArray &document : documents) {
        const Bson parsed = fromJson(document);
        well = well && parsed &&
               mongoc_collection_insert_one(into.get(), parsed.get(), options.get(), nullptr, nullptr);
    }
    well = well && mongoc_client_session_commit_transaction(session, nullptr, nullptr);
    if (session != nullptr)
        mongoc_client_session_destroy(session);
    return well;
}

bool DocumentClient::update(const QByteArray &collection, const QByteArray &selector,
                            const QByteArray &change) const
{
    return run("{\"update\": \"" + collection + "\", \"updates\": [{\"q\": " + selector +
               ", \"u\": " + change + "}], \"writeConcern\": {\"w\": \"majority\"}}")
        .contains("\"n\" : { \"$numberInt\" : \"1\" }");
}

bool DocumentClient::remove(const QByteArray &collection, const QByteArray &selector) const
{
    return run("{\"delete\": \"" + collection + "\", \"deletes\": [{\"q\": " + selector +
               ", \"limit\": 1}], \"writeConcern\": {\"w\": \"majority\"}}")
        .contains("\"n\" : { \"$numberInt\" : \"1\" }");
}

int DocumentClient::count(const QByteArray &collection, const QByteArray &selector, const char *concern) const
{
    const Bson reply = fromJson(run("{\"find\": \"" + collection + "\", \"filter\": " + selector +
                                    ", \"batchSize\": 10000, \"singleBatch\": true, \"maxTimeMS\": 5000" +
                                    ", \"readConcern\": {\"level\": \"" + concern + "\"}}"));
    if (!reply)
        return -1;
    return int(bson_count_keys(documentOf(documentOf(reply.get(), "cursor").get(), "firstBatch").get()));
}

bool DocumentClient::index(const QByteArray &collection, const QByteArray &index) const
{
    return !run("{\"createIndexes\": \"" + collection + "\", \"indexes\": [" + index + "]}").isEmpty();
}

} // namespace lockkeeper::tests
