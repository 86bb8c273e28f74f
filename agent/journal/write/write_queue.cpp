// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/journal/write/write_queue.h"

#include "agent/journal/storage/hold_rows.h"

#include <algorithm>
#include <utility>

namespace lockkeeper::agent::journal {

namespace {

constexpr std::chrono::seconds kProgressDelay(1);
constexpr std::chrono::seconds kRenewalDelay(10);

/** Bytes that an event takes while it waits. Shared data counts in full. */
qint64 costOf(const events::LockEvent &event)
{
    const events::EventDetail &detail = event.detail;
    const qsizetype characters = detail.node.size() + detail.slotRanges.size() + detail.message.size() +
                                 detail.previous.value_or(std::nullopt).value_or(QString()).size();
    qint64 bytes = qint64(sizeof event) + event.key.name.size() + event.owner.size() +
                   qint64(sizeof(QChar)) * characters + 64 * detail.others.size();
    if (event.waiter)
        bytes += event.waiter->size();
    if (event.after) {
        bytes += event.after->owner.size() + event.after->token.size();
        for (const domain::Waiter &waiter : event.after->waiters)
            bytes += qint64(sizeof waiter) + waiter.id.size() + waiter.detail.size();
    }
    return bytes;
}

events::LockEvent gapEvent(const QString &source, const QByteArray &store, events::EventKind kind,
                           qint64 timeUs, qint64 dropped)
{
    events::LockEvent event;
    event.key.source = source;
    event.store = store;
    event.kind = kind;
    event.timeUs = timeUs;
    event.observedUs = timeUs;
    event.detail.cause = events::EventCause::Journal;
    event.detail.dropped = dropped;
    return event;
}

} // namespace

std::optional<WriteQueue::Subject> WriteQueue::subjectOf(const events::LockEvent &event, qint64 lostSinceUs)
{
    const events::EventDetail &detail = event.detail;
    if (endOf(event.kind) != HoldEnd::Open)
        return Subject(event.key, {});
    if (event.kind == events::EventKind::GapOpened || event.kind == events::EventKind::GapClosed)
        return Subject(event.key, detail.node.toUtf8() + '\n' + detail.slotRanges.toUtf8());
    if (event.kind == events::EventKind::WaitEnd && detail.sinceUs.value_or(0) <= lostSinceUs)
        return Subject(event.key, "waiter " + event.waiter.value_or(QByteArray()));
    return std::nullopt;
}

bool WriteQueue::pushEvents(const QList<events::LockEvent> &events, const QList<Progress> &progress)
{
    qint64 cost = 0;
    for (const events::LockEvent &event : events)
        cost += costOf(event);
    const std::lock_guard lock(m_mutex);
    if (!m_lost.isEmpty() || (!events.isEmpty() && m_cost + cost > (m_failing ? m_limit / 4 : m_limit))) {
        lose(events, progress);
        m_changed.notify_one(); // everything else may be taken and filed already
        return false;
    }
    noteSeen(events, progress);
    if (events.isEmpty()) {
        for (const Progress &step : progress)
            m_progress.insert(step.source, step);
        if (!m_progressSince)
            m_progressSince = Clock::now();
    } else {
        // The renewals of an open hold are written with the notes, and nothing else may cause these to be
        // written.
        const bool renewed = std::any_of(events.cbegin(), events.cend(), [](const events::LockEvent &event) {
            return event.kind == events::EventKind::Renewed;
        });
        if (renewed && !m_notesSince)
            m_notesSince = Clock::now();
        for (const Progress &step : progress)
            m_progress.remove(step.source); // the waiting progress is older, but would be written last
        m_items.push_back({events, progress, cost, 0});
        m_cost += cost;
        m_queued += events.size();
    }
    m_changed.notify_one();
    return true;
}

void WriteQueue::noteSeen(const QList<events::LockEvent> &events, const QList<Progress> &progress)
{
    const QString *source = nullptr; // usually the same for all events
    StoreTime *last = nullptr;
    for (const events::LockEvent &event : events) {
        if (!source || *source != event.key.source) {
            source = &event.key.source;
            last = &m_seen[*source];
        }
        *last = {event.store, std::max(last->us, event.observedUs)};
    }
    for (const Progress &step : progress) {
        StoreTime &seen = m_seen[step.source];
        seen = {step.store, std::max(seen.us, step.lastSeenUs)};
    }
}

void WriteQueue::lose(const QList<events::LockEvent> &events, const QList<Progress> &progress)
{
    for (const events::LockEvent &event : events) {
        const StoreTime seen = m_seen.value(event.key.source, {event.store, event.observedUs});
        auto it = m_lost.find(event.key.source);
        if (it == m_lost.end())
            it = m_lost.insert(event.key.source, {event.store, seen.us, seen.us, 0});
        it->closedUs = std::max(it->closedUs, event.observedUs);
        ++it->events;
        if (const auto subject = subjectOf(event, it->openedUs))
            keepLast(*subject, event, *it);
    }
    for (const Progress &step : progress) {
        if (const auto it = m_lost.find(step.source); it != m_lost.end())
            it->closedUs = std::max(it->closedUs, step.lastSeenUs);
    }
}

void WriteQueue::keepLast(const Subject &subject, const events::LockEvent &event, Loss &loss)
{
    const qint64 earliestUs = event.timeUs - event.windowUs;
    if (const auto known = loss.last.find(subject); known != loss.last.end()) {
        known->event = event;
        known->place = loss.events;
        known->fromUs = std::min(known->fromUs, earliestUs);
        ++known->dropped;
    } else if (m_lostCost < m_limit / 16) { // the cost only grows: no later event is mistaken for the first
        m_lostCost += costOf(event);
        loss.last.insert(subject, {event, loss.events, earliestUs, 0});
    }
}

void WriteQueue::pushRenewal(const domain::LockState &state)
{
    const std::lock_guard lock(m_mutex);
    addNote(m_notes, state.key, state);
    if (!m_notesSince) {
        m_notesSince = Clock::now();
        m_changed.notify_one();
    }
}

void WriteQueue::stop()
{
    const std::lock_guard lock(m_mutex);
    m_stop = true;
    m_changed.notify_all();
}

void WriteQueue::setFailing(bool failing)
{
    const std::lock_guard lock(m_mutex);
    m_failing = failing;
    m_changed.notify_one(); // conflated work may be due now
}

/** Without free memory, the next events would only be the next loss. */
bool WriteQueue::isLossDue() const
{
    return !m_lost.isEmpty() && (m_stop || m_cost <= m_limit / 8);
}

WriteQueue::Clock::time_point WriteQueue::dueAt() const
{
    auto due = Clock::time_point::max();
    if (m_failing)
        return due;
    if (m_progressSince)
        due = std::min(due, *m_progressSince + kProgressDelay);
    if (m_notesSince)
        due = std::min(due, *m_notesSince + kRenewalDelay);
    return due;
}

Work WriteQueue::take(Clock::time_point until)
{
    std::unique_lock lock(m_mutex);
    while (m_items.empty() && !isLossDue() && !m_stop) {
        const auto end = std::min(until, dueAt());
        if (Clock::now() >= end)
            break;
        m_changed.wait_until(lock, end);
    }
    Work work;
    takeEvents(work);
    if (m_items.empty()) {
        if (work.events.isEmpty() && isLossDue())
            takeLosses(work);
        takeLazy(work);
    }
    // Always take the notes: an event here that ends a hold needs the renewals before it.
    if (!work.events.isEmpty())
        work.notes.insert(std::exchange(m_notes, {}));
    return work;
}

void WriteQueue::takeEvents(Work &work)
{
    while (!m_items.empty() && work.events.size() < kRows) {
        QueuedWrite &item = m_items.front();
        // The events that a position covers are committed with it, all or none; otherwise half of them would
        // come again.
        const bool whole = std::any_of(item.progress.cbegin(), item.progress.cend(), [](const Progress &p) {
            return p.position && !p.position->isEmpty();
        });
        const qsizetype room = kRows - work.events.size();
        if (whole && item.events.size() > room && !work.events.isEmpty())
            return;
        const qsizetype count =
            whole ? item.events.size() : std::min<qsizetype>(room, item.events.size() - item.taken);
        if (count == item.events.size() && work.events.isEmpty())
            work.events = std::move(item.events);
        else
            work.events.append(item.events.sliced(item.taken, count));
        item.taken += count;
        if (item.taken < item.events.size())
            return;
        work.progress.append(item.progress);
        work.cost += item.cost;
        m_items.pop_front();
    }
}

void WriteQueue::takeLosses(Work &work)
{
    for (auto it = m_lost.begin(); it != m_lost.end(); ++it) {
        const qint64 dropped = it->events - it->last.size();
        work.events.append(
            gapEvent(it.key(), it->store, events::EventKind::GapOpened, it->openedUs, dropped));
        QList<events::LockEvent> ofSource; // after the journal's gap, which doesn't end a source's own gap
        QList<Last> all = it->last.values();
        std::sort(all.begin(), all.end(), [](const Last &a, const Last &b) { return a.place < b.place; });
        for (Last &last : all) {
            if (last.dropped > 0 && !last.event.isSourceEvent()) {
                last.event.windowUs = last.event.timeUs - last.fromUs;
                last.event.detail.dropped = last.dropped;
            }
            (last.event.isSourceEvent() ? ofSource : work.events).append(std::move(last.event));
        }
        work.events.append(
            gapEvent(it.key(), it->store, events::EventKind::GapClosed, it->closedUs, dropped));
        work.events.append(ofSource);
        // Without this, a restarted agent would resume at an earlier position and report these events again.
        work.progress.append({it.key(), it->store, it->closedUs, QByteArray()});
        m_progress.remove(it.key());
    }
    m_queued += work.events.size();
    work.cost = std::exchange(m_lostCost, 0);
    m_cost += work.cost;
    m_lost.clear();
}

void WriteQueue::takeLazy(Work &work)
{
    if (m_failing && !m_stop)
        return; // renewals and progress are conflated here, but in no later stage
    // Only after all events: progress must not be durable before the events that were seen with it.
    const auto now = Clock::now();
    const bool company = !work.events.isEmpty();
    if (m_progressSince && (company || m_stop || now >= *m_progressSince + kProgressDelay)) {
        work.progress.append(m_progress.values());
        m_progress.clear();
        m_progressSince.reset();
    }
    if (m_notesSince && (m_stop || now >= *m_notesSince + kRenewalDelay)) {
        work.notes = std::exchange(m_notes, {});
        m_notesSince.reset();
        work.flushRenewals = true;
    }
}

void WriteQueue::committed(qint64 events)
{
    const std::lock_guard lock(m_mutex);
    m_queued -= events;
}

void WriteQueue::release(qint64 cost)
{
    const std::lock_guard lock(m_mutex);
    m_cost -= cost;
    if (isLossDue())
        m_changed.notify_one();
}

void WriteQueue::waitForRetry(std::chrono::milliseconds pause)
{
    std::unique_lock lock(m_mutex);
    m_changed.wait_for(lock, pause, [this] { return m_stop; });
}

bool WriteQueue::isStopping() const
{
    const std::lock_guard lock(m_mutex);
    return m_stop;
}

qint64 WriteQueue::cost() const
{
    const std::lock_guard lock(m_mutex);
    return m_cost;
}

qint64 WriteQueue::queuedEvents() const
{
    const std::lock_guard lock(m_mutex);
    return m_queued;
}

} // namespace lockkeeper::agent::journal
