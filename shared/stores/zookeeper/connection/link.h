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

/** What ZooKeeper keeps about a znode. */
struct Stat
{
    qint64 czxid = 0;    ///< of the transaction that created it
    qint64 owner = 0;    ///< the session that it ends with; 0: it stays
    qint32 version = 0;  ///< of its data
    qint32 cversion = 0; ///< of its list of children
};

/** An answer: which of the members are set follows from the request. */
struct Reply
{
    std::optional<base::Error> error;
    bool missing = false;    ///< with an error: no such znode
    bool exists = false;     ///< with an error: there is such a znode already
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
 * itself: the first time that the session's connection breaks, lost() is the end of it. Destroying it ends
 * the session and answers nobody any more; an answer may do that.
 */
class Link final : public QObject
{
    Q_OBJECT

public:
    using Done = std::function<void(const Reply &)>;

    explicit Link(Ensemble ensemble, QObject *parent = nullptr);
    ~Link() override;

    /** Answers connected() or lost(). */
    void open();
    /** Ends the session; what is under way is answered with an error. No lost() follows. */
    void close();
    /** Hangs up and leaves the session to its time-out: what was created in it stays until then. lost()
     * follows. */
    void abandon(const base::Error &error);
    bool isOpen() const { return m_open; }
    /** Since open() was called. */
    bool hasBeenOpen() const { return m_hasBeenOpen; }
    /** What the server granted the session without a sign of life. */
    qint64 timeoutMs() const;
    qint64 session() const;
    /** The one of the ensemble's servers that the session is with. */
    std::optional<Host> server() const;
    const Ensemble &ensemble() const { return m_ensemble; }

    /** The children of a znode, and its Stat; with `watch` the next change of the list is told. Paths are
     * below the chroot. */
    void children(const QByteArray &path, bool watch, Done done);
    void get(const QByteArray &path, Done done);
    /** Whether there is such a znode; its creation and its end, and that its data were written, are told as a
     * change of its children. */
    void awaitCreation(const QByteArray &path, Done done);
    /** Afterwards this server shows at least what the leader had when it was asked. */
    void sync(Done done);
    /** Deletes a znode if its data has this version, never −1; `dryRun`: checks it and deletes nothing. */
    void remove(const QByteArray &path, qint32 version, bool dryRun, Done done);
    /** A znode that ends with this session, under the next sequence number behind `path`. */
    void createSequential(const QByteArray &path, const QByteArray &data, Done done);
    /** An empty znode that stays. */
    void createPersistent(const QByteArray &path, Done done);

Q_SIGNALS:
    void connected();
    void lost(const lockkeeper::base::Error &error);
    /** A watch fired; it is gone with that. */
    void childrenChanged(const QByteArray &path);

private:
    struct Handle;   ///< what the library's C types are
    struct Question; ///< a request under way
    friend struct Handle;

    QByteArray full(const QByteArray &path) const;
    void resolve(qsizetype at, const QByteArray &known);
    void connectTo(const QByteArray &hosts);
    void ask(const std::function<int(Question *)> &send, Done done);
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
    QList<std::function<void()>> m_finished; ///< what the library has told, until it has returned
    qsizetype m_underWay = 0;
    quint64 m_sessions = 0; ///< counts them: what belongs to an earlier one doesn't count
    bool m_open = false;
    bool m_hasBeenOpen = false;
};

} // namespace lockkeeper::stores::zookeeper
