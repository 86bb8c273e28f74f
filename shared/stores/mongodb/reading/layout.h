// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/result.h"
#include "shared/stores/source_spec.h"

namespace lockkeeper::stores::mongodb {

/** A field with a time: a date, or a number of these units since the epoch. */
struct TimeField
{
    QByteArray name;       ///< empty: the layout has none
    qint64 unitUs = 1'000; ///< of a number
    bool number = false;   ///< that is what its clients write; else a date
};

/**
 * How a collection keeps locks, as data: a document a lock. Fields of documents within documents aren't read.
 */
struct Layout
{
    QByteArray collection;
    QByteArray name = "_id"; ///< else a field with a unique index of its own
    QByteArray holder;
    TimeField acquired;
    TimeField renewed;
    TimeField expires;
    std::optional<qint64> leaseUs; ///< from `renewed`, else `acquired`, where the catalogue has no TTL index
    QByteArray ended;              ///< a document that has a value here is a lock no more
    bool stays = false;            ///< given back, and broken, by setting `expires` to now
    bool job = false; ///< a lock while `acquired` has a value: given back, and broken, by setting it to null
    bool swept = false; ///< who wants the lock deletes a document whose deadline is past, and doesn't wait
                        ///< for the server to do so
    QList<QByteArray> also; ///< what else is read: fields that a partial TTL index's filter names
    QByteArray written;     ///< what its clients write beside these fields, as JSON's members

    /** Given back, and broken, by an update; else by deleting the document. */
    bool isUpdated() const { return stays || job; }
    /** Nothing but a document's own `_id`, which is made for each acquisition, tells one holder from another.
     */
    bool isHeldById() const { return holder.isEmpty() && name != "_id"; }
    /** What a guard compares, beside `_id`: each name once. */
    QList<QByteArray> identity() const;
    QList<QByteArray> freshness() const;
    /** What is read, beside `_id`. */
    QList<QByteArray> fields() const { return identity() + freshness() + also; }
};

/** By their configured names. */
QStringList presetIds();
/** The layout of a lock set: its preset, or mongodb.ttl's own fields, with the names of the configuration. */
base::Result<Layout> layoutOf(const LockSet &set);

} // namespace lockkeeper::stores::mongodb
