// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/error.h"
#include "shared/stores/redis/connection/endpoint.h"

#include <QByteArray>
#include <QObject>

#include <functional>

class QIODevice;
class QLocalSocket;
class QSocketNotifier;
class QSslSocket;
class QTcpSocket;

namespace lockkeeper::stores::redis {

/**
 * The bytes of one link to a server: a TCP (with or without TLS) or a unix socket on the event loop of the
 * thread it lives in. Opened once. Signals come as the socket's do, but for those of its end, which never
 * come out of a call of this object.
 *
 * Qt's objects make the link, and carry it if it has TLS. Any other link is read and written by the system's
 * own calls once it is established. Qt's objects buffer and signal for each piece, which is a good part of
 * the cost of a short question and its answer.
 */
class Transport final : public QObject
{
    Q_OBJECT

public:
    explicit Transport(const Endpoint &endpoint, QObject *parent = nullptr);
    ~Transport() override;

    void open();
    /** Breaks the link, silently, and deletes this object when the event loop turns. */
    void dismiss();

    /** At most `most` of the received bytes; 0 for none. */
    qint64 read(char *to, qint64 most);
    void write(QByteArrayView bytes);
    /** Hands the written bytes to the system now. */
    void flush();
    /** Asks the socket again and again, for at most `us` microseconds, until there is something to read;
     * false if nothing arrived, or if the link is one of Qt's. */
    bool busyPoll(qint64 us);
    /** Call once, when the link is established. Takes bytes that have come by now, without waiting, as a
     * write that fails would lose them. May emit readable(). */
    void poll();

Q_SIGNALS:
    void established();
    void readable();
    /** The link could not be established, or it ended. The cause has no address; the code is Unknown if
     * nothing more is known. */
    void ended(const lockkeeper::base::Error &error);

private:
    void watch(QTcpSocket *socket);
    void watchTls(QSslSocket *socket);
    void watch(QLocalSocket *socket);
    void openTls();
    void endLater(const std::function<void()> &end);
    base::Error failureOf(const QTcpSocket &socket) const;
    void takeOver();
    void closeSocket();
    void endSocket(int error);
    qint64 readSocket(char *to, qint64 most);
    void writeSocket();

    Endpoint m_endpoint;
    QIODevice *m_device = nullptr;
    QByteArray m_written;        ///< and not handed over
    QTcpSocket *m_tcp = nullptr; ///< one of the two is the device
    QLocalSocket *m_local = nullptr;
    QSslSocket *m_tls = nullptr; ///< also the TCP socket of an encrypted link
    int m_socket = -1;           ///< of a link without TLS that is established
    QSocketNotifier *m_toRead = nullptr;
    QSocketNotifier *m_toWrite = nullptr; ///< while the system takes no more
    bool m_drained = false;               ///< m_socket had no more when it was read last
    bool m_polling = false;
    base::Error m_refused; ///< why we left this server; empty cause: it wasn't left
};

} // namespace lockkeeper::stores::redis
