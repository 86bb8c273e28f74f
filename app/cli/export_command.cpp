// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/export_command.h"

#include "app/cli/csv.h"
#include "app/cli/json_lines.h"
#include "shared/base/text.h"

namespace lockkeeper::app::cli {

ExportCommand::ExportCommand(ExportOptions options, Context &context)
    : Command(context), m_options(std::move(options))
{
    if (const auto *history = std::get_if<HistoryOptions>(&m_options.what))
        m_pager.emplace(*history);
    m_columns = m_pager ? eventColumns() : lockColumns();
}

void ExportCommand::start()
{
    if (!m_options.file.isEmpty()) {
        m_file = std::make_unique<QSaveFile>(m_options.file);
        if (!m_file->open(QIODevice::WriteOnly)) {
            fail({base::ErrorCode::Storage,
                  tr("can't write '%1': %2").arg(base::displayText(m_options.file), m_file->errorString()),
                  tr("Give a file in a folder that you may write to.")});
            return;
        }
    }
    Command::start();
}

void ExportCommand::connected(const protocol::Welcome &)
{
    if (m_options.csv)
        put(csvHeader(m_columns));
    if (m_pager)
        send(m_pager->query());
    else if (const auto *locks = std::get_if<LocksOptions>(&m_options.what))
        send(protocol::LocksQuery{1, locks->source, locks->nameGlob});
}

void ExportCommand::received(const protocol::Message &message)
{
    if (const auto *page = std::get_if<protocol::SnapshotPage>(&message)) {
        if (!m_pager && m_table.add(*page))
            writeLocks();
        return;
    }
    const auto *page = std::get_if<protocol::EventPage>(&message);
    if (!page || !m_pager)
        return;
    for (const events::LockEvent &event : page->events)
        row(events::toJson(event, agent()));
    if (m_pager->advance(*page))
        send(m_pager->query());
    else
        end();
}

void ExportCommand::writeLocks()
{
    const qint64 wallUs = context().clock.wallUs();
    for (const domain::LockState &lock : m_table.listed(std::get<LocksOptions>(m_options.what), wallUs))
        row(lockObject(lock, m_table.view(lock.key.source, wallUs), agent()));
    end();
}

void ExportCommand::row(const QJsonObject &object)
{
    put(m_options.csv ? csvRow(object, m_columns) : jsonLine(object));
}

void ExportCommand::put(const QByteArray &bytes)
{
    if (m_file)
        m_file->write(bytes);
    else
        context().out.write(bytes);
}

void ExportCommand::end()
{
    if (m_file && !m_file->commit())
        fail({base::ErrorCode::Storage,
              tr("can't write '%1': %2").arg(base::displayText(m_options.file), m_file->errorString()),
              tr("Make room, or give another file.")});
    else
        finish(Exit::Done);
}

} // namespace lockkeeper::app::cli
