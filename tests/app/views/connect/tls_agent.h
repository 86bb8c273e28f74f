// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/connections/connection.h"
#include "shared/transport/tls_listener.h"
#include "tests/support/certificates.h"

#include <QFile>
#include <QSslConfiguration>
#include <QSslKey>

namespace lockkeeper::tests {

/** An agent over TLS that takes one name and one password, and then a subscription. */
class TlsAgent : public QObject
{
public:
    explicit TlsAgent(const Certificates &made)
    {
        QFile key(made.key(QStringLiteral("agent")));
        if (!key.open(QIODevice::ReadOnly))
            qFatal("no key");
        certificate = QSslCertificate::fromPath(made.certificate(QStringLiteral("agent"))).value(0);
        QSslConfiguration configuration;
        configuration.setLocalCertificate(certificate);
        configuration.setPrivateKey(QSslKey(&key, QSsl::Ec));
        configuration.setPeerVerifyMode(QSslSocket::VerifyNone);
        m_listener.setConfiguration(configuration);
        connect(&m_listener, &transport::Listener::channelReady, this, [this] {
            while (auto channel = m_listener.takeChannel()) {
                auto *raw = channel.release();
                raw->setParent(this);
                connect(raw, &transport::Channel::received, this,
                        [this, raw](const protocol::Message &m) { answer(raw, m); });
            }
        });
        if (!m_listener.listen({{}, QStringLiteral("127.0.0.1"), {}, 0, true}))
            qFatal("can't listen");
    }
    app::connections::Connection connection() const
    {
        app::connections::Connection connection;
        connection.address = {{}, QStringLiteral("127.0.0.1"), {}, m_listener.port(), true};
        return connection;
    }

    QSslCertificate certificate;
    bool wantsLogin = true;
    protocol::Welcome welcome;
    int logins = 0;

private:
    void answer(transport::Channel *channel, const protocol::Message &message)
    {
        if (std::holds_alternative<protocol::Hello>(message) && wantsLogin) {
            channel->send(protocol::LoginNeeded{});
        } else if (const auto *login = std::get_if<protocol::Login>(&message);
                   login && ++logins && *login != protocol::Login{QStringLiteral("ann"), "right"}) {
            channel->send(
                protocol::Goodbye{{base::ErrorCode::Authentication, QStringLiteral("it is wrong"), {}}});
            channel->close();
        } else if (login || std::holds_alternative<protocol::Hello>(message)) {
            channel->send(welcome);
            channel->setLoggedIn();
        } else if (const auto *subscribe = std::get_if<protocol::Subscribe>(&message)) {
            channel->send(protocol::Subscribed{subscribe->id, true, 0, {}});
            channel->send(protocol::SnapshotPage{subscribe->id, 0, true, {}, {}});
        }
    }

    transport::TlsListener m_listener;
};

} // namespace lockkeeper::tests
