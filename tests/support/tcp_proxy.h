// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QLocalServer>
#include <QLocalSocket>
#include <QObject>
#include <QPointer>
#include <QRandomGenerator>
#include <QTemporaryDir>
#include <QThread>

namespace lockkeeper::tests {

/**
 * Stands between a client and a server on unix sockets, in the event loop of its thread, and spoils the link
 * on demand. Requests always go through. It may be moved to another thread before listen(), which then has to
 * be called there.
 */
class Proxy : public QObject
{
    Q_OBJECT

public:
    explicit Proxy(const QString &serverPath, QObject *parent = nullptr);

    bool listen();
    QString path() const { return m_folder.filePath(QStringLiteral("proxy.sock")); }
    /** From now on new links lead to another server. */
    void leadTo(const QString &serverPath) { m_serverPath = serverPath; }
    /** From now on, `bytes` bytes of answers go through, then every link is cut. Negative: no limit. */
    void cutAnswersAfter(qint64 bytes) { m_answersLeft = bytes; }
    /** Every link, now. */
    void cutLinks();
    /** From now on, answers are delayed by `ms` milliseconds. */
    void setDelayMs(int ms) { m_delayMs = ms; }
    /** From now on, a link that the server ends stays open for its client, which receives nothing more. */
    void keepClients() { m_keepClients = true; }
    /** From now on, the newest link delivers nothing. */
    void muteNewest();
    /** From now on, about one of every `answers` answers that go through has a wrong byte. 0: none. */
    void garbleOneOf(int answers) { m_garbleOneOf = answers; }
    /**
     * From now on, MySQL's greeting on a new link has the number of another connection, as with MySQL proxies
     * that make their own connections to the server.
     */
    void renumberConnections() { m_renumbers = true; }
    int links() const { return m_links; }
    qint64 requestBytes() const { return m_requestBytes; }

private:
    void onConnection();
    void forward(QLocalSocket *client, QLocalSocket *server);
    void cut(QLocalSocket *client, QLocalSocket *server);

    QString m_serverPath;
    QTemporaryDir m_folder;
    QLocalServer m_server;
    QPointer<QLocalSocket> m_newest; ///< to the server
    QHash<QLocalSocket *, bool> m_greeted;
    qint64 m_answersLeft = -1;
    qint64 m_requestBytes = 0;
    int m_delayMs = 0;
    int m_links = 0;
    int m_garbleOneOf = 0;
    bool m_keepClients = false;
    bool m_renumbers = false;
    QRandomGenerator m_random{1};
};

/** A proxy in its own thread, for clients that wait in the test's. Spoil the link by run(). */
class ProxyThread
{
public:
    explicit ProxyThread(const QString &serverPath) : m_proxy(serverPath)
    {
        m_proxy.moveToThread(&m_thread);
        m_thread.start();
    }
    ~ProxyThread()
    {
        QThread *const here = QThread::currentThread();
        run([this, here] { m_proxy.moveToThread(here); });
        m_thread.quit();
        m_thread.wait();
    }
    Q_DISABLE_COPY_MOVE(ProxyThread)

    bool listen()
    {
        bool ok = false;
        run([this, &ok] { ok = m_proxy.listen(); });
        return ok;
    }
    QString path() const { return m_proxy.path(); }
    void cutAnswersAfter(qint64 bytes)
    {
        run([this, bytes] { m_proxy.cutAnswersAfter(bytes); });
    }
    void leadTo(const QString &serverPath)
    {
        run([this, serverPath] { m_proxy.leadTo(serverPath); });
    }
    void cutLinks()
    {
        run([this] { m_proxy.cutLinks(); });
    }
    void setDelayMs(int ms)
    {
        run([this, ms] { m_proxy.setDelayMs(ms); });
    }
    void keepClients()
    {
        run([this] { m_proxy.keepClients(); });
    }
    void muteNewest()
    {
        run([this] { m_proxy.muteNewest(); });
    }

private:
    template <typename Act> void run(Act act)
    {
        QMetaObject::invokeMethod(&m_proxy, act, Qt::BlockingQueuedConnection);
    }

    QThread m_thread;
    Proxy m_proxy;
};

} // namespace lockkeeper::tests
