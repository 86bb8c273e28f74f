// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/journal/write/journal_writer.h"

#include "agent/journal/storage/niceness.h"

#include <QLoggingCategory>

Q_LOGGING_CATEGORY(lcJournalWriter, "lockkeeper.journal")

namespace lockkeeper::agent::journal {

namespace {

constexpr std::chrono::seconds kRetentionPause(60);
constexpr std::chrono::hours kDamagePause(1);
constexpr std::chrono::seconds kReleasePause(10);
constexpr int kWriterNiceness = 5;    ///< a much higher one would delay the audit on a busy machine
constexpr quint64 kFewEvents = 1'000; ///< in kReleasePause; for fewer, the system's disk cache is enough

} // namespace

base::Result<Opened> JournalWriter::start(const JournalOptions &options, CommitLog &log)
{
    setRetention(options.keepDays, options.keepMib, options.keepRollupsDays);
    m_retention.setUnforwarded(options.unforwarded); // before the first round
    std::promise<base::Result<Opened>> promise;
    auto future = promise.get_future();
    m_thread = std::thread([this, options, &log, promise = std::move(promise)]() mutable {
        auto opened = open(options, log);
        const bool well = opened.has_value();
        promise.set_value(std::move(opened));
        if (well) {
            setThreadNiceness(kWriterNiceness);
            m_checkpointer.start(options.path);
            run();
            m_checkpointer.stop();
        } else if (m_connection.isCorrupt()) {
            (void)m_connection.setMeta("damaged", "1"); // the next start checks the whole file
        }
        m_audit.reset();
        m_connection.close();
    });
    auto opened = future.get();
    if (!opened)
        m_thread.join();
    return opened;
}

bool JournalWriter::stop()
{
    if (m_thread.joinable()) {
        m_queue.stop();
        m_thread.join();
        m_lock.release();
    }
    return !m_unfiled;
}

void JournalWriter::setRetention(int keepDays, int keepMib, int keepRollupsDays)
{
    m_limits =
        (qint64(quint16(keepDays)) << 48) | (qint64(quint16(keepRollupsDays)) << 32) | quint32(keepMib);
    m_queue.wake();
}

base::Result<Opened> JournalWriter::open(const JournalOptions &options, CommitLog &log)
{
    if (const auto locked = m_lock.take(options.path); !locked)
        return tl::unexpected(locked.error());
    Opened opened;
    const qint64 now = m_clock.wallUs();
    if (const auto done = openDatabase(m_connection, options.path, now, &opened.setAside); !done)
        return tl::unexpected(done.error());
    const auto known = journalId(m_connection, now);
    if (!known)
        return tl::unexpected(known.error());
    if (const auto logged = log.open(options.path, *known); !logged)
        return tl::unexpected(logged.error());
    opened.id = idAfter(m_connection, *known, !log.isEmpty());
    if (const auto begun = beginStart(log, opened); !begun)
        return tl::unexpected(begun.error());
    if (const auto audited = openAudit(options, opened, now); !audited)
        return tl::unexpected(audited.error());
    return opened;
}

/** Files the events that were committed and announced, but not filed, before a crash, and reads the state
 * after them. */
base::Result<void> JournalWriter::beginStart(CommitLog &log, Opened &opened)
{
    m_unfinishedStart = Start{&log, opened.id};
    if (m_connection.transact([this] { return writeStart(); })) {
        if (const auto finished = finishStart(); !finished)
            return finished;
        return readState(opened);
    }
    if (m_connection.error().code != base::ErrorCode::Storage)
        return tl::unexpected(m_connection.error());
    return beginOnFullDisk(opened);
}

/** The agent starts anyway: it reads the state from a transaction that it rolls back. recover() files
 * the events. */
base::Result<void> JournalWriter::beginOnFullDisk(Opened &opened)
{
    const base::Error why = m_connection.error();
    m_events.undo(m_notes);
    // Without room in its log, SQLite can keep uncommitted pages only in memory.
    if (!m_connection.run(QStringLiteral("PRAGMA cache_spill = OFF")) || !m_connection.begin())
        return tl::unexpected(m_connection.error());
    const auto read = writeStart() ? readState(opened) : tl::unexpected(m_connection.error());
    m_connection.rollback();
    m_events.undo(m_notes);
    if (!m_connection.run(QStringLiteral("PRAGMA cache_spill = ON")))
        return tl::unexpected(m_connection.error());
    m_connection.restoreError(why);
    if (read)
        fail();
    return read;
}

bool JournalWriter::writeStart()
{
    Start &start = *m_unfinishedStart;
    if (!m_events.reload())
        return false;
    const auto leftovers = start.log->readAfter(m_events.lastSeq());
    if (!leftovers) {
        m_connection.restoreError(leftovers.error());
        return false;
    }
    const auto file = [this](const CommitLog::LogRecord &record) {
        return m_events.write(record.events, m_notes) && m_events.writeProgress(record.progress);
    };
    return saveId(m_connection, start.id) && std::all_of(leftovers->cbegin(), leftovers->cend(), file);
}

/** Called once the events of the last agent are in the database. */
base::Result<void> JournalWriter::finishStart()
{
    m_events.keep();
    m_filedSeq = m_events.lastSeq();
    const Start start = *std::exchange(m_unfinishedStart, std::nullopt);
    return start.log->clear(start.id);
}

base::Result<void> JournalWriter::readState(Opened &opened)
{
    const auto first = m_connection.firstNumber(m_connection.statement("event_bounds"));
    if (!first)
        return tl::unexpected(first.error());
    opened.firstSeq = quint64(first->value_or(0));
    opened.lastSeq = m_events.lastSeq();
    const auto sources = m_events.sources();
    if (!sources)
        return tl::unexpected(sources.error());
    opened.sources = *sources;
    opened.epoch = m_connection.meta("epoch").value_or(QByteArray());
    return m_events.restore(opened);
}

base::Result<void> JournalWriter::openAudit(const JournalOptions &options, Opened &opened, qint64 nowUs)
{
    m_audit = std::make_unique<AuditStore>(auditFiles(options), options.systemLog);
    const auto left = m_audit->open(opened.id, nowUs);
    if (!left)
        return tl::unexpected(left.error());
    opened.auditFault = m_audit->fault();
    for (const AuditStore::LeftOpen &intent : *left) {
        opened.interruptedReleases += intent.outcome == domain::Outcome::Unknown ? 1 : 0;
        AuditTask outcome;
        outcome.auditId = intent.auditId;
        outcome.outcome = intent.outcome;
        outcome.detail = intent.detail;
        outcome.timeUs = nowUs;
        keepLate(std::move(outcome));
    }
    if (!writeLateOutcomes())
        failAudit();
    return {};
}

void JournalWriter::run()
{
    m_nextRound = FilingQueue::Clock::now();
    loop();
    // The remaining work waits for a disk that didn't recover. The log has it, and waiting callers get an
    // answer.
    answerUrgent();
    m_audit->signAll(m_clock.wallUs());
    m_unfiled = m_unfinishedStart || !m_batch.works.empty() || !m_queue.isEmpty();
}

void JournalWriter::loop()
{
    qint64 limits = 0;
    for (;;) {
        if (m_limits != limits) {
            limits = m_limits;
            m_retention.setLimits(quint16(limits >> 48), int(limits & 0xFFFFFFFF), quint16(limits >> 32));
            m_nextRound = m_restUntil = FilingQueue::Clock::now();
        }
        if (m_batch.isEmpty())
            take();
        const bool idle = m_batch.isEmpty() && !m_flushing;
        const bool stopping = m_queue.isStopping();
        if (m_auditFailing && (stopping || FilingQueue::Clock::now() >= m_auditRetry))
            recoverAudit();
        if (stopping && idle && m_queue.isEmpty())
            return;
        const bool well = (!m_failing || recover()) && (idle ? retain() || giveUpRound() : commit());
        if (well) {
            tidy();
            continue;
        }
        fail();
        if (stopping)
            return;
        m_queue.waitForRetry(kRetryPause);
        answerUrgent();
    }
}

void JournalWriter::take()
{
    const bool busy = m_failing || m_flushing || m_rolling || !m_retention.isDone();
    const auto until = m_auditFailing ? std::min(m_nextRound, m_auditRetry) : m_nextRound;
    m_batch = m_queue.take(busy ? FilingQueue::Clock::time_point::min() : until, m_failing);
    for (Work &work : m_batch.works) {
        m_notes.insert(std::exchange(work.notes, {}));
        m_flushing = m_flushing || work.flushRenewals;
    }
}

bool JournalWriter::commit()
{
    if (m_batch.audit)
        audit(*std::exchange(m_batch.audit, std::nullopt));
    if (!m_batch.works.empty() || m_flushing) {
        if (!m_connection.transact([this] { return writeWorks(); })) {
            m_events.undo(m_notes);
            return false;
        }
        m_events.keep();
        m_filedSeq = m_events.lastSeq();
        m_flushing = m_flushing && !m_notes.isEmpty();
        qint64 cost = 0;
        for (const Work &work : std::exchange(m_batch.works, {}))
            cost += work.cost;
        m_hooks.filed(cost);
    }
    tellReached(std::exchange(m_batch.reached, {}));
    return true;
}

bool JournalWriter::writeWorks()
{
    QList<Progress> progress;
    for (const Work &work : m_batch.works) {
        if (!m_events.write(work.events, m_notes))
            return false;
        progress += work.progress;
    }
    return m_events.writeProgress(progress) &&
           (!m_flushing || m_events.writeRenewals(m_notes, WriteQueue::kRows));
}

void JournalWriter::note(const QByteArray &key, const QByteArray &value)
{
    whenFiled([this, key, value] {
        if (!m_connection.setMeta(key, value))
            qCWarning(lcJournalWriter).noquote()
                << "couldn't save journal metadata:" << m_connection.error().line();
    });
}

void JournalWriter::tellReached(const std::vector<std::function<void()>> &reached)
{
    for (const auto &tell : reached)
        tell();
}

void JournalWriter::audit(AuditTask task)
{
    const bool isOutcome = !task.intent && task.approver.isEmpty();
    // Without a writable disk, no client learns the result of a release.
    const auto failure = isOutcome ? std::nullopt : m_health.failure();
    if (failure) {
        refuse(std::move(task), *failure);
        return;
    }
    if (!write(task)) {
        failAudit();
        refuse(std::move(task), m_audit->error());
    }
}

/** Writes the task and answers it. */
bool JournalWriter::write(const AuditTask &task)
{
    if (task.intent) {
        ReleaseIntent intent;
        if (!m_audit->begin(*task.intent, &intent))
            return false;
        task.began(intent);
        return true;
    }
    if (task.approver.isEmpty()) {
        // The outcomes stay in order.
        if (m_auditFailing || !m_audit->end(task.auditId, task.outcome, task.detail, task.timeUs))
            return false;
        task.ended({});
        return true;
    }
    bool written = false;
    if (!m_audit->decide(task.auditId, task.approver, task.outcome, task.detail, task.timeUs, &written))
        return false;
    task.ended(written
                   ? base::Result<void>()
                   : base::failure(base::ErrorCode::Usage, QStringLiteral("this request has already ended")));
    return true;
}

void JournalWriter::refuse(AuditTask task, const base::Error &why)
{
    if (task.intent) {
        task.began(tl::unexpected(why));
        return;
    }
    if (!task.approver.isEmpty()) {
        task.ended(tl::unexpected(why)); // no audit, no decision
        return;
    }
    // The caller learns that the outcome isn't durable yet. The writer keeps it and writes it as soon as it
    // can.
    const auto ended = task.ended;
    keepLate(std::move(task));
    ended(tl::unexpected(why));
}

void JournalWriter::keepLate(AuditTask outcome)
{
    m_late.push_back(std::move(outcome));
    ++m_lateCount;
}

bool JournalWriter::writeLateOutcomes()
{
    for (; !m_late.empty(); m_late.pop_front(), --m_lateCount) {
        const AuditTask &task = m_late.front();
        if (!m_audit->end(task.auditId, task.outcome, task.detail, task.timeUs))
            return false;
    }
    return true;
}

void JournalWriter::failAudit()
{
    m_auditRetry = FilingQueue::Clock::now() + kRetryPause;
    if (std::exchange(m_auditFailing, true))
        return;
    qCWarning(lcJournalWriter).noquote() << "the audit fails:" << m_audit->error().line();
    m_health.fail(JournalHealth::JournalPart::Audit, m_audit->error());
}

void JournalWriter::recoverAudit()
{
    if (!m_audit->probe() || !writeLateOutcomes()) {
        failAudit();
        return;
    }
    m_auditFailing = false;
    qCInfo(lcJournalWriter) << "writing the audit again";
    m_health.recover(JournalHealth::JournalPart::Audit);
}

bool JournalWriter::retain()
{
    RollupStore &rollups = m_events.rollups();
    if (m_retention.isDone() && !m_rolling) {
        const auto now = FilingQueue::Clock::now();
        if (now < m_nextRound)
            return true;
        m_nextRound = now + kRetentionPause;
        m_audit->signIfDue(m_clock.wallUs());
        if (now < m_restUntil)
            return true;
        if (!m_events.nameLocks())
            return false;
        rollups.start(m_clock.wallUs());
        m_rolling = true;
    }
    if (m_rolling) {
        if (!rollups.step())
            return false;
        m_rolling = !rollups.isDone();
        if (!m_rolling)
            m_retention.start(trustedWallUs(), rollups);
        return true;
    }
    const bool well = m_retention.step();
    // Also after a failure: the remembered numbers must be valid, and reading them again is cheap.
    if (m_retention.removedLocks() && !m_events.forgetLocks())
        return false;
    if (well && m_retention.isDone()) {
        if (m_damaged || m_connection.metaNumber("damaged", 0) != 0)
            setDamaged({});
        return tellTrimmed();
    }
    return well;
}

bool JournalWriter::tellTrimmed()
{
    const auto first = m_connection.firstNumber(m_connection.statement("event_bounds"));
    if (first)
        m_hooks.trimmed(quint64(first->value_or(0)), m_filedSeq);
    return first.has_value();
}

/** Called after retain() failed. False: the cause wasn't an unreadable page, or more than this round needs
 * that page. */
bool JournalWriter::giveUpRound()
{
    const base::Error why = m_connection.error();
    if (!m_connection.isUnreadable() || (m_retention.removedLocks() && !m_events.forgetLocks()))
        return false;
    m_rolling = false;
    m_retention.giveUp();
    m_restUntil = FilingQueue::Clock::now() + kDamagePause;
    (void)tellTrimmed(); // for the events that the round has deleted
    (void)m_connection.endReading();
    if (!m_damaged) {
        const base::Error damage{
            base::ErrorCode::Corrupt,
            QStringLiteral("clean-up and roll-up of old journal data has stopped: %1").arg(why.cause),
            why.remedy};
        qCCritical(lcJournalWriter).noquote() << damage.line();
        setDamaged(damage);
    }
    return true;
}

void JournalWriter::setDamaged(const base::Error &why)
{
    m_damaged = why != base::Error();
    // Above a certain size, the next start checks the whole file only with this flag.
    if (!m_connection.setMeta("damaged", m_damaged ? "1" : "0"))
        qCWarning(lcJournalWriter).noquote() << m_connection.error().line();
    m_hooks.damaged(why);
}

/** The wall clock without a step forward within the last hour: rows that retention deletes because a clock is
 * wrong for a moment would be lost. */
qint64 JournalWriter::trustedWallUs()
{
    const qint64 nowUs = m_clock.monotonicUs();
    const qint64 aheadUs = m_clock.wallUs() - nowUs;
    if (aheadUs <= m_aheadUs || nowUs - m_trustedUs >= base::kHourUs) {
        m_aheadUs = aheadUs;
        m_trustedUs = nowUs;
    }
    return nowUs + m_aheadUs;
}

/** Keeps the write-ahead log and the memory small. */
void JournalWriter::tidy()
{
    const auto now = FilingQueue::Clock::now();
    if (m_checkpointer.isDue(m_connection.walPages(), now))
        m_connection.checkpoint();
    if (now < m_nextRelease)
        return;
    m_nextRelease = now + kReleasePause;
    if (m_events.lastSeq() - std::exchange(m_releasedSeq, m_events.lastSeq()) < kFewEvents)
        m_connection.releaseMemory();
}

void JournalWriter::fail()
{
    const base::Error error = m_connection.error();
    if (!m_failing) {
        m_failing = true;
        qCWarning(lcJournalWriter).noquote() << "failing:" << error.line();
        m_health.fail(JournalHealth::JournalPart::Database, error);
    }
    if (m_batch.audit)
        audit(*std::exchange(m_batch.audit, std::nullopt));
    tellReached(std::exchange(m_batch.reached, {}));
    answerUrgent();
}

void JournalWriter::answerUrgent()
{
    if (!m_failing)
        return;
    std::vector<std::function<void()>> reached;
    for (AuditTask &task : m_queue.takeAudits(reached))
        audit(std::move(task));
    tellReached(reached);
}

bool JournalWriter::recover()
{
    // After a rollback the remembered state may be wrong; read it from the file again.
    if (!m_events.reload())
        return false;
    const auto probe = [this] {
        return m_connection.setMeta("last_seq", QByteArray::number(m_events.lastSeq()));
    };
    if (m_unfinishedStart && !(m_connection.transact([this] { return writeStart(); }) && finishStart()))
        return false;
    if (!m_connection.transact(probe) || !commit())
        return false;
    m_failing = false;
    qCInfo(lcJournalWriter) << "writing again";
    m_health.recover(JournalHealth::JournalPart::Database);
    return true;
}

} // namespace lockkeeper::agent::journal
