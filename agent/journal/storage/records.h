// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/domain/lock_state.h"
#include "shared/domain/release.h"
#include "shared/domain/source_state.h"

#include <QHash>

#include <optional>

namespace lockkeeper::agent::journal {

/** The events that a receiver of the journal still lacks: all after `afterSeq`. Retention keeps the newest of
 * them, as many as `keepMib` holds. */
struct UnforwardedEvents
{
    quint64 afterSeq = 0;
    int keepMib = 1'024;
    bool operator==(const UnforwardedEvents &) const = default;
};

/** Where the journal lies and how much it keeps. */
struct JournalOptions
{
    QString path; ///< of the SQLite file, absolute
    int keepDays = 30;
    int keepMib = 4096;
    /** Memory for waiting events, in bytes, while the disk is merely slow; a quarter of it while the disk
     * fails. */
    qint64 queueBytes = 256LL << 20;
    int keepRollupsDays = 366; ///< a value below keepDays counts as keepDays
    QString systemLog = {};    ///< socket to which audit records are copied; empty: none
    QString auditKey = {};     ///< file of the key that signs the audit; empty: audit.key beside `path`
    QList<UnforwardedEvents> unforwarded = {}; ///< see Journal::setUnforwarded()
};

/** The state of the journal when it was opened. */
struct Opened
{
    QByteArray id; ///< random, made with the file; sequence numbers belong to one id
    quint64 firstSeq = 0;
    quint64 lastSeq = 0;
    int interruptedReleases = 0;           ///< audit intents that a crash left open; now `unknown`
    QString setAside;                      ///< the new name of a corrupt file; empty: none
    std::optional<base::Error> auditFault; ///< the audit isn't the one that was written, or can't be signed
    /** Per source: its last observation before the end, by the store's clock, and whether a gap is open. */
    struct SourceAtEnd
    {
        QString name;
        QByteArray store;
        qint64 lastSeenUs = 0;
        bool gapOpen = false;
        QByteArray position;    ///< see Progress
        qint64 firstUpUs = 0;   ///< of a source that was never seen; 0: it never was up
        QByteArray sets = {};   ///< see Journal::note(), "sets/" and its name; empty: not known
        QByteArray server = {}; ///< likewise with "server/"
    };
    QList<SourceAtEnd> sources;
    QByteArray epoch; ///< of this agent's last election, see Journal::note(); empty: never
    /** Locks held at the end, from the open holds. They restore acquisition times after a restart. */
    QList<domain::LockState> held;
    /** Other locks in the table at the end (expired, free, unreadable), so that their end isn't missed. */
    QList<domain::LockState> idle;
};

/** A source's progress, stored with the events so that a restart can date its gap. */
struct Progress
{
    QString source;
    QByteArray store;
    qint64 lastSeenUs = 0;
    /**
     * For a store that pushes: the position at which it can resume after these events without losing or
     * repeating one. The events are committed with it, all or none. Empty: it can't resume. Without a value,
     * the previous position stays.
     */
    std::optional<QByteArray> position = std::nullopt;
};

/** The last whole observation of each source by its own clock, if it is newer than the journalled one. */
using SeenUntil = QHash<QString, qint64>;

/** The table of a past moment, without its locks. */
struct PastTable
{
    quint64 seq = 0; ///< the last event up to that moment
    QList<domain::SourceState> sources;
};

/** The answer of AuditLog::writeIntent(): the number of the written intent, or the recorded entry if the same
 * command was recorded before. */
struct ReleaseIntent
{
    qint64 auditId = 0;
    std::optional<domain::AuditEntry> recorded;
};

} // namespace lockkeeper::agent::journal
