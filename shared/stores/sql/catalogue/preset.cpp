// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/catalogue/preset.h"

#include "shared/base/text.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

namespace lockkeeper::stores::sql {

using base::ErrorCode;
using base::failure;

namespace {
base::Result<QByteArray> resource(const QString &path)
{
    QFile file(QStringLiteral(":/lockkeeper/") + path);
    if (!file.open(QIODevice::ReadOnly))
        return failure(ErrorCode::Unsupported, QStringLiteral("this build has no %1").arg(path));
    return file.readAll();
}

base::Error corrupt(const QString &what)
{
    return {ErrorCode::Corrupt, QStringLiteral("a preset %1").arg(what), {}};
}

/** The keys of a preset. The tests read `example`: how applications create and fill the table. */
base::Result<void> checkKeys(const QJsonObject &root)
{
    static const QStringList kKeys = QStringLiteral("preset scheme tables name columns optional units types "
                                                    "held_value free_value hidden grace lease prefix with "
                                                    "beside missing release break example")
                                         .split(QLatin1Char(' '));
    for (const QString &key : root.keys()) {
        if (!kKeys.contains(key))
            return tl::unexpected(corrupt(QStringLiteral("has a key \"%1\"").arg(key)));
    }
    return {};
}

/** null, "now", "epoch" or {"value": TEXT}. */
std::optional<ColumnWrite> writeOf(const QJsonValue &value)
{
    if (value.isNull())
        return ColumnWrite{ColumnWrite::Null, {}};
    if (value.toString() == QLatin1String("now"))
        return ColumnWrite{ColumnWrite::Now, {}};
    if (value.toString() == QLatin1String("epoch"))
        return ColumnWrite{ColumnWrite::Epoch, {}};
    const QJsonValue text = value.toObject().value(QLatin1String("value"));
    if (text.isString())
        return ColumnWrite{ColumnWrite::Value, text.toString()};
    return std::nullopt;
}

QStringList textsOf(const QJsonValue &array)
{
    QStringList texts;
    for (const QJsonValue &text : array.toArray())
        texts.append(text.toString());
    return texts;
}

base::Result<void> readColumns(TablePreset &preset, const QJsonObject &root)
{
    const QJsonObject columns = root.value(QLatin1String("columns")).toObject();
    const QStringList optional = textsOf(root.value(QLatin1String("optional")));
    const QJsonObject units = root.value(QLatin1String("units")).toObject();
    for (auto it = columns.begin(); it != columns.end(); ++it) {
        const QByteArray key = it.key().toUtf8();
        if (!columnKeys().contains(key) || it.value().toString().isEmpty())
            return tl::unexpected(corrupt(QStringLiteral("has a column \"%1\"").arg(it.key())));
        preset.columns.append({key, it.value().toString(), optional.contains(it.key()), false, {}});
        const QString unit = units.value(it.key()).toString();
        if (!unit.isEmpty())
            preset.units.insert(key, unit);
    }
    return {};
}

void readTypes(TablePreset &preset, const QJsonValue &types)
{
    if (!types.isObject())
        return;
    preset.types.emplace();
    const QJsonObject columns = types.toObject();
    for (auto it = columns.begin(); it != columns.end(); ++it)
        preset.types->insert(it.key(), it.value().toString());
}

base::Result<void> readRelease(TablePreset &preset, const QJsonValue &release)
{
    preset.deletes = release.toString() == QLatin1String("delete");
    preset.neverBroken = release.toString() == QLatin1String("never");
    const QJsonObject writes = release.toObject();
    for (auto it = writes.begin(); it != writes.end(); ++it) {
        const auto write = writeOf(it.value());
        const auto column = std::find_if(preset.columns.begin(), preset.columns.end(),
                                         [&](const ColumnPreset &c) { return c.key == it.key().toUtf8(); });
        if (!write || column == preset.columns.end())
            return tl::unexpected(corrupt(QStringLiteral("has a release of \"%1\"").arg(it.key())));
        column->write = *write;
    }
    return {};
}
} // namespace

ColumnNeed ColumnPreset::need() const
{
    return isTimeKey(key) ? ColumnNeed::Time : ColumnNeed::Value;
}

const ColumnPreset *TablePreset::column(QByteArrayView key) const
{
    const auto it = std::find_if(columns.begin(), columns.end(),
                                 [&](const ColumnPreset &column) { return column.key == key; });
    return it == columns.end() ? nullptr : &*it;
}

const QList<QByteArray> &columnKeys()
{
    static const QList<QByteArray> keys{"id",         "holder",  "request", "acquired_at", "renewed_at",
                                        "expires_at", "timeout", "count",   "version",     "status"};
    return keys;
}

bool isTimeKey(QByteArrayView key)
{
    return key == "acquired_at" || key == "renewed_at" || key == "expires_at";
}

QString TableMapping::*columnMember(QByteArrayView key)
{
    static const QHash<QByteArray, QString TableMapping::*> members{
        {"id", &TableMapping::id},
        {"holder", &TableMapping::holder},
        {"request", &TableMapping::request},
        {"acquired_at", &TableMapping::acquiredAt},
        {"renewed_at", &TableMapping::renewedAt},
        {"expires_at", &TableMapping::expiresAt},
        {"timeout", &TableMapping::timeout},
        {"count", &TableMapping::count},
        {"version", &TableMapping::version},
        {"status", &TableMapping::status}};
    return members.value(key.toByteArray(), nullptr);
}

bool TablePreset::namesTable(const QString &table) const
{
    return std::any_of(tables.begin(), tables.end(), [&](const QString &name) {
        return prefix.isEmpty() ? table.compare(name, Qt::CaseInsensitive) == 0
                                : table.endsWith(name.mid(prefix.size()), Qt::CaseInsensitive);
    });
}

base::Result<TablePreset> parsePreset(const QByteArray &json)
{
    QJsonParseError parsed;
    const QJsonObject root = QJsonDocument::fromJson(json, &parsed).object();
    if (parsed.error != QJsonParseError::NoError)
        return tl::unexpected(corrupt(QStringLiteral("isn't JSON: %1").arg(parsed.errorString())));
    if (const auto known = checkKeys(root); !known)
        return tl::unexpected(known.error());
    TablePreset preset;
    preset.id = root.value(QLatin1String("preset")).toString().toUtf8();
    preset.scheme = root.value(QLatin1String("scheme")).toString().toUtf8();
    preset.tables = textsOf(root.value(QLatin1String("tables")));
    preset.names = textsOf(root.value(QLatin1String("name")));
    preset.heldValue = root.value(QLatin1String("held_value")).toString(preset.heldValue);
    preset.freeValue = root.value(QLatin1String("free_value")).toString();
    preset.hidden = root.value(QLatin1String("hidden")).toString().toUtf8();
    preset.graceUs = base::parseDuration(root.value(QLatin1String("grace")).toString()).value_or(0);
    if (const auto lease = base::parseDuration(root.value(QLatin1String("lease")).toString()))
        preset.leaseUs = *lease;
    preset.prefix = root.value(QLatin1String("prefix")).toString();
    preset.with = textsOf(root.value(QLatin1String("with")));
    preset.beside = textsOf(root.value(QLatin1String("beside")));
    preset.missing = textsOf(root.value(QLatin1String("missing")));
    readTypes(preset, root.value(QLatin1String("types")));
    if (preset.id.isEmpty() || !preset.scheme.startsWith("sql.") || preset.tables.isEmpty())
        return tl::unexpected(corrupt(QStringLiteral("lacks its name, scheme or tables")));
    if (const auto read = readColumns(preset, root); !read)
        return tl::unexpected(read.error());
    if (const auto read = readRelease(preset, root.value(QLatin1String("release"))); !read)
        return tl::unexpected(read.error());
    if (root.value(QLatin1String("break")).toString() == QLatin1String("never"))
        preset.neverBroken = true;
    return preset;
}

QStringList presetIds()
{
    QStringList ids = QDir(QStringLiteral(":/lockkeeper/schemes")).entryList({QStringLiteral("*.json")});
    for (QString &id : ids)
        id.chop(5);
    ids.sort();
    return ids;
}

base::Result<TablePreset> presetNamed(const QString &id)
{
    const auto json = resource(QStringLiteral("schemes/%1.json").arg(id));
    if (!json)
        return tl::unexpected(json.error());
    return parsePreset(*json);
}

base::Result<QByteArray> statementText(const QByteArray &scheme)
{
    const auto own = resource(QStringLiteral("sql/store/%1.sql").arg(QString::fromLatin1(scheme.mid(4))));
    if (!own)
        return own;
    const auto common = resource(QStringLiteral("sql/store/table.sql"));
    return common ? base::Result<QByteArray>(*common + '\n' + *own) : common;
}

} // namespace lockkeeper::stores::sql
