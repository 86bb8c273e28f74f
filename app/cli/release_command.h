// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"
#include "app/cli/live_table.h"

#include <QSet>

namespace lockkeeper::app::cli {

/**
 * One guarded force-release: finds the lock, reads it again, checks that it is the intended acquisition,
 * shows the effect, asks for confirmation, and sends the request with the ticket of that reading. The agent
 * checks the guard again, and so does the store in the operation itself; the check here only avoids a useless
 * request.
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
    enum class ReleaseStep : quint8 {
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
    /** The lock isn't in the agent's table: only a scan after the request can prove that nobody holds it. */
    void refresh();
    /**
     * Checks in the journal whether the lock was ever seen: without a sighting, its absence proves nothing.
     */
    void recall(std::optional<quint64> beforeSeq = {});
    void recalled(const protocol::EventPage &page);
    /** The journal has no event of the lock: a command that found it may be its only trace. */
    void recallCommands(std::optional<qint64> beforeId = {});
    void recalledCommands(const protocol::AuditPage &page);
    void wasSeen();
    /** No lock with this name was ever seen: lists the locks that the user may have meant. */
    void compare();
    void compared(const protocol::SnapshotPage &page);
    void read(ReleaseStep step);
    void inspected(const protocol::Inspected &answer);
    /** Returns false and ends the command if this isn't the intended acquisition. */
    bool accept(const protocol::Inspected &answer);
    bool acceptAgain(const protocol::Inspected &answer);
    /** The holder, shown if the operator meant somebody else; empty if none is known. */
    QString holderText(const protocol::Inspected &reading) const;
    /** Other locks held under the same name: permits of one semaphore. */
    QString namesakes() const;
    void describe();
    /** Returns false and ends the command if no confirmation could make the release possible. */
    bool mayBeConfirmed();
    void ask();
    void release();
    QString requestText(qint64 id) const;
    void await(const protocol::ReleaseResult &result);
    void follow(const domain::ApprovalRequest &request);
    void conclude(const protocol::ReleaseResult &result);
    void endAs(domain::Outcome outcome, const QString &cause, const QString &remedy = {});

    ReleaseOptions m_options;
    ReleaseStep m_step = ReleaseStep::Finding;
    LiveTable m_table;
    bool m_refreshed = false;        ///< `m_table` was read after a scan requested by this command
    std::optional<qint64> m_shownUs; ///< the deadline in the table, for the guard's acquisition
    QSet<QString> m_names;           ///< of the source's locks, for comparison
    protocol::ReleaseResult m_result;
    domain::LockKey m_key;
    protocol::Inspected m_seen;
};

/** A glob that matches `text`, a name's text form, and few others: the caller compares exactly. */
QByteArray globFor(const QString &text);
/** True if the options name this lock. */
bool isMeant(const domain::LockKey &lock, const ReleaseOptions &options);
/** The residual risk that no tool can remove; shown before each release. */
QString residueText(const domain::LockState &lock);
/** The options that distinguish the lock from others with its name. */
QString candidateText(const domain::LockState &lock);

} // namespace lockkeeper::app::cli
