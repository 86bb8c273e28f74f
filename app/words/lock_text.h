// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/replica/badge.h"
#include "shared/events/lock_event.h"

#include <QCoreApplication>
#include <QString>
#include <QVariant>

namespace lockkeeper::app::words {

/** Sentences and cells about one lock. Bytes from the store are escaped; show the results as plain text. */
class LockText
{
    Q_DECLARE_TR_FUNCTIONS(LockText)

public:
    /**
     * The lock's name, also in the field where the user types it: a row's key with its table, "stock 5". The
     * place names the index.
     */
    static QString name(const domain::LockKey &key);
    /**
     * The holder, short: "worker-3@10.2.3.17" if the token or owner contains host and process, otherwise the
     * first 8 characters of an opaque token. "—" if it isn't held, and "NULL" if the store has no value.
     */
    static QString holder(const domain::LockState &state);
    static QString holder(const QByteArray &owner, bool ownerKnown);
    /** The same, unshortened; invalid if the short text is already complete. */
    static QVariant wholeHolder(const QByteArray &owner, bool ownerKnown);
    /** The holder at the time of the event: "not seen" if the lock couldn't be observed. */
    static QString holder(const events::LockEvent &event);
    /** Bytes from a store, or "—" if empty. */
    static QString bytesOrDash(const QByteArray &bytes);
    /** "source · scheme · place". */
    /** "orders · app.stock": the source and the place. */
    static QString sourceAndPlace(const domain::LockKey &key);
    static QString whereabouts(const domain::LockKey &key);
    /** The verdict Alive as a phrase: "renewed 4.2 s ago", "silent: 2 renewals missed". */
    static QString alive(const domain::LockState &state, qint64 nowUs);
    /** The same, short enough for a column: "4.2 s ago", "2 missed". */
    static QString aliveBriefly(const domain::LockState &state, qint64 nowUs);
    /** The number of waiters; "—" if the scheme doesn't show them. */
    static QString waiters(const domain::LockState &state);
    /** The reason why the waiters have no names, the known facts about them, and the time of these facts. */
    static QString unnamedWaiters(const domain::LockState &state, qint64 nowUs);
    /**
     * A statement as plain text: control characters are escaped, its lines are kept or joined, and a
     * truncated statement is marked.
     */
    static QString statement(const domain::Session &session, bool oneLine);
    /** "17 · app@10.2.3.4:4711 · mysql": a connection in one line. */
    static QString session(const domain::Session &session);
    /** A row for a screen reader: "Stuck, lock:a, held at least 2 hours 41 minutes". */
    static QString rowSentence(const domain::LockState &state, replica::Badge badge, qint64 nowUs);
};

} // namespace lockkeeper::app::words
