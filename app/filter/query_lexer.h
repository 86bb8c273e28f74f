// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/filter/query.h"

namespace lockkeeper::app::filter {

/** A word of a filter, split into its parts; positions count UTF-16 units of the whole text. */
struct QueryWord
{
    qsizetype position = 0;
    qsizetype length = 0;
    bool negated = false;
    bool afterComma = false; ///< an alternative to the previous word
    bool hasField = false;   ///< an operator was found
    QString field;
    qsizetype fieldPosition = 0;
    QueryOperator op = QueryOperator::Is;
    qsizetype valuePosition = 0;
    QueryValue value;    ///< text, pattern and whole only
    bool quoted = false; ///< a part of the value was quoted: it may be empty, and is no keyword
};

struct LexedQuery
{
    QList<QueryWord> words;
    qsizetype openQuote = -1; ///< the position of an unclosed quote
    bool commaAtEnd = false;  ///< the text ends in a comma: another alternative is expected
};

/** Splits a filter into words. Never fails; doesn't know the fields. */
LexedQuery lexQuery(QStringView text);

} // namespace lockkeeper::app::filter
