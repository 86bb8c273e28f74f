// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"
#include "app/cli/live_table.h"

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
    enum class Step : quint8 { Finding, Reading, Asking, ReadingAgain, Releasing };

    void find(const LiveTable &table);
    void read(Step step);
    void inspected(const protocol::Inspected &answer);
    /** False, and the command has ended, where this isn't the acquisition that was meant. */
    bool accept(const protocol::Inspected &answer);
    bool acceptAgain(const protocol::Inspected &answer);
    void describe();
    QString residue() const;
    void ask();
    void release();
    void conclude(const protocol::ReleaseResult &result);
    void endAs(domain::Outcome outcome, const QString &cause, const QString &remedy = {});

    ReleaseOptions m_options;
    Step m_step = Step::Finding;
    LiveTable m_table;
    domain::LockKey m_key;
    protocol::Inspected m_seen;
};

/** A glob that fits `text`, a name's text form, and not many others: the exact comparison is the caller's. */
QByteArray globFor(const QString &text);

} // namespace lockkeeper::app::cli
