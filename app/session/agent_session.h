// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/clock.h"
#include "shared/transport/client.h"

#include <QObject>

#include <functional>
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
    /** An answer to a question; an Error where it failed, was cancelled, or the link broke. */
    template <typename T> using Answer = std::function<void(base::Result<T>)>;

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
    qint64 lagUs() const; ///< round trip of the last ping; −1 unknown

    /** Questions. The id can be given to cancel(). The callback comes once, later, unless `context` is gone.
     */
    quint64 history(protocol::HistoryQuery query, QObject *context, Answer<protocol::EventPage> answer);
    quint64 holds(protocol::HoldsQuery query, QObject *context, Answer<protocol::HoldPage> answer);
    quint64 audit(protocol::AuditQuery query, QObject *context, Answer<protocol::AuditPage> answer);
    quint64 inspect(const domain::LockKey &key, QObject *context, Answer<protocol::Inspected> answer);
    quint64 status(QObject *context, Answer<protocol::Status> answer);
    /** Who waits for whom (domain::chainsOf() makes the tree), of one source or, with an empty name, of all.
     * Unsupported at an agent that doesn't know the question. */
    quint64 chains(const QString &source, QObject *context, Answer<protocol::ChainsPage> answer);
    /** Locks ranked by what they cost. Unsupported at an agent that doesn't know the question. */
    quint64 contention(protocol::ContentionQuery query, QObject *context,
                       Answer<protocol::ContentionPage> answer);
    /** What was held and waited for in a range of time. Unsupported at an agent that doesn't know it. */
    quint64 timeline(protocol::TimelineQuery query, QObject *context, Answer<protocol::TimelinePage> answer);
    /** How many waited, slice by slice. Unsupported at an agent that doesn't know the question. */
    quint64 waiting(protocol::WaitingQuery query, QObject *context, Answer<protocol::WaitingPage> answer);
    /** The table of locks as it was, its pages put together. The question before it is taken back.
     * Unsupported at an agent that doesn't know it. */
    quint64 locksAt(qint64 atUs, QObject *context, Answer<protocol::SnapshotPage> answer);
    /**
     * Has the agent listen to a store's clients for a moment; the answer comes when it has ended. Sent once;
     * its `error` tells why it wasn't carried out. Unsupported at an agent that doesn't know the request.
     */
    quint64 probe(protocol::ProbeRequest request, QObject *context, Answer<protocol::ProbeResult> answer);
    /**
     * Has the agent look through a store that it doesn't observe; `error` tells why nothing was found out.
     * Unsupported at an agent that doesn't know the request.
     */
    quint64 discover(protocol::DiscoverRequest request, QObject *context,
                     Answer<protocol::DiscoverResult> answer);
    /** Has the agent read its stores, and then tell the table anew. */
    quint64 readNow(const QString &source, QObject *context, Answer<protocol::Done> answer);
    /**
     * Sends one force-release. When the link breaks before the answer, the request isn't repeated: once the
     * session is back it looks the command's id up in the audit for the recorded outcome. Without one it ends
     * as Outcome::Unknown, never as success. Fails as Unreachable where there was no link to send it by.
     */
    quint64 forceRelease(protocol::ForceRelease request, QObject *context,
                         Answer<protocol::ReleaseResult> answer);
    /** The force-releases that wait for a second person. Unsupported at an agent that doesn't know them. */
    quint64 approvals(QObject *context, Answer<protocol::ApprovalsPage> answer);
    /** A second person's word; answered when the release that it may lead to has ended. Sent once. */
    quint64 decide(const protocol::Decision &decision, QObject *context,
                   Answer<protocol::ReleaseResult> answer);
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
