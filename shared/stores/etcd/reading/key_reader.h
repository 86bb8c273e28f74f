// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/etcd/connection/gateway.h"
#include "shared/stores/etcd/connection/wire.h"
#include "shared/stores/etcd/reading/lease_book.h"
#include "shared/stores/local_clock.h"

#include <QMap>

namespace lockkeeper::stores::etcd {

/** The keys below some prefixes, all as they were at one revision of the store. */
struct RangeReading
{
    QList<QList<KeyValue>> keys; ///< of each prefix
    qint64 beganUs = 0;
    qint64 endedUs = 0;
    qint64 revision = 0;
    std::optional<base::Error> error;
    QMap<qsizetype, base::Error> denied = {}; ///< ranges that may not be read: their keys aren't known

    /** Why not all of it could be read. */
    std::optional<base::Error> whole() const
    {
        return error || denied.isEmpty() ? error : std::optional(denied.first());
    }
};

/** A piece of the key space: one key, or all keys that begin with it. */
struct KeyRange
{
    QByteArray key;
    bool prefix = false;
};

/** The ranges that make up a lock of this name: the key itself and all keys below it. */
QList<KeyRange> rangesOf(const QByteArray &name);

using ReadingDone = std::function<void(const RangeReading &)>;

/** Reads whole ranges in pages, except denied ranges. Reads as of `revision`, which may have been compacted.
 * 0: as of now, with the later pages at the revision of the first. */
void readRanges(Gateway &gateway, const LocalClock &clock, const QList<KeyRange> &ranges, int pageSize,
                ReadingDone done, qint64 revision = 0);

/** Asks for these leases, a few at a time, and notes their remaining times. A missing answer leaves the book
 * as it is. */
void readLeases(Gateway &gateway, const LocalClock &clock, LeaseBook &book, const QList<qint64> &leases,
                std::function<void()> done);

} // namespace lockkeeper::stores::etcd
