// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/filter/completion.h"

#include "app/filter/query_lexer.h"
#include "app/filter/query_match.h"
#include "app/filter/query_words.h"
#include "shared/base/text.h"

#include <algorithm>

namespace lockkeeper::app::filter {

namespace {

using ContextOf = std::function<replica::LockContext(const domain::LockState &)>;
using Values = QHash<QByteArray, qint64>;

/** The word being typed at the end of the text. */
struct TypedWord
{
    std::optional<QueryWord> word;    ///< empty: a new word begins
    const FieldWord *field = nullptr; ///< the field that the value belongs to
    bool negated = false;
};

TypedWord tailOf(QStringView text, QueryScope scope)
{
    const LexedQuery lexed = lexQuery(text);
    TypedWord tail;
    const FieldWord *listed = nullptr;
    for (const QueryWord &word : lexed.words) {
        if (word.hasField)
            listed = findField(word.field.toUtf8(), scope);
        else if (!word.afterComma || word.negated)
            listed = nullptr;
    }
    const bool open =
        !lexed.words.isEmpty() && lexed.words.last().position + lexed.words.last().length == text.size();
    if (open) {
        tail.word = lexed.words.last();
        tail.field = listed;
        tail.negated = tail.word->negated;
    } else if (lexed.commaAtEnd) {
        tail.field = listed;
    }
    return tail;
}

void countValues(QueryField field, const domain::LockState &state, const ContextOf &contextOf, Values &values)
{
    switch (field) {
    case QueryField::State:
        ++values[replica::badgeName(replica::badgeOf(state, contextOf(state))).toByteArray()];
        break;
    case QueryField::Alive:
        ++values[domain::aliveName(domain::liveness(state, contextOf(state).nowUs).verdict).toByteArray()];
        break;
    case QueryField::Release:
        ++values[domain::safetyName(state.release.safety).toByteArray()];
        break;
    case QueryField::Source:
        ++values[state.key.source.toUtf8()];
        break;
    case QueryField::Scheme:
        ++values[state.key.scheme];
        break;
    case QueryField::Place:
        ++values[state.key.place];
        break;
    case QueryField::Agent:
        ++values[contextOf(state).agent.toUtf8()];
        break;
    case QueryField::Name:
        ++values[state.key.name];
        break;
    case QueryField::Holder:
        if (state.isHeld() && state.ownerKnown && !state.owner.isEmpty())
            ++values[state.owner];
        break;
    case QueryField::Waiter:
        for (const domain::Waiter &waiter : state.waiters)
            ++values[waiter.id];
        break;
    default:
        break;
    }
}

/** False if the table of locks can't count the values of the field. */
bool isOfLocks(const FieldWord &field)
{
    return field.field != QueryField::Event && field.field != QueryField::Outcome;
}

Values valuesOf(const FieldWord &field, const replica::PackedLockTable &table, const ContextOf &contextOf)
{
    Values values;
    for (const QByteArray &name : valueNames(field.field))
        values.insert(name, 0);
    if (!isOfLocks(field))
        return values;
    qint64 endless = 0;
    for (const replica::PackedLock &lock : table) {
        const domain::LockState state = lock.peek();
        countValues(field.field, state, contextOf, values);
        endless += state.expiry == domain::ExpiryKind::None && state.isHeld() ? 1 : 0;
    }
    if (field.field == QueryField::Ttl)
        values.insert("none", endless);
    return values;
}

void addValues(const Values &values, const TypedWord &tail, qsizetype cursor, bool countable,
               QList<Completion> &out)
{
    QueryValue typed = tail.word ? tail.word->value : QueryValue();
    typed.whole = false; // not yet
    const qsizetype position = tail.word ? tail.word->valuePosition : cursor;
    QList<Completion> found;
    for (auto it = values.begin(); it != values.end(); ++it) {
        if (it.key().isEmpty() || !textFits(typed, it.key()))
            continue;
        found.append({position, cursor - position, quoteWord(base::displayText(it.key())),
                      countable ? it.value() : -1});
    }
    std::sort(found.begin(), found.end(), [](const Completion &a, const Completion &b) {
        return a.count != b.count ? a.count > b.count : a.text < b.text;
    });
    out += found;
}

void addFields(const TypedWord &tail, qsizetype cursor, QueryScope scope, QList<Completion> &out)
{
    const QByteArray typed = tail.word ? tail.word->value.text.toLower() : QByteArray();
    const qsizetype position = tail.word ? tail.word->fieldPosition : cursor;
    for (const QByteArray &name : fieldNames(scope)) {
        if (name.startsWith(typed))
            out.append({position, cursor - position, QString::fromLatin1(name) + u':', -1});
    }
}

} // namespace

QList<Completion> complete(const QString &text, qsizetype cursor, QueryScope scope,
                           const replica::PackedLockTable &table, const ContextOf &contextOf, int limit)
{
    cursor = std::clamp<qsizetype>(cursor, 0, text.size());
    const TypedWord tail = tailOf(QStringView(text).left(cursor), scope);
    QList<Completion> result;
    if (tail.field) {
        addValues(valuesOf(*tail.field, table, contextOf), tail, cursor, isOfLocks(*tail.field), result);
    } else if (!tail.word || !tail.word->hasField) {
        if (!tail.word || !tail.word->quoted)
            addFields(tail, cursor, scope, result);
        if (tail.word && tail.word->value.text.size() >= 2)
            addValues(valuesOf(*findField(QueryField::Name), table, contextOf), tail, cursor, true, result);
    }
    if (result.size() > limit)
        result.resize(limit);
    return result;
}

} // namespace lockkeeper::app::filter
