// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>

#include <limits>

namespace lockkeeper::app::cli {

/** One agent's answer, in the agent's order. */
template <typename T> struct Answers
{
    QList<T> list;
    bool more = false; ///< the agent has more than these
};

/** A row and the agent that it came from. */
template <typename T> struct Merged
{
    qsizetype agent = 0;
    T item;
};

template <typename T> struct MergedList
{
    QList<Merged<T>> list;
    bool more = false; ///< more rows exist
};

/**
 * Merges lists without changing the order within any of them. Of the lists' first entries, the entry that
 * comes `before` all others is next; among equals, the earlier agent's. The merge ends after `limit` entries,
 * or when an incomplete list is used up: its next entry, which it left out, might come first.
 */
template <typename T, typename Before>
MergedList<T> mergeInOrder(const QList<Answers<T>> &agents, Before before,
                           qsizetype limit = std::numeric_limits<qsizetype>::max())
{
    MergedList<T> merged;
    QList<qsizetype> at(agents.size(), 0);
    while (true) {
        qsizetype next = -1;
        for (qsizetype i = 0; i < agents.size(); ++i) {
            const Answers<T> &own = agents.at(i);
            if (at.at(i) == own.list.size()) {
                merged.more = merged.more || own.more;
                if (own.more)
                    return merged;
            } else if (next < 0 || before(own.list.at(at.at(i)), agents.at(next).list.at(at.at(next)))) {
                next = i;
            }
        }
        if (next < 0)
            return merged;
        if (merged.list.size() == limit) {
            merged.more = true;
            return merged;
        }
        merged.list.append({next, agents.at(next).list.at(at[next]++)});
    }
}

} // namespace lockkeeper::app::cli
