// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/server/server.h"

#include "shared/base/text.h"

#include <QLoggingCategory>

namespace lockkeeper::agent::server {

Q_LOGGING_CATEGORY(lcServer, "lockkeeper.server")

Server::Server(Services services, QObject *parent) : QObject(parent), m_services(std::move(services)) {}

Server::~Server()
{
    qDeleteAll(m_sessions);
}

base::Result<void> Server::listen(const QStringList &addresses, const QString &baseDir)
{
    std::map<QString, transport::Address> wanted;
    for (const QString &text : addresses) {
        const auto address = transport::parseAddress(text, baseDir);
        if (!address)
            return tl::unexpected(address.error());
        wanted.emplace(address->path, *address);
    }
    std::erase_if(m_listeners, [&wanted](const auto &item) { return !wanted.contains(item.first); });
    for (const auto &[path, address] : wanted) {
        if (m_listeners.contains(path))
            continue;
        auto listener = std::make_unique<transport::Listener>();
        connect(listener.get(), &transport::Listener::channelReady, this,
                [this, raw = listener.get()] { take(*raw); });
        if (const auto listening = listener->listen(address); !listening)
            return listening;
        qCInfo(lcServer).noquote() << "listening on" << base::singleLine(path);
        m_listeners.emplace(path, std::move(listener));
    }
    return {};
}

void Server::take(transport::Listener &listener)
{
    while (auto channel = listener.takeChannel()) {
        auto *session = new Session(std::move(channel), m_services);
        m_sessions.append(session);
        connect(session, &Session::ended, this, [this, session] {
            m_sessions.removeOne(session);
            session->deleteLater();
        });
    }
}

qint64 Server::waitingBytes() const
{
    qint64 bytes = 0;
    for (const Session *session : m_sessions)
        bytes += session->waitingBytes();
    return bytes;
}

void Server::shutDown()
{
    m_listeners.clear();
    const QList<Session *> sessions = m_sessions;
    for (Session *session : sessions)
        session->shutDown();
}

} // namespace lockkeeper::agent::server
