// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/mongodb/connection/mongo_link.h"

namespace lockkeeper::stores::mongodb {

using base::Error;
using base::ErrorCode;

Bson command(const char *name)
{
    Bson document = newBson();
    bson_append_int32(document.get(), name, -1, 1);
    return document;
}

base::Result<void> MongoLink::open()
{
    close();
    const auto uri = uriOf(m_spec);
    if (!uri)
        return tl::unexpected(uri.error());
    m_database = mongoc_uri_get_database(uri->get());
    bson_error_t error;
    m_client.reset(mongoc_client_new_from_uri_with_error(uri->get(), &error));
    if (!m_client)
        return tl::unexpected(errorOf(error));
    mongoc_client_set_error_api(m_client.get(), MONGOC_ERROR_API_VERSION_2);
    return {};
}

void MongoLink::close()
{
    settle();
    m_client.reset();
    m_lost.reset();
}

Error MongoLink::noted(const bson_error_t &error)
{
    const Error told = errorOf(error);
    if (endsLink(error) && !m_lost)
        m_lost = told;
    return told;
}

base::Result<Bson> MongoLink::ask(const char *database, const bson_t *command, const bson_t *options)
{
    if (!isUp())
        return base::failure(ErrorCode::Unreachable, QStringLiteral("the link to MongoDB is down"), {});
    bson_t reply;
    bson_error_t error;
    const bool well =
        mongoc_client_command_with_opts(client(), database, command, nullptr, options, &reply, &error);
    Bson answer = copyOf(&reply);
    bson_destroy(&reply);
    if (!well)
        return tl::unexpected(noted(error));
    return answer;
}

base::Result<Bson> MongoLink::hello()
{
    auto answer = ask("admin", command("hello").get());
    if (!answer)
        return answer;
    const BsonField writable = fieldOf(answer->get(), "isWritablePrimary");
    if (!writable || !bson_iter_as_bool(&*writable)) {
        m_lost = Error{ErrorCode::ConnectionLost,
                       QStringLiteral("the server isn't the primary of its replica set"),
                       QStringLiteral("Connect the source to the primary.")};
        return tl::unexpected(*m_lost);
    }
    return answer;
}

base::Result<qint64> timeIn(const Bson &hello)
{
    const auto time = fieldOf(hello.get(), "localTime");
    if (!time || !BSON_ITER_HOLDS_DATE_TIME(&*time))
        return base::failure(ErrorCode::Protocol, QStringLiteral("MongoDB's hello contains no time"), {});
    return bson_iter_date_time(&*time) * 1'000;
}

base::Result<qint64> MongoLink::now()
{
    return hello().and_then(timeIn);
}

} // namespace lockkeeper::stores::mongodb
