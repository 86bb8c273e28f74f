// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/discover/sql_discoverer.h"

#include "shared/stores/discover/catalogue_reader.h"
#include "shared/stores/discover/scoring.h"
#include "shared/stores/factory.h"
#include "shared/stores/sql/connection.h"

namespace lockkeeper::stores::discover {

using base::ErrorCode;

namespace {

constexpr qsizetype kTablesAtOnce = 50;
constexpr qint64 kStatementLimitMs = 3'000;
constexpr unsigned long kPatienceMs = 500;

/** Marks what this build has no scheme for. */
void checkSupport(Candidate &candidate, const QByteArray &store)
{
    if (candidate.isProposed() && !isSchemeOf(candidate.scheme, store))
        candidate.missing.append(Missing::Support);
}

/** One scan, from the connection to the judgements. */
class Scan
{
public:
    Scan(const SourceSpec &spec, const QByteArray &store, const std::atomic_bool &stop)
        : m_spec(spec), m_store(store), m_stop(stop), m_reader(m_connection, store)
    {
    }

    base::Result<Discovery> run(const std::function<void(qint64, qint64)> &progress)
    {
        if (const auto open = m_connection.open(m_spec); !open)
            return tl::unexpected(open.error());
        Discovery discovery;
        discovery.store = m_store;
        discovery.server = m_reader.server();
        const auto database = m_reader.database();
        auto tables = m_reader.tables();
        if (!database || !tables)
            return tl::unexpected(database ? tables.error() : database.error());
        discovery.database = *database;
        discovery.allSeen = tables->size() <= CatalogueReader::kMostTables;
        tables->resize(std::min<qsizetype>(tables->size(), CatalogueReader::kMostTables));
        discovery.tables = tables->size();
        for (qsizetype at = 0; at < tables->size(); at += kTablesAtOnce) {
            if (m_stop)
                return base::failure(ErrorCode::Cancelled, QStringLiteral("cancelled"));
            progress(at, tables->size());
            if (const auto judged = judgeSome(tables->mid(at, kTablesAtOnce)); !judged)
                return tl::unexpected(judged.error());
        }
        progress(tables->size(), tables->size());
        return discovery;
    }

    QList<Candidate> candidates;

private:
    base::Result<void> judgeSome(const QStringList &names)
    {
        const auto facts = m_reader.facts(names);
        if (!facts)
            return tl::unexpected(facts.error());
        for (const TableFacts &table : *facts) {
            if (m_stop)
                return {};
            Candidate candidate = judge(table, m_layouts);
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
    const std::atomic_bool &m_stop;
    sql::Connection m_connection;
    CatalogueReader m_reader;
    QList<Layout> m_layouts = knownLayouts();
};

} // namespace

SqlScan::SqlScan(SourceSpec spec, QByteArray store, std::shared_ptr<std::atomic_bool> stop)
    : m_spec(std::move(spec)), m_store(std::move(store)), m_stop(std::move(stop))
{
}

void SqlScan::run()
{
    Scan scan(m_spec, m_store, *m_stop);
    auto discovery = scan.run([this](qint64 done, qint64 total) { Q_EMIT progressed(done, total); });
    if (discovery)
        Q_EMIT done(*discovery, scan.candidates);
    else
        Q_EMIT failed(discovery.error());
}

SqlDiscoverer::SqlDiscoverer(SourceSpec spec, QByteArray store)
    : m_spec(std::move(spec)), m_store(std::move(store)), m_stop(std::make_shared<std::atomic_bool>(false))
{
    m_spec.statementTimeoutMs = std::min(m_spec.statementTimeoutMs, kStatementLimitMs);
    m_spec.locks.clear();
}

SqlDiscoverer::~SqlDiscoverer()
{
    stopScan();
}

void SqlDiscoverer::start()
{
    m_thread = new QThread;
    m_thread->setObjectName(QStringLiteral("discover"));
    auto *scan = new SqlScan(m_spec, m_store, m_stop);
    scan->moveToThread(m_thread);
    connect(m_thread, &QThread::started, scan, &SqlScan::run);
    connect(m_thread, &QThread::finished, scan, &QObject::deleteLater);
    connect(scan, &SqlScan::progressed, this, &Discoverer::progressed);
    connect(scan, &SqlScan::failed, this, [this](const base::Error &error) {
        if (m_cancelled)
            return;
        stopScan();
        Q_EMIT failed(error);
    });
    connect(scan, &SqlScan::done, this,
            [this](const Discovery &discovery, const QList<Candidate> &candidates) {
                if (m_cancelled)
                    return;
                stopScan();
                m_discovery = discovery;
                m_candidates = candidates;
                verify();
            });
    m_thread->start();
}

void SqlDiscoverer::stopScan()
{
    *m_stop = true;
    QThread *thread = std::exchange(m_thread, nullptr);
    if (!thread)
        return;
    thread->quit();
    // One that is stuck in a dead link ends by itself, within its time limits.
    if (thread->wait(kPatienceMs))
        delete thread;
    else
        connect(thread, &QThread::finished, thread, &QObject::deleteLater);
}

void SqlDiscoverer::cancel()
{
    *m_stop = true;
    m_cancelled = true;
    if (m_thread) {
        QThread *thread = std::exchange(m_thread, nullptr);
        thread->quit();
        connect(thread, &QThread::finished, thread, &QObject::deleteLater);
        if (thread->isFinished())
            thread->deleteLater();
    }
    if (m_verification)
        m_verification->cancel();
    m_candidates.clear();
    disconnect(); // no answer follows
}

void SqlDiscoverer::verify()
{
    m_verification = std::make_unique<Verification>(m_spec);
    connect(m_verification.get(), &Verification::failed, this, &Discoverer::failed);
    connect(m_verification.get(), &Verification::done, this, [this](const QList<Candidate> &candidates) {
        sortInto(m_discovery, candidates);
        Q_EMIT found(m_discovery);
    });
    m_verification->start(std::exchange(m_candidates, {}));
}

} // namespace lockkeeper::stores::discover
