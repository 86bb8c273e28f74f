// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/access/access_policy.h"
#include "agent/login/authenticator.h"
#include "agent/requests/dispatcher.h"
#include "agent/server/login_records.h"
#include "agent/server/seats.h"
#include "agent/server/session_stream.h"

#include <QHash>
#include <QObject>
#include <QTimer>

#include <map>
#include <memory>
#include <stop_token>

namespace lockkeeper::agent::server {

/** The collaborators of every session; all of them outlive the sessions. */
struct Services
{
    Publisher &publisher;
    journal::Journal &journal;
    requests::Dispatcher &dispatcher;
    login::Authenticator &authenticator;
    const access::AccessPolicy &policy;
    LoginRecords &logins;
    QString agent; ///< the configured name
    std::shared_ptr<Seats> seats = std::make_shared<Seats>();
};

/**
 * One client: Hello, and over TLS a login, within 10 s; then requests and at most one subscription. A client
 * gets a Goodbye if it violates the protocol, or sends further requests without reading its answers. Owns its
 * channel.
 */
class ClientSession : public QObject
{
    Q_OBJECT

public:
    ClientSession(std::unique_ptr<transport::Channel> channel, const Services &services,
                  QObject *parent = nullptr);
    ~ClientSession() override;

    /** Bytes that wait to be sent. */
    qint64 waitingBytes() const;
    /** Notifies the client that the agent ends. */
    void shutDown();
    /** Applies the current policy. If the user may no longer connect, the client is notified and the session
     * ends. */
    void judgeAnew();
    /** Ends a session over TLS; with `byCertificate`, only a session with a certificate. */
    void endTls(bool byCertificate, const QString &cause);

Q_SIGNALS:
    void ended();

private:
    void received(const protocol::Message &message);
    void greet(const protocol::Hello &hello);
    /** Identifies the user, at once or by a login. */
    void identify(const transport::TlsPeer &peer);
    void logIn(const protocol::Login &login);
    void welcome(const access::Identity &identity);
    /** Ends a session whose user or certificate is no longer good. */
    void recheck();
    void turnAway();
    /** The client's machine; empty: this one. */
    QString from() const;
    /** Sends a Goodbye, and writes the refusal to the audit. */
    void refuse(const access::Identity &identity, const base::Error &why);
    domain::Sight sight() const { return m_services.dispatcher.sightOf(m_asker.grants); }
    void request(const protocol::Message &message);
    void listLocks(const protocol::LocksQuery &query);
    void listPastLocks(const protocol::LocksQuery &query);
    void sendPages(quint64 id, const SnapshotPtr &snapshot);
    void cancel(quint64 id);
    /** Stops reading requests while many of the client's requests are unanswered. */
    void limitPending();
    void reply(quint64 id, const protocol::Message &message);
    /** Returns false and ends the session if the client sends requests without reading its answers. */
    bool isRead();
    void goodbye(base::ErrorCode code, const QString &cause, const QString &remedy = {});

    Services m_services;
    std::unique_ptr<transport::Channel> m_channel;
    std::unique_ptr<SessionStream> m_stream;
    release::Asker m_asker;
    protocol::Hello m_hello;
    std::map<quint64, std::stop_source> m_pending; ///< unanswered requests; a stop request cancels one
    QHash<quint64, PageWriter *> m_listings;
    QTimer m_helloDue;
    Seats::Place m_place; ///< held from the Welcome on
    /** A handshake is a set of states. */
    enum class LoginStage : quint8 { Hello, Login, Verifying, Welcomed };
    LoginStage m_stage = LoginStage::Hello;
    bool m_ended = false;
};

} // namespace lockkeeper::agent::server
