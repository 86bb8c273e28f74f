// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/release/release_controller.h"

#include "app/replica/replica.h"
#include "app/views/release/bulk_dialog.h"
#include "app/views/release/release_dialog.h"
#include "app/views/widgets/requests.h"
#include "shared/base/clock.h"
#include "shared/base/random_id.h"

#include <QPointer>
#include <QWidget>

namespace lockkeeper::app::views {

ReleaseController::ReleaseController(const ConsoleContext &context, models::CommandsModel *commands,
                                     QWidget *window)
    : QObject(window), m_context(context), m_commands(commands), m_window(window)
{
    connect(context.requests, &Requests::releaseAsked, this, &ReleaseController::open);
}

void ReleaseController::send(const ReleaseRequest &request, QObject *asker, Answer answer)
{
    protocol::ForceRelease message;
    message.command = base::randomId();
    message.key = request.key;
    message.ticket = request.ticket;
    message.because = request.because;
    message.ifNotRenewed = request.ifNotRenewed;
    message.reason = request.reason;

    models::ConsoleRelease command;
    command.id = message.command;
    command.key = request.key;
    command.reason = request.reason;
    command.startedWallUs = m_context.clock->wallUs();
    m_commands->add(command);
    m_context.replica->setReleasing(request.key, true);

    m_context.session->ask(message, this,
                           [this, id = message.command, key = request.key, asker = QPointer<QObject>(asker),
                            answer = std::move(answer)](const base::Result<protocol::ReleaseResult> &ended) {
                               const auto result = models::CommandsModel::told(ended);
                               m_commands->finish(id, result, m_context.clock->wallUs());
                               m_context.replica->setReleasing(key, false);
                               if (asker)
                                   answer(result);
                           });
}

void ReleaseController::open(const QList<domain::LockKey> &keys)
{
    if (keys.isEmpty())
        return;
    QDialog *dialog = nullptr;
    if (keys.size() == 1)
        dialog = new ReleaseDialog(m_context, keys.first(), this, m_window);
    else
        dialog = new BulkDialog(m_context, keys, this, m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

} // namespace lockkeeper::app::views
