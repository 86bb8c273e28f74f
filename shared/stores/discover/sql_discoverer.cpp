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
                verifyNext();
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
    if (Store *store = m_opened.release()) {
        // Ending one that hangs would wait for it: it goes once it has answered, within its time limits.
        store->disconnect(this);
        connect(store, &Store::opened, store, &QObject::deleteLater);
        connect(store, &Store::failed, store, &QObject::deleteLater);
    }
    m_candidates.clear();
    disconnect(); // no answer follows
}

void SqlDiscoverer::verifyNext()
{
    if (m_opened) {
        m_opened->disconnect(this);
        m_opened->close();
        m_opened.release()->deleteLater(); // it may be the one that is calling
    }
    do {
        ++m_at;
    } while (m_at < m_candidates.size() && !m_candidates.at(m_at).isProposed());
    if (m_at >= m_candidates.size()) {
        sortInto(m_discovery, std::exchange(m_candidates, {}));
        Q_EMIT found(m_discovery);
        return;
    }
    SourceSpec spec = m_spec;
    spec.locks = {lockSetOf(m_candidates.at(m_at))};
    auto store = makeStore(spec);
    if (!store) {
        refuse(store.error());
        return;
    }
    m_opened = *std::move(store);
    connect(m_opened.get(), &Store::opened, this, &SqlDiscoverer::accept);
    connect(m_opened.get(), &Store::failed, this, &SqlDiscoverer::refuse);
    m_opened->open();
}

void SqlDiscoverer::accept(const ServerInfo &info)
{
    m_candidates[m_at].access = info.access;
    verifyNext();
}

void SqlDiscoverer::refuse(const base::Error &error)
{
    Candidate &candidate = m_candidates[m_at];
    if (error.code == ErrorCode::PermissionDenied) {
        candidate.access.append({"observe:" + candidate.table.toUtf8(), false, false, error.remedy});
    } else if (base::isTransient(error.code)) {
        Q_EMIT failed(error); // the link, not the table
        return;
    } else {
        candidate.missing.append(Missing::Refused);
        candidate.refusal = error;
    }
    QMetaObject::invokeMethod(this, &SqlDiscoverer::verifyNext, Qt::QueuedConnection);
}

} // namespace lockkeeper::stores::discover
