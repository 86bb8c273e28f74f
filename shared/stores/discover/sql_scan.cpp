// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/discover/sql_scan.h"

#include "shared/domain/advisory_names.h"
#include "shared/stores/discover/scoring.h"
#include "shared/stores/discover/text_flags.h"
#include "shared/stores/factory.h"
#include "shared/stores/sql/connection/identifiers.h"
#include "shared/stores/sql/sessions/session_source.h"
#include "shared/stores/sql/sets/registered_waiters.h"

#include <algorithm>

namespace lockkeeper::stores::discover {

using base::ErrorCode;

namespace {

constexpr int kMostTables = 5'000;
constexpr int kSampleRows = 20;
constexpr int kLongestFlag = 32; ///< characters of a status word
constexpr qsizetype kTablesAtOnce = 50;
constexpr qsizetype kMostSchemas = 100; ///< if each tenant has one, the first tables suffice
constexpr int kHeldNow = 90;            ///< of 100 points: a client holds it or waits for it

/** Asks for one more table than is looked at, so that the caller sees that there are more. */
QString tablesQuestion(sql::Dialect dialect)
{
    const int most = kMostTables + 1;
    switch (dialect) {
    case sql::Dialect::PostgreSql:
        return QStringLiteral(
                   "SELECT c.relname FROM pg_catalog.pg_class c WHERE c.relnamespace = (SELECT oid "
                   "FROM pg_catalog.pg_namespace WHERE nspname = current_schema()) AND c.relkind "
                   "IN ('r', 'p') AND NOT c.relispartition ORDER BY c.relname LIMIT %1")
            .arg(most);
    case sql::Dialect::Sqlite:
        return QStringLiteral("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE "
                              "'sqlite\\_%' ESCAPE '\\' ORDER BY name LIMIT %1")
            .arg(most);
    case sql::Dialect::MySql:
        break;
    }
    return QStringLiteral("SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE() "
                          "AND TABLE_TYPE = 'BASE TABLE' ORDER BY TABLE_NAME LIMIT %1")
        .arg(most);
}

ColumnFacts factsOf(const sql::Column &column)
{
    return {column.name, column.typeText, kindOf(column.typeName, column.typeLength()), column.nullable,
            column.counted};
}

/** Columns and unique keys of some tables; a table dropped in the meantime is omitted. */
base::Result<QList<TableFacts>> readFacts(sql::SqlConnection &connection, const QStringList &tables)
{
    return sql::readColumns(connection, tables)
        .map([&tables, &connection](const QHash<QString, sql::CatalogueTable> &found) {
            QList<TableFacts> facts;
            for (const QString &name : tables) {
                const sql::CatalogueTable read = found.value(name);
                if (read.isEmpty())
                    continue;
                TableFacts &table = facts.emplace_back();
                table.name = name;
                table.keys = read.uniqueKeys;
                table.textTimes = connection.dialect() == sql::Dialect::Sqlite;
                std::transform(read.columns.begin(), read.columns.end(), std::back_inserter(table.columns),
                               factsOf);
            }
            return facts;
        });
}

/** The schemas that this user may read beside the one that names lead to; other stores have none. */
base::Result<QStringList> schemasOf(sql::SqlConnection &connection)
{
    if (connection.dialect() != sql::Dialect::PostgreSql)
        return QStringList();
    return sql::textsOf(
        connection,
        QStringLiteral(
            "SELECT n.nspname FROM pg_catalog.pg_namespace n WHERE left(n.nspname, 3) <> 'pg_' AND "
            "n.nspname <> 'information_schema' AND n.nspname IS DISTINCT FROM current_schema() AND "
            "has_schema_privilege(n.oid, 'USAGE') ORDER BY n.nspname"));
}

/** The column as a number: integers as they stand, times in microseconds since the epoch. */
QString microseconds(const ColumnFacts &column, sql::Dialect dialect)
{
    const QString name = sql::quotedIdentifier(column.name, dialect);
    if (column.kind == ValueKind::Integer)
        return name;
    if (dialect == sql::Dialect::PostgreSql)
        return QStringLiteral("CAST(EXTRACT(EPOCH FROM %1) * 1000000 AS bigint)").arg(name);
    if (dialect == sql::Dialect::Sqlite)
        return QStringLiteral("CAST(ROUND((julianday(%1) - 2440587.5) * 86400000) AS INTEGER) * 1000")
            .arg(name);
    // The session's zone is UTC, so both kinds of columns read as UTC.
    return QStringLiteral("CAST(TIMESTAMPDIFF(MICROSECOND, '1970-01-01', %1) AS SIGNED)").arg(name);
}

QString asText(const QString &column, sql::Dialect dialect)
{
    return QStringLiteral("CAST(%1 AS %2)")
        .arg(sql::quotedIdentifier(column, dialect),
             dialect == sql::Dialect::MySql ? QStringLiteral("CHAR") : QStringLiteral("TEXT"));
}

/** The values of at most kSampleRows rows, of these columns alone. `holder` and `flag` may be empty. */
base::Result<TableSample> sampleOf(sql::SqlConnection &connection, const TableFacts &table,
                                   const QStringList &columns, const QString &holder, const QString &flag)
{
    const sql::Dialect dialect = connection.dialect();
    const auto now = connection.storeTimeUs();
    if (!now)
        return tl::unexpected(now.error());
    TableSample sample;
    sample.nowUs = *now;
    QStringList fields;
    for (const QString &column : columns)
        fields.append(microseconds(*table.column(column), dialect));
    // Whether it has a holder, whose identity doesn't matter.
    fields.append(holder.isEmpty()
                      ? QStringLiteral("1")
                      : QStringLiteral("CASE WHEN %1 IS NULL OR %2 = '' THEN 0 ELSE 1 END")
                            .arg(sql::quotedIdentifier(holder, dialect), asText(holder, dialect)));
    if (!flag.isEmpty())
        fields.append(QStringLiteral("SUBSTR(%1, 1, %2)").arg(asText(flag, dialect)).arg(kLongestFlag));
    const auto take = [&](const QSqlQuery &row) {
        ++sample.rows;
        bool timed = false;
        for (qsizetype i = 0; i < columns.size(); ++i) {
            const QVariant value = row.value(int(i));
            if (value.isNull())
                continue;
            timed = timed || value.toLongLong() != 0;
            const bool number = table.column(columns.at(i))->kind == ValueKind::Integer;
            (number ? sample.numbers : sample.timesUs)[columns.at(i)].append(value.toLongLong());
        }
        const bool nobody = row.value(int(columns.size())).toInt() == 0;
        sample.withoutHolder += nobody;
        if (const QString word = row.value(int(columns.size()) + 1).toString();
            !flag.isEmpty() && !sample.flags.contains(word))
            sample.flags.append(word);
        sample.idle += (nobody || holder.isEmpty()) && !timed && !columns.isEmpty();
    };
    const auto read = connection.eachRow(
        QStringLiteral("SELECT %1 FROM %2 LIMIT %3")
            .arg(fields.join(QLatin1String(", ")), sql::quotedIdentifier(table.name, dialect))
            .arg(kSampleRows),
        take);
    return read.map([&sample] { return sample; });
}

/** The server has seen rows of the table deleted since it counts; false also where it doesn't say. */
bool hasDeleted(sql::SqlConnection &connection, const QString &table)
{
    const bool postgres = connection.dialect() == sql::Dialect::PostgreSql;
    if (connection.dialect() == sql::Dialect::Sqlite)
        return false;
    auto query = connection.query(
        postgres ? QStringLiteral("SELECT pg_catalog.pg_stat_get_tuples_deleted(c.oid) FROM "
                                  "pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = "
                                  "c.relnamespace WHERE n.nspname = current_schema() AND c.relname = ?")
                 : QStringLiteral("SELECT SUM(COUNT_DELETE) FROM "
                                  "performance_schema.table_io_waits_summary_by_table WHERE OBJECT_SCHEMA = "
                                  "DATABASE() AND OBJECT_NAME = ?"),
        {table});
    return query && query->next() && query->value(0).toLongLong() > 0;
}

/** Marks what this build has no scheme for. */
void checkSupport(Candidate &candidate, const QByteArray &store)
{
    if (candidate.isProposed() && !isSchemeOf(candidate.scheme, store))
        candidate.missing.append(Missing::Support);
}

/** One scan, from the connection to the judgements. */
class CatalogueScan
{
public:
    CatalogueScan(const SourceSpec &spec, const QByteArray &store, const std::atomic_bool &stop)
        : m_spec(spec), m_store(store), m_stop(stop)
    {
        if (const auto endpoint = sql::endpointOf(spec.url))
            m_schema = endpoint->schema;
    }

    base::Result<Discovery> run(const Progress &progress)
    {
        if (const auto open = m_connection.open(m_spec); !open)
            return tl::unexpected(open.error());
        Discovery discovery;
        discovery.store = m_store;
        const auto facts = sql::readServerFacts(m_connection);
        discovery.server = facts ? facts->product : QString();
        const bool isSqlite = m_connection.dialect() == sql::Dialect::Sqlite;
        const auto database =
            isSqlite ? base::Result<QString>(QStringLiteral("main")) : sql::databaseName(m_connection);
        const auto schemas = schemasOf(m_connection);
        if (!database || !schemas)
            return tl::unexpected(database ? schemas.error() : database.error());
        discovery.database = *database;
        if (const auto looked = lookAround({}, discovery, progress); !looked)
            return tl::unexpected(looked.error());
        // A URL that names a schema means that one.
        const QStringList others = m_schema.isEmpty() ? *schemas : QStringList();
        discovery.allSeen = discovery.allSeen && others.size() <= kMostSchemas;
        for (const QString &schema : others.mid(0, kMostSchemas)) {
            if (const auto entered = m_connection.enterSchema(schema); !entered)
                return tl::unexpected(entered.error());
            if (const auto looked = lookAround(schema, discovery, progress); !looked)
                return tl::unexpected(looked.error());
        }
        progress(discovery.tables, discovery.tables);
        if (facts && !isSqlite)
            lookAtSessions(*facts, *database);
        return discovery;
    }

    QList<Candidate> candidates;

private:
    /** The tables to which names lead now; `schema`: empty where they do without it. */
    base::Result<void> lookAround(const QString &schema, Discovery &discovery, const Progress &progress)
    {
        auto tables = sql::textsOf(m_connection, tablesQuestion(m_connection.dialect()));
        if (!tables)
            return tl::unexpected(tables.error());
        tables->removeOne(QString(sql::kWaitersTable));
        m_here = layoutsAmong(m_layouts, *tables);
        const auto left = kMostTables - discovery.tables;
        discovery.allSeen = discovery.allSeen && tables->size() <= left;
        tables->resize(std::min<qsizetype>(tables->size(), left));
        const qint64 total = discovery.tables + tables->size();
        for (qsizetype at = 0; at < tables->size(); at += kTablesAtOnce) {
            if (m_stop)
                return base::failure(ErrorCode::Cancelled, QStringLiteral("cancelled"));
            progress(discovery.tables + at, total);
            if (const auto judged = judgeSome(schema, tables->mid(at, kTablesAtOnce)); !judged)
                return tl::unexpected(judged.error());
        }
        discovery.tables = total;
        return {};
    }

    /** Locks that belong to no table are seen only while somebody has or wants one. */
    void lookAtSessions(const sql::ServerFacts &facts, const QString &database)
    {
        const auto sessions = sql::makeSessionSource(m_connection, facts);
        sql::SessionWants wants;
        wants.advisory = true;
        const auto rights = sessions->check(wants);
        if (!rights || !rights->warning.cause.isEmpty())
            return unseenAdvisory(rights ? rights->warning : rights.error());
        QStringList names;
        if (const auto picture = sessions->read(wants, {})) {
            for (const sql::Claim &claim : picture->claims) {
                const QString program = domain::advisoryProgram(claim.name, database.toUtf8());
                const QString name = QString::fromUtf8(claim.name);
                names.append(program.isEmpty() ? name : QStringLiteral("%1 (%2)").arg(name, program));
            }
        }
        names.sort();
        names.removeDuplicates();
        if (names.isEmpty())
            return;
        constexpr qsizetype kShown = 5;
        const bool more = names.size() > kShown;
        Candidate candidate;
        candidate.scheme = QByteArrayLiteral("sql.advisory");
        candidate.score = kHeldNow;
        candidate.reasons.append({ReasonCode::Advisory,
                                  kHeldNow,
                                  {},
                                  QStringList(names.mid(0, kShown)).join(QLatin1String(", ")) +
                                      (more ? QStringLiteral(", …") : QString())});
        candidates.append(candidate);
    }

    /** Nobody would miss what nothing is said of. */
    void unseenAdvisory(const base::Error &why)
    {
        Candidate candidate;
        candidate.scheme = QByteArrayLiteral("sql.advisory");
        candidate.score = kNear;
        candidate.missing.append(Missing::Unseen);
        candidate.refusal = why;
        candidates.append(candidate);
    }

    base::Result<void> judgeSome(const QString &schema, const QStringList &names)
    {
        const auto facts = readFacts(m_connection, names);
        if (!facts)
            return tl::unexpected(facts.error());
        for (const TableFacts &table : *facts) {
            if (m_stop)
                return {};
            Candidate candidate = judge(table, m_here);
            candidate.schema = schema;
            checkSupport(candidate, m_store);
            if (candidate.isProposed() || awaitsFlagWords(candidate)) {
                lookInto(candidate, table);
                checkSupport(candidate, m_store); // its rows may have shown another scheme
            }
            candidates.append(std::move(candidate));
        }
        return {};
    }

    void lookInto(Candidate &candidate, const TableFacts &table)
    {
        const QStringList columns = columnsToSample(table, candidate);
        const QString flag = awaitsFlagWords(candidate) ? candidate.mapping.status : QString();
        TableSample sample;
        if (!columns.isEmpty() || !candidate.mapping.holder.isEmpty() || !flag.isEmpty() ||
            candidate.scheme == "sql.insert") {
            // A table that can't be read is still a table of locks: the missing right is reported later.
            if (auto read = sampleOf(m_connection, table, columns, candidate.mapping.holder, flag)) {
                sample = *std::move(read);
                sample.comeAndGo = sample.rows == 0 || hasDeleted(m_connection, table.name);
            }
        }
        readFlagWords(candidate, table, sample);
        refine(candidate, table, sample);
    }

    const SourceSpec &m_spec;
    QByteArray m_store;
    QString m_schema; ///< that the URL names
    const std::atomic_bool &m_stop;
    sql::SqlConnection m_connection;
    QList<Layout> m_layouts = knownLayouts();
    QList<Layout> m_here; ///< of them, those that the tables at hand may be
};

} // namespace

base::Result<Scanned> scanSql(const SourceSpec &spec, const QByteArray &store, const Progress &progress,
                              const std::atomic_bool &stop)
{
    CatalogueScan scan(spec, store, stop);
    auto discovery = scan.run(progress);
    if (!discovery)
        return tl::unexpected(discovery.error());
    return Scanned{*std::move(discovery), std::move(scan.candidates)};
}

} // namespace lockkeeper::stores::discover
