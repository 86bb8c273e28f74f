// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/login/file_stamp.h"

#include "shared/base/text.h"

#include <QFile>

#include <cerrno>
#include <cstring>
#include <sys/stat.h>
#include <unistd.h>

namespace lockkeeper::agent::login {

using base::ErrorCode;
using base::failure;

FileStamp stampOf(const QString &path)
{
    struct stat info = {};
    if (::stat(QFile::encodeName(path).constData(), &info) != 0)
        return {};
    return {qint64(info.st_ctim.tv_sec) * 1'000'000'000 + info.st_ctim.tv_nsec, qint64(info.st_size),
            quint64(info.st_ino)};
}

base::Result<void> isKeptSecret(const QString &path, unsigned forbidden)
{
    struct stat info = {};
    if (::stat(QFile::encodeName(path).constData(), &info) != 0)
        return failure(ErrorCode::NotFound,
                       QStringLiteral("%1: %2").arg(base::displayText(path),
                                                    QString::fromLocal8Bit(std::strerror(errno))));
    if (info.st_uid != ::geteuid() && info.st_uid != 0)
        return failure(ErrorCode::PermissionDenied,
                       QStringLiteral("%1 belongs to another user").arg(base::displayText(path)),
                       QStringLiteral("Run: chown the agent's user %1").arg(base::displayText(path)));
    if ((info.st_mode & forbidden) != 0)
        return failure(ErrorCode::PermissionDenied,
                       QStringLiteral("%1 is open to others (mode %2)")
                           .arg(base::displayText(path))
                           .arg(info.st_mode & 07777, 4, 8, QLatin1Char('0')),
                       QStringLiteral("Run: chmod 600 %1").arg(base::displayText(path)));
    return {};
}

} // namespace lockkeeper::agent::login
