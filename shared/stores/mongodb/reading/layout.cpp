// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/mongodb/reading/layout.h"

#include "shared/base/text.h"

#include <QCoreApplication>
#include <QSysInfo>

#include <algorithm>
#include <array>

namespace lockkeeper::stores::mongodb {

namespace {

struct Preset
{
    const char *id;
    Layout layout;
};

// As written by their clients: ShedLock's provider for MongoDB, npm's mongo-locks, mongodb-lock and agenda,
// migrate-mongo, PyPI's mongoelector.
const std::array<Preset, 6> &presets()
{
    static const std::array<Preset, 6> all = [] {
        constexpr qint64 kAgendasLifetimeUs = 600'000'000; // its defaultLockLifetime
        const auto layout = [](const char *collection, const char *name, const char *holder) {
            Layout named;
            named.collection = collection;
            named.name = name;
            named.holder = holder;
            return named;
        };
        Layout shedlock = layout("shedLock", "_id", "lockedBy");
        shedlock.acquired.name = "lockedAt";
        shedlock.expires.name = "lockUntil";
        shedlock.stays = true;
        Layout mongoLocks = layout("locks", "action", "");
        mongoLocks.acquired.name = "createdAt";
        mongoLocks.renewed.name = "refreshedAt";
        mongoLocks.expires.name = "expiresAt";
        Layout mongodbLock = layout("locks", "name", "code");
        mongodbLock.acquired = {"inserted", 1'000, true};
        mongodbLock.expires = {"expire", 1'000, true};
        mongodbLock.ended = "expired";
        mongodbLock.swept = true; // its option removeExpired; without it they get another name
        Layout mongoelector = layout("electorlocks", "_id", "uuid");
        mongoelector.acquired.name = "ts_created";
        mongoelector.expires.name = "ts_expire";
        mongoelector.written =
            "\"locked\": true, \"host\": {\"$literal\": \"" + QSysInfo::machineHostName().toUtf8() +
            "\"}, \"pid\": {\"$literal\": " + QByteArray::number(QCoreApplication::applicationPid()) + '}';
        Layout agenda = layout("agendaJobs", "_id", "");
        agenda.acquired.name = "lockedAt";
        agenda.leaseUs = kAgendasLifetimeUs;
        agenda.job = true;
        Layout migrateMongo = layout("changelog_lock", "_id", "");
        migrateMongo.acquired.name = "createdAt";
        return std::array<Preset, 6>{{{"mongodb-shedlock", shedlock},
                                      {"mongo-locks", mongoLocks},
                                      {"mongodb-lock", mongodbLock},
                                      {"mongoelector", mongoelector},
                                      {"agenda", agenda},
                                      {"migrate-mongo", migrateMongo}}};
    }();
    return all;
}

base::Result<void> take(QByteArray &field, const QString &configured)
{
    if (configured.isEmpty())
        return {};
    const auto special = [](QChar c) { return c == u'.' || c == u'"' || c == u'\\' || !c.isPrint(); };
    if (configured.startsWith(u'$') || std::any_of(configured.cbegin(), configured.cend(), special))
        return base::failure(
            base::ErrorCode::Usage,
            QStringLiteral("\"%1\" isn't a field of the document itself").arg(base::displayText(configured)),
            QStringLiteral("Fields of documents within documents can't be watched."));
    field = configured.toUtf8();
    return {};
}

void takeTime(TimeField &time, const TableMapping &mapping, const char *key)
{
    const QString unit = mapping.units.value(QLatin1String(key));
    time.number = time.number || !unit.isEmpty();
    if (!unit.isEmpty())
        time.unitUs = unit == QLatin1String("epoch_s")    ? 1'000'000
                      : unit == QLatin1String("epoch_us") ? 1
                                                          : 1'000;
}

} // namespace

QList<QByteArray> Layout::identity() const
{
    QList<QByteArray> fields;
    for (const QByteArray &field : {name, holder, acquired.name, ended}) {
        if (!field.isEmpty() && field != "_id")
            fields.append(field);
    }
    return fields;
}

QList<QByteArray> Layout::freshness() const
{
    QList<QByteArray> fields;
    for (const QByteArray &field : {renewed.name, expires.name}) {
        if (!field.isEmpty())
            fields.append(field);
    }
    return fields;
}

QStringList presetIds()
{
    QStringList ids;
    for (const Preset &preset : presets())
        ids.append(QLatin1String(preset.id));
    return ids;
}

base::Result<Layout> layoutOf(const LockSet &set)
{
    const TableMapping &mapping = set.table;
    const bool named = !mapping.name.isEmpty() || !mapping.holder.isEmpty() ||
                       !mapping.acquiredAt.isEmpty() || !mapping.renewedAt.isEmpty() ||
                       !mapping.expiresAt.isEmpty();
    Layout layout;
    if (!set.preset.isEmpty()) {
        const auto *preset = std::find_if(presets().cbegin(), presets().cend(), [&](const Preset &one) {
            return set.preset == QLatin1String(one.id);
        });
        if (preset == presets().cend())
            return base::failure(
                base::ErrorCode::Usage,
                QStringLiteral("there is no preset \"%1\"").arg(base::displayText(set.preset)), {});
        layout = preset->layout;
    } else if (!named) {
        layout.holder = "acquirer";
        layout.acquired.name = "acquiredAt";
        layout.renewed.name = "updatedAt";
    }
    if (!mapping.table.isEmpty())
        layout.collection = mapping.table.toUtf8();
    if (layout.collection.isEmpty())
        return base::failure(base::ErrorCode::Usage, QStringLiteral("the lock set names no collection"),
                             QStringLiteral("Write the collection of the locks: table = \"…\"."));
    if (mapping.name.size() > 1)
        return base::failure(base::ErrorCode::Usage,
                             QStringLiteral("a lock of MongoDB is named by one field"), {});
    for (const auto &[field, configured] :
         {std::pair(&layout.name, mapping.name.value(0)), std::pair(&layout.holder, mapping.holder),
          std::pair(&layout.acquired.name, mapping.acquiredAt),
          std::pair(&layout.renewed.name, mapping.renewedAt),
          std::pair(&layout.expires.name, mapping.expiresAt)}) {
        if (const auto taken = take(*field, configured); !taken)
            return tl::unexpected(taken.error());
    }
    takeTime(layout.acquired, mapping, "acquired_at");
    takeTime(layout.renewed, mapping, "renewed_at");
    takeTime(layout.expires, mapping, "expires_at");
    if (mapping.leaseUs)
        layout.leaseUs = mapping.leaseUs;
    return layout;
}

} // namespace lockkeeper::stores::mongodb
