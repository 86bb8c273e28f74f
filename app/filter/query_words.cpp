// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/filter/query_words.h"

#include <algorithm>
#include <array>

namespace lockkeeper::app::filter {

namespace {

constexpr unsigned bitOf(QueryScope scope)
{
    return 1u << unsigned(scope);
}
constexpr unsigned kInLocks = bitOf(QueryScope::Locks);
constexpr unsigned kInHistory = bitOf(QueryScope::History);
constexpr unsigned kInAudit = bitOf(QueryScope::Audit);
constexpr unsigned kInRanking = bitOf(QueryScope::Ranking);
constexpr unsigned kEverywhere = kInLocks | kInHistory | kInAudit | kInRanking;

constexpr std::array kFields{
    FieldWord{QueryField::State, "state", FieldKind::Name, kInLocks},
    FieldWord{QueryField::Source, "source", FieldKind::Text, kEverywhere},
    FieldWord{QueryField::Scheme, "scheme", FieldKind::Text, kEverywhere},
    FieldWord{QueryField::Place, "place", FieldKind::Text, kEverywhere},
    FieldWord{QueryField::Agent, "agent", FieldKind::Text, kInLocks | kInHistory},
    FieldWord{QueryField::Name, "name", FieldKind::Text, kEverywhere},
    FieldWord{QueryField::Holder, "holder", FieldKind::Text, kInLocks | kInHistory | kInAudit},
    FieldWord{QueryField::Waiter, "waiter", FieldKind::Text, kInLocks | kInHistory},
    FieldWord{QueryField::Waiters, "waiters", FieldKind::Count, kInLocks},
    FieldWord{QueryField::Wait, "wait", FieldKind::Duration, kInLocks},
    FieldWord{QueryField::Held, "held", FieldKind::Duration, kInLocks},
    FieldWord{QueryField::Ttl, "ttl", FieldKind::Duration, kInLocks | kInHistory},
    FieldWord{QueryField::Alive, "alive", FieldKind::Name, kInLocks},
    FieldWord{QueryField::Release, "release", FieldKind::Name, kInLocks},
    FieldWord{QueryField::Event, "event", FieldKind::Name, kInHistory},
    FieldWord{QueryField::From, "from", FieldKind::Time, kInHistory | kInRanking | kInAudit},
    FieldWord{QueryField::To, "to", FieldKind::Time, kInHistory | kInRanking | kInAudit},
    FieldWord{QueryField::Command, "command", FieldKind::Text, kInHistory | kInAudit},
    FieldWord{QueryField::Who, "who", FieldKind::Text, kInAudit},
    FieldWord{QueryField::Reason, "reason", FieldKind::Text, kInAudit},
    FieldWord{QueryField::Outcome, "outcome", FieldKind::Name, kInAudit},
};

} // namespace

const FieldWord *findField(QByteArrayView name, QueryScope scope)
{
    const QByteArray folded = name.toByteArray().toLower();
    // The names of JSON are fields as well.
    const QByteArrayView wanted = folded == "lock"    ? QByteArrayView("name")
                                  : folded == "owner" ? QByteArrayView("holder")
                                                      : QByteArrayView(folded);
    for (const FieldWord &word : kFields) {
        if ((word.scopes & bitOf(scope)) != 0 && wanted == QByteArrayView(word.name))
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

QList<QByteArray> fieldNames(QueryScope scope)
{
    QList<QByteArray> names;
    for (const FieldWord &word : kFields) {
        if ((word.scopes & bitOf(scope)) != 0)
            names.append(QByteArray(word.name));
    }
    return names;
}

qsizetype localValueOf(QueryField field, const QString &word)
{
    for (int i = 0; field == QueryField::State && i < replica::kBadgeCount; ++i) {
        QString text = replica::badgeText(replica::Badge(i));
        if (text.endsWith(u'\u2026')) // of one that is under way
            text.chop(1);
        if (word.compare(text, Qt::CaseInsensitive) == 0)
            return i;
    }
    return -1;
}

QList<QByteArray> valueNames(QueryField field)
{
    QList<QByteArray> names;
    const auto add = [&names](QByteArrayView name) { names.append(name.toByteArray()); };
    if (field == QueryField::State) {
        for (int i = 0; i < replica::kBadgeCount; ++i)
            add(replica::badgeName(replica::Badge(i)));
    } else if (field == QueryField::Alive) {
        for (int i = 0; i <= int(domain::Alive::Connected); ++i)
            add(domain::aliveName(domain::Alive(i)));
    } else if (field == QueryField::Release) {
        for (int i = 0; i <= int(domain::ReleaseSafety::Unsafe); ++i)
            add(domain::safetyName(domain::ReleaseSafety(i)));
    } else if (field == QueryField::Event) {
        for (int i = 0; i <= int(events::kLastKind); ++i)
            add(events::kindName(events::EventKind(i)));
    } else if (field == QueryField::Outcome) {
        for (int i = 0; i <= int(domain::kLastOutcome); ++i)
            add(domain::outcomeName(domain::Outcome(i)));
    }
    return names;
}

} // namespace lockkeeper::app::filter
