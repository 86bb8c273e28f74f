// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/domain/lock_state.h"
#include "shared/domain/release.h"
#include "shared/domain/source_state.h"

#include <QHash>

#include <optional>

namespace lockkeeper::agent::journal {

/** Where and how much to keep. */
struct Options
{
    QString path; ///< of the SQLite file, absolute
    int keepDays = 30;
    int keepMib = 4096;
    /** Memory for events that wait while the disk is merely slow, bytes; a quarter of it while it fails. */
    qint64 queueBytes = 256LL << 20;
    int keepRollupsDays = 366; ///< no less than keepDays counts
    QString systemLog = {};    ///< socket where audit records are copied to; empty: nowhere
    QString auditKey = {};     ///< file of the key that signs the audit; empty: audit.key beside `path`
};

/** What was found when the journal was opened. */
struct Opened
{
    QByteArray id; ///< random, made with the file: numbers of another file mean nothing
    quint64 firstSeq = 0;
    quint64 lastSeq = 0;
    int interruptedReleases = 0;           ///< audit intents that a crash had left open; now `unknown`
    QString setAside;                      ///< where a corrupt file was moved; empty: none
    std::optional<base::Error> auditFault; ///< the audit isn't the one that was written, or can't be signed
    /** Per source: its last observation before the end, by the store's clock, and whether a gap is open. */
    struct Source
    {
        QString name;
        QByteArray store;
        qint64 lastSeenUs = 0;
        bool gapOpen = false;
        QByteArray position;    ///< see Progress
        qint64 firstUpUs = 0;   ///< of one that was never seen; 0: it never was up
        QByteArray sets = {};   ///< see Journal::note(), "sets/" and its name; empty: not known
        QByteArray server = {}; ///< the same of "server/"
    };
    QList<Source> sources;
    QByteArray epoch; ///< of the last time that this agent was elected, see Journal::note(); empty: never
    /** Locks held at the end (from the holds that are open): restores acquisition times over a restart. */
    QList<domain::LockState> held;
    /** Others that were in the table then (expired, free, unreadable), so that their end isn't missed. */
    QList<domain::LockState> idle;
};

/** A source's progress, kept with the events so that a restart can date its gap. */
struct Progress
{
    QString source;
    QByteArray store;
    qint64 lastSeenUs = 0;
    /**
     * Where a store that pushes can go on so that nothing is lost or doubled after these events: they are
     * committed with it, all or none. Empty: nowhere. Without a value the one before stays.
     */
    std::optional<QByteArray> position = std::nullopt;
};

/** Sources' last whole observations by their own clocks, where they are newer than what was written. */
using SeenUntil = QHash<QString, qint64>;

/** Beside its locks, what there is to say of the table of a past moment. */
struct PastTable
{
    quint64 seq = 0; ///< the last event up to that moment
    QList<domain::SourceState> sources;
};

/** What AuditLog::writeIntent() answers with: the number of the intent that was written, or what was recorded
 * when the same command came before. */
struct ReleaseIntent
{
    qint64 auditId = 0;
    std::optional<domain::AuditEntry> recorded;
};

} // namespace lockkeeper::agent::journal
