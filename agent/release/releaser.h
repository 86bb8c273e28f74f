// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/journal/audit/audit_log.h"
#include "agent/release/audit_limit.h"
#include "agent/release/holder_knowledge.h"
#include "agent/release/release_rules.h"
#include "agent/release/source_port.h"
#include "shared/base/clock.h"
#include "shared/domain/sight.h"

#include <QHash>
#include <QObject>

#include <deque>
#include <functional>
#include <memory>

namespace lockkeeper::agent::release {

/**
 * The path of a force-release (architecture.md): request → fresh reading → rules → durable intent → one
 * guarded operation → durable outcome → answer. Releases of one source run one after the other. A written
 * intent always gets its outcome, even if the asker has left. Lives in the main thread.
 */
class Releaser : public QObject
{
    Q_OBJECT

public:
    using InspectDone = std::function<void(const protocol::Inspected &)>;
    using Done = std::function<void(const protocol::ReleaseResult &)>;

    Releaser(SourceDirectory &sources, journal::AuditLog &audit, const base::Clock &clock,
             QObject *parent = nullptr);
    ~Releaser() override;

    /** Reads a lock again and keeps the reading in the asker's tickets. A lock out of sight gets the same
     * answer as a lock that doesn't exist. */
    void inspect(const protocol::Inspect &request, const Asker &asker, const InspectDone &done,
                 const domain::Sight &sight = {});
    void release(const protocol::ForceRelease &request, const Asker &asker, Done done);
    /** A release that a second person must approve before it is carried out. */
    struct Awaiting
    {
        protocol::ForceRelease request; ///< bound to the digest of the reading
        Asker asker;
        domain::Guard guard; ///< as read
        QByteArray holder;
        qint64 auditId = 0; ///< of the intent
        qint64 askedUs = 0;
        qint64 endsUs = 0;             ///< `askedUs` and `endsUs` are wall-clock times
        qint64 readUs = 0;             ///< time of the reading, by the store's clock
        domain::TimeUs expiresUs = {}; ///< the lock's deadline at that time
    };
    static constexpr qint64 kApprovalWithinUs = 300'000'000;

    using GrantsOf = std::function<domain::Grants(const access::Identity &)>;
    /** Sets the function that returns an asker's current grants; it is called when a release's turn comes.
     * Without it the grants from the request count. */
    void setGrantsOf(GrantsOf grantsOf) { m_grantsOf = std::move(grantsOf); }
    /** Looks up verdicts on holders, which the audit then names; a policy may require them. */
    void setHolderKnowledge(HolderKnowledgeOf knowledge) { m_holderKnowledge = std::move(knowledge); }
    using WasSeen =
        std::function<void(const domain::LockKey &key, std::function<void(const base::Result<bool> &)> done)>;
    /** Sets the function that asks the journal whether it knows a lock. Without it each lock counts as seen
     * before. */
    void setWasSeen(WasSeen wasSeen) { m_wasSeen = std::move(wasSeen); }
    using HasRoom = std::function<bool(const QString &user)>;
    /** Sets the function that says whether another request of a user may be kept. Without it all may. */
    void setRoomForRequests(HasRoom hasRoom) { m_hasRoom = std::move(hasRoom); }
    /** Reads the lock again and releases it if it is still the approved acquisition. With a `refusal` it
     * releases nothing. */
    void releaseApproved(const Awaiting &awaiting, const QString &approver,
                         const std::optional<base::Error> &refusal, Done done);
    /** Refuses a release that was denied before its handler. Audited within refusals(). */
    void deny(const protocol::ForceRelease &request, const Asker &asker, const base::Error &error, Done done);

    /** Bounds the audit of requests that end without asking the store: those that the role refuses, here and
     * elsewhere, and releases that the rules end. */
    AuditLimit &refusals() { return m_refusals; }

    /** Takes events as they are published: one may show the outcome of a release whose answer was lost. */
    void take(const QList<events::LockEvent> &events);
    /** Releases that have not been answered yet. */
    qsizetype pending() const;
    /** The number of releases per outcome, without dry runs. */
    const QHash<domain::Outcome, qint64> &totals() const { return m_totals; }

Q_SIGNALS:
    /** The intent is durable; the asker is answered after this. */
    void awaitsApproval(const lockkeeper::agent::release::Releaser::Awaiting &awaiting);

private:
    struct ReleaseJob;
    using JobPtr = std::shared_ptr<ReleaseJob>;

    static void refuseAsAnother(ReleaseJob &job, const base::Error &why);
    /** `verdict`: decided already, but still audited. */
    void enqueue(const protocol::ForceRelease &request, const Asker &asker,
                 const std::optional<EarlyOutcome> &verdict, Done done);
    void startNext(const QString &source);
    void resolve(const JobPtr &job);
    bool mayStill(const ReleaseJob &job) const;
    void readAfresh(const JobPtr &job, SourcePort &port);
    void judge(const JobPtr &job);
    void concludeFree(const JobPtr &job, const EarlyOutcome &verdict);
    void begin(const JobPtr &job);
    void begun(const JobPtr &job, const base::Result<journal::ReleaseIntent> &intent);
    void send(const JobPtr &job);
    void reported(const JobPtr &job, const stores::ReleaseReport &report);
    void conclude(const JobPtr &job, const EarlyOutcome &verdict);
    void ask(const JobPtr &job);
    void push(const JobPtr &job);
    void writeOutcome(const JobPtr &job);
    void answerRecorded(const JobPtr &job, const domain::AuditEntry &entry);
    void answer(const JobPtr &job);
    void explainFree(ReleaseJob &job) const;

    SourceDirectory &m_sources;
    journal::AuditLog &m_audit;
    const base::Clock &m_clock;
    AuditLimit m_refusals{m_audit, m_clock, QStringLiteral("%1 more requests ended so within a minute")};
    QHash<QString, std::deque<JobPtr>> m_queues; ///< by source; the first of each is under way
    QHash<QByteArray, JobPtr> m_inFlight;        ///< by command id
    HasRoom m_hasRoom = [](const QString &) { return true; };
    GrantsOf m_grantsOf;
    HolderKnowledgeOf m_holderKnowledge;
    WasSeen m_wasSeen;
    /** A release whose answer was lost, until its lock is acquired again. */
    struct UnansweredRelease
    {
        qint64 auditId = 0;
        QByteArray command;
        enum Fate : quint8 { Open, Probable, Proven } fate = Open;
    };
    QHash<domain::LockKey, UnansweredRelease> m_lost;
    QHash<domain::Outcome, qint64> m_totals;
};

} // namespace lockkeeper::agent::release
