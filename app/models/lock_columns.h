// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/filter/query.h"
#include "app/replica/badge.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <limits>
#include <variant>

namespace lockkeeper::app::models {

/** The columns of the locks table, for LockModel and LocksProxy alike. Each has its row in kLockColumns. */
enum LockColumn {
    StateColumn = 0,
    NameColumn,
    HolderColumn,
    HeldForColumn,
    RemainingColumn, ///< negative past the deadline
    WaitersColumn,
    SourceColumn,
    AliveColumn,
    ReleaseColumn,
    LongestWaitColumn,
    SchemeColumn,
    PlaceColumn,
    SeenColumn, ///< the window within which the acquisition was seen
    AcquiredColumn,
    ExpiresColumn,
    TokenColumn,
    DepthColumn,
    FencingColumn,
    AgentColumn, ///< all agents that see it, the best first
    LockColumnCount,
};

using LockNumber = std::optional<qint64>;
/**
 * The value by which a column sorts: a text, or a number that grows with the cell's value. Durations sort by
 * their start, so that time alone doesn't change the order.
 */
using LockOrderKey =
    std::variant<LockNumber (*)(replica::Badge, const domain::LockState &), QByteArray domain::LockState::*,
                 QByteArray domain::LockKey::*, QString domain::LockKey::*>;

/** A default width in px. Windows under 1,600 px are tight; beside the Agent column there is less room. */
struct ColumnWidth
{
    int roomy;
    int tight = roomy;
    int roomyBesideAgent = roomy;
    int tightBesideAgent = tight;
};

inline constexpr int kNeverByDefault = std::numeric_limits<int>::max();

/** All that the model, the order, the views and the tests know about a column. */
struct LockColumnTraits
{
    LockColumn column; ///< its position in kLockColumns
    const char *name;  ///< stable, for the settings; never shown
    const char *title; ///< LockFormatter translates it
    LockOrderKey order;
    const char *record; ///< the member of a lock's record, in JSON and CSV, that has the value
    std::optional<filter::QueryField>
        filter; ///< the field of the filter that finds it; empty on purpose only
    ColumnWidth width;
    int shownFrom; ///< px of the window's width from which it is shown by default
    Qt::AlignmentFlag side = Qt::AlignLeft;
};

/** The start of the longest wait. */
LockNumber firstWaitUs(const domain::LockState &state);
/** The last sign of life, later first. */
LockNumber silenceOf(const domain::LockState &state);
/** Guarded, unsafe, then unavailable, by reason. */
LockNumber releaseRank(const domain::LockState &state);
inline LockNumber sinceStart(LockNumber start)
{
    return start ? LockNumber(-*start) : std::nullopt;
}
inline LockNumber deadlineOf(replica::Badge, const domain::LockState &s)
{
    return s.isHeld() && s.expiry == domain::ExpiryKind::At ? s.expiresUs : std::nullopt;
}

// clang-format off
inline constexpr std::array<LockColumnTraits, LockColumnCount> kLockColumns{{
    {StateColumn, "state", QT_TRANSLATE_NOOP("LockFormatter", "State"),
     [](replica::Badge badge, const domain::LockState &) { return LockNumber(qint64(badge)); },
     "state", filter::QueryField::State, {112, 104}, 0}, // the badge with 4 px on either side
    {NameColumn, "name", QT_TRANSLATE_NOOP("LockFormatter", "Lock"), &domain::LockKey::name,
     "lock", filter::QueryField::Name, {200}, 0},
    // Beside the Agent column, the lock still gets its 200 px in a window of 1280 px.
    {HolderColumn, "holder", QT_TRANSLATE_NOOP("LockFormatter", "Holder"), &domain::LockState::owner,
     "owner", filter::QueryField::Holder, {142, 118, 100, 78}, 0},
    {HeldForColumn, "held_for", QT_TRANSLATE_NOOP("LockFormatter", "Held for"),
     [](replica::Badge, const domain::LockState &s) {
         return s.isHeld() ? sinceStart(s.acquiredUs) : std::nullopt; },
     "acquired_us", filter::QueryField::Held, {88}, 0, Qt::AlignRight},
    {RemainingColumn, "remaining", QT_TRANSLATE_NOOP("LockFormatter", "Remaining"), &deadlineOf,
     "expires_us", filter::QueryField::Ttl, {124, 114}, 0, Qt::AlignRight},
    {WaitersColumn, "waiters", QT_TRANSLATE_NOOP("LockFormatter", "Waiters"),
     [](replica::Badge, const domain::LockState &s) { return s.waiterCount(); },
     "waiters", filter::QueryField::Waiters, {64}, 0, Qt::AlignRight},
    {SourceColumn, "source", QT_TRANSLATE_NOOP("LockFormatter", "Source"), &domain::LockKey::source,
     "source", filter::QueryField::Source, {98, 90, 76, 64}, 1024},
    {AliveColumn, "alive", QT_TRANSLATE_NOOP("LockFormatter", "Alive"),
     [](replica::Badge, const domain::LockState &s) { return silenceOf(s); },
     "alive.verdict", filter::QueryField::Alive, {118}, 0},
    {ReleaseColumn, "release", QT_TRANSLATE_NOOP("LockFormatter", "Release"),
     [](replica::Badge, const domain::LockState &s) { return releaseRank(s); },
     "release.safety", filter::QueryField::Release, {90}, 0},
    // From here on, each appears from the width that leaves the lock its 200 px beside a wide detail dock.
    {LongestWaitColumn, "longest_wait", QT_TRANSLATE_NOOP("LockFormatter", "Longest wait"),
     [](replica::Badge, const domain::LockState &s) { return sinceStart(firstWaitUs(s)); },
     "longest_wait_us", filter::QueryField::Wait, {104}, 1700, Qt::AlignRight},
    {SchemeColumn, "scheme", QT_TRANSLATE_NOOP("LockFormatter", "Scheme"), &domain::LockKey::scheme,
     "scheme", filter::QueryField::Scheme, {104}, 1880},
    {PlaceColumn, "place", QT_TRANSLATE_NOOP("LockFormatter", "Place"), &domain::LockKey::place,
     "place", filter::QueryField::Place, {150}, 2040},
    {SeenColumn, "seen", QT_TRANSLATE_NOOP("LockFormatter", "Seen"),
     [](replica::Badge, const domain::LockState &s) {
         return s.isHeld() && s.acquiredUs ? LockNumber(s.windowUs) : std::nullopt; },
     "window_us", std::nullopt, {84}, 1780},
    {AcquiredColumn, "acquired", QT_TRANSLATE_NOOP("LockFormatter", "Acquired"),
     [](replica::Badge, const domain::LockState &s) { return s.isHeld() ? s.acquiredUs : std::nullopt; },
     "acquired_us", filter::QueryField::Held, {140}, kNeverByDefault},
    {ExpiresColumn, "expires", QT_TRANSLATE_NOOP("LockFormatter", "Expires"), &deadlineOf,
     "expires_us", filter::QueryField::Ttl, {140}, kNeverByDefault},
    {TokenColumn, "token", QT_TRANSLATE_NOOP("LockFormatter", "Token"), &domain::LockState::token,
     "token", std::nullopt, {160}, kNeverByDefault},
    {DepthColumn, "depth", QT_TRANSLATE_NOOP("LockFormatter", "Depth"),
     [](replica::Badge, const domain::LockState &s) { return s.depth > 0 ? LockNumber(s.depth) : std::nullopt; },
     "depth", std::nullopt, {80}, kNeverByDefault, Qt::AlignRight},
    {FencingColumn, "fencing", QT_TRANSLATE_NOOP("LockFormatter", "Fencing token"),
     &domain::LockState::fencing, "fencing", std::nullopt, {104}, kNeverByDefault},
    {AgentColumn, "agent", QT_TRANSLATE_NOOP("LockFormatter", "Agent"),
     &domain::LockKey::source, // which begins with its agent
     "agent", filter::QueryField::Agent, {76, 66}, kNeverByDefault},
}};
// clang-format on
static_assert(std::ranges::all_of(kLockColumns, [](const auto &c) { return &kLockColumns[c.column] == &c; }),
              "each column has its row, in the order of the enumeration");

/** The stable names alone, for RawModel. */
inline constexpr std::array<const char *, LockColumnCount> kLockColumnNames = [] {
    std::array<const char *, LockColumnCount> names{};
    std::ranges::transform(kLockColumns, names.begin(), &LockColumnTraits::name);
    return names;
}();

} // namespace lockkeeper::app::models
