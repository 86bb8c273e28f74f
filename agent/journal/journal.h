// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/journal/audit/audit_log.h"
#include "shared/base/clock.h"
#include "shared/domain/sight.h"
#include "shared/events/lock_event.h"

#include <QObject>

#include <functional>
#include <memory>
#include <stop_token>

namespace lockkeeper::agent::journal {

struct Queries;

/**
 * The durable record: events, holds, audit. An asynchronous front of threads that commit, file and read, so
 * that a slow disk or a long query delays nobody else. Lives in the thread that made it; callbacks and
 * signals come there. Events get their sequence numbers with the record that makes them outlive the process,
 * and committed() comes only after it. Events are written in the order of the calls, and so is the audit,
 * which waits for no event. A question is answered with all that was committed before it, unless the disk
 * fails. A question that is taken back (`takenBack`) isn't begun, or ends at its next look at the clock, as
 * Cancelled.
 *
 * When the disk fails or is full, events wait in memory up to a limit (64 MiB); failed() tells; they are
 * committed once there is space again, in order, and what had to be dropped is journalled as gaps of the
 * sources concerned. Before it comes to that backPressureChanged() asks whoever can to produce less. While it
 * fails, writeIntent() answers with an error: no audit, no release.
 */
class Journal : public QObject, public AuditLog
{
    Q_OBJECT

public:
    explicit Journal(const base::Clock &clock, QObject *parent = nullptr);
    ~Journal() override;

    /** Opens, migrates, checks and closes what a crash left open. Blocks: called before the event loop runs.
     */
    base::Result<Opened> open(const Options &options);
    /** Waits for what was appended; then closes. Blocks, at most some seconds. */
    void close();
    void setRetention(int keepDays, int keepMib, int keepRollupsDays);

    /** Queues events (seq 0) for the next commit; `progress` goes into the same transaction. False: they are
     * dropped, and a gap takes their place: tellsOfLoss(). */
    bool append(const QList<events::LockEvent> &events, const QList<Progress> &progress = {});
    /** Updates renewals of open holds; conflated, written with the next commit at the latest after 10 s. */
    void noteRenewal(const domain::LockState &state);

    /** Keeps a value for Opened: "epoch", the number under which this agent was elected, "sets/SOURCE", what
     * of that source was looked at, and "server/SOURCE", where its server stood. */
    void note(const QByteArray &key, const QByteArray &value);

    void writeIntent(const domain::AuditEntry &intent,
                     std::function<void(base::Result<ReleaseIntent>)> done) override;
    void writeDecision(qint64 auditId, const QString &approver, domain::Outcome outcome,
                       const QString &detail, Done done) override;
    void writeOutcome(qint64 auditId, domain::Outcome outcome, const QString &detail, Done done) override;
    /** What of the audit nobody was answered yet, and outcomes that wait for a disk to be well. An end waits
     * for them, since the next start takes what lacks its outcome for a crash's. */
    qsizetype pendingAudits() const;

    /**
     * Asks the reader `question`, which runs in its thread and gives a Result that is answered; of what is in
     * `sight` alone. `isLong`: it may take longer than 5 s, so another reader is asked, for whom only such
     * ones wait.
     */
    template <typename Question, typename Answered>
    void ask(Question question, Answered done, std::stop_token takenBack = {},
             const domain::Sight &sight = {}, bool isLong = false)
    {
        const auto begun = [this, question = std::move(question),
                            done = std::move(done)](const base::Result<Queries *> &queries) {
            auto answer = queries.and_then([&](Queries *all) {
                auto told = question(*all);
                if (const auto whole = end(*all); told && !whole)
                    told = tl::unexpected(whole.error());
                return told;
            });
            QMetaObject::invokeMethod(
                this, [done, answer = std::move(answer)] { done(answer); }, Qt::QueuedConnection);
        };
        askReader(begun, std::move(takenBack), sight, isLong);
    }

    quint64 firstSeq() const;
    quint64 lastSeq() const;
    QByteArray id() const;
    qint64 bytes() const; ///< of the files
    qint64 diskFree() const;
    qint64 queuedEvents() const;
    /** See backPressureChanged(). */
    bool hasBackPressure() const;
    base::Error error() const; ///< code Unknown and no cause: well
    /** Why what is old is neither added up nor deleted: a page can't be read. Events are written all the
     * same. Code Unknown and no cause: it is. */
    base::Error damage() const;

Q_SIGNALS:
    /** Durable now, with their numbers. */
    void committed(const QList<lockkeeper::events::LockEvent> &events);
    void failed(const lockkeeper::base::Error &error);
    void recovered();
    /**
     * More waits than an eighth of the queue's memory, or no longer more than half of that: until then
     * whatever can be read later should be. Not while the disk fails or hangs.
     */
    void backPressureChanged(bool on);

private:
    /** `begun`: called in the reader's thread, with the queries or why they can't be asked. */
    void askReader(std::function<void(const base::Result<Queries *> &)> begun, std::stop_token takenBack,
                   const domain::Sight &sight, bool isLong);
    /** An answer that lacks what couldn't be read would be a false one. */
    static base::Result<void> end(const Queries &queries);

    class Private;
    std::unique_ptr<Private> d;
};

/** True of the events by which the journal tells what it dropped: they come alone, and nobody appended them.
 */
bool tellsOfLoss(const QList<events::LockEvent> &committed);

} // namespace lockkeeper::agent::journal
