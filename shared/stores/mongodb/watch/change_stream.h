// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/mongodb/reading/lock_document.h"
#include "shared/stores/mongodb/watch/mirror.h"

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

/** Where the changes that were told ended: with `token`, and by then all was as of `stamp`. */
struct Place
{
    Stamp stamp;
    qint64 toldUs = 0; ///< by the server's clock: every change until then was told
    QByteArray set;    ///< the replica set's name
    QList<QByteArray> collections;
    Bson token; ///< null: after `stamp`

    QByteArray encoded() const;
    static std::optional<Place> decoded(const QByteArray &bytes);
};

/** What one answer of the change stream told. */
struct Told
{
    Push push;          ///< its position with each change, and now and then without any
    qint64 untilUs = 0; ///< by the server's clock: every change before was told; 0: not more than before
    qint64 nowUs = 0;   ///< by the same
    qint64 lateUs = 0;  ///< so long ago is what was told last; not while it catches up with where it resumed
    /** What was told can't be followed any more (a collection was dropped, an event is too large to be sent,
     * …): open() anew, behind a gap. */
    std::optional<base::Error> broken;
};

/**
 * Push by MongoDB's change streams (https://www.mongodb.com/docs/manual/changeStreams/), of a replica set
 * of 5.0 or later. The rule:
 *
 * 1. The sets' documents are read as of one moment of the oplog (read concern "snapshot") into mirrors, and
 * the stream begins there: every event changes one document in a mirror, in their order, and none is ever
 * coalesced or unseen.
 * 2. An event tells the primary's clock (6.0 and later; before, the second).
 * 3. An answer without events that was asked for after `hello` had told that all was confirmed by the
 * majority proves that all was told; up to the time of the hello before the last such one, as a write takes
 * its time a little before others see it.
 * 4. Going on after a restart is the same: as of the moment where it ended. The server keeps that for five
 * minutes (minSnapshotHistoryWindowInSeconds); where it has it no more, or the oplog has rolled over, all
 * begins anew, behind a gap.
 *
 * Of one thread; every call blocks, for the source's time limits at most.
 */
class ChangeStream
{
public:
    ChangeStream(SourceSpec spec, QList<Layout> layouts);
    ~ChangeStream() { close(); }
    Q_DISABLE_COPY_MOVE(ChangeStream)

    /** Whether it goes on after this position; else it begins anew. */
    base::Result<bool> open(const QByteArray &position);
    void close();
    /** Waits for events, for `kAwaitMs` at most. */
    base::Result<Told> next();

private:
    struct Clock
    {
        qint64 us = 0;
        Stamp majority; ///< the last write that the majority has, …
        Stamp newest;   ///< … and that the primary has
    };

    base::Result<void> connect();
    base::Result<Clock> clock();
    qint64 confirmedUs(const Clock &now);
    base::Result<void> begin(Place place);
    base::Result<void> readMirror(qsizetype set, const Stamp &at);
    base::Result<Bson> ask(const bson_t *command);
    base::Result<void> readCatalogues(Told *told);
    void take(const bson_t *event, Told &told);
    void tell(quint16 set, const Mirror::Turn &turn, qint64 timeUs, qint64 windowUs, Push &push) const;

    Link m_link;
    QList<Layout> m_layouts; ///< by lock set
    mongoc_client_session_t *m_session = nullptr;
    QByteArray m_replicaSet;
    std::vector<Mirror> m_mirrors;
    QList<Catalogue> m_catalogues;
    QElapsedTimer m_sinceCatalogues;
    QElapsedTimer m_sincePosition; ///< was told
    qint64 m_provenUs = 0;         ///< of the last answer without events
    Clock m_unconfirmed;           ///< what the majority has to come to
    qint64 m_cataloguesUs = 0;     ///< when they were as they are known
    qint64 m_behindUntilUs = 0;    ///< it catches up until it has told all from before; 0: it has
    Place m_place;
    Bson m_batch; ///< an answer that was read and not told
    qint64 m_cursor = 0;
};

} // namespace lockkeeper::stores::mongodb
