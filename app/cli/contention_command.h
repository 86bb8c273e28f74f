// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"
#include "app/cli/table.h"

namespace lockkeeper::app::cli {

/** The cost of locks in a range of time, ranked by waiting. */
class ContentionCommand final : public Command
{
    Q_OBJECT

public:
    ContentionCommand(ContentionOptions options, Context &context);

protected:
    void connected(const protocol::Welcome &welcome) override;
    void received(const protocol::Message &message) override;

private:
    ContentionOptions m_options;
};

Table contentionTable(const protocol::ContentionPage &page);
/** Explains "?"; empty if no lock has it. */
QString blindMark(const QList<domain::Contention> &locks);

} // namespace lockkeeper::app::cli
