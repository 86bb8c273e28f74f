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
 * What an identity or a freshness of a mapped row is made of: for each column the length of its key in one
 * byte, the key, 1 for NULL or 0 in one byte, the value's length in four, most significant first, the value.
 */
QByteArray encodedValues(const QList<SeenValue> &values);

/** Puts one of them behind `out`. */
void appendValue(QByteArray &out, QByteArrayView key, QByteArrayView value);

/** Empty where `bytes` weren't made by encodedValues(). */
std::optional<QList<SeenValue>> decodedValues(const QByteArray &bytes);

/**
 * The parts of a lock's name, joined by '/'. With more than one, '/' and '\' inside a part follow a '\'; NULL
 * is "NULL", and the text of these letters "\NULL".
 */
QByteArray joinedName(const QList<QByteArray> &parts);

/** Puts one of several parts behind `name`, as joinedName() has it. */
void appendPart(QByteArray &name, QByteArrayView part);

/** The parts again, null for NULL; empty where there aren't exactly `count` of them. */
std::optional<QList<QByteArray>> splitName(const QByteArray &name, qsizetype count);

} // namespace lockkeeper::stores::sql
