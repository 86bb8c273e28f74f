// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QByteArrayView>
#include <QList>

#include <optional>

namespace lockkeeper::stores::sql {

/** The value of one column of a guard, exactly as read; a null array is NULL. */
struct SeenValue
{
    QByteArray key; ///< the mapping's
    QByteArray value;

    bool operator==(const SeenValue &other) const
    {
        return key == other.key && value == other.value && value.isNull() == other.value.isNull();
    }
};

/**
 * Encodes an identity or a freshness of a mapped row. For each column: one byte for the length of its key,
 * the key, one byte that is 1 for NULL and otherwise 0. Then four bytes for the value's length, most
 * significant first, and the value.
 */
QByteArray encodedValues(const QList<SeenValue> &values);

/** Appends one of them to `out`. */
void appendValue(QByteArray &out, QByteArrayView key, QByteArrayView value);

/** Empty where `bytes` weren't made by encodedValues(). */
std::optional<QList<SeenValue>> decodedValues(const QByteArray &bytes);

/**
 * The parts of a lock's name, joined by '/'. With several parts, a '\' precedes each '/' and '\' inside a
 * part. NULL becomes "NULL", and the text of these letters "\NULL".
 */
QByteArray joinedName(const QList<QByteArray> &parts);

/** Appends one of several parts to `name`, as joinedName() does. */
void appendPart(QByteArray &name, QByteArrayView part);

/** Splits a joined name into its parts, null for NULL; empty where there aren't exactly `count` parts. */
std::optional<QList<QByteArray>> splitName(const QByteArray &name, qsizetype count);

} // namespace lockkeeper::stores::sql
