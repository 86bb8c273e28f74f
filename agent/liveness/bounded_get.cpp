// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/liveness/bounded_get.h"

#include <QNetworkProxy>
#include <QRegularExpression>

namespace lockkeeper::agent::liveness {

using base::ErrorCode;

namespace {

constexpr qsizetype kLongestAnswer = 512 * 1'024;

base::Result<BoundedGet::HttpAnswer> parseAnswer(const QByteArray &text)
{
    static const QRegularExpression first(QStringLiteral("\\AHTTP/1\\.[01] ([1-5][0-9]{2})[ \\r\\n]"));
    static const QRegularExpression size(QStringLiteral("\\r\\ncontent-length: *([0-9]{1,9})\\r\\n"),
                                         QRegularExpression::CaseInsensitiveOption);
    static const QRegularExpression coded(QStringLiteral("\\r\\n(transfer|content)-encoding:"),
                                          QRegularExpression::CaseInsensitiveOption);
    const qsizetype end = text.indexOf("\r\n\r\n");
    const QString head = QString::fromLatin1(text.left(end + 2));
    const auto status = first.match(head);
    if (end < 0 || !status.hasMatch() || coded.match(head).hasMatch())
        return base::failure(ErrorCode::Protocol, QStringLiteral("the cluster's answer isn't HTTP"));
    const BoundedGet::HttpAnswer answer{status.captured(1).toInt(), text.mid(end + 4)};
    const auto length = size.match(head);
    if (length.hasMatch() && length.captured(1).toLongLong() != answer.body.size())
        return base::failure(ErrorCode::ConnectionLost, QStringLiteral("the cluster's answer was cut"));
    return answer;
}

} // namespace

BoundedGet::BoundedGet(const KubernetesAccess &access, const QByteArray &path, Done done)
    : m_done(std::move(done))
{
    const bool isTls = access.server.scheme() == QLatin1String("https");
    const auto port = quint16(access.server.port(isTls ? 443 : 80));
    QByteArray base = access.server.path(QUrl::FullyEncoded).toLatin1();
    while (base.endsWith('/'))
        base.chop(1);
    m_request = "GET " + base + path + " HTTP/1.0\r\nHost: " +
                access.server.authority(QUrl::FullyEncoded | QUrl::RemoveUserInfo).toLatin1() +
                "\r\nUser-Agent: lockkeeper\r\nAccept: application/json\r\n";
    if (!access.token.isEmpty())
        m_request += "Authorization: Bearer " + access.token + "\r\n";
    m_request += "\r\n";
    m_socket.setProxy(QNetworkProxy::NoProxy);
    connect(&m_socket, isTls ? &QSslSocket::encrypted : &QSslSocket::connected, this,
            [this] { m_socket.write(m_request); });
    connect(&m_socket, &QSslSocket::readyRead, this, [this] {
        m_text += m_socket.read(kLongestAnswer + 1 - m_text.size());
        if (m_text.size() > kLongestAnswer)
            finish(base::failure(ErrorCode::TooLarge, QStringLiteral("the cluster's answer is too long")));
    });
    connect(&m_socket, &QSslSocket::errorOccurred, this, &BoundedGet::ended);
    if (isTls) {
        m_socket.setSslConfiguration(access.tls);
        m_socket.connectToHostEncrypted(access.server.host(), port);
    } else {
        m_socket.connectToHost(access.server.host(), port);
    }
}

BoundedGet::~BoundedGet()
{
    cancel();
}

void BoundedGet::cancel()
{
    m_done = {};
    m_socket.disconnect(this);
    m_socket.abort();
}

void BoundedGet::ended()
{
    m_text += m_socket.read(kLongestAnswer + 1 - m_text.size());
    if (m_socket.error() == QAbstractSocket::RemoteHostClosedError && !m_text.isEmpty())
        finish(parseAnswer(m_text));
    else
        finish(base::failure(ErrorCode::Unreachable,
                             QStringLiteral("the cluster can't be reached: %1").arg(m_socket.errorString())));
}

void BoundedGet::finish(const base::Result<HttpAnswer> &answer)
{
    m_socket.disconnect(this);
    m_socket.abort();
    // Through the event loop: the caller may destroy this within the call.
    QMetaObject::invokeMethod(
        this,
        [this, answer] {
            if (const Done done = std::exchange(m_done, {}))
                done(answer);
        },
        Qt::QueuedConnection);
}

} // namespace lockkeeper::agent::liveness
