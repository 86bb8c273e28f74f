// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/domain/discovery.h"
#include "shared/stores/source_spec.h"

namespace lockkeeper::stores::discover {

using domain::discovery::Candidate;
using domain::discovery::Discovery;
using domain::discovery::hasKeys;
using domain::discovery::kNear;
using domain::discovery::kProposed;
using domain::discovery::Missing;
using domain::discovery::missingName;
using domain::discovery::Reason;
using domain::discovery::ReasonCode;
using domain::discovery::reasonName;
using domain::discovery::Setting;

// Values of reasons that say more than their code does.
inline constexpr QLatin1String kEmptyWhenFree("empty"); ///< RowsStay: the column is empty, not past
inline constexpr QLatin1String kAnchor("anchor");       ///< RowLocks: no row was seen to come or go
inline constexpr QLatin1String kKeys("keys");           ///< AlsoPreset, as the column: of keys

/** A column of a mapping under its key, in the configuration's order. */
struct MappedColumn
{
    QByteArray key;
    QString column;
};
QList<MappedColumn> mappedColumns(const TableMapping &mapping);
/** Puts a column under a key of the mapping; a name is added to the existing names. */
void setColumn(TableMapping &mapping, QByteArrayView key, const QString &column);

/** The URL by which names lead to `schema`; empty: as they do. */
QUrl urlOf(const QUrl &url, const QString &schema);

/** The lock set that watches a candidate: its preset or scheme, with table and columns. */
LockSet lockSetOf(const Candidate &candidate);

} // namespace lockkeeper::stores::discover
