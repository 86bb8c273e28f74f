// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/mongodb/reading/lock_document.h"
#include "shared/stores/mongodb/watch/document_mirror.h"

#include <QElapsedTimer>

#include <vector>

namespace lockkeeper::stores::mongodb {

/** A place in the oplog. */
struct Stamp
{
    quint32 seconds = 0;
    quint32 increment = 0;
    auto operator<=>(const Stamp &) const = default;
};

/** The end of the reported changes: at `token`, with everything as of `stamp`. */
struct StreamPosition
{
    Stamp stamp;
    qint64 toldUs = 0; ///< by the server's clock: every change until then was reported
    QByteArray set;    ///< the replica set's name
    QList<QByteArray> collections;
    Bson token; ///< null: after `stamp`

    QByteArray encoded() const;
    static std::optional<StreamPosition> decoded(const QByteArray &bytes);
};

/** The contents of one answer of the change stream. */
struct StreamAnswer
{
    Push push;          ///< its position with each change, and now and then without any
    qint64 untilUs = 0; ///< by the server's clock: every earlier change was reported; 0: no more than before
    qint64 nowUs = 0;   ///< by the server's clock
    qint64 lateUs = 0;  ///< lag of the reported changes; 0 while the stream catches up
    /** The stream can't be followed any more (a collection was dropped, an event is too large to be sent, …):
     * open() it again, after a gap. */
    std::optional<base::Error> broken;
};

/**
 * Push by MongoDB's change streams (https://www.mongodb.com/docs/manual/changeStreams/), of a replica set
 * of 5.0 or later. The rule:
 *
 * 1. The sets' documents are read as of one moment of the oplog (read concern "snapshot") into mirrors. The
 * stream begins at that moment. Each event changes one document in a mirror, in order; no event is ever
 * coalesced or unseen.
 * 2. An event carries the primary's clock (6.0 and later; before, only the second).
 * 3. An answer without events proves that all changes were reported, if it was requested after `hello` showed
 * that the majority had confirmed everything. Others see a write a little late, so the proof covers only the
 * time that the previous such answer confirmed.
 * 4. Resuming after a restart works the same way, as of the moment where the stream ended. The server keeps
 * that moment for five minutes (minSnapshotHistoryWindowInSeconds). Where the server no longer has it, or the
 * oplog has rolled over, everything starts over, after a gap.
 *
 * Belongs to one thread; every call blocks, for the source's time limits at most.
 */
class ChangeStream
{
public:
    ChangeStream(SourceSpec spec, QList<Layout> layouts);
    ~ChangeStream() { close(); }
    Q_DISABLE_COPY_MOVE(ChangeStream)

    /** True: the stream resumes after this position. False: it starts over. */
    base::Result<bool> open(const QByteArray &position);
    void close();
    /** The server's position at open(). */
    const Standing &standing() const { return m_standing; }
    /** Waits for events, for `kAwaitMs` at most. */
    base::Result<StreamAnswer> next();

private:
    struct StreamClock
    {
        qint64 us = 0;
        Stamp majority; ///< the last write that the majority has, …
        Stamp newest;   ///< … and that the primary has
    };

    base::Result<void> connect();
    base::Result<StreamClock> clock();
    qint64 confirmedUs(const StreamClock &now);
    base::Result<void> begin(StreamPosition place);
    base::Result<void> readMirror(qsizetype set, const Stamp &at);
    base::Result<Bson> ask(const bson_t *command);
    base::Result<void> readCatalogues(StreamAnswer *told);
    void take(const bson_t *event, StreamAnswer &told);
    void tell(quint16 set, const DocumentMirror::Turn &turn, qint64 timeUs, qint64 windowUs,
              Push &push) const;

    MongoLink m_link;
    QList<Layout> m_layouts; ///< by lock set
    mongoc_client_session_t *m_session = nullptr;
    QByteArray m_replicaSet;
    Standing m_standing;
    Standing m_before; ///< at the open() before
    std::vector<DocumentMirror> m_mirrors;
    QList<CollectionCatalogue> m_catalogues;
    QElapsedTimer m_sinceCatalogues;
    QElapsedTimer m_sincePosition; ///< since a position was reported
    qint64 m_provenUs = 0;         ///< of the last answer without events
    StreamClock m_unconfirmed;     ///< the state that the majority has to reach
    qint64 m_cataloguesUs = 0;     ///< just before `m_catalogues` was read
    qint64 m_behindUntilUs = 0;    ///< it catches up until it has reported all from before; 0: it has
    StreamPosition m_place;
    Bson m_batch; ///< an answer that was read but not reported
    qint64 m_cursor = 0;
};

} // namespace lockkeeper::stores::mongodb
