// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/locks/threaded_lock_client.h"
#include "shared/stores/mongodb/reading/catalogue.h"

namespace lockkeeper::locks::mongodb {

using namespace stores;
using namespace stores::mongodb;

/**
 * Takes locks that are documents as their own clients do, but by the server's time and with every write
 * confirmed by a majority: a document is inserted, and who finds one there has to wait until it is deleted,
 * by its holder or by the TTL index, without which nothing is taken. Where a layout is `swept`, one whose
 * deadline is past is deleted first; where its documents stay (ShedLock) it is taken over. Where the deadline
 * is a renewal and the TTL index, that says how long the lease is, whatever was asked for. Connects when
 * first asked and after a failure.
 */
class MongoLockWorker final : public LockWorker
{
    Q_OBJECT

public:
    MongoLockWorker(const SourceSpec &spec, Layout layout, QByteArray owner);

    void tryAcquire(quint64 request, const Lease &wanted) override;
    void renew(quint64 request, const Lease &lease, qint64 ttlUs) override;
    void release(quint64 request, const Lease &lease) override;

private:
    base::Result<void> connected();
    void drop() override;
    base::Result<Attempt> acquire(Lease &lease);
    base::Result<Attempt> renewed(const Lease &lease);
    base::Result<Attempt> released(const Lease &lease);
    /** Whether it found a document, or with `upsert` made one: else there is one of that name. */
    base::Result<bool> update(const bson_t *selector, const QByteArrayList &set, bool upsert);
    base::Result<bool> remove(const bson_t *selector);
    /** {name, holder}: the lease's own document. */
    Bson ownDocument(const Lease &lease) const;
    /** Its deadline is past, or ahead, and what its clients write. */
    void addDeadline(bson_t *selector, const char *comparison) const;
    /** That the collection's indexes keep locks apart and end them, and for how long its leases are. */
    base::Result<void> checkIndexes(Lease &lease);

    Link m_link;
    Layout m_layout;
    QByteArray m_owner;
    bool m_sent = false;                     ///< a write, since that was cleared
    Owned<mongoc_collection_t> m_collection; ///< destroyed before m_link
};

} // namespace lockkeeper::locks::mongodb
