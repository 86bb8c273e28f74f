// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/journal/journal.h"

#include "agent/journal/query/journal_reader.h"
#include "agent/journal/write/back_pressure.h"
#include "agent/journal/write/committer.h"

#include <QFileInfo>
#include <QLoggingCategory>
#include <QPointer>
#include <QTimer>

#include <atomic>
#include <chrono>
#include <filesystem>

namespace lockkeeper::agent::journal {

Q_LOGGING_CATEGORY(lcJournalWaits, "lockkeeper.journal")

using namespace std::chrono_literals;

namespace {
constexpr auto kLongestWait = 10s; ///< callers wait no longer than this while nothing becomes durable
} // namespace

class Journal::Private
{
public:
    Private(const base::Clock &givenClock, Journal *journal) : clock(givenClock), q(journal)
    {
        patience.setSingleShot(true);
        QObject::connect(&patience, &QTimer::timeout, q, [this] {
            qCWarning(lcJournalWaits, "nothing was written for %lld s: scans continue without the journal",
                      static_cast<long long>(kLongestWait.count()));
            updatePressure([](BackPressure &pressure) { pressure.stalled(); });
        });
    }

    JournalWriter::Hooks hooks();
    /** Called in the committer's thread. */
    void committed(const QList<events::LockEvent> &events, qint64 cost);
    /** Called in the thread that noticed the change. */
    void failed(const base::Error &cause);
    void recovered();
    /** Wraps a callback for another thread. It runs in the journal's thread, or is dropped if the journal no
     * longer exists by then. */
    template <typename T>
    std::function<void(base::Result<T>)> posted(std::function<void(base::Result<T>)> done)
    {
        ++unanswered;
        return [this, journal = q, done = std::move(done)](base::Result<T> result) {
            QMetaObject::invokeMethod(
                journal,
                [this, done, result = std::move(result)] {
                    --unanswered;
                    done(result);
                },
                Qt::QueuedConnection);
        };
    }
    /** Sends a task to the audit, or answers it with Shutdown if the journal is closed. */
    void push(AuditTask task)
    {
        if (line) {
            line->writer.fileAudit(std::move(task));
            return;
        }
        const auto closed = base::failure(base::ErrorCode::Shutdown, QStringLiteral("the journal is closed"));
        if (task.intent)
            task.began(closed);
        else
            task.ended(closed);
    }

    /** Bytes of events that are on their way to the disk, or durable but not announced yet. */
    qint64 waiting() const { return line ? line->queue.cost() + undelivered : 0; }
    template <typename Note> void updatePressure(Note note);

    /** The path of an event: queue, log, database. The committer ends first. */
    struct WritePath
    {
        WritePath(Private &d, const JournalOptions &options)
            : queue(options.queueBytes),
              health([&d](const base::Error &cause) { d.failed(cause); }, [&d] { d.recovered(); }),
              writer(d.clock, health, d.hooks()),
              committer(queue, writer, health, [&d](const QList<events::LockEvent> &events, qint64 cost) {
                  d.committed(events, cost);
              })
        {
        }

        WriteQueue queue;
        JournalHealth health;
        CommitLog log;
        JournalWriter writer;
        Committer committer;
    };

    const base::Clock &clock;
    Journal *q;
    BackPressure backPressure{JournalOptions{}.queueBytes / 8};
    QTimer patience;
    std::atomic<qint64> undelivered = 0; ///< bytes of events that are durable but not announced yet
    qsizetype unanswered = 0;            ///< audit calls without an answer
    std::unique_ptr<WritePath> line;
    JournalReader reader;
    JournalReader patient; ///< for long questions
    QString path;
    QByteArray id;
    quint64 firstSeq = 0;
    quint64 lastSeq = 0;
    base::Error error;
    base::Error damage;
};

template <typename Note> void Journal::Private::updatePressure(Note note)
{
    const bool before = backPressure.isOn();
    note(backPressure);
    const bool now = backPressure.isOn();
    if (now && !patience.isActive())
        patience.start(kLongestWait);
    else if (!now)
        patience.stop();
    if (now != before)
        Q_EMIT q->backPressureChanged(now);
}

void Journal::Private::committed(const QList<events::LockEvent> &events, qint64 cost)
{
    undelivered += cost;
    QMetaObject::invokeMethod(
        q,
        [this, events, cost] {
            undelivered -= cost;
            updatePressure([this](BackPressure &pressure) { pressure.weigh(waiting()); });
            lastSeq = events.last().seq;
            if (firstSeq == 0)
                firstSeq = events.first().seq;
            Q_EMIT q->committed(events);
        },
        Qt::QueuedConnection);
}

void Journal::Private::failed(const base::Error &cause)
{
    line->queue.setFailing(true);
    QMetaObject::invokeMethod(
        q,
        [this, cause] {
            error = cause;
            updatePressure([](BackPressure &pressure) { pressure.setFailing(true); });
            Q_EMIT q->failed(cause);
        },
        Qt::QueuedConnection);
}

void Journal::Private::recovered()
{
    line->queue.setFailing(false);
    QMetaObject::invokeMethod(
        q,
        [this] {
            error = {};
            updatePressure([](BackPressure &pressure) { pressure.setFailing(false); });
            Q_EMIT q->recovered();
        },
        Qt::QueuedConnection);
}

JournalWriter::Hooks Journal::Private::hooks()
{
    JournalWriter::Hooks hooks;
    hooks.filed = [this](qint64 cost) {
        line->queue.release(cost);
        QMetaObject::invokeMethod(
            q,
            [this] {
                patience.stop(); // the disk makes progress
                updatePressure([this](BackPressure &pressure) { pressure.moved(waiting()); });
            },
            Qt::QueuedConnection);
    };
    hooks.trimmed = [this](quint64 first, quint64 filed) {
        QMetaObject::invokeMethod(
            q,
            [this, first, filed] {
                const bool emptied = first == 0;
                firstSeq = !emptied ? first : lastSeq > filed ? filed + 1 : 0;
            },
            Qt::QueuedConnection);
    };
    hooks.damaged = [this](const base::Error &why) {
        QMetaObject::invokeMethod(
            q, [this, why] { damage = why; }, Qt::QueuedConnection);
    };
    return hooks;
}

Journal::Journal(const base::Clock &clock, QObject *parent)
    : QObject(parent), d(std::make_unique<Private>(clock, this))
{
}

Journal::~Journal()
{
    close();
}

base::Result<Opened> Journal::open(const JournalOptions &options)
{
    close();
    d->backPressure = BackPressure(options.queueBytes / 8);
    d->line = std::make_unique<Private::WritePath>(*d, options);
    auto opened = d->line->writer.start(options, d->line->log);
    if (!opened) {
        d->line.reset();
        return opened;
    }
    d->line->committer.start(d->line->log, opened->lastSeq);
    d->path = options.path;
    d->id = opened->id;
    d->firstSeq = opened->firstSeq;
    d->lastSeq = opened->lastSeq;
    d->error = {};
    d->damage = opened->auditFault.value_or(base::Error());
    for (JournalReader *reader : {&d->reader, &d->patient})
        reader->start(options.path, auditFiles(options));
    return opened;
}

void Journal::close()
{
    // Stop the readers first: a reader's open snapshot would keep the writer's last checkpoint from
    // finishing.
    d->patient.stop();
    d->reader.stop();
    if (!d->line)
        return;
    d->line->committer.stop();
    if (d->line->writer.stop())
        (void)d->line->log.clear(d->id); // after a failure the next start has to read the log
    d->line.reset();
}

void Journal::setRetention(int keepDays, int keepMib, int keepRollupsDays)
{
    if (d->line)
        d->line->writer.setRetention(keepDays, keepMib, keepRollupsDays);
}

void Journal::setUnforwarded(const QList<UnforwardedEvents> &unforwarded)
{
    if (d->line)
        d->line->writer.setUnforwarded(unforwarded);
}

bool Journal::append(const QList<events::LockEvent> &events, const QList<Progress> &progress)
{
    if (!d->line || (events.isEmpty() && progress.isEmpty()))
        return events.isEmpty();
    const bool taken = d->line->queue.pushEvents(events, progress);
    d->updatePressure([this](BackPressure &pressure) { pressure.weigh(d->waiting()); });
    return taken;
}

bool tellsOfLoss(const QList<events::LockEvent> &committed)
{
    return !committed.isEmpty() && committed.constFirst().isSourceEvent() &&
           committed.constFirst().detail.cause == events::EventCause::Journal;
}

bool Journal::hasBackPressure() const
{
    return d->backPressure.isOn();
}

void Journal::noteRenewal(const domain::LockState &state)
{
    if (d->line)
        d->line->queue.pushRenewal(state);
}

void Journal::note(const QByteArray &key, const QByteArray &value)
{
    if (d->line)
        d->line->writer.note(key, value);
}

void Journal::abandonId()
{
    note(kAbandonedId, d->id);
}

void Journal::writeIntent(const domain::AuditEntry &intent,
                          std::function<void(base::Result<ReleaseIntent>)> done)
{
    AuditTask task;
    task.intent = intent;
    task.began = d->posted<ReleaseIntent>(std::move(done));
    if (intent.command.isEmpty()) {
        task.began(base::failure(base::ErrorCode::Usage,
                                 QStringLiteral("a release without a command id can't be audited")));
        return;
    }
    if (task.intent->timeUs == 0)
        task.intent->timeUs = d->clock.wallUs();
    d->push(std::move(task));
}

void Journal::writeDecision(qint64 auditId, const QString &approver, domain::Outcome outcome,
                            const QString &detail, Done done)
{
    d->push({{}, auditId, outcome, detail, approver, d->clock.wallUs(), {}, d->posted(std::move(done))});
}

void Journal::writeOutcome(qint64 auditId, domain::Outcome outcome, const QString &detail, Done done)
{
    d->push({{}, auditId, outcome, detail, {}, d->clock.wallUs(), {}, d->posted(std::move(done))});
}

qsizetype Journal::pendingAudits() const
{
    return d->unanswered + (d->line ? d->line->writer.lateOutcomes() : 0);
}

void Journal::askReader(std::function<void(const base::Result<Queries *> &)> begun, std::stop_token takenBack,
                        const domain::Sight &sight, bool isLong)
{
    JournalReader &reader = isLong ? d->patient : d->reader;
    auto task = [begun = std::move(begun), sight, nowUs = d->clock.wallUs()](Queries *queries,
                                                                             const base::Error &cause) {
        if (queries)
            queries->audit.begin();
        if (queries)
            begun(queries->context.begin(sight, nowUs).map([queries] { return queries; }));
        else
            begun(tl::unexpected(cause));
    };
    if (d->line)
        d->line->writer.whenFiled(
            [&reader, task = std::move(task), takenBack] { reader.ask(task, takenBack); });
    else
        reader.ask(std::move(task), std::move(takenBack));
}

base::Result<void> Journal::end(Queries &queries)
{
    return queries.context.end().and_then([&queries] { return queries.audit.end(); });
}

quint64 Journal::firstSeq() const
{
    return d->firstSeq;
}

quint64 Journal::lastSeq() const
{
    return d->lastSeq;
}

QByteArray Journal::id() const
{
    return d->id;
}

qint64 Journal::bytes() const
{
    const auto logs = CommitLog::filesOf(d->path);
    qint64 sum = 0;
    for (const QString &file : {d->path, d->path + QLatin1String("-wal"), logs[0], logs[1]})
        sum += QFileInfo(file).size();
    return sum;
}

qint64 Journal::diskFree() const
{
    std::error_code ignored;
    const auto space = std::filesystem::space(QFileInfo(d->path).absolutePath().toStdString(), ignored);
    return ignored ? 0 : qint64(space.available);
}

qint64 Journal::queuedEvents() const
{
    return d->line ? d->line->queue.queuedEvents() : 0;
}

base::Error Journal::error() const
{
    return d->error;
}

base::Error Journal::damage() const
{
    return d->damage;
}

} // namespace lockkeeper::agent::journal
