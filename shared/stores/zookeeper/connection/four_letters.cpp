// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/zookeeper/connection/four_letters.h"

#include "shared/base/text.h"

#include <QTcpSocket>
#include <QTimer>

namespace lockkeeper::stores::zookeeper {

namespace {

constexpr int kPatienceMs = 2'000;
constexpr qsizetype kLongestAnswer = 8 * 1024 * 1024; // some 40,000 connections

} // namespace

void askWord(QObject *context, const QString &host, quint16 port, const char *word,
             std::function<void(const QByteArray &)> done)
{
    auto *socket = new QTcpSocket(context);
    auto *patience = new QTimer(socket);
    auto answer = std::make_shared<QByteArray>();
    const auto end = [socket, answer, done = std::move(done)](bool whole) {
        socket->disconnect();
        socket->abort();
        socket->deleteLater();
        done(whole && !answer->contains("is not in the whitelist") ? *answer : QByteArray());
    };
    QObject::connect(socket, &QTcpSocket::connected, socket, [socket, word] { socket->write(word, 4); });
    QObject::connect(socket, &QTcpSocket::readyRead, socket, [socket, answer, end] {
        *answer += socket->readAll();
        if (answer->size() > kLongestAnswer)
            end(false);
    });
    QObject::connect(socket, &QTcpSocket::errorOccurred, socket,
                     [socket, answer, end](QAbstractSocket::SocketError error) {
                         *answer += socket->readAll();
                         end(error ==
                             QAbstractSocket::RemoteHostClosedError); // the server closes after its answer
                     });
    QObject::connect(patience, &QTimer::timeout, socket, [end] { end(false); });
    patience->start(kPatienceMs);
    socket->connectToHost(host, port);
}

std::optional<quint64> transactionOf(const QByteArray &srvr)
{
    for (const QByteArray &line : srvr.split('\n')) {
        bool ok = false;
        const quint64 number =
            line.startsWith("Zxid: 0x") ? line.sliced(8).trimmed().toULongLong(&ok, 16) : 0;
        if (ok)
            return number;
    }
    return std::nullopt;
}

QString productOf(const QByteArray &srvr)
{
    // "Zookeeper version: 3.9.4-7246…, built on …"
    const QByteArray version = srvr.left(srvr.indexOf('-')).split(':').value(1).trimmed();
    const QString product = QStringLiteral("ZooKeeper");
    return version.isEmpty() ? product : product + QLatin1Char(' ') + base::displayText(version);
}

} // namespace lockkeeper::stores::zookeeper
