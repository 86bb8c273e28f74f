// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"
#include "app/cli/live_table.h"

#include <QSet>

namespace lockkeeper::app::cli {

/**
 * One guarded force-release: finds the lock, reads it afresh, checks that it is the acquisition that was
 * meant, shows what will be done, asks, and sends it with the reading's ticket. The guard is checked again by
 * the agent and by the store in the operation itself; what is checked here only spares a useless request.
 */
class ReleaseCommand final : public Command
{
    Q_OBJECT

public:
    ReleaseCommand(ReleaseOptions options, Context &context);
    void start() override;

protected:
    void connected(const protocol::Welcome &welcome) override;
    void received(const protocol::Message &message) override;
    void lost(const base::Error &error) override;

private:
    enum class Step : quint8 {
        Finding,
        Refreshing,
        Recalling,
        Comparing,
        Reading,
        Asking,
        ReadingAgain,
        Releasing,
        Naming,
        Awaiting
    };

    void find();
    /** The agent's table says that it isn't there: only a scan after the request can say that nobody holds
     * it. */
    void refresh();
    /** Asks the journal whether the lock was ever seen: without a sighting its absence says nothing. */
    void recall(std::optional<quint64> beforeSeq = {});
    void recalled(const protocol::EventPage &page);
    /** No event is of it: a command that found it may be its only trace. */
    void recallCommands(std::optional<qint64> beforeId = {});
    void recalledCommands(const protocol::AuditPage &page);
    void wasSeen();
    /** The name is of no lock that was ever seen: lists those that it may be meant for. */
    void compare();
    void compared(const protocol::SnapshotPage &page);
    void read(Step step);
    void inspected(const protocol::Inspected &answer);
    /** False, and the command has ended, where this isn't the acquisition that was meant. */
    bool accept(const protocol::Inspected &answer);
    bool acceptAgain(const protocol::Inspected &answer);
    /** Who holds it, for an operator who meant somebody else; empty: nobody that is known. */
    QString holderText(const protocol::Inspected &reading) const;
    /** Others that are held under the same name: permits of one semaphore. */
    QString namesakes() const;
    void describe();
    /** False, and the command has ended, where no confirmation could make the release possible. */
    bool mayBeConfirmed();
    void ask();
    void release();
    QString requestText(qint64 id) const;
    void await(const protocol::ReleaseResult &result);
    void follow(const domain::ApprovalRequest &request);
    void conclude(const protocol::ReleaseResult &result);
    void endAs(domain::Outcome outcome, const QString &cause, const QString &remedy = {});

    ReleaseOptions m_options;
    Step m_step = Step::Finding;
    LiveTable m_table;
    bool m_refreshed = false;        ///< `m_table` was read after a scan that this command asked for
    std::optional<qint64> m_shownUs; ///< the deadline in the table, as the guard's acquisition had it
    QSet<QString> m_names;           ///< of the source's locks, to compare with
    protocol::ReleaseResult m_result;
    domain::LockKey m_key;
    protocol::Inspected m_seen;
};

/** A glob that fits `text`, a name's text form, and not many others: the exact comparison is the caller's. */
QByteArray globFor(const QString &text);
/** Whether the options name this lock. */
bool isMeant(const domain::LockKey &lock, const ReleaseOptions &options);
/** What no tool can close: said before each release. */
QString residueText(const domain::LockState &lock);
/** The options that tell it from others of its name. */
QString candidateText(const domain::LockState &lock);

} // namespace lockkeeper::app::cli
