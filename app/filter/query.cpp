// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/filter/query.h"

#include "app/filter/query_lexer.h"
#include "app/filter/query_time.h"
#include "app/filter/query_words.h"
#include "shared/base/nearest.h"
#include "shared/base/text.h"

#include <algorithm>

namespace lockkeeper::app::filter {

namespace {

using Mistake = QueryError::Mistake;

tl::unexpected<QueryError> wrong(Mistake kind, const QueryWord &word, const FieldWord *field,
                                 QString suggestion = {})
{
    QueryError error;
    error.kind = kind;
    error.position = kind == Mistake::MissingValue ? word.position : word.valuePosition;
    error.length = word.position + word.length - error.position;
    error.word = QString::fromUtf8(word.value.text);
    error.field = field ? QString::fromLatin1(field->name) : QString();
    error.suggestion = std::move(suggestion);
    return tl::unexpected(error);
}

QString nearest(const QString &word, const QList<QByteArray> &names)
{
    QStringList known;
    for (const QByteArray &name : names)
        known.append(QString::fromLatin1(name));
    return base::nearestName(word, known);
}

tl::unexpected<QueryError> unknownField(const QueryWord &word, QueryScope scope)
{
    QueryError error;
    error.kind = Mistake::UnknownField;
    error.position = word.fieldPosition;
    error.length = std::max<qsizetype>(1, word.field.size());
    error.word = word.field;
    error.suggestion = nearest(word.field, fieldNames(scope));
    return tl::unexpected(error);
}

using Value = tl::expected<QueryValue, QueryError>;

Value namedValue(const QueryWord &word, const FieldWord &field)
{
    const QList<QByteArray> names = valueNames(field.field);
    qsizetype index = names.indexOf(word.value.text.toLower());
    if (index < 0)
        index = localValueOf(field.field, QString::fromUtf8(word.value.text));
    if (index < 0)
        return wrong(Mistake::UnknownValue, word, &field, nearest(QString::fromUtf8(word.value.text), names));
    QueryValue value = word.value;
    value.text = names.at(index);
    value.number = index;
    return value;
}

Value countValue(const QueryWord &word, const FieldWord &field)
{
    bool good = false;
    QueryValue value = word.value;
    value.number = value.text.toLongLong(&good);
    if (!good || value.number < 0)
        return wrong(Mistake::BadNumber, word, &field);
    return value;
}

Value durationValue(const QueryWord &word, const FieldWord &field, QueryOperator op)
{
    QueryValue value = word.value;
    if (value.text.toLower() == "none") {
        if (op != QueryOperator::Is)
            return wrong(Mistake::WrongOperator, word, &field);
        value.none = true;
        return value;
    }
    if (op == QueryOperator::Is)
        return wrong(Mistake::WrongOperator, word, &field);
    if (value.text == "0")
        return value;
    const auto us = base::parseDuration(QString::fromUtf8(value.text));
    if (!us)
        return wrong(Mistake::BadDuration, word, &field);
    value.number = *us;
    return value;
}

Value timeValue(const QueryWord &word, const FieldWord &field, const QueryClock &clock)
{
    const auto at = parseQueryTime(QString::fromUtf8(word.value.text), clock);
    if (!at)
        return wrong(Mistake::BadTime, word, &field);
    QueryValue value = word.value;
    value.number = *at;
    return value;
}

Value readValue(const QueryWord &word, const FieldWord *field, QueryOperator op, const QueryClock &clock)
{
    if (word.value.text.isEmpty())
        return wrong(Mistake::MissingValue, word, field);
    if (!field)
        return word.value;
    const bool comparable = field->kind == FieldKind::Count || field->kind == FieldKind::Duration;
    if (op != QueryOperator::Is && !comparable)
        return wrong(Mistake::WrongOperator, word, field);
    switch (field->kind) {
    case FieldKind::Text:
        return word.value;
    case FieldKind::Name:
        return namedValue(word, *field);
    case FieldKind::Count:
        return countValue(word, *field);
    case FieldKind::Duration:
        return durationValue(word, *field, op);
    case FieldKind::Time:
        return timeValue(word, *field, clock);
    }
    return word.value;
}

/** Adds one word to the query: to the previous term, as another term of its clause, or as a new clause. */
tl::expected<void, QueryError> addWord(Query &query, const QueryWord &given, const QueryClock &clock,
                                       const BeginsName &beginsName)
{
    QueryWord word = given;
    if (word.hasField && word.op == QueryOperator::Is && !findField(word.field.toUtf8(), query.scope)) {
        const QByteArray begin = word.field.toUtf8() + (word.value.whole ? ":=" : ":");
        if (beginsName && beginsName(begin)) {
            word.hasField = word.value.whole = false;
            word.value.text.prepend(begin);
        }
    }
    QueryTerm *before = word.afterComma ? &query.clauses.last().last() : nullptr;
    if (before && !word.hasField && !word.negated) {
        word.value.whole = before->values.first().whole;
        auto value = readValue(word, findField(before->field), before->op, clock);
        if (!value)
            return tl::unexpected(value.error());
        before->values.append(*value);
        return {};
    }
    QueryTerm term;
    term.negated = word.negated;
    term.op = word.op;
    const FieldWord *field = nullptr;
    if (word.hasField) {
        field = findField(word.field.toUtf8(), query.scope);
        if (!field)
            return unknownField(word, query.scope);
        term.field = field->field;
    }
    auto value = readValue(word, field, term.op, clock);
    if (!value)
        return tl::unexpected(value.error());
    term.values.append(*value);
    if (before)
        query.clauses.last().append(term);
    else
        query.clauses.append({term});
    return {};
}

} // namespace

bool Query::dependsOnTime() const
{
    return uses(QueryField::Wait) || uses(QueryField::Held) || uses(QueryField::Ttl) ||
           uses(QueryField::Alive);
}

bool Query::uses(QueryField field) const
{
    return std::any_of(clauses.begin(), clauses.end(), [field](const QList<QueryTerm> &clause) {
        return std::any_of(clause.begin(), clause.end(),
                           [field](const auto &term) { return term.field == field; });
    });
}

BeginsName beginsNameOf(const replica::PackedLockTable &locks)
{
    return [&locks](const QByteArray &begin) {
        const QByteArray wanted = begin.toLower();
        const auto hasIt = [&wanted](const replica::PackedLock &lock) {
            const QByteArray name = lock.name().toByteArray().toLower();
            for (auto at = name.indexOf(wanted); at >= 0; at = name.indexOf(wanted, at + 1)) {
                const char before = at == 0 ? ' ' : name.at(at - 1);
                if (before >= 0 && !(before >= 'a' && before <= 'z') && !(before >= '0' && before <= '9'))
                    return true;
            }
            return false;
        };
        return std::any_of(locks.begin(), locks.end(), hasIt);
    };
}

tl::expected<Query, QueryError> parseQuery(const QString &text, QueryScope scope, const QueryClock &clock,
                                           const BeginsName &beginsName)
{
    const LexedQuery lexed = lexQuery(text);
    if (lexed.openQuote >= 0) {
        QueryError error;
        error.kind = Mistake::OpenQuote;
        error.position = lexed.openQuote;
        error.length = text.size() - lexed.openQuote;
        error.word = text.mid(lexed.openQuote);
        return tl::unexpected(error);
    }
    Query query;
    query.scope = scope;
    for (const QueryWord &word : lexed.words) {
        if (auto added = addWord(query, word, clock, beginsName); !added)
            return tl::unexpected(added.error());
    }
    return query;
}

QString withoutFields(const QString &text, QueryScope scope, const QList<QueryField> &fields)
{
    QStringList kept;
    const QList<QueryWord> words = lexQuery(text).words;
    for (qsizetype i = 0, next = 0; i < words.size(); i = next) {
        bool drop = true; // of the word and its alternatives
        for (next = i; next == i || (next < words.size() && words.at(next).afterComma); ++next) {
            const FieldWord *field = findField(words.at(next).field.toUtf8(), scope);
            const bool follows = next > i && !words.at(next).hasField;
            drop = drop && (follows || (field && words.at(next).hasField && fields.contains(field->field)));
        }
        const QueryWord &last = words.at(next - 1);
        if (!drop)
            kept.append(text.mid(words.at(i).position, last.position + last.length - words.at(i).position));
    }
    return kept.join(u' ');
}

QString quoteWord(const QString &text)
{
    // Quotes can't contain a quote: a wildcard for one character replaces it.
    const auto special = [](QChar c) {
        static constexpr QStringView kSpecial(u",:<>*?\uFF0C\uFF1A\uFF1C\uFF1E\u201C");
        return c.isSpace() || kSpecial.contains(c);
    };
    const bool quote =
        text.isEmpty() || text.startsWith(u'-') || std::any_of(text.begin(), text.end(), special);
    QStringList pieces;
    const QStringList parts = text.split(u'"');
    for (const QString &part : parts)
        pieces.append(
            (quote || parts.size() > 1) && !(part.isEmpty() && parts.size() > 1) ? u'"' + part + u'"' : part);
    return pieces.join(u'?');
}

QString filterFor(const domain::LockKey &key)
{
    QString filter = QStringLiteral("source:=") + quoteWord(key.source);
    if (!key.place.isEmpty())
        filter += QStringLiteral(" place:=") + quoteWord(base::textOf(key.place));
    return filter + QStringLiteral(" lock:=") + quoteWord(base::textOf(key.name));
}

} // namespace lockkeeper::app::filter
