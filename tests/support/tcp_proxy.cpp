// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/tcp_proxy.h"

#include <QPointer>
#include <QTimer>

#include <utility>

namespace lockkeeper::tests {

Proxy::Proxy(const QString &serverPath, QObject *parent)
    : QObject(parent), m_serverPath(serverPath), m_server(this)
{
    connect(&m_server, &QLocalServer::newConnection, this, &Proxy::onConnection);
}

bool Proxy::listen()
{
    return m_folder.isValid() && m_server.listen(path());
}

void Proxy::onConnection()
{
    QLocalSocket *client = m_server.nextPendingConnection();
    auto *server = new QLocalSocket(client);
    m_newest = server;
    m_greeted.remove(server); // an address that comes again
    ++m_links;
    connect(client, &QLocalSocket::readyRead, server, [this, client, server] {
        const QByteArray bytes = client->readAll();
        m_requestBytes += bytes.size();
        server->write(bytes);
    });
    connect(server, &QLocalSocket::readyRead, client, [this, client, server] {
        if (m_delayMs == 0) {
            forward(client, server);
            return;
        }
        QTimer::singleShot(m_delayMs, server, [this, client, server] { forward(client, server); });
    });
    connect(server, &QLocalSocket::disconnected, client, [this, client] {
        if (!m_keepClients)
            client->disconnectFromServer();
    });
    connect(client, &QLocalSocket::disconnected, client, &QObject::deleteLater);
    server->connectToServer(m_serverPath);
}

void Proxy::muteNewest()
{
    if (m_newest)
        disconnect(m_newest, &QLocalSocket::readyRead, nullptr, nullptr);
}

void Proxy::forward(QLocalSocket *client, QLocalSocket *server)
{
    QByteArray bytes = server->readAll();
    if (m_renumbers && !std::exchange(m_greeted[server], true)) {
        const qsizetype version = 5; // behind the packet's head and the protocol's number
        ++bytes[bytes.indexOf('\0', version) + 1];
    }
    if (m_garbleOneOf > 0 && !bytes.isEmpty() && m_random.bounded(m_garbleOneOf) == 0)
        bytes[m_random.bounded(bytes.size())] = char(m_random.bounded(256));
    if (m_answersLeft < 0) {
        client->write(bytes);
        return;
    }
    bytes.truncate(m_answersLeft);
    m_answersLeft -= bytes.size();
    client->write(bytes);
    client->flush();
    if (m_answersLeft == 0)
        cut(client, server);
}

void Proxy::cutLinks()
{
    for (QLocalSocket *client : m_server.findChildren<QLocalSocket *>(QString(), Qt::FindDirectChildrenOnly))
        cut(client, client->findChild<QLocalSocket *>(QString(), Qt::FindDirectChildrenOnly));
}

void Proxy::cut(QLocalSocket *client, QLocalSocket *server)
{
    server->abort();
    client->abort();
}

} // namespace lockkeeper::tests
