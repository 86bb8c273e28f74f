// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QHash>
#include <QList>

namespace lockkeeper::stores::sql {

/** The pseudo-record past the last one of a page, as InnoDB writes it. */
inline constexpr char kSupremum[] = "supremum pseudo-record";

/** The shape of an index, from the catalogue. */
struct IndexShape
{
    int columns = 0; ///< declared ones
    bool unique = false;
    QByteArray parts; ///< a KeyPart for each declared column, and then for the row's own key

    bool operator==(const IndexShape &) const = default;
};
using IndexShapes = QHash<QByteArray, IndexShape>; ///< by "app.jobs/PRIMARY"

/**
 * The name of the lock on a record: the key's columns, joined by '/'. For an index that isn't unique, the
 * name includes the row's own key, which InnoDB appends. Text that isn't a list of fields is its own name.
 */
QByteArray lockName(QByteArrayView data, const IndexShape &index);

/** The primary key that InnoDB appends to a record of another index, as LOCK_DATA of PRIMARY writes it. */
QByteArray appendedKey(QByteArrayView data, const IndexShape &index);

/** "`app`.`jobs` /&#42; Partition … &#42;/" as "app.jobs"; backticks in names are kept, doubled ones undone.
 */
QByteArray tablePlace(QByteArrayView lockTable);

} // namespace lockkeeper::stores::sql
