// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/state/query_words.h"

#include <algorithm>
#include <array>

namespace lockkeeper::app::state {

namespace {

constexpr std::array kFields{
    FieldWord{QueryField::State, "state", FieldKind::Name, true, false},
    FieldWord{QueryField::Source, "source", FieldKind::Text, true, true},
    FieldWord{QueryField::Scheme, "scheme", FieldKind::Text, true, true},
    FieldWord{QueryField::Place, "place", FieldKind::Text, true, true},
    FieldWord{QueryField::Agent, "agent", FieldKind::Text, true, true},
    FieldWord{QueryField::Name, "name", FieldKind::Text, true, true},
    FieldWord{QueryField::Holder, "holder", FieldKind::Text, true, true},
    FieldWord{QueryField::Waiter, "waiter", FieldKind::Text, true, true},
    FieldWord{QueryField::Waiters, "waiters", FieldKind::Count, true, false},
    FieldWord{QueryField::Wait, "wait", FieldKind::Duration, true, false},
    FieldWord{QueryField::Held, "held", FieldKind::Duration, true, false},
    FieldWord{QueryField::Ttl, "ttl", FieldKind::Duration, true, true},
    FieldWord{QueryField::Alive, "alive", FieldKind::Name, true, false},
    FieldWord{QueryField::Release, "release", FieldKind::Name, true, false},
    FieldWord{QueryField::Event, "event", FieldKind::Name, false, true},
    FieldWord{QueryField::From, "from", FieldKind::Time, false, true},
    FieldWord{QueryField::To, "to", FieldKind::Time, false, true},
    FieldWord{QueryField::Command, "command", FieldKind::Text, false, true},
};

} // namespace

const FieldWord *findField(QByteArrayView name, QueryScope scope)
{
    const QByteArray folded = name.toByteArray().toLower();
    const QByteArrayView wanted = folded == "lock" ? QByteArrayView("name") : QByteArrayView(folded);
    for (const FieldWord &word : kFields) {
        const bool known = scope == QueryScope::Locks ? word.inLocks : word.inHistory;
        if (known && wanted == QByteArrayView(word.name))
            return &word;
    }
    return nullptr;
}

const FieldWord *findField(QueryField field)
{
    const auto it =
        std::find_if(kFields.begin(), kFields.end(), [&](const auto &w) { return w.field == field; });
    return it == kFields.end() ? nullptr : &*it;
}

QByteArrayView fieldName(QueryField field)
{
    const FieldWord *word = findField(field);
    return word ? QByteArrayView(word->name) : QByteArrayView();
}

QList<QByteArray> fieldNames(QueryScope scope)
{
    QList<QByteArray> names;
    for (const FieldWord &word : kFields) {
        if (scope == QueryScope::Locks ? word.inLocks : word.inHistory)
            names.append(QByteArray(word.name));
    }
    return names;
}

QList<QByteArray> valueNames(QueryField field)
{
    QList<QByteArray> names;
    const auto add = [&names](QByteArrayView name) { names.append(name.toByteArray()); };
    if (field == QueryField::State) {
        for (int i = 0; i < kBadgeCount; ++i)
            add(badgeName(Badge(i)));
    } else if (field == QueryField::Alive) {
        for (int i = 0; i <= int(domain::Alive::Connected); ++i)
            add(domain::aliveName(domain::Alive(i)));
    } else if (field == QueryField::Release) {
        for (int i = 0; i <= int(domain::ReleaseSafety::Unsafe); ++i)
            add(domain::safetyName(domain::ReleaseSafety(i)));
    } else if (field == QueryField::Event) {
        for (int i = 0; i <= int(events::kLastKind); ++i)
            add(events::kindName(events::Kind(i)));
    }
    return names;
}

} // namespace lockkeeper::app::state
