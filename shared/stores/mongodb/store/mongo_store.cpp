// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/mongodb/store/mongo_store.h"

#include "shared/stores/end_thread.h"

#include <utility>

namespace lockkeeper::stores::mongodb {

using base::Error;
using base::ErrorCode;

namespace {
/** The error concerns this set alone. */
bool isOfOneSet(const Error &error)
{
    return error.code == ErrorCode::PermissionDenied || error.code == ErrorCode::SchemaMismatch;
}
} // namespace

MongoStore::MongoStore(const SourceSpec &spec, const QList<Layout> &layouts, WriteTerm leftOut)
    : m_thread(new QThread), m_worker(new MongoWorker(spec, layouts, leftOut)), m_spec(spec)
{
    m_thread->setObjectName(QStringLiteral("mongodb ") + spec.name);
    m_worker->moveToThread(m_thread);
    connect(m_thread, &QThread::finished, m_worker, &QObject::deleteLater);
    connect(m_worker, &MongoWorker::answered, this, [](const std::function<void()> &answer) { answer(); });
    connect(m_worker, &MongoWorker::lost, this, [this](quint64 opening, const Error &error) {
        if (opening != m_opening || !m_open)
            return;
        close();
        Q_EMIT failed(error);
    });
    m_thread->start();
    if (!spec.push)
        return;
    m_watcher = new MongoWatcher(spec, layouts, m_times, this);
    connect(m_watcher, &MongoWatcher::pushed, this, &Store::pushed);
    connect(m_watcher, &MongoWatcher::stateChanged, this, &Store::pushStateChanged);
    connect(m_watcher, &MongoWatcher::standingRead, this, &MongoStore::noteStanding);
    connect(m_watcher, &MongoWatcher::seen, this, [this](qint64 us) { Q_EMIT pageTold({us, us, {}}); });
}

MongoStore::~MongoStore()
{
    for (const MongoRequest &question : std::as_const(m_questions))
        question.stage->cancel();
    m_worker->disconnect(this);
    endThread(m_thread);
}

template <typename Work, typename Done>
void MongoStore::ask(Work work, Done done, std::function<void(bool)> undone)
{
    const quint64 ticket = ++m_lastTicket;
    const auto stage = std::make_shared<JobStage>();
    m_questions.insert(ticket, {stage, std::move(undone)});
    QMetaObject::invokeMethod(
        m_worker,
        [this, worker = m_worker, ticket, stage, opening = m_opening, work = std::move(work),
         done = std::move(done)] {
            if (stage->isCancelled())
                return;
            auto answer =
                std::make_shared<decltype(work(worker->session(), *stage))>(work(worker->session(), *stage));
            // `this` is used only in its own thread and during its lifetime: the connection ends with it.
            Q_EMIT worker->answered([this, ticket, answer, done] {
                if (m_questions.remove(ticket) > 0)
                    done(*answer);
            });
            if (const auto &lost = worker->session().lost())
                Q_EMIT worker->lost(opening, *lost);
        },
        Qt::QueuedConnection);
}

void MongoStore::open()
{
    close();
    ++m_opening;
    ask([](MongoSession &session, JobStage &) { return session.open(); },
        [this](const base::Result<ServerInfo> &info) {
            m_open = info.has_value();
            if (!info) {
                Q_EMIT failed(info.error());
                return;
            }
            const quint64 opening = m_opening;
            m_places = info->places;
            m_standing = info->standing;
            Q_EMIT opened(*info);
            if (m_watcher != nullptr && opening == m_opening)
                m_watcher->open(std::exchange(m_resumeAfter, {}));
        },
        [](bool) {});
}

void MongoStore::close()
{
    m_open = false;
    ++m_opening;
    m_passed.clear();
    const auto scan = std::exchange(m_scan, {});
    QMetaObject::invokeMethod(
        m_worker, [worker = m_worker] { worker->session().close(); }, Qt::QueuedConnection);
    // Taken first: an answer may ask something new. Never from within the call that asked.
    const QMap<quint64, MongoRequest> undone = std::exchange(m_questions, {});
    for (const MongoRequest &question : undone)
        question.undone(question.stage->cancel());
    if (scan && scan->waits) // otherwise m_questions or the watcher has it
        scan->done({false, 0, 0, 0, closedError()});
    if (m_watcher != nullptr)
        m_watcher->close();
}

void MongoStore::setPaused(bool paused)
{
    m_paused = paused;
    if (!paused && m_scan && std::exchange(m_scan->waits, false))
        readPart();
}

void MongoStore::scan(PageTaken page, ScanEnded done)
{
    m_scan = MongoScan{std::move(page), std::move(done), {}, 0, ++m_lastTicket, false};
    m_scan->end.complete = true;
    m_passed.giveUp();
    m_times.forgetLeases();
    readPart();
}

void MongoStore::readPart()
{
    const auto done = m_scan->done;
    const bool none = m_spec.locks.isEmpty();
    ask(
        [set = m_scan->set, none](MongoSession &session, JobStage &) {
            if (none) {
                PartRead part;
                part.last = true;
                return part;
            }
            return session.readPart(set);
        },
        [this, number = m_scan->number](PartRead &part) {
            if (m_scan && m_scan->number == number)
                takePart(part);
        },
        [done](bool) {
            done({false, 0, 0, 0, closedError()});
        });
}

/** The next part is read while this one is taken. */
void MongoStore::takePart(PartRead &part)
{
    MongoScan &scan = *m_scan;
    const MongoScan asked = scan;
    scan.end.scanned += part.scanned;
    if (part.error && isOfOneSet(*part.error))
        m_passed.pass(scan.set++, *part.error);
    else if (part.error)
        breakOff(*part.error);
    else {
        if (scan.end.beganUs == 0)
            scan.end.beganUs = part.page.beganUs;
        scan.end.endedUs = part.page.endedUs;
        scan.set += part.last ? 1 : 0;
        if (part.answerUs > 0)
            m_times.answered(part.answerUs);
        m_times.lease(part.shortestUs, part.shortestName);
        noteStanding(part.standing);
    }
    const bool over = !scan.end.complete || scan.set >= m_spec.locks.size();
    if (over && m_passed.count() == m_spec.locks.size() && !m_passed.isEmpty())
        breakOff(m_passed.why()); // none is left
    if (!over && m_paused)
        scan.waits = true;
    else if (!over)
        readPart();
    if ((over || !part.page.locks.isEmpty()) && !part.error) // an empty last page still shows the time
        asked.page(part.page);
    m_worker->session().reuse(std::move(part.page.locks));
    if (!over)
        return;
    if (!m_scan || m_scan->number != asked.number) { // closed by the page's receiver
        asked.done({false, 0, 0, 0, closedError()});
        return;
    }
    endScan();
}

void MongoStore::noteStanding(const Standing &standing)
{
    if (std::exchange(m_standing, standing) != standing)
        Q_EMIT standingRead(standing);
}

void MongoStore::breakOff(const Error &why)
{
    m_scan->end.complete = false;
    m_scan->end.error = why;
    m_passed.giveUp();
}

/** Reports the scan's end after the changes from before it. */
void MongoStore::endScan()
{
    MongoScan ended = *std::exchange(m_scan, {});
    if (ended.end.complete)
        ended.end.covers = m_passed.end(m_spec.locks, m_places,
                                        [this](const ShardState &part) { Q_EMIT shardChanged(part); });
    ask(
        [](MongoSession &session, JobStage &) {
            const auto findings = session.findings();
            session.endScan();
            return findings;
        },
        [this, complete = ended.end.complete,
         nowUs = ended.end.endedUs](const QList<domain::Finding> &findings) {
            if (complete)
                Q_EMIT findingsRead(findings + m_times.findings(nowUs));
        },
        [](bool) {});
    if (m_watcher == nullptr || !ended.end.complete) {
        ended.done(ended.end);
        return;
    }
    m_watcher->whenTold(ended.end.endedUs, [this, ended, opening = m_opening] {
        if (opening == m_opening)
            ended.done(ended.end);
        else
            ended.done({false, ended.end.beganUs, ended.end.endedUs, 0, closedError()});
    });
}

void MongoStore::readPoints(const QList<Subject> &subjects, PageTaken page, PointsRead done)
{
    ask([subjects](MongoSession &session, JobStage &) { return session.readPoints(subjects); },
        [page, done](const base::Result<Page> &read) {
            if (read)
                page(*read);
            done();
        },
        [done](bool) { done(); });
}

void MongoStore::inspect(const Subject &subject, Inspected done)
{
    ask([subject](MongoSession &session, JobStage &) { return session.inspect(subject); }, done,
        [done, subject](bool) { done(absent(subject, closedError())); });
}

void MongoStore::release(const ReleaseOrder &order, Released done)
{
    ask([order](MongoSession &session, JobStage &stage) { return session.release(order, stage); }, done,
        [done](bool neverSent) {
            done(
                reportOf(neverSent ? domain::Outcome::Unreachable : domain::Outcome::Unknown, closedError()));
        });
}

} // namespace lockkeeper::stores::mongodb
