// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/passed_sets.h"

#include "shared/stores/set_part.h"

#include <utility>

namespace lockkeeper::stores {

namespace {
/** Sets may share their place. */
QByteArray nameOf(quint16 set, const QList<LockSet> &sets, const QList<QByteArray> &places)
{
    const QByteArray place = places.value(set);
    return places.count(place) > 1 ? place + " (" + sets.value(set).match + ')' : place;
}
} // namespace

std::function<bool(const Subject &)> PassedSets::end(const QList<LockSet> &sets,
                                                     const QList<QByteArray> &places,
                                                     const std::function<void(const ShardState &)> &tell)
{
    const QMap<quint16, base::Error> before = std::exchange(m_told, std::exchange(m_now, {}));
    const auto tellOf = [&](quint16 set, bool up) {
        ShardState part;
        part.ranges = kSetPart;
        part.node = nameOf(set, sets, places);
        part.up = up;
        part.error = up ? base::Error() : m_told.value(set);
        part.holds = [set](const Subject &subject) { return subject.set == set; };
        tell(part);
    };
    for (auto it = m_told.cbegin(); it != m_told.cend(); ++it) {
        if (!before.contains(it.key()))
            tellOf(it.key(), false);
    }
    for (auto it = before.cbegin(); it != before.cend(); ++it) {
        if (!m_told.contains(it.key()))
            tellOf(it.key(), true);
    }
    if (m_told.isEmpty())
        return {};
    return [passed = m_told.keys()](const Subject &subject) { return !passed.contains(subject.set); };
}

} // namespace lockkeeper::stores
