// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/domain/discovery.h"

#include "shared/base/text.h"

#include <QByteArrayList>

#include <algorithm>

namespace lockkeeper::domain::discovery {

QList<Setting> TableMapping::unitList() const
{
    QList<Setting> list;
    for (auto it = units.cbegin(); it != units.cend(); ++it)
        list.append({it.key().toUtf8(), it.value()});
    std::sort(list.begin(), list.end(),
              [](const Setting &one, const Setting &other) { return one.key < other.key; });
    return list;
}

void TableMapping::setUnits(const QList<Setting> &list)
{
    units.clear();
    for (const Setting &unit : list)
        units.insert(QString::fromUtf8(unit.key), unit.value);
}

bool Candidate::isProposed() const
{
    return score >= kProposed && missing.isEmpty() && !scheme.isEmpty();
}

QString Candidate::subject() const
{
    if (!match.isEmpty())
        return base::textOf(match);
    if (table.isEmpty())
        return QString::fromLatin1(scheme); // locks that belong to no table
    return schema.isEmpty() ? table : schema + QLatin1Char('.') + table;
}

bool hasKeys(const Discovery &discovery)
{
    return discovery.store == "redis" || discovery.store == "etcd" || discovery.store == "zookeeper";
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
                   "key_data key_long_ttl key_many key_queue key_leased "
                   "znode_recipe znode_numbered")
            .split(' ');
    return code == ReasonCode::Other ? QByteArrayView("other") : QByteArrayView(kNames.at(qsizetype(code)));
}

QByteArrayView missingName(Missing missing)
{
    static const QByteArrayList kNames =
        QByteArray("unique_name evidence ordinary support refused unseen key_evidence key_shape").split(' ');
    return kNames.at(qsizetype(missing));
}

} // namespace lockkeeper::domain::discovery
