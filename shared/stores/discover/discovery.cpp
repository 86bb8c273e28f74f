// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/discover/discovery.h"

#include "shared/base/java_text.h"
#include "shared/stores/redis/schemes/key_preset.h"
#include "shared/stores/sql/catalogue/preset.h"

#include <QUrlQuery>

namespace lockkeeper::stores::discover {

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
    for (const Setting &setting : candidate.settings) {
        take(set.keys, setting);
        if (setting.key == "serializer")
            set.match = base::javaGlob(set.match);
    }
    set.preset = candidate.preset;
    set.table = candidate.config;
    if (candidate.neverBroken)
        set.breakMode = BreakMode::Never;
    return set;
}

} // namespace lockkeeper::stores::discover
