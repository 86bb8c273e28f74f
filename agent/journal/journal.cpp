// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/journal/journal.h"

#include "agent/journal/crowding.h"
#include "agent/journal/reader.h"
#include "agent/journal/writer.h"

#include <QFileInfo>
#include <QPointer>
#include <QTimer>

#include <atomic>
#include <chrono>
#include <filesystem>

namespace lockkeeper::agent::journal {

using namespace std::chrono_literals;

namespace {
constexpr auto kLongestWait = 10s; ///< that others are asked for while nothing becomes durable
} // namespace

class Journal::Private
{
public:
    Private(const base::Clock &givenClock, Journal *journal) : clock(givenClock), q(journal)
    {
        patience.setSingleShot(true);
        QObject::connect(&patience, &QTimer::timeout, q,
                         [this] { tellCrowd([](Crowding &crowd) { crowd.stalled(); }); });
    }

    Writer::Hooks hooks();
    /** A callback of another thread, called in the journal's own; dropped where the journal is gone by then.
     */
    template <typename T>
    std::function<void(base::Result<T>)> posted(std::function<void(base::Result<T>)> done)
    {
        return [journal = q, done = std::move(done)](base::Result<T> result) {
            QMetaObject::invokeMethod(
                journal, [done, result = std::move(result)] { done(result); }, Qt::QueuedConnection);
        };
    }
    /** Asks the reader; `question` runs in its thread. */
    template <typename T>
    void ask(std::function<base::Result<T>(Queries &)> question, std::function<void(base::Result<T>)> done)
    {
        reader.ask([question = std::move(question),
                    answer = posted<T>(std::move(done))](Queries *queries, const base::Error &cause) {
            answer(queries ? question(*queries) : base::Result<T>(tl::unexpected(cause)));
        });
    }

    /** Bytes of events that are on their way to the disk, or back from there. */
    qint64 waiting() const { return writer ? writer->queue().cost() + undelivered : 0; }
    template <typename Note> void tellCrowd(Note note);

    const base::Clock &clock;
    Journal *q;
    Crowding crowding{Options{}.queueBytes / 8};
    QTimer patience;
    std::atomic<qint64> undelivered = 0; ///< durable, but nobody was told yet
    std::unique_ptr<Writer> writer;
    Reader reader;
    QString path;
    QByteArray id;
    quint64 firstSeq = 0;
    quint64 lastSeq = 0;
    base::Error error;
};

template <typename Note> void Journal::Private::tellCrowd(Note note)
{
    const bool before = crowding.isCrowded();
    note(crowding);
    const bool now = crowding.isCrowded();
    if (now && !patience.isActive())
        patience.start(kLongestWait);
    else if (!now)
        patience.stop();
    if (now != before)
        Q_EMIT q->crowded(now);
}

Writer::Hooks Journal::Private::hooks()
{
    Writer::Hooks hooks;
    hooks.committed = [this](const QList<events::LockEvent> &events, qint64 cost) {
        undelivered += cost;
        QMetaObject::invokeMethod(
            q,
            [this, events, cost] {
                undelivered -= cost;
                patience.stop(); // it moves
                tellCrowd([this](Crowding &crowd) { crowd.moved(waiting()); });
                lastSeq = events.last().seq;
                if (firstSeq == 0)
                    firstSeq = events.first().seq;
                Q_EMIT q->committed(events);
            },
            Qt::QueuedConnection);
    };
    hooks.trimmed = [this](quint64 first) {
        QMetaObject::invokeMethod(
            q, [this, first] { firstSeq = first; }, Qt::QueuedConnection);
    };
    hooks.failed = [this](const base::Error &cause) {
        QMetaObject::invokeMethod(
            q,
            [this, cause] {
                error = cause;
                tellCrowd([](Crowding &crowd) { crowd.setFailing(true); });
                Q_EMIT q->failed(cause);
            },
            Qt::QueuedConnection);
    };
    hooks.recovered = [this] {
        QMetaObject::invokeMethod(
            q,
            [this] {
                error = {};
                tellCrowd([](Crowding &crowd) { crowd.setFailing(false); });
                Q_EMIT q->recovered();
            },
            Qt::QueuedConnection);
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

base::Result<Opened> Journal::open(const Options &options)
{
    close();
    auto writer = std::make_unique<Writer>(d->clock, d->hooks(), options.queueBytes);
    d->crowding = Crowding(options.queueBytes / 8);
    auto opened = writer->start(options);
    if (!opened)
        return opened;
    d->writer = std::move(writer);
    d->path = options.path;
    d->id = opened->id;
    d->firstSeq = opened->firstSeq;
    d->lastSeq = opened->lastSeq;
    d->error = {};
    d->reader.start(options.path, auditHeadFile(options.path));
    return opened;
}

void Journal::close()
{
    // The reader first: a snapshot that it holds would keep the writer's last checkpoint from finishing.
    d->reader.stop();
    d->writer.reset();
}

void Journal::setRetention(int keepDays, int keepMib)
{
    if (d->writer)
        d->writer->setRetention(keepDays, keepMib);
}

void Journal::append(const QList<events::LockEvent> &events, const QList<Progress> &progress)
{
    if (!d->writer || (events.isEmpty() && progress.isEmpty()))
        return;
    d->writer->queue().pushEvents(events, progress);
    d->tellCrowd([this](Crowding &crowd) { crowd.weigh(d->waiting()); });
}

bool Journal::isCrowded() const
{
    return d->crowding.isCrowded();
}

void Journal::noteRenewal(const domain::LockState &state)
{
    if (d->writer)
        d->writer->queue().pushRenewal(state);
}

void Journal::beginRelease(const domain::AuditEntry &intent, std::function<void(base::Result<Intent>)> done)
{
    const auto answer = d->posted<Intent>(std::move(done));
    if (intent.command.isEmpty()) {
        answer(base::failure(base::ErrorCode::Usage,
                             QStringLiteral("a release without a command id can't be audited")));
        return;
    }
    if (!d->writer) {
        answer(base::failure(base::ErrorCode::Shutdown, QStringLiteral("the journal is closed")));
        return;
    }
    AuditTask task;
    task.intent = intent;
    if (task.intent->timeUs == 0)
        task.intent->timeUs = d->clock.wallUs();
    task.began = answer;
    d->writer->queue().pushAudit(std::move(task));
}

void Journal::endRelease(qint64 auditId, domain::Outcome outcome, const QString &detail,
                         std::function<void(base::Result<void>)> done)
{
    const auto answer = d->posted<void>(std::move(done));
    if (!d->writer) {
        answer(base::failure(base::ErrorCode::Shutdown, QStringLiteral("the journal is closed")));
        return;
    }
    AuditTask task;
    task.auditId = auditId;
    task.outcome = outcome;
    task.detail = detail;
    task.timeUs = d->clock.wallUs();
    task.ended = answer;
    d->writer->queue().pushAudit(std::move(task));
}

void Journal::history(const protocol::HistoryQuery &query,
                      std::function<void(base::Result<protocol::EventPage>)> done)
{
    d->ask<protocol::EventPage>([query](Queries &queries) { return queries.history(query); },
                                std::move(done));
}

void Journal::holds(const protocol::HoldsQuery &query,
                    std::function<void(base::Result<protocol::HoldPage>)> done)
{
    d->ask<protocol::HoldPage>([query](Queries &queries) { return queries.holds(query); }, std::move(done));
}

void Journal::audit(const protocol::AuditQuery &query,
                    std::function<void(base::Result<protocol::AuditPage>)> done)
{
    const qint64 now = d->clock.wallUs();
    d->ask<protocol::AuditPage>([query, now](Queries &queries) { return queries.audit(query, now); },
                                std::move(done));
}

void Journal::contention(const protocol::ContentionQuery &query, const SeenUntil &seenUntil,
                         std::function<void(base::Result<protocol::ContentionPage>)> done)
{
    const qint64 now = d->clock.wallUs();
    d->ask<protocol::ContentionPage>(
        [query, now, seenUntil](Queries &queries) { return queries.contention(query, now, seenUntil); },
        std::move(done));
}

void Journal::replay(quint64 afterSeq, int limit, std::function<void(base::Result<protocol::EventPage>)> done)
{
    d->ask<protocol::EventPage>(
        [afterSeq, limit](Queries &queries) { return queries.replay(afterSeq, limit); }, std::move(done));
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
    return QFileInfo(d->path).size() + QFileInfo(d->path + QLatin1String("-wal")).size();
}

qint64 Journal::diskFree() const
{
    std::error_code ignored;
    const auto space = std::filesystem::space(QFileInfo(d->path).absolutePath().toStdString(), ignored);
    return ignored ? 0 : qint64(space.available);
}

qint64 Journal::queuedEvents() const
{
    return d->writer ? d->writer->queue().queuedEvents() : 0;
}

base::Error Journal::error() const
{
    return d->error;
}

} // namespace lockkeeper::agent::journal
