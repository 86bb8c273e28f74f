// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/filter/query.h"

#include <QList>

/** The vocabulary of the filter language, for its parser, its completion and its tests. */
namespace lockkeeper::app::filter {

/** How a field's values are parsed. */
enum class FieldKind : quint8 { Text = 0, Name, Count, Duration, Time };

struct FieldWord
{
    QueryField field;
    const char *name;
    FieldKind kind;
    unsigned scopes; ///< a bit for each QueryScope that has the field
};

/** Null for a name that isn't a field of `scope`. */
const FieldWord *findField(QByteArrayView name, QueryScope scope);
const FieldWord *findField(QueryField field);

/** The words that a field of kind Name accepts, in order of their numbers. */
QList<QByteArray> valueNames(QueryField field);
/** The number of the value for which the interface's language has this word, as its badge shows it ("卡死");
 * −1: none. */
qsizetype localValueOf(QueryField field, const QString &word);

} // namespace lockkeeper::app::filter
