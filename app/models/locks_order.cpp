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

/** Severity in the upper bits; below it the start of the longest wait, so that the longest comes first. */
qint64 defaultPrimary(replica::Badge badge, const domain::LockState &state)
{
    constexpr qint64 never = (qint64(1) << kInstantBits) - 1;
    const qint64 since = std::clamp<qint64>(firstWaitUs(state).value_or(never), 0, never);
    return (qint64(badge) << kInstantBits) | since;
}

/** The text that a column sorts by; null for columns of numbers and of sources. */
const QByteArray *textOf(const domain::LockState &state, int column)
{
    const LockOrderKey &key = kLockColumns[size_t(column)].order;
    if (const auto *own = std::get_if<QByteArray domain::LockState::*>(&key))
        return &(state.**own);
    const auto *ofKey = std::get_if<QByteArray domain::LockKey::*>(&key);
    return ofKey ? &(state.key.**ofKey) : nullptr;
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

/** The column's number; 0 for columns of sources, which every lock has. */
LockNumber numberOf(replica::Badge badge, const domain::LockState &state, int column)
{
    const auto *number = std::get_if<0>(&kLockColumns[size_t(column)].order);
    return number ? (*number)(badge, state) : LockNumber(0);
}

bool isMissingText(const domain::LockState &state, int column)
{
    if (column == HolderColumn && !(state.isHeld() && state.ownerKnown))
        return true;
    return textOf(state, column)->isEmpty();
}

int compareText(const SortedRow &a, const SortedRow &b, int column)
{
    const LockOrderKey &key = kLockColumns[size_t(column)].order;
    if (key.index() == 0)
        return 0;
    const domain::LockState left = a.row->lock.peek(), right = b.row->lock.peek();
    if (const auto *source = std::get_if<QString domain::LockKey::*>(&key))
        return (left.key.**source).compare(right.key.**source);
    return textOf(left, column)->compare(*textOf(right, column));
}

bool keyBefore(const LockRow &a, const LockRow &b)
{
    const int names = a.lock.name().compare(b.lock.name());
    return names != 0 ? names < 0 : a.lock.peek().key < b.lock.peek().key;
}

} // namespace

LockNumber firstWaitUs(const domain::LockState &state)
{
    domain::TimeUs first;
    for (const domain::Waiter &waiter : state.waiters) {
        if (waiter.sinceUs && (!first || *waiter.sinceUs < *first))
            first = waiter.sinceUs;
    }
    return first;
}

/** By instants, so that time alone doesn't change the order. */
LockNumber silenceOf(const domain::LockState &state)
{
    if (!state.isHeld())
        return std::nullopt;
    if (state.session && state.session->protectedAs != domain::ReleaseOff::PreparedXa)
        return state.session->idleSinceUs ? -*state.session->idleSinceUs
                                          : std::numeric_limits<qint64>::min() + 1; // runs a statement
    return state.renewals > 0 ? sinceStart(state.renewedUs) : std::nullopt;
}

LockNumber releaseRank(const domain::LockState &state)
{
    if (!state.isHeld())
        return std::nullopt;
    if (state.release.possible())
        return state.release.safety == domain::ReleaseSafety::Guarded ? 0 : 1;
    return 2 + qint64(state.release.why);
}

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
    const LockNumber number = numberOf(row.badge, state, sort.column);
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
