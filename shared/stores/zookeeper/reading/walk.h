// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/zookeeper/reading/tree.h"

namespace lockkeeper::stores::zookeeper {

inline constexpr int kDeepest = 8;            ///< levels below the root of the walk
inline constexpr qsizetype kMostAtOnce = 200; ///< znodes whose reading is under way

/** Where to look for locks. */
struct Root
{
    quint16 set = 0;
    QByteArray path;
    QByteArray match; ///< glob on a lock's path
};

/** How a walk ended: every lock of a set was read, or lies below one of `denied`, unless there is an error.
 */
struct Walked
{
    QList<QByteArray> denied; ///< znodes that may not be read
    qint64 scanned = 0;       ///< znodes, with those in queues
    std::optional<base::Error> error;
};

/** A set's root: the deepest znode that every matching path equals or lies below. */
QByteArray rootOf(const QByteArray &match);

/**
 * Goes through the tree below some znodes, at most eight levels deep and never into /zookeeper, some hundred
 * readings at once. `found` gets each lock as soon as it was read, and then `done` is called once, later.
 */
void walk(Tree &tree, const QList<Root> &roots, ReadingUse look,
          std::function<void(quint16 set, const Znode &lock)> found,
          std::function<void(const Walked &)> done);

} // namespace lockkeeper::stores::zookeeper
