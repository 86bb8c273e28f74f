// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/models/history_model.h"

#include "app/filter/history_filter.h"
#include "app/records/records.h"

#include <algorithm>

namespace lockkeeper::app::models {

using base::ErrorCode;
using Events = base::Result<session::EventsRead>;

namespace {
constexpr int kEventsPage = 200;
constexpr int kMaxRows = 100 * kEventsPage;
constexpr int kPrefetchRows = 100; ///< within this distance of an end, the next page is requested
constexpr int kEnoughRows = 50;    ///< with fewer rows of a page after the filter, the next page is read
constexpr qsizetype kMaxPending = 1000;
} // namespace

protocol::HistoryQuery HistoryModel::request() const
{
    protocol::HistoryQuery request = filter::historyFilter(m_query).query;
    request.limit = kEventsPage;
    request.inSlices = true;
    return request;
}

void HistoryModel::setPhase(LoadPhase next, const base::Error &cause)
{
    if (m_phase == next && m_error == cause)
        return;
    m_phase = next;
    m_error = cause;
    Q_EMIT phaseChanged();
}

void HistoryModel::setNewCount(qint64 count)
{
    if (m_newCount == count)
        return;
    m_newCount = count;
    Q_EMIT newCountChanged();
}

void HistoryModel::restart(std::optional<qint64> until)
{
    for (const quint64 id : {std::exchange(m_olderRequest, 0), std::exchange(m_newerRequest, 0)}) {
        if (id)
            m_session.cancel(id);
    }
    ++m_generation;
    m_early.clear();
    m_pending.clear();
    // Resets everything before views learn of it, so that their requests refer to the new beginning.
    beginResetModel();
    m_rows.clear();
    m_untilUs = until;
    m_newest.clear();
    m_oldest.clear();
    m_away.clear();
    m_hasLooked = false;
    m_hasOlder = true;
    m_hasNewer = until.has_value();
    m_tailing = !until;
    m_foundOlder = 0;
    m_searchedTo.reset();
    endResetModel();
    setNewCount(0);
    askOlder();
}

void HistoryModel::askOlder()
{
    if (m_olderRequest || !m_hasOlder)
        return;
    m_halted = false;
    protocol::HistoryQuery ask = request();
    ask.descending = true;
    setPhase(LoadPhase::Loading);
    m_olderRequest = m_session.history(
        ask, this,
        [this, number = m_generation](const Events &page) {
            if (number == m_generation)
                tookOlder(page);
        },
        m_oldest, m_untilUs);
}

void HistoryModel::askNewer()
{
    if (m_newerRequest || !m_hasNewer || !m_hasLooked)
        return;
    m_halted = false;
    // Nothing was read from an agent whose events are all older.
    const std::optional<qint64> start = m_untilUs ? std::optional(*m_untilUs + 1) : std::nullopt;
    m_newerRequest = m_session.history(
        request(), this,
        [this, number = m_generation](const Events &page) {
            if (number == m_generation)
                tookNewer(page);
        },
        m_newest, start);
}

/** The part common to both directions; false if the answer is an error. */
bool HistoryModel::note(const Events &page, quint64 &request)
{
    request = 0;
    if (!page) {
        const bool taken = page.error().code == ErrorCode::Cancelled;
        m_halted = taken;
        setPhase(taken ? LoadPhase::Idle : LoadPhase::Failed, taken ? base::Error() : page.error());
        return false;
    }
    m_away += page->away;
    for (auto it = page->journals.cbegin(); it != page->journals.cend(); ++it) {
        session::EventsRead::JournalRange &known = m_journals[it.key()];
        known = {it->firstSeq, std::max(known.lastSeq, it->lastSeq), {}};
    }
    return true;
}

void HistoryModel::tookOlder(const Events &page)
{
    if (!note(page, m_olderRequest))
        return;
    const bool first = !m_hasLooked;
    m_hasLooked = true;
    m_hasOlder = page->more;
    for (const events::LockEvent &event : page->events) {
        if (const QString agent = agentOf(event); !m_newest.contains(agent))
            m_newest.insert(agent, event.seq);
    }
    page->goOn(m_oldest);
    // The events between the newest match and the newest event were filtered out and needn't be requested
    // again.
    if (first && !m_untilUs) {
        for (auto it = page->journals.cbegin(); it != page->journals.cend(); ++it)
            m_newest[it.key()] = std::max(m_newest.value(it.key()), it->lastSeq);
    }
    const QList<events::LockEvent> found = fitting(page->events);
    append(found);
    m_foundOlder += int(found.size());
    m_searchedTo.reset();
    if (m_hasOlder && found.isEmpty())
        m_searchedTo = page->events.isEmpty() ? page->reachedUs : page->events.last().timeUs;
    if (!m_hasOlder && m_hasNewer && m_rows.empty()) {
        askNewer(); // the matches begin after the position: reads on from there
        return;
    }
    if (first && !m_early.isEmpty())
        live(std::exchange(m_early, {}));
    if (!m_hasOlder || m_foundOlder >= kEnoughRows) {
        setPhase(LoadPhase::Idle);
        return;
    }
    askOlder();
    Q_EMIT searchedOn();
}

void HistoryModel::tookNewer(const Events &page)
{
    if (!note(page, m_newerRequest))
        return;
    m_hasNewer = page->more;
    for (const events::LockEvent &event : page->events) {
        if (const QString agent = agentOf(event); !m_oldest.contains(agent))
            m_oldest.insert(agent, event.seq);
    }
    page->goOn(m_newest);
    for (auto it = page->journals.cbegin(); !m_hasNewer && it != page->journals.cend(); ++it)
        m_newest[it.key()] = std::max(m_newest.value(it.key()), it->lastSeq);
    QList<events::LockEvent> found = fitting(page->events);
    std::reverse(found.begin(), found.end());
    prepend(found);
    if (!m_hasNewer) {
        m_pending.clear();
        setNewCount(0);
    } else if (found.isEmpty()) {
        askNewer();
    }
    if (!m_olderRequest && (!m_newerRequest || !m_rows.empty()))
        setPhase(LoadPhase::Idle);
}

QList<events::LockEvent> HistoryModel::fitting(const QList<events::LockEvent> &events) const
{
    QList<events::LockEvent> found;
    std::copy_if(events.begin(), events.end(), std::back_inserter(found), [this](const auto &event) {
        return filter::matches(m_query, event, m_replica.agentOf(event.key.source));
    });
    return found;
}

void HistoryModel::append(const QList<events::LockEvent> &newestFirst)
{
    if (newestFirst.isEmpty())
        return;
    const int size = int(m_rows.size());
    beginInsertRows({}, size, size + int(newestFirst.size()) - 1);
    m_rows.insert(m_rows.end(), newestFirst.begin(), newestFirst.end());
    endInsertRows();
    const int surplus = int(m_rows.size()) - kMaxRows;
    if (surplus <= 0)
        return;
    beginRemoveRows({}, 0, surplus - 1);
    m_rows.erase(m_rows.begin(), m_rows.begin() + surplus);
    endRemoveRows();
    rowsWentAtTheTop();
    m_tailing = false;
}

/** Rewinds each agent's read position to its newest remaining row. An agent without rows starts over. */
void HistoryModel::rowsWentAtTheTop()
{
    session::Numbers shown;
    for (const events::LockEvent &event : m_rows) {
        if (const QString agent = agentOf(event); !shown.contains(agent))
            shown.insert(agent, event.seq);
    }
    for (auto it = m_newest.begin(); it != m_newest.end(); ++it) {
        if (const auto row = shown.constFind(it.key()); row != shown.cend())
            *it = *row;
        else if (const auto read = m_oldest.constFind(it.key()); read != m_oldest.cend())
            *it = *read - 1;
    }
    m_hasNewer = true;
}

void HistoryModel::prepend(const QList<events::LockEvent> &newestFirst)
{
    if (newestFirst.isEmpty())
        return;
    beginInsertRows({}, 0, int(newestFirst.size()) - 1);
    m_rows.insert(m_rows.begin(), newestFirst.begin(), newestFirst.end());
    endInsertRows();
    const int surplus = int(m_rows.size()) - kMaxRows;
    if (surplus <= 0)
        return;
    beginRemoveRows({}, kMaxRows, int(m_rows.size()) - 1);
    m_rows.resize(kMaxRows);
    endRemoveRows();
    session::Numbers shown;
    for (const events::LockEvent &event : m_rows)
        shown.insert(agentOf(event), event.seq);
    for (auto it = m_oldest.begin(); it != m_oldest.end(); ++it) {
        if (const auto row = shown.constFind(it.key()); row != shown.cend())
            *it = *row;
        else // all its rows were removed at the end
            *it = m_newest.value(it.key()) + 1;
    }
    m_hasOlder = true;
}

/** True if an agent is connected now that wasn't when the others were queried. */
bool HistoryModel::lacksAnAgent() const
{
    const QList<session::AgentSession *> all = m_session.sessions();
    return std::any_of(all.cbegin(), all.cend(), [this](const session::AgentSession *one) {
        return one->link() == session::LinkState::Live && m_away.contains(one);
    });
}

/** The stream started again: the events in between are unknown here. */
void HistoryModel::missedSome()
{
    if (!m_hasLooked)
        return;
    m_hasNewer = true;
    if (m_tailing)
        reload();
}

/** New events, oldest first. */
void HistoryModel::live(const QList<events::LockEvent> &events)
{
    if (m_generation == 0)
        return; // the history isn't open yet; it starts with the newest events when it opens
    if (!m_hasLooked && m_olderRequest) {
        // The first page is pending: it may contain some of these events, so they are added after it.
        m_early.append(events);
        return;
    }
    session::Numbers last = m_newest;
    bool any = false;
    qint64 count = 0;
    QList<events::LockEvent> found; // only those to keep
    for (const events::LockEvent &event : events) {
        const QString agent = agentOf(event);
        quint64 &read = last[agent];
        if (event.seq <= read)
            continue;
        read = event.seq;
        any = true;
        if (!m_hasNewer && !m_oldest.contains(agent))
            m_oldest.insert(agent, event.seq);
        m_journals[agent].lastSeq = std::max(m_journals[agent].lastSeq, event.seq);
        if (!filter::matches(m_query, event, m_replica.agentOf(event.key.source)))
            continue;
        ++count;
        if (!m_hasNewer) {
            found.append(event);
            found.last().after.reset(); // no row shows it
        }
    }
    if (!any)
        return;
    std::reverse(found.begin(), found.end());
    if (!m_hasNewer)
        m_newest = last;
    if (m_tailing && !m_hasNewer) {
        prepend(found);
        return;
    }
    if (!m_hasNewer) {
        m_pending = found + m_pending;
        // Too many to keep: they are requested when the operator gets there.
        if (m_pending.size() > kMaxPending) {
            m_pending.clear();
            rowsWentAtTheTop();
        }
    }
    setNewCount(m_newCount + count);
}

HistoryModel::HistoryModel(session::AgentGroup &session, replica::Replica &replica, QObject *parent)
    : RawModel(kEventColumns, parent), m_session(session), m_replica(replica)
{
    connect(&replica, &replica::Replica::events, this, [this](const auto &events) { live(events); });
    connect(&replica, &replica::Replica::reset, this, [this] { missedSome(); });
    connect(&replica, &replica::Replica::missed, this, [this] { missedSome(); });
    connect(&session, &session::AgentGroup::agentChanged, this, [this] {
        m_journals.clear(); // of the previous agent
        if (m_hasLooked || m_olderRequest || m_phase == LoadPhase::Failed)
            restart(std::nullopt);
    });
    connect(&session, &session::AgentGroup::linkChanged, this, [this] {
        if (m_session.link() == session::LinkState::Live && m_phase == LoadPhase::Failed)
            m_rows.empty() ? restart(m_untilUs) : setPhase(LoadPhase::Idle);
        else if (lacksAnAgent())
            restart(m_untilUs); // its events belong between those of the others
    });
}

bool HistoryModel::canFetchMore(const QModelIndex &parent) const
{
    return !parent.isValid() && m_hasOlder && m_hasLooked && !m_olderRequest && m_phase != LoadPhase::Failed;
}

void HistoryModel::fetchMore(const QModelIndex &parent)
{
    if (!canFetchMore(parent))
        return;
    m_foundOlder = 0;
    m_searchedTo.reset();
    askOlder();
}

QJsonObject HistoryModel::record(int row) const
{
    const events::LockEvent *event = at(row);
    if (!event)
        return {};
    const QString agent = m_session.agentOf(event->key.source);
    return records::withAgent(events::toJson(*event, agent), agent, agentOf(*event));
}

QStringList HistoryModel::recordColumns() const
{
    return records::eventColumns();
}

const events::LockEvent *HistoryModel::at(int row) const
{
    return row >= 0 && row < rowCount() ? &m_rows[size_t(row)] : nullptr;
}

void HistoryModel::setQuery(const filter::Query &query)
{
    m_query = query;
    restart(std::nullopt);
}

void HistoryModel::goTo(qint64 timeUs)
{
    restart(timeUs);
}

void HistoryModel::reload()
{
    restart(std::nullopt);
}

void HistoryModel::cancel()
{
    for (const quint64 id : {m_olderRequest, m_newerRequest}) {
        if (id)
            m_session.cancel(id);
    }
}

void HistoryModel::prefetch(int firstRow, int lastRow)
{
    if (lastRow >= rowCount() - kPrefetchRows)
        fetchMore({});
    if (firstRow < kPrefetchRows)
        askNewer();
}

void HistoryModel::setTailing(bool tailing)
{
    if (tailing == m_tailing)
        return;
    if (tailing && m_hasNewer) {
        reload();
        return;
    }
    m_tailing = tailing;
    if (tailing) {
        prepend(std::exchange(m_pending, {}));
        setNewCount(0);
    }
}

qint64 HistoryModel::estimatedTotal() const
{
    qint64 total = 0;
    for (const session::EventsRead::JournalRange &journal : std::as_const(m_journals)) {
        if (journal.lastSeq && journal.firstSeq)
            total += qint64(journal.lastSeq - journal.firstSeq + 1);
    }
    return total;
}

} // namespace lockkeeper::app::models
