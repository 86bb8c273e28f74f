// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/set_owners.h"

#include "shared/base/text.h"

#include <algorithm>

namespace lockkeeper::stores {

using base::GlobRelation;

namespace {

/** Locks of two kinds have nothing in common: a row's lock isn't the lock that the row stands for. */
QByteArrayView kindOf(QByteArrayView scheme)
{
    return scheme == "sql.row" || scheme == "sql.advisory"
               ? scheme
               : scheme.first(std::max<qsizetype>(scheme.indexOf('.'), 0));
}

bool hasTables(QByteArrayView kind)
{
    return kind == "sql" || kind == "sql.row" || kind == "mongodb";
}

/** "table "jobs"", or the preset that implies one. */
QString shown(const QByteArray &configured)
{
    return configured.startsWith(':')
               ? QStringLiteral("the table of the preset \"%1\"").arg(base::displayText(configured.sliced(1)))
               : QStringLiteral("the table \"%1\"").arg(base::displayText(configured));
}

} // namespace

QList<QByteArray> configuredPlaces(const QList<LockSet> &sets)
{
    QList<QByteArray> places;
    for (const LockSet &set : sets)
        places.append(set.table.table.isEmpty() ? ':' + set.preset.toUtf8() : set.table.table.toUtf8());
    return places;
}

QList<SetOverlap> overlapsOf(const QList<LockSet> &sets, const QList<QByteArray> &places)
{
    QList<SetOverlap> overlaps;
    for (qsizetype i = 0; i < sets.size(); ++i) {
        const QByteArrayView kind = kindOf(sets.at(i).scheme);
        for (qsizetype j = i + 1; j < sets.size(); ++j) {
            if (kind != kindOf(sets.at(j).scheme) ||
                (hasTables(kind) && (places.value(i).isEmpty() || places.value(i) != places.value(j))))
                continue;
            const GlobRelation relation = base::relationOf(sets.at(i).match, sets.at(j).match);
            if (relation != GlobRelation::Apart)
                overlaps.append({quint16(i), quint16(j), relation});
        }
    }
    return overlaps;
}

std::optional<base::Error> undeclaredOverlap(const QList<LockSet> &sets, const QList<QByteArray> &places)
{
    const QList<QByteArray> configured = configuredPlaces(sets);
    for (const SetOverlap &overlap : overlapsOf(sets, places)) {
        const QByteArray &first = configured.at(overlap.first);
        const QByteArray &second = configured.at(overlap.second);
        if (first == second || !hasTables(kindOf(sets.at(overlap.first).scheme)))
            continue;
        return base::Error{
            base::ErrorCode::SchemaMismatch,
            QStringLiteral("%1 and %2 are the same table, and two lock sets match the same locks in it")
                .arg(shown(first), shown(second)),
            QStringLiteral("Write the same \"table\" in both lock sets.")};
    }
    return std::nullopt;
}

SetOwners::SetOwners(const QList<LockSet> &sets)
{
    for (const LockSet &set : sets)
        m_sets.append(OwnedSet{set.scheme == "sql.row" || set.scheme == "redis.semaphore", {}});
    for (const SetOverlap &overlap : overlapsOf(sets, configuredPlaces(sets))) {
        m_trivial = false;
        if (overlap.relation == GlobRelation::Narrower)
            m_sets[overlap.second].narrower.append(sets.at(overlap.first).match);
        else if (overlap.relation == GlobRelation::Wider)
            m_sets[overlap.first].narrower.append(sets.at(overlap.second).match);
    }
}

bool SetOwners::owns(quint16 set, QByteArrayView subjectName) const
{
    if (m_trivial || set >= m_sets.size() || m_sets.at(set).narrower.isEmpty())
        return true;
    const OwnedSet &of = m_sets.at(set);
    const QByteArrayView name = of.named ? subjectName.sliced(subjectName.indexOf('/') + 1) : subjectName;
    return std::none_of(of.narrower.cbegin(), of.narrower.cend(),
                        [name](const QByteArray &match) { return base::globMatches(match, name); });
}

Page SetOwners::owned(Page page) const
{
    if (!m_trivial)
        page.locks.removeIf([this](const Observation &lock) { return !owns(lock.set, lock.name); });
    return page;
}

Push SetOwners::owned(Push push) const
{
    if (!m_trivial)
        push.changes.removeIf(
            [this](const Change &change) { return !owns(change.lock.set, change.lock.name); });
    return push;
}

} // namespace lockkeeper::stores
