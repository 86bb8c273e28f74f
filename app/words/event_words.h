// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/words/time_format.h"
#include "shared/events/lock_event.h"

#include <QCoreApplication>
#include <QString>

namespace lockkeeper::app::words {

/** Describes events in words. Text from the store is escaped; the texts are plain. */
class EventWords
{
    Q_DECLARE_TR_FUNCTIONS(lockkeeper::app::words::EventWords)

public:
    /** "Released", "Released (perhaps)". */
    static QString title(const events::LockEvent &event);
    /** The caveats about the event: one sentence per line. */
    static QString doubts(const events::LockEvent &event);
    /** The user and the reason of a force-release, from the texts in the audit. */
    static QString by(const QString &role, const QString &who, const QString &reason);
    /** The reason why an end with `may_be` isn't proven. */
    static QString maybeGivenBack(bool forced);
    /**
     * All facts of the event in a sentence, and its doubts, one per line. `who`: the user and the reason of a
     * force-release, by by(); empty: not known.
     */
    static QString sentence(const events::LockEvent &event, const TimeFormat &times, const QString &who);
    /**
     * A gap's whole row: which part, from – to, for how long and why. `opened`: the event that began a closed
     * gap, if known.
     */
    static QString gapSentence(const events::LockEvent &event, const TimeFormat &times,
                               const events::LockEvent *opened = nullptr);
    /** The reason why something wasn't observed, by the agent's code; empty for an unknown code. */
    static QString causeText(events::EventCause cause);
    /** True if `event` is the beginning of the gap that `closed` ends. */
    static bool opens(const events::LockEvent &event, const events::LockEvent &closed);
    /** The part that wasn't observed: the source, or a part of it if the rest was observed. */
    static QString gapPart(const events::LockEvent &event);
    /** Why; empty if that isn't known. */
    static QString gapCause(const events::LockEvent &event);

private:
    static QString waitSentence(const events::LockEvent &event);
    static QString releaseSentence(const events::LockEvent &event, const QString &who);
    static QString changeSentence(const events::LockEvent &event);
};

} // namespace lockkeeper::app::words
