// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/catalogue.h"

#include "shared/base/text.h"
#include "shared/stores/sql/identifiers.h"

#include <algorithm>

namespace lockkeeper::stores::sql {

using base::displayText;
using base::ErrorCode;
using base::failure;

namespace {
QString didYouMean(const QString &wanted, const QStringList &known)
{
    const QString nearest = nearestName(wanted, known);
    return nearest.isEmpty() ? QString() : QStringLiteral("Did you mean \"%1\"?").arg(displayText(nearest));
}

base::Error missingTable(const TablePreset &preset, const Catalogue &catalogue)
{
    const QString wanted = preset.tables.value(0);
    const QString cause =
        QStringLiteral("there is no table \"%1\" in \"%2\"")
            .arg(displayText(preset.tables.join(QLatin1String("\" or \""))), displayText(catalogue.database));
    if (catalogue.seesWholeDatabase || !nearestName(wanted, catalogue.tables).isEmpty())
        return {ErrorCode::SchemaMismatch, cause, didYouMean(wanted, catalogue.tables)};
    return {ErrorCode::PermissionDenied, cause + QLatin1String(" that this user may see"),
            QStringLiteral("If it exists, run: %1;")
                .arg(grantStatement(catalogue.database, wanted, {}, catalogue.account))};
}

base::Result<qint64> unitOf(const QString &name, const QString &column)
{
    static const QHash<QString, qint64> units{{QString(), 1'000'000},
                                              {QStringLiteral("epoch_s"), 1'000'000},
                                              {QStringLiteral("epoch_ms"), 1'000},
                                              {QStringLiteral("epoch_us"), 1}};
    if (const auto it = units.constFind(name); it != units.constEnd())
        return *it;
    return failure(ErrorCode::SchemaMismatch,
                   QStringLiteral("\"%1\" is not a unit of the time column %2")
                       .arg(displayText(name), displayText(column)),
                   QStringLiteral("Use epoch_s, epoch_ms or epoch_us."));
}

bool fits(const ColumnPreset &wanted, const Column &column)
{
    if (wanted.need == ColumnNeed::Text)
        return column.kind == ColumnKind::Text || column.kind == ColumnKind::Bytes;
    return column.kind == ColumnKind::Timestamp || column.kind == ColumnKind::DateTime ||
           column.kind == ColumnKind::Epoch;
}

base::Result<Column> resolveColumn(const ColumnPreset &wanted, const QString &table,
                                   const TableMapping &mapping, const QList<Column> &columns)
{
    const auto it = std::find_if(columns.begin(), columns.end(),
                                 [&](const Column &column) { return column.name == wanted.column; });
    if (it == columns.end()) {
        QStringList known;
        for (const Column &column : columns)
            known.append(column.name);
        return failure(ErrorCode::SchemaMismatch,
                       QStringLiteral("the table \"%1\" has no column \"%2\"")
                           .arg(displayText(table), displayText(wanted.column)),
                       didYouMean(wanted.column, known));
    }
    Column column = *it;
    if (!fits(wanted, column))
        return failure(
            ErrorCode::SchemaMismatch,
            QStringLiteral("the column \"%1\" of \"%2\" is %3, which can't be read as %4")
                .arg(displayText(column.name), displayText(table), column.typeText,
                     wanted.need == ColumnNeed::Time ? QStringLiteral("a time") : QStringLiteral("text")));
    if (wanted.unique && !column.unique)
        return failure(ErrorCode::SchemaMismatch,
                       QStringLiteral("the column \"%1\" of \"%2\" has no unique index of its own")
                           .arg(displayText(column.name), displayText(table)),
                       QStringLiteral("Make it the primary key, as the scheme's clients need it."));
    if (column.kind == ColumnKind::Epoch) {
        const auto unit = unitOf(mapping.units.value(QString::fromLatin1(wanted.key)), column.name);
        if (!unit)
            return tl::unexpected(unit.error());
        column.unitUs = *unit;
    }
    return column;
}
} // namespace

ColumnKind columnKind(QStringView dataType)
{
    const auto oneOf = [&](std::initializer_list<QLatin1String> names) {
        return std::any_of(names.begin(), names.end(), [&](QLatin1String name) {
            return dataType.compare(name, Qt::CaseInsensitive) == 0;
        });
    };
    if (oneOf({QLatin1String("char"), QLatin1String("varchar"), QLatin1String("tinytext"),
               QLatin1String("text")}))
        return ColumnKind::Text;
    if (oneOf({QLatin1String("binary"), QLatin1String("varbinary"), QLatin1String("tinyblob"),
               QLatin1String("blob")}))
        return ColumnKind::Bytes;
    if (oneOf({QLatin1String("timestamp")}))
        return ColumnKind::Timestamp;
    if (oneOf({QLatin1String("datetime")}))
        return ColumnKind::DateTime;
    if (oneOf({QLatin1String("bigint"), QLatin1String("int")}))
        return ColumnKind::Epoch;
    return ColumnKind::Other;
}

base::Result<Table> resolve(const TablePreset &preset, const TableMapping &mapping,
                            const Catalogue &catalogue)
{
    const auto found = std::find_if(preset.tables.begin(), preset.tables.end(),
                                    [&](const QString &name) { return catalogue.columns.contains(name); });
    if (found == preset.tables.end())
        return tl::unexpected(missingTable(preset, catalogue));
    Table table{catalogue.database, *found, {}, {}, {}};
    for (const ColumnPreset &wanted : preset.columns) {
        auto column = resolveColumn(wanted, table.name, mapping, catalogue.columns.value(table.name));
        if (!column)
            return tl::unexpected(column.error());
        if (wanted.written)
            table.written.append(column->name);
        if (wanted.key == "name")
            table.names = {column->name};
        table.columns.insert(wanted.key, *std::move(column));
    }
    return table;
}

QString grantStatement(const QString &database, const QString &table, const QStringList &written,
                       const QString &account)
{
    QStringList columns;
    for (const QString &column : written)
        columns.append(readableIdentifier(column));
    const QString rights = columns.isEmpty()
                               ? QStringLiteral("SELECT")
                               : QStringLiteral("SELECT, UPDATE (%1)").arg(columns.join(QLatin1String(", ")));
    return QStringLiteral("GRANT %1 ON %2.%3 TO %4")
        .arg(rights, readableIdentifier(database), readableIdentifier(table), account);
}

} // namespace lockkeeper::stores::sql
