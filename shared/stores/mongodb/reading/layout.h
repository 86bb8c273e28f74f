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
    bool number = false;   ///< its clients write a number; false: a date
};

/**
 * Describes how a collection stores locks: one document per lock. Fields of nested documents aren't read.
 */
struct Layout
{
    QByteArray collection;
    QByteArray name = "_id"; ///< or a field with its own unique index
    QByteArray holder;
    TimeField acquired;
    TimeField renewed;
    TimeField expires;
    std::optional<qint64> leaseUs; ///< from `renewed`, else `acquired`, where the catalogue has no TTL index
    QByteArray ended;              ///< a document with a value here isn't a lock any more
    bool stays = false;            ///< released, also by a break, by setting `expires` to now
    bool job =
        false; ///< a lock while `acquired` has a value: released, also by a break, by setting it to null
    bool swept = false; ///< a client that wants the lock deletes a document whose deadline has passed, and
                        ///< doesn't wait for the server to do so
    QList<QByteArray> also; ///< more fields to read: a partial TTL index's filter names them
    QByteArray written;     ///< further fields that its clients write, as JSON members

    /** True: released, also by a break, by an update. False: by deleting the document. */
    bool isUpdated() const { return stays || job; }
    /** Only the document's `_id`, which is made for each acquisition, distinguishes the holders. */
    bool isHeldById() const { return holder.isEmpty() && name != "_id"; }
    /** The fields that a guard compares, beside `_id`: each name once. */
    QList<QByteArray> identity() const;
    QList<QByteArray> freshness() const;
    /** The fields that are read, beside `_id`. */
    QList<QByteArray> fields() const { return identity() + freshness() + also; }
};

/** The presets' names in the configuration. */
QStringList presetIds();
/** The layout of a lock set: its preset, or mongodb.ttl's own fields, with the names of the configuration. */
base::Result<Layout> layoutOf(const LockSet &set);

} // namespace lockkeeper::stores::mongodb
