// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/journal/audit/audit_store.h"
#include "agent/journal/storage/event_store.h"
#include "shared/base/clock.h"
#include "shared/base/result.h"

namespace lockkeeper::agent::journal {

/** The files of the audit: the head beside the journal, the key as configured, else beside the journal. */
AuditFiles auditFiles(const Options &options);

/**
 * Opens the file for writing, or sets a damaged one aside (`.corrupt-TIME`, its companions with it) and
 * begins a new one with a new id. `setAside` tells where to. Blocks.
 */
base::Result<void> openDatabase(Connection &connection, const QString &path, qint64 nowUs, QString *setAside);

/** Makes a new journal's id, or reads the known one. */
base::Result<QByteArray> journalId(Connection &connection, qint64 nowUs);

/**
 * The id for the numbers to come: `known`, or a new one where the agent before was interrupted by the end of
 * the machine. What it had told last may be lost then, and its numbers are given again: they mean nothing to
 * those who have seen them.
 */
base::Result<QByteArray> idAfter(Connection &connection, const QByteArray &known, bool interrupted);

/** An advisory lock on `PATH.lock` that ends with the process, however that ends: one writer a journal. */
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
