// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/mongodb/release/guarded_write.h"

namespace lockkeeper::stores::mongodb {

namespace {

/** The elements of an array under construction. */
class Terms
{
public:
    /** {operation: [left, right]}, both as documents {"": value}. */
    void add(const char *operation, const bson_t *left, const bson_t *right)
    {
        const Bson both = newBson();
        append(both.get(), "0", left);
        append(both.get(), "1", right);
        const Bson term = newBson();
        bson_append_array(term.get(), operation, -1, both.get());
        const QByteArray index = QByteArray::number(m_count++);
        bson_append_document(m_all.get(), index.constData(), int(index.size()), term.get());
    }
    const bson_t *all() const { return m_all.get(); }

private:
    static void append(bson_t *to, const char *key, const bson_t *value)
    {
        bson_iter_t first;
        if (bson_iter_init(&first, value) && bson_iter_next(&first))
            bson_append_iter(to, key, -1, &first);
    }

    Bson m_all = newBson();
    int m_count = 0;
};

Bson text(const QByteArray &value)
{
    Bson wrapped = newBson();
    bson_append_utf8(wrapped.get(), "", 0, value.constData(), int(value.size()));
    return wrapped;
}

/** {"": {operation: value}} */
Bson applied(const char *operation, const bson_iter_t &value)
{
    const Bson inner = newBson();
    bson_append_iter(inner.get(), operation, -1, &value);
    Bson wrapped = newBson();
    bson_append_document(wrapped.get(), "", 0, inner.get());
    return wrapped;
}

Bson applied(const char *operation, const QByteArray &path)
{
    const Bson value = text(path);
    bson_iter_t first;
    bson_iter_init(&first, value.get());
    bson_iter_next(&first);
    return applied(operation, first);
}

void addField(Terms &terms, const bson_t *seen, const QByteArray &name, bool typed)
{
    const auto field = fieldOf(seen, name);
    if (typed || !field)
        terms.add("$eq", applied("$type", '$' + name).get(), text(typeName(field)).get());
    if (field)
        terms.add("$eq", text('$' + name).get(), applied("$literal", *field).get());
}

/** The deadline as a date, or as a number with its unit in place. */
void addDeadline(Terms &terms, const Deadline &deadline, bool passed)
{
    // {"$add": [{"$toDate": milliseconds or the date itself}, later]}
    const QByteArray path = '$' + deadline.field.name;
    const QByteArray json = "{\"\": {\"$add\": [{\"$cond\": [{\"$eq\": [{\"$type\": \"" + path +
                            "\"}, \"date\"]}, \"" + path +
                            "\", {\"$toDate\": {\"$toLong\": {\"$divide\": [{\"$multiply\": [\"" + path +
                            "\", " + QByteArray::number(deadline.field.unitUs) + "]}, 1000]}}}]}, " +
                            QByteArray::number(deadline.laterUs / 1'000) + "]}}";
    const Bson at = fromJson(json);
    terms.add(passed ? "$lte" : "$gt", at.get(), text("$$NOW").get());
}

} // namespace

Bson guardedSelector(const ReleaseOrder &order, const Layout &layout, const Deadline &deadline,
                     WriteTerm leftOut)
{
    const Bson identity = fromBytes(order.guard.identity);
    const Bson freshness = fromBytes(order.guard.freshness);
    if (!identity || !freshness)
        return {};
    const auto id = fieldOf(identity.get(), "_id");
    if (!id)
        return {};
    Terms terms;
    const bool typed = leftOut != WriteTerm::Type;
    if (leftOut != WriteTerm::Id)
        addField(terms, identity.get(), "_id", typed);
    if (leftOut != WriteTerm::Identity) {
        for (const QByteArray &field : layout.identity())
            addField(terms, identity.get(), field, typed);
    }
    if (leftOut != WriteTerm::Freshness) {
        for (const QByteArray &field : layout.freshness())
            addField(terms, freshness.get(), field, typed);
    }
    if (layout.stays)
        addDeadline(terms, deadline, false);
    if (order.mustBeExpired)
        addDeadline(terms, deadline, true);
    const Bson expression = newBson();
    bson_append_array(expression.get(), "$and", -1, terms.all());
    Bson selector = newBson();
    if (leftOut != WriteTerm::Id) {
        const Bson equal = newBson();
        bson_append_iter(equal.get(), "$eq", -1, &*id);
        bson_append_document(selector.get(), "_id", -1, equal.get()); // by its index
    }
    bson_append_document(selector.get(), "$expr", -1, expression.get());
    return selector;
}

} // namespace lockkeeper::stores::mongodb
