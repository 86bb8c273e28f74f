// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/install_once.h"

#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QLockFile>
#include <QProcess>

namespace lockkeeper::tests {

namespace {
/** Keeps the owners, which a server insists on. */
bool copy(const QString &from, const QString &to)
{
    return QProcess::execute(QStringLiteral("cp"), {QStringLiteral("-a"), from, to}) == 0;
}
} // namespace

bool installOnce(const QString &program, const QString &data, const std::function<bool()> &install)
{
    const QFileInfo server(program);
    const QString folder = qEnvironmentVariable("LOCKKEEPER_BIN");
    if (folder.isEmpty() || !server.exists())
        return install();
    const QString kept =
        QStringLiteral("%1/../installed-%2-%3")
            .arg(folder, server.fileName(), QString::number(server.lastModified().toSecsSinceEpoch()));
    QLockFile lock(kept + QStringLiteral(".lock"));
    lock.setStaleLockTime(0); // regardless of the installer's duration
    if (!lock.lock())
        return install();
    if (QFileInfo::exists(kept))
        return copy(kept, data);
    const QString made = kept + QStringLiteral(".new");
    QDir(made).removeRecursively();
    return install() && copy(data, made) && QDir().rename(made, kept);
}

} // namespace lockkeeper::tests
