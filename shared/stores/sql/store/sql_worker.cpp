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
/** Keeps a page's list below the 64 KiB from which on freeing it makes the C library tidy its whole heap. */
constexpr int kMostRowsAPage = 250;
constexpr int kPagesARead = 10; ///< what one statement reads is kept until it is taken: this bounds it

Error notConnected()
{
    return {ErrorCode::Unreachable, QStringLiteral("not connected"), {}};
}

/** Opens a set of any SQL scheme. */
base::Result<std::unique_ptr<SetReader>> openSet(const SetContext &context)
{
    if (isSessionScheme(context.lockSet().scheme))
        return SessionSet::open(context);
    return MappedTable::open(context);
}

Error clientClockWarning()
{
    return {
        ErrorCode::Unsupported,
        QStringLiteral("the application writes its own clock's times: they are compared with the store's"),
        QStringLiteral("Keep the clocks of the application's hosts in step.")};
}
} // namespace

SqlWorker::SqlWorker(SourceSpec spec, ReleaseSeams seams) : m_spec(std::move(spec)), m_seams(std::move(seams))
{
}

SqlWorker::~SqlWorker()
{
    close();
}

void SqlWorker::open(const Job &job)
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
        tellFindings();
        return;
    }
    close();
    Q_EMIT failed(job.ticket, info.error());
}

void SqlWorker::close()
{
    m_scan.reset();
    m_sets.clear();
    m_reads.clear();
    m_sessions.reset();
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
    for (qsizetype set = 0; set < m_spec.locks.size(); ++set) {
        auto opened = openSet({m_connection, m_spec, m_facts, m_seams, quint16(set), &m_sessions});
        if (!opened)
            return tl::unexpected(opened.error());
        info.places.append((*opened)->place());
        info.access.append((*opened)->access());
        if (const Error warning = (*opened)->warning(); !warning.cause.isEmpty())
            info.warning = warning;
        m_sets.push_back(std::move(*opened));
        m_reads.emplace_back(m_spec.reconcileMs * 1000);
    }
    if (m_spec.clientClock)
        info.warning = clientClockWarning();
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

void SqlWorker::scan(const Job &job)
{
    if (job.stage->isCancelled())
        return;
    m_scan = Scan{job, {}, 0, false, false, false, 0, false};
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
    m_scan->unread = std::max(m_scan->unread - 1, 0); // a page of an earlier scan may be meant
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
    if (m_scan->set >= m_sets.size()) {
        tellGraph();
        endScan(std::nullopt);
        return;
    }
    readPageOf(*m_sets[m_scan->set]);
}

std::optional<Error> SqlWorker::beginScan()
{
    if (const auto read = tellStanding(); !read)
        return read.error();
    for (const auto &set : m_sets) {
        if (const auto begun = set->beginScan(); !begun)
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

/** One set tells it for all whose locks belong to sessions. */
void SqlWorker::tellGraph()
{
    for (const auto &set : m_sets) {
        if (const auto graph = set->graph())
            Q_EMIT graphRead(m_scan->job.ticket, *graph);
    }
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
            endScan(begun.error());
            failIfBroken(begun.error());
            return;
        }
    }
    SetPage page = set.page(takeSpare());
    ScanEnd &end = m_scan->end;
    // The sets of sessions share one reading, which may be older than another set's page.
    end.beganUs = end.beganUs == 0 ? page.beganUs : std::min(end.beganUs, page.beganUs);
    end.endedUs = std::max(end.endedUs, page.endedUs);
    end.scanned += page.scanned;
    m_reads[m_scan->set].noteBeginning(page.beganUs);
    m_scan->inRange = !page.rangeEnds;
    if (page.setEnds) {
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
    if (end.complete) {
        noteComplete(end);
        tellFindings();
        tellPlace(ticket);
    }
    Q_EMIT scanEnded(ticket, end);
}

void SqlWorker::noteComplete(ScanEnd &end)
{
    for (size_t set = 0; set < m_reads.size(); ++set) {
        m_reads[set].complete();
        if (m_reads[set].isHeld())
            end.heldOnly.append(quint16(set));
    }
}

base::Result<SetReader *> SqlWorker::setOf(quint16 set) const
{
    if (!m_connection.isOpen())
        return tl::unexpected(notConnected());
    if (set >= m_sets.size())
        return tl::unexpected(noSuchSet());
    return m_sets[set].get();
}

void SqlWorker::readPoints(const Job &job, const QList<Subject> &subjects)
{
    if (job.stage->isCancelled())
        return;
    Page page;
    for (const Subject &subject : subjects) {
        const auto reading =
            setOf(subject.set).and_then([&](SetReader *set) { return set->one(subject.name); });
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

/** The scan under way, if any, goes on: only its own end may end it. */
void SqlWorker::pointReadFailed(const Job &job, const base::Error &error)
{
    qCWarning(lcSqlStore) << m_spec.name << "look:" << qPrintable(error.line());
    Q_EMIT pointsRead(job.ticket, {});
    failIfBroken(error);
}

void SqlWorker::inspect(const Job &job, const Subject &subject)
{
    if (job.stage->isCancelled())
        return;
    const auto reading =
        setOf(subject.set).and_then([&](SetReader *set) { return set->oneAnew(subject.name); });
    if (!reading) {
        Q_EMIT inspected(job.ticket, absent(subject, reading.error()));
        failIfBroken(reading.error());
        return;
    }
    const domain::Guard guard =
        guardOf(m_spec, m_sets[subject.set]->place(), m_facts.instance, reading->lock);
    Q_EMIT inspected(job.ticket, {reading->lock, reading->nowUs, guard, {}});
}

void SqlWorker::release(const Job &job, const ReleaseOrder &order)
{
    if (job.stage->isCancelled())
        return;
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
    const ReleaseResult result =
        refused ? releaseEnded(refused->outcome, refused->error) : (*set)->release(order, *job.stage);
    Q_EMIT released(job.ticket, result.report);
    if (result.linkLost)
        failIfBroken(*result.linkLost);
}

/** By which index the held rows of a table are read between two whole scans, and what isn't shown. */
void SqlWorker::tellFindings()
{
    QList<domain::Finding> findings;
    for (const auto &set : m_sets) {
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
    for (const auto &set : m_sets) {
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

void SqlWorker::failIfBroken(const Error &error)
{
    // A table that changed under the connection isn't what open() promised any more either.
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
