// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/models/locks_order.h"

#include <algorithm>
#include <array>
#include <limits>

namespace lockkeeper::app::models {

namespace {

constexpr qint64 kMissing = std::numeric_limits<qint64>::max();
constexpr int kInstantBits = 56; ///< microseconds since the epoch fit until the year 4253

domain::TimeUs firstWaitUs(const domain::LockState &state)
{
    domain::TimeUs first;
    for (const domain::Waiter &waiter : state.waiters) {
        if (waiter.sinceUs && (!first || *waiter.sinceUs < *first))
            first = waiter.sinceUs;
    }
    return first;
}

/** Severity in the upper bits; below it the start of the longest wait, so that the longest comes first. */
qint64 defaultPrimary(state::Badge badge, const domain::LockState &state)
{
    constexpr qint64 never = (qint64(1) << kInstantBits) - 1;
    const qint64 since = std::clamp<qint64>(firstWaitUs(state).value_or(never), 0, never);
    return (qint64(badge) << kInstantBits) | since;
}

/** The text that a column sorts by; null for columns of numbers. */
const QByteArray *textOf(const domain::LockState &state, int column)
{
    switch (column) {
    case NameColumn:
        return &state.key.name;
    case HolderColumn:
        return &state.owner;
    case SchemeColumn:
        return &state.key.scheme;
    case PlaceColumn:
        return &state.key.place;
    case TokenColumn:
        return &state.token;
    case FencingColumn:
        return &state.fencing;
    default:
        return nullptr;
    }
}

constexpr qsizetype kPrefix = 7;

/** The first bytes as a number in the same order. */
qint64 prefix(QByteArrayView text)
{
    quint64 value = 0;
    for (qsizetype i = 0; i < kPrefix; ++i)
        value = (value << 8) | (i < text.size() ? uchar(text[i]) : 0u);
    return qint64(value);
}

/** The last sign of life, later first: by instants, so that time alone doesn't change the order. */
std::optional<qint64> silenceOf(const domain::LockState &state)
{
    if (!state.isHeld())
        return std::nullopt;
    if (state.session && state.session->protectedAs != domain::ReleaseOff::PreparedXa)
        return state.session->idleSinceUs ? -*state.session->idleSinceUs
                                          : std::numeric_limits<qint64>::min() + 1; // runs a statement
    return state.renewals > 0 && state.renewedUs ? std::optional(-*state.renewedUs) : std::nullopt;
}

/** Guarded, unsafe, then unavailable, by reason. */
std::optional<qint64> releaseRank(const domain::LockState &state)
{
    if (!state.isHeld())
        return std::nullopt;
    if (state.release.possible())
        return state.release.safety == domain::ReleaseSafety::Guarded ? 0 : 1;
    return 2 + qint64(state.release.why);
}

/**
 * A number that grows with the cell's value. Durations sort by their start, so that time alone doesn't change
 * the order.
 */
std::optional<qint64> numberOf(state::Badge badge, const domain::LockState &state, int column)
{
    const auto sinceStart = [](const domain::TimeUs &start) {
        return start ? std::optional(-*start) : std::nullopt;
    };
    switch (column) {
    case StateColumn:
        return qint64(badge);
    case HeldForColumn:
        return state.isHeld() ? sinceStart(state.acquiredUs) : std::nullopt;
    case LongestWaitColumn:
        return sinceStart(firstWaitUs(state));
    case RemainingColumn:
    case ExpiresColumn:
        return state.isHeld() && state.expiry == domain::ExpiryKind::At ? state.expiresUs : std::nullopt;
    case WaitersColumn:
        return state.waiterCount();
    case SeenColumn:
        return state.isHeld() && state.acquiredUs ? std::optional(state.windowUs) : std::nullopt;
    case AcquiredColumn:
        return state.isHeld() ? state.acquiredUs : std::nullopt;
    case DepthColumn:
        return state.depth > 0 ? std::optional<qint64>(state.depth) : std::nullopt;
    case AliveColumn:
        return silenceOf(state);
    case ReleaseColumn:
        return releaseRank(state);
    case SourceColumn:
    case AgentColumn:
        return 0;
    default:
        return std::nullopt;
    }
}

bool isMissingText(const domain::LockState &state, int column)
{
    if (column == HolderColumn && !(state.isHeld() && state.ownerKnown))
        return true;
    return textOf(state, column)->isEmpty();
}

int compareText(const SortedRow &a, const SortedRow &b, int column)
{
    static const domain::LockState any;
    const bool bySource =
        column == SourceColumn || column == AgentColumn; // which begins with its agent's name
    if (!bySource && !textOf(any, column))
        return 0;
    const domain::LockState left = a.row->lock.peek(), right = b.row->lock.peek();
    return bySource ? left.key.source.compare(right.key.source)
                    : textOf(left, column)->compare(*textOf(right, column));
}

bool keyBefore(const LockRow &a, const LockRow &b)
{
    const int names = a.lock.name().compare(b.lock.name());
    return names != 0 ? names < 0 : a.lock.peek().key < b.lock.peek().key;
}

} // namespace

SortedRow sortedRow(const LockRow &row, const LockSort &sort)
{
    const domain::LockState state = row.lock.peek();
    if (sort.column < 0) {
        const qint64 start = state.isHeld() ? state.acquiredUs.value_or(kMissing) : kMissing;
        return {defaultPrimary(row.badge, state), start, &row, row.slot};
    }
    const qint64 sign = sort.order == Qt::DescendingOrder ? -1 : 1;
    if (const QByteArray *text = textOf(state, sort.column)) {
        if (isMissingText(state, sort.column))
            return {kMissing, 0, &row, row.slot};
        const QByteArrayView rest = QByteArrayView(*text).sliced(std::min(kPrefix, text->size()));
        return {sign * prefix(*text), sign * prefix(rest), &row, row.slot};
    }
    const std::optional<qint64> number = numberOf(row.badge, state, sort.column);
    return {number ? sign * *number : kMissing, 0, &row, row.slot};
}

bool comesBefore(const SortedRow &a, const SortedRow &b, const LockSort &sort)
{
    if (a.primary != b.primary)
        return a.primary < b.primary;
    if (a.secondary != b.secondary)
        return a.secondary < b.secondary;
    const int text = sort.column < 0 || a.primary == kMissing ? 0 : compareText(a, b, sort.column);
    if (text != 0)
        return sort.order == Qt::DescendingOrder ? text > 0 : text < 0;
    return keyBefore(*a.row, *b.row);
}

QByteArray groupKey(const domain::LockState &state, Grouping grouping)
{
    switch (grouping) {
    case Grouping::None:
        return {};
    case Grouping::Source:
        return state.key.source.toUtf8();
    case Grouping::Scheme:
        return state.key.scheme;
    case Grouping::Holder:
        return state.isHeld() && state.ownerKnown ? state.owner : QByteArray();
    case Grouping::NamePrefix:
        break;
    }
    for (const QByteArrayView separators : {QByteArrayView(":/."), QByteArrayView("-_")}) {
        for (qsizetype i = 1; i < state.key.name.size(); ++i) {
            if (separators.contains(state.key.name[i]))
                return state.key.name.left(i);
        }
    }
    return {};
}

namespace {
constexpr std::array<const char *, 5> kGroupings{"none", "source", "scheme", "holder", "name_prefix"};
}

QByteArrayView groupingName(Grouping grouping)
{
    return QByteArrayView(kGroupings[size_t(grouping)]);
}

std::optional<Grouping> groupingFromName(QByteArrayView name)
{
    for (size_t i = 0; i < kGroupings.size(); ++i) {
        if (name == QByteArrayView(kGroupings[i]))
            return Grouping(i);
    }
    return std::nullopt;
}

} // namespace lockkeeper::app::models
