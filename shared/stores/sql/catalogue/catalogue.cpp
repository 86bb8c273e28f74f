// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/catalogue/catalogue.h"

#include "shared/base/nearest.h"
#include "shared/base/text.h"
#include "shared/stores/sql/connection/identifiers.h"

#include <algorithm>

namespace lockkeeper::stores::sql {

using base::displayText;
using base::ErrorCode;
using base::failure;
using base::nearestName;

namespace {
QString didYouMean(const QString &wanted, const QStringList &known)
{
    const QString nearest = nearestName(wanted, known);
    return nearest.isEmpty() ? QString() : QStringLiteral("Did you mean \"%1\"?").arg(displayText(nearest));
}

base::Error missingTable(const TablePreset &layout, const Catalogue &catalogue, Dialect dialect)
{
    const QString wanted = layout.tables.value(0);
    const QString cause =
        QStringLiteral("there is no table \"%1\" in \"%2\"")
            .arg(displayText(layout.tables.join(QLatin1String("\" or \""))), displayText(catalogue.database));
    if (catalogue.seesWholeDatabase || !nearestName(wanted, catalogue.tables).isEmpty())
        return {ErrorCode::SchemaMismatch, cause, didYouMean(wanted, catalogue.tables)};
    ResolvedTable table;
    table.dialect = dialect;
    table.database = catalogue.database;
    table.name = wanted;
    return {ErrorCode::PermissionDenied, cause + QLatin1String(" that this user may see"),
            QStringLiteral("If it exists, run: %1;")
                .arg(grantStatement(table, TableRight::Observe, catalogue.account))};
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

bool fits(ColumnNeed need, ColumnKind kind)
{
    if (need == ColumnNeed::Value)
        return kind != ColumnKind::Other && kind != ColumnKind::Timestamp && kind != ColumnKind::DateTime;
    return kind == ColumnKind::Timestamp || kind == ColumnKind::DateTime || kind == ColumnKind::Epoch;
}

/** Reads the columns of one layout out of one table of the catalogue. */
class Resolver
{
public:
    Resolver(QString table, const CatalogueTable &columns, Dialect dialect)
        : m_table(std::move(table)), m_columns(columns), m_dialect(dialect)
    {
    }

    base::Result<Column> find(const QString &wanted, bool exact, ColumnNeed need) const
    {
        const QList<Column> &columns = m_columns.columns;
        auto it = std::find_if(columns.begin(), columns.end(),
                               [&](const Column &column) { return column.name == wanted; });
        if (it == columns.end() && !exact)
            it = std::find_if(columns.begin(), columns.end(), [&](const Column &column) {
                return column.name.compare(wanted, Qt::CaseInsensitive) == 0;
            });
        if (it == columns.end())
            return missing(wanted);
        Column column = *it;
        // SQLite has no type for times: they are texts or integers.
        if (need == ColumnNeed::Time && m_dialect == Dialect::Sqlite && column.kind == ColumnKind::Text)
            column.kind = ColumnKind::DateTime;
        if (need == ColumnNeed::Value && m_dialect == Dialect::Sqlite && column.kind == ColumnKind::DateTime)
            column.kind = ColumnKind::Text;
        if (!fits(need, column.kind))
            return failure(
                ErrorCode::SchemaMismatch,
                QStringLiteral("the column \"%1\" of \"%2\" is %3, which can't be read as %4")
                    .arg(displayText(column.name), displayText(m_table), column.typeText,
                         need == ColumnNeed::Time ? QStringLiteral("a time") : QStringLiteral("text")));
        return column;
    }

    /** Requires unique names: two rows of one name would be one lock with two holders. */
    base::Result<void> checkUnique(const QStringList &names, const QStringList &more) const
    {
        for (const QStringList &key : m_columns.uniqueKeys) {
            if (std::all_of(key.begin(), key.end(), [&](const QString &column) {
                    return names.contains(column) || more.contains(column);
                }))
                return {};
        }
        if (names.size() == 1)
            return failure(ErrorCode::SchemaMismatch,
                           QStringLiteral("the column \"%1\" of \"%2\" has no unique index")
                               .arg(displayText(names.first()), displayText(m_table)),
                           QStringLiteral("Make it the primary key, as the scheme's clients need it."));
        return failure(ErrorCode::SchemaMismatch,
                       QStringLiteral("the columns \"%1\" of \"%2\" have no unique index together")
                           .arg(displayText(names.join(QLatin1String("\", \""))), displayText(m_table)),
                       QStringLiteral("Make them the primary key, as the scheme's clients need it."));
    }

private:
    base::Result<Column> missing(const QString &wanted) const
    {
        QStringList known;
        for (const Column &column : m_columns.columns)
            known.append(column.name);
        return failure(ErrorCode::SchemaMismatch,
                       QStringLiteral("the table \"%1\" has no column \"%2\"")
                           .arg(displayText(m_table), displayText(wanted)),
                       didYouMean(wanted, known));
    }

    QString m_table;
    const CatalogueTable &m_columns;
    Dialect m_dialect;
};

base::Result<void> resolveNames(ResolvedTable &table, const TablePreset &layout, const Resolver &resolver)
{
    QStringList names;
    for (const QString &wanted : layout.names) {
        const auto column = resolver.find(wanted, layout.ownNames, ColumnNeed::Value);
        if (!column)
            return tl::unexpected(column.error());
        // MySQL sorts texts by their first kilobyte only: ORDER BY can't separate longer names.
        if (table.dialect == Dialect::MySql && column->isLong)
            return failure(
                ErrorCode::SchemaMismatch,
                QStringLiteral("the column \"%1\" of \"%2\" is %3, which is too long for names of locks")
                    .arg(displayText(column->name), displayText(table.name), column->typeText));
        names.append(column->name);
        table.names.append(*column);
    }
    if (names.isEmpty())
        return {};
    table.columns.insert("name", table.names.first());
    QStringList more;
    if (table.filtersStatus)
        more.append(table.column("status").name);
    return resolver.checkUnique(names, more);
}

base::Result<void> resolveColumns(ResolvedTable &table, const TablePreset &layout,
                                  const TableMapping &mapping, const Resolver &resolver)
{
    for (const ColumnPreset &wanted : layout.columns) {
        auto column = resolver.find(wanted.column, wanted.configured, wanted.need());
        if (!column && wanted.optional)
            continue;
        if (!column)
            return tl::unexpected(column.error());
        if (column->kind == ColumnKind::Epoch || wanted.key == "timeout" ||
            table.dialect == Dialect::Sqlite) {
            const auto unit =
                unitOf(mapping.units.value(QString::fromLatin1(wanted.key), layout.units.value(wanted.key)),
                       column->name);
            if (!unit)
                return tl::unexpected(unit.error());
            column->unitUs = *unit;
        }
        table.columns.insert(wanted.key, *std::move(column));
        if (wanted.write.kind != ColumnWrite::Nothing)
            table.writes.insert(wanted.key, wanted.write);
    }
    table.filtersStatus = layout.scheme == "sql.insert" && table.has("status");
    return {};
}

/** The name of a layout's table as the catalogue has it. */
QString foundTable(const TablePreset &layout, const Catalogue &catalogue)
{
    for (const QString &wanted : layout.tables) {
        if (catalogue.found.contains(wanted))
            return wanted;
        for (auto it = catalogue.found.begin(); !layout.ownTable && it != catalogue.found.end(); ++it) {
            if (it.key().compare(wanted, Qt::CaseInsensitive) == 0)
                return it.key();
        }
    }
    return {};
}
} // namespace

QByteArray ResolvedTable::freeStatus() const
{
    if (!freeValue.isEmpty())
        return freeValue.toUtf8();
    const ColumnWrite write = writes.value("status");
    return write.kind == ColumnWrite::Value  ? write.value.toUtf8()
           : write.kind == ColumnWrite::Null ? QByteArray()
                                             : QByteArrayLiteral("0");
}

QStringList ResolvedTable::written() const
{
    QStringList written;
    for (auto it = writes.begin(); it != writes.end(); ++it)
        written.append(column(it.key()).name);
    written.sort();
    return written;
}

base::Result<ResolvedTable> resolve(const TablePreset &layout, const TableMapping &mapping,
                                    const Catalogue &catalogue, Dialect dialect)
{
    const QString name = foundTable(layout, catalogue);
    if (name.isEmpty())
        return tl::unexpected(missingTable(layout, catalogue, dialect));
    const CatalogueTable columns = catalogue.found.value(name);
    ResolvedTable table;
    table.dialect = dialect;
    table.database = catalogue.database;
    table.schema = columns.schema;
    table.name = name;
    table.heldValue = layout.heldValue;
    table.freeValue = layout.freeValue;
    table.deletes = layout.deletes;
    table.graceUs = layout.graceUs;
    const Resolver resolver(name, columns, dialect);
    if (const auto ok = resolveColumns(table, layout, mapping, resolver); !ok)
        return tl::unexpected(ok.error());
    if (const auto ok = resolveNames(table, layout, resolver); !ok)
        return tl::unexpected(ok.error());
    // The table stores its rows in the order of this key; by the name's index, the server would look up each
    // row separately. A lock that is released and acquired again during a scan may have moved, as in any
    // order.
    if (!table.names.isEmpty() && table.column("id").ascends)
        table.pageKey = "id";
    if (table.has("expires_at"))
        table.expiryIndex = columns.orders.value(table.column("expires_at").name);
    return table;
}

QString grantStatement(const ResolvedTable &table, TableRight right, const QString &account)
{
    if (table.dialect == Dialect::Sqlite)
        return {};
    QStringList columns;
    for (const QString &column : table.written())
        columns.append(readableIdentifier(column, table.dialect));
    QString rights = QStringLiteral("SELECT");
    if (right == TableRight::Break && table.deletes)
        rights += QLatin1String(", DELETE");
    if (right == TableRight::Break && !table.deletes && !columns.isEmpty())
        rights += QStringLiteral(", UPDATE (%1)").arg(columns.join(QLatin1String(", ")));
    const QString &space = table.dialect == Dialect::PostgreSql ? table.schema : table.database;
    const QString place =
        space.isEmpty() ? QString() : readableIdentifier(space, table.dialect) + QLatin1Char('.');
    return QStringLiteral("GRANT %1 ON %2%3 TO %4")
        .arg(rights, place, readableIdentifier(table.name, table.dialect), account);
}

} // namespace lockkeeper::stores::sql
