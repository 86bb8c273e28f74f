// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/presentation/event_formatter.h"
#include "app/views/widgets/console_context.h"
#include "shared/domain/source_state.h"
#include "shared/events/lock_event.h"

#include <QHash>
#include <QMap>
#include <QObject>
#include <QSet>
#include <QStringList>
#include <QTimer>

namespace lockkeeper::base {
struct Error;
}
namespace lockkeeper::app::session {
class AgentSession;
}

namespace lockkeeper::app::views {

class BannerArea;

/**
 * Keeps the banners about missing observation: an agent lost, the view paused, a source silent. Also
 * announces for a moment that a gap has closed. Dismissing a banner hides the banner, not the fact. GUI
 * thread.
 */
class LinkBanners : public QObject
{
    Q_OBJECT

public:
    /** `area` isn't owned. */
    LinkBanners(const ConsoleContext &context, BannerArea *area, QObject *parent = nullptr);

    void refresh();
    /** Follows a change of language: removes the passing banners, whose texts are in the last language. */
    void retranslate();

private:
    void forgetAgent();
    void forgetPassing();
    void refreshAgents();
    void refreshAgent(session::AgentSession *session, bool isOneOfSeveral);
    void showLeftOut(const QString &agent, const base::Error &error);
    void refreshPause();
    void refreshSources();
    void refreshStandbys(const QMap<QString, domain::SourceState> &standbys);
    void takeEvents(const QList<events::LockEvent> &events);
    void showGap(const events::LockEvent &event);
    static QString severalAgain(const QStringList &parts, qint64 longestUs, const QString &cause);

    /** Recoveries from one cause that one banner shows. */
    struct BannerRecovery
    {
        QStringList parts; ///< as shown
        QStringList sources;
        qint64 longestUs = 0;
    };
    ConsoleContext m_context;
    BannerArea *m_area;
    presentation::EventFormatter m_formatter;
    QSet<QByteArray> m_dismissed;
    QSet<QByteArray> m_silent;                     ///< ids of the banners about sources
    QSet<QByteArray> m_passing;                    ///< ids of the banners that leave by themselves
    QList<events::LockEvent> m_open;               ///< gaps that have begun
    QHash<QByteArray, BannerRecovery> m_recovered; ///< by the banner's id
    qint64 m_liveUs = 0;                           ///< monotonic: when an agent was last connected
    QSet<QString> m_live;                          ///< addresses
    QSet<QByteArray> m_agents;                     ///< ids of the banners about agents
    QSet<QByteArray> m_standbys;                   ///< of those that are standby
    QSet<QString> m_wasLive;                       ///< addresses
    QTimer m_second;
};

} // namespace lockkeeper::app::views
