// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/schemes/key_preset.h"

#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>

namespace lockkeeper::stores::redis {

using base::ErrorCode;
using base::failure;

QStringList keyPresetIds()
{
    QStringList ids = QDir(QStringLiteral(":/lockkeeper/keys")).entryList({QStringLiteral("*.json")});
    for (QString &id : ids)
        id.chop(5);
    ids.sort();
    return ids;
}

base::Result<KeyPreset> keyPresetNamed(const QString &id)
{
    QFile file(QStringLiteral(":/lockkeeper/keys/%1.json").arg(id));
    if (!file.open(QIODevice::ReadOnly))
        return failure(ErrorCode::NotFound, QStringLiteral("this build has no preset %1").arg(id));
    const QJsonObject root = QJsonDocument::fromJson(file.readAll()).object();
    static const QStringList kKeys =
        QStringLiteral("preset scheme match value member scores wakes break").split(QLatin1Char(' '));
    for (const QString &key : root.keys()) {
        if (!kKeys.contains(key))
            return failure(ErrorCode::Corrupt, QStringLiteral("the preset %1 has a key \"%2\"").arg(id, key));
    }
    const auto text = [&root](QLatin1String key) { return root.value(key).toString().toUtf8(); };
    KeyPreset preset;
    preset.scheme = text(QLatin1String("scheme"));
    preset.match = text(QLatin1String("match"));
    preset.value = root.value(QLatin1String("value")).toString();
    preset.member = root.value(QLatin1String("member")).toString();
    preset.keys.permits = permitsNamed(text(QLatin1String("scores"))).value_or(preset.keys.permits);
    preset.wakes = text(QLatin1String("wakes"));
    preset.neverBroken = text(QLatin1String("break")) == "never";
    if (!preset.scheme.startsWith("redis.") || preset.match.isEmpty())
        return failure(ErrorCode::Corrupt, QStringLiteral("the preset %1 has no scheme or match").arg(id));
    return preset;
}

} // namespace lockkeeper::stores::redis
