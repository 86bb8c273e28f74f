// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/server/client_session.h"

#include "agent/login/certificate_user.h"
#include "shared/base/text.h"
#include "shared/protocol/handshake.h"

#include <QDateTime>
#include <QLoggingCategory>
#include <QPointer>
#include <QScopeGuard>
#include <QSslCertificate>

#include <algorithm>
#include <chrono>

namespace lockkeeper::agent::server {

Q_LOGGING_CATEGORY(lcSession, "lockkeeper.server.session")

using namespace std::chrono_literals;
using base::ErrorCode;

namespace {
constexpr auto kHelloWithin = 10s;
constexpr size_t kMaxPending = 64;               ///< further requests wait unread in the connection
constexpr qint64 kUnreadLimit = 6 * 1024 * 1024; ///< answers that the client hasn't read

} // namespace

ClientSession::ClientSession(std::unique_ptr<transport::Channel> channel, const Services &services,
                             QObject *parent)
    : QObject(parent), m_services(services), m_channel(std::move(channel))
{
    m_asker.tickets = std::make_shared<release::TicketBox>();
    m_stream = std::make_unique<SessionStream>(*m_channel, m_services.publisher, m_services.journal,
                                               [this] { return sight(); });
    connect(m_channel.get(), &transport::Channel::received, this, &ClientSession::received);
    connect(m_channel.get(), &transport::Channel::closed, this, [this](const base::Error &error) {
        const auto peer = m_channel->tlsPeer();
        qCDebug(lcSession).noquote() << "session of" << base::singleLine(m_asker.user())
                                     << (peer ? "from " + peer->address.toUtf8() : QByteArray("here"))
                                     << "ended:" << error.line();
        m_ended = true;
        m_stream->stop();
        Q_EMIT ended();
    });
    connect(&m_services.publisher, &Publisher::published, m_channel.get(),
            [this](const BatchPtr &batch) { m_channel->setLastSeq(batch->lastSeq()); });
    connect(&m_services.authenticator, &login::Authenticator::changed, this, &ClientSession::recheck);
    connect(&m_services.dispatcher.approvals(), &release::Approvals::changed, this,
            [this](const domain::ApprovalRequest &request) {
                if (m_stream->isActive() && !m_ended && sight().sees(request.key))
                    m_channel->send(protocol::ApprovalChanged{request});
            });
    connect(&m_services.dispatcher.alerts(), &requests::AlertCenter::changed, this,
            [this](const domain::Alert &alert) {
                if (m_stream->isActive() && !m_ended && requests::AlertCenter::isSeen(alert, sight()))
                    m_channel->send(protocol::AlertChanged{alert});
            });
    m_helloDue.setSingleShot(true);
    connect(&m_helloDue, &QTimer::timeout, this,
            [this] { goodbye(ErrorCode::Timeout, QStringLiteral("no Hello and login within 10 s")); });
    m_helloDue.start(kHelloWithin);
}

ClientSession::~ClientSession()
{
    for (auto &[id, question] : m_pending)
        question.request_stop();
}

qint64 ClientSession::waitingBytes() const
{
    return m_stream->waitingBytes() + m_channel->pendingBytes();
}

void ClientSession::shutDown()
{
    goodbye(ErrorCode::Shutdown, QStringLiteral("the agent is shutting down"));
}

void ClientSession::goodbye(ErrorCode code, const QString &cause, const QString &remedy)
{
    if (m_ended)
        return;
    m_ended = true;
    m_place.reset();
    // Cancel all questions: nobody gets an answer any more, but this object may live on for a while.
    for (auto &[id, question] : m_pending)
        question.request_stop();
    m_stream->stop();
    m_channel->send(protocol::Goodbye{{code, cause, remedy}});
    m_channel->close();
}

void ClientSession::received(const protocol::Message &message)
{
    if (m_ended)
        return;
    const auto *hello = std::get_if<protocol::Hello>(&message);
    const auto *login = std::get_if<protocol::Login>(&message);
    if (hello && m_stage == LoginStage::Hello)
        greet(*hello);
    else if (login && m_stage == LoginStage::Login)
        logIn(*login);
    else if (hello || login || m_stage != LoginStage::Welcomed)
        goodbye(ErrorCode::Protocol,
                QStringLiteral("protocol error: expected Hello, then at most one login"));
    else if (std::holds_alternative<protocol::Goodbye>(message))
        m_channel->close();
    else
        request(message);
}

void ClientSession::greet(const protocol::Hello &hello)
{
    const auto version = protocol::negotiate(hello.version, hello.oldest);
    if (!version) {
        goodbye(version.error().code, version.error().cause, version.error().remedy);
        return;
    }
    m_hello = hello;
    if (const auto peer = m_channel->tlsPeer())
        identify(*peer);
    else if (const QString user = m_channel->peerUser(); !user.isEmpty())
        welcome({access::Identity::LoginWay::Local, user, m_channel->peerGroups()});
    else
        goodbye(ErrorCode::Authentication, QStringLiteral("can't determine the peer's user"));
}

void ClientSession::identify(const transport::TlsPeer &peer)
{
    if (!peer.certificate.isNull()) {
        const QString user = login::userOf(peer.certificate);
        if (user.isEmpty())
            goodbye(ErrorCode::Authentication, QStringLiteral("the certificate names no user"),
                    QStringLiteral("Its common name must be a user name: 1 to 64 visible characters"));
        else
            welcome({access::Identity::LoginWay::Certificate,
                     user,
                     {},
                     m_services.authenticator.accountOf(user)});
        return;
    }
    if (!m_services.authenticator.takesPasswords()) {
        goodbye(ErrorCode::Authentication, QStringLiteral("the agent accepts only certificates"),
                QStringLiteral("Use --certificate and --key"));
        return;
    }
    m_stage = LoginStage::Login;
    m_channel->send(protocol::LoginNeeded{{QStringLiteral("password")}});
}

void ClientSession::logIn(const protocol::Login &login)
{
    m_stage = LoginStage::Verifying;
    m_services.authenticator.verify(
        login.user, login.password, m_channel->tlsPeer()->address, this,
        [this, identity = access::Identity{m_services.authenticator.wayOfPasswords(),
                                           login.user,
                                           {},
                                           m_services.authenticator.accountOf(login.user)}](
            const base::Result<void> &verdict) {
            if (m_ended)
                return;
            if (verdict)
                welcome(identity);
            else
                refuse(identity, verdict.error());
        });
}

void ClientSession::recheck()
{
    if (m_stage != LoginStage::Welcomed || m_ended)
        return;
    const auto standing = m_services.authenticator.mayStand(m_asker.identity);
    if (!standing)
        goodbye(standing.error().code, standing.error().cause, standing.error().remedy);
    else if (m_asker.identity.way == access::Identity::LoginWay::Certificate &&
             m_channel->tlsPeer()->certificate.expiryDate() < QDateTime::currentDateTimeUtc())
        goodbye(ErrorCode::Authentication, QStringLiteral("the certificate of this session has expired"),
                QStringLiteral("Request a new certificate"));
}

void ClientSession::welcome(const access::Identity &identity)
{
    if (const auto standing = m_services.authenticator.mayStand(identity); !standing) {
        refuse(identity, standing.error());
        return;
    }
    m_helloDue.stop();
    m_asker.identity = identity;
    m_asker.grants = m_services.policy.grantsOf(identity);
    if (m_asker.grants.list.isEmpty()) {
        turnAway();
        return;
    }
    auto place = m_services.seats->take(identity.user, from(), m_asker.grants.role() == domain::Role::Admin);
    if (!place) {
        goodbye(place.error().code, place.error().cause, place.error().remedy);
        return;
    }
    m_place = *place;
    m_stage = LoginStage::Welcomed;
    m_channel->setLastSeq(m_services.publisher.lastSeq());
    protocol::Welcome welcome;
    welcome.version = std::min(m_hello.version, protocol::kVersion);
    welcome.agent = m_services.agent;
    welcome.program = QStringLiteral("lockkeeper-agent " LOCKKEEPER_VERSION);
    welcome.features = protocol::commonFeatures(m_hello.features);
    welcome.user = m_asker.user();
    welcome.role = domain::roleName(m_asker.grants.role());
    welcome.grants = m_asker.grants;
    welcome.journal = m_services.journal.id();
    welcome.firstSeq = m_services.journal.firstSeq();
    welcome.lastSeq = m_services.publisher.lastSeq();
    m_channel->send(welcome);
    m_channel->setLoggedIn(); // starts the pings, after the Welcome
    qCDebug(lcSession).noquote() << "session of" << base::singleLine(m_asker.user()) << "as" << welcome.role
                                 << "by" << access::wayName(identity.way) << "with"
                                 << base::singleLine(m_hello.program);
    m_services.logins.loggedIn(identity, welcome.role, from());
}

QString ClientSession::from() const
{
    const auto peer = m_channel->tlsPeer();
    return peer ? peer->address : QString();
}

void ClientSession::refuse(const access::Identity &identity, const base::Error &why)
{
    m_services.logins.refused(identity, from(), why);
    goodbye(why.code, why.cause, why.remedy);
}

void ClientSession::turnAway()
{
    const QString user = base::displayText(m_asker.user());
    qCInfo(lcSession).noquote() << "turned away" << user << "whom no [[access]] names";
    refuse(m_asker.identity,
           {ErrorCode::PermissionDenied, QStringLiteral("%1 has no access to this agent").arg(user),
            QStringLiteral("Add an [[access]] with who = [\"user:%1\"] to the agent's configuration")
                .arg(user)});
}

void ClientSession::judgeAnew()
{
    if (m_stage != LoginStage::Welcomed || m_ended)
        return;
    const domain::Grants grants = m_services.policy.grantsOf(m_asker.identity);
    if (grants == m_asker.grants)
        return;
    const domain::Sight before = sight();
    m_asker.grants = grants;
    if (grants.list.isEmpty()) {
        turnAway();
        return;
    }
    if (sight() != before) { // answers that rely on the old sight are under way
        goodbye(ErrorCode::ConnectionLost, QStringLiteral("the access of %1 has changed").arg(m_asker.user()),
                QStringLiteral("Connect again"));
        return;
    }
    qCDebug(lcSession).noquote() << "session of" << base::singleLine(m_asker.user()) << "is now as"
                                 << domain::roleName(grants.role());
    m_channel->send(protocol::Identified{0, access::wayName(m_asker.identity.way), m_asker.user(), grants});
}

void ClientSession::endTls(bool byCertificate, const QString &cause)
{
    if (const auto peer = m_channel->tlsPeer(); peer && (!byCertificate || !peer->certificate.isNull()))
        goodbye(ErrorCode::ConnectionLost, cause, QStringLiteral("Connect again"));
}

void ClientSession::request(const protocol::Message &message)
{
    const quint64 id = release::requestId(message);
    if (const auto *takenBack = std::get_if<protocol::Cancel>(&message)) {
        cancel(takenBack->id);
        return;
    }
    if (!isRead())
        return;
    const std::stop_token takenBack = m_pending[id].get_token();
    const auto limit = qScopeGuard([self = QPointer(this)] {
        if (self)
            self->limitPending();
    });
    QPointer<ClientSession> self(this);
    const requests::Dispatcher::Reply answer = [self, id](const protocol::Message &reply) {
        if (self)
            self->reply(id, reply);
    };
    if (!m_services.dispatcher.allowed(message, m_asker, answer))
        return;
    if (const auto *subscribe = std::get_if<protocol::Subscribe>(&message)) {
        m_pending.erase(id);
        m_stream->subscribe(*subscribe);
    } else if (const auto *locks = std::get_if<protocol::LocksQuery>(&message)) {
        locks->atUs ? listPastLocks(*locks) : listLocks(*locks);
    } else if (!m_services.dispatcher.dispatch(message, m_asker, answer, takenBack)) {
        m_pending.erase(id); // unreachable: Goodbye was handled before, the channel handles Ping and Pong
    }
}

void ClientSession::limitPending()
{
    m_channel->setHeld(m_pending.size() >= kMaxPending);
}

void ClientSession::listLocks(const protocol::LocksQuery &query)
{
    const auto page = [this, id = query.id](const SnapshotPtr &snapshot) { sendPages(id, snapshot); };
    // Use the stream as the context: all of a client's requests then share one turn.
    m_services.publisher.takeSnapshot(m_stream.get(), page, {query.source, query.nameGlob, sight()},
                                      m_pending[query.id].get_token());
}

void ClientSession::listPastLocks(const protocol::LocksQuery &query)
{
    const auto snapshot = std::make_shared<Snapshot>(); // the journal fills it until it has answered
    const QPointer<ClientSession> self(this);
    m_services.dispatcher.locksAt(
        query, [snapshot](const domain::LockState &state) { snapshot->locks.append(state); },
        [self, snapshot, id = query.id](const base::Result<journal::PastTable> &table) {
            if (!self)
                return;
            if (!table) {
                self->reply(id, protocol::Failed{id, table.error()});
                return;
            }
            snapshot->locks.seal();
            snapshot->seq = table->seq;
            snapshot->sources = table->sources;
            self->sendPages(id, snapshot);
        },
        sight(), m_pending[query.id].get_token());
}

void ClientSession::sendPages(quint64 id, const SnapshotPtr &snapshot)
{
    if (m_ended || !m_pending.contains(id))
        return;
    auto *pages = new PageWriter(*m_channel, id, snapshot, kPagePatience, this);
    m_listings.insert(id, pages);
    connect(pages, &PageWriter::finished, this, [this, id] { cancel(id); });
    connect(pages, &PageWriter::stalled, this, [this, id] {
        reply(id, protocol::Failed{id, {ErrorCode::Timeout, QStringLiteral("the pages were not read"), {}}});
        cancel(id);
    });
    pages->start();
}

void ClientSession::cancel(quint64 id)
{
    if (const auto question = m_pending.extract(id))
        question.mapped().request_stop();
    if (PageWriter *pages = m_listings.take(id)) {
        pages->cancel();
        pages->deleteLater();
    }
    if (m_stream->isActive() && m_stream->requestId() == id)
        m_stream->stop();
    limitPending();
}

bool ClientSession::isRead()
{
    const bool read = m_channel->pendingBytes() <= kUnreadLimit;
    if (!read)
        goodbye(ErrorCode::TooLarge, QStringLiteral("the client doesn't read its answers"));
    return read;
}

void ClientSession::reply(quint64 id, const protocol::Message &message)
{
    if (m_ended || !m_pending.erase(id) || !isRead())
        return;
    limitPending();
    if (std::holds_alternative<protocol::Done>(message))
        m_stream->sendInOrder(message); // after the observations that precede it
    else
        m_channel->send(message);
}

} // namespace lockkeeper::agent::server
