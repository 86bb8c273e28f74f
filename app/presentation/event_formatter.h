// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/models/event_columns.h"
#include "app/models/release_lookup.h"
#include "app/presentation/time_format.h"

#include <QCoreApplication>

#include <functional>

namespace lockkeeper::app::presentation {

/** The cells of every table of events (EventColumn) in words: the history and the tail in the bottom dock. */
class EventFormatter : public models::Formatter
{
    Q_DECLARE_TR_FUNCTIONS(EventFormatter)

public:
    /** `times` isn't owned. */
    explicit EventFormatter(const TimeFormat *times) : m_times(times) {}
    /** Where it is told who force-released and why; not owned, null: nowhere. */
    void setReleases(models::ReleaseLookup *releases) { m_releases = releases; }

    QVariant cell(const QModelIndex &index, int role) const override;
    QVariant header(int column, int role) const override;

    QString text(const events::LockEvent &event, int column) const;
    /** What the event rests on, where that isn't a reading: a sentence a line. */
    static QString doubts(const events::LockEvent &event);
    /** Who force-released something and why, from the words of the audit. */
    static QString by(const QString &role, const QString &who, const QString &reason);
    /** Why an end with `may_be` isn't proven. */
    static QString maybeGivenBack(bool forced);
    /** All that the event tells, in a sentence: who waits for what, who force-released it and why. */
    QString sentence(const events::LockEvent &event) const;
    /** A gap's whole row: which part, from – to, for how long and why. `opened`: where a gap that has closed
     * began, if that is known. */
    QString gapSentence(const events::LockEvent &event, const events::LockEvent *opened = nullptr) const;
    /** Why something wasn't observed, by the agent's code; empty for one that isn't known here. */
    static QString causeText(const QString &cause);
    /** True where `event` is the beginning of the gap that `closed` ends. */
    static bool opens(const events::LockEvent &event, const events::LockEvent &closed);

private:
    static QString gapPart(const events::LockEvent &event);
    static QString gapCause(const events::LockEvent &event);

    QString by(const events::LockEvent &event) const;
    QString waitSentence(const events::LockEvent &event) const;
    QString releaseSentence(const events::LockEvent &event) const;
    static QString changeSentence(const events::LockEvent &event);

    const TimeFormat *m_times;
    models::ReleaseLookup *m_releases = nullptr;
};

} // namespace lockkeeper::app::presentation
