// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/job_stage.h"
#include "shared/stores/mongodb/connection/driver.h"
#include "shared/stores/mongodb/release/guarded_write.h"

#include <QElapsedTimer>
#include <QMutex>

namespace lockkeeper::stores::mongodb {

/** One part of a scan. */
struct PartRead
{
    Page page;
    qint64 scanned = 0;
    bool last = false;       ///< of the set
    qint64 answerUs = 0;     ///< duration of a small request
    qint64 shortestUs = 0;   ///< lease of a holder; 0: none is known
    QByteArray shortestName; ///< its lock
    Standing standing;       ///< as of the page's end
    std::optional<base::Error> error;
};

/**
 * One connection to MongoDB's primary. Every call blocks, for the source's time limits at most, in the one
 * thread that it belongs to. Reads majority-committed data (read concern "majority"): no failover takes it
 * back.
 */
class MongoSession
{
public:
    MongoSession(SourceSpec spec, QList<Layout> layouts, WriteTerm leftOut);
    ~MongoSession() { close(); }

    base::Result<ServerInfo> open();
    void close();
    /** The next page of the set's collection; the first page where none was read since endScan(). */
    PartRead readPart(quint16 set);
    /** Takes back the locks of a processed page: a later page reuses their memory. Thread-safe.
     */
    void reuse(QList<Observation> &&locks);
    void endScan();
    /** The dangers to the locks that the server and the scan that has just ended show. */
    QList<domain::Finding> findings();
    base::Result<Page> readPoints(const QList<Subject> &subjects);
    Inspection inspect(const Subject &subject);
    /** Asks `stage` right before the write. */
    ReleaseReport release(const ReleaseOrder &order, JobStage &stage);
    /** Why the connection can't be used any more; empty: it can. */
    const std::optional<base::Error> &lost() const { return m_link.lost(); }

private:
    /** A majority has at least every write from before `confirmedUs`, by the primary's clock. */
    struct MajorityTime
    {
        qint64 us = 0; ///< now
        qint64 confirmedUs = 0;
    };

    /** Documents of the scan, as the server sent them. */
    struct DocumentBatch
    {
        QByteArray documents; ///< one behind another
        qint64 count = 0;
        bool last = false;
        bool failed = false;
        bson_error_t error{}; ///< set where it failed
        QElapsedTimer read;   ///< since then
    };

    /**
     * A majority is a little behind, and others see a write only after a while. `confirmedUs` is therefore
     * the time of an earlier moment() call whose writes are all confirmed by now. A page shows at least the
     * writes until then; it may or may not show later writes.
     */
    base::Result<MajorityTime> moment();
    /** The set's collection as it is now; an error where two of its documents may stand for one lock. */
    base::Result<CollectionCatalogue> catalogue(quint16 set);
    /** The server's answer about the user's privileges; null where there is none. */
    Bson privileges();
    void tellRights(ServerInfo &info);
    Owned<mongoc_collection_t> collectionOf(quint16 set, bool majority);
    Owned<mongoc_cursor_t> find(quint16 set, const bson_t *selector, int limit, bool majority);
    /** The one document that matches the selector; null where none does, or why it couldn't be read. */
    base::Result<Bson> findOne(quint16 set, const bson_t *selector, bool majority);
    /** Reads a page of the cursor's documents; copies them, because the cursor reuses its memory. */
    void fetch(DocumentBatch &batch);
    /** `readUs`: the time at which a lock counts as held or not. While a scan is paused, a page waits long
     * after it was read, and a deadline that passes meanwhile may have been renewed. */
    void readLocks(quint16 set, qint64 readUs, PartRead &part);
    void judge(const Observation &lock, PartRead &part);
    QByteArray placeOf(quint16 set) const;
    ReleaseReport write(const ReleaseOrder &order, const bson_t *selector);
    domain::Outcome outcomeOfMiss(const ReleaseOrder &order, const bson_t *byName,
                                  const CollectionCatalogue &catalogue);

    SourceSpec m_spec;
    MongoLink m_link;
    QList<Layout> m_layouts; ///< by lock set
    WriteTerm m_leftOut;
    QByteArray m_instance;
    Standing m_standing;                ///< by the last answer to hello
    Owned<mongoc_cursor_t> m_cursor;    ///< of the scan; destroyed before the client
    bool m_aligned = true;              ///< the cursor has no unfetched documents
    DocumentBatch m_batch;              ///< the batch being read …
    DocumentBatch m_ahead;              ///< … while the link's borrower fetches this batch
    std::optional<LockReader> m_reader; ///< of the set that is scanned
    QMutex m_mutex;
    QList<Observation> m_spare; ///< guarded by `m_mutex`
    qint64 m_overdue = 0;       ///< documents of the scan that the server should have removed long ago
    quint64 m_unconfirmed = 0;  ///< the newest write at some moment(), which a majority had to confirm …
    qint64 m_unconfirmedUs = 0; ///< … the primary's time then, …
    QElapsedTimer m_sinceUnconfirmed; ///< … and since when
    qint64 m_confirmedUs = 0;         ///< the primary's time at an earlier, confirmed moment(); 0: none
    qint64 m_readUs = 0;              ///< the scan's next part is no older than this
};

} // namespace lockkeeper::stores::mongodb
