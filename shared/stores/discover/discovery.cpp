// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/discover/discovery.h"

#include <array>

namespace lockkeeper::stores::discover {

bool Candidate::isProposed() const
{
    return score >= kProposed && missing.isEmpty() && !scheme.isEmpty();
}

QByteArrayView reasonName(ReasonCode code)
{
    static constexpr std::array<const char *, 26> kNames{
        "preset_table", "preset_columns", "table_name",   "name",        "name_unique",    "name_table",
        "holder",       "acquired_at",    "renewed_at",   "expires_at",  "timeout",        "id",
        "count",        "version",        "status",       "unit_seen",   "unit_named",     "unit_assumed",
        "zone_assumed", "zone_ahead",     "rows_stay",    "rows_go",     "row_locks",      "foreign_column",
        "foreign_table", "other_columns"};
    return kNames.at(size_t(code));
}

QByteArrayView missingName(Missing missing)
{
    static constexpr std::array<const char *, 5> kNames{"unique_name", "evidence", "ordinary", "support",
                                                        "refused"};
    return kNames.at(size_t(missing));
}

QList<MappedColumn> mappedColumns(const TableMapping &mapping)
{
    QList<MappedColumn> all;
    for (const QString &column : mapping.name)
        all.append({"name", column});
    const auto add = [&all](const char *key, const QString &column) {
        if (!column.isEmpty())
            all.append({key, column});
    };
    add("id", mapping.id);
    add("holder", mapping.holder);
    add("acquired_at", mapping.acquiredAt);
    add("renewed_at", mapping.renewedAt);
    add("expires_at", mapping.expiresAt);
    add("timeout", mapping.timeout);
    add("count", mapping.count);
    add("version", mapping.version);
    add("request", mapping.request);
    add("status", mapping.status);
    return all;
}

LockSet lockSetOf(const Candidate &candidate)
{
    LockSet set;
    set.scheme = candidate.scheme;
    set.preset = candidate.preset;
    set.table = candidate.mapping;
    return set;
}

} // namespace lockkeeper::stores::discover
