// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/requests/dispatcher.h"

#include "agent/journal/query/queries.h"
#include "agent/release/permissions.h"
#include "agent/requests/chains.h"

#include <QPointer>

#include <algorithm>
#include <memory>

namespace lockkeeper::agent::requests {

namespace {

using base::ErrorCode;
using journal::Queries;

bool isHolderLook(const protocol::Message &message)
{
    const auto *query = std::get_if<protocol::HolderChecksQuery>(&message);
    return query && query->key != domain::LockKey();
}

/** Whether a request needs a source's store. A standby agent has no connection to it, and doesn't write to
 * it. */
bool asksStore(const protocol::Message &message)
{
    return std::holds_alternative<protocol::Inspect>(message) ||
           std::holds_alternative<protocol::ForceRelease>(message) ||
           std::holds_alternative<protocol::Decision>(message) ||
           std::holds_alternative<protocol::ProbeRequest>(message) ||
           std::holds_alternative<protocol::ReadNow>(message) || isHolderLook(message);
}

} // namespace

Dispatcher::Dispatcher(release::SourceDirectory &sources, journal::Journal &journal,
                       release::Releaser &releaser, Prober &prober, release::Approvals &approvals,
                       AlertCenter &alerts, LivenessCenter &liveness, DiscoveryRunner &discoveries,
                       Barrier barrier, StatusOf status, StandbyOf standby)
    : m_sources(sources),
      m_journal(journal),
      m_releaser(releaser),
      m_prober(prober),
      m_approvals(approvals),
      m_alerts(alerts),
      m_liveness(liveness),
      m_discoveries(discoveries),
      m_barrier(std::move(barrier)),
      m_status(std::move(status)),
      m_standby(std::move(standby))
{
}

bool Dispatcher::allowed(const protocol::Message &message, const release::Asker &asker, const Reply &reply)
{
    auto error = release::refusalOf(message, asker.grants);
    if (!error && asksStore(message))
        error = m_standby();
    if (!error)
        return true;
    if (const auto *release = std::get_if<protocol::ForceRelease>(&message))
        m_releaser.deny(*release, asker, *error, reply);
    else if (const auto *probe = std::get_if<protocol::ProbeRequest>(&message))
        m_prober.deny(*probe, asker, *error, reply);
    else if (const auto *discover = std::get_if<protocol::DiscoverRequest>(&message))
        m_discoveries.deny(*discover, asker, *error, reply);
    else if (const auto *decision = std::get_if<protocol::Decision>(&message))
        m_approvals.deny(*decision, asker, *error, reply);
    else
        reply(protocol::Failed{release::requestId(message), *error});
    return false;
}

/** Handles one message. A message that has neither a handler here nor an entry in Elsewhere doesn't compile.
 */
struct Dispatcher::Handler
{
    /** The session and its channel handle these; answers never arrive as requests. */
    using Elsewhere =
        std::variant<protocol::Hello, protocol::Ping, protocol::Pong, protocol::Goodbye, protocol::Login,
                     protocol::Cancel, protocol::Subscribe, protocol::LocksQuery>;

    Dispatcher &d;
    const release::Asker &asker;
    const Reply &reply;
    const std::stop_token &takenBack;
    const domain::Sight sight = d.sightOf(asker.grants);

    void operator()(const protocol::HistoryQuery &query) const
    {
        ask(query, [query](Queries &queries) { return queries.events.history(query); });
    }
    void operator()(const protocol::HoldsQuery &query) const
    {
        ask(query, [query, observed = d.sourceNames(sight)](Queries &queries) {
            auto page = queries.holds.holds(query);
            if (page) {
                if (const auto ended = queries.holds.endUnobserved(*page, observed); !ended)
                    page = tl::unexpected(ended.error());
            }
            return page;
        });
    }
    void operator()(const protocol::AuditQuery &query) const
    {
        ask(
            query, [query](Queries &queries) { return queries.audit.audit(query); }, query.verify);
    }
    void operator()(const protocol::ContentionQuery &query) const
    {
        ask(query, [query, seen = d.seenUntil()](Queries &queries) {
            return queries.contention.contention(query, seen);
        });
    }
    void operator()(const protocol::WaitingQuery &query) const
    {
        ask(query, [query, names = d.sourceNames(sight), seen = d.seenUntil()](Queries &queries) {
            return queries.waiting.waiting(query, names, seen);
        });
    }
    void operator()(const protocol::AdviceQuery &query) const
    {
        ask(query, [query, sources = d.adviceSources(sight)](Queries &queries) {
            return queries.advice.advice(query, sources);
        });
    }
    void operator()(const protocol::TimelineQuery &query) const
    {
        ask(query, [query](Queries &queries) { return queries.timeline.timeline(query); });
    }
    void operator()(const protocol::StatusQuery &query) const
    {
        protocol::Status answer = d.m_status();
        answer.id = query.id;
        answer.sources = sight.shown(std::move(answer.sources));
        reply(answer);
    }
    void operator()(const protocol::ChainsQuery &query) const { d.chains(query, sight, reply); }
    void operator()(const protocol::Inspect &request) const
    {
        d.m_releaser.inspect(request, asker, reply, sight);
    }
    void operator()(const protocol::ForceRelease &request) const
    {
        d.m_releaser.release(request, asker, reply);
    }
    void operator()(const protocol::ProbeRequest &request) const { d.m_prober.probe(request, asker, reply); }
    void operator()(const protocol::DiscoverRequest &request) const
    {
        d.m_discoveries.discover(request, asker, reply, takenBack);
    }
    void operator()(const protocol::ApprovalsQuery &query) const
    {
        QList<domain::ApprovalRequest> requests = d.m_approvals.list();
        requests.removeIf([this](const domain::ApprovalRequest &one) { return !sight.sees(one.key); });
        reply(protocol::ApprovalsPage{query.id, std::move(requests)});
    }
    void operator()(const protocol::Decision &decision) const
    {
        d.m_approvals.decide(decision, asker, reply);
    }
    void operator()(const protocol::AlertsQuery &query) const
    {
        const AlertCenter::SeenAlerts seen = d.m_alerts.alerts(sight);
        protocol::AlertsPage page{query.id, seen.list, {}, d.m_alerts.nowUs(), seen.more};
        if (sight.isWhole())
            page.receivers = d.m_alerts.receivers();
        reply(page);
    }
    void operator()(const protocol::AlertAction &action) const
    {
        d.m_alerts.act(action, asker, sight, doneReply(action.id));
    }
    void operator()(const protocol::ReceiverTest &test) const
    {
        d.m_alerts.test(test.receiver, doneReply(test.id));
    }
    void operator()(const protocol::HolderChecksQuery &query) const
    {
        const auto answer = [id = query.id, reply = reply,
                             &center = d.m_liveness](const QList<domain::HolderCheck> &checks) {
            reply(protocol::HolderChecksPage{id, checks, center.nowUs()});
        };
        if (query.key == domain::LockKey())
            answer(d.m_liveness.known(sight));
        else
            d.m_liveness.look(query.key, sight, answer);
    }
    void operator()(const protocol::ReadNow &request) const { d.readNow(request, asker, sight, reply); }
    void operator()(const protocol::WhoAmI &query) const
    {
        reply(
            protocol::Identified{query.id, access::wayName(asker.identity.way), asker.user(), asker.grants});
    }
    void operator()(const release::OneOf<Elsewhere> auto &) const {}
    void operator()(const release::OneOf<release::FromAgent> auto &) const {}

private:
    AlertCenter::Done doneReply(quint64 id) const
    {
        return [id, reply = reply](const base::Result<void> &done) {
            if (done)
                reply(protocol::Done{id});
            else
                reply(protocol::Failed{id, done.error()});
        };
    }
    /** Answers with the journal's page, or with the failure. */
    void ask(const auto &query, auto question, bool isLong = false) const
    {
        const auto pageReply = [id = query.id, reply = reply](const auto &page) {
            if (page)
                reply(*page);
            else
                reply(protocol::Failed{id, page.error()});
        };
        d.m_journal.ask(std::move(question), pageReply, takenBack, sight, isLong);
    }
};

bool Dispatcher::dispatch(const protocol::Message &message, const release::Asker &asker, const Reply &reply,
                          const std::stop_token &takenBack)
{
    const Handler handler{*this, asker, reply, takenBack};
    return std::visit(
        [&handler]<typename M>(const M &request) {
            handler(request);
            return !release::OneOf<M, Handler::Elsewhere> && !release::OneOf<M, release::FromAgent>;
        },
        message);
}

domain::Sight Dispatcher::sightOf(const domain::Grants &grants) const
{
    if (grants.looksEverywhere())
        return {};
    QStringList seen;
    for (const release::SourcePort *port : m_sources.sources()) {
        QList<QByteArray> matches;
        for (const stores::LockSet &set : port->spec().locks)
            matches.append(set.match);
        if (grants.mayLookAtSome(port->spec().name, matches))
            seen.append(port->spec().name);
    }
    return {grants, std::move(seen)};
}

QList<release::SourcePort *> Dispatcher::seenPorts(const domain::Sight &sight) const
{
    QList<release::SourcePort *> ports = m_sources.sources();
    if (!sight.isWhole())
        ports.removeIf([&sight](const release::SourcePort *port) { return !sight.sees(port->spec().name); });
    return ports;
}

std::optional<QList<release::SourcePort *>>
Dispatcher::portsFor(quint64 id, const QString &source, const domain::Sight &sight, const Reply &reply) const
{
    if (source.isEmpty())
        return seenPorts(sight);
    if (release::SourcePort *port = sight.sees(source) ? m_sources.source(source) : nullptr)
        return QList<release::SourcePort *>{port};
    reply(protocol::Failed{id, {ErrorCode::NotFound, QStringLiteral("no source has this name"), {}}});
    return std::nullopt;
}

void Dispatcher::chains(const protocol::ChainsQuery &query, const domain::Sight &sight, const Reply &reply)
{
    const auto ports = portsFor(query.id, query.source, sight, reply);
    if (!ports)
        return;
    QList<domain::WaitGraph> graphs;
    for (const release::SourcePort *port : *ports) {
        if (auto graph = port->waitGraph())
            graphs.append(shownGraph(std::move(*graph), sight));
    }
    reply(chainsPage(query.id, std::move(graphs)));
}

QStringList Dispatcher::sourceNames(const domain::Sight &sight) const
{
    QStringList names;
    for (const release::SourcePort *port : seenPorts(sight))
        names.append(port->state().name);
    return names;
}

/** The time of each source's last observation, which the journal doesn't know yet. */
journal::SeenUntil Dispatcher::seenUntil() const
{
    journal::SeenUntil seenUntil;
    for (const release::SourcePort *port : m_sources.sources()) {
        const domain::SourceState state = port->state();
        if (state.lastSeenUs && !state.gapSinceUs)
            seenUntil.insert(state.name, *state.lastSeenUs);
    }
    return seenUntil;
}

journal::AdviceQueries::Sources Dispatcher::adviceSources(const domain::Sight &sight) const
{
    journal::AdviceQueries::Sources sources;
    for (const release::SourcePort *port : seenPorts(sight)) {
        const domain::SourceState state = port->state();
        journal::AdviceSource source;
        source.seenUntilUs = state.gapSinceUs ? 0 : state.lastSeenUs.value_or(0);
        source.lookUs = std::max(state.pollMs * 1000, state.passUs);
        for (const domain::Finding &finding : state.findings) {
            if (finding.code == "client_clock")
                source.clientsOffUs = finding.value.toLongLong();
        }
        sources.insert(state.name, source);
    }
    return sources;
}

void Dispatcher::locksAt(const protocol::LocksQuery &query,
                         std::function<void(const domain::LockState &)> each,
                         std::function<void(base::Result<journal::PastTable>)> done,
                         const domain::Sight &sight, const std::stop_token &takenBack)
{
    m_journal.ask([query, seen = seenUntil(), each = std::move(each)](
                      Queries &queries) { return queries.past.locksAt(query, seen, each); },
                  std::move(done), takenBack, sight);
}

void Dispatcher::readNow(const protocol::ReadNow &request, const release::Asker &asker,
                         const domain::Sight &sight, const Reply &reply)
{
    const auto asked = portsFor(request.id, request.source, sight, reply);
    if (!asked)
        return;
    const QList<release::SourcePort *> ports = *asked;
    struct PendingReadings
    {
        qsizetype left = 0;
        std::optional<base::Error> error;
    };
    const auto wait = std::make_shared<PendingReadings>(PendingReadings{ports.size(), std::nullopt});
    QPointer<Dispatcher> self(this);
    const auto finish = [self, wait, reply, id = request.id] {
        if (wait->error)
            reply(protocol::Failed{id, *wait->error});
        else if (self)
            self->m_barrier([reply, id] { reply(protocol::Done{id}); });
    };
    if (ports.isEmpty()) {
        finish();
        return;
    }
    const auto purpose = asker.grants.role() == domain::Role::Viewer
                             ? release::SourcePort::ReadingPurpose::Look
                             : release::SourcePort::ReadingPurpose::Act;
    for (release::SourcePort *port : ports) {
        port->readNow(purpose, [wait, finish](const base::Result<void> &read) {
            if (!read && !wait->error)
                wait->error = read.error();
            if (--wait->left == 0)
                finish();
        });
    }
}

} // namespace lockkeeper::agent::requests
