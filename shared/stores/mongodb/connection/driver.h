// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/result.h"
#include "shared/stores/source_spec.h"

#include <memory>
#include <mongoc/mongoc.h>

namespace lockkeeper::stores::mongodb {

struct DriverFree
{
    void operator()(mongoc_uri_t *uri) const { mongoc_uri_destroy(uri); }
    void operator()(mongoc_client_t *client) const { mongoc_client_destroy(client); }
    void operator()(mongoc_collection_t *collection) const { mongoc_collection_destroy(collection); }
    void operator()(mongoc_cursor_t *cursor) const { mongoc_cursor_destroy(cursor); }
    void operator()(bson_reader_t *reader) const { bson_reader_destroy(reader); }
};
template <typename T> using Owned = std::unique_ptr<T, DriverFree>;

/** Initialises the driver once per process and redirects its log to ours. Thread-safe. */
void startDriver();

/**
 * The connection string for libmongoc: servers, database and login from the URL, time limits and TLS from the
 * source's settings. The driver never repeats writes or reads. Returns a usage Error for invalid settings.
 */
base::Result<Owned<mongoc_uri_t>> uriOf(const SourceSpec &spec);

/** The driver's or the server's error (error API 2) as ours. */
base::Error errorOf(const bson_error_t &error);
/** True where this connection can't be used any more after the error. */
bool endsLink(const bson_error_t &error);
/** The server said that it did nothing. */
bool isUntouched(const bson_error_t &error);

} // namespace lockkeeper::stores::mongodb
