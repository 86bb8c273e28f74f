// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/export_command.h"

#include "app/cli/listing_commands.h"
#include "app/records/csv_lines.h"
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
    : m_format{options.csv ? FileFormat::Kind::Csv : FileFormat::Kind::JsonLines, std::move(columns)},
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
                         tr("Give a file in a folder that you may write to."));
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
                         tr("Make room, or give another file."));
}

ExportCommand::ExportCommand(ExportOptions options, Context &context)
    : Command(context), m_options(std::move(options)), m_writer(m_options, exportColumns(m_options), m_rows)
{
    if (const auto *history = std::get_if<HistoryOptions>(&m_options.what))
        m_pager.emplace(*history);
}

void ExportCommand::start()
{
    if (const auto opened = m_writer.open(); !opened)
        fail(opened.error());
    else
        Command::start();
}

void ExportCommand::connected(const protocol::Welcome &)
{
    const auto *locks = std::get_if<LocksOptions>(&m_options.what);
    m_writer.begin();
    if (m_pager)
        send(m_pager->fromUs() ? reachQuery() : m_pager->query());
    else if (locks && locks->atUs)
        ask(*locks);
    else
        send(protocol::StatusQuery{1}); // the agent's clock
}

void ExportCommand::ask(const LocksOptions &locks)
{
    send(protocol::LocksQuery{1, locks.source, locks.nameGlob, locks.atUs});
}

void ExportCommand::received(const protocol::Message &message)
{
    if (const auto *status = std::get_if<protocol::Status>(&message); status && !m_pager) {
        m_table.setClock(status->wallUs, context().clock);
        return ask(std::get<LocksOptions>(m_options.what));
    }
    if (const auto *page = std::get_if<protocol::SnapshotPage>(&message)) {
        if (!m_pager && m_table.add(*page))
            writeLocks();
        return;
    }
    const auto *page = std::get_if<protocol::EventPage>(&message);
    if (!page || !m_pager)
        return;
    if (isReach(*page)) {
        if (const QString note = reachNote(*page, *m_pager->fromUs()); !note.isEmpty())
            context().out.note(note);
        return send(m_pager->query());
    }
    for (const events::LockEvent &event : page->events)
        m_writer.row(events::toJson(event, agent()));
    if (m_pager->advance(*page))
        write(m_rows.taken(), [this] { send(m_pager->query()); });
    else
        end();
}

void ExportCommand::writeLocks()
{
    const auto &options = std::get<LocksOptions>(m_options.what);
    const qint64 wallUs = options.atUs.value_or(m_table.wallUs(context().clock));
    for (const domain::LockState &lock : m_table.listed(options, wallUs)) {
        SourceView view = m_table.view(lock.key.source, wallUs);
        view.asOfUs = options.atUs;
        m_writer.row(lockObject(lock, view, agent()));
        if (m_rows.areMany())
            context().out.write(m_rows.taken());
    }
    end();
}

void ExportCommand::end()
{
    if (const auto committed = m_writer.commit(); !committed)
        return fail(committed.error());
    write(m_rows.taken());
    finish(Exit::Done);
}

} // namespace lockkeeper::app::cli
