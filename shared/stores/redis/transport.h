// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/error.h"
#include "shared/stores/redis/endpoint.h"

#include <QByteArrayView>
#include <QObject>

class QIODevice;
class QLocalSocket;
class QTcpSocket;

namespace lockkeeper::stores::redis {

/**
 * The bytes of one link to a server: a TCP or a unix socket on the event loop of the thread it lives in.
 * Opened once. Signals come as the socket's do, but for those of its end, which never come out of a call of
 * this object.
 */
class Transport final : public QObject
{
    Q_OBJECT

public:
    explicit Transport(const Endpoint &endpoint, QObject *parent = nullptr);

    void open();
    /** Breaks the link, silently, and deletes this object when the event loop turns. */
    void dismiss();

    /** At most `most` of the bytes that have come; 0 for none. */
    qint64 read(char *to, qint64 most);
    void write(QByteArrayView bytes);
    /** Hands what was written to the system now. */
    void flush();

Q_SIGNALS:
    void established();
    void readable();
    /** It could not be made, or it ended: in words, without the address. */
    void ended(const QString &words);

private:
    void watch(QTcpSocket *socket);
    void watch(QLocalSocket *socket);

    Endpoint m_endpoint;
    QIODevice *m_device = nullptr;
    QTcpSocket *m_tcp = nullptr;     ///< one of the two
    QLocalSocket *m_local = nullptr; ///< is the device
};

} // namespace lockkeeper::stores::redis
