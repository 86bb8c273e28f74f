// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/replica/packed_lock_table.h"

#include <QStringList>

#include <optional>

namespace lockkeeper::app::views {

/** How well a text fits what was typed; the smaller rank is the better one. */
enum class PaletteRank : quint8 {
    Whole = 0, ///< it is the text
    Start,     ///< the text begins with it
    WordStart, ///< each typed word begins a word of the text
    Within,    ///< each typed word is somewhere in the text
    Letters,   ///< the typed letters are in the text, in this order
};

/** The rank of `text`, with letters in any case; empty if it doesn't fit. */
std::optional<PaletteRank> paletteRank(const QString &typed, const QString &text);

struct FoundLock
{
    PaletteRank rank = PaletteRank::Whole;
    domain::LockKey key;
};

/**
 * The `most` locks that fit best, by rank, length and name. Each typed word is a part of the lock's name or,
 * besides another that is, of its place or source. ASCII letters ignore case. One pass over the table.
 */
QList<FoundLock> findLocks(const QString &typed, const replica::PackedLockTable &locks, qsizetype most);

} // namespace lockkeeper::app::views
