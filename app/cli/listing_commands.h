// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"
#include "app/cli/history_pager.h"
#include "app/cli/live_table.h"
#include "app/cli/table.h"

namespace lockkeeper::app::cli {

/** Of the agent itself; of what is wrong with its sources, a line each, `prefix` before their names. */
QString statusHead(const protocol::Status &status);
QString sourceNotes(const protocol::Status &status, const QString &prefix = {});
/** Empty where it can write. */
QString journalFault(const protocol::Status &status);
/** What "~" at a lock of the past means; empty where none has it. */
QString changeMark(const QList<domain::LockState> &locks);

/** The agent and its sources. Exit status 0 also where a source is down: the agent has told so. */
class StatusCommand final : public Command
{
    Q_OBJECT

public:
    StatusCommand(const StatusOptions &, Context &context) : Command(context) {}

protected:
    void connected(const protocol::Welcome &welcome) override;
    void received(const protocol::Message &message) override;

private:
    void print(const protocol::Status &status);
};

/** The table once: now, or as it was at a time. */
class LocksCommand final : public Command
{
    Q_OBJECT

public:
    LocksCommand(LocksOptions options, Context &context)
        : Command(context, {QString::fromLatin1(protocol::kFeatureNodes),
                            QString::fromLatin1(protocol::kFeatureAsOf)}),
          m_options(std::move(options))
    {
    }
    /** Why an agent isn't asked how it was at a time. */
    static QString noPast();

protected:
    void connected(const protocol::Welcome &welcome) override;
    void received(const protocol::Message &message) override;

private:
    /** JSON that nobody wants sorted is written page by page: there may be millions. */
    bool streams() const { return context().json && !m_options.order && !m_options.atUs && !context().part; }
    void ask() { send(protocol::LocksQuery{1, m_options.source, m_options.nameGlob, m_options.atUs}); }
    void writeLines(const QList<domain::LockState> &locks, qint64 wallUs);
    void print();

    LocksOptions m_options;
    LiveTable m_table;
};

/** Events of the journal, page by page. Goes on where it was when the link is lost, as while it is stopped.
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
    bool m_knowsReach = false; ///< the agent has answered when its oldest event was
    bool m_resumes = false;    ///< a page has come since it was connected
    bool m_writes = false;     ///< it is being written
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

/** The audit; with `verify` ends with status 1 where the chain is broken. */
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
    QList<domain::AuditEntry> m_entries; ///< of several agents' one
    std::optional<protocol::AuditPage> m_chain;
};

} // namespace lockkeeper::app::cli
