// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/alerts/delivery/receiver_lane.h"

#include "agent/alerts/delivery/retry_schedule.h"
#include "shared/base/random_id.h"

#include <QLoggingCategory>
#include <QRandomGenerator>

#include <algorithm>

Q_LOGGING_CATEGORY(lcReceiver, "lockkeeper.alerts")

namespace lockkeeper::agent::alerts {

using SendResult = SendOutcome::SendResult;

namespace {

/** After a message that the receiver refuses, so that a wrong key doesn't make a flood. */
constexpr qint64 kPauseUs = base::kSecondUs / 2;

DueNotice testNotice(qint64 nowUs)
{
    DueNotice notice;
    notice.alert.id = "test-" + base::randomId(8);
    notice.alert.rule = kTestRule;
    notice.alert.condition = domain::AlertCondition::AlwaysFiring;
    notice.alert.severity = domain::AlertSeverity::Info;
    notice.alert.sinceUs = notice.alert.firedUs = nowUs;
    notice.alert.resolvedUs = nowUs; // nothing remains open at the receiver
    return notice;
}

} // namespace

ReceiverLane::ReceiverLane(config::ReceiverSettings receiver, QString agent, Outbox &outbox,
                           const base::Clock &clock, QObject *parent)
    : QObject(parent),
      m_receiver(std::move(receiver)),
      m_agent(std::move(agent)),
      m_outbox(outbox),
      m_clock(clock),
      m_sender(m_receiver)
{
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &ReceiverLane::wake);
    connect(&m_sender, &SenderThread::finished, this, &ReceiverLane::finish);
}

ReceiverLane::~ReceiverLane()
{
    record();
    for (const TestDone &done : std::exchange(m_tests, {}))
        done(base::failure(base::ErrorCode::Shutdown, QStringLiteral("the receiver was removed or stopped")));
}

void ReceiverLane::setActive(bool active)
{
    m_active = active;
    wake();
}

void ReceiverLane::wake()
{
    if (!m_active || m_underWay != 0 || m_clock.monotonicUs() < m_notBeforeUs)
        return waitUntilDue();
    if (!record())
        return;
    const int limit = m_singly > 0 ? 1 : sendBatch(m_receiver);
    const auto due = m_outbox.due(m_receiver.name, m_clock.wallUs(), limit);
    if (!due) {
        qCCritical(lcReceiver).noquote() << "the outbox can't be read:" << due.error().line();
        return backOff(0);
    }
    if (due->isEmpty())
        return waitUntilDue();
    m_sent = *due;
    m_underWay = ++m_tickets;
    m_sender.send(m_underWay, m_sent, context());
}

void ReceiverLane::test(TestDone done)
{
    m_tests.insert(++m_tickets, std::move(done));
    m_sender.send(m_tickets, {testNotice(m_clock.wallUs())}, context());
}

protocol::AlertReceiver ReceiverLane::state(const ReceiverBacklog &backlog) const
{
    return {m_receiver.name,  config::receiverType(m_receiver),           backlog.deliveredUs,
            m_failingSinceUs, m_failingSinceUs ? m_error : base::Error(), backlog.waiting};
}

void ReceiverLane::stop(QDeadlineTimer deadline)
{
    m_active = false;
    m_timer.stop();
    m_sender.endWithin(deadline);
    m_sender.stop();
}

void ReceiverLane::finish(quint64 ticket, const SendOutcome &outcome)
{
    if (ticket == m_underWay) {
        m_underWay = 0;
        handle(outcome);
        return wake();
    }
    const TestDone done = m_tests.take(ticket);
    if (done && outcome.result == SendResult::Delivered)
        done({});
    else if (done)
        done(tl::unexpected(outcome.error));
}

void ReceiverLane::handle(const SendOutcome &outcome)
{
    const QList<DueNotice> sent = std::exchange(m_sent, {});
    m_singly = std::max<qsizetype>(0, m_singly - 1);
    if (outcome.result == SendResult::Delivered) {
        m_delivered = sent;
        record();
        if (std::exchange(m_failingSinceUs, std::nullopt)) {
            qCInfo(lcReceiver).noquote() << "the receiver" << m_receiver.name << "works again";
            Q_EMIT recovered(m_receiver.name);
        }
        return;
    }
    if (outcome.result == SendResult::Rejected && sent.size() > 1) {
        m_singly = sent.size(); // to find the one that it refuses
        return;
    }
    fail(outcome.error);
    base::Result<void> recorded;
    if (outcome.result == SendResult::Rejected) {
        for (const DueNotice &notice : sent)
            qCCritical(lcReceiver).noquote() << "the receiver" << m_receiver.name << "refuses the alert"
                                             << notice.alert.id << "for good:" << outcome.error.line();
        recorded = m_outbox.rejected(sent, outcome.error);
        m_notBeforeUs = m_clock.monotonicUs() + kPauseUs;
    } else {
        backOff(outcome.retryAfterUs.value_or(0));
        const qint64 againUs = m_clock.wallUs() + m_notBeforeUs - m_clock.monotonicUs();
        recorded = m_outbox.failed(sent, againUs, outcome.error);
    }
    if (!recorded) {
        qCCritical(lcReceiver).noquote() << "the outbox can't be written:" << recorded.error().line();
        backOff(0); // the same notices are due again at once
    }
}

/** Records what was delivered. Until that succeeds nothing is sent: it would be sent again and again. */
bool ReceiverLane::record()
{
    if (m_delivered.isEmpty())
        return true;
    const qint64 nowUs = m_clock.wallUs();
    std::optional<qint64> repeatUs = repeatIntervalUs(m_receiver);
    if (repeatUs)
        *repeatUs += nowUs;
    const auto recorded = m_outbox.delivered(m_receiver.name, m_delivered, nowUs, repeatUs);
    if (!recorded) {
        qCCritical(lcReceiver).noquote() << "a delivery can't be recorded:" << recorded.error().line();
        backOff(0);
        return false;
    }
    m_delivered.clear();
    m_failures = 0;
    return true;
}

void ReceiverLane::fail(const base::Error &error)
{
    const bool isNew = !m_failingSinceUs || error != m_error;
    m_error = error;
    if (isNew)
        qCWarning(lcReceiver).noquote() << "the receiver" << m_receiver.name << "fails:" << error.line();
    if (m_failingSinceUs)
        return;
    m_failingSinceUs = m_clock.wallUs();
    Q_EMIT failing(m_receiver.name, error);
}

void ReceiverLane::backOff(qint64 leastUs)
{
    const double random = QRandomGenerator::global()->generateDouble();
    const qint64 delayUs = std::max(leastUs, retryDelayUs(++m_failures, random));
    m_notBeforeUs = m_clock.monotonicUs() + delayUs;
    m_timer.start(int(delayUs / 1'000) + 1);
}

/** Starts the timer for the next notice that is due, or for the end of a wait after a failure. */
void ReceiverLane::waitUntilDue()
{
    if (!m_active || m_underWay != 0)
        return;
    qint64 delayUs = m_notBeforeUs - m_clock.monotonicUs();
    if (delayUs <= 0) {
        const auto next = m_outbox.nextDueUs(m_receiver.name);
        if (!next || !*next)
            return m_timer.stop();
        delayUs = **next - m_clock.wallUs();
    }
    m_timer.start(int(std::clamp<qint64>(delayUs, 0, kMostRetryUs) / 1'000) + 1);
}

SendContext ReceiverLane::context() const
{
    return {m_agent, m_receiver.language, m_clock.wallUs()};
}

} // namespace lockkeeper::agent::alerts
