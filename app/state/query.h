// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/state/badge.h"
#include "app/state/lock_table.h"
#include "shared/domain/release.h"
#include "shared/events/lock_event.h"
#include "shared/protocol/messages.h"

#include <QString>
#include <QTimeZone>

#include <functional>
#include <optional>
#include <tl/expected.hpp>

/**
 * The filter language of the console: space is "and", comma is "or", a leading `-` is "not", `"…"` quotes,
 * `*` and `?` are wildcards; a term is split at its first operator (`:` `<` `<=` `>` `>=`). A word after a
 * comma without an operator of its own takes the field before it: `state:stuck,expired` (and
 * `-state:stuck,expired` is neither). A bare word looks into lock and holder. Text without wildcards is found
 * anywhere in a value, a pattern must fit all of it; neither minds case. `name:=a` is that name alone, to the
 * letter. Pure.
 */
namespace lockkeeper::app::state {

enum class QueryField : quint8 {
    Any = 0, ///< a bare word: name or holder
    State,
    Source,
    Scheme,
    Place,
    Agent,
    Name, ///< also written `lock`
    Holder,
    Waiter,
    Waiters,
    Wait,
    Held,
    Ttl,
    Alive,
    Release,
    Event, ///< history only
    From,  ///< history, ranking and audit
    To,
    Command,
    Who, ///< the rest: audit only
    Reason,
    Outcome,
};

enum class QueryOperator : quint8 { Is = 0, Less, LessEqual, Greater, GreaterEqual };

/** Which table a filter is for; it decides which fields exist. */
enum class QueryScope : quint8 { Locks = 0, History, Ranking, Audit };

/** What a field is compared with. */
struct QueryValue
{
    QByteArray text;      ///< UTF-8 without quotes; wildcards that count as kAnyText and kAnyOne
    bool pattern = false; ///< holds such wildcards: must fit the whole value
    bool whole = false;   ///< `:=`: without wildcards the value to the letter
    qint64 number = 0;    ///< a count, a duration or an instant in µs, a badge or another enumeration
    bool none = false;    ///< `ttl:none`

    static constexpr char kAnyText = '\xff'; ///< never part of UTF-8
    static constexpr char kAnyOne = '\xfe';
    bool operator==(const QueryValue &) const = default;
};

/** One comparison: any of `values` will do; with `negated` none may. */
struct QueryTerm
{
    bool negated = false;
    QueryField field = QueryField::Any;
    QueryOperator op = QueryOperator::Is;
    QList<QueryValue> values;

    bool operator==(const QueryTerm &) const = default;
};

/** A filter: every clause must hold, and of a clause any term. */
struct Query
{
    QueryScope scope = QueryScope::Locks;
    QList<QList<QueryTerm>> clauses;

    bool isEmpty() const { return clauses.isEmpty(); }
    /** True where a lock may come to fit, or cease to, as time passes without any change of it. */
    bool dependsOnTime() const;
    bool uses(QueryField field) const;
    bool operator==(const Query &) const = default;
};

/** What is wrong with a filter and where, for the console to put into words. */
struct QueryError
{
    enum class Kind : quint8 {
        UnknownField,  ///< `word` isn't a field; `suggestion` is the nearest one
        UnknownValue,  ///< `word` isn't a value of `field`; `suggestion` is the nearest one
        MissingValue,  ///< nothing after the operator of `field`
        BadNumber,     ///< `field` wants a whole number
        BadDuration,   ///< `field` wants a duration such as 30s
        BadTime,       ///< `field` wants a time such as 02:40, 2026-11-20T02:40, -15m
        WrongOperator, ///< `field` can't be compared by this operator
        OpenQuote,     ///< a `"` without its partner
    };
    Kind kind = Kind::UnknownField;
    qsizetype position = 0; ///< of the word to underline, in UTF-16 units
    qsizetype length = 0;
    QString word;
    QString field;
    QString suggestion; ///< may be empty

    bool operator==(const QueryError &) const = default;
};

/** What times in a filter are relative to: `from:-15m`, `to:02:40`. */
struct QueryClock
{
    qint64 nowUs = 0;
    QTimeZone zone = QTimeZone::utc();
};

/** True where a lock's name has a word that begins so: `payment:` of `payment:70310`. */
using BeginsName = std::function<bool(const QByteArray &)>;
/** Of a table that outlives it. */
BeginsName beginsNameOf(const LockTable &locks);

/** What stands before a colon and is no field, but begins a name, is looked for as a name with all that
 * follows: a pasted name needs no quotes. */
tl::expected<Query, QueryError> parseQuery(const QString &text, QueryScope scope = QueryScope::Locks,
                                           const QueryClock &clock = {}, const BeginsName &beginsName = {});

/** `state:contended` fits any lock with waiters; other states compare with the badge. */
bool matches(const Query &query, const domain::LockState &state, const LockContext &context);
bool matches(const Query &query, const events::LockEvent &event, const QString &agent);
/** Of scope History: times fit a hold that reaches into them. */
bool matches(const Query &query, const protocol::Hold &hold, const QString &agent);
/** Scope Ranking: a bare word looks into the name. */
bool matches(const Query &query, const domain::LockKey &key);
/** A bare word looks into lock, holder, who did it and why. */
bool matches(const Query &query, const domain::AuditEntry &entry);

/** The fields that a scope knows, as written, in the order in which help lists them. */
QList<QByteArray> fieldNames(QueryScope scope);
/** The filter without the terms that are about one of `fields` alone. */
QString withoutFields(const QString &text, QueryScope scope, const QList<QueryField> &fields);
/** Text as one word of the language: quoted where it has to be. */
QString quoteWord(const QString &text);
/** Fits that lock alone, whatever its scheme. */
QString filterFor(const domain::LockKey &key);

} // namespace lockkeeper::app::state
