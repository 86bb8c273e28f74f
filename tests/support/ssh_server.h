// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QProcess>
#include <QTemporaryDir>

namespace lockkeeper::tests {

/**
 * A real sshd of this user on a free loopback port, and an `ssh` first in the PATH of clients that knows it
 * as the host "far". Commands run over it find only the programs in `programs`.
 */
class SshServer
{
public:
    SshServer();
    ~SshServer();
    Q_DISABLE_COPY_MOVE(SshServer)

    /** Why it can't be had here; empty: it can. */
    static QString missing();

    /** The address where it listens and is reached; loopback by default. */
    void setAddress(const QString &address) { m_address = address.toUtf8(); }
    bool start(const QString &programs = qEnvironmentVariable("LOCKKEEPER_BIN"));
    void stop();
    /** With another host key than clients know. */
    bool changeHostKey();
    /** PATH for a client that is to reach it. */
    QString clientPath() const;
    /** A folder of programs that a test makes for the far side. */
    QString folder() const { return m_folder.path(); }

private:
    bool makeKey(const QString &name);
    bool writeClient();
    bool listen();

    QTemporaryDir m_folder;
    QProcess m_sshd;
    QString m_programs;
    QByteArray m_address = "127.0.0.1";
    quint16 m_port = 0;
};

} // namespace lockkeeper::tests
