// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/forward/forwarder.h"

#include "shared/base/text.h"

#include <QLoggingCategory>
#include <QPointer>
#include <QRandomGenerator>

#include <algorithm>

namespace lockkeeper::agent::forward {

Q_LOGGING_CATEGORY(lcForwarder, "lockkeeper.forward")

using ForwardTask = ForwardCourse::ForwardTask;

Forwarder::Forwarder(config::ForwardSettings settings, ForwardingSender sender,
                     std::unique_ptr<hub::HubSink> sink, journal::Journal &journal, const base::Clock &clock,
                     QObject *parent)
    : QObject(parent),
      m_settings(std::move(settings)),
      m_sender(std::move(sender)),
      m_journal(journal),
      m_clock(clock),
      m_course(QRandomGenerator::global()->generate64()),
      m_sink(std::move(sink))
{
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &Forwarder::proceed);
    connect(&m_sink, &SinkThread::answered, this, &Forwarder::answered);
}

Forwarder::~Forwarder()
{
    m_question.request_stop();
}

void Forwarder::start()
{
    m_isStopped = false;
    m_behindSinceUs = m_clock.wallUs();
    m_course.committed(qint64(m_journal.lastSeq()), m_clock.monotonicUs());
    proceed();
}

void Forwarder::take(const QList<events::LockEvent> &committed)
{
    const bool hadAll = m_course.hasAll();
    m_course.committed(qint64(committed.constLast().seq), m_clock.monotonicUs());
    if (hadAll && !m_course.hasAll())
        m_behindSinceUs = m_clock.wallUs();
    if (hadAll)
        proceed();
}

ForwardState Forwarder::state() const
{
    ForwardState state;
    state.name = m_settings.name;
    state.watermark = m_course.watermark();
    const qint64 known = state.watermark ? state.watermark->lastSeq : qint64(m_journal.firstSeq()) - 1;
    state.unforwarded = std::max<qint64>(0, m_course.newestSeq() - std::max<qint64>(0, known));
    state.behindUs = m_behindSinceUs ? std::max<qint64>(0, m_clock.wallUs() - *m_behindSinceUs) : 0;
    state.failures = m_failures;
    state.error = m_error;
    return state;
}

void Forwarder::stop(QDeadlineTimer deadline)
{
    m_isStopped = true;
    m_timer.stop();
    m_question.request_stop();
    m_sink.endWithin(deadline);
    m_sink.stop();
}

void Forwarder::proceed()
{
    if (m_isStopped || m_isForeign)
        return;
    if (!m_course.isBusy() && m_course.watermark() && m_openedEpoch != m_sender.epoch())
        m_course.reopen();
    const qint64 nowUs = m_clock.monotonicUs();
    switch (m_course.next(nowUs)) {
    case ForwardTask::Open:
        return open();
    case ForwardTask::Read:
        return read();
    case ForwardTask::Write:
        noteHoles();
        return m_sink.write(m_reading.batch);
    case ForwardTask::Wait:
        break;
    }
    if (const auto dueUs = m_course.dueUs())
        m_timer.start(int(std::max<qint64>(0, *dueUs - nowUs) / 1'000) + 1);
}

void Forwarder::open()
{
    m_openedEpoch = m_sender.epoch();
    m_isOpening = true;
    m_sink.open({m_sender.agentName, m_journal.id(), m_openedEpoch});
}

void Forwarder::read()
{
    const OutboxPosition position{*m_course.watermark(), m_signedRecords};
    m_journal.ask([position](journal::Queries &queries) { return readOutbox(queries, position); },
                  [self = QPointer<Forwarder>(this)](const base::Result<OutboxReading> &reading) {
                      if (self && !self->m_isStopped)
                          self->taken(reading);
                  },
                  m_question.get_token());
}

void Forwarder::taken(const base::Result<OutboxReading> &reading)
{
    const qint64 nowUs = m_clock.monotonicUs();
    if (!reading) {
        fail(reading.error());
        m_course.failedToRead(base::isTransient(reading.error().code), nowUs);
        return proceed();
    }
    if (reading->isForeign)
        return giveUp(reading->newestSeq);
    m_reading = *reading;
    m_course.read(!m_reading.isEmpty(), m_reading.newestSeq, nowUs);
    noteBehind();
    proceed();
}

void Forwarder::answered(const SinkAnswer &answer)
{
    if (m_isStopped)
        return;
    const qint64 nowUs = m_clock.monotonicUs();
    if (std::exchange(m_isOpening, false))
        m_course.opened(answer.watermark, nowUs);
    else
        settle(answer.watermark);
    if (!answer.watermark)
        fail(answer.watermark.error());
    proceed();
}

/** Takes the answer to a batch. */
void Forwarder::settle(const base::Result<hub::Watermark> &answer)
{
    m_course.written(answer, m_reading.batch.toSeq, m_clock.monotonicUs());
    if (!answer)
        return;
    if (answer->lastSeq < m_reading.batch.toSeq)
        return fail({base::ErrorCode::Protocol,
                     QStringLiteral("the hub accepted events up to %1, and has them up to %2")
                         .arg(m_reading.batch.toSeq)
                         .arg(answer->lastSeq),
                     {}});
    recover();
    if (!m_reading.batch.signatures.isEmpty())
        m_signedRecords = m_reading.batch.signatures.constLast().records;
    if (m_reading.lastSeenUs != 0)
        m_behindSinceUs = m_reading.lastSeenUs; // the next event isn't older
    noteBehind();
    m_reading = {};
}

void Forwarder::noteBehind()
{
    if (m_course.hasAll())
        m_behindSinceUs.reset();
}

/** Forwards nothing more in this run: once the journal has grown past the hub's last event, nothing would
 * show that the numbers mean other events. */
void Forwarder::giveUp(qint64 newestSeq)
{
    m_isForeign = true;
    m_journal.abandonId();
    fail({base::ErrorCode::Corrupt,
          QStringLiteral("the hub has event %1 of this journal, whose last event is %2: the journal was "
                         "restored from a backup")
              .arg(m_course.watermark()->lastSeq)
              .arg(newestSeq),
          QStringLiteral("Restart the agent: it then gives the journal another id")});
}

/** The hub shows the hole as a gap; this log is the agent's own record of it. */
void Forwarder::noteHoles() const
{
    for (const hub::HubHole &hole : m_reading.batch.holes) {
        const bool isBeginning = m_course.watermark()->lastSeq == 0 && hole.reason == hub::HubHole::Deleted;
        const QString what = QStringLiteral("events %1 to %2").arg(hole.from).arg(hole.to);
        const QString name = base::singleLine(m_settings.name);
        if (isBeginning)
            qCInfo(lcForwarder).noquote()
                << name << "gets no" << what << "which retention deleted before the first forwarding";
        else if (hole.reason == hub::HubHole::Deleted)
            qCCritical(lcForwarder).noquote()
                << what << "were deleted before" << name << "had them: raise keep_mib of its [[forward]]";
        else
            qCCritical(lcForwarder).noquote() << what << "can't be read, so" << name << "doesn't get them";
    }
}

void Forwarder::fail(const base::Error &error)
{
    ++m_failures;
    if (std::exchange(m_error, error) == error)
        return;
    qCWarning(lcForwarder).noquote() << "can't forward to"
                                     << base::singleLine(m_settings.name) + QLatin1Char(':') << error.line();
}

void Forwarder::recover()
{
    if (std::exchange(m_error, {}) == base::Error())
        return;
    qCInfo(lcForwarder).noquote() << "forwards to" << base::singleLine(m_settings.name) << "again";
}

} // namespace lockkeeper::agent::forward
