// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/locks/threaded_lock_client.h"
#include "shared/stores/mongodb/reading/collection_catalogue.h"

namespace lockkeeper::locks::mongodb {

/**
 * Acquires locks that are documents as their own clients do, but by the server's clock, and with every write
 * confirmed by a majority. A client inserts a document. Other clients must wait until it is deleted, by its
 * holder or by the TTL index; an attempt fails if an index that it needs is missing. If the layout is
 * `swept`, a document past its deadline is deleted first. If its documents stay (ShedLock), such a document
 * is taken over. If the deadline follows from the last renewal and the TTL index, the index determines the
 * lease's length, and the requested TTL is ignored. Connects on first use and after a failure.
 */
class MongoLockWorker final : public LockWorker
{
    Q_OBJECT

public:
    MongoLockWorker(const stores::SourceSpec &spec, stores::mongodb::Layout layout, QByteArray owner);

    void tryAcquire(quint64 request, const Lease &wanted) override;
    void renew(quint64 request, const Lease &lease, qint64 ttlUs) override;
    void release(quint64 request, const Lease &lease) override;

private:
    base::Result<void> connected();
    void drop() override;
    base::Result<Attempt> acquire(Lease &lease);
    base::Result<Attempt> renewed(const Lease &lease);
    base::Result<Attempt> released(const Lease &lease);
    /** True: a document was found or, with `upsert`, inserted. False with `upsert`: the name is taken. */
    base::Result<bool> update(const bson_t *selector, const QByteArrayList &set, bool upsert);
    base::Result<bool> remove(const bson_t *selector);
    /** The selector of the lease's document: {name, holder}. */
    stores::mongodb::Bson ownDocument(const Lease &lease) const;
    /** Adds two conditions on the deadline: it has the type that the clients write, and compares so with the
     * server's time. */
    void addDeadline(bson_t *selector, const char *comparison) const;
    /** Checks that the collection's indexes make names unique and end locks. Sets the lease's length if the
     * TTL index determines it. */
    base::Result<void> checkIndexes(Lease &lease);

    stores::mongodb::MongoLink m_link;
    stores::mongodb::Layout m_layout;
    QByteArray m_owner;
    bool m_sent = false;                                      ///< a write was sent since this was cleared
    stores::mongodb::Owned<mongoc_collection_t> m_collection; ///< destroyed before m_link
};

} // namespace lockkeeper::locks::mongodb
