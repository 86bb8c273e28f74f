// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/models/commands_model.h"
#include "app/session/agent_group.h"
#include "app/views/widgets/console_context.h"

#include <QObject>

#include <functional>

namespace lockkeeper::app::views {

/** A release that a dialog asks for; the command id is made when the request is sent. */
struct ReleaseRequest
{
    domain::LockKey key;
    QByteArray ticket;
    domain::Because because = domain::Because::Operator;
    bool ifNotRenewed = false;
    QString reason;
};

/**
 * Sends force-releases and keeps account of them. From the click to the answer the command is in the model
 * and the lock is marked as releasing, even if the dialog is closed. Also opens the dialogs when a view asks.
 * GUI thread.
 */
class ReleaseController : public QObject
{
    Q_OBJECT

public:
    using Answer = std::function<void(const protocol::ReleaseResult &)>;

    /** Neither `commands` nor `window` (the dialogs' parent) is owned. */
    ReleaseController(const ConsoleContext &context, models::CommandsModel *commands, QWidget *window);

    /** Calls `answer` once, unless `asker` is gone by then; the account is kept in either case. */
    void send(const ReleaseRequest &request, QObject *asker, Answer answer);

    /** The dialog for one lock, or the preview for several. */
    void open(const QList<domain::LockKey> &keys);

private:
    ConsoleContext m_context;
    models::CommandsModel *m_commands;
    QWidget *m_window;
};

} // namespace lockkeeper::app::views
