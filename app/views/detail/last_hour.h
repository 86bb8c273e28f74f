// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/timeline/timeline_reader.h"
#include "app/views/widgets/console_context.h"
#include "app/views/widgets/translated.h"
#include "shared/events/lock_event.h"

#include <QWidget>

namespace lockkeeper::app::views {

class PlainLabel;
class LastHourStrip;

/**
 * Shows the holders and waiters of the lock in the last hour as a small timeline. A click or Enter opens the
 * large timeline. Hidden if the agent doesn't support timelines. GUI thread.
 */
class LastHour : public Translated<QWidget>
{
    Q_OBJECT

public:
    explicit LastHour(const ConsoleContext &context, QWidget *parent = nullptr);

    void setLock(const std::optional<domain::LockKey> &key);
    /** Call it once a second. */
    void redraw();
    /** The chart in words. */
    QString text() const;

private:
    void takeEvents(const QList<events::LockEvent> &events);
    void showChart();
    void retranslate() final;

    ConsoleContext m_context;
    timeline::TimelineReader m_reader;
    std::optional<domain::LockKey> m_key;
    bool m_changed = false; ///< something happened since it was read
    PlainLabel *m_heading;
    LastHourStrip *m_strip;
};

} // namespace lockkeeper::app::views
