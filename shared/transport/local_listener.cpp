// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/transport/local_listener.h"

#include <QDir>
#include <QFileInfo>
#include <QLocalServer>
#include <QLocalSocket>
#include <QLockFile>
#include <QLoggingCategory>

namespace lockkeeper::transport {

Q_DECLARE_LOGGING_CATEGORY(lcTransport)

using base::ErrorCode;
using base::failure;

namespace {

/** How long a live listener may take to accept; the socket of a dead listener refuses at once. */
constexpr int kProbeMs = 1'000;

base::Result<void> makeFolder(const QString &path)
{
    const QDir folder = QFileInfo(path).dir();
    if (folder.exists())
        return {};
    const QString name = folder.absolutePath();
    const QString parent = QFileInfo(name).path();
    if (QDir().mkpath(parent) && QDir().mkdir(name)) {
        QFile::setPermissions(name, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        return {};
    }
    return failure(ErrorCode::Storage, QStringLiteral("can't create the folder '%1' of the socket").arg(name),
                   QStringLiteral("Create it, owned by the agent's user, with mode 0700"));
}

/** Removes a socket file that no process listens on; fails if the path is anything else. */
base::Result<void> removeStale(const QString &path)
{
    const QFileInfo info(path);
    if (!info.exists() && !info.isSymLink())
        return {};
    if (info.isSymLink() || info.isFile() || info.isDir())
        return failure(ErrorCode::Storage, QStringLiteral("'%1' exists and isn't a socket").arg(path),
                       QStringLiteral("Remove it, or listen on another path"));
    QLocalSocket probe;
    probe.connectToServer(path);
    if (probe.state() != QLocalSocket::ConnectedState)
        probe.waitForConnected(kProbeMs);
    if (probe.state() != QLocalSocket::ConnectedState &&
        probe.error() == QLocalSocket::ConnectionRefusedError && QFile::remove(path)) {
        qCInfo(lcTransport, "replaced a stale socket: %s", qUtf8Printable(path));
        return {};
    }
    return failure(ErrorCode::Busy, QStringLiteral("another agent listens on '%1'").arg(path),
                   QStringLiteral("Stop it, or listen on another path"));
}

} // namespace

class LocalListener::Private
{
public:
    QLocalServer server;
    std::unique_ptr<QLockFile> lock;
    SocketAudience audience;
};

LocalListener::LocalListener() : d(std::make_unique<Private>())
{
    d->server.setSocketOptions(QLocalServer::UserAccessOption);
    connect(&d->server, &QLocalServer::newConnection, this, [this] {
        while (QLocalSocket *socket = d->server.nextPendingConnection()) {
            socket->setParent(nullptr);
            admit(streamOf(std::unique_ptr<QLocalSocket>(socket)));
        }
    });
}

LocalListener::~LocalListener()
{
    close();
}

void LocalListener::setAudience(const SocketAudience &audience)
{
    d->audience = audience;
    if (d->server.isListening())
        transport::admit(d->server.fullServerName(), audience);
}

base::Result<void> LocalListener::listen(const Address &address, int maxConnections)
{
    close();
    setMostConnections(maxConnections);
    if (auto made = makeFolder(address.path); !made)
        return made;
    auto lock = std::make_unique<QLockFile>(address.path + QStringLiteral(".lock"));
    lock->setStaleLockTime(0);
    if (!lock->tryLock(0)) {
        if (lock->error() == QLockFile::LockFailedError)
            return failure(ErrorCode::Busy, QStringLiteral("another agent listens on '%1'").arg(address.path),
                           QStringLiteral("Stop it, or listen on another path"));
        return failure(ErrorCode::Storage, QStringLiteral("'%1.lock' can't be written").arg(address.path),
                       QStringLiteral("Make the folder writable for the agent's user"));
    }
    if (auto removed = removeStale(address.path); !removed)
        return removed;
    if (!d->server.listen(address.path))
        return failure(ErrorCode::Storage,
                       QStringLiteral("can't listen on '%1': %2").arg(address.path, d->server.errorString()),
                       QStringLiteral("Make the folder writable for the agent's user"));
    transport::admit(address.path, d->audience); // Qt's own option leaves the owner's execute bit set
    d->lock = std::move(lock);
    return {};
}

void LocalListener::close()
{
    dropReady();
    d->server.close();
    d->lock.reset();
}

} // namespace lockkeeper::transport
