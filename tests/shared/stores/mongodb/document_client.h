// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/mongodb/connection/bson.h"
#include "shared/stores/mongodb/connection/driver.h"

#include <QByteArrayList>
#include <QUrl>

namespace lockkeeper::tests {

/** An application at MongoDB, in extended JSON; blocks. */
class DocumentClient
{
public:
    explicit DocumentClient(const QUrl &url);

    /** The server's answer as canonical extended JSON; empty if the server refused. */
    QByteArray run(const QByteArray &command, const char *database = "app") const;
    bool insert(const QByteArray &collection, const QByteArray &document) const;
    /** The same for bytes that JSON can't express. */
    bool insert(const QByteArray &collection, const bson_t *document) const;
    /** In one transaction; doesn't wait for the majority. */
    bool insertTogether(const QByteArray &collection, const QByteArrayList &documents) const;
    bool update(const QByteArray &collection, const QByteArray &selector, const QByteArray &change) const;
    bool remove(const QByteArray &collection, const QByteArray &selector) const;
    /** The number of documents that this primary has (up to 10,000); with "linearizable", of those that no
     * election rolls back. -1: no answer. */
    int count(const QByteArray &collection, const QByteArray &selector = "{}",
              const char *concern = "local") const;
    bool index(const QByteArray &collection, const QByteArray &index) const;

private:
    stores::mongodb::Owned<mongoc_client_t> m_client;
};

} // namespace lockkeeper::tests
