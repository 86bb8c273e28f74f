// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QByteArrayView>

#include <optional>

namespace lockkeeper::stores::zookeeper {

/** What a znode in a queue asks for. */
enum class Wish : quint8 {
    Exclusive = 0, ///< holds once nobody is before it
    Shared,        ///< holds once nobody who wants it alone is before it
    Permit,        ///< of a semaphore: how many there are isn't told by the znodes
};

/** A child's name as its recipe wrote it. */
struct Place
{
    qint64 sequence = 0;
    bool numbered = true; ///< false: its recipe may use the same name again
    Wish wish = Wish::Exclusive;

    bool operator==(const Place &) const = default;
};

/**
 * The place in a queue that `name` is, by the recipes known: kazoo, Curator, Hive, and any other name that
 * ends with the ten digits of a sequence. Empty: it is none. Pure.
 */
std::optional<Place> placeOf(QByteArrayView name);

/** Whose recipe names the children of a lock so: "kazoo", "Curator", "Hive", "ZooKeeper" (those that it
 * documents). Empty: nobody's that is known, and it may be no lock at all. Pure. */
QByteArrayView recipeOf(QByteArrayView name);

} // namespace lockkeeper::stores::zookeeper
