// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/models/history_model.h"

#include "app/state/history_filter.h"

#include <algorithm>
#include <deque>

namespace lockkeeper::app::models {

using base::ErrorCode;
using Events = base::Result<session::EventsRead>;

namespace {
constexpr int kEventsPage = 200;
constexpr int kMaxRows = 100 * kEventsPage;
constexpr int kPrefetchRows = 100; ///< so near to an end the next page is asked for
constexpr int kEnoughRows = 50;    ///< a filter that leaves fewer of a page goes on to the next by itself
constexpr qsizetype kMaxPending = 1000;
} // namespace

/** One table of events between the numbers `oldest` and `newest` of each agent, both looked at already,
 * filtered ones too. */
class HistoryModel::Private
{
public:
    Private(HistoryModel *model, session::Agents &s, state::Replica &r) : q(model), session(s), replica(r) {}

    protocol::HistoryQuery request() const;
    void restart(std::optional<qint64> until);
    void askOlder();
    void askNewer();
    void tookOlder(const Events &page);
    void tookNewer(const Events &page);
    bool note(const Events &page, quint64 &request);
    QList<events::LockEvent> fitting(const QList<events::LockEvent> &events) const;
    void append(const QList<events::LockEvent> &newestFirst);
    void prepend(const QList<events::LockEvent> &newestFirst);
    void live(const QList<events::LockEvent> &events);
    void setPhase(Phase next, const base::Error &cause = {});
    void setNewCount(qint64 count);
    QString agentOf(const events::LockEvent &event) const { return session.labelOf(event.key.source); }
    void rowsWentAtTheTop();
    bool lacksAnAgent() const;
    void missedSome();

    HistoryModel *q;
    session::Agents &session;
    state::Replica &replica;
    state::Query query{state::QueryScope::History, {}};
    std::optional<qint64> untilUs;
    std::deque<events::LockEvent> rows; ///< newest first
    session::Numbers newest;
    session::Numbers oldest;
    bool hasLooked = false; ///< at anything
    quint64 olderRequest = 0;
    quint64 newerRequest = 0;
    quint64 generation = 0;         ///< of the table: an answer to an older one is dropped
    QList<events::LockEvent> early; ///< came before the first page, oldest first
    bool hasOlder = true;
    bool hasNewer = false;
    int foundOlder = 0; ///< rows since the operator last asked for older ones
    std::optional<qint64> searchedTo;
    bool halted = false;
    QHash<QString, session::EventsRead::Journal> journals;
    QSet<const session::AgentSession *> away; ///< at some answer that the rows are from
    bool tailing = true;
    QList<events::LockEvent> pending; ///< newest first; fits, and isn't shown yet
    qint64 newCount = 0;
    Phase phase = Phase::Idle;
    base::Error error;
};

protocol::HistoryQuery HistoryModel::Private::request() const
{
    protocol::HistoryQuery request = state::historyFilter(query).query;
    request.limit = kEventsPage;
    request.inSlices = true;
    return request;
}

void HistoryModel::Private::setPhase(Phase next, const base::Error &cause)
{
    if (phase == next && error == cause)
        return;
    phase = next;
    error = cause;
    Q_EMIT q->phaseChanged();
}

void HistoryModel::Private::setNewCount(qint64 count)
{
    if (newCount == count)
        return;
    newCount = count;
    Q_EMIT q->newCountChanged();
}

void HistoryModel::Private::restart(std::optional<qint64> until)
{
    for (const quint64 id : {std::exchange(olderRequest, 0), std::exchange(newerRequest, 0)}) {
        if (id)
            session.cancel(id);
    }
    ++generation;
    early.clear();
    pending.clear();
    // All of it before a view hears of the reset: what it asks for then is about the new beginning.
    q->beginResetModel();
    rows.clear();
    untilUs = until;
    newest.clear();
    oldest.clear();
    away.clear();
    hasLooked = false;
    hasOlder = true;
    hasNewer = until.has_value();
    tailing = !until;
    foundOlder = 0;
    searchedTo.reset();
    q->endResetModel();
    setNewCount(0);
    askOlder();
}

void HistoryModel::Private::askOlder()
{
    if (olderRequest || !hasOlder)
        return;
    halted = false;
    protocol::HistoryQuery ask = request();
    ask.descending = true;
    setPhase(Phase::Loading);
    olderRequest = session.history(
        ask, q,
        [this, number = generation](const Events &page) {
            if (number == generation)
                tookOlder(page);
        },
        oldest, untilUs);
}

void HistoryModel::Private::askNewer()
{
    if (newerRequest || !hasNewer || !hasLooked)
        return;
    halted = false;
    // Of an agent whose events are all older nothing was read.
    const std::optional<qint64> start = untilUs ? std::optional(*untilUs + 1) : std::nullopt;
    newerRequest = session.history(
        request(), q,
        [this, number = generation](const Events &page) {
            if (number == generation)
                tookNewer(page);
        },
        newest, start);
}

/** What both directions have in common; false where the answer is an error. */
bool HistoryModel::Private::note(const Events &page, quint64 &request)
{
    request = 0;
    if (!page) {
        const bool taken = page.error().code == ErrorCode::Cancelled;
        halted = taken;
        setPhase(taken ? Phase::Idle : Phase::Failed, taken ? base::Error() : page.error());
        return false;
    }
    away += page->away;
    for (auto it = page->journals.cbegin(); it != page->journals.cend(); ++it) {
        session::EventsRead::Journal &known = journals[it.key()];
        known = {it->firstSeq, std::max(known.lastSeq, it->lastSeq), {}};
    }
    return true;
}

void HistoryModel::Private::tookOlder(const Events &page)
{
    if (!note(page, olderRequest))
        return;
    const bool first = !hasLooked;
    hasLooked = true;
    hasOlder = page->more;
    for (const events::LockEvent &event : page->events) {
        if (const QString agent = agentOf(event); !newest.contains(agent))
            newest.insert(agent, event.seq);
    }
    page->goOn(oldest);
    // What the filter left out between the newest that fits and the newest of all needn't be asked for again.
    if (first && !untilUs) {
        for (auto it = page->journals.cbegin(); it != page->journals.cend(); ++it)
            newest[it.key()] = std::max(newest.value(it.key()), it->lastSeq);
    }
    const QList<events::LockEvent> found = fitting(page->events);
    append(found);
    foundOlder += int(found.size());
    searchedTo.reset();
    if (hasOlder && found.isEmpty())
        searchedTo = page->events.isEmpty() ? page->reachedUs : page->events.last().timeUs;
    if (!hasOlder && hasNewer && rows.empty()) {
        askNewer(); // what fits begins later than the position: it is read from there on
        return;
    }
    if (first && !early.isEmpty())
        live(std::exchange(early, {}));
    if (!hasOlder || foundOlder >= kEnoughRows) {
        setPhase(Phase::Idle);
        return;
    }
    askOlder();
    Q_EMIT q->searchedOn();
}

void HistoryModel::Private::tookNewer(const Events &page)
{
    if (!note(page, newerRequest))
        return;
    hasNewer = page->more;
    for (const events::LockEvent &event : page->events) {
        if (const QString agent = agentOf(event); !oldest.contains(agent))
            oldest.insert(agent, event.seq);
    }
    page->goOn(newest);
    for (auto it = page->journals.cbegin(); !hasNewer && it != page->journals.cend(); ++it)
        newest[it.key()] = std::max(newest.value(it.key()), it->lastSeq);
    QList<events::LockEvent> found = fitting(page->events);
    std::reverse(found.begin(), found.end());
    prepend(found);
    if (!hasNewer) {
        pending.clear();
        setNewCount(0);
    } else if (found.isEmpty()) {
        askNewer();
    }
    if (!olderRequest && (!newerRequest || !rows.empty()))
        setPhase(Phase::Idle);
}

QList<events::LockEvent> HistoryModel::Private::fitting(const QList<events::LockEvent> &events) const
{
    QList<events::LockEvent> found;
    std::copy_if(events.begin(), events.end(), std::back_inserter(found), [this](const auto &event) {
        return state::matches(query, event, replica.agentOf(event.key.source));
    });
    return found;
}

void HistoryModel::Private::append(const QList<events::LockEvent> &newestFirst)
{
    if (newestFirst.isEmpty())
        return;
    const int size = int(rows.size());
    q->beginInsertRows({}, size, size + int(newestFirst.size()) - 1);
    rows.insert(rows.end(), newestFirst.begin(), newestFirst.end());
    q->endInsertRows();
    const int surplus = int(rows.size()) - kMaxRows;
    if (surplus <= 0)
        return;
    q->beginRemoveRows({}, 0, surplus - 1);
    rows.erase(rows.begin(), rows.begin() + surplus);
    q->endRemoveRows();
    rowsWentAtTheTop();
    tailing = false;
}

/** What is newer than the rows is asked for again. Of an agent that has none left all that was read went. */
void HistoryModel::Private::rowsWentAtTheTop()
{
    session::Numbers shown;
    for (const events::LockEvent &event : rows) {
        if (const QString agent = agentOf(event); !shown.contains(agent))
            shown.insert(agent, event.seq);
    }
    for (auto it = newest.begin(); it != newest.end(); ++it) {
        if (const auto row = shown.constFind(it.key()); row != shown.cend())
            *it = *row;
        else if (const auto read = oldest.constFind(it.key()); read != oldest.cend())
            *it = *read - 1;
    }
    hasNewer = true;
}

void HistoryModel::Private::prepend(const QList<events::LockEvent> &newestFirst)
{
    if (newestFirst.isEmpty())
        return;
    q->beginInsertRows({}, 0, int(newestFirst.size()) - 1);
    rows.insert(rows.begin(), newestFirst.begin(), newestFirst.end());
    q->endInsertRows();
    const int surplus = int(rows.size()) - kMaxRows;
    if (surplus <= 0)
        return;
    q->beginRemoveRows({}, kMaxRows, int(rows.size()) - 1);
    rows.resize(kMaxRows);
    q->endRemoveRows();
    session::Numbers shown;
    for (const events::LockEvent &event : rows)
        shown.insert(agentOf(event), event.seq);
    for (auto it = oldest.begin(); it != oldest.end(); ++it) {
        if (const auto row = shown.constFind(it.key()); row != shown.cend())
            *it = *row;
        else // all of it that was read went at the end
            *it = newest.value(it.key()) + 1;
    }
    hasOlder = true;
}

/** One is connected now that wasn't when the others were asked. */
bool HistoryModel::Private::lacksAnAgent() const
{
    const QList<session::AgentSession *> all = session.sessions();
    return std::any_of(all.cbegin(), all.cend(), [this](const session::AgentSession *one) {
        return one->link() == session::LinkState::Live && away.contains(one);
    });
}

/** The stream began afresh: what lies between isn't known here. */
void HistoryModel::Private::missedSome()
{
    if (!hasLooked)
        return;
    hasNewer = true;
    if (tailing)
        q->reload();
}

/** Events as they come, oldest first. */
void HistoryModel::Private::live(const QList<events::LockEvent> &events)
{
    if (generation == 0)
        return; // nobody has looked at the history yet, and whoever does reads the newest
    if (!hasLooked && olderRequest) {
        // The first page is on its way: it may hold some of these, and they come after it.
        early.append(events);
        return;
    }
    session::Numbers last = newest;
    bool any = false;
    qint64 count = 0;
    QList<events::LockEvent> found; // as far as they are kept
    for (const events::LockEvent &event : events) {
        const QString agent = agentOf(event);
        quint64 &read = last[agent];
        if (event.seq <= read)
            continue;
        read = event.seq;
        any = true;
        if (!hasNewer && !oldest.contains(agent))
            oldest.insert(agent, event.seq);
        journals[agent].lastSeq = std::max(journals[agent].lastSeq, event.seq);
        if (!state::matches(query, event, replica.agentOf(event.key.source)))
            continue;
        ++count;
        if (!hasNewer) {
            found.append(event);
            found.last().after.reset(); // no row tells of it
        }
    }
    if (!any)
        return;
    std::reverse(found.begin(), found.end());
    if (!hasNewer)
        newest = last;
    if (tailing && !hasNewer) {
        prepend(found);
        return;
    }
    if (!hasNewer) {
        pending = found + pending;
        // More than are worth keeping: they are asked for when the operator gets there.
        if (pending.size() > kMaxPending) {
            pending.clear();
            rowsWentAtTheTop();
        }
    }
    setNewCount(newCount + count);
}

HistoryModel::HistoryModel(session::Agents &session, state::Replica &replica, QObject *parent)
    : RawModel(kEventColumns, parent), d(std::make_unique<Private>(this, session, replica))
{
    connect(&replica, &state::Replica::events, this, [this](const auto &events) { d->live(events); });
    connect(&replica, &state::Replica::reset, this, [this] { d->missedSome(); });
    connect(&replica, &state::Replica::missed, this, [this] { d->missedSome(); });
    connect(&session, &session::Agents::agentChanged, this, [this] {
        d->journals.clear(); // of the other agent
        if (d->hasLooked || d->olderRequest || d->phase == Phase::Failed)
            d->restart(std::nullopt);
    });
    connect(&session, &session::Agents::linkChanged, this, [this] {
        if (d->session.link() == session::LinkState::Live && d->phase == Phase::Failed)
            d->rows.empty() ? d->restart(d->untilUs) : d->setPhase(Phase::Idle);
        else if (d->lacksAnAgent())
            d->restart(d->untilUs); // its events belong between those of the others
    });
}

HistoryModel::~HistoryModel() = default;

int HistoryModel::rows() const
{
    return int(d->rows.size());
}

bool HistoryModel::canFetchMore(const QModelIndex &parent) const
{
    return !parent.isValid() && d->hasOlder && d->hasLooked && !d->olderRequest && d->phase != Phase::Failed;
}

void HistoryModel::fetchMore(const QModelIndex &parent)
{
    if (!canFetchMore(parent))
        return;
    d->foundOlder = 0;
    d->searchedTo.reset();
    d->askOlder();
}

const events::LockEvent *HistoryModel::at(int row) const
{
    return row >= 0 && row < rowCount() ? &d->rows[size_t(row)] : nullptr;
}

void HistoryModel::setQuery(const state::Query &query)
{
    d->query = query;
    d->restart(std::nullopt);
}

const state::Query &HistoryModel::query() const
{
    return d->query;
}

void HistoryModel::goTo(qint64 timeUs)
{
    d->restart(timeUs);
}

void HistoryModel::reload()
{
    d->restart(std::nullopt);
}

void HistoryModel::cancel()
{
    for (const quint64 id : {d->olderRequest, d->newerRequest}) {
        if (id)
            d->session.cancel(id);
    }
}

void HistoryModel::prefetch(int firstRow, int lastRow)
{
    if (lastRow >= rowCount() - kPrefetchRows)
        fetchMore({});
    if (firstRow < kPrefetchRows)
        d->askNewer();
}

bool HistoryModel::isHalted() const
{
    return d->halted;
}

std::optional<qint64> HistoryModel::searchedBackTo() const
{
    return d->searchedTo;
}

HistoryModel::Phase HistoryModel::phase() const
{
    return d->phase;
}

base::Error HistoryModel::error() const
{
    return d->error;
}

bool HistoryModel::hasOlder() const
{
    return d->hasOlder;
}

bool HistoryModel::hasNewer() const
{
    return d->hasNewer;
}

void HistoryModel::setTailing(bool tailing)
{
    if (tailing == d->tailing)
        return;
    if (tailing && d->hasNewer) {
        reload();
        return;
    }
    d->tailing = tailing;
    if (tailing) {
        d->prepend(std::exchange(d->pending, {}));
        d->setNewCount(0);
    }
}

bool HistoryModel::isTailing() const
{
    return d->tailing;
}

qint64 HistoryModel::newCount() const
{
    return d->newCount;
}

qint64 HistoryModel::estimatedTotal() const
{
    qint64 total = 0;
    for (const session::EventsRead::Journal &journal : std::as_const(d->journals)) {
        if (journal.lastSeq && journal.firstSeq)
            total += qint64(journal.lastSeq - journal.firstSeq + 1);
    }
    return total;
}

} // namespace lockkeeper::app::models
