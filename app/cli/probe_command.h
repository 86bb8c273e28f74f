// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"
#include "app/cli/table.h"

namespace lockkeeper::app::cli {

/**
 * Counts the attempts of a store's clients for a short time; announces the cost beforehand and asks for
 * confirmation.
 */
class ProbeCommand final : public Command
{
    Q_OBJECT

public:
    ProbeCommand(ProbeOptions options, Context &context);
    void start() override;

protected:
    void connected(const protocol::Welcome &welcome) override;
    void received(const protocol::Message &message) override;

private:
    void ask();
    void request();
    void print(const protocol::ProbeResult &result);

    ProbeOptions m_options;
};

/** One object per lock and client. */
QJsonObject probeObject(const domain::ProbeCount &count, const QString &source);
/** The last line: the basis of the counts. */
QJsonObject probeSummary(const protocol::ProbeResult &result, const QString &source);
Table probeTable(const protocol::ProbeResult &result);

} // namespace lockkeeper::app::cli
