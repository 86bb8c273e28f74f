// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/glob.h"
#include "shared/stores/store.h"

namespace lockkeeper::stores {

/** Two lock sets of a source that match the same locks, by their indices in SourceSpec::locks. */
struct SetOverlap
{
    quint16 first = 0;
    quint16 second = 0;
    base::GlobRelation relation = base::GlobRelation::Apart; ///< of the first's `match` to the second's
    bool operator==(const SetOverlap &) const = default;
};

/** By set, the table or collection as the configuration has it, or the preset that implies one. */
QList<QByteArray> configuredPlaces(const QList<LockSet> &sets);

/**
 * All pairs of sets that both match some lock, whatever their schemes. `places`: by set, where its locks are
 * ("app.shedlock"); only tables and collections need a place, elsewhere a source is one place.
 */
QList<SetOverlap> overlapsOf(const QList<LockSet> &sets, const QList<QByteArray> &places);

/** Two sets of one table that the configuration names in two ways, so that they weren't compared. */
std::optional<base::Error> undeclaredOverlap(const QList<LockSet> &sets, const QList<QByteArray> &places);

/**
 * Decides which lock set each lock belongs to. Several sets may match its name; the lock belongs to the set
 * whose `match` all the others contain. A configuration without such a set is rejected when it is read.
 */
class SetOwners
{
public:
    SetOwners() = default;
    explicit SetOwners(const QList<LockSet> &sets);

    /** True where a lock that `set` matches belongs to it; `subjectName` as in Subject::name. */
    bool owns(quint16 set, QByteArrayView subjectName) const;
    /** Drops the locks that belong to another set than the set that shows them. */
    Page owned(Page page) const;
    Push owned(Push push) const;
    /** The `match` of the sets that take locks from `set`. */
    QList<QByteArray> narrower(quint16 set) const { return m_sets.value(set).narrower; }

private:
    struct OwnedSet
    {
        bool named = false; ///< a subject's name begins with a part of its lock's place
        QList<QByteArray> narrower;
    };
    QList<OwnedSet> m_sets;
    bool m_trivial = true; ///< no lock is matched by two sets
};

} // namespace lockkeeper::stores
