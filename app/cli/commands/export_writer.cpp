// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/export_writer.h"

#include "app/records/records.h"
#include "shared/base/text.h"

namespace lockkeeper::app::cli {

using namespace records;

QStringList exportColumns(const ExportOptions &options)
{
    return options.ofHistory() ? eventColumns()
                               : lockColumns(std::get<LocksOptions>(options.what).atUs.has_value());
}

ExportWriter::ExportWriter(const ExportOptions &options, QStringList columns, Output &out)
    : m_format{options.csv ? FileFormat::Syntax::Csv : FileFormat::Syntax::JsonLines, std::move(columns)},
      m_name(options.file),
      m_out(out)
{
}

base::Result<void> ExportWriter::open()
{
    if (m_name.isEmpty())
        return {};
    m_file = std::make_unique<QSaveFile>(m_name);
    if (m_file->open(QIODevice::WriteOnly))
        return {};
    return base::failure(base::ErrorCode::Storage,
                         tr("can't write '%1': %2").arg(base::displayText(m_name), m_file->errorString()),
                         tr("Choose a file in a writable folder."));
}

void ExportWriter::begin()
{
    put(m_format.header());
}

void ExportWriter::row(const QJsonObject &object)
{
    put(m_format.line(object));
}

void ExportWriter::put(const QByteArray &bytes)
{
    if (m_file)
        m_file->write(bytes);
    else
        m_out.write(bytes);
}

base::Result<void> ExportWriter::commit()
{
    if (!m_file || m_file->commit())
        return {};
    return base::failure(base::ErrorCode::Storage,
                         tr("can't write '%1': %2").arg(base::displayText(m_name), m_file->errorString()),
                         tr("Free disk space, or choose another file."));
}

} // namespace lockkeeper::app::cli
