// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QProcess>
#include <QTemporaryDir>
#include <QUrl>

#include <memory>

namespace lockkeeper::tests {

/** A private MongoDB 6.0 in a temporary folder, on a free port. Its mongod is among the lock libraries, where
 * `./run test` fetches it. It ends with this object. */
class MongodServer
{
public:
    MongodServer() = default;
    ~MongodServer();
    Q_DISABLE_COPY_MOVE(MongodServer)

    static bool isInstalled();
    /** For QSKIP. */
    static const char *absent() { return "mongod isn't here (./run test fetches it from PyPI)"; }

    /** Starts it and waits until it can be written to: the primary of a set of one, or without `replicated` by
     * itself. `options` are added. */
    bool start(bool replicated = true, const QStringList &options = {});
    /** SIGKILL; waits. */
    void kill();
    /** SIGSTOP and SIGCONT. */
    void pause() const;
    void resume() const;
    /** With what it had; on the same port. */
    bool restart();

    QUrl url(const QString &user = {}) const;

private:
    void launch();
    bool waitUntilWritable();

    QTemporaryDir m_folder;
    QStringList m_options;
    std::unique_ptr<QProcess> m_process;
    quint16 m_port = 0;
    bool m_replicated = true;
};

} // namespace lockkeeper::tests
