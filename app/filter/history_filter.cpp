// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/filter/history_filter.h"

#include <algorithm>

namespace lockkeeper::app::filter {

namespace {

/**
 * Unlike ours, the agent's globs are case-sensitive and support character classes. nullopt: not expressible.
 */
std::optional<QByteArray> agentGlob(const QueryValue &value)
{
    QByteArray glob;
    const bool exact = value.whole && !value.pattern;
    for (const char c : value.text) {
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        if (c == '\\' || c == '[' || c == ']' || c == '^' || c == '!')
            return std::nullopt;
        if (letter && !exact)
            glob += '[' + QByteArray(1, c).toLower() + QByteArray(1, c).toUpper() + ']';
        else if (c == QueryValue::kAnyText)
            glob += '*';
        else if (c == QueryValue::kAnyOne)
            return std::nullopt; // Ours matches a character, the agent's a byte.
        else if (c == '*' || c == '?')
            glob += '[' + QByteArray(1, c) + ']';
        else
            glob += c;
    }
    return value.pattern || exact ? glob : '*' + glob + '*';
}

bool takeGlob(const QueryTerm &term, QByteArray &into)
{
    if (term.values.size() != 1 || !into.isEmpty())
        return false;
    const auto glob = agentGlob(term.values.first());
    if (!glob)
        return false;
    into = *glob;
    return true;
}

/** Moves a clause with a single term to the agent's query; false if the agent can't evaluate it. */
bool takeTerm(const QueryTerm &term, protocol::HistoryQuery &query)
{
    if (term.negated)
        return false;
    switch (term.field) {
    case QueryField::Name:
        return takeGlob(term, query.lockGlob);
    case QueryField::Holder:
        return takeGlob(term, query.holderGlob);
    case QueryField::Event:
        if (!query.kinds.isEmpty())
            return false;
        for (const QueryValue &value : term.values)
            query.kinds.append(events::EventKind(value.number));
        return true;
    case QueryField::From:
        if (term.values.size() != 1 || query.fromUs)
            return false;
        query.fromUs = term.values.first().number;
        return true;
    case QueryField::To:
        if (term.values.size() != 1 || query.toUs)
            return false;
        query.toUs = term.values.first().number;
        return true;
    default:
        return false;
    }
}

} // namespace

HistoryFilter historyFilter(const Query &query)
{
    HistoryFilter filter;
    filter.exact = true;
    for (const QList<QueryTerm> &clause : query.clauses) {
        if (clause.size() != 1 || !takeTerm(clause.first(), filter.query))
            filter.exact = false;
    }
    return filter;
}

HoldsFilter holdsFilter(const Query &query)
{
    const auto tells = [](const QueryTerm &term) {
        return term.field != QueryField::Event && term.field != QueryField::Waiter &&
               term.field != QueryField::Ttl && term.field != QueryField::Command;
    };
    HoldsFilter filter;
    for (const QList<QueryTerm> &clause : query.clauses) {
        if (std::all_of(clause.cbegin(), clause.cend(), tells))
            filter.rest.clauses.append(clause);
        else
            filter.leftOut = true;
    }
    const protocol::HistoryQuery asked = historyFilter(filter.rest).query;
    filter.query.lockGlob = asked.lockGlob;
    filter.query.holderGlob = asked.holderGlob;
    filter.query.fromUs = asked.fromUs;
    filter.query.toUs = asked.toUs;
    return filter;
}

Query withoutTimes(Query query, const protocol::HistoryQuery &asked)
{
    query.clauses.removeIf([&asked](const QList<QueryTerm> &clause) {
        const QueryTerm &term = clause.first();
        const auto &taken = term.field == QueryField::From ? asked.fromUs : asked.toUs;
        const bool isTime = term.field == QueryField::From || term.field == QueryField::To;
        return isTime && clause.size() == 1 && !term.negated && term.values.size() == 1 &&
               term.values.first().number == taken;
    });
    return query;
}

} // namespace lockkeeper::app::filter
