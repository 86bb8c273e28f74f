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

/** A private member of etcd in a temporary folder, on free ports: the only one, or one of some. It ends with
 * this object. */
class EtcdServer
{
public:
    EtcdServer();
    ~EtcdServer();
    Q_DISABLE_COPY_MOVE(EtcdServer)

    /** Whether there is one here, with etcdctl, and this build talks to it. */
    static bool isInstalled();
    /** The reason why a test skips it. */
    static const char *absent();
    /** "etcd" or "etcdctl": in the folder that LOCKKEEPER_TEST_ETCD names, otherwise as found in the PATH. */
    static QString program(const char *name);

    /**
     * Starts it and waits until it serves. `tls`: options for its clients' port, which is one for TLS then;
     * `files`: etcdctl's options for its access.
     */
    bool start(const QStringList &tls = {}, const QStringList &files = {});
    /** Starts `members` members of one cluster, all serving; empty where that failed. */
    static std::vector<std::unique_ptr<EtcdServer>> cluster(int members);
    /** SIGKILL; waits. */
    void kill();
    /** SIGSTOP and SIGCONT. */
    void pause() const;
    void resume() const;
    /** Starts it again with its data, on the same ports. */
    bool restart();
    /** Writes its present data into a file. */
    bool save(const QString &file) const;
    /** Kills it, and starts it with that file's data, under the same names. */
    bool restore(const QString &file);

    bool isLeader() const;
    QUrl url(const QString &user = {}) const;
    QString clientUrl() const;
    /** The output of etcdctl; `login`: "user:password". Its errors go to the test's output. */
    QByteArray ctl(const QStringList &arguments, const QString &login = {}) const;
    /** A new lease, as etcdctl writes it. */
    QByteArray grant(int seconds) const;

private:
    void takePorts();
    QString peerUrl() const { return QStringLiteral("http://127.0.0.1:%1").arg(m_peer); }
    void launch();
    bool waitUntilHealthy();
    bool isHealthy() const;

    QString m_name = QStringLiteral("default");
    QString m_cluster; ///< every member's name and its address for the others

    QStringList m_tls;
    QStringList m_files;
    QTemporaryDir m_folder;
    std::unique_ptr<QProcess> m_process;
    quint16 m_client = 0;
    quint16 m_peer = 0;
    quint16 m_metrics = 0;
};

/**
 * `etcdctl lock` at work: it waits in the queue, and keeps the lock once it holds it, until it gets a signal.
 */
class EtcdctlLock
{
public:
    EtcdctlLock(const EtcdServer &server, const QString &name, int ttl = 10);
    ~EtcdctlLock();
    Q_DISABLE_COPY_MOVE(EtcdctlLock)

    /** Waits until it holds; its key, or nothing. */
    QByteArray key(int timeoutMs = 15'000);
    bool holds() const { return !m_key.isEmpty(); }
    /** The lease that its key ends with. */
    QByteArray lease() const { return m_key.sliced(m_key.lastIndexOf('/') + 1); }
    /** SIGINT: it gives the lock back. */
    void release();
    /** SIGKILL. */
    void kill();

private:
    QProcess m_process;
    QByteArray m_key;
};

} // namespace lockkeeper::tests
