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

/** How the console stands to its agent. */
enum class LinkState : quint8 {
    Offline = 0, ///< closed by the user, or not opened yet
    Connecting,
    Live,
    Waiting, ///< lost or refused; the next attempt comes in retryInMs(), after a refused login and
             ///< without setReconnects() by retryNow() only
};

/**
 * One console's connection to one agent: connects and reconnects with back-off, subscribes, resumes after the
 * last number that was applied, asks for a fresh snapshot where that is impossible, and answers questions.
 * Lives in the GUI thread; never blocks. Events are handed on in order and without holes; the receiver
 * applies them.
 */
class AgentSession : public QObject
{
    Q_OBJECT

public:
    /** How long things take at most, in milliseconds. Tests shorten them. */
    struct Timing
    {
        int questionMs = 30'000; ///< a question without an answer ends as Timeout
        int firstRetryMs = 500;  ///< doubled with each failure, give or take a quarter
        int lastRetryMs = 15'000;
        int recoveryStepMs = 1000; ///< between two looks for a lost command's outcome
    };

    explicit AgentSession(QString program, QObject *parent = nullptr);
    ~AgentSession() override;

    void setTiming(const Timing &timing);
    /** Over TLS, for the attempts from now on: how the agent is known, and who logs in. */
    void setCredentials(const transport::TlsOptions &tls, const std::optional<protocol::Login> &login);
    /** Whether a lost link is tried again by itself, as it is unless told; else retryNow() alone does. */
    void setReconnects(bool on);
    void open(const transport::Address &address);
    void close();
    /** What was told is void: the next connection begins with the whole table. */
    void forget();
    void retryNow();

    const transport::Address &address() const; ///< of the agent that open() named last
    LinkState link() const;
    base::Error lastError() const; ///< why Waiting
    /** While Waiting: fingerprint of an agent's certificate that somebody may decide to trust; else empty. */
    QByteArray unknownCertificate() const;
    bool wantsLogin() const;           ///< while Waiting: the agent wants a name and a password, or others
    qint64 retryInMs() const;          ///< while Waiting; 0 where no attempt is made by itself
    protocol::Welcome welcome() const; ///< of the current or last connection
    /** What this user may do at that agent, as it said last. */
    domain::Grants grants() const;
    /** How long it is until a moment by the agent's clock, as its last answer to a ping told it; by `own`
     * while it hasn't told any. This computer's wall clock has no part in it: it may be off by a day. */
    qint64 untilUs(qint64 agentWallUs, const base::Clock &own) const;
    /** How far this computer's wall clock is ahead of the agent's, as found at its last answer to a ping; 0
     * below a second, which the way of that answer may make up. */
    qint64 aheadUs() const;
    qint64 lagUs() const; ///< round trip of the last ping; −1 unknown

    /**
     * Sends a request once. The id can be given to cancel(). The callback comes once, later, unless `context`
     * is gone. Unreachable where there is no link, Unsupported at an agent that doesn't know the request.
     *
     * AuditQuery with `verify`: takes as long as the chain is, and no time limit ends it.
     * LocksQuery: the pages of the answer are put together; the one before it is taken back.
     * ReadNow: the agent then tells the table anew.
     * ForceRelease: when the link breaks before the answer, the request isn't repeated: once the session is
     * back it looks the command's id up in the audit for the recorded outcome. Without one it ends as
     * Outcome::Unknown, never as success.
     */
    template <typename Request> quint64 ask(Request request, QObject *context, Answer<Reply<Request>> answer);
    void cancel(quint64 id);

Q_SIGNALS:
    /** open() names another agent than before: what the last one told is no news of this one. */
    void agentChanged();
    void linkChanged();
    void lagChanged(qint64 us);
    void grantsChanged();
    /** A request is new, or has another state. */
    void approvalChanged(const lockkeeper::domain::ApprovalRequest &request);
    /** Everything known before is void; pages of the new table follow, then tableComplete(). */
    void tableReset(quint64 atSeq);
    void tablePage(const QList<lockkeeper::domain::LockState> &locks,
                   const QList<lockkeeper::domain::SourceState> &sources);
    void tableComplete(quint64 atSeq);
    void eventsCame(const QList<lockkeeper::events::LockEvent> &events);
    void statesCame(const QList<lockkeeper::domain::LockState> &locks,
                    const QList<lockkeeper::domain::SourceState> &sources);
    /** Changes that the agent's journal couldn't keep yet: locks to insert or replace, and to take out. */
    void unjournalledCame(const QList<lockkeeper::domain::LockState> &locks,
                          const QList<lockkeeper::domain::LockKey> &removed);

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace lockkeeper::app::session
