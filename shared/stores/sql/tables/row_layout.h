// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/sql/catalogue/catalogue.h"

namespace lockkeeper::stores::sql {

/** The keys of a mapping as indexes, in the order of columnKeys(). */
enum class RowKey : quint8 {
    Id = 0,
    Holder,
    Request,
    AcquiredAt,
    RenewedAt,
    ExpiresAt,
    Timeout,
    Count,
    Version,
    Status
};
inline constexpr size_t kRowKeys = 10;

/** The index of one of columnKeys(). */
RowKey rowKeyOf(QByteArrayView key);

/** The position of a mapping's column in the statement [row] of a table. */
struct RowField
{
    QByteArray key;
    RowKey column = RowKey::Id; ///< the key as an index
    int at = 0;
    int odd = -1; ///< of a time's odd text; -1: it has none
    bool isTime = false;
};

/** The columns of the statement [row]: the name's, the mapping's in its own order, the clock, odd times. */
struct RowLayout
{
    int names = 1;
    QList<RowField> fields;
    int now = 0;
    int columns = 0; ///< all of them

    static RowLayout of(const ResolvedTable &table);
    const RowField *field(QByteArrayView key) const;
};

} // namespace lockkeeper::stores::sql
