// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/error.h"
#include "shared/stores/zookeeper/connection/ensemble.h"

#include <QObject>
#include <QTimer>

#include <functional>
#include <memory>
#include <optional>

class QSocketNotifier;

namespace lockkeeper::stores::zookeeper {

/** ZooKeeper's metadata of a znode. */
struct Stat
{
    qint64 czxid = 0;    ///< of the transaction that created it
    qint64 owner = 0;    ///< the session that it ends with; 0: it stays
    qint32 version = 0;  ///< of its data
    qint32 cversion = 0; ///< of its list of children
};

/** An answer; the request decides which members are set. */
struct Reply
{
    std::optional<base::Error> error;
    bool missing = false;    ///< with an error: no such znode
    bool exists = false;     ///< with an error: the znode exists already
    bool badVersion = false; ///< with an error: the znode's data has another version
    bool untouched = false;  ///< with an error: ZooKeeper has refused it, or it was never sent
    QByteArray data;         ///< its first 1,024 bytes
    QByteArray path;         ///< of the znode that was created
    QList<QByteArray> children;
    Stat stat;
};

/**
 * One session with an ensemble: the single-threaded C client, driven by this thread's event loop. Resolves
 * the names of the servers first, since the library would block for that. Every request is answered once,
 * later, in this thread, also when the link breaks; nothing is sent twice. It doesn't connect again by
 * itself: the first time that the session's connection breaks, lost() is the end of it. Its destruction ends
 * the session, and no further request is answered; an answer's callback may destroy it.
 */
class ZookeeperLink final : public QObject
{
    Q_OBJECT

public:
    using Done = std::function<void(const Reply &)>;

    explicit ZookeeperLink(Ensemble ensemble, QObject *parent = nullptr);
    ~ZookeeperLink() override;

    /** Answers connected() or lost(). */
    void open();
    /** Ends the session; requests under way are answered with an error. No lost() follows. */
    void close();
    /** Hangs up and leaves the session to its time-out: znodes that were created in it stay until then.
     * lost() follows. */
    void abandon(const base::Error &error);
    bool isOpen() const { return m_open; }
    /** True if the link was open at any time since open() was called. */
    bool hasBeenOpen() const { return m_hasBeenOpen; }
    /** The session time-out that the server granted: the longest silence before the session ends. */
    qint64 timeoutMs() const;
    qint64 session() const;
    /** The ensemble's server that the session is connected to. */
    std::optional<Host> server() const;
    const Ensemble &ensemble() const { return m_ensemble; }

    /** The children of a znode, and its Stat; with `watch`, childrenChanged() reports the next change of the
     * list. Paths are below the chroot. */
    void children(const QByteArray &path, bool watch, Done done);
    void get(const QByteArray &path, Done done);
    /** Checks that a znode exists. Its creation, its end and a write of its data are reported as a change of
     * its children. */
    void awaitCreation(const QByteArray &path, Done done);
    /** Afterwards this server shows at least the leader's state at the time of the request. */
    void sync(Done done);
    /** Deletes a znode if its data has this version, never −1; `dryRun`: checks it and deletes nothing. */
    void remove(const QByteArray &path, qint32 version, bool dryRun, Done done);
    /** Creates a znode that ends with this session, under the next sequence number behind `path`. */
    void createSequential(const QByteArray &path, const QByteArray &data, Done done);
    /** Creates an empty znode that stays. */
    void createPersistent(const QByteArray &path, Done done);

Q_SIGNALS:
    void connected();
    void lost(const lockkeeper::base::Error &error);
    /** A watch fired; a watch fires only once. */
    void childrenChanged(const QByteArray &path);

private:
    struct Handle;      ///< holds the library's C types
    struct LinkRequest; ///< a request under way
    friend struct Handle;

    QByteArray full(const QByteArray &path) const;
    void resolve(qsizetype at, const QByteArray &known);
    void connectTo(const QByteArray &hosts);
    void ask(const std::function<int(LinkRequest *)> &send, Done done);
    void create(const QByteArray &path, const QByteArray &data, int mode, Done done);
    void onSessionEvent(int state);
    void pump();
    void process(int events);
    void listen(int fd, int interest);
    void deliver();
    void watchAnswers();
    void hangUp();
    void lose(const base::Error &error);

    Ensemble m_ensemble;
    std::unique_ptr<Handle> m_handle;
    std::unique_ptr<QSocketNotifier> m_read;
    std::unique_ptr<QSocketNotifier> m_write;
    QTimer m_pump;
    QTimer m_patience;                       ///< for a connection, then for the next answer
    QList<std::function<void()>> m_finished; ///< answers from the library, until it has returned
    qsizetype m_underWay = 0;
    quint64 m_sessions = 0; ///< counts the sessions: answers of an earlier session don't count
    bool m_open = false;
    bool m_hasBeenOpen = false;
};

} // namespace lockkeeper::stores::zookeeper
