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
    /** The event as EventWords::sentence() describes it, with the user and the reason of a force-release. */
    QString sentence(const events::LockEvent &event) const;
    /** Likewise, EventWords::gapSentence(). */
    QString gapSentence(const events::LockEvent &event, const events::LockEvent *opened = nullptr) const;

private:
    QString by(const events::LockEvent &event) const;

    const words::TimeFormat *m_times;
    models::ReleaseLookup *m_releases = nullptr;
};

} // namespace lockkeeper::app::presentation
