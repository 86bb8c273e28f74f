// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/journal/query/journal_reader.h"

namespace lockkeeper::agent::journal {

void JournalReader::start(const QString &path, const AuditFiles &auditFiles)
{
    m_stop = false;
    m_thread = std::thread([this, path, auditFiles] { run(path, auditFiles); });
}

void JournalReader::stop()
{
    if (!m_thread.joinable())
        return;
    {
        const std::lock_guard lock(m_mutex);
        m_stop = true;
        m_changed.notify_all();
    }
    m_thread.join();
}

void JournalReader::ask(Task task, std::stop_token takenBack)
{
    {
        const std::lock_guard lock(m_mutex);
        if (!m_stop) {
            m_tasks.push_back({std::move(task), std::move(takenBack)});
            m_changed.notify_one();
            return;
        }
    }
    task(nullptr, {base::ErrorCode::Shutdown, QStringLiteral("the journal is closed"), {}});
}

std::optional<JournalReader::QueuedQuery> JournalReader::next()
{
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, [this] { return m_stop || !m_tasks.empty(); });
    if (m_tasks.empty())
        return std::nullopt;
    QueuedQuery asked = std::move(m_tasks.front());
    m_tasks.pop_front();
    return asked;
}

void JournalReader::run(const QString &path, const AuditFiles &auditFiles)
{
    SqliteConnection connection;
    std::optional<QueuedQuery> asked;
    Queries queries(connection, auditFiles,
                    [this, &asked] { return !m_stop && !asked->takenBack.stop_requested(); });
    bool open = false;
    while ((asked = next())) {
        if (m_stop) {
            asked->task(nullptr, {base::ErrorCode::Shutdown, QStringLiteral("the journal is closed"), {}});
            continue;
        }
        if (asked->takenBack.stop_requested()) {
            asked->task(nullptr, {base::ErrorCode::Cancelled, QStringLiteral("the query was cancelled"), {}});
            continue;
        }
        if (!open) {
            connection.close();
            open = connection.open(path, SqliteConnection::Mode::Read);
        }
        asked->task(open ? &queries : nullptr, connection.error());
    }
}

} // namespace lockkeeper::agent::journal
