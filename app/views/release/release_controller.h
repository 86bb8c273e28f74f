// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/models/commands_model.h"
#include "app/session/agents.h"
#include "app/views/widgets/console_context.h"

#include <QObject>

#include <functional>

namespace lockkeeper::app::views {

/** What a dialog wants done; the command id is made when it is sent. */
struct ReleaseRequest
{
    domain::LockKey key;
    QByteArray ticket;
    domain::Because because = domain::Because::Operator;
    bool ifNotRenewed = false;
    QString reason;
};

/**
 * Sends force-releases and keeps account of them: a command is in the model and the lock marked as releasing
 * from the click to the answer, whether or not the dialog is still there. Also opens the dialogs when a view
 * asks. GUI thread.
 */
class ReleaseController : public QObject
{
    Q_OBJECT

public:
    using Answer = std::function<void(const protocol::ReleaseResult &)>;

    /** Neither `commands` nor `window` (the dialogs' parent) is owned. */
    ReleaseController(const ConsoleContext &context, models::CommandsModel *commands, QWidget *window);

    /** The answer comes once, unless `asker` is gone by then; the account is kept all the same. */
    void send(const ReleaseRequest &request, QObject *asker, Answer answer);

    /** The dialog for one lock, or the preview for several. */
    void open(const QList<domain::LockKey> &keys);

private:
    ConsoleContext m_context;
    models::CommandsModel *m_commands;
    QWidget *m_window;
};

} // namespace lockkeeper::app::views
