// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/result.h"

namespace lockkeeper::agent::application {

/**
 * The agent's data folder. If it is missing, hold() makes it with mode 0700. The folder stays locked for the
 * lifetime of this object (at most that of the process), so that two agents never share a journal.
 */
class DataDir
{
public:
    DataDir() = default;
    ~DataDir();
    DataDir(const DataDir &) = delete;
    DataDir &operator=(const DataDir &) = delete;

    base::Result<void> hold(const QString &path);

private:
    int m_fd = -1;
};

} // namespace lockkeeper::agent::application
