// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"
#include "app/cli/history_pager.h"
#include "app/cli/live_table.h"

#include <QSaveFile>

namespace lockkeeper::app::cli {

/** The live table or the history to a file, which is replaced only once all of it is written. */
class ExportCommand final : public Command
{
    Q_OBJECT

public:
    ExportCommand(ExportOptions options, Context &context);
    void start() override;

protected:
    void connected(const protocol::Welcome &welcome) override;
    void received(const protocol::Message &message) override;

private:
    void writeLocks();
    void row(const QJsonObject &object);
    void put(const QByteArray &bytes);
    void end();

    ExportOptions m_options;
    QStringList m_columns;
    LiveTable m_table;
    std::optional<HistoryPager> m_pager; ///< empty: the live table
    std::unique_ptr<QSaveFile> m_file;   ///< null: standard output
};

} // namespace lockkeeper::app::cli
