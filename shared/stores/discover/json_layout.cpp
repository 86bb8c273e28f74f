// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/discover/json_layout.h"

#include <QJsonDocument>
#include <QJsonObject>

#include <array>

namespace lockkeeper::stores::discover {

namespace {

constexpr char kOwner[] = "owner ownerid holder holderid lockedby acquirer clientid instanceid";
constexpr char kState[] = "state status";
constexpr char kSync[] = "lastsync heartbeat heartbeatat lastheartbeat lastseen";

/** Pairs of words for a state: while the lock is held, and while it isn't. */
constexpr std::array<std::pair<const char *, const char *>, 6> kStates{{{"execute", "wait"},
                                                                        {"running", "idle"},
                                                                        {"held", "free"},
                                                                        {"locked", "unlocked"},
                                                                        {"active", "inactive"},
                                                                        {"busy", "idle"}}};

/** The field whose name, without regard to case and '_', is in the list; empty: none. */
QString fieldOf(const QJsonObject &object, const char *list)
{
    const QStringList wanted = QString::fromLatin1(list).split(QLatin1Char(' '));
    for (const QString &name : wanted) {
        for (const QString &key : object.keys()) {
            if (key.toLower().remove(QLatin1Char('_')) == name)
                return key;
        }
    }
    return {};
}

void addUnlessUsual(QList<Setting> &settings, const char *key, const QString &value, const char *usual)
{
    if (value != QLatin1String(usual))
        settings.append({key, value});
}

} // namespace

Shape jsonShape(QByteArrayView value)
{
    constexpr qsizetype kMostFields = 12;
    const QJsonDocument document = QJsonDocument::fromJson(value.toByteArray());
    if (!document.isObject())
        return document.isArray() ? Shape::Json : Shape::Unknown;
    const QJsonObject object = document.object();
    if (object.size() > kMostFields)
        return Shape::Json;
    const auto has = [&object](const char *list) { return !fieldOf(object, list).isEmpty(); };
    if (has(kOwner))
        return has(kState) || has(kSync) ? Shape::LockJson : Shape::HolderJson;
    return has("host hostname node") && has("pid process thread token") ? Shape::HolderJson : Shape::Json;
}

std::optional<QList<Setting>> jsonSettings(QByteArrayView value)
{
    const QJsonObject object = QJsonDocument::fromJson(value.toByteArray()).object();
    const QString owner = fieldOf(object, kOwner);
    if (owner.isEmpty())
        return std::nullopt;
    const QString state = fieldOf(object, kState);
    QList<Setting> settings;
    addUnlessUsual(settings, "owner_field", owner, "owner");
    addUnlessUsual(settings, "state_field", state, "state");
    if (!state.isEmpty()) {
        const QString says = object.value(state).toString();
        const auto pair = std::find_if(kStates.begin(), kStates.end(), [&says](const auto &one) {
            return says == QLatin1String(one.first) || says == QLatin1String(one.second);
        });
        if (pair == kStates.end())
            return std::nullopt;
        addUnlessUsual(settings, "held_value", QLatin1String(pair->first), "execute");
        addUnlessUsual(settings, "idle_value", QLatin1String(pair->second), "wait");
    }
    addUnlessUsual(settings, "last_sync_field", fieldOf(object, kSync), "lastSync");
    return settings;
}

} // namespace lockkeeper::stores::discover
