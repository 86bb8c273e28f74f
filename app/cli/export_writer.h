// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/options.h"
#include "app/cli/output.h"
#include "app/records/csv_lines.h"

#include <QCoreApplication>
#include <QSaveFile>

#include <utility>

namespace lockkeeper::app::cli {

/** The CSV columns of an export by a single agent. */
QStringList exportColumns(const ExportOptions &options);

/** Collects rows for standard output. */
struct Rows final : Output
{
    void write(const QByteArray &bytes) override { kept += bytes; }
    void note(const QString &) override {}
    QByteArray taken() { return std::exchange(kept, {}); }
    /** True if the collected bytes are worth a separate write. */
    bool areMany() const { return kept.size() >= 64 * 1024; }
    QByteArray kept;
};

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
