// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/models/locks_order.h"

#include <QTimer>

#include <map>

namespace lockkeeper::app::models {

using state::Badge;

/** What stands in which row, and how it gets there. `items` is the model's rows; the rest serves to make the
 * next ones. */
class LocksProxy::Private
{
public:
    Private(LocksProxy *proxy, LockModel &model) : q(proxy), source(model)
    {
        shown.fill(true);
        turn.setSingleShot(true);
    }

    struct Group : LockGroup
    {
        int position = -1;
        int next = -1;
        QList<const LockRow *> rows;
    };
    /** What stands in one row: a lock, or (lock null) a group. */
    struct Item
    {
        const LockRow *lock = nullptr;
        Group *group = nullptr;
        quint32 slot = 0; ///< the lock's, as in SortedRow
        bool operator==(const Item &) const = default;
    };
    /** What is known of a lock, by its slot. */
    struct Place
    {
        int position = -1;   ///< in items; −1 not there
        int next = -1;       ///< in the list that is being made
        bool dirty = false;  ///< to be placed anew at the tick
        bool moving = false; ///< and where to is known by now
        bool fits = false;   ///< the query
        bool counted = false;
        Badge countedAs = Badge::Free;
    };

    Place &place(const LockRow &row);
    void markDirty(const LockRow &row);
    bool fitsNow(const LockRow &row) const
    {
        return query.isEmpty() || matches(query, row.lock.peek(), source.context(row));
    }
    void count(const LockRow &row);
    void judge(const LockRow &row);
    void judgeAll();
    bool fitAnew();
    void rebuild(bool atOnce);
    void sortSome(qsizetype rows);
    void placeMoving();
    std::vector<Item> arrange();
    Group &groupOf(const LockRow &row);
    void gather(std::vector<Item> &items);
    void show(std::vector<Item> next);
    void appendNew(const std::vector<Item> &next);
    void moveTo(std::vector<Item> target);
    void cutTail(size_t keep);
    void setPositions();
    int &nextOf(const Item &item);
    int positionOf(const Item &item);
    void dropEmptyGroups();
    void announceGroups();
    void onTouched(const QList<const LockRow *> &rows);
    void onAdded(const QList<const LockRow *> &rows);

    LocksProxy *q;
    LockModel &source;
    QTimer timer;
    QTimer turn; ///< goes on with a tick
    int turnRows = 2000;
    state::Query query;
    std::array<bool, state::kBadgeCount> shown{};
    Grouping grouping = Grouping::None;
    LockSort sort;
    bool frozen = false;
    std::vector<Place> places; ///< by slot
    QList<const LockRow *> dirty;
    QList<const LockRow *> sortedOut;   ///< were dirty and are moving, if they are shown at all
    std::vector<SortedRow> moving;      ///< in their order
    std::vector<SortedRow> sorted;      ///< all that fit, collapsed or not
    std::vector<Item> items;            ///< what the rows are
    std::map<QByteArray, Group> groups; ///< in the order of their keys
    QSet<QByteArray> collapsed;
    state::BadgeCounts counts{};
    qint64 shownLocks = 0;
};

} // namespace lockkeeper::app::models
