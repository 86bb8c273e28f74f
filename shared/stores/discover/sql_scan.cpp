// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/discover/sql_scan.h"

#include "shared/stores/discover/catalogue_reader.h"
#include "shared/stores/discover/scoring.h"
#include "shared/stores/factory.h"
#include "shared/stores/sql/connection/connection.h"
#include "shared/stores/sql/sessions/session_source.h"
#include "shared/stores/sql/sets/registered_waiters.h"

namespace lockkeeper::stores::discover {

using base::ErrorCode;

namespace {

constexpr qsizetype kTablesAtOnce = 50;
constexpr qsizetype kMostSchemas = 100; ///< where each tenant has one, the first tell enough
constexpr int kHeldNow = 90;            ///< of 100 points: somebody holds or wants it

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
        : m_spec(spec), m_store(store), m_stop(stop), m_reader(m_connection, store)
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
        discovery.server = m_reader.server();
        const auto database = m_reader.database();
        const auto schemas = m_reader.schemas();
        if (!database || !schemas)
            return tl::unexpected(database ? schemas.error() : database.error());
        discovery.database = *database;
        if (const auto looked = lookAround({}, discovery, progress); !looked)
            return tl::unexpected(looked.error());
        // A URL that names a schema means that one.
        const QStringList others = m_schema.isEmpty() ? *schemas : QStringList();
        discovery.allSeen = discovery.allSeen && others.size() <= kMostSchemas;
        for (const QString &schema : others.mid(0, kMostSchemas)) {
            if (const auto entered = m_reader.enter(schema); !entered)
                return tl::unexpected(entered.error());
            if (const auto looked = lookAround(schema, discovery, progress); !looked)
                return tl::unexpected(looked.error());
        }
        progress(discovery.tables, discovery.tables);
        lookAtSessions();
        return discovery;
    }

    QList<Candidate> candidates;

private:
    /** The tables to which names lead now; `schema`: empty where they do without it. */
    base::Result<void> lookAround(const QString &schema, Discovery &discovery, const Progress &progress)
    {
        auto tables = m_reader.tables();
        if (!tables)
            return tl::unexpected(tables.error());
        tables->removeOne(QString(sql::kWaitersTable));
        m_here = layoutsAmong(m_layouts, *tables);
        const auto left = CatalogueReader::kMostTables - discovery.tables;
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
    void lookAtSessions()
    {
        const auto facts =
            m_store == "sqlite" ? tl::unexpected(base::Error()) : sql::readServerFacts(m_connection);
        if (!facts)
            return;
        const auto sessions = sql::makeSessionSource(m_connection, *facts);
        sql::SessionWants wants;
        wants.advisory = true;
        const auto rights = sessions->check(wants);
        if (!rights || !rights->warning.cause.isEmpty())
            return unseenAdvisory(rights ? rights->warning : rights.error());
        QStringList names;
        if (const auto picture = sessions->read(wants, {})) {
            for (const sql::Claim &claim : picture->claims)
                names.append(QString::fromUtf8(claim.name));
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
        const auto facts = m_reader.facts(names);
        if (!facts)
            return tl::unexpected(facts.error());
        for (const TableFacts &table : *facts) {
            if (m_stop)
                return {};
            Candidate candidate = judge(table, m_here);
            candidate.schema = schema;
            checkSupport(candidate, m_store);
            if (candidate.isProposed())
                lookInto(candidate, table);
            candidates.append(std::move(candidate));
        }
        return {};
    }

    void lookInto(Candidate &candidate, const TableFacts &table)
    {
        const QStringList columns = columnsToSample(table, candidate);
        Sample sample;
        if (!columns.isEmpty() || !candidate.mapping.holder.isEmpty()) {
            // A table that can't be read is still a table of locks: which right is missing is told later.
            if (auto read = m_reader.sample(table, columns, candidate.mapping.holder))
                sample = *std::move(read);
        }
        refine(candidate, table, sample);
    }

    const SourceSpec &m_spec;
    QByteArray m_store;
    QString m_schema; ///< that the URL names
    const std::atomic_bool &m_stop;
    sql::Connection m_connection;
    CatalogueReader m_reader;
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
