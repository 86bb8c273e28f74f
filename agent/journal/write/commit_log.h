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
 * The redo log before the database: events that are committed and told, until the writer has filed them
 * there. A record is one commit, all or none of it: its length, its first number, a checksum that belongs to
 * this journal, its events and its progress. Two files are written in turn, each from its beginning once all
 * of it is filed, so that they stay small and keep their blocks.
 *
 * A record is with the kernel when append() returns and outlives the process; it isn't synced, so it may not
 * outlive the machine, as little as a commit of SQLite's log with synchronous = NORMAL does. No thread of its
 * own; not thread-safe.
 */
class CommitLog
{
public:
    struct Record
    {
        QList<events::LockEvent> events; ///< numbered, without a hole
        QList<Progress> progress;
    };

    CommitLog() = default;
    ~CommitLog() { close(); }
    Q_DISABLE_COPY_MOVE(CommitLog)

    static std::array<QString, 2> filesOf(const QString &journalPath);

    /** Opens the files, or makes them. `journalId`: records of another journal are none. */
    base::Result<void> open(const QString &journalPath, const QByteArray &journalId);
    void close();
    /**
     * What goes on without a hole after the event `afterSeq`, in order. Records that a crash cut, of another
     * journal, or behind a hole (a machine that failed lost what lay before them) are left out.
     */
    base::Result<QList<Record>> readAfter(quint64 afterSeq) const;
    /** Nothing was left in it when it was opened: who wrote it last has ended by itself, or there was nobody.
     */
    bool isEmpty() const { return m_parts[0].size == 0 && m_parts[1].size == 0; }
    /** Empties both files: all is filed. Records to come belong to `journalId`. */
    base::Result<void> clear(const QByteArray &journalId);
    /** Adds a record with at least one event. `filedSeq`: the last event that is in the database. */
    base::Result<void> append(const Record &record, quint64 filedSeq);

private:
    struct Part
    {
        int fd = -1;
        qint64 size = 0;
        quint64 lastSeq = 0; ///< of what was appended
    };

    base::Result<QList<Record>> recordsOf(const Part &part) const;
    base::Error failure(const char *what) const;

    QString m_path;
    QByteArray m_journalId;
    std::array<Part, 2> m_parts;
    size_t m_active = 0;
};

} // namespace lockkeeper::agent::journal
