// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command.h"

#include "app/records/records.h"
#include "app/words/error_words.h"

#include <QCoreApplication>

#include <utility>

namespace lockkeeper::app::cli {

using namespace records;

QString tr(const char *text)
{
    return QCoreApplication::translate("lockkeeper::app::cli", text);
}

void Task::write(Output &out, const QByteArray &bytes, const std::function<void()> &then)
{
    if (!m_writer) {
        m_writer = std::make_unique<QThreadPool>();
        m_writer->setMaxThreadCount(1);
    }
    m_writer->start([this, &out, bytes, then] {
        if (!bytes.isEmpty())
            out.write(bytes);
        if (then)
            QMetaObject::invokeMethod(this, then, Qt::QueuedConnection);
    });
}

void Task::tellFinished(int status)
{
    const auto tell = [this, status] { Q_EMIT finished(status); };
    if (m_writer)
        m_writer->start([this, tell] { QMetaObject::invokeMethod(this, tell, Qt::QueuedConnection); });
    else
        QMetaObject::invokeMethod(this, tell, Qt::QueuedConnection);
}

Command::Command(Context &context)
    : m_context(context), m_client(QStringLiteral("lockkeeperctl " LOCKKEEPER_VERSION))
{
    connect(&m_client, &transport::Client::connected, this, [this](const protocol::Welcome &welcome) {
        if (const auto remember = std::exchange(m_context.remember, {})) {
            if (const auto kept = remember(); !kept)
                m_context.out.note(words::ErrorWords::line(kept.error()));
        }
        m_waits = m_context.part && m_context.part->admit;
        if (m_waits)
            m_context.part->admit(welcome, [this, welcome] { admitted(welcome); });
        else
            admitted(welcome);
    });
    connect(&m_client, &transport::Client::received, this, [this](const protocol::Message &message) {
        if (m_finished)
            return;
        if (const auto *failed = std::get_if<protocol::Failed>(&message))
            refused(*failed);
        else
            received(message);
    });
    connect(&m_client, &transport::Client::disconnected, this, &Command::disconnected);
}

void Command::reopen()
{
    m_client.setTls(m_context.tls);
    if (!m_context.password.isEmpty())
        m_client.setLogin(protocol::Login{m_context.user, m_context.password});
    m_client.open(m_context.agent);
}

void Command::admitted(const protocol::Welcome &welcome)
{
    if (m_finished || !m_client.isConnected())
        return; // the link broke while waiting: reconnects
    m_waits = false;
    const bool labelled = m_context.part && !m_context.part->label.isEmpty();
    m_agent = labelled ? m_context.part->label : welcome.agent;
    connected(welcome);
}

void Command::disconnected(const base::Error &error)
{
    if (m_finished)
        return;
    // The user may have spent longer typing another agent's password than an agent waits for a ping.
    if (std::exchange(m_waits, false))
        return reopen();
    // Prompts once: a wrong password isn't retried, and a right one isn't prompted for again at each
    // reconnection.
    const auto ask = std::exchange(m_context.askPassword, {});
    if (!ask || !m_client.wantsLogin() || !m_context.password.isEmpty())
        return lost(error);
    const auto password = ask(tr("Password of %1 at %2: ").arg(m_context.user, m_context.agent.text()));
    if (!password)
        return fail(password.error());
    m_context.password = *password;
    reopen();
}

void Command::start()
{
    reopen();
}

void Command::refused(const protocol::Failed &failed)
{
    fail(failed.error);
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
    tellFinished(int(status));
}

void Command::fail(const base::Error &error)
{
    if (m_finished)
        return;
    const QString line = words::ErrorWords::line(error).trimmed();
    m_context.out.note(line.isEmpty() ? words::ErrorWords::title(error.code) : line);
    finish(exitOf(error));
}

} // namespace lockkeeper::app::cli
