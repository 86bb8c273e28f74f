// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/commands/releaser.h"
#include "shared/domain/approval.h"

#include <QObject>

#include <functional>
#include <map>

namespace lockkeeper::agent::commands {

/**
 * The force-releases that wait for a second person. A request is bound to the digest of one acquisition,
 * ends after five minutes or when that acquisition does, and is decided once, by somebody of another name
 * than the asker's who may approve there. What is approved is read again and released by the usual path.
 * Each request is an intent of the audit from its beginning, each decision a record after it, each end an
 * outcome; a refused decision is an entry of its own. Lives in the main thread; time passes in step()
 * alone.
 */
class Approvals : public QObject
{
    Q_OBJECT

public:
    using Done = Releaser::Done;
    using GrantsOf = Releaser::GrantsOf;

    Approvals(Releaser &releaser, journal::AuditLog &audit, const base::Clock &clock, GrantsOf grantsOf,
              QObject *parent = nullptr);

    /** The open ones, and what became of others within the last ten minutes; the newest last. */
    QList<domain::ApprovalRequest> list() const;
    /** Carries out a decision, or refuses and audits it. The asker of a request may reject, that is withdraw
     * it. */
    void decide(const protocol::Decision &decision, const Asker &asker, Done done);
    /** Writes a decision that never comes to be: denied before its handler. */
    void deny(const protocol::Decision &decision, const Asker &asker, const base::Error &error,
              const Done &done);
    /** Ends what nobody decided on in time. */
    void step();
    /** Ends the requests of those who may no longer release. */
    void policyChanged();
    /** Events as they are published: a request whose acquisition is over ends. */
    void take(const QList<events::LockEvent> &events);

Q_SIGNALS:
    /** A request is new, or has another state or outcome. */
    void changed(const lockkeeper::domain::ApprovalRequest &request);

private:
    struct Entry
    {
        domain::ApprovalRequest request;
        Releaser::Awaiting awaiting;
        qint64 untilUs = 0;    ///< monotonic: when it ends, or is forgotten
        bool deciding = false; ///< a decision is being made durable
    };

    void add(const Releaser::Awaiting &awaiting);
    std::optional<base::Error> refusalOf(const protocol::Decision &decision, const Asker &asker) const;
    std::optional<base::Error> roleRefusal(const Entry &entry, const Asker &approver) const;
    static bool isSeen(const Entry &entry, const Asker &asker);
    bool mayStillAsk(const Entry &entry) const;
    void decided(qint64 id, const protocol::Decision &decision, const Asker &asker, const Done &done);
    static bool isItsBeginning(const events::LockEvent &event, const Entry &entry);
    static bool endsIt(const events::LockEvent &event, const Entry &entry);
    void end(Entry &entry, const QString &why);
    void close(Entry &entry);

    Releaser &m_releaser;
    journal::AuditLog &m_audit;
    const base::Clock &m_clock;
    GrantsOf m_grantsOf;
    std::map<qint64, Entry> m_entries; ///< by request
};

} // namespace lockkeeper::agent::commands
