// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/liveness/redis_probe.h"

#include "shared/stores/redis/connection/handshake.h"

#include <QPointer>

#include <hiredis/hiredis.h>

namespace lockkeeper::agent::liveness {

using base::ErrorCode;
using domain::HolderEvidence;
using domain::HolderVerdict;
using stores::redis::RedisConnection;

namespace {

/** "10.0.0.7:51234" or "[fd00::7]:51234"; a null address for a Unix socket. */
std::pair<QHostAddress, quint16> clientAddress(QByteArrayView text)
{
    const qsizetype colon = text.lastIndexOf(':');
    if (colon < 0)
        return {};
    QByteArrayView host = text.first(colon);
    if (host.startsWith('[') && host.endsWith(']'))
        host = host.sliced(1, host.size() - 2);
    return {QHostAddress(QString::fromLatin1(host)), text.sliced(colon + 1).toUShort()};
}

} // namespace

bool listsClient(QByteArrayView clients, const QHostAddress &address, quint16 port)
{
    qsizetype at = 0;
    while (at < clients.size()) {
        const qsizetype end = clients.indexOf('\n', at);
        const QByteArrayView line = clients.sliced(at, (end < 0 ? clients.size() : end) - at);
        at = end < 0 ? clients.size() : end + 1;
        const qsizetype key = line.indexOf(" addr=");
        if (key < 0)
            continue;
        const QByteArrayView rest = line.sliced(key + 6);
        const qsizetype space = rest.indexOf(' ');
        const auto [from, fromPort] = clientAddress(space < 0 ? rest : rest.first(space));
        if (!from.isNull() && from.isEqual(address, QHostAddress::ConvertV4MappedToIPv4) &&
            (port == 0 || port == fromPort))
            return true;
    }
    return false;
}

RedisProbe::RedisProbe(ProbeTarget target, Done done) : HolderProbe(std::move(target), std::move(done)) {}

RedisProbe::~RedisProbe()
{
    abort();
}

void RedisProbe::begin()
{
    const auto endpoint = stores::redis::endpointOf(target().source);
    if (!endpoint) {
        fail(ErrorCode::Unsupported,
             QStringLiteral("the probe \"redis\" needs a source that is one Redis server"));
        return;
    }
    if (QHostAddress(target().host).isNull()) {
        fail(ErrorCode::Unsupported,
             QStringLiteral("the probe \"redis\" needs an address: a server's clients have no names"));
        return;
    }
    m_connection = std::make_unique<RedisConnection>(*endpoint, target().timeoutUs / 1'000);
    connect(m_connection.get(), &RedisConnection::lost, this,
            [this](const base::Error &error) { fail(error.code, error.cause, error.remedy); });
    connect(m_connection.get(), &RedisConnection::connected, this, [this] {
        // The connection may outlive this probe by a turn of the event loop.
        const auto listed = [self = QPointer(this)](const base::Result<stores::redis::RedisFacts> &facts) {
            if (!self || self->isFinished())
                return;
            if (!facts)
                return self->fail(facts.error().code, facts.error().cause, facts.error().remedy);
            self->m_connection->send({"CLIENT", "LIST"}, [self](const redisReply *reply) {
                if (self)
                    self->takeClients(reply);
            });
        };
        stores::redis::shakeHands(*m_connection, target().source.password, listed);
    });
    m_connection->open(target().timeoutUs / 1'000);
}

void RedisProbe::abort()
{
    if (!m_connection)
        return;
    m_connection->disconnect(this);
    // It may be this connection's answer that ends the probe.
    m_connection.release()->deleteLater();
}

void RedisProbe::takeClients(const redisReply *reply)
{
    if (!reply || isFinished())
        return; // lost() follows
    if (reply->type == REDIS_REPLY_ERROR) {
        fail(ErrorCode::PermissionDenied, QStringLiteral("the agent may not list the server's clients"),
             QStringLiteral("Grant its Redis user +client|list."));
        return;
    }
    const QByteArrayView clients(reply->str, qsizetype(reply->len));
    const bool isListed = listsClient(clients, QHostAddress(target().host), target().port);
    finish({isListed ? HolderVerdict::Alive : HolderVerdict::Unknown,
            isListed ? HolderEvidence::ConnectionListed : HolderEvidence::ConnectionAbsent});
}

} // namespace lockkeeper::agent::liveness
