// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"
#include "app/cli/history_pager.h"
#include "app/cli/live_table.h"
#include "app/cli/table.h"

namespace lockkeeper::app::cli {

/**
 * statusHead() describes the agent. sourceNotes() has a line for each fault of its sources, with `prefix`
 * before their names.
 */
QString statusHead(const protocol::Status &status);
QString sourceNotes(const protocol::Status &status, const QString &prefix = {});
/** Empty if the journal can be written. */
QString journalFault(const protocol::Status &status);
/** Explains "~" at a lock of the past; empty if no lock has it. */
QString changeMark(const QList<domain::LockState> &locks);

/**
 * The agent and its sources. The exit status is 0 even if a source is down, because the agent has reported
 * that.
 */
class StatusCommand final : public Command
{
    Q_OBJECT

public:
    StatusCommand(const StatusOptions &, Context &context) : Command(context) {}

protected:
    void connected(const protocol::Welcome &welcome) override;
    void received(const protocol::Message &message) override;
};

/** Prints the table once: the current one, or that of a past time. Without a part it writes JSON page by
 * page, as it comes. */
class LocksCommand final : public Command
{
    Q_OBJECT

public:
    LocksCommand(LocksOptions options, Context &context) : Command(context), m_options(std::move(options)) {}

protected:
    void connected(const protocol::Welcome &welcome) override;
    void received(const protocol::Message &message) override;

private:
    bool streams() const { return !context().part; }
    void ask() { send(protocol::LocksQuery{1, m_options.source, m_options.nameGlob, m_options.atUs}); }
    void writeLines(const QList<domain::LockState> &locks, qint64 wallUs);

    LocksOptions m_options;
    LiveTable m_table;
};

/**
 * Events of the journal, page by page. It resumes at its position after the link is lost or the process is
 * stopped.
 */
class HistoryCommand final : public Command
{
    Q_OBJECT

public:
    HistoryCommand(const HistoryOptions &options, Context &context) : Command(context), m_pager(options) {}

protected:
    void connected(const protocol::Welcome &welcome) override;
    void received(const protocol::Message &message) override;
    void lost(const base::Error &error) override;

private:
    void ask();

    HistoryPager m_pager;
    QByteArray m_journal;
    bool m_any = false;
    bool m_knowsReach = false; ///< the agent has reported the time of its oldest event
    bool m_resumes = false;    ///< a page has arrived since the connection was made
    bool m_writes = false;     ///< a write is in progress
};

/** Intervals in which locks were held. */
class HoldsCommand final : public Command
{
    Q_OBJECT

public:
    HoldsCommand(HoldsOptions options, Context &context) : Command(context), m_options(std::move(options)) {}

protected:
    void connected(const protocol::Welcome &welcome) override;
    void received(const protocol::Message &message) override;

private:
    void ask();

    HoldsOptions m_options;
};

/** The audit; with `verify` the exit status is 1 if the chain is broken. */
class AuditCommand final : public Command
{
    Q_OBJECT

public:
    AuditCommand(const AuditOptions &options, Context &context) : Command(context), m_options(options) {}

protected:
    void connected(const protocol::Welcome &welcome) override;
    void received(const protocol::Message &message) override;

private:
    void ask();
    void print(const QList<domain::AuditEntry> &entries, const std::function<void()> &then = {});
    void conclude();
    void printHead();
    QString chainFault() const;
    QString expectationFault() const;
    QString signatureFault() const;

    AuditOptions m_options;
    std::optional<qint64> m_before;
    qint64 m_count = 0;
    QList<domain::AuditEntry> m_entries; ///< with several agents, those of this agent
    std::optional<protocol::AuditPage> m_chain;
};

} // namespace lockkeeper::app::cli
