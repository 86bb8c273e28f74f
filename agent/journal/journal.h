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
 * The durable record of events, holds and the audit. Its own threads commit, file and read, so that a slow
 * disk or a long query delays nobody else. The journal lives in the thread that created it; callbacks and
 * signals arrive in that thread.
 *
 * An event gets its sequence number with the log record that makes it outlive the process; committed() is
 * emitted only afterwards. Events are written in the order of the calls. So is the audit, which doesn't wait
 * for events. An answer covers all events that were committed before the question, unless the disk fails. A
 * cancelled question (`takenBack`) doesn't start, or ends with Cancelled at its next check of the clock.
 *
 * When the disk fails or is full, failed() is emitted and events wait in memory up to a limit (64 MiB). Once
 * the disk has space again, the journal commits them in order, and writes a gap for each source whose events
 * it had to drop. Before that, backPressureChanged() asks the sources that can wait to produce less. While
 * the disk fails, writeIntent() answers with an error: no audit, no release.
 */
class Journal : public QObject, public AuditLog
{
    Q_OBJECT

public:
    explicit Journal(const base::Clock &clock, QObject *parent = nullptr);
    ~Journal() override;

    /** Opens, migrates and checks the journal, and completes what a crash left open. Blocks, so it is called
     * before the event loop runs. */
    base::Result<Opened> open(const JournalOptions &options);
    /** Waits until the appended events are written, then closes. Blocks for some seconds at most. */
    void close();
    void setRetention(int keepDays, int keepMib, int keepRollupsDays);
    /** Sets the events that the receivers of the journal lack. Retention keeps them, within each limit. */
    void setUnforwarded(const QList<UnforwardedEvents> &unforwarded);

    /** Queues events (seq 0) for the next commit; `progress` goes into the same transaction. False: the
     * events were dropped, and a gap takes their place, see tellsOfLoss(). */
    bool append(const QList<events::LockEvent> &events, const QList<Progress> &progress = {});
    /** Updates the renewals of an open hold. Updates are conflated and written after 10 s at the latest. */
    void noteRenewal(const domain::LockState &state);

    /** Stores a value that the next start finds in Opened. The keys are "epoch" (the number under which this
     * agent was elected), "sets/SOURCE" (the scanned sets of that source) and "server/SOURCE" (the standing
     * of its server). */
    void note(const QByteArray &key, const QByteArray &value);
    /** The next start gives the journal another id, because its numbers meant other events before. */
    void abandonId();

    void writeIntent(const domain::AuditEntry &intent,
                     std::function<void(base::Result<ReleaseIntent>)> done) override;
    void writeDecision(qint64 auditId, const QString &approver, domain::Outcome outcome,
                       const QString &detail, Done done) override;
    void writeOutcome(qint64 auditId, domain::Outcome outcome, const QString &detail, Done done) override;
    /** Audit calls that aren't answered yet, and outcomes that wait for the disk to recover. A shutdown waits
     * for them, because the next start attributes an intent without an outcome to a crash. */
    qsizetype pendingAudits() const;

    /**
     * Runs `question` in the reader's thread and passes its Result to `done`. The question sees only what
     * `sight` allows. `isLong`: it may take longer than 5 s, so a second reader, reserved for such questions,
     * runs it.
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
    base::Error error() const; ///< code Unknown and no cause: no error
    /** Why old rows are neither rolled up nor deleted: a page of the database can't be read. Or why the audit
     * isn't signed: open() found it incomplete. Events are still written. Code Unknown and no cause: no
     * damage. */
    base::Error damage() const;

Q_SIGNALS:
    /** These events are durable now and have their numbers. */
    void committed(const QList<lockkeeper::events::LockEvent> &events);
    void failed(const lockkeeper::base::Error &error);
    void recovered();
    /**
     * On: the waiting events take more than an eighth of the queue's memory. Off: they take no more than half
     * of that. While it is on, everything that can be read later should be. It stays off while the disk fails
     * or hangs.
     */
    void backPressureChanged(bool on);

private:
    /** Calls `begun` in the reader's thread, with the queries or the reason why they aren't available. */
    void askReader(std::function<void(const base::Result<Queries *> &)> begun, std::stop_token takenBack,
                   const domain::Sight &sight, bool isLong);
    /** Fails if a row couldn't be read: an answer without that row would be false. */
    static base::Result<void> end(Queries &queries);

    class Private;
    std::unique_ptr<Private> d;
};

/** True if the journal made these events itself to report dropped events. Such events are committed alone,
 * and no caller appended them. */
bool tellsOfLoss(const QList<events::LockEvent> &committed);

} // namespace lockkeeper::agent::journal
