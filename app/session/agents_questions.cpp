// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/agents_p.h"
#include "app/session/joined_lanes.h"
#include "app/session/qualify.h"
#include "app/session/source_names.h"

#include <QMap>
#include <QSet>

#include <algorithm>
#include <utility>

namespace lockkeeper::app::session {

namespace {

/** One agent's bars, so that all together stay what a screen can show. */
constexpr int kFewestBars = 400;

const domain::LockKey *lockOf(const domain::LockState &lock)
{
    return &lock.key;
}
const domain::LockKey *lockOf(const domain::Contention &lock)
{
    return &lock.key;
}
const QString &sourceOf(const protocol::SourceWaiting &waiting)
{
    return waiting.source;
}
const QString &sourceOf(const domain::WaitGraph &graph)
{
    return graph.source;
}

/** Of several causes the one that tells most: who isn't connected fails first, and says nothing of the rest.
 */
struct Failure
{
    QString agent; ///< empty: it wasn't connected
    base::Error error;
    bool operator<(const Failure &other) const { return rank() < other.rank(); }
    int rank() const { return error.code == base::ErrorCode::Cancelled ? 0 : agent.isEmpty() ? 2 : 1; }
};

template <typename Page> QList<Page> pagesOf(const QMap<QString, Page> &pages)
{
    return pages.values();
}

} // namespace

/**
 * Asks each of `agents` by `ask`, and answers once, with what `merge` makes of the pages by their agents.
 * Where it makes nothing, it has asked again under the same id.
 */
template <typename Page, typename Out, typename Ask, typename Merge>
quint64 Agents::askAll(const std::vector<Agent *> &agents, QObject *context, Answer<Out> answer, Ask ask,
                       Merge merge, quint64 id)
{
    struct Gathered
    {
        QMap<QString, Page> pages; // in the order of the agents' names, whoever answers first
        QList<Failure> failed;
        std::size_t missing = 0;
    };
    if (id == 0)
        id = ++m_lastId;
    if (agents.empty()) {
        refuse(context, answer);
        return id;
    }
    const auto gathered = std::make_shared<Gathered>();
    gathered->missing = agents.size();
    const auto asked = std::make_shared<Asked>();
    asked->context = context;
    asked->since.start();
    m_asked.removeIf([](const auto &entry) { return entry.value()->context.isNull(); });
    m_asked.insert(id, asked);
    for (qsizetype i = 0; i < qsizetype(agents.size()); ++i) {
        Agent *agent = agents[std::size_t(i)];
        const bool wasLive = agent->session->link() == LinkState::Live;
        const auto take = [this, self = QPointer<Agents>(this), id, i, asked, gathered, answer, merge,
                           wasLive, label = agent->label](base::Result<Page> page) {
            if (!self)
                return;
            asked->parts[i].answered = true;
            if (page) {
                qualify(*page, label);
                gathered->pages.insert(label, *std::move(page));
            } else {
                gathered->failed.append({wasLive ? label : QString(), page.error()});
            }
            if (--gathered->missing > 0)
                return;
            if (m_asked.value(id) == asked)
                m_asked.remove(id);
            std::stable_sort(gathered->failed.begin(), gathered->failed.end());
            // What some had answered before the rest was taken back isn't an answer of all.
            const bool isTakenBack = !gathered->failed.isEmpty() && gathered->failed.first().rank() == 0;
            if (gathered->pages.isEmpty() || isTakenBack)
                return answer(tl::unexpected(gathered->failed.first().error));
            // Whoever isn't connected is told of elsewhere.
            for (const Failure &failure : std::as_const(gathered->failed)) {
                if (!failure.agent.isEmpty())
                    Q_EMIT leftOut(failure.agent, failure.error);
            }
            std::optional<Out> all = merge(gathered->pages);
            if (!all)
                return;
            all->id = id;
            answer(*std::move(all));
        };
        asked->parts.append({agent->session.get(), 0, agent->label, false});
        asked->parts.last().id = ask(*agent, take);
    }
    return id;
}

/** The agent of what the question is about isn't known. */
template <typename Out> void Agents::refuse(QObject *context, const Answer<Out> &answer) const
{
    QMetaObject::invokeMethod(
        context,
        [answer] {
            answer(base::failure(base::ErrorCode::Unreachable,
                                 QStringLiteral("the agent of this source isn't connected")));
        },
        Qt::QueuedConnection);
}

template <typename Page, typename Ask>
quint64 Agents::askOne(Agent *agent, QObject *context, Answer<Page> answer, Ask ask)
{
    const auto asked = std::make_shared<Asked>();
    asked->context = context;
    asked->since.start();
    const quint64 id = ++m_lastId;
    if (!agent) { // never another one: it may watch a source of the same name
        refuse(context, answer);
        return id;
    }
    m_asked.insert(id, asked);
    asked->parts.append({agent->session.get(), 0, agent->label, false});
    asked->parts.last().id =
        ask(*agent, [self = QPointer<Agents>(this), id, answer](base::Result<Page> page) {
            if (self)
                self->m_asked.remove(id);
            if (page)
                page->id = id;
            answer(std::move(page));
        });
    return id;
}

/** A row of a lock that another source of the same store has too, and sees better, goes. */
template <typename Row> void Agents::dropDoubles(QList<Row> &rows) const
{
    if (m_stores.isEmpty())
        return;
    QSet<domain::LockKey> told;
    for (const Row &row : std::as_const(rows)) {
        told.insert(*lockOf(row));
    }
    rows.removeIf([&](const Row &row) {
        const domain::LockKey *key = lockOf(row);
        for (const QString &source : m_stores.of(key->source)) {
            if (source == key->source)
                return false;
            if (told.contains({source, key->scheme, key->place, key->name}))
                return true;
        }
        return false;
    });
}

/** What a source adds up goes where another one sees the same store better. */
template <typename Row> void Agents::dropDoubleSources(QList<Row> &rows) const
{
    if (m_stores.isEmpty())
        return;
    QSet<QString> told;
    for (const Row &row : std::as_const(rows))
        told.insert(sourceOf(row));
    rows.removeIf([&](const Row &row) {
        const QString best = m_stores.bestOf(sourceOf(row));
        return best != sourceOf(row) && told.contains(best);
    });
}

quint64 Agents::history(protocol::HistoryQuery query, QObject *context, Answer<EventsRead> answer,
                        const Numbers &from, std::optional<qint64> startUs)
{
    const auto ask = [&](Agent &agent, const Answer<protocol::EventPage> &take) {
        protocol::HistoryQuery part = query;
        if (several())
            part.source = splitName(query.source).source;
        const auto number = from.constFind(agent.label);
        if (number != from.cend())
            (query.descending ? part.beforeSeq : part.afterSeq) = *number;
        else if (startUs && query.descending)
            part.toUs = std::min(*startUs, part.toUs.value_or(*startUs));
        else if (startUs)
            part.fromUs = std::max(*startUs, part.fromUs.value_or(*startUs));
        return agent.session->history(part, context, take);
    };
    const std::vector<Agent *> agents = whom(query.source);
    QList<QPointer<AgentSession>> asked;
    for (const Agent *agent : agents)
        asked.append(agent->session.get());
    const auto merge = [this, asked, limit = query.limit, descending = query.descending](const auto &pages) {
        QHash<QString, protocol::EventPage> byAgent;
        for (auto it = pages.cbegin(); it != pages.cend(); ++it)
            byAgent.insert(it.key(), it.value());
        EventsRead read = mergedEvents(byAgent, limit, descending);
        for (const QPointer<AgentSession> &one : asked) {
            if (one && one->link() != LinkState::Live && !pages.contains(several() ? nameOf(one) : QString()))
                read.away.insert(one);
        }
        return std::optional(read);
    };
    return askAll<protocol::EventPage, EventsRead>(agents, context, std::move(answer), ask, merge);
}

quint64 Agents::holds(protocol::HoldsQuery query, QObject *context, Answer<protocol::HoldPage> answer,
                      const Numbers &before)
{
    const QString of = query.key ? query.key->source : query.source;
    const auto ask = [&](Agent &agent, const Answer<protocol::HoldPage> &take) {
        protocol::HoldsQuery part = query;
        if (several()) {
            part.source = splitName(query.source).source;
            if (part.key)
                part.key->source = splitName(of).source;
        }
        if (const auto id = before.constFind(agent.label); id != before.cend())
            part.beforeId = qint64(*id);
        return agent.session->holds(part, context, take);
    };
    return askAll<protocol::HoldPage, protocol::HoldPage>(
        whom(of), context, std::move(answer), ask, [limit = query.limit](const auto &pages) {
            return std::optional(mergedHolds(pagesOf(pages), limit));
        });
}

quint64 Agents::audit(protocol::AuditQuery query, QObject *context, Answer<protocol::AuditPage> answer,
                      const Numbers &before, const QString &source)
{
    const auto ask = [&](Agent &agent, const Answer<protocol::AuditPage> &take) {
        protocol::AuditQuery part = query;
        if (const auto id = before.constFind(agent.label); id != before.cend())
            part.beforeId = qint64(*id);
        return agent.session->audit(part, context, take);
    };
    // An agent that doesn't know the question after one command answers with its newest entry.
    const int limit = query.command.isEmpty() ? query.limit : query.limit * int(m_agents.size());
    const std::vector<Agent *> agents = whom(source);
    const auto answered = std::make_shared<std::size_t>(0);
    const auto merge = [limit, answered](const auto &pages) {
        *answered = std::size_t(pages.size());
        if (pages.size() == 1)
            return std::optional(pages.first());
        return std::optional(mergedAudit(pagesOf(pages), limit));
    };
    const auto whole = [answer, answered, count = agents.size(),
                        verify = query.verify](base::Result<protocol::AuditPage> page) {
        if (verify && page && page->verified && *answered < count)
            return answer(base::failure(base::ErrorCode::Unreachable,
                                        QStringLiteral("not every agent could check its audit")));
        answer(std::move(page));
    };
    return askAll<protocol::AuditPage, protocol::AuditPage>(agents, context, whole, ask, merge);
}

quint64 Agents::inspect(const domain::LockKey &key, QObject *context, Answer<protocol::Inspected> answer)
{
    const auto ask = [&](Agent &agent, const Answer<protocol::Inspected> &take) {
        domain::LockKey plain = key;
        if (several())
            plain.source = splitName(key.source).source;
        return agent.session->inspect(plain, context,
                                      [take, label = agent.label](base::Result<protocol::Inspected> seen) {
                                          if (seen)
                                              qualify(*seen, label);
                                          take(std::move(seen));
                                      });
    };
    return askOne<protocol::Inspected>(agentFor(key.source), context, std::move(answer), ask);
}

quint64 Agents::status(const QString &source, QObject *context, Answer<protocol::Status> answer)
{
    const auto ask = [&](Agent &agent, const Answer<protocol::Status> &take) {
        return agent.session->status(context, [take, label = agent.label](base::Result<protocol::Status> s) {
            if (s)
                qualify(*s, label);
            take(std::move(s));
        });
    };
    return askOne<protocol::Status>(agentFor(source), context, std::move(answer), ask);
}

quint64 Agents::chains(const QString &source, QObject *context, Answer<protocol::ChainsPage> answer)
{
    const auto ask = [&](Agent &agent, const Answer<protocol::ChainsPage> &take) {
        return agent.session->chains(several() ? splitName(source).source : source, context, take);
    };
    return askAll<protocol::ChainsPage, protocol::ChainsPage>(whom(source), context, std::move(answer), ask,
                                                              [this](const auto &pages) {
                                                                  auto all = mergedChains(pagesOf(pages));
                                                                  dropDoubleSources(all.graphs);
                                                                  return std::optional(all);
                                                              });
}

quint64 Agents::contention(protocol::ContentionQuery query, QObject *context,
                           Answer<protocol::ContentionPage> answer)
{
    const auto ask = [&](Agent &agent, const Answer<protocol::ContentionPage> &take) {
        protocol::ContentionQuery part = query;
        if (several())
            part.source = splitName(query.source).source;
        return agent.session->contention(part, context, take);
    };
    const auto merge = [this, limit = query.limit](const auto &pages) {
        if (pages.size() == 1)
            return std::optional(pages.first());
        protocol::ContentionPage all = mergedContention(pagesOf(pages), limit);
        dropDoubles(all.locks);
        const QList<domain::WaiterCost> waiters = all.waiters;
        all.waiters.removeIf([&](const domain::WaiterCost &waiter) {
            const QStringList same = m_stores.of(waiter.source);
            const QStringList better = same.first(same.indexOf(waiter.source));
            return std::any_of(waiters.cbegin(), waiters.cend(), [&](const domain::WaiterCost &other) {
                return other.waiter == waiter.waiter && better.contains(other.source);
            });
        });
        if (!m_stores.isEmpty())
            all.waitedUs = all.waits = std::nullopt; // the agents' sums count some locks twice
        return std::optional(all);
    };
    return askAll<protocol::ContentionPage, protocol::ContentionPage>(whom(query.source), context,
                                                                      std::move(answer), ask, merge);
}

quint64 Agents::waiting(protocol::WaitingQuery query, QObject *context, Answer<protocol::WaitingPage> answer)
{
    const auto ask = [&](Agent &agent, const Answer<protocol::WaitingPage> &take) {
        return agent.session->waiting(query, context, take);
    };
    return askAll<protocol::WaitingPage, protocol::WaitingPage>(
        whom({}), context, std::move(answer), ask, [this](const auto &pages) {
            auto all = mergedWaiting(pagesOf(pages));
            all.copies = all.sources;
            dropDoubleSources(all.sources);
            all.copies.removeIf([&](const auto &one) { return all.sources.contains(one); });
            return std::optional(all);
        });
}

quint64 Agents::timeline(protocol::TimelineQuery query, QObject *context,
                         Answer<protocol::TimelinePage> answer)
{
    return askTimeline(query, context, std::move(answer), 2, 0);
}

quint64 Agents::askTimeline(const protocol::TimelineQuery &query, QObject *context,
                            Answer<protocol::TimelinePage> answer, int rounds, quint64 id)
{
    std::vector<Agent *> agents = whom(query.source);
    if (several() && !query.keys.isEmpty()) {
        std::erase_if(agents, [&](const Agent *agent) {
            return std::none_of(query.keys.cbegin(), query.keys.cend(),
                                [&](const domain::LockKey &key) { return agentFor(key.source) == agent; });
        });
    }
    const auto ask = [&](Agent &agent, const Answer<protocol::TimelinePage> &take) {
        protocol::TimelineQuery part = query;
        if (several()) {
            part.source = splitName(query.source).source;
            part.bars = std::max(kFewestBars, query.bars / int(agents.size()));
            part.keys.clear();
            for (domain::LockKey key : query.keys) {
                if (agentFor(key.source) != &agent)
                    continue;
                key.source = splitName(key.source).source;
                part.keys.append(key);
            }
        }
        return agent.session->timeline(part, context, take);
    };
    const quint64 known = id != 0 ? id : ++m_lastId;
    const auto merge = [this, query, context = QPointer<QObject>(context), answer, rounds,
                        known](const auto &pages) -> std::optional<protocol::TimelinePage> {
        if (pages.size() == 1)
            return pages.first();
        qint64 narrowest = 0;
        qint64 widest = 0;
        for (const protocol::TimelinePage &page : pages) {
            narrowest = narrowest > 0 ? std::min(narrowest, page.sliceUs) : page.sliceUs;
            widest = std::max(widest, page.sliceUs);
        }
        // Slices of one width alone can be drawn beside each other.
        if (narrowest != widest && rounds > 1) {
            protocol::TimelineQuery wider = query;
            wider.sliceUs = widest;
            askTimeline(wider, context, answer, rounds - 1, known);
            return std::nullopt;
        }
        QList<protocol::TimelinePage> fitting;
        for (auto it = pages.cbegin(); it != pages.cend(); ++it) {
            if (it->sliceUs == 0 || it->sliceUs == widest)
                fitting.append(*it);
            else
                Q_EMIT leftOut(
                    it.key(),
                    {base::ErrorCode::Unsupported, QStringLiteral("its timeline is of another width"), {}});
        }
        protocol::TimelinePage all = mergedTimeline(fitting, query.lanes, query.keys);
        QHash<QString, qint64> firstUs;
        for (auto it = pages.cbegin(); it != pages.cend(); ++it)
            firstUs.insert(it.key(), it->firstUs);
        joinLanes(all, m_stores, firstUs);
        return all;
    };
    return askAll<protocol::TimelinePage, protocol::TimelinePage>(agents, context, answer, ask, merge, known);
}

quint64 Agents::locksAt(qint64 atUs, QObject *context, Answer<protocol::SnapshotPage> answer)
{
    const auto ask = [&](Agent &agent, const Answer<protocol::SnapshotPage> &take) {
        return agent.session->locksAt(atUs, context, take);
    };
    return askAll<protocol::SnapshotPage, protocol::SnapshotPage>(whom({}), context, std::move(answer), ask,
                                                                  [this](const auto &pages) {
                                                                      auto all = mergedLocks(pagesOf(pages));
                                                                      dropDoubles(all.locks);
                                                                      return std::optional(all);
                                                                  });
}

quint64 Agents::probe(protocol::ProbeRequest request, QObject *context, Answer<protocol::ProbeResult> answer)
{
    Agent *agent = agentFor(request.source);
    if (several())
        request.source = splitName(request.source).source;
    return askOne<protocol::ProbeResult>(
        agent, context, std::move(answer),
        [&](Agent &one, const auto &take) { return one.session->probe(request, context, take); });
}

quint64 Agents::readNow(const QString &source, QObject *context, Answer<protocol::Done> answer)
{
    const auto ask = [&](Agent &agent, const Answer<protocol::Done> &take) {
        return agent.session->readNow(several() ? splitName(source).source : source, context, take);
    };
    return askAll<protocol::Done, protocol::Done>(
        whom(source), context, std::move(answer), ask,
        [](const auto &) { return std::optional<protocol::Done>(protocol::Done()); });
}

quint64 Agents::forceRelease(protocol::ForceRelease request, QObject *context,
                             Answer<protocol::ReleaseResult> answer)
{
    Agent *agent = agentFor(request.key.source);
    if (several())
        request.key.source = splitName(request.key.source).source;
    return askOne<protocol::ReleaseResult>(
        agent, context, std::move(answer),
        [&](Agent &one, const auto &take) { return one.session->forceRelease(request, context, take); });
}

quint64 Agents::approvals(QObject *context, Answer<protocol::ApprovalsPage> answer)
{
    const auto ask = [&](Agent &agent, const Answer<protocol::ApprovalsPage> &take) {
        return agent.session->approvals(context, take);
    };
    return askAll<protocol::ApprovalsPage, protocol::ApprovalsPage>(
        whom({}), context, std::move(answer), ask,
        [](const auto &pages) { return std::optional(mergedApprovals(pagesOf(pages))); });
}

quint64 Agents::decide(const QString &source, const protocol::Decision &decision, QObject *context,
                       Answer<protocol::ReleaseResult> answer)
{
    return askOne<protocol::ReleaseResult>(
        agentFor(source), context, std::move(answer),
        [&](Agent &one, const auto &take) { return one.session->decide(decision, context, take); });
}

void Agents::cancel(quint64 id)
{
    const std::shared_ptr<Asked> asked = m_asked.value(id);
    if (!asked)
        return;
    for (const Asked::Part &part : std::as_const(asked->parts)) {
        if (part.session && !part.answered)
            part.session->cancel(part.id);
    }
}

} // namespace lockkeeper::app::session
