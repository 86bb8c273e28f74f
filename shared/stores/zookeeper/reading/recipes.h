// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QByteArrayView>

#include <optional>

namespace lockkeeper::stores::zookeeper {

/** The kind of hold that a znode in a queue asks for. */
enum class HoldKind : quint8 {
    Exclusive = 0, ///< holds once it is the first
    Shared,        ///< holds once no exclusive contender is before it
    Permit,        ///< of a semaphore: the znodes don't show how many permits exist
};

/** A child's name as its recipe wrote it. */
struct RecipePlace
{
    qint64 sequence = 0;
    bool numbered = true; ///< false: its recipe may use the same name again
    HoldKind wish = HoldKind::Exclusive;

    bool operator==(const RecipePlace &) const = default;
};

/**
 * The place in a queue that `name` stands for, by the known recipes: kazoo, Curator, Hive, and any other name
 * that ends with the ten digits of a sequence. Empty: it is no place. Pure.
 */
std::optional<RecipePlace> placeOf(QByteArrayView name);

/** The client whose recipe gives a lock's children such names: "kazoo", "Curator", "Hive", "ZooKeeper" (its
 * documented recipes). Empty: no known client, and it may be no lock at all. Pure. */
QByteArrayView recipeOf(QByteArrayView name);

} // namespace lockkeeper::stores::zookeeper
