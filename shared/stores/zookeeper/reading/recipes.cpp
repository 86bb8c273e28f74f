// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/zookeeper/reading/recipes.h"

#include <algorithm>

namespace lockkeeper::stores::zookeeper {

namespace {

constexpr qsizetype kDigits = 10; ///< of a sequence, as the server writes it
constexpr qsizetype kUuid = 32;   ///< hexadecimal digits of one without dashes

/** What stands before the sequence; any other text is a lock that one alone holds. */
struct Recipe
{
    QByteArrayView mark;
    Wish wish;
};
constexpr Recipe kRecipes[] = {
    {"__rlock__", Wish::Shared},    // kazoo ReadLock; its Lock and WriteLock write __lock__
    {"__READ__", Wish::Shared},     // Curator InterProcessReadWriteLock; __WRIT__ is the other one
    {"-lease-", Wish::Permit},      // Curator InterProcessSemaphoreV2
    {"LOCK-SHARED-", Wish::Shared}, // Hive; LOCK-EXCLUSIVE-
    {"read-", Wish::Shared},        // the shared locks of ZooKeeper's own recipes; write-
};

bool isHex(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
}

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

} // namespace

std::optional<Place> placeOf(QByteArrayView name)
{
    if (name.size() == kUuid && std::all_of(name.cbegin(), name.cend(), isHex))
        return Place{0, false, Wish::Permit}; // kazoo Semaphore
    if (name.size() < kDigits)
        return std::nullopt;
    const QByteArrayView digits = name.last(kDigits);
    const QByteArrayView before = name.first(name.size() - kDigits);
    if (!std::all_of(digits.cbegin(), digits.cend(), isDigit))
        return std::nullopt;
    Place place{digits.toLongLong(), true, Wish::Exclusive};
    for (const Recipe &recipe : kRecipes) {
        if (before.endsWith(recipe.mark))
            place.wish = recipe.wish;
    }
    return place;
}

} // namespace lockkeeper::stores::zookeeper
