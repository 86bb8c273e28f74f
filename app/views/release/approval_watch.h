// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/models/commands_model.h"
#include "app/session/agents.h"
#include "app/views/widgets/console_context.h"

#include <QObject>

#include <functional>
#include <map>

class QSystemTrayIcon;

namespace lockkeeper::app::views {

class BannerArea;

/**
 * Announces force-releases that wait for a second person: a banner and a desktop notification for a user who
 * may approve, and a banner for the requester. Keeps this console's own requests up to date in the commands.
 * GUI thread.
 */
class ApprovalWatch : public QObject
{
    Q_OBJECT

public:
    /** Shows a desktop notification: title and text. */
    using Notify = std::function<void(const QString &, const QString &)>;

    /** `commands` and `area` aren't owned; `window` is the dialogs' parent, and owns this. */
    ApprovalWatch(const ConsoleContext &context, models::CommandsModel *commands, BannerArea *area,
                  QWidget *window);

    void setNotify(Notify notify) { m_notify = std::move(notify); }

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void ask();
    void take(const domain::ApprovalRequest &request);
    void show(const domain::ApprovalRequest &request);
    void judgeAnew();
    void forget();
    void forgetLost();
    void open(const QByteArray &id);
    void notifyDesktop(const QString &title, const QString &text);

    ConsoleContext m_context;
    models::CommandsModel *m_commands;
    BannerArea *m_area;
    QWidget *m_window;
    std::map<QByteArray, domain::ApprovalRequest> m_open; ///< by their banners
    Notify m_notify;
    QSystemTrayIcon *m_tray = nullptr;
};

} // namespace lockkeeper::app::views
