// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/store/sql_worker.h"

#include "shared/base/clock.h"
#include "shared/stores/release_ground.h"
#include "shared/stores/sql/binlog/log_source.h"
#include "shared/stores/sql/connection/sql_errors.h"
#include "shared/stores/sql/sessions/session_set.h"
#include "shared/stores/sql/sets/mapped_table.h"

#include <algorithm>
#include <utility>

Q_LOGGING_CATEGORY(lcSqlStore, "lockkeeper.stores.sql")

namespace lockkeeper::stores::sql {

using base::Error;
using base::ErrorCode;

namespace {
constexpr int kMostUnreadPages = 16;
/** Keeps a page's list below 64 KiB: freeing a larger block makes the C library tidy its whole heap. */
constexpr int kMostRowsAPage = 250;
constexpr qint64 kIdleUs = 1'000'000; ///< so long unused, a connection may have been ended
constexpr int kPagesARead = 10;       ///< bounds the rows of a statement, which stay in memory until taken

Error notConnected()
{
    return {ErrorCode::Unreachable, QStringLiteral("not connected"), {}};
}

Error clientClockWarning()
{
    return {
        ErrorCode::Unsupported,
        QStringLiteral("the application writes its own clock's times: they are compared with the store's"),
        QStringLiteral("Keep the clocks of the application's hosts in step.")};
}

/** Lists the operations that work through a proxy or pooler before the server, and those that don't. */
Error poolerWarning(Dialect dialect)
{
    if (dialect == Dialect::PostgreSql)
        return {
            ErrorCode::Unsupported,
            QStringLiteral("a pooler (PgBouncer or the like) is between the agent and the server: "
                           "observing and releasing work through it, taking sql.row and sql.advisory locks "
                           "by lockkeeperctl run needs the server's own address"),
            {}};
    return {ErrorCode::Unsupported,
            QStringLiteral("a proxy (ProxySQL, MaxScale or the like) is between the agent and the server: "
                           "tables are observed and released through it, sql.row and sql.advisory aren't, "
                           "and need the server's own address"),
            {}};
}
} // namespace

SqlWorker::SqlWorker(SourceSpec spec, ReleaseSeams seams)
    : m_spec(std::move(spec)),
      m_seams(std::move(seams)),
      m_sets(m_connection, m_spec, m_facts, m_seams,
             [this](const ShardState &set) { Q_EMIT setChanged(m_openTicket, set); })
{
}

SqlWorker::~SqlWorker()
{
    close();
}

void SqlWorker::open(const SqlJob &job)
{
    close();
    if (job.stage->isCancelled())
        return;
    m_openTicket = job.ticket;
    const auto info = openAll();
    if (info) {
        if (m_spec.binlog)
            tellWatchable();
        Q_EMIT opened(job.ticket, *info);
        m_sets.tellAside();
        tellFindings();
        return;
    }
    close();
    Q_EMIT failed(job.ticket, info.error());
}

void SqlWorker::close()
{
    m_scan.reset();
    m_sets.close();
    m_reads.clear();
    m_findings.reset();
    m_connection.close();
}

base::Result<ServerInfo> SqlWorker::openAll()
{
    if (const auto open = m_connection.open(m_spec); !open)
        return tl::unexpected(open.error());
    auto facts = readServerFacts(m_connection);
    if (!facts)
        return tl::unexpected(facts.error());
    m_facts = *std::move(facts);
    ServerInfo info;
    info.store = dialectName(m_connection.dialect());
    info.server = m_facts.product;
    info.instance = m_facts.instance;
    info.readOnly = m_facts.readOnly;
    if (const auto opened = m_sets.open(); !opened)
        return tl::unexpected(opened.error());
    m_sets.describe(info);
    m_reads.assign(m_sets.count(), HeldReads(m_spec.reconcileMs * 1000));
    m_usedUs = base::SystemClock().monotonicUs();
    if (m_spec.clientClock)
        addWarning(info, clientClockWarning());
    if (m_connection.isPooled())
        addWarning(info, poolerWarning(m_connection.dialect()));
    m_standing.clear();
    m_standingReadUs = base::SystemClock().monotonicUs();
    const auto standing = m_standing.read(m_connection, m_facts);
    if (!standing)
        return tl::unexpected(standing.error());
    info.standing = *standing;
    return info;
}

void SqlWorker::setReconcileMs(qint64 ms)
{
    m_spec.reconcileMs = ms;
    for (HeldReads &reads : m_reads)
        reads.setReconcileUs(ms * 1000);
}

void SqlWorker::wake()
{
    const qint64 nowUs = base::SystemClock().monotonicUs();
    const qint64 idleUs = nowUs - std::exchange(m_usedUs, nowUs);
    if (!m_connection.isOpen() || m_scan || idleUs < kIdleUs)
        return;
    const auto alive = m_connection.storeTimeUs();
    if (alive || !isLinkLost(alive.error().code))
        return;
    const QByteArray instance = m_facts.instance;
    QByteArrayList places;
    for (size_t set = 0; set < m_sets.count(); ++set)
        places.append(m_sets.placeOf(set));
    m_sets.close();
    const auto info = openAll();
    if (info && m_facts.instance == instance && info->places == places) {
        qCInfo(lcSqlStore).noquote() << "the idle connection of" << m_spec.name
                                     << "was closed and has been reopened:" << alive.error().line();
        m_sets.tellAside();
        return;
    }
    const quint64 ticket = m_openTicket;
    close();
    Q_EMIT failed(ticket, info ? alive.error() : info.error());
}

void SqlWorker::scan(const SqlJob &job)
{
    if (job.stage->isCancelled())
        return;
    wake();
    m_scan = SqlScan{job, {}, 0, false, false, false, 0, false};
    if (!m_connection.isOpen())
        endScan(notConnected());
    else
        schedulePage();
}

void SqlWorker::pageTaken(const QList<Observation> &locks)
{
    if (!m_scan)
        return;
    if (m_spare.size() < kMostUnreadPages)
        m_spare.append(locks);
    m_scan->unread = std::max(m_scan->unread - 1, 0); // the page may be from an earlier scan
    schedulePage();
}

void SqlWorker::setPaused(bool paused)
{
    m_paused = paused;
    if (m_scan)
        schedulePage();
}

void SqlWorker::schedulePage()
{
    if (m_scan->scheduled || m_scan->unread >= kMostUnreadPages || (m_paused && !m_scan->inRange))
        return;
    m_scan->scheduled = true;
    QMetaObject::invokeMethod(this, &SqlWorker::readPage, Qt::QueuedConnection);
}

void SqlWorker::readPage()
{
    if (!m_scan || !m_scan->scheduled)
        return;
    m_scan->scheduled = false;
    if (m_scan->job.stage->isCancelled()) {
        m_scan.reset();
        return;
    }
    if (!std::exchange(m_scan->begun, true)) {
        if (const auto error = beginScan()) {
            endScan(*error);
            failIfBroken(*error);
            return;
        }
    }
    while (m_scan->set < m_sets.count() && m_sets.due(m_scan->set) == nullptr)
        ++m_scan->set;
    if (m_scan->set >= m_sets.count()) {
        tellGraph();
        endScan(std::nullopt);
        return;
    }
    readPageOf(*m_sets.due(m_scan->set));
}

void SqlWorker::passOver(size_t set, const Error &error)
{
    const bool othersGoOn =
        !isLinkLost(error.code) && m_sets.setAside(set, error, base::SystemClock().monotonicUs());
    if (othersGoOn) {
        qCWarning(lcSqlStore).noquote() << m_spec.name << "set" << m_sets.placeOf(set) << ':' << error.line();
        m_scan->set = set + 1;
        m_scan->setBegun = m_scan->inRange = false;
        schedulePage();
        return;
    }
    endScan(error);
    failIfBroken(error);
}

std::optional<Error> SqlWorker::beginScan()
{
    if (const auto read = tellStanding(); !read)
        return read.error();
    const qint64 nowUs = base::SystemClock().monotonicUs();
    const auto again = m_sets.tryAgain(nowUs);
    if (!again)
        return again.error();
    if (!*again)
        return Error{
            ErrorCode::ConnectionLost, QStringLiteral("a table is found under another name now"), {}};
    for (size_t set = 0; set < m_sets.count(); ++set) {
        SetReader *reader = m_sets.due(set);
        const auto begun = reader ? reader->beginScan() : base::Result<void>();
        if (!begun && (isLinkLost(begun.error().code) || !m_sets.setAside(set, begun.error(), nowUs)))
            return begun.error();
    }
    return std::nullopt;
}

base::Result<void> SqlWorker::tellStanding()
{
    const qint64 nowUs = base::SystemClock().monotonicUs();
    if (nowUs - m_standingReadUs < base::kSecondUs)
        return {};
    m_standingReadUs = nowUs;
    return m_standing.read(m_connection, m_facts).map([this](const Standing &standing) {
        Q_EMIT standingRead(m_openTicket, standing);
    });
}

/** One session set has the graph of all session sets, or each set has its own part. */
void SqlWorker::tellGraph()
{
    std::optional<domain::WaitGraph> all;
    for (const SetReader *set : m_sets.readers()) {
        auto graph = set->graph();
        if (!graph)
            continue;
        if (!all) {
            all = std::move(graph);
            continue;
        }
        all->sessions += graph->sessions;
        all->edges += graph->edges;
        all->wholeTables += graph->wholeTables;
    }
    if (all)
        Q_EMIT graphRead(m_scan->job.ticket, *all);
}

base::Result<void> SqlWorker::readOn(SetReader &set, const ReadSize &size)
{
    if (std::exchange(m_scan->setBegun, true))
        return set.beginRange(size);
    HeldReads &reads = m_reads[m_scan->set];
    const qint64 nowUs = base::SystemClock().monotonicUs();
    if (!set.heldIndex().isEmpty() && reads.isEnough(nowUs)) {
        const auto held = set.beginHeld(reads.sinceUs(), size);
        if (!held)
            return tl::unexpected(held.error());
        if (*held) {
            reads.begin(true, nowUs);
            return {};
        }
        reads.giveUp(nowUs);
    }
    reads.begin(false, nowUs);
    set.rewind();
    return set.beginRange(size);
}

void SqlWorker::readPageOf(SetReader &set)
{
    const int pageSize = std::clamp(m_spec.pageSize, 10, 2'000);
    if (!m_scan->inRange) {
        const ReadSize size{pageSize * kPagesARead, std::min(pageSize, kMostRowsAPage)};
        if (const auto begun = readOn(set, size); !begun) {
            passOver(m_scan->set, begun.error());
            return;
        }
    }
    SetPage page = set.page(takeSpare());
    ScanEnd &end = m_scan->end;
    // The session sets share one reading, which may be older than another set's page.
    end.beganUs = end.beganUs == 0 ? page.beganUs : std::min(end.beganUs, page.beganUs);
    end.endedUs = std::max(end.endedUs, page.endedUs);
    end.scanned += page.scanned;
    m_reads[m_scan->set].noteBeginning(page.beganUs);
    m_scan->inRange = !page.rangeEnds;
    if (page.setEnds) {
        m_sets.noteRead(m_scan->set);
        ++m_scan->set;
        m_scan->setBegun = false;
    }
    ++m_scan->unread;
    Q_EMIT scanPageRead(m_scan->job.ticket, {page.beganUs, page.endedUs, std::move(page.locks)});
    schedulePage();
}

QList<Observation> SqlWorker::takeSpare()
{
    if (m_spare.isEmpty())
        return {};
    QList<Observation> spare = m_spare.takeFirst();
    return spare.isDetached() ? spare : QList<Observation>();
}

void SqlWorker::endScan(const std::optional<Error> &error)
{
    const quint64 ticket = m_scan->job.ticket;
    ScanEnd end = m_scan->end;
    m_scan.reset();
    m_spare.clear();
    end.complete = !error;
    end.error = error.value_or(Error{});
    m_usedUs = base::SystemClock().monotonicUs();
    if (end.complete) {
        end.covers = m_sets.covers();
        noteComplete(end);
        tellFindings();
        tellPlace(ticket);
    }
    Q_EMIT scanEnded(ticket, end);
}

void SqlWorker::noteComplete(ScanEnd &end)
{
    for (size_t set = 0; set < m_reads.size(); ++set) {
        if (!m_sets.readable(set) || (end.covers && !end.covers({quint16(set), {}})))
            continue;
        m_reads[set].complete();
        if (m_reads[set].isHeld())
            end.heldOnly.append(quint16(set));
    }
}

base::Result<SetReader *> SqlWorker::setOf(quint16 set) const
{
    if (!m_connection.isOpen())
        return tl::unexpected(notConnected());
    return m_sets.of(set);
}

void SqlWorker::readPoints(const SqlJob &job, const QList<Subject> &subjects)
{
    if (job.stage->isCancelled())
        return;
    wake();
    Page page;
    for (const Subject &subject : subjects) {
        const auto reading =
            setOf(subject.set).and_then([&](SetReader *set) { return set->one(subject.name); });
        if (!reading && m_connection.isOpen() && !isLinkLost(reading.error().code) && m_sets.count() > 1) {
            setFailed(subject.set, reading.error()); // its locks are left out
            if (m_connection.isOpen())
                continue;
        }
        if (!reading) {
            pointReadFailed(job, reading.error());
            return;
        }
        page.beganUs = page.locks.isEmpty() ? reading->nowUs : std::min(page.beganUs, reading->nowUs);
        page.locks.append(reading->lock);
    }
    const auto ended = m_connection.storeTimeUs();
    if (!ended) {
        pointReadFailed(job, ended.error());
        return;
    }
    page.endedUs = *ended;
    page.beganUs = page.locks.isEmpty() ? *ended : page.beganUs;
    tellPlace(job.ticket);
    Q_EMIT pointsRead(job.ticket, page);
}

/** A scan in progress continues: only its own end may end it. */
void SqlWorker::pointReadFailed(const SqlJob &job, const base::Error &error)
{
    qCWarning(lcSqlStore) << m_spec.name << "look:" << qPrintable(error.line());
    Q_EMIT pointsRead(job.ticket, {});
    failIfBroken(error);
}

void SqlWorker::inspect(const SqlJob &job, const Subject &subject)
{
    if (job.stage->isCancelled())
        return;
    wake();
    const auto reading =
        setOf(subject.set).and_then([&](SetReader *set) { return set->oneAnew(subject.name); });
    if (!reading) {
        Q_EMIT inspected(job.ticket, absent(subject, reading.error()));
        setFailed(subject.set, reading.error());
        return;
    }
    const domain::Guard guard = guardOf(m_spec, m_sets.placeOf(subject.set), m_facts.instance, reading->lock);
    Q_EMIT inspected(job.ticket, {reading->lock, reading->nowUs, guard, {}, {}, reading->freeTexts});
}

void SqlWorker::release(const SqlJob &job, const ReleaseOrder &order)
{
    if (job.stage->isCancelled())
        return;
    wake();
    const auto set = setOf(order.set);
    if (!set) {
        const bool down = set.error().code == ErrorCode::Unreachable;
        const auto outcome = down ? domain::Outcome::Unreachable : domain::Outcome::Refused;
        Q_EMIT released(job.ticket, {outcome, std::nullopt, set.error(), true});
        return;
    }
    ReleaseGround ground;
    ground.place = (*set)->place();
    ground.instance = m_facts.instance;
    ground.otherRun = {
        domain::Outcome::HolderChanged,
        {ErrorCode::Unknown, QStringLiteral("the server was restarted since the guard was made"), {}}};
    ground.wholeGuard = false;
    const auto refused = refusalOf(order, m_spec, ground);
    const ReleaseAttempt result =
        refused ? releaseEnded(refused->outcome, refused->error) : (*set)->release(order, *job.stage);
    Q_EMIT released(job.ticket, result.report);
    if (result.linkLost)
        failIfBroken(*result.linkLost);
}

/** Reports the index for reading a table's held rows between two whole scans, and tables with hidden rows. */
void SqlWorker::tellFindings()
{
    QList<domain::Finding> findings;
    for (SetReader *set : m_sets.readers()) {
        if (const QString index = set->heldIndex(); !index.isEmpty())
            findings.append(
                {"held_reads", domain::Severity::Notice, set->place() + " (" + index.toUtf8() + ')'});
        if (set->leftOut())
            findings.append({"long_names", domain::Severity::Warning, set->place()});
    }
    if (std::exchange(m_findings, findings) != findings)
        Q_EMIT found(m_openTicket, findings);
}

void SqlWorker::tellWatchable()
{
    QList<binlog::WatchedSet> sets;
    for (const SetReader *set : m_sets.readers()) {
        if (auto watched = set->watched())
            sets.append(*std::move(watched));
    }
    Q_EMIT watchable(m_openTicket, sets);
}

binlog::LogPlace SqlWorker::place()
{
    if (!m_tailed)
        return {};
    auto row = m_connection.query(QString::fromLatin1(binlog::statusStatement(m_connection.isMariaDb())));
    if (!row && !m_connection.isMariaDb())
        row = m_connection.query(QString::fromLatin1(binlog::statusStatement(true))); // before MySQL 8.2
    return row && row->next() ? binlog::LogPlace{row->value(0).toByteArray(), row->value(1).toULongLong()}
                              : binlog::LogPlace{};
}

void SqlWorker::tellPlace(quint64 ticket)
{
    if (const auto ended = place(); !ended.isNull())
        Q_EMIT placeRead(ticket, ended);
}

void SqlWorker::readClock()
{
    if (!m_connection.isOpen())
        return;
    const qint64 askedUs = base::SystemClock().monotonicUs();
    const auto standing = tellStanding();
    const auto now = standing.and_then([this] { return m_connection.storeTimeUs(); });
    if (now)
        Q_EMIT clockRead(*now, askedUs, place());
    else
        failIfBroken(now.error());
}

void SqlWorker::setFailed(size_t set, const Error &error)
{
    if (m_connection.isOpen() && !isLinkLost(error.code) && m_sets.count() > 1 && set < m_sets.count()) {
        // If a set changes during a scan, the scan itself detects it.
        const bool changed =
            error.code == ErrorCode::SchemaMismatch || error.code == ErrorCode::PermissionDenied;
        if (!changed || m_scan || !m_sets.readable(set) ||
            m_sets.setAside(set, error, base::SystemClock().monotonicUs()))
            return;
    }
    failIfBroken(error);
}

void SqlWorker::failIfBroken(const Error &error)
{
    // A table that changed under the connection no longer matches the report of open() either.
    const bool changed = error.code == ErrorCode::SchemaMismatch || error.code == ErrorCode::PermissionDenied;
    if (!m_connection.isOpen() || (!isLinkLost(error.code) && !changed))
        return;
    qCInfo(lcSqlStore).noquote() << "link of" << m_spec.name << "ended:" << error.line();
    if (m_scan)
        endScan(error);
    close();
    Q_EMIT failed(m_openTicket, error);
}

} // namespace lockkeeper::stores::sql
