// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/agent_session.h"

#include "app/session/agent_stream.h"
#include "app/session/backoff.h"
#include "app/session/lost_releases.h"
#include "app/session/questions.h"
#include "shared/base/clock.h"
#include "shared/base/random_id.h"
#include "shared/transport/client.h"

#include <QElapsedTimer>
#include <QLoggingCategory>
#include <QTimer>

#include <cstdlib>
#include <type_traits>
#include <utility>

namespace lockkeeper::app::session {

Q_LOGGING_CATEGORY(lcSession, "lockkeeper.session")

using base::Error;
using base::ErrorCode;

/** The result of a question if it is the expected answer. */
template <typename Expected>
static base::Result<Expected> fitting(const base::Result<protocol::Message> &result)
{
    if (!result)
        return tl::unexpected(result.error());
    if (const auto *right = std::get_if<Expected>(&*result))
        return *right;
    return base::failure(ErrorCode::Protocol, QStringLiteral("the agent's answer doesn't fit the question"));
}

class AgentSession::Private : public QObject
{
public:
    Private(AgentSession *session, QString name);

    void connectNow();
    void dropClient();
    void lost(const Error &error);
    void setLink(LinkState state);
    void onConnected(const protocol::Welcome &hello);
    void onReceived(const protocol::Message &message);
    void subscribe();
    void resubscribe();
    void becameLive();

    void take(protocol::Subscribed message);
    void take(const protocol::SnapshotPage &message);
    void take(protocol::EventBatch message);
    void take(const protocol::StateBatch &message);
    void take(const protocol::Goodbye &message);
    void take(const protocol::Identified &message);
    void take(const protocol::ApprovalChanged &message);
    void take(const protocol::AlertChanged &message);
    /** Answers: every message that has an id and isn't part of the stream. */
    template <typename Message> void take(const Message &message);

    template <typename Request> quint64 ask(Request request, QObject *context, Answer<Reply<Request>> answer);
    quint64 ask(const protocol::LocksQuery &query, QObject *context, Answer<protocol::SnapshotPage> answer);
    quint64 ask(const protocol::ReadNow &request, QObject *context, const Answer<protocol::Done> &answer);
    quint64 ask(protocol::ForceRelease request, QObject *context,
                const Answer<protocol::ReleaseResult> &answer);
    void cancel(quint64 id);
    bool askAudit(const LostReleases::Take &take);

    AgentSession *q;
    QString program;
    Timing timing;
    Backoff backoff;
    transport::Address address;
    transport::Client *client = nullptr;
    LinkState state = LinkState::Offline;
    Error error;
    transport::TlsOptions tls;
    std::optional<protocol::Login> login;
    QByteArray unknownCertificate;
    bool wantsLogin = false;
    protocol::Welcome welcome;
    qint64 lagUs = -1;
    std::optional<qint64> agentWallUs; ///< the agent's clock when `sincePong` began
    QElapsedTimer sincePong;
    qint64 aheadUs = 0;
    bool shaken = false; ///< Welcome was received
    bool reconnects = true;
    AgentStream stream;
    Questions questions;
    protocol::SnapshotPage past; ///< the received part of the answer to a LocksQuery
    QTimer retry;
    LostReleases lostReleases;
};

AgentSession::Private::Private(AgentSession *session, QString name)
    : q(session),
      program(std::move(name)),
      backoff(timing.firstRetryMs, timing.lastRetryMs),
      lostReleases([this](const LostReleases::Take &take) { return askAudit(take); })
{
    retry.setSingleShot(true);
    connect(&retry, &QTimer::timeout, this, &Private::connectNow);
}

void AgentSession::Private::setLink(LinkState next)
{
    if (state == next)
        return;
    state = next;
    Q_EMIT q->linkChanged();
}

/** Uses a new client for each attempt, so that old data can't be mistaken for new. */
void AgentSession::Private::connectNow()
{
    retry.stop();
    dropClient();
    client = new transport::Client(program, this);
    connect(client, &transport::Client::connected, this, &Private::onConnected);
    connect(client, &transport::Client::received, this, &Private::onReceived);
    connect(client, &transport::Client::disconnected, this, &Private::lost);
    connect(client, &transport::Client::roundTrip, this, [this](qint64 us) {
        lagUs = us;
        Q_EMIT q->lagChanged(us);
    });
    connect(client, &transport::Client::ponged, this, [this](const protocol::Pong &pong) {
        if (pong.wallUs > 0) {
            agentWallUs = pong.wallUs + lagUs / 2;
            aheadUs = base::SystemClock().wallUs() - *agentWallUs;
        }
        sincePong.start();
    });
    client->setTls(tls);
    client->setLogin(login);
    setLink(LinkState::Connecting);
    client->open(address);
}

void AgentSession::Private::dropClient()
{
    shaken = false;
    agentWallUs.reset();
    aheadUs = 0;
    if (!client)
        return;
    client->disconnect(this);
    client->close();
    client->deleteLater();
    client = nullptr;
}

void AgentSession::Private::lost(const Error &cause)
{
    error = cause;
    lagUs = -1;
    unknownCertificate = client ? client->unknownCertificate() : QByteArray();
    wantsLogin = client && client->wantsLogin();
    dropClient();
    stream.interrupt();
    questions.failAll({ErrorCode::ConnectionLost, QStringLiteral("the link to the agent broke"), {}});
    if (!base::isTransient(cause.code))
        backoff.setToLast();
    // The agent locks out a client that repeatedly fails to authenticate, and ssh would prompt each time.
    if (cause.code == ErrorCode::Authentication || !reconnects) {
        qCInfo(lcSession) << "no link to the agent:" << cause.line();
    } else {
        const int delay = backoff.next();
        qCInfo(lcSession) << "no link to the agent:" << cause.line() << "- next attempt in" << delay << "ms";
        retry.start(delay);
    }
    // A second Waiting in a row also has news: another cause, another time.
    state = LinkState::Waiting;
    Q_EMIT q->linkChanged();
}

void AgentSession::Private::onConnected(const protocol::Welcome &message)
{
    welcome = message;
    // An agent that reports no grants grants one role, valid everywhere.
    if (welcome.grants.list.isEmpty())
        welcome.grants = domain::grantsFor(domain::roleFromName(welcome.role).value_or(domain::Role::Viewer));
    shaken = true;
    subscribe();
    Q_EMIT q->grantsChanged();
}

void AgentSession::Private::subscribe()
{
    client->send(stream.subscribe(questions.nextId()));
}

/** After a gap the rest of the stream can't be trusted, so this subscribes again at once. */
void AgentSession::Private::resubscribe()
{
    qCWarning(lcSession) << "the agent's stream has a hole after" << stream.seq();
    lost({ErrorCode::Protocol, QStringLiteral("the agent's stream has a hole"), {}});
    backoff.reset();
    retry.start(timing.firstRetryMs);
}

void AgentSession::Private::becameLive()
{
    backoff.reset();
    error = {};
    setLink(LinkState::Live);
    lostReleases.look();
}

void AgentSession::Private::onReceived(const protocol::Message &message)
{
    std::visit([this](const auto &m) { take(m); }, message);
}

void AgentSession::Private::take(protocol::Subscribed message)
{
    switch (stream.take(message)) {
    case AgentStream::StreamAction::Pass:
        Q_EMIT q->tableReset(message.fromSeq);
        break;
    case AgentStream::StreamAction::Complete:
        becameLive();
        break;
    case AgentStream::StreamAction::Broken:
        resubscribe();
        break;
    case AgentStream::StreamAction::Drop:
        break;
    }
}

void AgentSession::Private::take(const protocol::SnapshotPage &message)
{
    if (message.id != 0 && message.id == past.id) {
        past.locks += message.locks;
        past.sources += message.sources;
        if (message.last)
            questions.answer(message.id, std::exchange(past, {}));
        return;
    }
    const AgentStream::StreamAction step = stream.take(message);
    if (step == AgentStream::StreamAction::Drop)
        return;
    if (step == AgentStream::StreamAction::Broken) {
        resubscribe();
        return;
    }
    Q_EMIT q->tablePage(message.locks, message.sources);
    if (step == AgentStream::StreamAction::Complete) {
        Q_EMIT q->tableComplete(message.atSeq);
        becameLive();
    }
}

void AgentSession::Private::take(protocol::EventBatch message)
{
    const AgentStream::StreamAction step = stream.take(message);
    if (!message.events.isEmpty() && step != AgentStream::StreamAction::Drop)
        Q_EMIT q->eventsCame(message.events);
    if (step == AgentStream::StreamAction::Broken)
        resubscribe();
}

void AgentSession::Private::take(const protocol::StateBatch &message)
{
    if (!stream.isLive())
        return;
    if (message.unjournalled) {
        Q_EMIT q->unjournalledCame(message.locks, message.removed);
        if (!message.sources.isEmpty())
            Q_EMIT q->statesCame({}, message.sources);
    } else {
        Q_EMIT q->statesCame(message.locks, message.sources);
    }
}

void AgentSession::Private::take(const protocol::Goodbye &message)
{
    lost(message.error);
}

void AgentSession::Private::take(const protocol::Identified &message)
{
    welcome.grants = message.grants;
    welcome.role = domain::roleName(message.grants.role());
    Q_EMIT q->grantsChanged();
}

void AgentSession::Private::take(const protocol::ApprovalChanged &message)
{
    Q_EMIT q->approvalChanged(message.request);
}

void AgentSession::Private::take(const protocol::AlertChanged &message)
{
    Q_EMIT q->alertChanged(message.alert);
}

template <typename Message> void AgentSession::Private::take(const Message &message)
{
    if constexpr (requires { message.id; })
        questions.answer(message.id, message); // false: the requester no longer exists, which is fine
}

template <typename Request>
quint64 AgentSession::Private::ask(Request request, QObject *context, Answer<Reply<Request>> answer)
{
    const quint64 id = questions.nextId();
    request.id = id;
    questions.add(id, context, [answer = std::move(answer)](const auto &result) {
        answer(fitting<Reply<Request>>(result));
    });
    if constexpr (std::is_same_v<Request, protocol::AuditQuery>) {
        if (request.verify)
            questions.setEndless(id); // the whole chain is checked, regardless of its length
    }
    if (!shaken)
        questions.fail(id, {ErrorCode::Unreachable, QStringLiteral("there is no link to the agent"), {}});
    else
        client->send(request);
    return id;
}

quint64 AgentSession::Private::ask(const protocol::LocksQuery &query, QObject *context,
                                   Answer<protocol::SnapshotPage> answer)
{
    if (past.id != 0)
        cancel(std::exchange(past, {}).id);
    past.id = ask<protocol::LocksQuery>(query, context, std::move(answer));
    return past.id;
}

quint64 AgentSession::Private::ask(const protocol::ReadNow &request, QObject *context,
                                   const Answer<protocol::Done> &answer)
{
    return ask<protocol::ReadNow>(request, context, [this, answer](base::Result<protocol::Done> done) {
        if (done && stream.isLive())
            subscribe(); // resumes, then receives the whole table
        answer(std::move(done));
    });
}

quint64 AgentSession::Private::ask(protocol::ForceRelease request, QObject *context,
                                   const Answer<protocol::ReleaseResult> &answer)
{
    request.id = questions.nextId();
    if (request.command.isEmpty())
        request.command = base::randomId();
    const bool sent = shaken;
    QPointer<QObject> guard(context);
    const auto done = [this, request, guard, answer, sent](const base::Result<protocol::Message> &result) {
        const ErrorCode code = result ? ErrorCode::Unknown : result.error().code;
        if (sent && !request.dryRun && (code == ErrorCode::ConnectionLost || code == ErrorCode::Timeout))
            lostReleases.add(request, guard, answer);
        else if (guard)
            answer(fitting<protocol::ReleaseResult>(result));
    };
    // The session itself is the context: a lost command is followed up even if the caller is gone.
    questions.add(request.id, this, done, false);
    if (sent)
        client->send(request);
    else
        questions.fail(request.id,
                       {ErrorCode::Unreachable, QStringLiteral("there is no link to the agent"), {}});
    return request.id;
}

/** A sent force-release can't be cancelled. */
void AgentSession::Private::cancel(quint64 id)
{
    if (questions.cancel(id) && shaken)
        client->send(protocol::Cancel{id});
}

bool AgentSession::Private::askAudit(const LostReleases::Take &take)
{
    if (state != LinkState::Live)
        return false;
    protocol::AuditQuery query;
    query.limit = 200;
    ask(query, this, [take](const base::Result<protocol::AuditPage> &page) {
        if (page)
            take(*page);
    });
    return true;
}

AgentSession::AgentSession(QString program, QObject *parent)
    : QObject(parent), d(std::make_unique<Private>(this, std::move(program)))
{
}

AgentSession::~AgentSession()
{
    d->dropClient();
}

void AgentSession::setTiming(const Timing &timing)
{
    d->timing = timing;
    d->backoff = Backoff(timing.firstRetryMs, timing.lastRetryMs);
    d->questions.setTimeoutMs(timing.questionMs);
    d->lostReleases.setTiming(timing.recoveryStepMs, timing.questionMs);
}

void AgentSession::setCredentials(const transport::TlsOptions &tls,
                                  const std::optional<protocol::Login> &login)
{
    d->tls = tls;
    d->login = login;
}

QByteArray AgentSession::unknownCertificate() const
{
    return d->unknownCertificate;
}

bool AgentSession::wantsLogin() const
{
    return d->wantsLogin;
}

void AgentSession::setReconnects(bool on)
{
    if (std::exchange(d->reconnects, on) == on || d->state != LinkState::Waiting)
        return;
    if (!on) {
        d->retry.stop();
        Q_EMIT linkChanged();
    } else if (d->error.code != ErrorCode::Authentication) {
        d->connectNow();
    }
}

void AgentSession::open(const transport::Address &address)
{
    const bool another = !(address == d->address);
    if (another)
        d->stream.forget();
    else
        d->stream.interrupt();
    d->address = address;
    d->backoff.reset();
    d->questions.failAll({ErrorCode::ConnectionLost, QStringLiteral("the link was closed"), {}});
    if (another) {
        d->dropClient();
        d->welcome = {};
        d->error = {};
        Q_EMIT agentChanged();
    }
    d->connectNow();
}

void AgentSession::close()
{
    d->retry.stop();
    d->dropClient();
    d->stream.interrupt();
    d->questions.failAll({ErrorCode::ConnectionLost, QStringLiteral("the link was closed"), {}});
    d->setLink(LinkState::Offline);
}

void AgentSession::forget()
{
    d->stream.forget();
}

void AgentSession::retryNow()
{
    if (d->state == LinkState::Waiting)
        d->connectNow();
}

const transport::Address &AgentSession::address() const
{
    return d->address;
}

LinkState AgentSession::link() const
{
    return d->state;
}

Error AgentSession::lastError() const
{
    return d->error;
}

qint64 AgentSession::retryInMs() const
{
    return d->retry.isActive() ? d->retry.remainingTime() : 0;
}

protocol::Welcome AgentSession::welcome() const
{
    return d->welcome;
}

domain::Grants AgentSession::grants() const
{
    return d->welcome.grants;
}

qint64 AgentSession::untilUs(qint64 agentWallUs, const base::Clock &own) const
{
    const qint64 now = d->agentWallUs ? *d->agentWallUs + d->sincePong.nsecsElapsed() / 1000 : own.wallUs();
    return agentWallUs - now;
}

qint64 AgentSession::aheadUs() const
{
    return std::abs(d->aheadUs) < 1'000'000 ? 0 : d->aheadUs;
}

qint64 AgentSession::lagUs() const
{
    return d->lagUs;
}

template <typename Request>
quint64 AgentSession::ask(Request request, QObject *context, Answer<Reply<Request>> answer)
{
    return d->ask(std::move(request), context, std::move(answer));
}

template quint64 AgentSession::ask(protocol::AlertAction, QObject *, Answer<protocol::Done>);
template quint64 AgentSession::ask(protocol::AlertsQuery, QObject *, Answer<protocol::AlertsPage>);
template quint64 AgentSession::ask(protocol::AdviceQuery, QObject *, Answer<protocol::AdvicePage>);
template quint64 AgentSession::ask(protocol::ApprovalsQuery, QObject *, Answer<protocol::ApprovalsPage>);
template quint64 AgentSession::ask(protocol::AuditQuery, QObject *, Answer<protocol::AuditPage>);
template quint64 AgentSession::ask(protocol::ChainsQuery, QObject *, Answer<protocol::ChainsPage>);
template quint64 AgentSession::ask(protocol::ContentionQuery, QObject *, Answer<protocol::ContentionPage>);
template quint64 AgentSession::ask(protocol::Decision, QObject *, Answer<protocol::ReleaseResult>);
template quint64 AgentSession::ask(protocol::DiscoverRequest, QObject *, Answer<protocol::DiscoverResult>);
template quint64 AgentSession::ask(protocol::ForceRelease, QObject *, Answer<protocol::ReleaseResult>);
template quint64 AgentSession::ask(protocol::HistoryQuery, QObject *, Answer<protocol::EventPage>);
template quint64 AgentSession::ask(protocol::HoldsQuery, QObject *, Answer<protocol::HoldPage>);
template quint64 AgentSession::ask(protocol::HolderChecksQuery, QObject *,
                                   Answer<protocol::HolderChecksPage>);
template quint64 AgentSession::ask(protocol::Inspect, QObject *, Answer<protocol::Inspected>);
template quint64 AgentSession::ask(protocol::LocksQuery, QObject *, Answer<protocol::SnapshotPage>);
template quint64 AgentSession::ask(protocol::ProbeRequest, QObject *, Answer<protocol::ProbeResult>);
template quint64 AgentSession::ask(protocol::ReadNow, QObject *, Answer<protocol::Done>);
template quint64 AgentSession::ask(protocol::ReceiverTest, QObject *, Answer<protocol::Done>);
template quint64 AgentSession::ask(protocol::StatusQuery, QObject *, Answer<protocol::Status>);
template quint64 AgentSession::ask(protocol::TimelineQuery, QObject *, Answer<protocol::TimelinePage>);
template quint64 AgentSession::ask(protocol::WaitingQuery, QObject *, Answer<protocol::WaitingPage>);

void AgentSession::cancel(quint64 id)
{
    d->cancel(id);
}

} // namespace lockkeeper::app::session
