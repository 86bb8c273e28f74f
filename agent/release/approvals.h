// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/release/releaser.h"
#include "shared/domain/approval.h"

#include <QObject>

#include <functional>
#include <map>

namespace lockkeeper::agent::release {

/**
 * The force-releases that await approval by a second person. A request is bound to the digest of one
 * acquisition. It ends after five minutes, or when that acquisition ends. It is decided once, by a user who
 * may approve there and whose name differs from the asker's. An approved request is read again and released
 * by the usual path. Each request is an audit intent from its beginning, each decision a record after it,
 * each end an outcome. A refused decision gets a separate audit entry. Lives in the main thread; time passes
 * only in step().
 */
class Approvals : public QObject
{
    Q_OBJECT

public:
    using Done = Releaser::Done;
    using GrantsOf = Releaser::GrantsOf;

    Approvals(Releaser &releaser, journal::AuditLog &audit, const base::Clock &clock, GrantsOf grantsOf,
              QObject *parent = nullptr);

    /** The open requests, and those that ended within the last ten minutes; the newest last. */
    QList<domain::ApprovalRequest> list() const;
    /** Carries out a decision, or refuses and audits it. The asker of a request may reject it, which
     * withdraws it. */
    void decide(const protocol::Decision &decision, const Asker &asker, Done done);
    /** Audits a decision that was denied before its handler. */
    void deny(const protocol::Decision &decision, const Asker &asker, const base::Error &error,
              const Done &done);
    /** Ends the requests that weren't decided in time. */
    void step();
    /** Ends the requests of users that may no longer release the lock. */
    void policyChanged();
    /** Takes events as they are published, and ends a request when its acquisition has ended. */
    void take(const QList<events::LockEvent> &events);

Q_SIGNALS:
    /** A request is new, or its state or outcome changed. */
    void changed(const lockkeeper::domain::ApprovalRequest &request);

private:
    struct PendingApproval
    {
        domain::ApprovalRequest request;
        Releaser::Awaiting awaiting;
        qint64 untilUs = 0;    ///< monotonic: when the request ends, or is forgotten
        bool deciding = false; ///< a decision is being made durable
    };

    void add(const Releaser::Awaiting &awaiting);
    std::optional<base::Error> refusalOf(const protocol::Decision &decision, const Asker &asker) const;
    std::optional<base::Error> roleRefusal(const PendingApproval &entry, const Asker &approver) const;
    static bool isSeen(const PendingApproval &entry, const Asker &asker);
    bool mayStillAsk(const PendingApproval &entry) const;
    void decided(qint64 id, const protocol::Decision &decision, const Asker &asker, const Done &done);
    static bool isItsBeginning(const events::LockEvent &event, const PendingApproval &entry);
    static bool endsIt(const events::LockEvent &event, const PendingApproval &entry);
    void end(PendingApproval &entry, const QString &why);
    void close(PendingApproval &entry);

    Releaser &m_releaser;
    journal::AuditLog &m_audit;
    const base::Clock &m_clock;
    GrantsOf m_grantsOf;
    std::map<qint64, PendingApproval> m_entries; ///< by request
};

} // namespace lockkeeper::agent::release
