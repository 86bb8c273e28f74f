// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/mongodb/reading/collection_catalogue.h"
#include "shared/stores/mongodb/reading/partial_filter.h"
#include "shared/stores/store.h"

namespace lockkeeper::stores::mongodb {

/**
 * The lock's name: the bytes of a string, and for a string that is empty or begins with '{', or anything
 * else, the canonical extended JSON of {"_id": value}. Two different values never have the same name.
 */
QByteArray nameOf(const bson_iter_t &field);
/** {field: {"$eq": value}} for the value that nameOf() gave this name; null where it is no name. */
Bson selectorOf(const QByteArray &field, const QByteArray &name);

/** Every document that is a lock. */
Bson selectorOfAll(const Layout &layout);
/** The fields that the layout reads, for a find. */
Bson projectionOf(const Layout &layout);

/** When a lease ends, by which field and how much later than it. */
struct Deadline
{
    TimeField field; ///< without a name: never
    qint64 laterUs = 0;
};
Deadline deadlineOf(const Layout &layout, const CollectionCatalogue &catalogue);

/**
 * Reads documents of one layout, as their collection's catalogue was at some time. Looks up once everything
 * that all documents share: a scan reads a hundred thousand of them.
 */
class LockReader
{
public:
    LockReader(const Layout &layout, const CollectionCatalogue &catalogue);

    /** `document` has the layout's fields; `nowUs` is the store's time. The observation has no name where the
     * document isn't a lock, or isn't a lock any more. */
    Observation read(const bson_t *document, qint64 nowUs) const;
    /** The same into an observation that this or another reader's read() filled before. Sets the same members
     * again, and reuses the memory of its strings. */
    void read(const bson_t *document, qint64 nowUs, Observation &lock) const;
    /** The minimum time for which the holder keeps the lock without a renewal; 0: not known. */
    qint64 leaseUs(const Observation &lock) const;

private:
    class Elements;

    qsizetype indexOf(const QByteArray &field);
    void takeTimes(Observation &lock, const Elements &elements, const bson_t *document) const;
    void takeDeadline(Observation &lock, const Elements &elements, const bson_t *document) const;
    /** The server's TTL monitor deletes the document once its deadline has passed. */
    bool isSwept(const Elements &elements, const bson_t *document) const;

    Layout m_layout;
    Deadline m_deadline;
    bool m_whole = false;                   ///< a TTL index over the deadline's field covers every document
    std::optional<PartialFilter> m_partial; ///< … or those that match the filter
    bool m_byIndex = false;     ///< the deadline is that index's: there is none where it doesn't act
    bool m_byId = false;        ///< `_id` is the lock's name
    QList<QByteArray> m_fields; ///< fields to read, each once; `Elements` uses their indices
    qsizetype m_name = -1;      ///< their indices; -1: the layout has none
    qsizetype m_holder = -1;
    qsizetype m_acquired = -1;
    qsizetype m_ended = -1;
    qsizetype m_deadlines = -1;
    QList<qsizetype> m_identity;
    QList<qsizetype> m_freshness;
};

} // namespace lockkeeper::stores::mongodb
