// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QProcess>
#include <QTemporaryDir>
#include <QUrl>

#include <memory>
#include <vector>

namespace lockkeeper::tests {

/** A private ZooKeeper 3.9 in a temporary folder, on free ports: the only one, or one of an ensemble. Its
 * jars are among Java's lock libraries, where `./run test` fetches them. It ends with this object. */
class ZookeeperServer
{
public:
    ZookeeperServer() = default;
    ~ZookeeperServer();
    Q_DISABLE_COPY_MOVE(ZookeeperServer)

    /** Whether there is one here, with java, and this build talks to it. */
    static bool isInstalled();
    /** For QSKIP. */
    static const char *absent();

    /** Starts it and waits until it serves; `lines` of zoo.cfg are added. */
    bool start(const QByteArray &lines = {});
    /** Starts it as a member of a pair whose other member never comes, and which may be read all the same. */
    bool startReadOnly();
    /** Starts `servers` servers of one ensemble, all serving; empty where that failed. */
    static std::vector<std::unique_ptr<ZookeeperServer>> ensemble(int servers);
    /** SIGKILL; waits. */
    void kill();
    /** SIGSTOP and SIGCONT. */
    void pause() const;
    void resume() const;
    /** Starts it again with its data, on the same port. */
    bool restart();
    /** Keeps a copy of its data … */
    bool keep() const;
    /** … and restarts it with that copy. */
    bool restore();
    bool isLeader() const { return word("srvr").contains("Mode: leader"); }
    /** The answer to a four-letter word. */
    QByteArray word(const char *word) const;

    QUrl url(const QString &user = {}) const;
    QString address() const { return QStringLiteral("127.0.0.1:%1").arg(m_port); }

private:
    bool configure(const QByteArray &lines);
    /** `members`: those lines of zoo.cfg. */
    bool configureMember(int id, const QByteArray &members);
    void launch();
    bool waitUntilServing();

    QTemporaryDir m_folder;
    std::unique_ptr<QProcess> m_process;
    bool m_readOnly = false;
    quint16 m_port = 0;
};

} // namespace lockkeeper::tests
