// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/zookeeper/reading/recipes.h"

#include <algorithm>

namespace lockkeeper::stores::zookeeper {

namespace {

constexpr qsizetype kDigits = 10; ///< of a sequence, as the server writes it
constexpr qsizetype kUuid = 32;   ///< hexadecimal digits of one without dashes

/** The text before the sequence. A name with any other text is a lock with a single holder. */
struct Recipe
{
    QByteArrayView mark;
    QByteArrayView client;
    HoldKind wish;
};
constexpr Recipe kRecipes[] = {
    {"__lock__", "kazoo", HoldKind::Exclusive}, // Lock and WriteLock
    {"__rlock__", "kazoo", HoldKind::Shared},
    {"lock-", "Curator", HoldKind::Exclusive}, // InterProcessMutex, "_c_UUID-lock-"
    {"latch-", "Curator", HoldKind::Exclusive},
    {"__WRIT__", "Curator", HoldKind::Exclusive},
    {"__READ__", "Curator", HoldKind::Shared},
    {"-lease-", "Curator", HoldKind::Permit}, // InterProcessSemaphoreV2
    {"LOCK-EXCLUSIVE-", "Hive", HoldKind::Exclusive},
    {"LOCK-SHARED-", "Hive", HoldKind::Shared},
    {"write-", "ZooKeeper", HoldKind::Exclusive}, // the recipes of its documentation
    {"read-", "ZooKeeper", HoldKind::Shared},
};

bool isHex(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
}

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

bool isLetter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/** The text before the ten digits; empty: the name doesn't end with ten digits. */
std::optional<QByteArrayView> beforeSequence(QByteArrayView name)
{
    if (name.size() < kDigits)
        return std::nullopt;
    const QByteArrayView digits = name.last(kDigits);
    if (!std::all_of(digits.cbegin(), digits.cend(), isDigit))
        return std::nullopt;
    return name.first(name.size() - kDigits);
}

/** Null: no known recipe. A mark that begins with a letter is a word: "thread-" isn't "read-". */
const Recipe *recipeBefore(QByteArrayView text)
{
    for (const Recipe &recipe : kRecipes) {
        const qsizetype at = text.size() - recipe.mark.size();
        if (text.endsWith(recipe.mark) &&
            (at == 0 || !isLetter(recipe.mark.front()) || !isLetter(text.at(at - 1))))
            return &recipe;
    }
    return nullptr;
}

} // namespace

std::optional<RecipePlace> placeOf(QByteArrayView name)
{
    if (name.size() == kUuid && std::all_of(name.cbegin(), name.cend(), isHex))
        return RecipePlace{0, false, HoldKind::Permit}; // kazoo Semaphore
    const auto before = beforeSequence(name);
    if (!before)
        return std::nullopt;
    RecipePlace place{name.last(kDigits).toLongLong(), true, HoldKind::Exclusive};
    if (const Recipe *recipe = recipeBefore(*before))
        place.wish = recipe->wish;
    return place;
}

QByteArrayView recipeOf(QByteArrayView name)
{
    const auto before = beforeSequence(name);
    if (!before)
        return {};
    if (before->startsWith("x-") && before->endsWith('-') && before->size() > 3) // "x-SESSION-"
        return "ZooKeeper";
    const Recipe *recipe = recipeBefore(*before);
    return recipe ? recipe->client : QByteArrayView();
}

} // namespace lockkeeper::stores::zookeeper
