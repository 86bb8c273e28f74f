// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/presentation/colours.h"
#include "shared/events/lock_event.h"

#include <QCoreApplication>
#include <QString>
#include <QVariant>

namespace lockkeeper::app::presentation {

/** Sentences and cells about one lock. Store bytes come out escaped and are to be shown as plain text. */
class LockText
{
    Q_DECLARE_TR_FUNCTIONS(LockText)

public:
    static QString name(const domain::LockKey &key);
    /**
     * Who holds it, short: "worker-3@10.2.3.17" where the token or owner embeds host and process, else the
     * first 8 characters of an opaque token; "—" where nobody holds it and "NULL" where the store says
     * nothing.
     */
    static QString holder(const domain::LockState &state);
    static QString holder(const QByteArray &owner, bool ownerKnown);
    /** The same in whole; invalid where the short one says all. */
    static QVariant wholeHolder(const QByteArray &owner, bool ownerKnown);
    /** Who had it, when that happened: "not seen" where nobody could look. */
    static QString holder(const events::LockEvent &event);
    /** A name that says enough beside others: a row's key with its table, "stock 5". The index is told by the
     * place. */
    static QString brief(const domain::LockKey &key);
    /** Bytes of a store, "—" where there are none. */
    static QString bytesOrDash(const QByteArray &bytes);
    /** "source · scheme · place". */
    static QString whereabouts(const domain::LockKey &key);
    /** The verdict Alive as a phrase: "renewed 4.2 s ago", "silent: 2 renewals missed". */
    static QString alive(const domain::LockState &state, qint64 nowUs);
    /** Why there are no names of who waits, and what is known instead, as of when. */
    static QString unnamedWaiters(const domain::LockState &state, qint64 nowUs);
    /** A statement as plain text: control characters escaped, its lines kept or made one, a cut one marked.
     */
    static QString statement(const domain::Session &session, bool oneLine);
    /** "17 · app@10.2.3.4:4711 · mysql": a connection in one line. */
    static QString session(const domain::Session &session);
    /** A row read aloud: "Stuck, lock:a, held at least 2 hours 41 minutes". */
    static QString rowSentence(const domain::LockState &state, Badge badge, qint64 nowUs);
};

} // namespace lockkeeper::app::presentation
