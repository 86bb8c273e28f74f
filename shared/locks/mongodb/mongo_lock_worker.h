// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/locks/threaded_lock_client.h"
#include "shared/stores/mongodb/reading/catalogue.h"

namespace lockkeeper::locks::mongodb {

using namespace stores;
using namespace stores::mongodb;

/**
 * Takes the documents of mongodb.ttl (inserted; who finds one there has to wait, also for one that has
 * expired and wasn't removed yet) and of ShedLock (they stay; taken where `lockUntil` is past). All times are
 * the server's, and each write is confirmed by a majority. A lease of mongodb.ttl lasts as long as the
 * collection's TTL index says, whatever was asked for; without one there is no lease. Connects when first
 * asked and after a failure.
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
    base::Result<bool> update(const bson_t *selector, const QByteArray &set, bool upsert);
    /** {_id, holder}, and of a document that stays `condition` on its deadline. */
    Bson ownDocument(const Lease &lease, const char *condition = nullptr) const;
    /** How long the TTL index lets a document be. */
    base::Result<qint64> lengthUs();

    Link m_link;
    Layout m_layout;
    QByteArray m_owner;
    bool m_sent = false;                     ///< a write, since that was cleared
    Owned<mongoc_collection_t> m_collection; ///< destroyed before m_link
};

} // namespace lockkeeper::locks::mongodb
