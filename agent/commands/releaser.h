// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/commands/audit_limit.h"
#include "agent/commands/release_rules.h"
#include "agent/commands/source_port.h"
#include "agent/journal/audit/audit_log.h"
#include "shared/base/clock.h"
#include "shared/domain/sight.h"

#include <QHash>
#include <QObject>

#include <deque>
#include <functional>
#include <memory>

namespace lockkeeper::agent::commands {

/**
 * The path of a force-release (architecture.md): request → fresh reading → rules → durable intent → one
 * guarded operation → durable outcome → answer. Releases of one source run one after the other. An intent,
 * once written, is carried to its outcome whether or not the asker is still there. Lives in the main thread.
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

    /** Reads a lock afresh and leaves the reading in the asker's tickets. What isn't in sight is answered as
     * what doesn't exist is. */
    void inspect(const protocol::Inspect &request, const Asker &asker, const InspectDone &done,
                 const domain::Sight &sight = {});
    void release(const protocol::ForceRelease &request, const Asker &asker, Done done);
    /** A release that a second person must approve before it is carried out. */
    struct Awaiting
    {
        protocol::ForceRelease request; ///< bound to the digest of what was read
        Asker asker;
        domain::Guard guard; ///< as it was read
        QByteArray holder;
        qint64 auditId = 0; ///< of its intent
        qint64 askedUs = 0;
        qint64 endsUs = 0;             ///< both by the wall clock
        qint64 readUs = 0;             ///< when it was read, by the store's
        domain::TimeUs expiresUs = {}; ///< its deadline then
    };
    static constexpr qint64 kApprovalWithinUs = 300'000'000;

    using GrantsOf = std::function<domain::Grants(const access::Identity &)>;
    /** What an asker may do by now, asked when a release's turn comes; unless told, what it might when it
     * asked. */
    void setGrantsOf(GrantsOf grantsOf) { m_grantsOf = std::move(grantsOf); }
    using WasSeen =
        std::function<void(const domain::LockKey &key, std::function<void(const base::Result<bool> &)> done)>;
    /** Whether the journal knows that lock. Without this function each lock counts as seen before. */
    void setWasSeen(WasSeen wasSeen) { m_wasSeen = std::move(wasSeen); }
    using HasRoom = std::function<bool(const QString &user)>;
    /** Whether another request of that user may be kept; all may unless told. */
    void setRoomForRequests(HasRoom hasRoom) { m_hasRoom = std::move(hasRoom); }
    /** Reads the lock again and releases what was asked for, if it is still that. `refusal`: it may not be.
     */
    void releaseApproved(const Awaiting &awaiting, const QString &approver,
                         const std::optional<base::Error> &refusal, Done done);
    /** A release that never comes to be: denied before its handler. Audited within refusals(). */
    void deny(const protocol::ForceRelease &request, const Asker &asker, const base::Error &error, Done done);

    /** Bounds the audit of what ends without the store being asked: refused by the role, here and elsewhere,
     * or a release by its rules. */
    AuditLimit &refusals() { return m_refusals; }

    /** Events as they are published: one may tell what became of a release whose answer was lost. */
    void take(const QList<events::LockEvent> &events);
    /** Releases that have not been answered yet. */
    qsizetype pending() const;
    /** How many releases (dry runs apart) ended so. */
    const QHash<domain::Outcome, qint64> &totals() const { return m_totals; }

Q_SIGNALS:
    /** The intent is durable; the asker is answered after this. */
    void awaitsApproval(const lockkeeper::agent::commands::Releaser::Awaiting &awaiting);

private:
    struct Job;
    using JobPtr = std::shared_ptr<Job>;

    /** `verdict`: decided already, and still audited. */
    static void refuseAsAnother(Job &job, const base::Error &why);
    void enqueue(const protocol::ForceRelease &request, const Asker &asker,
                 const std::optional<Verdict> &verdict, Done done);
    void startNext(const QString &source);
    void resolve(const JobPtr &job);
    bool mayStill(const Job &job) const;
    void readAfresh(const JobPtr &job, SourcePort &port);
    void judge(const JobPtr &job);
    void concludeFree(const JobPtr &job, const Verdict &verdict);
    void begin(const JobPtr &job);
    void begun(const JobPtr &job, const base::Result<journal::ReleaseIntent> &intent);
    void send(const JobPtr &job);
    void reported(const JobPtr &job, const stores::ReleaseReport &report);
    void conclude(const JobPtr &job, const Verdict &verdict);
    void ask(const JobPtr &job);
    void push(const JobPtr &job);
    void writeOutcome(const JobPtr &job);
    void answerRecorded(const JobPtr &job, const domain::AuditEntry &entry);
    void answer(const JobPtr &job);
    void explainFree(Job &job) const;

    SourceDirectory &m_sources;
    journal::AuditLog &m_audit;
    const base::Clock &m_clock;
    AuditLimit m_refusals{m_audit, m_clock, QStringLiteral("%1 more requests ended so within a minute")};
    QHash<QString, std::deque<JobPtr>> m_queues; ///< by source; the first of each is under way
    QHash<QByteArray, JobPtr> m_inFlight;        ///< by command id
    HasRoom m_hasRoom = [](const QString &) { return true; };
    GrantsOf m_grantsOf;
    WasSeen m_wasSeen;
    /** A release whose answer was lost, until its lock is taken again. */
    struct Lost
    {
        qint64 auditId = 0;
        QByteArray command;
        enum Fate : quint8 { Open, Probable, Proven } fate = Open;
    };
    QHash<domain::LockKey, Lost> m_lost;
    QHash<domain::Outcome, qint64> m_totals;
};

} // namespace lockkeeper::agent::commands
