// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDir>
#include <QProcess>

namespace lockkeeper::tests {

/** Replaces `to` by a copy of `from` with all its contents: a server's data, as a backup keeps them. */
inline bool copyFolder(const QString &from, const QString &to)
{
    return QDir(to).removeRecursively() &&
           QProcess::execute(QStringLiteral("cp"), {QStringLiteral("-a"), from, to}) == 0;
}

} // namespace lockkeeper::tests
