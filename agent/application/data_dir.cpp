// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/application/data_dir.h"

#include "shared/base/text.h"

#include <QDir>
#include <QFile>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace lockkeeper::agent::application {

namespace {

tl::unexpected<base::Error> systemFailure(const QString &what, int error)
{
    return base::failure(base::ErrorCode::Storage,
                         QStringLiteral("%1: %2").arg(what, QString::fromLocal8Bit(std::strerror(error))),
                         QStringLiteral("Check data_dir and who owns it."));
}

} // namespace

DataDir::~DataDir()
{
    if (m_fd >= 0)
        ::close(m_fd);
}

base::Result<void> DataDir::hold(const QString &path)
{
    const QByteArray native = QFile::encodeName(path);
    const QString shown = base::displayText(native);
    if (!QDir(path).exists()) {
        const QString parent = QFileInfo(path).absolutePath();
        if (!QDir().mkpath(parent) || (::mkdir(native.constData(), 0700) != 0 && errno != EEXIST))
            return systemFailure(QStringLiteral("can't make the folder %1").arg(shown), errno);
    }
    const QByteArray file = native + "/lockkeeper.lock";
    struct stat status = {};
    if (::stat(native.constData(), &status) != 0)
        return systemFailure(QStringLiteral("can't look at the folder %1").arg(shown), errno);
    if ((status.st_mode & (S_IWGRP | S_IWOTH)) != 0)
        return base::failure(base::ErrorCode::PermissionDenied,
                             QStringLiteral("others than its owner may write to the folder %1").arg(shown),
                             QStringLiteral("Run: chmod go-w %1").arg(shown));
    const int fd = ::open(file.constData(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0)
        return systemFailure(QStringLiteral("can't open %1/lockkeeper.lock").arg(shown), errno);
    if (::flock(fd, LOCK_EX | LOCK_NB) != 0) {
        const int error = errno;
        ::close(fd);
        if (error != EWOULDBLOCK)
            return systemFailure(QStringLiteral("can't lock %1/lockkeeper.lock").arg(shown), error);
        return base::failure(base::ErrorCode::Busy,
                             QStringLiteral("another agent uses the folder %1").arg(shown),
                             QStringLiteral("Give each agent a different data_dir."));
    }
    m_fd = fd;
    return {};
}

} // namespace lockkeeper::agent::application
