// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/replica/badge.h"
#include "app/replica/packed_lock_table.h"
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
 * `*` and `?` are wildcards. A term is split at its first operator (`:` `<` `<=` `>` `>=`). A word after a
 * comma without an operator takes the previous field: `state:stuck,expired` (and `-state:stuck,expired` is
 * neither). A bare word searches lock and holder. Text without wildcards matches anywhere in a value, a
 * pattern must match the whole value; both ignore case. `name:=a` matches exactly that name. Pure.
 */
namespace lockkeeper::app::filter {

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
    Who, ///< this and the following: audit only
    Reason,
    Outcome,
};

enum class QueryOperator : quint8 { Is = 0, Less, LessEqual, Greater, GreaterEqual };

/** The table that a filter is for; it decides which fields exist. */
enum class QueryScope : quint8 { Locks = 0, History, Ranking, Audit };

/** The value that a field is compared with. */
struct QueryValue
{
    QByteArray text;      ///< UTF-8 without quotes; active wildcards as kAnyText and kAnyOne
    bool pattern = false; ///< has such wildcards: must match the whole value
    bool whole = false;   ///< `:=`: exact comparison unless there are wildcards
    qint64 number = 0;    ///< a count, a duration or an instant in µs, a badge or another enumeration
    bool none = false;    ///< `ttl:none`

    static constexpr char kAnyText = '\xff'; ///< never part of UTF-8
    static constexpr char kAnyOne = '\xfe';
    bool operator==(const QueryValue &) const = default;
};

/** One comparison: any of `values` may match; with `negated` none may. */
struct QueryTerm
{
    bool negated = false;
    QueryField field = QueryField::Any;
    QueryOperator op = QueryOperator::Is;
    QList<QueryValue> values;

    bool operator==(const QueryTerm &) const = default;
};

/** A filter: every clause must match, and a clause matches if any of its terms does. */
struct Query
{
    QueryScope scope = QueryScope::Locks;
    QList<QList<QueryTerm>> clauses;

    bool isEmpty() const { return clauses.isEmpty(); }
    /** True if a lock may start or stop matching as time passes, without any change of the lock. */
    bool dependsOnTime() const;
    bool uses(QueryField field) const;
    bool operator==(const Query &) const = default;
};

/** The kind and position of a mistake in a filter, for the console to put into words. */
struct QueryError
{
    enum class Mistake : quint8 {
        UnknownField,  ///< `word` isn't a field; `suggestion` is the nearest one
        UnknownValue,  ///< `word` isn't a value of `field`; `suggestion` is the nearest one
        MissingValue,  ///< no value after the operator of `field`
        BadNumber,     ///< `field` needs a whole number
        BadDuration,   ///< `field` needs a duration such as 30s
        BadTime,       ///< `field` needs a time such as 02:40, 2026-11-20T02:40, -15m
        WrongOperator, ///< `field` can't be compared by this operator
        OpenQuote,     ///< a `"` without a closing `"`
    };
    Mistake kind = Mistake::UnknownField;
    qsizetype position = 0; ///< of the word to underline, in UTF-16 units
    qsizetype length = 0;
    QString word;
    QString field;
    QString suggestion; ///< may be empty

    bool operator==(const QueryError &) const = default;
};

/** The reference for relative times in a filter: `from:-15m`, `to:02:40`. */
struct QueryClock
{
    qint64 nowUs = 0;
    QTimeZone zone = QTimeZone::utc();
};

/** True if a word of some lock's name begins with the text: `payment:` of `payment:70310`. */
using BeginsName = std::function<bool(const QByteArray &)>;
/** Searches a table that outlives the returned function. */
BeginsName beginsNameOf(const replica::PackedLockTable &locks);

/**
 * If the text before a colon isn't a field but begins a name, it is searched as a name, together with all
 * that follows: a pasted name needs no quotes.
 */
tl::expected<Query, QueryError> parseQuery(const QString &text, QueryScope scope = QueryScope::Locks,
                                           const QueryClock &clock = {}, const BeginsName &beginsName = {});

/** `state:contended` matches any lock with waiters; other states compare with the badge. */
bool matches(const Query &query, const domain::LockState &state, const replica::LockContext &context);
bool matches(const Query &query, const events::LockEvent &event, const QString &agent);
/** Scope History: a range of times matches a hold that overlaps it. */
bool matches(const Query &query, const protocol::Hold &hold, const QString &agent);
/** Scope Ranking: a bare word searches the name. */
bool matches(const Query &query, const domain::LockKey &key);
/** A bare word searches lock, holder, user and reason. */
bool matches(const Query &query, const domain::AuditEntry &entry);

/** The fields that a scope knows, as written, in the order in which help lists them. */
QList<QByteArray> fieldNames(QueryScope scope);
/** The filter without the terms that are only about one of `fields`. */
QString withoutFields(const QString &text, QueryScope scope, const QList<QueryField> &fields);
/** The text as one word of the language: quoted if necessary. */
QString quoteWord(const QString &text);
/** Matches only that lock, of any scheme. */
QString filterFor(const domain::LockKey &key);

} // namespace lockkeeper::app::filter
