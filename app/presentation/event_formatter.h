// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/models/event_columns.h"
#include "app/models/release_lookup.h"
#include "app/words/time_format.h"

#include <QCoreApplication>

#include <functional>

namespace lockkeeper::app::presentation {

/**
 * The texts for the cells of every table of events (EventColumn): the history and the tail in the bottom
 * dock.
 */
class EventFormatter : public models::Formatter
{
    Q_DECLARE_TR_FUNCTIONS(EventFormatter)

public:
    /** `times` isn't owned. */
    explicit EventFormatter(const words::TimeFormat *times) : m_times(times) {}
    /** Provides the user and the reason of a force-release; not owned; null: none. */
    void setReleases(models::ReleaseLookup *releases) { m_releases = releases; }

    QVariant cell(const QModelIndex &index, int role) const override;
    QVariant header(int column, int role) const override;

    QString text(const events::LockEvent &event, int column) const;
    /** The caveats about the event: one sentence per line. */
    static QString doubts(const events::LockEvent &event);
    /** The user and the reason of a force-release, from the texts in the audit. */
    static QString by(const QString &role, const QString &who, const QString &reason);
    /** The reason why an end with `may_be` isn't proven. */
    static QString maybeGivenBack(bool forced);
    /**
     * All facts of the event in a sentence: the waiter and the lock, or the user and the reason of a
     * force-release.
     */
    QString sentence(const events::LockEvent &event) const;
    /**
     * A gap's whole row: which part, from – to, for how long and why. `opened`: the event that began a closed
     * gap, if known.
     */
    QString gapSentence(const events::LockEvent &event, const events::LockEvent *opened = nullptr) const;
    /** The reason why something wasn't observed, by the agent's code; empty for an unknown code. */
    static QString causeText(const QString &cause);
    /** True if `event` is the beginning of the gap that `closed` ends. */
    static bool opens(const events::LockEvent &event, const events::LockEvent &closed);

    /** The part that wasn't observed: the source, or a part of it if the rest was observed. */
    static QString gapPart(const events::LockEvent &event);
    /** Why; empty if that isn't known. */
    static QString gapCause(const events::LockEvent &event);

private:
    QString by(const events::LockEvent &event) const;
    QString waitSentence(const events::LockEvent &event) const;
    QString releaseSentence(const events::LockEvent &event) const;
    static QString changeSentence(const events::LockEvent &event);

    const words::TimeFormat *m_times;
    models::ReleaseLookup *m_releases = nullptr;
};

} // namespace lockkeeper::app::presentation
