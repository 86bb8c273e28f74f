// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/session/replies.h"
#include "shared/base/clock.h"
#include "shared/transport/client.h"

#include <QObject>

#include <memory>
#include <optional>

namespace lockkeeper::app::session {

/** The state of the link between the console and its agent. */
enum class LinkState : quint8 {
    Offline = 0, ///< closed by the user, or not opened yet
    Connecting,
    Live,
    Waiting, ///< lost or refused; the next attempt is due in retryInMs(). After a refused login, or without
             ///< setReconnects(), only retryNow() starts one.
};

/**
 * One console's connection to one agent. It connects and reconnects with back-off, subscribes, resumes after
 * the last applied number, requests a fresh snapshot if that is impossible, and sends questions. Lives in the
 * GUI thread; never blocks. Events are passed on in order and without gaps; the receiver applies them.
 */
class AgentSession : public QObject
{
    Q_OBJECT

public:
    /** Time limits and delays in milliseconds. Tests shorten them. */
    struct Timing
    {
        int questionMs = 30'000; ///< an unanswered question ends as Timeout
        int firstRetryMs = 500;  ///< doubled with each failure, ± a quarter
        int lastRetryMs = 15'000;
        int recoveryStepMs = 1000; ///< between two searches for a lost command's outcome
    };

    explicit AgentSession(QString program, QObject *parent = nullptr);
    ~AgentSession() override;

    void setTiming(const Timing &timing);
    /** For future attempts over TLS: how the agent is known, and the user who logs in. */
    void setCredentials(const transport::TlsOptions &tls, const std::optional<protocol::Login> &login);
    /** If on (the default), a lost link is retried automatically; otherwise only retryNow() retries it. */
    void setReconnects(bool on);
    void open(const transport::Address &address);
    void close();
    /** Discards the received state: the next connection begins with the whole table. */
    void forget();
    void retryNow();

    const transport::Address &address() const; ///< of the agent that open() named last
    LinkState link() const;
    base::Error lastError() const; ///< why Waiting
    /**
     * While Waiting: the fingerprint of an unknown agent certificate that the user may decide to trust;
     * otherwise empty.
     */
    QByteArray unknownCertificate() const;
    bool wantsLogin() const;  ///< while Waiting: the agent wants a name and a password, or different ones
    qint64 retryInMs() const; ///< while Waiting; 0 without automatic retries
    protocol::Welcome welcome() const; ///< of the current or last connection
    /** The user's grants at this agent, as last reported. */
    domain::Grants grants() const;
    /**
     * The time until a moment on the agent's clock, based on its last answer to a ping; based on `own` until
     * the first answer. This computer's wall clock isn't used: it may be wrong by a day.
     */
    qint64 untilUs(qint64 agentWallUs, const base::Clock &own) const;
    /**
     * How far this computer's wall clock is ahead of the agent's, measured at its last answer to a ping. 0
     * below a second, which the delay of that answer may explain.
     */
    qint64 aheadUs() const;
    qint64 lagUs() const; ///< round trip of the last ping; −1 unknown

    /**
     * Sends a request once. The id can be given to cancel(). The callback comes once, later, unless `context`
     * is gone. Fails as Unreachable without a link, and as Unsupported at an agent that doesn't know the
     * request.
     *
     * AuditQuery with `verify`: takes as long as the chain requires, without a time limit.
     * LocksQuery: the pages of the answer are combined; a previous query is cancelled.
     * ReadNow: the agent then sends the whole table again.
     * ForceRelease: if the link breaks before the answer, the request isn't repeated. Once the session is
     * back, it looks up the command's id in the audit for the recorded outcome. Without a record it ends as
     * Outcome::Unknown, never as success.
     */
    template <typename Request> quint64 ask(Request request, QObject *context, Answer<Reply<Request>> answer);
    void cancel(quint64 id);

Q_SIGNALS:
    /** open() named a different agent: the data of the previous agent doesn't apply to it. */
    void agentChanged();
    void linkChanged();
    void lagChanged(qint64 us);
    void grantsChanged();
    /** A request is new or has changed its state. */
    void approvalChanged(const lockkeeper::domain::ApprovalRequest &request);
    /** An alert has fired, ended, or was acknowledged or snoozed. */
    void alertChanged(const lockkeeper::domain::Alert &alert);
    /** All previous data is void; pages of the new table follow, then tableComplete(). */
    void tableReset(quint64 atSeq);
    void tablePage(const QList<lockkeeper::domain::LockState> &locks,
                   const QList<lockkeeper::domain::SourceState> &sources);
    void tableComplete(quint64 atSeq);
    void eventsCame(const QList<lockkeeper::events::LockEvent> &events);
    void statesCame(const QList<lockkeeper::domain::LockState> &locks,
                    const QList<lockkeeper::domain::SourceState> &sources);
    /**
     * Changes that the agent's journal couldn't record yet: locks to insert or replace, and locks to remove.
     */
    void unjournalledCame(const QList<lockkeeper::domain::LockState> &locks,
                          const QList<lockkeeper::domain::LockKey> &removed);

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace lockkeeper::app::session
