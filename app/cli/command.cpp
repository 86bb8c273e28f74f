// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command.h"

#include <QCoreApplication>

namespace lockkeeper::app::cli {

QString tr(const char *text)
{
    return QCoreApplication::translate("lockkeeperctl", text);
}

Command::Command(Context &context, QStringList features, QObject *parent)
    : QObject(parent),
      m_context(context),
      m_client(QStringLiteral("lockkeeperctl " LOCKKEEPER_VERSION), std::move(features))
{
    connect(&m_client, &transport::Client::connected, this, [this](const protocol::Welcome &welcome) {
        m_agent = welcome.agent;
        connected(welcome);
    });
    connect(&m_client, &transport::Client::received, this, [this](const protocol::Message &message) {
        if (const auto *failed = std::get_if<protocol::Failed>(&message))
            fail(failed->error);
        else if (!m_finished)
            received(message);
    });
    connect(&m_client, &transport::Client::disconnected, this, [this](const base::Error &error) {
        if (!m_finished)
            lost(error);
    });
}

void Command::start()
{
    reopen();
}

void Command::lost(const base::Error &error)
{
    fail(error);
}

void Command::finish(Exit status)
{
    if (m_finished)
        return;
    m_finished = true;
    m_client.close();
    QMetaObject::invokeMethod(
        this, [this, status] { Q_EMIT finished(int(status)); }, Qt::QueuedConnection);
}

void Command::fail(const base::Error &error)
{
    if (m_finished)
        return;
    const QString line = error.line().trimmed();
    m_context.out.note(line.isEmpty() ? QString::fromLatin1(base::errorName(error.code).toByteArray())
                                      : line);
    finish(exitOf(error));
}

} // namespace lockkeeper::app::cli
