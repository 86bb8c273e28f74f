// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/server/server.h"

#include "shared/base/text.h"

#include <QLoggingCategory>

#include <algorithm>
#include <utility>

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
        wanted.emplace(address->text(), *address);
    }
    QStringList gone;
    for (const auto &item : m_listeners) {
        if (!wanted.contains(item.first))
            gone.append(item.first);
    }
    for (const QString &text : std::as_const(gone)) // first: another listener may need its port
        m_listeners.erase(text);
    QStringList begun;
    for (const auto &[text, address] : wanted) {
        if (m_listeners.contains(text))
            continue;
        if (const auto listening = begin(address); !listening) {
            for (const QString &one : std::as_const(begun))
                m_listeners.erase(one);
            for (const QString &one : std::as_const(gone)) {
                const auto back = transport::parseAddress(one, baseDir).and_then([this](const auto &before) {
                    return begin(before);
                });
                if (!back)
                    qCCritical(lcServer).noquote() << back.error().line();
            }
            return listening;
        }
        begun.append(text);
    }
    if (std::none_of(wanted.cbegin(), wanted.cend(), [](const auto &item) { return item.second.isTls; }))
        endTls(false, QStringLiteral("the agent no longer listens over TLS"));
    return {};
}

base::Result<void> Server::begin(const transport::Address &address)
{
    auto listener = makeListener(address);
    connect(listener.get(), &transport::Listener::channelReady, this,
            [this, raw = listener.get()] { take(*raw); });
    if (const auto listening = listener->listen(address); !listening)
        return listening;
    qCInfo(lcServer).noquote() << "listening on" << base::singleLine(address.text());
    warnOfFolder(address);
    m_listeners.emplace(address.text(), std::move(listener));
    return {};
}

std::unique_ptr<transport::Listener> Server::makeListener(const transport::Address &address) const
{
    if (!address.isTls) {
        auto listener = std::make_unique<transport::LocalListener>();
        listener->setAudience(m_services.policy.audience());
        return listener;
    }
    auto listener = std::make_unique<transport::TlsListener>();
    listener->setConfiguration(m_tls);
    return listener;
}

void Server::setTls(const QSslConfiguration &configuration)
{
    const QList<QSslCertificate> trusted = configuration.caCertificates();
    const QList<QSslCertificate> before = std::exchange(m_tls, configuration).caCertificates();
    for (const auto &item : m_listeners) {
        if (auto *listener = qobject_cast<transport::TlsListener *>(item.second.get()))
            listener->setConfiguration(m_tls);
    }
    if (!std::all_of(before.cbegin(), before.cend(), [&](const auto &one) { return trusted.contains(one); }))
        endTls(true, QStringLiteral("the authorities of clients' certificates have changed"));
}

void Server::endTls(bool byCertificate, const QString &cause)
{
    const QList<ClientSession *> sessions = m_sessions;
    for (ClientSession *session : sessions)
        session->endTls(byCertificate, cause);
}

void Server::policyChanged()
{
    for (const auto &[text, listener] : m_listeners) {
        auto *local = qobject_cast<transport::LocalListener *>(listener.get());
        if (!local)
            continue;
        local->setAudience(m_services.policy.audience());
        if (const auto address = transport::parseAddress(text, {}))
            warnOfFolder(*address);
    }
    const QList<ClientSession *> sessions = m_sessions;
    for (ClientSession *session : sessions)
        session->judgeAnew();
}

void Server::warnOfFolder(const transport::Address &address) const
{
    if (address.isTls)
        return;
    if (const auto error = access::unreachableBy(m_services.policy.audience(), address.path))
        qCWarning(lcServer).noquote() << error->line();
}

void Server::take(transport::Listener &listener)
{
    while (auto channel = listener.takeChannel()) {
        auto *session = new ClientSession(std::move(channel), m_services);
        m_sessions.append(session);
        connect(session, &ClientSession::ended, this, [this, session] {
            m_sessions.removeOne(session);
            session->deleteLater();
        });
    }
}

qint64 Server::waitingBytes() const
{
    qint64 bytes = 0;
    for (const ClientSession *session : m_sessions)
        bytes += session->waitingBytes();
    return bytes;
}

void Server::shutDown()
{
    m_listeners.clear();
    const QList<ClientSession *> sessions = m_sessions;
    for (ClientSession *session : sessions)
        session->shutDown();
}

} // namespace lockkeeper::agent::server
