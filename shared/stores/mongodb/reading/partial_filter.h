// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/mongodb/connection/bson.h"

#include <QList>

#include <memory>

namespace lockkeeper::stores::mongodb {

/**
 * The partialFilterExpression of an index, evaluated over fields of the document itself: a partial index has
 * the documents that fit. https://www.mongodb.com/docs/manual/core/index-partial/
 */
class PartialFilter
{
public:
    /** `filter`: the expression's bytes. One that uses more than equality, comparisons, $exists, $type by its
     * name and $and isn't understood: no document is known to fit. */
    explicit PartialFilter(const QByteArray &filter);

    bool isUnderstood() const { return m_understood; }
    /** The fields that fits() looks at. */
    QList<QByteArray> fields() const;
    bool fits(const bson_t *document) const;

private:
    struct FilterTerm
    {
        QByteArray field;
        QByteArray compare;                ///< "$eq", "$exists", …
        std::shared_ptr<const Bson> value; ///< in its field "v"
    };
    void take(const bson_t *expression);
    void takeField(const QByteArray &field, const bson_iter_t &value);
    void add(const QByteArray &field, const QByteArray &compare, const bson_iter_t &value);
    static bool holds(const FilterTerm &term, const bson_t *document);

    QList<FilterTerm> m_terms;
    bool m_understood = true;
};

} // namespace lockkeeper::stores::mongodb
