// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/slow_link.h"

#include <QElapsedTimer>
#include <QHostAddress>
#include <QTcpSocket>
#include <QTimer>

#include <algorithm>
#include <functional>
#include <memory>

namespace lockkeeper::tests {

SlowLink::SlowLink(quint16 server) : m_to(server)
{
    connect(&m_server, &QTcpServer::newConnection, this, &SlowLink::onConnection);
    m_server.listen(QHostAddress(QHostAddress::LocalHost));
}

qsizetype SlowLink::connections() const
{
    return m_server.findChildren<QTcpSocket *>(QString(), Qt::FindDirectChildrenOnly).size();
}

void SlowLink::onConnection()
{
    while (QTcpSocket *client = m_server.nextPendingConnection()) {
        auto *server = new QTcpSocket(client);
        auto elapsed = std::make_shared<QElapsedTimer>();
        auto dueMs = std::make_shared<qint64>(0);
        elapsed->start();
        // A timer of a later answer never ends first: each is due after the one before it.
        const auto later = [this, client, elapsed, dueMs](std::function<void()> act) {
            *dueMs = std::max(*dueMs, elapsed->elapsed() + m_delayMs);
            const qint64 inMs = *dueMs - elapsed->elapsed();
            if (inMs <= 0)
                act();
            else
                QTimer::singleShot(int(inMs), Qt::PreciseTimer, client, std::move(act));
        };
        connect(client, &QTcpSocket::readyRead, server,
                [client, server] { server->write(client->readAll()); });
        connect(server, &QTcpSocket::connected, server,
                [client, server] { server->write(client->readAll()); });
        connect(server, &QTcpSocket::readyRead, client, [this, client, server, later] {
            if (m_dropping) {
                client->abort();
                return;
            }
            later([client, bytes = server->readAll()] { client->write(bytes); });
        });
        connect(server, &QTcpSocket::disconnected, client,
                [client, later] { later([client] { client->disconnectFromHost(); }); });
        connect(client, &QTcpSocket::disconnected, client, &QObject::deleteLater);
        connect(this, &SlowLink::cutting, client, &QTcpSocket::abort);
        connect(this, &SlowLink::hushing, client, [client, server] { server->disconnect(client); });
        server->connectToHost(QHostAddress(QHostAddress::LocalHost), m_to);
    }
}

} // namespace lockkeeper::tests
