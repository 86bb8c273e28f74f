// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/agent/alerts/hook_server.h"

#include <QSslServer>

#include <memory>

namespace lockkeeper::tests {

namespace {

const QByteArray kFlood(64 * 1'024, 'x');

QByteArray httpAnswer(HookAnswer answer)
{
    switch (answer) {
    case HookAnswer::Fails:
        return "HTTP/1.1 500 Oops\r\nContent-Length: 7\r\n\r\nbroken\n";
    case HookAnswer::Refuses:
        return "HTTP/1.1 400 No\r\nContent-Length: 9\r\n\r\nbad \x1b[1m\n";
    case HookAnswer::TooMany:
        return "HTTP/1.1 429 Slow\r\nRetry-After: 2\r\nContent-Length: 0\r\n\r\n";
    case HookAnswer::Redirects:
        return "HTTP/1.1 302 There\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n";
    case HookAnswer::Endless:
        return "HTTP/1.1 200 OK\r\n\r\n";
    case HookAnswer::Floods:
        return "HTTP/1.1 500 Oops\r\n\r\n";
    default:
        return "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
    }
}

} // namespace

LoopServer::LoopServer(Accept accept, const QSslConfiguration &tls)
{
    if (tls.isNull()) {
        m_server = new QTcpServer;
    } else {
        auto *server = new QSslServer;
        server->setSslConfiguration(tls);
        m_server = server;
    }
    m_server->moveToThread(&m_thread);
    m_thread.start();
    QMetaObject::invokeMethod(
        m_server,
        [this, accept] {
            QObject::connect(m_server, &QTcpServer::pendingConnectionAvailable, m_server, [this, accept] {
                while (QTcpSocket *socket = m_server->nextPendingConnection())
                    accept(socket);
            });
            m_server->listen(QHostAddress::LocalHost);
            m_port = m_server->serverPort();
        },
        Qt::BlockingQueuedConnection);
}

LoopServer::~LoopServer()
{
    QObject::connect(&m_thread, &QThread::finished, m_server, &QObject::deleteLater);
    m_thread.quit();
    m_thread.wait();
}

HookServer::HookServer(const QSslConfiguration &tls)
    : m_tls(!tls.isNull()), m_server([this](QTcpSocket *socket) { serve(socket); }, tls)
{
}

QUrl HookServer::url(const QString &path) const
{
    QUrl url;
    url.setScheme(m_tls ? QStringLiteral("https") : QStringLiteral("http"));
    url.setHost(QStringLiteral("127.0.0.1"));
    url.setPort(m_server.port());
    url.setPath(path);
    return url;
}

void HookServer::answerNext(const QList<HookAnswer> &answers)
{
    const QMutexLocker lock(&m_mutex);
    m_answers = answers;
}

QList<HookRequest> HookServer::requests() const
{
    const QMutexLocker lock(&m_mutex);
    return m_requests;
}

QByteArrayList HookServer::bodies() const
{
    QByteArrayList bodies;
    for (const HookRequest &request : requests())
        bodies.append(request.body);
    return bodies;
}

int HookServer::connections() const
{
    const QMutexLocker lock(&m_mutex);
    return m_connections;
}

void HookServer::serve(QTcpSocket *socket)
{
    {
        const QMutexLocker lock(&m_mutex);
        ++m_connections;
    }
    const auto received = std::make_shared<QByteArray>();
    QObject::connect(socket, &QTcpSocket::readyRead, socket,
                     [this, socket, received] { read(socket, *received); });
    QObject::connect(socket, &QTcpSocket::disconnected, socket, &QObject::deleteLater);
    read(socket, *received); // a TLS socket may have it already
}

void HookServer::read(QTcpSocket *socket, QByteArray &received)
{
    received += socket->readAll();
    const qsizetype end = received.indexOf("\r\n\r\n");
    if (end < 0)
        return;
    const QByteArray head = received.first(end);
    const qsizetype at = head.toLower().indexOf("content-length:");
    const qsizetype length = at < 0 ? 0 : head.sliced(at + 15).split('\r').first().trimmed().toLongLong();
    if (received.size() < end + 4 + length)
        return;
    {
        const QMutexLocker lock(&m_mutex);
        m_requests.append({head.split('\r').first(), head.sliced(head.indexOf('\n') + 1),
                           received.sliced(end + 4, length)});
    }
    received.remove(0, end + 4 + length);
    answer(socket);
}

void HookServer::answer(QTcpSocket *socket)
{
    HookAnswer next = HookAnswer::Accepts;
    {
        const QMutexLocker lock(&m_mutex);
        if (!m_answers.isEmpty())
            next = m_answers.takeFirst();
    }
    if (next == HookAnswer::Hangs)
        return;
    if (next == HookAnswer::Resets)
        return socket->abort();
    if (next == HookAnswer::Endless || next == HookAnswer::Floods)
        QObject::connect(socket, &QTcpSocket::bytesWritten, socket, [socket] {
            if (socket->bytesToWrite() < kFlood.size())
                socket->write(kFlood);
        });
    socket->write(httpAnswer(next));
}

MailSink::MailSink(Refuse refuse)
    : m_refuse(std::move(refuse)), m_server([this](QTcpSocket *socket) { serve(socket); })
{
}

QUrl MailSink::url() const
{
    return QUrl(QStringLiteral("smtp://127.0.0.1:%1").arg(m_server.port()));
}

QByteArrayList MailSink::messages() const
{
    const QMutexLocker lock(&m_mutex);
    return m_messages;
}

QByteArrayList MailSink::commands() const
{
    const QMutexLocker lock(&m_mutex);
    return m_commands;
}

void MailSink::serve(QTcpSocket *socket)
{
    const auto inData = std::make_shared<bool>(false);
    const auto message = std::make_shared<QByteArray>();
    QObject::connect(socket, &QTcpSocket::disconnected, socket, &QObject::deleteLater);
    QObject::connect(socket, &QTcpSocket::readyRead, socket, [this, socket, inData, message] {
        while (socket->canReadLine()) {
            const QByteArray line = socket->readLine();
            if (*inData && line != ".\r\n") {
                *message += line;
                continue;
            }
            if (*inData) {
                const QMutexLocker lock(&m_mutex);
                m_messages.append(std::exchange(*message, {}));
            }
            const QByteArray answer = reply(*inData ? QByteArray(".") : line.trimmed());
            *inData = answer.startsWith("354");
            socket->write(answer + "\r\n");
        }
    });
    socket->write("220 sink\r\n");
}

QByteArray MailSink::reply(const QByteArray &line)
{
    {
        const QMutexLocker lock(&m_mutex);
        m_commands.append(line);
    }
    const QByteArray refusal = m_refuse ? m_refuse(line) : QByteArray();
    if (!refusal.isEmpty())
        return refusal;
    if (line == "DATA")
        return "354 go on";
    return line == "QUIT" ? "221 bye" : "250 fine";
}

} // namespace lockkeeper::tests
