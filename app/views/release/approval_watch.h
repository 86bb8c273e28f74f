// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/models/commands_model.h"
#include "app/session/agent_group.h"
#include "app/views/widgets/console_context.h"

#include <QObject>

#include <functional>
#include <map>

namespace lockkeeper::app::views {

class BannerArea;

/**
 * Announces force-releases that await approval by a second person: a banner and a desktop notification for a
 * user who may approve, and a banner for the requester. Keeps this console's own requests up to date in the
 * commands. GUI thread.
 */
class ApprovalWatch : public QObject
{
    Q_OBJECT

public:
    /** Shows a desktop notification: title and plain text. */
    using Notify = std::function<void(const QString &, const QString &)>;

    /** `commands` and `area` aren't owned; `window` is the dialogs' parent, and owns this. */
    ApprovalWatch(const ConsoleContext &context, models::CommandsModel *commands, BannerArea *area,
                  Notify notify, QWidget *window);

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

    ConsoleContext m_context;
    models::CommandsModel *m_commands;
    BannerArea *m_area;
    QWidget *m_window;
    std::map<QByteArray, domain::ApprovalRequest> m_open; ///< by their banners
    Notify m_notify;
};

} // namespace lockkeeper::app::views
