// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/preset.h"

#include "shared/base/text.h"
#include "shared/stores/sql/identifiers.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

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

/** The configured name of a column, by the mapping's key; empty where the preset's own is meant. */
QString configuredColumn(const TableMapping &mapping, const QByteArray &key)
{
    if (key == "name")
        return mapping.name.value(0);
    if (key == "holder")
        return mapping.holder;
    if (key == "acquired_at")
        return mapping.acquiredAt;
    if (key == "expires_at")
        return mapping.expiresAt;
    return {};
}
} // namespace

base::Result<TablePreset> parsePreset(const QByteArray &json)
{
    QJsonParseError parsed;
    const QJsonObject root = QJsonDocument::fromJson(json, &parsed).object();
    if (parsed.error != QJsonParseError::NoError)
        return failure(ErrorCode::Corrupt,
                       QStringLiteral("a preset isn't JSON: %1").arg(parsed.errorString()));
    TablePreset preset;
    preset.scheme = root.value(QLatin1String("scheme")).toString().toUtf8();
    preset.statements = root.value(QLatin1String("statements")).toString();
    for (const QJsonValue &table : root.value(QLatin1String("tables")).toArray())
        preset.tables.append(table.toString());
    const QJsonObject columns = root.value(QLatin1String("columns")).toObject();
    for (auto it = columns.begin(); it != columns.end(); ++it) {
        const QJsonObject column = it.value().toObject();
        const QString type = column.value(QLatin1String("type")).toString();
        if (type != QLatin1String("text") && type != QLatin1String("time"))
            return failure(ErrorCode::Corrupt,
                           QStringLiteral("a preset has a column \"%1\" of type \"%2\"").arg(it.key(), type));
        preset.columns.append({it.key().toUtf8(), column.value(QLatin1String("column")).toString(),
                               type == QLatin1String("time") ? ColumnNeed::Time : ColumnNeed::Text,
                               column.value(QLatin1String("unique")).toBool(),
                               column.value(QLatin1String("written")).toBool()});
    }
    if (preset.scheme.isEmpty() || preset.statements.isEmpty() || preset.tables.isEmpty() ||
        preset.columns.isEmpty())
        return failure(ErrorCode::Corrupt,
                       QStringLiteral("a preset lacks its scheme, statements, tables or columns"));
    return preset;
}

base::Result<TablePreset> presetOf(const QByteArray &scheme)
{
    if (!scheme.startsWith("sql."))
        return failure(ErrorCode::Unsupported,
                       QStringLiteral("the scheme \"%1\" has no table").arg(base::displayText(scheme)));
    const auto json = resource(QStringLiteral("schemes/%1.json").arg(QString::fromLatin1(scheme.sliced(4))));
    if (!json)
        return tl::unexpected(json.error());
    return parsePreset(*json);
}

base::Result<TablePreset> mapped(TablePreset preset, const TableMapping &mapping)
{
    if (!mapping.table.isEmpty())
        preset.tables = {mapping.table};
    for (const QString &table : std::as_const(preset.tables)) {
        if (const auto ok = checkIdentifier(table, QStringLiteral("table")); !ok)
            return tl::unexpected(ok.error());
    }
    if (mapping.name.size() > 1)
        return failure(ErrorCode::SchemaMismatch, QStringLiteral("the scheme \"%1\" takes one name column")
                                                      .arg(QString::fromLatin1(preset.scheme)));
    for (ColumnPreset &column : preset.columns) {
        const QString configured = configuredColumn(mapping, column.key);
        if (!configured.isEmpty())
            column.column = configured;
        const auto ok = checkIdentifier(column.column, QStringLiteral("column"));
        if (!ok)
            return tl::unexpected(ok.error());
    }
    return preset;
}

base::Result<QByteArray> statementText(const TablePreset &preset)
{
    return resource(QStringLiteral("sql/store/mysql/%1.sql").arg(preset.statements));
}

} // namespace lockkeeper::stores::sql
