// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QProcess>
#include <QSocketNotifier>

namespace lockkeeper::demo {

/**
 * A redis-server of this process alone, on a local socket and without files. It ends with this process, which
 * ends with its standard input: with the console that holds the other end.
 */
class OwnRedis
{
public:
    explicit OwnRedis(const QString &socket);
    ~OwnRedis();

    /** False: it doesn't listen after some seconds. */
    bool start(const QString &program);

private:
    QString m_socket;
    QProcess m_server;
    QSocketNotifier m_input;
};

} // namespace lockkeeper::demo
