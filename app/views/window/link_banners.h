// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/views/widgets/console_context.h"
#include "shared/events/lock_event.h"

#include <QObject>
#include <QSet>
#include <QTimer>

namespace lockkeeper::app::views {

class BannerArea;

/**
 * Keeps the banners about what isn't seen: the agent lost, the view paused, a source silent, a gap that has
 * closed. Dismissing one hides the banner, not the fact. GUI thread.
 */
class LinkBanners : public QObject
{
    Q_OBJECT

public:
    /** `area` isn't owned. */
    LinkBanners(const ConsoleContext &context, BannerArea *area, QObject *parent = nullptr);

    void refresh();

private:
    void refreshAgent();
    void refreshPause();
    void refreshSources();
    void takeEvents(const QList<events::LockEvent> &events);
    void showGap(const events::LockEvent &event);

    ConsoleContext m_context;
    BannerArea *m_area;
    QSet<QByteArray> m_dismissed;
    bool m_wasLive = false;
    QTimer m_second;
};

} // namespace lockkeeper::app::views
