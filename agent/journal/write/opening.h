// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/journal/audit/audit_store.h"
#include "agent/journal/storage/event_store.h"
#include "shared/base/clock.h"
#include "shared/base/result.h"

namespace lockkeeper::agent::journal {

/** The files of the audit. Its database and its head lie beside the journal. The key is the configured file,
 * or lies beside them. */
AuditFiles auditFiles(const JournalOptions &options);

/**
 * Opens the file for writing. Renames a damaged file and its companions (`.corrupt-TIME`) and starts a new
 * one with a new id; `setAside` is then the damaged file's new name. Blocks.
 */
base::Result<void> openDatabase(SqliteConnection &connection, const QString &path, qint64 nowUs,
                                QString *setAside);

/** Reads the journal's id, or makes one for a new journal. */
base::Result<QByteArray> journalId(SqliteConnection &connection, qint64 nowUs);

/** Key in `meta`: the id that Journal::abandonId() gave up. */
inline constexpr const char *kAbandonedId = "abandoned_id";
/**
 * The id for the next sequence numbers: `known`, or a new id if the machine failed while the last agent ran.
 * Such a failure may have lost the events that were announced last, and their numbers are then used again. An
 * abandoned id is replaced too. A new id makes the numbers that clients have seen void. The caller stores it
 * with saveId().
 */
QByteArray idAfter(SqliteConnection &connection, const QByteArray &known, bool interrupted);
/** Stores the journal's id together with the machine's current boot. False: connection.error(). */
bool saveId(SqliteConnection &connection, const QByteArray &id);

/** An advisory lock on `PATH.lock`, so that a journal has one writer. It ends with the process, however that
 * ends. */
class WriterLock
{
public:
    WriterLock() = default;
    ~WriterLock();
    Q_DISABLE_COPY_MOVE(WriterLock)

    base::Result<void> take(const QString &journalPath);
    void release();

private:
    int m_fd = -1;
};

} // namespace lockkeeper::agent::journal
