// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/result.h"

namespace lockkeeper::agent::login {

/** What changes where a file is written anew or replaced. All 0: it isn't there. */
struct FileStamp
{
    qint64 changedNs = 0;
    qint64 size = 0;
    quint64 inode = 0;
    bool operator==(const FileStamp &) const = default;
};

FileStamp stampOf(const QString &path);

/** Whether the file is the agent's user's (or root's), and its mode has none of the `forbidden` bits. */
base::Result<void> isKeptSecret(const QString &path, unsigned forbidden);

} // namespace lockkeeper::agent::login
