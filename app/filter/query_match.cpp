// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/filter/query_match.h"

#include "app/session/source_names.h"
#include "shared/base/text.h"

#include <algorithm>

namespace lockkeeper::app::filter {

namespace {

char folded(char c)
{
    return c >= 'A' && c <= 'Z' ? char(c + ('a' - 'A')) : c;
}

bool contains(QByteArrayView bytes, QByteArrayView part)
{
    const auto same = [](char a, char b) { return folded(a) == folded(b); };
    return std::search(bytes.begin(), bytes.end(), part.begin(), part.end(), same) != bytes.end() ||
           part.isEmpty();
}

bool patternFits(const QByteArray &pattern, QByteArrayView bytes)
{
    const QByteArray glob =
        base::literalGlob(pattern).replace(QueryValue::kAnyText, '*').replace(QueryValue::kAnyOne, '?');
    return base::globMatches(glob, bytes, base::GlobRules::Text);
}

bool compares(QueryOperator op, qint64 left, qint64 right)
{
    switch (op) {
    case QueryOperator::Is:
        return left == right;
    case QueryOperator::Less:
        return left < right;
    case QueryOperator::LessEqual:
        return left <= right;
    case QueryOperator::Greater:
        return left > right;
    case QueryOperator::GreaterEqual:
        return left >= right;
    }
    return false;
}

bool durationFits(const QueryTerm &term, const QueryValue &value, const std::optional<qint64> &us)
{
    return value.none ? !us : us && compares(term.op, *us, value.number);
}

bool holderFits(const QueryValue &value, const domain::LockState &state)
{
    return state.isHeld() && state.ownerKnown && textFits(value, state.owner);
}

bool stateFits(const QueryValue &value, const domain::LockState &state, const replica::LockContext &context)
{
    if (replica::Badge(value.number) == replica::Badge::Contended)
        return state.isContended();
    return replica::badgeOf(state, context) == replica::Badge(value.number);
}

std::optional<qint64> heldUs(const domain::LockState &state, qint64 nowUs)
{
    if (!state.isHeld() || !state.acquiredUs)
        return std::nullopt;
    return nowUs - *state.acquiredUs;
}

bool ttlFits(const QueryTerm &term, const QueryValue &value, const domain::LockState &state, qint64 nowUs)
{
    if (value.none)
        return state.isHeld() && state.expiry == domain::ExpiryKind::None;
    return durationFits(term, value, domain::remainingUs(state, nowUs));
}

bool keyFits(QueryField field, const QueryValue &value, const domain::LockKey &key, const QString &agent)
{
    switch (field) {
    case QueryField::Source: // with several agents, with or without the agent's name before it
        return textFits(value, key.source.toUtf8()) ||
               textFits(value, session::splitName(key.source).source.toUtf8());
    case QueryField::Scheme:
        return textFits(value, key.scheme);
    case QueryField::Place:
        return textFits(value, key.place);
    case QueryField::Agent: {
        const QStringList agents = agent.split(QLatin1String(", "));
        return std::any_of(agents.cbegin(), agents.cend(),
                           [&value](const QString &one) { return textFits(value, one.toUtf8()); });
    }
    case QueryField::Name:
        return textFits(value, key.name);
    default:
        return false;
    }
}

bool valueFits(const QueryTerm &term, const QueryValue &value, const domain::LockState &state,
               const replica::LockContext &context)
{
    switch (term.field) {
    case QueryField::Any:
        return textFits(value, state.key.name) || holderFits(value, state);
    case QueryField::State:
        return stateFits(value, state, context);
    case QueryField::Holder:
        return holderFits(value, state);
    case QueryField::Waiter:
        return std::any_of(state.waiters.begin(), state.waiters.end(),
                           [&](const domain::Waiter &waiter) { return textFits(value, waiter.id); });
    case QueryField::Waiters:
        return compares(term.op, state.waiterCount().value_or(state.waiters.size()), value.number);
    case QueryField::Wait:
        return durationFits(term, value, domain::longestWaitUs(state, context.nowUs));
    case QueryField::Held:
        return durationFits(term, value, heldUs(state, context.nowUs));
    case QueryField::Ttl:
        return ttlFits(term, value, state, context.nowUs);
    case QueryField::Alive:
        return domain::liveness(state, context.nowUs).verdict == domain::Alive(value.number);
    case QueryField::Release:
        return state.release.safety == domain::ReleaseSafety(value.number);
    default:
        return keyFits(term.field, value, state.key, context.agent);
    }
}

bool valueFits(const QueryTerm &term, const QueryValue &value, const events::LockEvent &event,
               const QString &agent)
{
    const auto holds = [&] { return event.ownerKnown && textFits(value, event.owner); };
    switch (term.field) {
    case QueryField::Any:
        return textFits(value, event.key.name) || holds();
    case QueryField::Holder:
        return !event.isSourceEvent() && holds();
    case QueryField::Waiter:
        return event.waiter && textFits(value, *event.waiter);
    case QueryField::Ttl:
        return durationFits(term, value, event.ttlMs ? std::optional(*event.ttlMs * 1000) : std::nullopt);
    case QueryField::Event:
        return event.kind == events::EventKind(value.number);
    case QueryField::From:
        return event.timeUs >= value.number;
    case QueryField::To:
        return event.timeUs <= value.number;
    case QueryField::Command:
        return textFits(value, event.command);
    default:
        return keyFits(term.field, value, event.key, agent);
    }
}

bool valueFits(const QueryTerm &term, const QueryValue &value, const protocol::Hold &hold,
               const QString &agent)
{
    const auto holds = [&] { return hold.ownerKnown && textFits(value, hold.owner); };
    switch (term.field) {
    case QueryField::Any:
        return textFits(value, hold.key.name) || holds();
    case QueryField::Holder:
        return holds();
    case QueryField::From:
        return !hold.toUs || *hold.toUs >= value.number;
    case QueryField::To:
        return hold.fromUs - hold.fromWindowUs <= value.number;
    default:
        return keyFits(term.field, value, hold.key, agent);
    }
}

struct Nothing
{
};

bool valueFits(const QueryTerm &term, const QueryValue &value, const domain::LockKey &key, Nothing)
{
    return keyFits(term.field == QueryField::Any ? QueryField::Name : term.field, value, key, {});
}

bool valueFits(const QueryTerm &term, const QueryValue &value, const domain::AuditEntry &entry, Nothing)
{
    const auto who = [&] { return textFits(value, entry.who.toUtf8()); };
    const auto reason = [&] { return textFits(value, entry.reason.toUtf8()); };
    switch (term.field) {
    case QueryField::Any:
        return textFits(value, entry.key.name) || textFits(value, entry.holder) || who() || reason();
    case QueryField::Holder:
        return textFits(value, entry.holder);
    case QueryField::Who:
        return who();
    case QueryField::Reason:
        return reason();
    case QueryField::Outcome:
        return entry.outcome == domain::Outcome(value.number);
    case QueryField::From:
        return entry.timeUs >= value.number;
    case QueryField::To:
        return entry.timeUs <= value.number;
    case QueryField::Command:
        return textFits(value, entry.command);
    default:
        return keyFits(term.field, value, entry.key, {});
    }
}

template <typename Subject, typename Context>
bool allClauses(const Query &query, const Subject &subject, const Context &context)
{
    const auto termFits = [&](const QueryTerm &term) {
        const bool any = std::any_of(term.values.begin(), term.values.end(), [&](const QueryValue &value) {
            return valueFits(term, value, subject, context);
        });
        return any != term.negated;
    };
    return std::all_of(query.clauses.begin(), query.clauses.end(), [&](const QList<QueryTerm> &clause) {
        return std::any_of(clause.begin(), clause.end(), termFits);
    });
}

} // namespace

bool textFits(const QueryValue &value, QByteArrayView bytes)
{
    const auto fits = [&value](QByteArrayView subject) {
        if (value.pattern)
            return patternFits(value.text, subject);
        return value.whole ? subject == value.text : contains(subject, value.text);
    };
    if (fits(bytes))
        return true;
    return value.text.contains('\\') && fits(base::displayText(bytes).toUtf8());
}

bool matches(const Query &query, const domain::LockState &state, const replica::LockContext &context)
{
    return allClauses(query, state, context);
}

bool matches(const Query &query, const events::LockEvent &event, const QString &agent)
{
    return allClauses(query, event, agent);
}

bool matches(const Query &query, const protocol::Hold &hold, const QString &agent)
{
    return allClauses(query, hold, agent);
}

bool matches(const Query &query, const domain::LockKey &key)
{
    return allClauses(query, key, Nothing());
}

bool matches(const Query &query, const domain::AuditEntry &entry)
{
    return allClauses(query, entry, Nothing());
}

} // namespace lockkeeper::app::filter
