// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/mongodb/reading/partial_filter.h"

#include <algorithm>
#include <optional>

namespace lockkeeper::stores::mongodb {

namespace {

/** −1, 0 or 1 for values of one kind that have an order, 0 for equal ones of any; empty: neither. */
std::optional<int> compared(const bson_iter_t &one, const bson_iter_t &other)
{
    const auto order = [](const auto &a, const auto &b) { return a < b ? -1 : b < a ? 1 : 0; };
    if (BSON_ITER_HOLDS_NUMBER(&one) && BSON_ITER_HOLDS_NUMBER(&other))
        return order(bson_iter_as_double(&one), bson_iter_as_double(&other));
    if (bson_iter_type(&one) != bson_iter_type(&other))
        return std::nullopt;
    if (BSON_ITER_HOLDS_DATE_TIME(&one))
        return order(bson_iter_date_time(&one), bson_iter_date_time(&other));
    if (BSON_ITER_HOLDS_UTF8(&one))
        return order(textOf(one), textOf(other));
    return textOf(one) == textOf(other) ? std::optional(0) : std::nullopt;
}

} // namespace

PartialFilter::PartialFilter(const QByteArray &filter)
{
    const Bson expression = fromBytes(filter);
    if (expression)
        take(expression.get());
    m_understood = m_understood && expression;
}

void PartialFilter::take(const bson_t *expression)
{
    bson_iter_t each;
    for (bson_iter_init(&each, expression); bson_iter_next(&each);) {
        const QByteArray name = bson_iter_key(&each);
        if (name == "$and") {
            const Bson parts = documentOf(each);
            bson_iter_t part;
            for (bson_iter_init(&part, parts.get()); bson_iter_next(&part);)
                take(documentOf(part).get());
        } else if (name.startsWith('$') || name.contains('.')) {
            m_understood = false;
        } else {
            takeField(name, each);
        }
    }
}

void PartialFilter::takeField(const QByteArray &field, const bson_iter_t &value)
{
    const Bson operators = BSON_ITER_HOLDS_DOCUMENT(&value) ? documentOf(value) : Bson();
    bson_iter_t each;
    if (!operators || !bson_iter_init(&each, operators.get()) || !bson_iter_next(&each) ||
        *bson_iter_key(&each) != '$') {
        add(field, "$eq", value);
        return;
    }
    static const QByteArrayList kKnown{"$eq", "$exists", "$type", "$gt", "$gte", "$lt", "$lte"};
    do {
        const QByteArray compare = bson_iter_key(&each);
        // The server also takes a number for a type.
        m_understood =
            m_understood && kKnown.contains(compare) && (compare != "$type" || BSON_ITER_HOLDS_UTF8(&each));
        add(field, compare, each);
    } while (bson_iter_next(&each));
}

void PartialFilter::add(const QByteArray &field, const QByteArray &compare, const bson_iter_t &value)
{
    const auto kept = std::make_shared<Bson>(newBson());
    bson_append_iter(kept->get(), "v", 1, &value);
    m_terms.append({field, compare, kept});
}

QList<QByteArray> PartialFilter::fields() const
{
    QList<QByteArray> fields;
    for (const FilterTerm &term : m_terms) {
        if (!fields.contains(term.field))
            fields.append(term.field);
    }
    return fields;
}

bool PartialFilter::holds(const FilterTerm &term, const bson_t *document)
{
    const BsonField wanted = fieldOf(term.value->get(), "v");
    const BsonField found = fieldOf(document, term.field);
    if (term.compare == "$exists")
        return bool(found) == bson_iter_as_bool(&*wanted);
    if (term.compare == "$type")
        return found && (typeName(found) == textOf(*wanted) ||
                         (textOf(*wanted) == "number" && BSON_ITER_HOLDS_NUMBER(&*found)));
    if (!found)
        return term.compare == "$eq" && BSON_ITER_HOLDS_NULL(&*wanted);
    const auto order = compared(*found, *wanted);
    if (!order)
        return false;
    return term.compare == "$eq"    ? *order == 0
           : term.compare == "$gt"  ? *order > 0
           : term.compare == "$gte" ? *order >= 0
           : term.compare == "$lt"  ? *order < 0
                                    : *order <= 0;
}

bool PartialFilter::fits(const bson_t *document) const
{
    return m_understood && std::all_of(m_terms.cbegin(), m_terms.cend(),
                                       [document](const FilterTerm &term) { return holds(term, document); });
}

} // namespace lockkeeper::stores::mongodb
