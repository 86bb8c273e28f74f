// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/agent_group_p.h"
#include "app/session/joined_lanes.h"
#include "app/session/qualify.h"
#include "app/session/source_names.h"

#include <QMap>
#include <QSet>

#include <algorithm>
#include <type_traits>
#include <utility>

namespace lockkeeper::app::session {

namespace {

/** The least number of bars per agent, so that the total suits a screen. */
constexpr int kFewestBars = 400;

/**
 * Orders causes, the most informative first. An agent that isn't connected fails first, and its failure says
 * nothing about the others.
 */
struct Failure
{
    QString agent; ///< empty: it wasn't connected
    base::Error error;
    bool operator<(const Failure &other) const { return rank() < other.rank(); }
    int rank() const { return error.code == base::ErrorCode::Cancelled ? 0 : agent.isEmpty() ? 2 : 1; }
};

/** Removes rows of locks that another source of the same store also has and sees better. */
template <typename Row> void dropDoubles(QList<Row> &rows, const SameStores &stores)
{
    if (stores.isEmpty())
        return;
    QSet<domain::LockKey> told;
    for (const Row &row : std::as_const(rows))
        told.insert(row.key);
    rows.removeIf([&](const Row &row) {
        for (const QString &source : stores.of(row.key.source)) {
            if (source == row.key.source)
                return false;
            if (told.contains({source, row.key.scheme, row.key.place, row.key.name}))
                return true;
        }
        return false;
    });
}

/** Removes the aggregate row of a source if another source that also answered sees the same store better. */
template <typename Row> void dropDoubleSources(QList<Row> &rows, const SameStores &stores)
{
    if (stores.isEmpty())
        return;
    QSet<QString> told;
    for (const Row &row : std::as_const(rows))
        told.insert(row.source);
    rows.removeIf([&](const Row &row) {
        const QString best = stores.bestOf(row.source);
        return best != row.source && told.contains(best);
    });
}

/** Removes the row of a client if a source that sees the same store better has one of the same client. */
template <typename Row, typename IsSame>
void dropWorse(QList<Row> &rows, const SameStores &stores, IsSame isSame)
{
    const QList<Row> before = rows;
    rows.removeIf([&](const Row &row) {
        const QStringList same = stores.of(row.source);
        const QStringList better = same.first(same.indexOf(row.source));
        return std::any_of(before.cbegin(), before.cend(), [&](const Row &other) {
            return isSame(row, other) && better.contains(other.source);
        });
    });
}

/** Merges the agents' answers to a request. */
protocol::ChainsPage joined(const QList<protocol::ChainsPage> &pages, const protocol::ChainsQuery &,
                            const SameStores &stores)
{
    protocol::ChainsPage all = mergedChains(pages);
    dropDoubleSources(all.graphs, stores);
    return all;
}

protocol::ContentionPage joined(const QList<protocol::ContentionPage> &pages,
                                const protocol::ContentionQuery &query, const SameStores &stores)
{
    if (pages.size() == 1)
        return pages.first();
    protocol::ContentionPage all = mergedContention(pages, query.limit);
    dropDoubles(all.locks, stores);
    dropWorse(all.blockers, stores, [](const domain::BlockerCost &a, const domain::BlockerCost &b) {
        return a.holder == b.holder && a.statement == b.statement;
    });
    dropWorse(all.waiters, stores,
              [](const domain::WaiterCost &a, const domain::WaiterCost &b) { return a.waiter == b.waiter; });
    if (!stores.isEmpty()) // the agents' sums count some locks twice
        all.waitedUs = all.waits = all.unattributedUs = std::nullopt;
    return all;
}

protocol::SnapshotPage joined(const QList<protocol::SnapshotPage> &pages, const protocol::LocksQuery &,
                              const SameStores &stores)
{
    protocol::SnapshotPage all = mergedLocks(pages);
    dropDoubles(all.locks, stores);
    return all;
}

protocol::ApprovalsPage joined(const QList<protocol::ApprovalsPage> &pages, const protocol::ApprovalsQuery &,
                               const SameStores &)
{
    return mergedApprovals(pages);
}

protocol::AdvicePage joined(const QList<protocol::AdvicePage> &pages, const protocol::AdviceQuery &,
                            const SameStores &stores)
{
    protocol::AdvicePage all = mergedAdvice(pages);
    if (stores.isEmpty())
        return all;
    QSet<std::pair<domain::LockKey, int>> told;
    for (const domain::Advice &one : std::as_const(all.advice))
        told.insert({one.lock, int(one.code)});
    all.advice.removeIf([&](const domain::Advice &one) {
        for (const QString &source : stores.of(one.lock.source)) {
            if (source == one.lock.source)
                return false;
            if (told.contains({{source, one.lock.scheme, one.lock.place, one.lock.name}, int(one.code)}))
                return true;
        }
        return false;
    });
    return all;
}

protocol::Done joined(const QList<protocol::Done> &, const protocol::ReadNow &, const SameStores &)
{
    return {};
}

/**
 * Requests that can go to several agents, because their answers can be merged. Any other request goes to a
 * single agent.
 */
template <typename Request>
concept OfAll = requires(QList<Reply<Request>> pages, Request request, SameStores stores) {
    joined(pages, request, stores);
};

/** Calls `visit` with each name of a source in a request. */
template <typename Request, typename Visit> void visitSources(Request &request, Visit visit)
{
    if constexpr (requires { request.source; })
        visit(request.source);
    if constexpr (requires { request.key.source; }) {
        visit(request.key.source);
    } else if constexpr (requires { request.key->source; }) {
        if (request.key)
            visit(request.key->source);
    }
}

/** The source that a request names; empty: all sources. */
template <typename Request> QString sourceOf(const Request &request)
{
    QString source;
    visitSources(request, [&source](const QString &name) { source = name; });
    return source;
}

/** Fails the question because the agent of its source isn't known. */
template <typename Out> void refuse(QObject *context, const Answer<Out> &answer)
{
    QMetaObject::invokeMethod(
        context,
        [answer] {
            answer(base::failure(base::ErrorCode::Unreachable,
                                 QStringLiteral("the agent of this source isn't connected")));
        },
        Qt::QueuedConnection);
}

} // namespace

/** The request for this agent: with its source names, and its number to continue before. */
template <typename Request>
Request AgentGroup::partFor(const GroupMember &agent, Request request, const Numbers &before) const
{
    if (several())
        visitSources(request, [](QString &name) { name = splitName(name).source; });
    if constexpr (requires { request.keys; }) {
        for (domain::LockKey &key : request.keys)
            key.source = several() ? splitName(key.source).source : key.source;
    }
    if constexpr (requires { request.beforeId; }) {
        if (const auto id = before.constFind(agent.label); id != before.cend())
            request.beforeId = qint64(*id);
    }
    return request;
}

/**
 * Sends each of `agents` the request that `part` makes for it, and answers once, with the result of `merge`
 * for the pages by agent. If `merge` returns nothing, it has repeated the question under the same id.
 */
template <typename Out, typename Part, typename Merge>
quint64 AgentGroup::askAll(const std::vector<GroupMember *> &agents, QObject *context, Answer<Out> answer,
                           Part part, Merge merge, quint64 id)
{
    using Page = Reply<std::invoke_result_t<Part, const GroupMember &>>;
    struct Gathered
    {
        QMap<QString, Page> pages; // in the order of the agents' names, whatever the order of the answers
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
    const auto asked = std::make_shared<GroupRequest>();
    asked->context = context;
    asked->since.start();
    m_asked.removeIf([](const auto &entry) { return entry.value()->context.isNull(); });
    m_asked.insert(id, asked);
    for (qsizetype i = 0; i < qsizetype(agents.size()); ++i) {
        GroupMember *agent = agents[std::size_t(i)];
        const bool wasLive = agent->session->link() == LinkState::Live;
        const auto take = [this, self = QPointer<AgentGroup>(this), id, i, asked, gathered, answer, merge,
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
            // If the rest was cancelled, the answers that arrived before don't stand for all agents.
            const bool isTakenBack = !gathered->failed.isEmpty() && gathered->failed.first().rank() == 0;
            if (gathered->pages.isEmpty() || isTakenBack)
                return answer(tl::unexpected(gathered->failed.first().error));
            if constexpr (std::is_same_v<Page, protocol::Done>) {
                // A standby leaves the reading to the active agent. If any other agent didn't read, the
                // reading is incomplete.
                gathered->failed.removeIf(
                    [](const Failure &one) { return one.error.code == base::ErrorCode::ReadOnly; });
                if (!gathered->failed.isEmpty())
                    return answer(tl::unexpected(gathered->failed.first().error));
            }
            // Unconnected agents are reported elsewhere.
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
        asked->parts.last().id = agent->session->ask(part(*agent), context, take);
    }
    return id;
}

template <typename Request>
quint64 AgentGroup::ask(const Request &request, QObject *context, Answer<Reply<Request>> answer)
{
    const QString source = sourceOf(request);
    if constexpr (OfAll<Request>)
        return askAll(
            membersFor(source), context, std::move(answer),
            [&](const GroupMember &agent) { return partFor(agent, request); },
            [this, request](const auto &pages) {
                return std::optional(joined(pages.values(), request, m_stores));
            });
    else
        return askAgentOf(source, request, context, std::move(answer));
}

template <typename Request>
quint64 AgentGroup::askAgentOf(const QString &source, const Request &request, QObject *context,
                               Answer<Reply<Request>> answer)
{
    const quint64 id = ++m_lastId;
    GroupMember *agent = agentFor(source);
    if (!agent) { // never another agent: it may watch a source of the same name
        refuse(context, answer);
        return id;
    }
    const auto asked = std::make_shared<GroupRequest>();
    asked->context = context;
    asked->since.start();
    m_asked.insert(id, asked);
    asked->parts.append({agent->session.get(), 0, agent->label, false});
    // Reported even if the group is gone: a sent force-release always ends.
    const auto take = [self = QPointer<AgentGroup>(this), id, answer,
                       label = agent->label](base::Result<Reply<Request>> page) {
        if (self)
            self->m_asked.remove(id);
        if (page) {
            qualify(*page, label);
            page->id = id;
        }
        answer(std::move(page));
    };
    asked->parts.last().id = agent->session->ask(partFor(*agent, request), context, take);
    return id;
}

template quint64 AgentGroup::ask(const protocol::AdviceQuery &, QObject *, Answer<protocol::AdvicePage>);
template quint64 AgentGroup::ask(const protocol::ApprovalsQuery &, QObject *,
                                 Answer<protocol::ApprovalsPage>);
template quint64 AgentGroup::ask(const protocol::ChainsQuery &, QObject *, Answer<protocol::ChainsPage>);
template quint64 AgentGroup::ask(const protocol::ContentionQuery &, QObject *,
                                 Answer<protocol::ContentionPage>);
template quint64 AgentGroup::ask(const protocol::ForceRelease &, QObject *, Answer<protocol::ReleaseResult>);
template quint64 AgentGroup::ask(const protocol::HolderChecksQuery &, QObject *,
                                 Answer<protocol::HolderChecksPage>);
template quint64 AgentGroup::ask(const protocol::Inspect &, QObject *, Answer<protocol::Inspected>);
template quint64 AgentGroup::ask(const protocol::LocksQuery &, QObject *, Answer<protocol::SnapshotPage>);
template quint64 AgentGroup::ask(const protocol::ProbeRequest &, QObject *, Answer<protocol::ProbeResult>);
template quint64 AgentGroup::ask(const protocol::ReadNow &, QObject *, Answer<protocol::Done>);
template quint64 AgentGroup::askAgentOf(const QString &, const protocol::AlertAction &, QObject *,
                                        Answer<protocol::Done>);
template quint64 AgentGroup::askAgentOf(const QString &, const protocol::AlertsQuery &, QObject *,
                                        Answer<protocol::AlertsPage>);
template quint64 AgentGroup::askAgentOf(const QString &, const protocol::ReceiverTest &, QObject *,
                                        Answer<protocol::Done>);
template quint64 AgentGroup::askAgentOf(const QString &, const protocol::Decision &, QObject *,
                                        Answer<protocol::ReleaseResult>);
template quint64 AgentGroup::askAgentOf(const QString &, const protocol::AdviceQuery &, QObject *,
                                        Answer<protocol::AdvicePage>);
template quint64 AgentGroup::askAgentOf(const QString &, const protocol::AuditQuery &, QObject *,
                                        Answer<protocol::AuditPage>);
template quint64 AgentGroup::askAgentOf(const QString &, const protocol::HistoryQuery &, QObject *,
                                        Answer<protocol::EventPage>);
template quint64 AgentGroup::askAgentOf(const QString &, const protocol::HoldsQuery &, QObject *,
                                        Answer<protocol::HoldPage>);
template quint64 AgentGroup::askAgentOf(const QString &, const protocol::LocksQuery &, QObject *,
                                        Answer<protocol::SnapshotPage>);
template quint64 AgentGroup::askAgentOf(const QString &, const protocol::TimelineQuery &, QObject *,
                                        Answer<protocol::TimelinePage>);
template quint64 AgentGroup::askAgentOf(const QString &, const protocol::StatusQuery &, QObject *,
                                        Answer<protocol::Status>);

quint64 AgentGroup::history(const protocol::HistoryQuery &query, QObject *context, Answer<EventsRead> answer,
                            const Numbers &from, std::optional<qint64> startUs)
{
    const auto partOf = [&](const GroupMember &agent) {
        protocol::HistoryQuery part = partFor(agent, query);
        const auto number = from.constFind(agent.label);
        if (number != from.cend())
            (query.descending ? part.beforeSeq : part.afterSeq) = *number;
        else if (startUs && query.descending)
            part.toUs = std::min(*startUs, part.toUs.value_or(*startUs));
        else if (startUs)
            part.fromUs = std::max(*startUs, part.fromUs.value_or(*startUs));
        return part;
    };
    const std::vector<GroupMember *> agents = membersFor(query.source);
    QList<QPointer<AgentSession>> asked;
    for (const GroupMember *agent : agents)
        asked.append(agent->session.get());
    const auto merge = [this, asked, limit = query.limit, descending = query.descending](const auto &pages) {
        EventsRead read = mergedEvents(pages, limit, descending);
        for (const QPointer<AgentSession> &one : asked) {
            if (one && one->link() != LinkState::Live && !pages.contains(several() ? nameOf(one) : QString()))
                read.away.insert(one);
        }
        return std::optional(read);
    };
    return askAll(agents, context, std::move(answer), partOf, merge);
}

quint64 AgentGroup::holds(const protocol::HoldsQuery &query, QObject *context,
                          Answer<protocol::HoldPage> answer, const Numbers &before)
{
    return askAll(
        membersFor(sourceOf(query)), context, std::move(answer),
        [&](const GroupMember &agent) { return partFor(agent, query, before); },
        [limit = query.limit](const auto &pages) {
            return std::optional(mergedHolds(pages.values(), limit));
        });
}

quint64 AgentGroup::audit(const protocol::AuditQuery &query, QObject *context,
                          Answer<protocol::AuditPage> answer, const Numbers &before, const QString &source)
{
    // An agent that doesn't know the question after one command answers with its newest entry.
    const int limit = query.command.isEmpty() ? query.limit : query.limit * int(m_agents.size());
    return askAll(
        membersFor(source), context, std::move(answer),
        [&](const GroupMember &agent) { return partFor(agent, query, before); },
        [limit](const auto &pages) {
            return std::optional(pages.size() == 1 ? pages.first() : mergedAudit(pages.values(), limit));
        });
}

quint64 AgentGroup::waiting(const protocol::WaitingQuery &query, QObject *context, Answer<WaitingRead> answer)
{
    return askAll(
        membersFor({}), context, std::move(answer),
        [&](const GroupMember &agent) { return partFor(agent, query); },
        [this](const auto &pages) {
            WaitingRead read{mergedWaiting(pages.values()), {}};
            read.copies = read.sources;
            dropDoubleSources(read.sources, m_stores);
            read.copies.removeIf([&](const auto &one) { return read.sources.contains(one); });
            return std::optional(read);
        });
}

quint64 AgentGroup::timeline(const protocol::TimelineQuery &query, QObject *context,
                             Answer<protocol::TimelinePage> answer)
{
    return askTimeline(query, context, std::move(answer), 2, 0);
}

quint64 AgentGroup::askTimeline(const protocol::TimelineQuery &query, QObject *context,
                                Answer<protocol::TimelinePage> answer, int rounds, quint64 id)
{
    std::vector<GroupMember *> agents = membersFor(query.source);
    if (several() && !query.keys.isEmpty()) {
        std::erase_if(agents, [&](const GroupMember *agent) {
            return std::none_of(query.keys.cbegin(), query.keys.cend(),
                                [&](const domain::LockKey &key) { return agentFor(key.source) == agent; });
        });
    }
    const auto partOf = [&](const GroupMember &agent) {
        protocol::TimelineQuery part = partFor(agent, query);
        if (several()) {
            part.bars = std::max(kFewestBars, query.bars / int(agents.size()));
            part.keys.clear();
            for (domain::LockKey key : query.keys) {
                if (agentFor(key.source) != &agent)
                    continue;
                key.source = splitName(key.source).source;
                part.keys.append(key);
            }
        }
        return part;
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
        // Only slices of the same width can be drawn beside each other.
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
    return askAll(agents, context, answer, partOf, merge, known);
}

void AgentGroup::cancel(quint64 id)
{
    const std::shared_ptr<GroupRequest> asked = m_asked.value(id);
    if (!asked)
        return;
    for (const GroupRequest::AgentAnswer &part : std::as_const(asked->parts)) {
        if (part.session && !part.answered)
            part.session->cancel(part.id);
    }
}

} // namespace lockkeeper::app::session
