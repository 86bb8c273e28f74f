// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/liveness/socket_probe.h"

#include "agent/liveness/address_policy.h"
#include "shared/base/text.h"

#include <QNetworkProxy>
#include <QRegularExpression>

namespace lockkeeper::agent::liveness {

using base::ErrorCode;
using domain::HolderEvidence;
using domain::HolderVerdict;

namespace {
constexpr qsizetype kLongestStatusLine = 1'024;
} // namespace

SocketProbe::SocketProbe(ProbeTarget target, Done done) : HolderProbe(std::move(target), std::move(done))
{
    m_socket.setProxy(QNetworkProxy::NoProxy);
    m_socket.setReadBufferSize(2 * kLongestStatusLine);
    const bool isTls = isHttp() && this->target().url.scheme() == QLatin1String("https");
    if (isTls)
        connect(&m_socket, &QSslSocket::encrypted, this, &SocketProbe::connected);
    else
        connect(&m_socket, &QSslSocket::connected, this, &SocketProbe::connected);
    connect(&m_socket, &QSslSocket::errorOccurred, this, &SocketProbe::failed);
    connect(&m_socket, &QSslSocket::readyRead, this, &SocketProbe::read);
}

SocketProbe::~SocketProbe()
{
    abort();
}

void SocketProbe::begin()
{
    const QHostAddress literal(target().host);
    if (literal.isNull()) {
        m_lookUp = QHostInfo::lookupHost(target().host, this, &SocketProbe::resolved);
        return;
    }
    QHostInfo info;
    info.setAddresses({literal});
    resolved(info);
}

void SocketProbe::abort()
{
    if (m_lookUp >= 0)
        QHostInfo::abortHostLookup(std::exchange(m_lookUp, -1));
    m_socket.disconnect(this);
    m_socket.abort();
}

void SocketProbe::resolved(const QHostInfo &info)
{
    m_lookUp = -1;
    if (info.addresses().isEmpty()) {
        fail(ErrorCode::Unreachable,
             QStringLiteral("the holder's host name can't be resolved: %1").arg(info.errorString()));
        return;
    }
    for (const QHostAddress &address : info.addresses()) {
        if (mayProbe(address, target().allow))
            m_addresses.append(address);
    }
    if (m_addresses.isEmpty())
        finish({HolderVerdict::Unknown, HolderEvidence::TargetRefused});
    else
        connectToNext();
}

void SocketProbe::connectToNext()
{
    const QHostAddress address = m_addresses.takeFirst();
    if (isHttp() && target().url.scheme() == QLatin1String("https"))
        m_socket.connectToHostEncrypted(address.toString(), target().port, target().host);
    else
        m_socket.connectToHost(address, target().port);
}

void SocketProbe::connected()
{
    if (!isHttp()) {
        finish({HolderVerdict::Alive, HolderEvidence::Connected});
        return;
    }
    m_wasConnected = true;
    const QByteArray path =
        target().url.toEncoded(QUrl::RemoveScheme | QUrl::RemoveAuthority | QUrl::RemoveFragment);
    m_socket.write("GET " + (path.startsWith('/') ? path : '/' + path) +
                   " HTTP/1.1\r\nHost: " + target().url.authority(QUrl::FullyEncoded).toLatin1() +
                   "\r\nUser-Agent: lockkeeper\r\nAccept: */*\r\nConnection: close\r\n\r\n");
}

void SocketProbe::failed()
{
    m_wasRefused = m_wasRefused || m_socket.error() == QAbstractSocket::ConnectionRefusedError;
    if (isHttp() && m_socket.bytesAvailable() > 0)
        read();
    if (isFinished())
        return;
    if (m_wasConnected) {
        fail(ErrorCode::ConnectionLost, m_socket.errorString());
    } else if (!m_addresses.isEmpty()) {
        m_socket.abort();
        connectToNext();
    } else if (m_wasRefused) {
        const bool isDead = !isHttp() && target().isHolderAddress;
        finish({isDead ? HolderVerdict::Dead : HolderVerdict::Unknown, HolderEvidence::Refused});
    } else {
        fail(ErrorCode::Unreachable, m_socket.errorString());
    }
}

void SocketProbe::read()
{
    if (!isHttp())
        return;
    m_answer += m_socket.read(kLongestStatusLine - m_answer.size());
    static const QRegularExpression status(
        QStringLiteral("\\AHTTP/1\\.[01] ([1-5][0-9]{2})(?: [^\\r\\n]*)?\\r?\\n"));
    const auto match = status.match(QString::fromLatin1(m_answer));
    if (match.hasMatch()) {
        const int code = match.captured(1).toInt();
        const bool isAlive = code >= 200 && code < 300;
        finish({isAlive ? HolderVerdict::Alive : HolderVerdict::Unknown, HolderEvidence::HttpStatus, code});
    } else if (m_answer.contains('\n') || m_answer.size() >= kLongestStatusLine) {
        fail(ErrorCode::Protocol, QStringLiteral("the holder's answer isn't HTTP"));
    }
}

} // namespace lockkeeper::agent::liveness
