// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/result.h"

namespace lockkeeper::agent::login {

/** Attributes that change when a file is rewritten or replaced. All 0: the file doesn't exist. */
struct FileStamp
{
    qint64 changedNs = 0;
    qint64 size = 0;
    quint64 inode = 0;
    bool operator==(const FileStamp &) const = default;
};

FileStamp stampOf(const QString &path);

/** Fails unless the agent's user or root owns the file, and its mode has none of the `forbidden` bits. */
base::Result<void> isKeptSecret(const QString &path, unsigned forbidden);

} // namespace lockkeeper::agent::login
