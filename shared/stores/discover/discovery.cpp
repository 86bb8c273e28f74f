// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/discover/discovery.h"

#include "shared/base/text.h"
#include "shared/stores/redis/schemes/key_preset.h"
#include "shared/stores/sql/catalogue/preset.h"

#include <QUrlQuery>

namespace lockkeeper::stores::discover {

bool Candidate::isProposed() const
{
    return score >= kProposed && missing.isEmpty() && !scheme.isEmpty();
}

QString Candidate::subject() const
{
    if (!match.isEmpty())
        return base::textOf(match);
    if (table.isEmpty())
        return QString::fromLatin1(scheme); // what belongs to no table
    return schema.isEmpty() ? table : schema + QLatin1Char('.') + table;
}

bool hasKeys(const Discovery &discovery)
{
    return discovery.store == "redis";
}

QByteArrayView reasonName(ReasonCode code)
{
    static const QByteArrayList kNames =
        QByteArray("preset_table preset_columns also_preset table_name name name_unique name_table holder "
                   "acquired_at renewed_at expires_at timeout id count version status unit_seen unit_named "
                   "unit_assumed zone_assumed zone_ahead rows_stay rows_go row_locks not_told no_identity "
                   "never_broken client_clock given_back advisory foreign_column foreign_table other_columns "
                   "key_name key_hint key_holder key_flag key_json key_ttl key_some_ttl key_no_ttl "
                   "key_renewed key_hand_over key_redisson key_modes key_fair key_members key_lease "
                   "key_preset key_permits key_prefix key_no_prefix key_counter key_mixed key_foreign "
                   "key_data key_long_ttl key_many")
            .split(' ');
    return kNames.at(qsizetype(code));
}

QByteArrayView missingName(Missing missing)
{
    static const QByteArrayList kNames =
        QByteArray("unique_name evidence ordinary support refused unseen key_evidence key_shape").split(' ');
    return kNames.at(qsizetype(missing));
}

QList<MappedColumn> mappedColumns(const TableMapping &mapping)
{
    QList<MappedColumn> all;
    for (const QString &column : mapping.name)
        all.append({"name", column});
    for (const QByteArray &key : sql::columnKeys()) {
        const QString &column = mapping.*sql::columnMember(key);
        if (!column.isEmpty())
            all.append({key, column});
    }
    return all;
}

void setColumn(TableMapping &mapping, QByteArrayView key, const QString &column)
{
    if (key == "name")
        mapping.name.append(column);
    else if (const auto member = sql::columnMember(key))
        mapping.*member = column;
}

namespace {
/** The same as the configuration's reader makes of a setting. */
void take(KeyLayout &keys, const Setting &setting)
{
    const QByteArray value = setting.value.toUtf8();
    if (setting.key == "owner_field")
        keys.ownerField = value;
    else if (setting.key == "state_field")
        keys.stateField = value;
    else if (setting.key == "held_value")
        keys.heldValue = value;
    else if (setting.key == "idle_value")
        keys.idleValue = value;
    else if (setting.key == "last_sync_field")
        keys.lastSyncField = value;
    else if (setting.key == "scores")
        keys.permits = permitsNamed(value).value_or(keys.permits);
    else if (setting.key == "lease")
        keys.leaseUs = base::parseDuration(setting.value).value_or(keys.leaseUs);
}
} // namespace

QUrl urlOf(const QUrl &url, const QString &schema)
{
    if (schema.isEmpty())
        return url;
    QUrlQuery query(url);
    query.addQueryItem(QStringLiteral("schema"), QString::fromLatin1(QUrl::toPercentEncoding(schema)));
    QUrl there = url;
    there.setQuery(query);
    return there;
}

LockSet lockSetOf(const Candidate &candidate)
{
    LockSet set;
    set.scheme = candidate.scheme;
    if (!candidate.match.isEmpty())
        set.match = candidate.match;
    if (const auto preset = redis::keyPresetNamed(candidate.preset))
        set.keys = preset->keys;
    for (const Setting &setting : candidate.settings)
        take(set.keys, setting);
    set.preset = candidate.preset;
    set.table = candidate.config;
    if (candidate.neverBroken)
        set.breakMode = BreakMode::Never;
    return set;
}

} // namespace lockkeeper::stores::discover
