// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/live_table.h"
#include "app/cli/output.h"
#include "app/cli/past/history_pager.h"
#include "app/records/csv_lines.h"

#include <QCoreApplication>
#include <QSaveFile>

#include <memory>
#include <variant>

namespace lockkeeper::app::cli {

struct ExportOptions
{
    bool csv = false;
    QString file; ///< empty: standard output
    std::variant<LocksOptions, HistoryOptions> what;

    bool ofHistory() const { return std::holds_alternative<HistoryOptions>(what); }
};

/** The CSV columns of an export by a single agent. */
QStringList exportColumns(const ExportOptions &options);

/** The destination of an export's rows. A file is replaced only once all rows are written. */
class ExportWriter
{
    Q_DECLARE_TR_FUNCTIONS(lockkeeper::app::cli::ExportWriter)

public:
    ExportWriter(const ExportOptions &options, QStringList columns, Output &out);
    base::Result<void> open();
    void begin();
    void row(const QJsonObject &object);
    base::Result<void> commit();

private:
    void put(const QByteArray &bytes);

    records::FileFormat m_format;
    QString m_name;
    Output &m_out;
    std::unique_ptr<QSaveFile> m_file; ///< null: standard output
};

} // namespace lockkeeper::app::cli
