// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/store/sql_store.h"

#include "shared/stores/end_thread.h"

#include <utility>

namespace lockkeeper::stores::sql {

using base::Error;

SqlStore::SqlStore(const SourceSpec &spec, const ReleaseSeams &seams)
    : m_thread(new QThread), m_worker(new SqlWorker(spec, seams)), m_spec(spec), m_push(spec)
{
    m_thread->setObjectName(QStringLiteral("sql ") + spec.name);
    m_worker->moveToThread(m_thread);
    connect(m_thread, &QThread::finished, m_worker, &QObject::deleteLater);
    connectAnswers();
    connectPush();
    m_thread->start();
}

SqlStore::~SqlStore()
{
    m_push.close();
    for (const SqlRequest &question : std::as_const(m_questions))
        question.job.stage->cancel();
    m_worker->disconnect(this);
    endThread(m_thread);
}

void SqlStore::connectAnswers()
{
    connect(m_worker, &SqlWorker::opened, this, &SqlStore::onOpened);
    connect(m_worker, &SqlWorker::failed, this, &SqlStore::onFailed);
    connect(m_worker, &SqlWorker::scanPageRead, this, [this](quint64 ticket, const Page &page) {
        if (const auto taken = m_questions.value(ticket).page)
            taken(page);
        // The page goes back to the thread that made it. Allocating a million small blocks in one thread and
        // freeing them in another costs more than reading them.
        tell([page](SqlWorker &worker) { worker.pageTaken(page.locks); });
    });
    connect(m_worker, &SqlWorker::pointsRead, this, [this](quint64 ticket, const Page &page) {
        answerLater(ticket, [this, ticket, page] {
            const SqlRequest question = m_questions.take(ticket);
            if (!question.pointsRead)
                return;
            if (page.endedUs > 0)
                question.page(page);
            question.pointsRead();
        });
    });
    connect(m_worker, &SqlWorker::found, this, [this](quint64 ticket, const QList<domain::Finding> &found) {
        if (ticket == m_openTicket)
            Q_EMIT findingsRead(found);
    });
    connect(m_worker, &SqlWorker::setChanged, this, [this](quint64 ticket, const ShardState &set) {
        if (ticket != m_openTicket)
            return;
        if (m_found)
            m_early.append(set);
        else
            Q_EMIT shardChanged(set);
    });
    connect(m_worker, &SqlWorker::standingRead, this, [this](quint64 ticket, const Standing &standing) {
        if (ticket == m_openTicket)
            Q_EMIT standingRead(standing);
    });
    connect(m_worker, &SqlWorker::graphRead, this, [this](quint64 ticket, const domain::WaitGraph &graph) {
        if (expects(ticket))
            Q_EMIT waitGraphRead(graph);
    });
    connect(m_worker, &SqlWorker::scanEnded, this, [this](quint64 ticket, const ScanEnd &end) {
        answerLater(ticket, [this, ticket, end] {
            if (const auto done = m_questions.take(ticket).scanned)
                done(end);
        });
    });
    connect(m_worker, &SqlWorker::inspected, this, [this](quint64 ticket, const Inspection &inspection) {
        if (const auto done = m_questions.take(ticket).inspected)
            done(inspection);
    });
    connect(m_worker, &SqlWorker::released, this, [this](quint64 ticket, const ReleaseReport &report) {
        if (const auto done = m_questions.take(ticket).released)
            done(report);
    });
}

SqlJob SqlStore::ask(SqlRequest question)
{
    question.job.ticket = ++m_lastTicket;
    m_questions.insert(m_lastTicket, question);
    return question.job;
}

void SqlStore::onFailed(quint64 ticket, const Error &error)
{
    m_questions.remove(ticket);
    if (ticket != m_openTicket)
        return;
    m_openTicket = 0;
    m_push.close();
    m_found.reset();
    Q_EMIT failed(error);
}

void SqlStore::open()
{
    close();
    const SqlJob job = ask({});
    m_openTicket = job.ticket;
    tell([job](SqlWorker &worker) { worker.open(job); });
}

void SqlStore::close()
{
    m_openTicket = 0;
    m_push.close();
    m_found.reset();
    m_early.clear();
    m_places.clear();
    tell(&SqlWorker::close);
    // Take the requests first: an answer may lead to a new request.
    const QMap<quint64, SqlRequest> undone = std::exchange(m_questions, {});
    for (const SqlRequest &question : undone)
        answerUndone(question);
}

void SqlStore::answerUndone(const SqlRequest &question)
{
    const bool neverSent = question.job.stage->cancel();
    if (question.pointsRead)
        question.pointsRead();
    if (question.scanned)
        question.scanned({false, 0, 0, 0, closedError()});
    if (question.inspected)
        question.inspected(absent({}, closedError()));
    if (question.released)
        question.released(
            reportOf(neverSent ? domain::Outcome::Unreachable : domain::Outcome::Unknown, closedError()));
}

void SqlStore::scan(PageTaken page, ScanEnded done)
{
    SqlRequest question;
    question.page = std::move(page);
    question.scanned = std::move(done);
    const SqlJob job = ask(question);
    tell([job](SqlWorker &worker) { worker.scan(job); });
}

void SqlStore::setPaused(bool paused)
{
    tell([paused](SqlWorker &worker) { worker.setPaused(paused); });
}

void SqlStore::readPoints(const QList<Subject> &subjects, PageTaken page, PointsRead done)
{
    SqlRequest question;
    question.page = std::move(page);
    question.pointsRead = std::move(done);
    const SqlJob job = ask(question);
    tell([job, subjects](SqlWorker &worker) { worker.readPoints(job, subjects); });
}

void SqlStore::inspect(const Subject &subject, Inspected done)
{
    SqlRequest question;
    question.inspected = std::move(done);
    const SqlJob job = ask(question);
    tell([job, subject](SqlWorker &worker) { worker.inspect(job, subject); });
}

void SqlStore::setReconcileMs(qint64 ms)
{
    tell([ms](SqlWorker &worker) { worker.setReconcileMs(ms); });
}

void SqlStore::release(const ReleaseOrder &order, Released done)
{
    SqlRequest question;
    question.released = std::move(done);
    const SqlJob job = ask(question);
    tell([job, order](SqlWorker &worker) { worker.release(job, order); });
}

} // namespace lockkeeper::stores::sql
