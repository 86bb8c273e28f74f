// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/discover/discovery.h"

namespace lockkeeper::stores::discover {

/** A name that may be a lock's, of a store whose names are paths. */
struct SeenLock
{
    QByteArray name;
    bool sure = false; ///< its children make it one
    QByteArray client; ///< whose names these are; empty: not known
};

/** Locks below one parent, which one pattern fits. */
struct QueuePattern
{
    QByteArray match;
    QByteArray prefix; ///< what every name begins with
    QByteArray first;  ///< one of the names
    qint64 sure = 0;
    qint64 locks = 0;
    QByteArrayList clients;
};

QList<QueuePattern> patternsOf(const QList<SeenLock> &locks);

/** Judges a pattern by `sign`, which says what its locks are known by, and by its names. Pure, as
 * patternsOf() is. */
Candidate candidateOf(const QueuePattern &pattern, const QByteArray &scheme, const Reason &sign);

} // namespace lockkeeper::stores::discover
