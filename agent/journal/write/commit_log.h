// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/journal/storage/records.h"
#include "shared/base/result.h"
#include "shared/events/lock_event.h"

#include <QByteArray>

#include <array>

namespace lockkeeper::agent::journal {

/**
 * The redo log in front of the database. It holds the events that are committed and announced until the
 * writer has filed them. A record is one commit, all or none of it: its length, its first number, a checksum
 * that belongs to this journal, its events and its progress. The log writes two files in turn. It starts a
 * file again from its beginning once all its records are filed, so that the files stay small and keep their
 * blocks.
 *
 * When append() returns, the kernel has the record, which therefore outlives the process. The record isn't
 * synced: it may be lost when the machine fails, like a commit of SQLite's log with synchronous = NORMAL. The
 * log starts no thread and isn't thread-safe.
 */
class CommitLog
{
public:
    struct LogRecord
    {
        QList<events::LockEvent> events; ///< numbered, without a hole
        QList<Progress> progress;
    };

    CommitLog() = default;
    ~CommitLog() { close(); }
    Q_DISABLE_COPY_MOVE(CommitLog)

    static std::array<QString, 2> filesOf(const QString &journalPath);

    /** Opens the files, or creates them. Ignores records of a journal with an id other than `journalId`. */
    base::Result<void> open(const QString &journalPath, const QByteArray &journalId);
    void close();
    /**
     * Reads the records that follow the event `afterSeq` without a hole, in order. Leaves out records that a
     * crash truncated, records of another journal, and records behind a hole. A machine that fails can leave
     * such a hole, because it loses earlier records.
     */
    base::Result<QList<LogRecord>> readAfter(quint64 afterSeq) const;
    /** True if both files were empty when they were opened: the last writer ended properly, or there was
     * none. */
    bool isEmpty() const { return m_parts[0].size == 0 && m_parts[1].size == 0; }
    /** Empties both files, whose records are all filed. Later records belong to `journalId`. */
    base::Result<void> clear(const QByteArray &journalId);
    /** Adds a record with at least one event. Fails while the files hold records of
     * the last agent: clear() comes first. `filedSeq`: the last event that is in the database. */
    base::Result<void> append(const LogRecord &record, quint64 filedSeq);

private:
    struct LogFile
    {
        int fd = -1;
        qint64 size = 0;
        quint64 lastSeq = 0; ///< of the last record appended
    };

    base::Result<QList<LogRecord>> recordsOf(const LogFile &part) const;
    base::Error failure(const char *what) const;

    QString m_path;
    QByteArray m_journalId;
    std::array<LogFile, 2> m_parts;
    size_t m_active = 0;
    bool m_isClear = false; ///< nothing is left from the last agent
};

} // namespace lockkeeper::agent::journal
